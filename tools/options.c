/* SPDX-License-Identifier: BSD-2-Clause */
#include "options.h"

#include <assert.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/digits.h"
#include "base/quote.h"
#include "number.h"
#include "output.h"

#define MIN_WIDTH 20
#define MAX_WIDTH 10000

static struct {
	int help, brief, full;
	char *format, *output, *colour, *figure, *width;
} given;

const struct poptOption lac_global_options[] = {
	{ "output-format", 'o', POPT_ARG_STRING, &given.format, 0,
	  "text, mail, markdown, json, csv, html or svg", "FORMAT" },
	{ "output", 'O', POPT_ARG_STRING, &given.output, 0,
	  "write to FILE, whole or not at all; - is standard output", "FILE" },
	{ "color", 0, POPT_ARG_STRING, &given.colour, 0,
	  "auto, always or never; auto heeds NO_COLOR", "WHEN" },
	{ "width", 0, POPT_ARG_STRING, &given.width, 0,
	  "columns of the page; 0 does not wrap tables", "N" },
	{ "brief", 0, POPT_ARG_NONE, &given.brief, 0,
	  "leave out what is secondary; the default of mail", NULL },
	{ "full", 0, POPT_ARG_NONE, &given.full, 0,
	  "all of it; the default of the other formats", NULL },
	{ "figure", 0, POPT_ARG_STRING, &given.figure, 0,
	  "the figure that -o svg draws; the first by default", "KEY" },
	{ "help", 'h', POPT_ARG_NONE, &given.help, 0, "this help", NULL },
	POPT_TABLEEND
};

/* Letters to add, drop, change or swap; 99 for words that are too long. */
static size_t distance(const char *a, const char *b)
{
	size_t d[3][64], m = strlen(a), n = strlen(b);

	if (m > 40 || n >= 63)
		return 99;
	for (size_t i = 0; i <= m; i++) {
		size_t *now = d[i % 3], *up = d[(i + 2) % 3];

		now[0] = i;
		for (size_t j = 1; j <= n; j++) {
			size_t best = now[j - 1] + 1;

			if (i && up[j] + 1 < best)
				best = up[j] + 1;
			if (i && up[j - 1] + (a[i - 1] != b[j - 1]) < best)
				best = up[j - 1] + (a[i - 1] != b[j - 1]);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] &&
			    d[(i + 1) % 3][j - 2] + 1 < best)
				best = d[(i + 1) % 3][j - 2] + 1;
			now[j] = best;
		}
	}
	return d[m % 3][n];
}

const char *lac_options_nearest(const char *typed, const char *const *names,
				size_t n)
{
	const char *best = NULL;
	size_t least = strlen(typed) < 4 ? 2 : 3;

	for (size_t i = 0; i < n; i++) {
		size_t d = distance(typed, names[i]);

		/* an unfinished word is near, too */
		if (strlen(typed) > 1 &&
		    !strncmp(typed, names[i], strlen(typed)))
			d = 1;
		if (d < least) {
			least = d;
			best = names[i];
		}
	}
	return best;
}

static unsigned terminal_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	const char *end;
	uint64_t n;

	if (!isatty(STDOUT_FILENO))
		return 0;
	if (columns) {
		if (lac_digits_scan(columns, 10, MAX_WIDTH, &n, &end) &&
		    !*end && n >= MIN_WIDTH)
			return (unsigned)n;
	}
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) &&
	    size.ws_col >= MIN_WIDTH)
		return size.ws_col;
	return 80;
}

static enum lac_status parse_format(struct lac_globals *g, struct lac_err *err)
{
	const char *names[32];
	char all[256] = "";
	size_t n = 0;

	g->format = lac_renderer_find(given.format ? given.format : "text");
	if (g->format)
		return LAC_OK;
	for (; n < 32 && lac_renderers[n]; n++) {
		names[n] = lac_renderers[n]->name;
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s",
			 n ? ", " : "", names[n]);
	}
	return lac_fail(err, LAC_USAGE, "unknown format '%s': one of %s",
			given.format, all);
}

static enum lac_status parse_render(struct lac_globals *g, struct lac_err *err)
{
	struct lac_render_options *o = &g->render;
	bool to_file = given.output && strcmp(given.output, "-") != 0;
	const char *when = given.colour ? given.colour : "auto";
	const char *no_colour = getenv("NO_COLOR");
	uint64_t width = 0;

	if (given.width && strcmp(given.width, "0") != 0 &&
	    lac_number_parse("--width", given.width, MIN_WIDTH, MAX_WIDTH,
			     &width, err) != LAC_OK)
		return lac_fail(err, LAC_USAGE,
				"--width '%s': 0, or from %d to %d",
				given.width, MIN_WIDTH, MAX_WIDTH);
	o->width = given.width ? (unsigned)width
			       : (to_file ? 0 : terminal_width());
	if (!strcmp(when, "always"))
		o->colour = true;
	else if (!strcmp(when, "auto"))
		o->colour = !to_file && isatty(STDOUT_FILENO) &&
			    !(no_colour && *no_colour);
	else if (strcmp(when, "never") != 0)
		return lac_fail(err, LAC_USAGE,
				"--color %s: one of auto, always, never", when);
	o->ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	if (given.brief && given.full)
		return lac_fail(err, LAC_USAGE,
				"--brief and --full exclude each other");
	o->brief = given.brief ||
		   (!given.full && !strcmp(g->format->name, "mail"));
	if (given.figure && strcmp(g->format->name, "svg") != 0)
		return lac_fail(err, LAC_USAGE,
				"--figure %s: -o svg draws one figure, and "
				"-o %s all that it has",
				given.figure, g->format->name);
	o->figure = given.figure;
	g->output = to_file ? given.output : NULL;
	return LAC_OK;
}

/* Names of the long options in a table and in those that it includes. */
static size_t option_names(const struct poptOption *t, const char **names,
			   size_t n, size_t cap)
{
	for (; t && (t->longName || t->shortName || t->arg); t++) {
		if ((t->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE)
			n = option_names(t->arg, names, n, cap);
		else if (t->longName && n < cap)
			names[n++] = t->longName;
	}
	return n;
}

static enum lac_status bad_option(const struct poptOption *table,
				  poptContext con, int rc, struct lac_err *err)
{
	const char *bad = poptBadOption(con, POPT_BADOPTION_NOALIAS);
	const char *names[256], *near;
	size_t len, dashes;
	char word[64];

	bad = bad ? bad : "?";
	if (rc != POPT_ERROR_BADOPT)
		return lac_fail(err, LAC_USAGE, "%s: %s", bad,
				poptStrerror(rc));
	dashes = strspn(bad, "-");
	len = strcspn(bad + dashes, "=");
	snprintf(word, sizeof(word), "%.*s", (int)len, bad + dashes);
	near = dashes < 2 ? NULL
			  : lac_options_nearest(
				    word, names,
				    option_names(table, names, 0, 256));
	return lac_fail(err, LAC_USAGE, "unknown option %s%s%s%s", bad,
			near ? "; did you mean --" : "", near ? near : "",
			near ? "?" : "");
}

#define MAX_OPTIONS 128

/*
 * The options of t and of what it includes, as one table in which those that
 * take one text are known by val: their place + 1.
 */
static void flatten(const struct poptOption *t, struct poptOption *flat,
		    size_t *n)
{
	for (; t && (t->longName || t->shortName || t->arg); t++) {
		int sort = (int)(t->argInfo & POPT_ARG_MASK);

		if (sort == POPT_ARG_INCLUDE_TABLE) {
			flatten(t->arg, flat, n);
			continue;
		}
		assert(*n < MAX_OPTIONS - 1);
		flat[*n] = *t;
		if (sort == POPT_ARG_STRING && t->arg)
			flat[*n].val = (int)*n + 1;
		++*n;
	}
}

/*
 * Of two texts popt would silently take the last: either one may be the slip.
 * What may be given again is a list, and yields no number here.  The end as of
 * poptGetNextOpt().
 */
static int take_options(poptContext con, const struct poptOption *flat,
			const char **twice)
{
	char *before[MAX_OPTIONS] = { NULL };
	int rc;

	*twice = NULL;
	while ((rc = poptGetNextOpt(con)) > 0) {
		if (before[rc - 1])
			*twice = flat[rc - 1].longName;
		free(before[rc - 1]); /* popt has forgotten it */
		before[rc - 1] = *(char **)flat[rc - 1].arg;
	}
	return rc;
}

static enum lac_status check_args(const struct lac_cmd *cmd,
				  const struct lac_run *r, struct lac_err *err)
{
	if (r->nargs < cmd->min_args)
		return lac_fail(err, LAC_USAGE, "too few arguments: it takes %s",
				cmd->args);
	if (r->nargs > cmd->max_args)
		return lac_fail(err, LAC_USAGE, "too many arguments: '%s'%s%s",
				r->args[cmd->max_args],
				*cmd->args ? "; it takes " : "", cmd->args);
	return LAC_OK;
}

const char *lac_options_first_given(const struct poptOption *t)
{
	for (; t && (t->longName || t->shortName || t->arg); t++) {
		const char *inner = NULL;
		bool given_here = false;

		switch (t->argInfo & POPT_ARG_MASK) {
		case POPT_ARG_INCLUDE_TABLE:
			inner = lac_options_first_given(t->arg);
			break;
		case POPT_ARG_STRING:
			given_here = *(char **)t->arg != NULL;
			break;
		case POPT_ARG_ARGV:
			given_here = *(char ***)t->arg != NULL;
			break;
		case POPT_ARG_NONE:
		case POPT_ARG_VAL:
			given_here = *(int *)t->arg != 0;
			break;
		}
		if (inner || given_here)
			return inner ? inner : t->longName;
	}
	return NULL;
}

/* "--into=" and "-O ''" name nothing. */
static enum lac_status named_files(const struct poptOption *t,
				   struct lac_err *err)
{
	for (; t && (t->longName || t->shortName || t->arg); t++) {
		int sort = (int)(t->argInfo & POPT_ARG_MASK);
		const char *what = t->argDescrip;
		bool missing = false;

		if (sort == POPT_ARG_INCLUDE_TABLE)
			LAC_TRY(named_files(t->arg, err));
		if (!t->arg || !what ||
		    (strcmp(what, "FILE") != 0 && strcmp(what, "DIR") != 0))
			continue;
		if (sort == POPT_ARG_STRING && *(char **)t->arg)
			missing = !**(char **)t->arg;
		else if (sort == POPT_ARG_ARGV)
			for (char **f = *(char ***)t->arg; f && *f; f++)
				missing |= !**f;
		if (missing)
			return lac_fail(err, LAC_USAGE,
					"--%s '': the name of a %s is missing",
					t->longName,
					*what == 'F' ? "file" : "directory");
	}
	return LAC_OK;
}

static enum lac_status spare_file(const struct poptOption *t, const char *file,
				  const char *output, struct lac_err *err)
{
	if (!strcmp(file, output))
		return lac_fail(err, LAC_USAGE, "-O %s: --%s names it, too",
				output, t->longName);
	return lac_output_spare("-O", output, file, err);
}

/* The files of the options in a table, against -O. */
static enum lac_status spare_options(const struct poptOption *t,
				     const char *output, struct lac_err *err)
{
	for (; t && (t->longName || t->shortName || t->arg); t++) {
		int sort = (int)(t->argInfo & POPT_ARG_MASK);

		if (sort == POPT_ARG_INCLUDE_TABLE)
			LAC_TRY(spare_options(t->arg, output, err));
		if (!t->arg || !t->argDescrip ||
		    strcmp(t->argDescrip, "FILE") != 0)
			continue;
		if (sort == POPT_ARG_STRING && *(char **)t->arg)
			LAC_TRY(spare_file(t, *(char **)t->arg, output, err));
		if (sort != POPT_ARG_ARGV)
			continue;
		for (char **f = *(char ***)t->arg; f && *f; f++)
			LAC_TRY(spare_file(t, *f, output, err));
	}
	return LAC_OK;
}

/* -O never destroys what the command reads. */
static enum lac_status spare_inputs(const struct lac_cmd *cmd,
				    const struct lac_run *r,
				    const char *output, struct lac_err *err)
{
	/* "FILE [TYPE...]": what follows the first is no file */
	bool names = strstr(cmd->args, "[TYPE") || strstr(cmd->args, "[GLOB");

	if (!output)
		return LAC_OK;
	for (size_t i = 0; i < (names && r->nargs ? 1 : r->nargs); i++)
		LAC_TRY(lac_output_spare("-O", output, r->args[i], err));
	LAC_TRY(spare_options(cmd->options, output, err));
	return lac_output_spare("-O", output, NULL, err);
}

/* Help is text for who reads it now: what asks for more would go unheard. */
static enum lac_status check_help(struct lac_err *err)
{
	if (given.output && strcmp(given.output, "-"))
		return lac_fail(err, LAC_USAGE,
				"--help goes to standard output: without "
				"--output %s", lac_quote(given.output).text);
	if (given.format && strcmp(given.format, "text"))
		return lac_fail(err, LAC_USAGE,
				"--help is text: without --output-format %s",
				lac_quote(given.format).text);
	return LAC_OK;
}

enum lac_status lac_options_parse(const struct lac_cmd *cmd, int argc,
				  const char **argv, struct lac_globals *g,
				  struct lac_run *r, poptContext *context,
				  struct lac_err *err)
{
	static const char *const none[] = { NULL };
	static struct poptOption t[MAX_OPTIONS];
	const char *twice;
	size_t n = 0;
	int rc;

	memset(&given, 0, sizeof(given));
	memset(t, 0, sizeof(t));
	flatten(cmd->options, t, &n);
	flatten(lac_global_options, t, &n);
	*context = poptGetContext(cmd->name, argc, argv, t,
				  cmd->options_first
					  ? POPT_CONTEXT_POSIXMEHARDER
					  : 0);
	if (!*context)
		return lac_fail_memory(err);
	rc = take_options(*context, t, &twice);
	if (given.help) { /* also where something else is wrong */
		g->help = true;
		return check_help(err);
	}
	if (rc < -1)
		return bad_option(t, *context, rc, err);
	if (twice)
		return lac_fail(err, LAC_USAGE,
				"--%s is given more than once, and only one "
				"counts", twice);
	r->args = poptGetArgs(*context);
	if (!r->args)
		r->args = (const char **)(uintptr_t)none;
	r->output = given.output;
	for (r->nargs = 0; r->args[r->nargs];)
		r->nargs++;
	LAC_TRY(parse_format(g, err));
	LAC_TRY(parse_render(g, err));
	LAC_TRY(check_args(cmd, r, err));
	LAC_TRY(named_files(t, err));
	return spare_inputs(cmd, r, g->output, err);
}

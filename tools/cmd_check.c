/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_check.c - budgets and a recorded baseline, for CI. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/words.h"
#include "check_report.h"
#include "commands.h"
#include "load.h"
#include "output.h"
#include "textfile.h"

static struct {
	char *budget, *record, *baseline, *annotations, *junit,
		*line_size, *strip, *prefix;
	int exact;
} given;

/* What the child writes and the parent puts into files. */
static int record_fd = -1, junit_fd = -1;

static const struct poptOption options[] = {
	{"budget", 'b', POPT_ARG_STRING, &given.budget, 0,
	 "check the rules of FILE", "FILE"},
	{"record", 'r', POPT_ARG_STRING, &given.record, 0,
	 "write the figures of the records to FILE, to be committed; - is "
	 "standard output", "FILE"},
	{"baseline", 'B', POPT_ARG_STRING, &given.baseline, 0,
	 "compare with the figures in FILE", "FILE"},
	{"exact", 'x', POPT_ARG_NONE, &given.exact, 0,
	 "of a baseline: any change fails, also one for the better", NULL},
	{"annotations", 0, POPT_ARG_STRING, &given.annotations, 0,
	 "print what github or gitlab show at a changed line", "FORGE"},
	{"junit", 0, POPT_ARG_STRING, &given.junit, 0,
	 "write the result to FILE as JUnit XML; - is standard output",
	 "FILE"},
	{"strip", 0, POPT_ARG_STRING, &given.strip, 0,
	 "leave out PREFIX in front of the files that declare types",
	 "PREFIX"},
	{"prefix", 0, POPT_ARG_STRING, &given.prefix, 0,
	 "put PATH in front of those that are then relative, as the compiler "
	 "ran there", "PATH"},
	{"line-size", 'c', POPT_ARG_STRING, &given.line_size, 0,
	 "bytes of a cache line; by default those of the machine", "BYTES"},
	LAC_LOAD_OPTIONS,
	POPT_TABLEEND};

static bool is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

/* A place that cannot be written to is known before the work. */
static enum lac_status open_place(const char *path, int *fd,
				  struct lac_err *err)
{
	struct lac_output out = LAC_OUTPUT_NONE;

	if (!path)
		return LAC_OK;
	if (!is_stdout(path))
		LAC_TRY(lac_output_open(path, &out, err));
	lac_output_abandon(&out);
	*fd = memfd_create("lacuna", MFD_CLOEXEC);
	return *fd < 0 ? lac_fail_os(err, "memory for %s", path) : LAC_OK;
}

static enum lac_status spare(const char *option, const char *path,
			     const char *input, struct lac_err *err)
{
	return is_stdout(path) ? LAC_OK
			       : lac_output_spare(option, path, input, err);
}

/* The findings go to standard output, which --junit - or --record - takes. */
static bool has_findings(const struct lac_run *r, const char *taken)
{
	return !is_stdout(taken) || (r->output && !is_stdout(r->output));
}

static enum lac_status prepare(struct lac_run *r, struct lac_err *err)
{
	const char *inputs[] = {r->args[0], given.budget, NULL};

	for (size_t i = 0; i < 3; i++) {
		LAC_TRY(spare("--record", given.record, inputs[i], err));
		LAC_TRY(spare("--junit", given.junit, inputs[i], err));
	}
	LAC_TRY(spare("--junit", given.junit, given.baseline, err));
	LAC_TRY(open_place(given.record, &record_fd, err));
	return open_place(given.junit, &junit_fd, err);
}

static enum lac_status put_file(const char *path, int fd, struct lac_err *err)
{
	struct lac_output out = LAC_OUTPUT_NONE;
	bool gone = false;
	enum lac_status st;

	if (!path)
		return LAC_OK;
	if (is_stdout(path)) /* a copy: it will be closed */
		out.fd = dup(STDOUT_FILENO);
	else
		LAC_TRY(lac_output_open(path, &out, err));
	st = lac_output_commit(&out, fd, &gone, err);
	lac_output_abandon(&out);
	return st;
}

static enum lac_status settle(struct lac_run *r, struct lac_err *err)
{
	(void)r;
	LAC_TRY(put_file(given.record, record_fd, err));
	return put_file(given.junit, junit_fd, err);
}

static enum lac_status write_all(int fd, const char *text, size_t size,
				 struct lac_err *err)
{
	while (size) {
		ssize_t n = write(fd, text, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return lac_fail_os(err, "memory for a file");
		text += n;
		size -= (size_t)n;
	}
	return LAC_OK;
}

static enum lac_status record(const struct lac_graph *g, uint32_t line_size,
			      struct lac_run *r, struct lac_arena *arena,
			      struct lac_err *err)
{
	struct lac_baseline b;
	const char *text;
	size_t size;

	LAC_TRY(lac_baseline_of(g, line_size, r->args + 1,
				(uint32_t)(r->nargs - 1), arena, &b, err));
	LAC_TRY(lac_baseline_write(&b, arena, &text, &size, err));
	LAC_TRY(write_all(record_fd, text, size, err));
	lac_doc_set(r->doc, r->doc->data, "recorded", json_integer(b.n));
	if (!given.annotations && has_findings(r, given.record) &&
	    has_findings(r, given.junit))
		lac_doc_paragraph(r->doc, "%u record%s in %s.", b.n,
				  lac_s(b.n), given.record);
	return LAC_OK;
}

static enum lac_status read_rules(struct lac_check_options *o,
				  struct lac_budget *budget,
				  struct lac_baseline *baseline,
				  struct lac_arena *arena, struct lac_err *err)
{
	struct lac_text t;

	if (given.budget) {
		LAC_TRY(lac_text_read(given.budget, arena, &t, err));
		LAC_TRY(lac_budget_parse(given.budget, t.text, t.size, arena,
					 budget, err));
		o->budget = budget;
	}
	if (given.baseline) {
		LAC_TRY(lac_text_read(given.baseline, arena, &t, err));
		LAC_TRY(lac_baseline_parse(given.baseline, t.text, t.size,
					   arena, baseline, err));
		o->baseline = baseline;
	}
	return LAC_OK;
}

static enum lac_status put_junit(const struct lac_check *c,
				 struct lac_err *err)
{
	enum lac_status st;
	size_t size;
	char *text;

	LAC_TRY(lac_check_junit(c, &text, &size, err));
	st = write_all(junit_fd, text, size, err);
	free(text);
	return st;
}

/* As the reader of the findings knows the file. */
static enum lac_status place_file(const char **file, struct lac_arena *arena,
				  struct lac_err *err)
{
	size_t n = given.strip ? strlen(given.strip) : 0;
	const char *dir = given.prefix ? given.prefix : "";
	const char *f = *file;

	while (n && given.strip[n - 1] == '/')
		n--;
	if (given.strip && !strncmp(f, given.strip, n) && f[n] == '/')
		f += n + strspn(f + n, "/");
	if (*dir && *f != '/') {
		while (f[0] == '.' && f[1] == '/')
			f += 2;
		f = lac_arena_printf(arena, "%s%s%s", dir,
				     dir[strlen(dir) - 1] == '/' ? "" : "/", f);
	}
	*file = f;
	return f ? LAC_OK : lac_fail_memory(err);
}

/* One stream cannot be of two forms. */
static enum lac_status asked_streams(const struct lac_run *r,
				     struct lac_err *err)
{
	if (is_stdout(given.record) && (given.budget || given.baseline))
		return lac_fail(err, LAC_USAGE,
				"--record - puts the figures on standard "
				"output, where the findings would be: name a "
				"file");
	if (is_stdout(given.junit) && given.annotations)
		return lac_fail(err, LAC_USAGE,
				"--junit - and --annotations are both for "
				"standard output: name a file for --junit");
	if (is_stdout(r->output) &&
	    (is_stdout(given.junit) || is_stdout(given.record)))
		return lac_fail(err, LAC_USAGE,
				"%s - and -O - are both for standard output: "
				"name a file for one of them",
				is_stdout(given.junit) ? "--junit"
						       : "--record");
	return LAC_OK;
}

static enum lac_status asked(const struct lac_run *r, struct lac_err *err)
{
	if (!given.budget && !given.record && !given.baseline)
		return lac_fail(err, LAC_USAGE,
				"nothing to check: give --budget, --baseline "
				"or --record");
	if (given.exact && (!given.baseline || given.budget))
		return lac_fail(err, LAC_USAGE,
				"--exact goes with --baseline alone; in a "
				"budget it is the condition 'no change'");
	if (r->nargs > 1 && !given.record)
		return lac_fail(err, LAC_USAGE,
				"types are chosen for --record; '%s'",
				r->args[1]);
	if (!given.budget && !given.baseline &&
	    (given.junit || given.annotations))
		return lac_fail(err, LAC_USAGE,
				"--record alone checks nothing that --junit "
				"or --annotations could show");
	return asked_streams(r, err);
}

static enum lac_status run(struct lac_run *r, struct lac_err *err)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	LAC_CLEANUP_GRAPH struct lac_graph *g = NULL;
	LAC_CLEANUP_CHECK struct lac_check *c = NULL;
	struct lac_check_options o = {0};
	enum lac_annotations form;
	struct lac_budget budget;
	struct lac_baseline baseline;

	if (!arena)
		return lac_fail_memory(err);
	LAC_TRY(asked(r, err));
	LAC_TRY(lac_annotations_parse(given.annotations, &form, err));
	LAC_TRY(lac_line_size_check(given.line_size, &o.line_size, err));
	o.exact = given.exact;
	LAC_TRY(read_rules(&o, &budget, &baseline, arena, err));
	LAC_TRY(lac_load(r->args[0], NULL, &g, err));
	LAC_TRY(lac_check_run(g, &o, &c, err));
	for (uint32_t i = 0; i < c->nfindings; i++)
		if (c->findings[i].decl_file)
			LAC_TRY(place_file(&c->findings[i].decl_file, c->arena,
					   err));
	lac_check_data(r->doc, c, r->args[0]);
	if (given.record)
		LAC_TRY(record(g, o.line_size, r, arena, err));
	if (given.junit)
		LAC_TRY(put_junit(c, err));
	if (form)
		lac_check_annotations(r->doc, c, form);
	else if (has_findings(r, given.junit) && (given.budget || given.baseline))
		lac_check_views(r->doc, c, r->args[0]);
	if (!form && has_findings(r, given.junit) &&
	    has_findings(r, given.record))
		lac_load_incomplete(r->doc, g);
	if (c->nfailed)
		r->verdict = LAC_EXIT_FOUND;
	return LAC_OK;
}

const struct lac_cmd lac_cmd_check = {
	.name = "check",
	.args = "FILE [GLOB...]",
	.summary = "budgets and a recorded baseline, for CI",
	.help = "A budget holds one rule a line:\n"
		"  struct page: size <= 64, align >= 16, holes == 0\n"
		"  member page.freelist, page.counters: same line\n"
		"  struct *: no new holes          (with --baseline)\n"
		"--baseline without --budget: nothing recorded grew, or "
		"gained a hole.\n"
		"Exit status: 0 all hold; 1 a rule is broken, matches nothing "
		"or cannot be\ndecided; 2 usage, also a fault in the rules; 3 "
		"could not do it.",
	.min_args = 1,
	.max_args = 1000,
	.files = 1,
	.options = options,
	.run = run,
	.untrusted = true,
	.prepare = prepare,
	.settle = settle,
};

/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff/baseline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "base/quote.h"
#include "diff/filter.h"
#include "diff/scan.h"

#define HEADER "# lacuna baseline "
#define VERSION "2, lines of "
#define END "# end"

const char *lac_figure_name(enum lac_figure_id f)
{
	static const char *const names[LAC_FIGURES] = {
		[LAC_FIGURE_SIZE] = "size",
		[LAC_FIGURE_ALIGN] = "align",
		[LAC_FIGURE_LINES] = "lines",
		[LAC_FIGURE_HOLES] = "holes",
		[LAC_FIGURE_HOLE_BITS] = "hole_bits",
		[LAC_FIGURE_PADDING_BITS] = "padding_bits",
		[LAC_FIGURE_STRADDLERS] = "straddlers",
		[LAC_FIGURE_MEMBERS] = "members",
	};

	return names[f];
}

void lac_figures_of(const struct lac_labelled *t, uint64_t ret[LAC_FIGURES])
{
	const struct lac_shape *s = &t->shape;
	const struct lac_through *h = &t->through;

	ret[LAC_FIGURE_SIZE] = s->size;
	ret[LAC_FIGURE_ALIGN] = s->align ? s->align : LAC_FIGURE_UNKNOWN;
	ret[LAC_FIGURE_LINES] =
		s->size == LAC_SIZE_UNKNOWN ? LAC_FIGURE_UNKNOWN : s->lines;
	ret[LAC_FIGURE_HOLES] = h->nholes;
	ret[LAC_FIGURE_HOLE_BITS] = h->hole_bits;
	ret[LAC_FIGURE_PADDING_BITS] = h->padding_bits;
	ret[LAC_FIGURE_STRADDLERS] = h->nstraddlers;
	ret[LAC_FIGURE_MEMBERS] = s->is_enum ? s->nvalues : h->record.nmembers;
}

static int text_order(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int labelled_order(const void *pa, const void *pb)
{
	const struct lac_labelled *a = pa, *b = pb;
	int c = strcmp(a->label, b->label);

	if (c)
		return c;
	if (a->shape.size != b->shape.size)
		return a->shape.size < b->shape.size ? -1 : 1;
	c = text_order(a->shape.decl_file, b->shape.decl_file);
	if (c)
		return c;
	if (a->shape.hash != b->shape.hash)
		return a->shape.hash < b->shape.hash ? -1 : 1;
	return a->record < b->record ? -1 : a->record > b->record;
}

static enum lac_status number_labels(struct lac_labelled *l, uint32_t n,
				     struct lac_arena *arena,
				     struct lac_err *err)
{
	for (uint32_t i = 0, run; i < n; i += run) {
		run = 1;
		while (i + run < n &&
		       !strcmp(l[i].label, l[i + run].label))
			run++;
		for (uint32_t k = 1; k < run; k++) {
			l[i + k].label = lac_arena_printf(
				arena, "%s #%u", l[i].label, k + 1);
			if (!l[i + k].label)
				return lac_fail_memory(err);
		}
	}
	return LAC_OK;
}

static enum lac_status label_record(const struct lac_graph *g,
				    const struct lac_layout_options *o,
				    struct lac_arena *arena,
				    struct lac_labelled *t, struct lac_err *err)
{
	struct lac_layout l;

	t->label = t->shape.label;
	LAC_TRY(lac_layout_compute(g, t->record, o, arena, &l, err));
	return lac_through_compute(&l, o->rules, arena, &t->through, err);
}

enum lac_status lac_labelled_list(const struct lac_graph *g,
				  uint32_t line_size, struct lac_arena *arena,
				  struct lac_labelled **ret, uint32_t *n,
				  struct lac_err *err)
{
	const struct lac_layout_options o = {
		.line_size = line_size,
		.rules = lac_rules_create(g, arena),
	};
	struct lac_shaper *s;
	struct lac_labelled *l =
		lac_arena_zalloc(arena,
				 (size_t)g->nrecords + g->nenumerations,
				 sizeof(*l));
	uint32_t at = 0;

	if (!l || !o.rules)
		return lac_fail_memory(err);
	LAC_TRY(lac_shaper_create(g, line_size, arena, &s, err));
	for (uint32_t i = 0; i < g->nrecords; i++) {
		if ((!g->records[i].name && !g->records[i].typedef_name) ||
		    lac_record_left_out(g, &g->records[i]))
			continue;
		LAC_TRY(lac_shape_record(s, i, &l[at].shape, err));
		l[at].record = i;
		LAC_TRY(label_record(g, &o, arena, &l[at], err));
		at++;
	}
	for (uint32_t i = 0; i < g->nenumerations; i++) {
		if (!g->enumerations[i].name)
			continue;
		LAC_TRY(lac_shape_enum(s, i, &l[at].shape, err));
		l[at].record = LAC_NONE;
		l[at].label = l[at].shape.label;
		at++;
	}
	if (at)
		qsort(l, at, sizeof(*l), labelled_order);
	LAC_TRY(number_labels(l, at, arena, err));
	*ret = l;
	*n = at;
	return LAC_OK;
}

static bool chosen(const struct lac_shape *s, const char *const *globs,
		   uint32_t n)
{
	if (!n)
		return !s->is_enum;
	for (uint32_t i = 0; i < n; i++)
		if (lac_type_matches(globs[i], s))
			return true;
	return false;
}

static int entry_order(const void *a, const void *b)
{
	const struct lac_baseline_entry *x = a, *y = b;

	return strcmp(x->label, y->label);
}

enum lac_status lac_baseline_of(const struct lac_graph *g, uint32_t line_size,
				const char *const *globs, uint32_t nglobs,
				struct lac_arena *arena,
				struct lac_baseline *ret, struct lac_err *err)
{
	struct lac_baseline b = {.path = g->path,
				 .line_size = line_size ? line_size : 64};
	struct lac_labelled *l;
	uint32_t n;

	LAC_TRY(lac_labelled_list(g, line_size, arena, &l, &n, err));
	b.entries = lac_arena_zalloc(arena, n, sizeof(*b.entries));
	if (!b.entries)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < n; i++) {
		if (!chosen(&l[i].shape, globs, nglobs))
			continue;
		b.entries[b.n].label = l[i].label;
		lac_figures_of(&l[i], b.entries[b.n++].figures);
	}
	if (!b.n)
		return lac_fail(err, LAC_NOT_FOUND,
				"%s: no record to put into a baseline%s",
				g->path, nglobs ? ": none is called so" : "");
	qsort(b.entries, b.n, sizeof(*b.entries), entry_order);
	*ret = b;
	return LAC_OK;
}

enum lac_status lac_baseline_write(const struct lac_baseline *b,
				   struct lac_arena *arena, const char **ret,
				   size_t *size, struct lac_err *err)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return lac_fail_memory(err);
	fprintf(f, HEADER VERSION "%" PRIu32 " bytes\n", b->line_size);
	for (uint32_t i = 0; i < b->n; i++) {
		fputs(b->entries[i].label, f);
		for (int k = 0; k < LAC_FIGURES; k++) {
			uint64_t v = b->entries[i].figures[k];

			fprintf(f, " %s=", lac_figure_name(
						   (enum lac_figure_id)k));
			if (v == LAC_FIGURE_UNKNOWN)
				fputc('?', f);
			else
				fprintf(f, "%" PRIu64, v);
		}
		fputc('\n', f);
	}
	fputs(END "\n", f);
	if (fclose(f)) {
		free(text);
		return lac_fail_memory(err);
	}
	*ret = lac_arena_strndup(arena, text, n);
	free(text);
	*size = n;
	return *ret ? LAC_OK : lac_fail_memory(err);
}

static bool parse_figure(const char *s, uint64_t *ret, const char **end)
{
	if (*s != '?')
		return lac_digits_scan(s, 10, UINT64_MAX - 1, ret, end);
	*ret = LAC_FIGURE_UNKNOWN;
	*end = s + 1;
	return true;
}

/* The last " size=" of a line: a name may hold anything before it. */
static const char *figures_start(const char *line)
{
	const char *at = NULL;

	for (const char *p = strstr(line, " size="); p;
	     p = strstr(p + 1, " size="))
		at = p;
	return at;
}

static enum lac_status parse_entry(struct lac_scan *s, struct lac_arena *arena,
				   struct lac_baseline_entry *e,
				   struct lac_err *err)
{
	struct lac_scan start = *s;
	const char *line = lac_scan_rest(s, arena);
	const char *at;

	if (!line)
		return lac_fail_memory(err);
	at = figures_start(line);
	if (!at || at == line)
		return lac_scan_fail(&start, err,
				     "no 'size=': this is not a line of a "
				     "baseline");
	e->line = s->line;
	e->label = lac_arena_strndup(arena, line, (size_t)(at - line));
	if (!e->label)
		return lac_fail_memory(err);
	for (int k = 0; k < LAC_FIGURES; k++) {
		const char *name = lac_figure_name((enum lac_figure_id)k);
		size_t n = strlen(name);

		start.at = start.line_from + (size_t)(at - line);
		if (*at != ' ' || strncmp(at + 1, name, n) ||
		    at[n + 1] != '=' ||
		    !parse_figure(at + n + 2, &e->figures[k], &at))
			return lac_scan_fail(&start, err,
					     "'%s=' and a number are missing",
					     name);
	}
	if (*at)
		return lac_scan_fail(&start, err, "something follows the "
				     "figures: '%s'", lac_quote(at).text);
	return LAC_OK;
}

/* Without the blanks behind it. */
static size_t line_length(const struct lac_scan *s)
{
	const char *from = s->text + s->at;
	const char *nl = memchr(from, '\n', s->size - s->at);
	size_t n = nl ? (size_t)(nl - from) : s->size - s->at;

	while (n && strchr(" \t\r", from[n - 1]))
		n--;
	return n;
}

/* "# lacuna baseline 2, lines of 64 bytes" */
static enum lac_status parse_header(const struct lac_scan *s,
				    uint32_t *line_size, struct lac_err *err)
{
	static const char unit[] = " bytes";
	const char *at = s->text;
	size_t n = line_length(s);
	char line[80];
	uint64_t v;

	if (n < strlen(HEADER) || memcmp(at, HEADER, strlen(HEADER)))
		return lac_scan_fail(s, err,
				     "not a baseline: its first line starts "
				     "with '" HEADER "'; --record makes one");
	snprintf(line, sizeof(line), "%.*s",
		 (int)(n < sizeof(line) ? n : sizeof(line) - 1), at);
	at = line + strlen(HEADER);
	if (!strcmp(at, "1"))
		return lac_scan_fail(s, err,
				     "recorded by an earlier lacuna, without "
				     "its line size and its end; record it "
				     "anew with --record");
	if (n >= sizeof(line) || strncmp(at, VERSION, strlen(VERSION)) ||
	    !lac_digits_scan(at + strlen(VERSION), 10, UINT32_MAX, &v, &at) ||
	    strcmp(at, unit) || !v || v & (v - 1))
		return lac_scan_fail(s, err,
				     "'%s' is not known; record it anew with "
				     "--record",
				     lac_quote(line).text);
	*line_size = (uint32_t)v;
	return LAC_OK;
}

/* One line that says so, and nothing behind it. */
static enum lac_status check_end(const struct lac_scan *start,
				 struct lac_err *err)
{
	struct lac_scan s = *start;
	bool ended = false;

	for (;; s.line++, s.line_from = ++s.at) {
		size_t n = line_length(&s);

		if (n && ended)
			return lac_scan_fail(&s, err,
					     "something follows '" END "', as "
					     "after a bad merge; put '" END
					     "' behind the last record");
		ended |= n == strlen(END) && !memcmp(s.text + s.at, END, n);
		while (s.at < s.size && s.text[s.at] != '\n')
			s.at++;
		if (s.at == s.size)
			break;
	}
	return ended ? LAC_OK
		     : lac_scan_fail(&s, err,
				     "the last line, '" END "', is missing: "
				     "the file was cut; restore it, or record "
				     "it anew with --record");
}

enum lac_status lac_baseline_parse(const char *path, const char *text,
				   size_t size, struct lac_arena *arena,
				   struct lac_baseline *ret,
				   struct lac_err *err)
{
	struct lac_baseline b = {.path = path};
	struct lac_scan s;
	uint32_t lines = 0;

	LAC_TRY(lac_scan_start(&s, path, text, size, LAC_USAGE, err));
	LAC_TRY(parse_header(&s, &b.line_size, err));
	LAC_TRY(check_end(&s, err));
	while (lac_scan_line(&s))
		lines++;
	if (!lines)
		return lac_fail(err, LAC_USAGE,
				"%s: no record in it, so nothing would be "
				"checked", path);
	b.entries = lac_arena_zalloc(arena, lines, sizeof(*b.entries));
	if (!b.entries)
		return lac_fail_memory(err);
	lac_scan_rewind(&s);
	while (lac_scan_line(&s))
		LAC_TRY(parse_entry(&s, arena, &b.entries[b.n++], err));
	qsort(b.entries, b.n, sizeof(*b.entries), entry_order);
	for (uint32_t i = 1; i < b.n; i++)
		if (!strcmp(b.entries[i - 1].label, b.entries[i].label))
			return lac_fail(err, LAC_USAGE,
					"%s:%u:1: '%s' is there twice, as "
					"after a merge; keep one", path,
					b.entries[i].line,
					lac_quote(b.entries[i].label).text);
	*ret = b;
	return LAC_OK;
}

const struct lac_baseline_entry *
lac_baseline_find(const struct lac_baseline *b, const char *label)
{
	struct lac_baseline_entry key = {.label = label};

	return b->n ? bsearch(&key, b->entries, b->n, sizeof(key), entry_order)
		    : NULL;
}

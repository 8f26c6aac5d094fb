/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_list.c - every record of a file and its figures. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "base/glob.h"
#include "build_facts.h"
#include "commands.h"
#include "load.h"
#include "named.h"
#include "number.h"
#include "record_json.h"
#include "size.h"

static struct {
	char *sort, **type, **decl, *min_size, **kinds, *top, *line_size;
	int reverse, holes, straddlers, anonymous;
} given;

static const struct poptOption options[] = {
	LAC_GROUP("in which order, and how many:"),
	{ "sort", 's', POPT_ARG_STRING, &given.sort, 0,
	  "order by KEY, texts a to z, figures largest first: name (the "
	  "default), kind, decl, size, align, members, holes, hole_bits, "
	  "padding_bits, waste (of the two), nested_hole_bits, "
	  "nested_padding_bits, unknown_bits, member_bits, lines, straddlers, "
	  "units; or none, as the debug info has them",
	  "KEY" },
	{ "reverse", 'r', POPT_ARG_NONE, &given.reverse, 0,
	  "the other way round", NULL },
	{ "top", 'n', POPT_ARG_STRING, &given.top, 0,
	  "the first N only; 0 for all", "N" },
	LAC_GROUP("which records:"),
	{ "min-size", 0, POPT_ARG_STRING, &given.min_size, 0,
	  "records of at least SIZE bytes, or 4K", "SIZE" },
	{ "type", 't', POPT_ARG_ARGV, &given.type, 0,
	  "records whose name matches, as GLOB behind FILE does; may be given "
	  "again",
	  "GLOB" },
	{ "decl", 'd', POPT_ARG_ARGV, &given.decl, 0,
	  "records declared in a file that matches; may be given again",
	  "GLOB" },
	{ "kind", 'k', POPT_ARG_ARGV, &given.kinds, 0,
	  "struct, union, class, enum (Rust's, with data) or variant; may be "
	  "given again",
	  "KIND" },
	{ "holes", 0, POPT_ARG_NONE, &given.holes, 0, 
	  "records with a hole, also in an unnamed struct in them", NULL },
	{ "straddlers", 0, POPT_ARG_NONE, &given.straddlers, 0,
	  "records with a member that crosses a line", NULL },
	{ "anonymous", 'a', POPT_ARG_NONE, &given.anonymous, 0,
	  "also records that have no name", NULL },
	LAC_GROUP("how they are looked at:"),
	{ "line-size", 'c', POPT_ARG_STRING, &given.line_size, 0,
	  "bytes of a cache line; by default those of the machine", "BYTES" },
	LAC_LOAD_OPTIONS,
	POPT_TABLEEND
};

enum sort_key { BY_FIGURE, BY_TEXT };

/* By what a record that passed the filters is sorted. */
struct row {
	uint64_t figure; /* of a text: its first bytes */
	const char *text;
	uint32_t number; /* among the rows, which are in the graph's order */
};

struct selection {
	const struct lac_graph *g;
	const char **globs; /* of names, ended by NULL; those of --type last */
	bool *matched;	    /* by glob */
	uint64_t min_size, top;
	uint32_t line_size;
	enum sort_key by;
	struct row *rows;
	size_t n;
	/* of all of them */
	uint64_t hole_bits, padding_bits, with_holes, waste_bits, wasting;
};

static uint64_t known(const struct lac_layout *l, uint64_t v)
{
	return l->graph->records[l->record].size == LAC_SIZE_UNKNOWN ? 0 : v;
}

/* What strcmp() looks at first, as one number. */
static uint64_t first_bytes(const char *s)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < 8; i++) {
		v = v << 8 | (unsigned char)*s;
		s += *s != '\0';
	}
	return v;
}

/* The value that the key asks for, into the row; false for no such key. */
static bool take_key(const char *key, const struct lac_layout *l,
		     const struct lac_through *t, struct row *row,
		     enum sort_key *by)
{
	const struct lac_record *r = &l->graph->records[l->record];
	const struct {
		const char *key;
		uint64_t value;
	} figures[] = {
		{ "size", r->size },
		{ "align", l->align },
		{ "members", r->nmembers },
		{ "holes", l->nholes },
		{ "hole_bits", l->hole_bits },
		{ "padding_bits", l->padding_bits },
		{ "waste", t->hole_bits + t->padding_bits },
		{ "nested_hole_bits", l->nested_hole_bits },
		{ "nested_padding_bits", l->nested_padding_bits },
		{ "unknown_bits", l->unknown_bits },
		{ "member_bits", l->member_bits },
		{ "lines", l->lines },
		{ "straddlers", t->nstraddlers },
		{ "units", r->nunits },
	};

	*by = BY_FIGURE;
	if (!strcmp(key, "none"))
		return true;
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		if (!strcmp(key, figures[i].key)) {
			row->figure = known(l, figures[i].value);
			return true;
		}
	*by = BY_TEXT;
	row->text = "";
	if (!strcmp(key, "name"))
		row->text = lac_record_name(r);
	else if (!strcmp(key, "decl"))
		row->text = r->decl_file;
	else if (!strcmp(key, "kind"))
		row->text = lac_record_kind_name(r->kind);
	else
		return false;
	row->text = row->text ? row->text : "";
	row->figure = first_bytes(row->text);
	return true;
}

static int compare(const void *a, const void *b, void *context)
{
	const struct row *x = a, *y = b;
	const struct selection *s = context;
	int c = (x->figure < y->figure) - (x->figure > y->figure);

	if (s->by == BY_TEXT)
		c = c ? -c : strcmp(x->text, y->text);

	if (given.reverse)
		c = -c;
	return c ? c : (x->number > y->number) - (x->number < y->number);
}

static bool passes_globs(struct selection *s, const struct lac_record *r)
{
	const char *name = lac_record_name(r);
	bool any = !s->globs[0];

	for (size_t i = 0; s->globs[i]; i++)
		if (lac_glob_name(s->globs[i], lac_record_kind_name(r->kind),
				  name))
			any = s->matched[i] = true;
	return any;
}

static bool passes_names(struct selection *s, const struct lac_record *r)
{
	if (!lac_record_name(r) && !given.anonymous)
		return false;
	if (!passes_globs(s, r))
		return false;
	if (!lac_glob_any_path(given.decl, r->decl_file))
		return false;
	if (!given.kinds)
		return true;
	for (char **k = given.kinds; *k; k++)
		if (!strcmp(*k, lac_record_kind_name(r->kind)))
			return true;
	return false;
}

/* A name, a file or a kind that nothing has: most likely mistyped. */
static enum lac_status none_named(const struct selection *s, size_t named,
				  struct lac_err *err)
{
	const char *kind = given.kinds ? given.kinds[0] : NULL;
	size_t i = 0;

	while (s->globs[i] && s->matched[i])
		i++;
	if (s->globs[i])
		return lac_not_a_record(s->g, s->globs[i], err);
	if (named || (!s->globs[0] && !given.decl && !kind))
		return LAC_OK;
	return lac_fail(err, LAC_NOT_FOUND,
			"%s: no record matches%s%s%s%s%s%s%s; without that, "
			"`lacuna list` shows every record",
			s->g->path, s->globs[0] ? " the name and" : "",
			given.decl ? " --decl=" : "",
			given.decl ? given.decl[0] : "",
			given.decl && given.decl[1] ? " or another file" : "",
			kind ? " --kind=" : "",
			kind ? kind : "",
			kind && given.kinds[1] ? " or another kind" : "");
}

static void add_up(struct selection *s, const struct lac_layout *l,
		   const struct lac_through *t)
{
	s->waste_bits += t->hole_bits + t->padding_bits;
	s->wasting += t->hole_bits || t->padding_bits;
	s->hole_bits += l->hole_bits;
	s->padding_bits += l->padding_bits;
	s->with_holes += l->nholes != 0;
}

static enum lac_status select_rows(struct selection *s, struct lac_doc *d,
				   struct lac_rows *rows,
				   struct lac_arena *arena, struct lac_err *err)
{
	const struct lac_graph *g = s->g;
	struct lac_layout_options o = {
		.line_size = s->line_size,
		.rules = lac_rules_create(g, arena),
		.figures_only = true,
	};
	const char *key = given.sort ? given.sort : "name";
	size_t named = 0;

	s->rows = lac_arena_zalloc(arena, g->nrecords, sizeof(*s->rows));
	if (!s->rows || !o.rules || !rows || !lac_rows_reserve(rows, g->nrecords))
		return lac_fail_memory(err);
	for (lac_record_id id = 0; id < g->nrecords; id++) {
		const struct lac_record *r = &g->records[id];
		struct row *row = &s->rows[s->n];
		struct lac_layout layout;
		struct lac_through through;

		if (lac_record_left_out(g, r) || !passes_names(s, r))
			continue;
		named++;
		if (s->min_size &&
		    (r->size == LAC_SIZE_UNKNOWN || r->size < s->min_size))
			continue;
		LAC_TRY(lac_layout_compute(g, id, &o, arena, &layout, err));
		LAC_TRY(lac_through_compute(&layout, o.rules, arena, &through,
					    err));
		if ((given.holes && !through.nholes) ||
		    (given.straddlers && !through.nstraddlers))
			continue;
		if (!take_key(key, &layout, &through, row, &s->by))
			return lac_fail(err, LAC_USAGE,
					"--sort %s: one of name, kind, decl, "
					"size, align, members, holes, "
					"hole_bits, padding_bits, waste, "
					"nested_hole_bits, "
					"nested_padding_bits, unknown_bits, "
					"member_bits, lines, straddlers, "
					"units, none",
					given.sort);
		row->number = (uint32_t)s->n++;
		lac_record_row(d, rows, &layout, &through);
		add_up(s, &layout, &through);
	}
	return none_named(s, named, err);
}

static enum lac_status check_options(struct selection *s, struct lac_err *err)
{
	static const char *const kinds[] = { "struct", "union", "class", "enum",
					     "variant" };

	for (char **k = given.kinds; k && *k; k++) {
		bool good = false;

		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			good |= !strcmp(*k, kinds[i]);
		if (!good)
			return lac_fail(err, LAC_USAGE,
					"--kind %s: one of struct, union, "
					"class, enum, variant",
					*k);
	}
	LAC_TRY(lac_number_parse("--top", given.top, 0, UINT32_MAX, &s->top,
				 err));
	if (!s->top)
		s->top = UINT64_MAX;
	if (given.min_size)
		LAC_TRY(lac_size_parse("--min-size", given.min_size,
				       &s->min_size, err));
	return lac_line_size_check(given.line_size, &s->line_size, err);
}

static enum lac_status take_globs(struct selection *s, const struct lac_run *r,
				  struct lac_arena *arena, struct lac_err *err)
{
	size_t n = r->nargs - 1, types = 0;

	while (given.type && given.type[types])
		types++;
	s->globs = lac_arena_zalloc(arena, n + types + 1, sizeof(*s->globs));
	s->matched =
		lac_arena_zalloc(arena, n + types + 1, sizeof(*s->matched));
	if (!s->globs || !s->matched)
		return lac_fail_memory(err);
	memcpy(s->globs, r->args + 1, n * sizeof(*s->globs));
	for (size_t i = 0; i < types; i++)
		s->globs[n + i] = given.type[i];
	return LAC_OK;
}

static const struct lac_column columns[] = {
	{ .key = "name", .title = "record" },
	{ .key = "kind", .title = "kind" },
	{ .key = "size", .title = "size", .unit = LAC_UNIT_BYTES },
	{ .key = "align", .title = "align", .unit = LAC_UNIT_BYTES },
	{ .key = "align_source", .title = "align is" },
	{ .key = "members", .title = "members", .unit = LAC_UNIT_COUNT },
	{ .key = "holes", .title = "holes", .unit = LAC_UNIT_COUNT },
	{ .key = "hole_bits", .title = "in holes", .unit = LAC_UNIT_BITS },
	{ .key = "padding_bits", .title = "padding", .unit = LAC_UNIT_BITS },
	{ .key = "waste_bits", .title = "waste", .unit = LAC_UNIT_BITS },
	{ .key = "nested_hole_bits",
	  .title = "nested holes",
	  .unit = LAC_UNIT_BITS },
	{ .key = "lines", .title = "lines", .unit = LAC_UNIT_COUNT },
	{ .key = "straddlers", .title = "straddlers", .unit = LAC_UNIT_COUNT },
	{ .key = "decl", .title = "declared at" },
};

static void totals(struct lac_doc *d, const struct selection *s, size_t shown)
{
	json_t *o = json_object();
	uint64_t holes = s->hole_bits, padding = s->padding_bits;
	uint64_t with = s->with_holes, waste = s->waste_bits / 8;

	lac_doc_set(d, o, "records", json_integer((json_int_t)s->n));
	lac_doc_set(d, o, "with_holes", lac_json_size(with));
	lac_doc_set(d, o, "hole_bits", lac_json_size(holes));
	lac_doc_set(d, o, "padding_bits", lac_json_size(padding));
	lac_doc_set(d, o, "with_waste", lac_json_size(s->wasting));
	lac_doc_set(d, o, "waste_bits", lac_json_size(s->waste_bits));
	lac_doc_set(d, d->data, "totals", o);
	if (shown < s->n)
		lac_doc_paragraph(d, "%zu of %zu record%s.", shown, s->n,
				  lac_s(s->n));
	lac_doc_paragraph(d,
			  "%zu record%s, %" PRIu64 " with waste of %" PRIu64
			  " byte%s in all, each record counted once. As they "
			  "are declared, without what lies in unnamed structs "
			  "and unions: %" PRIu64 " with holes, %" PRIu64
			  " byte%s in holes and %" PRIu64 " of padding.",
			  s->n, lac_s(s->n), s->wasting, waste, lac_s(waste),
			  with, holes / 8, lac_s(holes / 8), padding / 8);
}

static enum lac_status run(struct lac_run *r, struct lac_err *err)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct selection s = { .top = UINT64_MAX };
	struct lac_rows *rows = lac_record_rows(r->doc);
	const struct lac_graph *g;
	size_t shown;

	if (!arena)
		return lac_fail_memory(err);
	LAC_TRY(check_options(&s, err));
	LAC_TRY(take_globs(&s, r, arena, err));
	LAC_TRY(lac_load(r->args[0], NULL, &r->graph, err));
	s.g = g = r->graph; /* the rows have its names */
	LAC_TRY(lac_build_facts_head(r->doc, g, s.line_size, err));
	LAC_TRY(select_rows(&s, r->doc, rows, arena, err));
	LAC_TRY(lac_doc_finish(r->doc, err)); /* every row is there */
	if (s.n)
		qsort_r(s.rows, s.n, sizeof(*s.rows), compare, &s);
	shown = s.top < s.n ? (size_t)s.top : s.n;
	for (size_t i = 0; i < shown; i++)
		rows->order[i] = s.rows[i].number;
	rows->n = shown;
	lac_doc_set_values(r->doc, "records", rows);
	lac_doc_table_values(r->doc, "records", NULL, columns,
			     sizeof(columns) / sizeof(columns[0]), rows);
	totals(r->doc, &s, shown);
	lac_load_incomplete(r->doc, g);
	return LAC_OK;
}

const struct lac_cmd lac_cmd_list = {
	.name = "list",
	.args = "FILE [GLOB...]",
	.summary = "every record with its size, holes, padding and lines",
	.help = "A record that is laid out differently in different compile "
		"units is listed once for each layout.\n"
		"GLOB limits it to records of such names: 'kmem_*', "
		"'struct *'.\nWaste is what lies in holes and padding, also "
		"in those of unnamed structs and\nunions, which C makes part "
		"of the record; nested holes, which do not count\ntowards it, "
		"are inside the members. 156b7 is 156 bytes and 7 bits.\n",
	.min_args = 1,
	.max_args = 1000,
	.files = 1,
	.options = options,
	.run = run,
	.untrusted = true,
};

/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_list.c - every record of a file and its figures. */
#include <inttypes.h>
#include <string.h>

#include "base/words.h"
#include "build_facts.h"
#include "commands.h"
#include "list_rows.h"
#include "load.h"
#include "named.h"
#include "number.h"
#include "record_json.h"
#include "record_reorder.h"
#include "size.h"

static struct {
	char *sort, **type, **decl, *min_size, **kinds, *top, *line_size;
	int reverse, holes, straddlers, anonymous, reorder;
} given;

static const struct poptOption options[] = {
	LAC_GROUP("in which order, and how many:"),
	{ "sort", 's', POPT_ARG_STRING, &given.sort, 0,
	  "order by KEY, texts a to z, figures largest first: name (the "
	  "default), kind, decl, size, align, members, holes, hole_bits, "
	  "padding_bits, waste (of the two), nested_hole_bits, "
	  "nested_padding_bits, unknown_bits, member_bits, lines, straddlers, "
	  "units, saves (as --reorder has it); or none, as the debug info has "
	  "them",
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
	{ "reorder", 0, POPT_ARG_NONE, &given.reorder, 0,
	  "also how many bytes another order of the members would save; `show "
	  "--reorder` has that order",
	  NULL },
	{ "line-size", 'c', POPT_ARG_STRING, &given.line_size, 0,
	  "bytes of a cache line; by default those of the machine", "BYTES" },
	LAC_LOAD_OPTIONS,
	POPT_TABLEEND
};

struct selection {
	const struct lac_graph *g;
	struct lac_list_wish wish;
	struct lac_list_found found;
	uint64_t top;
};

/* A name, a file or a kind that nothing has: most likely mistyped. */
static enum lac_status none_named(const struct selection *s,
				  struct lac_err *err)
{
	const char *kind = given.kinds ? given.kinds[0] : NULL;
	const char **globs = s->wish.globs;
	size_t i = 0;

	while (globs[i] && s->found.matched[i])
		i++;
	if (globs[i])
		return lac_not_a_record(s->g, globs[i], err);
	if (s->found.named || (!globs[0] && !given.decl && !kind))
		return LAC_OK;
	return lac_fail(err, LAC_NOT_FOUND,
			"%s: no record matches%s%s%s%s%s%s%s; without that, "
			"`lacuna list` shows every record",
			s->g->path, globs[0] ? " the name and" : "",
			given.decl ? " --decl=" : "",
			given.decl ? given.decl[0] : "",
			given.decl && given.decl[1] ? " or another file" : "",
			kind ? " --kind=" : "",
			kind ? kind : "",
			kind && given.kinds[1] ? " or another kind" : "");
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
	{ .key = "nested_padding_bits",
	  .title = "nested padding",
	  .unit = LAC_UNIT_BITS },
	{ .key = "lines", .title = "lines", .unit = LAC_UNIT_COUNT },
	{ .key = "straddlers", .title = "straddlers", .unit = LAC_UNIT_COUNT },
	{ .key = "decl", .title = "declared at" },
	/* with --reorder */
	{ .key = "saves", .title = "saves", .unit = LAC_UNIT_BYTES },
};

/* KEY, or the title or the key of a column that is sorted by it. */
static const char *sort_key(const char *asked)
{
	if (lac_list_has_key(asked))
		return asked;
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		const char *key = columns[i].key;

		if (!strcmp(asked, columns[i].title) || !strcmp(asked, key))
			return !strcmp(key, "waste_bits") ? "waste" : key;
	}
	return asked;
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
	if (given.sort && !lac_list_has_key(sort_key(given.sort)))
		return lac_fail(err, LAC_USAGE,
				"--sort %s: one of " LAC_LIST_KEYS, given.sort);
	LAC_TRY(lac_number_parse("--top", given.top, 0, UINT32_MAX, &s->top,
				 err));
	if (!s->top)
		s->top = UINT64_MAX;
	if (given.min_size)
		LAC_TRY(lac_size_parse("--min-size", given.min_size,
				       &s->wish.min_size, err));
	return lac_line_size_check(given.line_size, &s->wish.line_size, err);
}

static enum lac_status take_globs(struct selection *s, const struct lac_run *r,
				  struct lac_arena *arena, struct lac_err *err)
{
	size_t n = r->nargs - 1, types = 0;

	while (given.type && given.type[types])
		types++;
	s->wish.globs = lac_arena_zalloc(arena, n + types + 1,
					 sizeof(*s->wish.globs));
	if (!s->wish.globs)
		return lac_fail_memory(err);
	memcpy(s->wish.globs, r->args + 1, n * sizeof(*s->wish.globs));
	for (size_t i = 0; i < types; i++)
		s->wish.globs[n + i] = given.type[i];
	return LAC_OK;
}

static void totals(struct lac_doc *d, const struct lac_list_found *f, size_t n,
		   size_t shown, bool reorder)
{
	json_t *o = json_object();
	uint64_t holes = f->hole_bits, padding = f->padding_bits;
	uint64_t with = f->with_holes, waste = f->waste_bits / 8;

	lac_doc_set(d, o, "records", json_integer((json_int_t)n));
	lac_doc_set(d, o, "with_holes", lac_json_size(with));
	lac_doc_set(d, o, "hole_bits", lac_json_size(holes));
	lac_doc_set(d, o, "padding_bits", lac_json_size(padding));
	lac_doc_set(d, o, "with_waste", lac_json_size(f->wasting));
	lac_doc_set(d, o, "waste_bits", lac_json_size(f->waste_bits));
	if (reorder) {
		lac_doc_set(d, o, "smaller", lac_json_size(f->smaller));
		lac_doc_set(d, o, "saves", lac_json_size(f->saves));
	}
	lac_doc_set(d, d->data, "totals", o);
	if (shown < n)
		lac_doc_paragraph(d, "%zu of %zu record%s.", shown, n,
				  lac_s(n));
	lac_doc_paragraph(d,
			  "%zu record%s, %" PRIu64 " with waste of %" PRIu64
			  " byte%s in all, each record counted once. As they "
			  "are declared, without what lies in unnamed structs "
			  "and unions: %" PRIu64 " with holes, %" PRIu64
			  " byte%s in holes and %" PRIu64 " of padding.",
			  n, lac_s(n), f->wasting, waste, lac_s(waste),
			  with, holes / 8, lac_s(holes / 8), padding / 8);
	if (reorder)
		lac_doc_paragraph(d,
				  "In another order of the members %" PRIu64
				  " of these would be smaller, by %" PRIu64
				  " byte%s in all. %s",
				  f->smaller, f->saves, lac_s(f->saves),
				  lac_reorder_caveat);
}

static enum lac_status run(struct lac_run *r, struct lac_err *err)
{
	struct selection s = { .top = UINT64_MAX };
	size_t n, ncolumns = sizeof(columns) / sizeof(columns[0]);
	struct lac_rows *rows;

	s.wish = (struct lac_list_wish){
		.key = given.sort ? sort_key(given.sort) : "name",
		.reverse = given.reverse, .decl = given.decl,
		.kinds = given.kinds, .holes = given.holes,
		.straddlers = given.straddlers, .anonymous = given.anonymous,
	};
	s.wish.reorder = given.reorder || !strcmp(s.wish.key, "saves");
	rows = lac_record_rows(r->doc, s.wish.reorder);
	if (!rows)
		return lac_fail_memory(err);
	LAC_TRY(check_options(&s, err));
	LAC_TRY(take_globs(&s, r, r->doc->arena, err));
	LAC_TRY(lac_load(r->args[0], NULL, &r->graph, err));
	s.wish.threads = lac_load_threads();
	s.g = r->graph; /* the rows have its names */
	LAC_TRY(lac_build_facts_head(r->doc, s.g, s.wish.line_size, err));
	LAC_TRY(lac_list_select(s.g, &s.wish, r->doc->arena, rows, &s.found,
				err));
	LAC_TRY(none_named(&s, err));
	n = rows->n;
	rows->n = s.top < n ? (size_t)s.top : n;
	lac_doc_set_values(r->doc, "records", rows);
	lac_doc_table_values(r->doc, "records", NULL, columns,
			     s.wish.reorder ? ncolumns : ncolumns - 1, rows);
	totals(r->doc, &s.found, n, rows->n, s.wish.reorder);
	lac_load_incomplete(r->doc, s.g);
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
		"of the record; nested holes and nested padding,\nwhich do not "
		"count towards it, are inside the members. 156b7 is 156 bytes\n"
		"and 7 bits.\n",
	.min_args = 1,
	.max_args = 1000,
	.files = 1,
	.options = options,
	.run = run,
	.untrusted = true,
};

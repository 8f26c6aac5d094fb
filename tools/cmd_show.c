/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_show.c - the layout of records, member by member. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "build_facts.h"
#include "commands.h"
#include "dbginfo/declare.h"
#include "enum_show.h"
#include "load.h"
#include "named.h"
#include "record_c.h"
#include "record_compile.h"
#include "record_figure.h"
#include "record_json.h"
#include "record_reorder.h"

static struct {
	int expand, hex, map, compile, reorder;
	char *line_size;
} given;

static const struct poptOption options[] = {
	{ "expand", 'E', POPT_ARG_NONE, &given.expand, 0,
	  "open the records among the members, too", NULL },
	{ "hex", 0, POPT_ARG_NONE, &given.hex, 0,
	  "offsets and sizes in hexadecimal", NULL },
	{ "compile", 0, POPT_ARG_NONE, &given.compile, 0,
	  "C that compiles to this layout, with all it needs", NULL },
	{ "reorder", 0, POPT_ARG_NONE, &given.reorder, 0,
	  "in which order of their members they would be smaller, too; with "
	  "--compile, C of that order",
	  NULL },
	{ "map", 0, POPT_ARG_NONE, &given.map, 0,
	  "draw each over its cache lines, in characters, too", NULL },
	{ "line-size", 'c', POPT_ARG_STRING, &given.line_size, 0,
	  "bytes of a cache line; by default those of the machine", "BYTES" },
	LAC_LOAD_OPTIONS,
	POPT_TABLEEND
};

struct shown {
	struct lac_doc *d;
	const struct lac_graph *g;
	struct lac_arena *arena;
	json_t *records;
	json_t *rows; /* of the table, beside the data */
	json_t *unit_names;
	struct lac_compile *compile; /* with --compile */
	bool all;		     /* no TYPE was given */
	bool smaller;		     /* --reorder: some order was */
	struct lac_layout_options layout;
};

/* Where a definition comes from, in short: JSON has every unit. */
static void origin(struct shown *s, const struct lac_record *r, size_t i,
		   size_t n)
{
	char decl[512] = "", more[48] = "";

	if (r->decl_file && r->decl_line)
		snprintf(decl, sizeof(decl), "%s:%" PRIu32, r->decl_file,
			 r->decl_line);
	else if (r->decl_file)
		snprintf(decl, sizeof(decl), "%s", r->decl_file);
	if (r->nunits > 1)
		snprintf(more, sizeof(more), " and %" PRIu32 " more units",
			 r->nunits - 1);
	if (n > 1)
		lac_doc_paragraph(s->d, "Definition %zu of %zu%s%s, in %s%s",
				  i + 1, n, *decl ? ", " : "", decl,
				  r->nunits ? s->g->units[r->units[0]].name
					    : "no unit",
				  more);
	else if (*decl)
		lac_doc_paragraph(s->d, "%s", decl);
}

/* What the listings say, for CSV and for pages with tables. */
static const struct lac_column row_columns[] = {
	{ .key = "record", .title = "record" },
	{ .key = "kind", .title = "kind" },
	{ .key = "name", .title = "member" },
	{ .key = "type", .title = "type" },
	{ .key = "bit_offset",
	  .title = "offset",
	  .unit = LAC_UNIT_BITS },
	{ .key = "bit_size",
	  .title = "size",
	  .unit = LAC_UNIT_BITS },
	{ .key = "first_line",
	  .title = "line",
	  .unit = LAC_UNIT_NONE },
	{ .key = "last_line",
	  .title = "to line",
	  .unit = LAC_UNIT_NONE },
	{ .key = "certainty", .title = "certainty" },
};

static json_t *new_row(struct shown *s, const char *label, const char *kind,
		       uint64_t at, uint64_t bits)
{
	uint64_t line_bits = (s->layout.line_size ? s->layout.line_size : 64) *
			     UINT64_C(8);
	json_t *o = json_object();
	bool placed = at != LAC_SIZE_UNKNOWN;
	bool ends = placed && bits != LAC_SIZE_UNKNOWN;

	lac_doc_set(s->d, o, "record", lac_doc_string(label));
	lac_doc_set(s->d, o, "kind", json_string(kind));
	lac_doc_set(s->d, o, "name", json_null());
	lac_doc_set(s->d, o, "type", json_null());
	lac_doc_set(s->d, o, "bit_offset",
		    placed ? lac_json_size(at) : json_null());
	lac_doc_set(s->d, o, "bit_size", lac_json_size(bits));
	lac_doc_set(s->d, o, "first_line",
		    placed ? lac_json_size(at / line_bits) : json_null());
	lac_doc_set(s->d, o, "last_line",
		    ends ? lac_json_size((at + (bits ? bits - 1 : 0)) /
					 line_bits)
			 : json_null());
	lac_doc_set(s->d, o, "certainty",
		    json_string(lac_certainty_name(LAC_KNOWN)));
	return o;
}

static void member_row(struct shown *s, const char *label,
		       const struct lac_member *m)
{
	bool placed = m->certainty != LAC_DYNAMIC;
	json_t *o = new_row(s, label, "member",
			    placed ? m->bit_offset : LAC_SIZE_UNKNOWN,
			    m->bit_size);

	lac_doc_set(s->d, o, "name", lac_doc_string(m->name));
	lac_doc_set(s->d, o, "type",
		    lac_doc_string(lac_type_declare(s->g, m->type, NULL,
						    s->arena)));
	lac_doc_set(s->d, o, "certainty",
		    json_string(lac_certainty_name(m->certainty)));
	lac_doc_append(s->d, s->rows, o);
}

/* Free runs up to a place, then what starts there. */
static void free_rows(struct shown *s, const char *label,
		      const struct lac_byte_map *map, uint32_t *span,
		      uint64_t until)
{
	static const char *const kinds[] = {
		[LAC_SPAN_HOLE] = "hole",
		[LAC_SPAN_PADDING] = "padding",
		[LAC_SPAN_UNKNOWN] = "unknown",
	};

	for (; *span < map->nspans && map->spans[*span].bit_offset < until;
	     (*span)++) {
		const struct lac_span *p = &map->spans[*span];

		if (p->member == LAC_NONE && p->kind != LAC_SPAN_MEMBER)
			lac_doc_append(s->d, s->rows,
				       new_row(s, label, kinds[p->kind],
					       p->bit_offset, p->bit_size));
	}
}

/* Members as C code names them, those of unnamed structs and unions too. */
static void add_rows(struct shown *s, const struct lac_layout *l,
		     const struct lac_through *t, size_t i, const char *note)
{
	const char *label = lac_record_label(s->g, l->record, s->arena);
	uint32_t span = 0;

	/* further definitions of a name, as a baseline numbers them */
	if (label && i)
		label = lac_arena_printf(s->arena, "%s #%zu", label, i + 1);
	if (label && *note)
		label = lac_arena_printf(s->arena, "%s%s", label, note);
	for (uint32_t k = 0; k < t->record.nmembers; k++) {
		const struct lac_member *m = &t->record.members[k];

		if (m->certainty != LAC_DYNAMIC)
			free_rows(s, label, &t->map, &span, m->bit_offset);
		member_row(s, label, m);
	}
	free_rows(s, label, &t->map, &span, UINT64_MAX);
}

/*
 * A record without a tag is shown by the first of its typedefs: the name, if
 * that is another of them; NULL.
 */
static const char *other_name(const struct shown *s, lac_record_id id,
			      const char *name)
{
	const struct lac_record *r = &s->g->records[id];

	if (r->name || !r->typedef_name || !strcmp(r->typedef_name, name))
		return NULL;
	for (uint32_t i = 0; i < s->g->naliases; i++)
		if (s->g->aliases[i].record == id &&
		    !strcmp(s->g->aliases[i].name, name))
			return s->g->aliases[i].name;
	return NULL;
}

/* C of one record, into c; instead of what C cannot say, the reason. */
static enum lac_status compile_one(struct shown *s, struct lac_compile *c,
				   lac_record_id id, json_t *record,
				   struct lac_err *err)
{
	const char *source;
	enum lac_status st = lac_compile_record(c, id, &source, err);

	lac_doc_set(s->d, record, "source",
		    st == LAC_OK ? lac_doc_string(source) : json_null());
	/* of all records, those that C can say */
	if (st == LAC_UNSUPPORTED && !s->all)
		return lac_err_context(err, st, "%s", s->g->path);
	if (st != LAC_UNSUPPORTED)
		return st;
	lac_doc_set(s->d, record, "source_status", lac_doc_string(err->msg));
	return lac_compile_note(c, err->msg, err);
}

/* A text by itself: others may embed the record as it is. */
static enum lac_status compile_reordered(struct shown *s,
					 const struct lac_reordered *x,
					 lac_record_id id, json_t *record,
					 struct lac_arena *arena,
					 struct lac_err *err)
{
	bool smaller = x->found.status == LAC_REORDER_SMALLER;
	struct lac_compile *c = NULL;
	enum lac_status st;

	LAC_TRY(lac_compile_create(s->d, smaller ? &x->graph : s->g,
				   smaller ? x->rules : s->layout.rules, arena,
				   &c, err));
	st = compile_one(s, c, id, record, err);
	if (st == LAC_OK)
		st = lac_compile_note(c, x->summary, err);
	lac_compile_destroy(c);
	return st;
}

static enum lac_status list_reordered(struct shown *s,
				      const struct lac_reordered *x, size_t i,
				      struct lac_arena *arena,
				      struct lac_err *err)
{
	const struct lac_record_c_options c = {
		.expand = given.expand,
		.hex = given.hex,
		.rules = x->rules,
	};
	struct lac_through t;

	lac_doc_paragraph(s->d, "%s", x->summary);
	if (x->found.status != LAC_REORDER_SMALLER)
		return LAC_OK;
	s->smaller = true;
	LAC_TRY(lac_record_c(s->d, &x->layout, &c, err));
	LAC_TRY(lac_through_compute(&x->layout, x->rules, arena, &t, err));
	add_rows(s, &x->layout, &t, i, ", reordered");
	return LAC_OK;
}

/* record gets its "reorder", and what is shown of it follows. */
static enum lac_status show_reordered(struct shown *s,
				      const struct lac_layout *l,
				      const struct lac_record_json_options *j,
				      size_t i, json_t *record,
				      struct lac_err *err)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct lac_reordered x;

	if (!arena)
		return lac_fail_memory(err);
	LAC_TRY(lac_record_reorder(s->d, l, j, arena, &x, err));
	lac_doc_set(s->d, record, "reorder", x.json);
	if (given.compile)
		return compile_reordered(s, &x, l->record, record, arena, err);
	return list_reordered(s, &x, i, arena, err);
}

/* asked_as: its other_name(). */
static enum lac_status show_one(struct shown *s, lac_record_id id,
				const char *asked_as, size_t i, size_t n,
				struct lac_err *err)
{
	const struct lac_record_c_options c = {
		.expand = given.expand,
		.hex = given.hex,
		.rules = s->layout.rules,
	};
	const struct lac_record_json_options j = {
		.rules = s->layout.rules,
		.expand = given.expand,
		.unit_names = s->unit_names,
	};
	struct lac_layout l;
	struct lac_through t;
	json_t *record;

	LAC_TRY(lac_layout_compute(s->g, id, &s->layout, s->arena, &l, err));
	LAC_TRY(lac_record_json(s->d, &l, &j, s->arena, &record, err));
	lac_doc_append(s->d, s->records, record);
	if (asked_as)
		lac_doc_set(s->d, record, "asked_as", lac_doc_string(asked_as));
	if (s->compile)
		return compile_one(s, s->compile, id, record, err);
	if (given.compile)
		return show_reordered(s, &l, &j, i, record, err);
	if (asked_as)
		lac_doc_paragraph(s->d,
				  "%s is another name of %s: in this file they "
				  "are one type without a tag.",
				  asked_as, s->g->records[id].typedef_name);
	origin(s, &s->g->records[id], i, n);
	LAC_TRY(lac_record_c(s->d, &l, &c, err));
	LAC_TRY(lac_through_compute(&l, s->layout.rules, s->arena, &t, err));
	add_rows(s, &l, &t, i, "");
	if (!s->all || given.map) {
		lac_record_figure(s->d, &l, &t, s->arena);
		if (!given.map)
			lac_doc_graphic(s->d);
	}
	return given.reorder ? show_reordered(s, &l, &j, i, record, err)
			     : LAC_OK;
}

static enum lac_status show_named(struct shown *s, const char *name,
				  struct lac_err *err)
{
	const lac_record_id *ids;
	size_t n, at = 0, sound = 0, enums = 0;
	enum lac_status st = lac_named_find(s->g, name, s->arena, &ids, &n,
					    err);

	if ((st == LAC_OK || st == LAC_NOT_FOUND) && !given.compile)
		LAC_TRY(lac_enums_show(s->d, s->g, name, given.hex, s->arena,
				       &enums, err));
	if (st == LAC_NOT_FOUND && enums)
		return LAC_OK;
	if (st == LAC_NOT_FOUND && !given.compile && lac_is_enum_pattern(name))
		return lac_fail(err, st,
				"%s: no enumeration matches '%s'; 'enum *' has "
				"every one with a name", s->g->path, name);
	if (st != LAC_OK)
		return st;
	for (size_t i = 0; i < n; i++)
		sound += !lac_record_left_out(s->g, &s->g->records[ids[i]]);
	/* what was asked for by name and is all there is, is not left out */
	for (size_t i = 0; i < n; i++)
		if (!sound || !lac_record_left_out(s->g,
						   &s->g->records[ids[i]]))
			LAC_TRY(show_one(s, ids[i],
					 other_name(s, ids[i], name), at++,
					 sound ? sound : n, err));
	return LAC_OK;
}

/* Every record that can be named: what `show FILE` alone asks for. */
static enum lac_status show_all(struct shown *s, struct lac_err *err)
{
	for (lac_record_id id = 0; id < s->g->nrecords; id++)
		if (lac_record_name(&s->g->records[id]) &&
		    !lac_record_left_out(s->g, &s->g->records[id]))
			LAC_TRY(show_one(s, id, NULL, 0, 1, err));
	return LAC_OK;
}

/* All that is not there is said at once. */
static void also_missing(struct lac_err *all, const struct lac_err *one)
{
	size_t n = strlen(all->msg);

	snprintf(all->msg + n, sizeof(all->msg) - n, "%s%s", n ? "; " : "",
		 one->msg);
}

static enum lac_status show(struct shown *s, const char *const *names,
			    struct lac_err *err)
{
	struct lac_err missing = { 0 }, one = { 0 };
	enum lac_status st;

	s->all = !*names;
	if (s->all)
		return show_all(s, err);
	for (; *names; names++) {
		st = show_named(s, *names, &one);
		if (st == LAC_NOT_FOUND)
			also_missing(&missing, &one);
		if (st != LAC_OK && st != LAC_NOT_FOUND) {
			*err = one;
			return st;
		}
	}
	if (!*missing.msg)
		return LAC_OK;
	*err = missing;
	return LAC_NOT_FOUND;
}

static enum lac_status run(struct lac_run *r, struct lac_err *err)
{
	LAC_CLEANUP_GRAPH struct lac_graph *g = NULL;
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	const char *const *names = r->args + 1, *const *only = NULL;
	struct shown s = {
		.d = r->doc,
		.arena = arena,
		.records = json_array(),
	};
	enum lac_status st;

	lac_doc_set(r->doc, r->doc->data, "records", s.records);
	if (!arena)
		return lac_fail_memory(err);
	LAC_TRY(lac_line_size_check(given.line_size, &s.layout.line_size, err));
	/* what has to be declared in front may be any of the types */
	if (*names && !given.compile)
		only = names;
	/* and so may what a pattern matches */
	for (size_t i = 1; i < r->nargs; i++)
		if (lac_is_pattern(r->args[i]))
			only = NULL;
	LAC_TRY(lac_load(r->args[0], only, &g, err));
	s.g = g;
	s.layout.rules = lac_rules_create(g, arena);
	if (!s.layout.rules)
		return lac_fail_memory(err);
	LAC_TRY(lac_build_facts_head(r->doc, g, s.layout.line_size, err));
	if (given.compile && !given.reorder)
		LAC_TRY(lac_compile_create(r->doc, g, s.layout.rules,
					   r->doc->arena, &s.compile, err));
	s.rows = lac_doc_rows(r->doc);
	s.unit_names = lac_unit_names(r->doc, g);
	st = show(&s, names, err);
	lac_compile_destroy(s.compile);
	json_decref(s.unit_names);
	if (st == LAC_OK && !given.compile) {
		if (json_array_size(s.records) || !*names) {
			lac_doc_table(r->doc, "members", NULL, row_columns,
				      sizeof(row_columns) /
					      sizeof(row_columns[0]),
				      s.rows);
			lac_doc_table_bare(r->doc);
			lac_doc_graphic(r->doc);
		}
		lac_enums_table(r->doc);
	}
	if (s.smaller)
		lac_doc_paragraph(r->doc, "%s", lac_reorder_caveat);
	if (st == LAC_OK)
		lac_load_incomplete(r->doc, g);
	return st;
}

const struct lac_cmd lac_cmd_show = {
	.name = "show",
	.args = "FILE [TYPE...]",
	.summary = "the layout of types, member by member",
	.help = "TYPE is a name, \"struct page\", a typedef, or a qualified "
		"C++ or Rust name;\n'kmem_*' is every record of such a name. "
		"Enumerations are shown\nif they are named, or by 'enum zone_*'. "
		"Every definition that differs is shown;\nwithout TYPE, every "
		"record.\n",
	.min_args = 1,
	.max_args = 1000,
	.files = 1,
	.options = options,
	.run = run,
	.untrusted = true,
};

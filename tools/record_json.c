/* SPDX-License-Identifier: BSD-2-Clause */
#include "record_json.h"

#include <inttypes.h>
#include <stdio.h>

#include "dbginfo/declare.h"

#define DEPTH_MAX 64u
#define MEMBERS_MAX 200000u /* the C form gives up before */

const char *lac_record_name(const struct lac_record *r)
{
	return r->name ? r->name : r->typedef_name;
}

const char *lac_decl_text(struct lac_arena *arena, const char *file,
			  uint32_t line)
{
	return file && line ? lac_arena_printf(arena, "%s:%" PRIu32, file, line)
			    : file;
}

/* Where it is declared; the text lives in the arena.  false: no memory. */
static bool decl(struct lac_arena *arena, const struct lac_record *r,
		 struct lac_bare *ret)
{
	const char *place = lac_decl_text(arena, r->decl_file, r->decl_line);

	*ret = lac_bare_text(place);
	return place || !r->decl_file;
}

/* What show and list have in common: first, what the record is. */
static const char *const head_keys[] = {
	"name", "kind", "size", "align", "align_source", "packed",
};
#define HEAD (sizeof(head_keys) / sizeof(head_keys[0]))

static struct lac_bare *head(const struct lac_layout *l, struct lac_bare *f)
{
	const struct lac_record *r = &l->graph->records[l->record];

	*f++ = lac_bare_text(lac_record_name(r));
	*f++ = lac_bare_text(lac_record_kind_name(r->kind));
	*f++ = lac_bare_size(r->size);
	*f++ = l->align ? lac_bare_size(l->align) : lac_bare_null();
	*f++ = lac_bare_text(lac_align_source_name(l->align_source));
	*f++ = lac_bare_text(lac_packed_name(l->packed));
	return f;
}

/* Then sums over the byte map; null where the record's size is unknown. */
static const char *const sum_keys[] = {
	"member_bits",	    "hole_bits",	   "padding_bits",
	"unknown_bits",	    "nested_hole_bits",    "nested_padding_bits",
	"lines",	    "status",
};
#define SUMS (sizeof(sum_keys) / sizeof(sum_keys[0]))

static bool is_known(const struct lac_layout *l)
{
	return l->graph->records[l->record].size != LAC_SIZE_UNKNOWN;
}

static struct lac_bare known(const struct lac_layout *l, uint64_t v)
{
	return is_known(l) ? lac_bare_size(v) : lac_bare_null();
}

static struct lac_bare *sums(const struct lac_layout *l, struct lac_bare *f)
{
	*f++ = known(l, l->member_bits);
	*f++ = known(l, l->hole_bits);
	*f++ = known(l, l->padding_bits);
	*f++ = known(l, l->unknown_bits);
	*f++ = known(l, l->nested_hole_bits);
	*f++ = known(l, l->nested_padding_bits);
	*f++ = known(l, l->lines);
	*f++ = is_known(l) ? (struct lac_bare){ .kind = LAC_BARE_NONE } :
			     lac_bare_text("unknown");
	return f;
}

static void set_fields(struct lac_doc *d, json_t *o, const char *const *keys,
		       size_t n, const struct lac_bare *f)
{
	for (size_t i = 0; i < n; i++)
		if (f[i].kind != LAC_BARE_NONE)
			lac_doc_set(d, o, keys[i], lac_bare_json(f[i]));
}

static const char *role_name(enum lac_member_role role)
{
	static const char *const names[] = {
		[LAC_MEMBER_PLAIN] = "member",
		[LAC_MEMBER_BITFIELD] = "bit-field",
		[LAC_MEMBER_BASE] = "base",
		[LAC_MEMBER_VIRTUAL_BASE] = "virtual base",
		[LAC_MEMBER_VPTR] = "vptr",
		[LAC_MEMBER_DISCRIMINANT] = "discriminant",
		[LAC_MEMBER_VARIANT] = "variant",
	};

	return names[role];
}

static json_t *spans(struct lac_doc *d, const struct lac_layout *l,
		     enum lac_span_kind kind)
{
	json_t *a = json_array();

	for (uint32_t i = 0; i < l->map.nspans; i++) {
		const struct lac_span *s = &l->map.spans[i];
		json_t *o;

		if (s->kind != kind)
			continue;
		o = json_object();
		lac_doc_set(d, o, "bit_offset", lac_json_size(s->bit_offset));
		lac_doc_set(d, o, "bit_size", lac_json_size(s->bit_size));
		lac_doc_append(d, a, o);
	}
	return a;
}

/* Unnamed structs and unions do not cross: the members in them do. */
static json_t *straddlers(struct lac_doc *d, const struct lac_through *t)
{
	json_t *a = json_array();

	for (uint32_t i = 0; i < t->nstraddlers; i++) {
		const struct lac_straddler *s = &t->straddlers[i];
		json_t *o = json_object();

		lac_doc_set(d, o, "name",
			    lac_doc_string(
				    t->record.members[s->member].name));
		lac_doc_set(d, o, "bit_offset", lac_json_size(s->bit_offset));
		lac_doc_set(d, o, "bit_size", lac_json_size(s->bit_size));
		lac_doc_set(d, o, "first_element",
			    lac_json_size(s->first_element));
		lac_doc_set(d, o, "elements", lac_json_size(s->elements));
		lac_doc_append(d, a, o);
	}
	return a;
}

json_t *lac_unit_names(struct lac_doc *d, const struct lac_graph *g)
{
	json_t *a = json_array();

	for (uint32_t i = 0; i < g->nunits && !d->views_only; i++)
		lac_doc_append(d, a, lac_doc_string(g->units[i].name));
	return a;
}

struct writer {
	struct lac_doc *d;
	const struct lac_graph *g;
	const struct lac_record_json_options *o;
	struct lac_arena *scratch;
	uint32_t line_size;
	size_t written; /* members so far */
	enum lac_status st; /* of what was to be computed first */
	struct lac_err *err;
};

lac_record_id lac_record_opened(const struct lac_graph *g,
				const struct lac_member *m, bool expand,
				unsigned depth)
{
	uint64_t count;
	lac_record_id id = lac_type_record(g, m->type, &count);

	if (id == LAC_NONE || depth >= DEPTH_MAX || m->certainty == LAC_DYNAMIC)
		return LAC_NONE;
	if (expand || g->records[id].kind == LAC_VARIANT)
		return id;
	return lac_type_nameless(g, m->type);
}

static json_t *inner_record(struct writer *w, lac_record_id id, unsigned depth);

/* Of members that are records, opened or not, and arrays of them. */
static void inner_waste(struct writer *w, const struct lac_layout *l,
			uint32_t i, json_t *o)
{
	const struct lac_record *r = &w->g->records[l->record];
	uint64_t count, bits;

	if (w->st != LAC_OK ||
	    lac_type_record(w->g, r->members[i].type, &count) == LAC_NONE)
		return;
	bits = lac_member_inner_holes(w->g, &r->members[i], w->o->rules);
	lac_doc_set(w->d, o, "inner_hole_bits", lac_json_size(bits));
	w->st = lac_member_end_padding(w->g, r, i, w->o->rules, w->scratch,
				       &bits, w->err);
	if (w->st == LAC_OK)
		lac_doc_set(w->d, o, "end_padding_bits", lac_json_size(bits));
}

static json_t *member(struct writer *w, const struct lac_layout *l,
		      uint32_t i, unsigned depth)
{
	const struct lac_member *m = &w->g->records[l->record].members[i];
	lac_record_id inner = lac_record_opened(w->g, m, w->o->expand, depth);
	struct lac_doc *d = w->d;
	json_t *o = json_object();
	bool placed = m->certainty != LAC_DYNAMIC;

	lac_doc_set(d, o, "name", lac_doc_string(m->name));
	lac_doc_set(d, o, "type",
		    lac_doc_string(
			    lac_type_declare(w->g, m->type, NULL, w->scratch)));
	lac_doc_set(d, o, "bit_offset",
		    placed ? lac_json_size(m->bit_offset) : json_null());
	lac_doc_set(d, o, "bit_size", lac_json_size(m->bit_size));
	lac_doc_set(d, o, "certainty",
		    json_string(lac_certainty_name(m->certainty)));
	lac_doc_set(d, o, "role", json_string(role_name(m->role)));
	lac_doc_set(d, o, "declared_align",
		    m->declared_align && l->align_source != LAC_ALIGN_TOLD
			    ? json_integer(m->declared_align)
				      : json_null());
	if (m->role == LAC_MEMBER_VARIANT)
		lac_doc_set(d, o, "discriminant",
			    m->has_discriminant
				    ? json_integer((json_int_t)m->discriminant)
				    : json_null());
	inner_waste(w, l, i, o);
	if (inner != LAC_NONE)
		lac_doc_set(d, o, "record", inner_record(w, inner, depth + 1));
	return o;
}

static json_t *body(struct writer *w, const struct lac_layout *l,
		    unsigned depth)
{
	const struct lac_record *r = &w->g->records[l->record];
	struct lac_bare fields[HEAD + SUMS], place = lac_bare_null();
	json_t *o = json_object(), *members = json_array();
	struct lac_through t;

	w->d->broken |= !decl(w->d->arena, r, &place);
	sums(l, head(l, fields));
	set_fields(w->d, o, head_keys, HEAD, fields);
	w->st = lac_through_compute(l, w->o->rules, w->scratch, &t, w->err);
	if (w->st == LAC_OK)
		lac_doc_set(w->d, o, "straddlers", straddlers(w->d, &t));
	for (uint32_t i = 0; i < r->nmembers && w->written < MEMBERS_MAX &&
			     w->st == LAC_OK;
	     i++) {
		w->written++;
		lac_doc_append(w->d, members, member(w, l, i, depth));
	}
	lac_doc_set(w->d, o, "members", members);
	lac_doc_set(w->d, o, "holes", spans(w->d, l, LAC_SPAN_HOLE));
	lac_doc_set(w->d, o, "unknown", spans(w->d, l, LAC_SPAN_UNKNOWN));
	set_fields(w->d, o, sum_keys, SUMS, fields + HEAD);
	lac_doc_set(w->d, o, "line_size", json_integer(l->line_size));
	lac_doc_set(w->d, o, "decl", lac_bare_json(place));
	return o;
}

static json_t *inner_record(struct writer *w, lac_record_id id, unsigned depth)
{
	const struct lac_layout_options o = {
		.line_size = w->line_size,
		.rules = w->o->rules,
	};
	struct lac_layout l;

	if (w->st == LAC_OK)
		w->st = lac_layout_compute(w->g, id, &o, w->scratch, &l,
					   w->err);
	return w->st == LAC_OK ? body(w, &l, depth) : json_null();
}

enum lac_status lac_record_json(struct lac_doc *d, const struct lac_layout *l,
				const struct lac_record_json_options *o,
				struct lac_arena *scratch, json_t **ret,
				struct lac_err *err)
{
	const struct lac_record *r = &l->graph->records[l->record];
	struct writer w = {
		.d = d,
		.g = l->graph,
		.o = o,
		.scratch = scratch,
		.line_size = l->line_size,
		.err = err,
	};
	json_t *record = body(&w, l, 1), *units;

	if (w.st != LAC_OK) {
		const char *label =
			lac_record_label(l->graph, l->record, scratch);

		json_decref(record);
		return lac_err_context(err, w.st, "in %s",
				       label ? label : "a record");
	}
	units = json_array();
	for (uint32_t i = 0; i < r->nunits && !d->views_only; i++)
		lac_doc_append(d, units,
			       json_incref(json_array_get(o->unit_names,
							  r->units[i])));
	lac_doc_set(d, record, "units", units);
	*ret = record;
	return LAC_OK;
}

/* In the order in which lac_record_row() fills them. */
static const char *const row_keys[] = {
	"name",		    "kind",		   "size",
	"align",	    "align_source",	   "packed",
	"members",	    "holes",		   "member_bits",
	"hole_bits",	    "padding_bits",	   "unknown_bits",
	"nested_hole_bits", "nested_padding_bits", "lines",
	"status",	    "straddlers",	   "waste_bits",
	"decl",		    "units",		   "saves",
	"saves_status",
};
#define ORDER 2u /* of them, which are only there if they are asked for */
#define ROW (sizeof(row_keys) / sizeof(row_keys[0]))
_Static_assert(ROW == HEAD + 2 + SUMS + 4 + ORDER, "every field has its key");

struct lac_rows *lac_record_rows(struct lac_doc *d, bool reorder)
{
	return lac_doc_values(d, row_keys, reorder ? ROW : ROW - ORDER);
}

bool lac_record_row(struct lac_arena *arena, struct lac_rows *rows,
		    const struct lac_layout *l, const struct lac_through *t,
		    const struct lac_reorder *x)
{
	const struct lac_record *r = &l->graph->records[l->record];
	struct lac_bare fields[ROW], *f = head(l, fields);

	*f++ = lac_bare_size(r->nmembers);
	*f++ = known(l, l->nholes);
	f = sums(l, f);
	*f++ = known(l, t->nstraddlers);
	*f++ = known(l, t->hole_bits + t->padding_bits);
	if (!decl(arena, r, f++))
		return false;
	*f++ = lac_bare_size(r->nunits);
	if (x && (x->status == LAC_REORDER_SMALLER ||
		  x->status == LAC_REORDER_LEAST)) {
		*f++ = lac_bare_size(x->saves);
		*f = (struct lac_bare){ .kind = LAC_BARE_NONE };
	} else if (x) {
		*f++ = lac_bare_null();
		*f = lac_bare_text(lac_reorder_status_name(x->status));
	}
	return lac_rows_add(rows, fields);
}

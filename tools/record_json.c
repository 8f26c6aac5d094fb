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

static json_t *decl(const struct lac_record *r)
{
	char line[16], place[1024];

	if (!r->decl_file)
		return json_null();
	snprintf(line, sizeof(line), ":%" PRIu32, r->decl_line);
	snprintf(place, sizeof(place), "%s%s", r->decl_file,
		 r->decl_line ? line : "");
	return lac_doc_string(place);
}

/* What show and list have in common. */
static json_t *head(struct lac_doc *d, const struct lac_layout *l)
{
	const struct lac_record *r = &l->graph->records[l->record];
	json_t *o = json_object();

	lac_doc_set(d, o, "name", lac_doc_string(lac_record_name(r)));
	lac_doc_set(d, o, "kind", json_string(lac_record_kind_name(r->kind)));
	lac_doc_set(d, o, "size", lac_json_size(r->size));
	lac_doc_set(d, o, "align",
		    l->align ? json_integer(l->align) : json_null());
	lac_doc_set(d, o, "align_source",
		    json_string(lac_align_source_name(l->align_source)));
	lac_doc_set(d, o, "packed", json_string(lac_packed_name(l->packed)));
	return o;
}

/* Sums over the byte map; null where the record's size is unknown. */
static void sums(struct lac_doc *d, json_t *o, const struct lac_layout *l)
{
	const struct lac_record *r = &l->graph->records[l->record];
	const struct {
		const char *key;
		uint64_t value;
	} figures[] = {
		{ "member_bits", l->member_bits },
		{ "hole_bits", l->hole_bits },
		{ "padding_bits", l->padding_bits },
		{ "unknown_bits", l->unknown_bits },
		{ "nested_hole_bits", l->nested_hole_bits },
		{ "nested_padding_bits", l->nested_padding_bits },
		{ "lines", l->lines },
	};
	bool known = r->size != LAC_SIZE_UNKNOWN;

	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		lac_doc_set(d, o, figures[i].key,
			    known ? lac_json_size(figures[i].value)
				  : json_null());
	if (!known)
		lac_doc_set(d, o, "status", json_string("unknown"));
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

static json_t *member(struct writer *w, const struct lac_layout *l,
		      const struct lac_member *m, unsigned depth)
{
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
	if (inner != LAC_NONE)
		lac_doc_set(d, o, "record", inner_record(w, inner, depth + 1));
	return o;
}

static json_t *body(struct writer *w, const struct lac_layout *l,
		    unsigned depth)
{
	const struct lac_record *r = &w->g->records[l->record];
	json_t *o = head(w->d, l), *members = json_array();
	struct lac_through t;
	struct lac_err err;

	if (lac_through_compute(l, w->o->rules, w->scratch, &t, &err) != LAC_OK)
		w->d->broken = true;
	else
		lac_doc_set(w->d, o, "straddlers", straddlers(w->d, &t));
	for (uint32_t i = 0; i < r->nmembers && w->written < MEMBERS_MAX; i++) {
		w->written++;
		lac_doc_append(w->d, members, member(w, l, &r->members[i], depth));
	}
	lac_doc_set(w->d, o, "members", members);
	lac_doc_set(w->d, o, "holes", spans(w->d, l, LAC_SPAN_HOLE));
	lac_doc_set(w->d, o, "unknown", spans(w->d, l, LAC_SPAN_UNKNOWN));
	sums(w->d, o, l);
	lac_doc_set(w->d, o, "line_size", json_integer(l->line_size));
	lac_doc_set(w->d, o, "decl", decl(r));
	return o;
}

static json_t *inner_record(struct writer *w, lac_record_id id, unsigned depth)
{
	const struct lac_layout_options o = {
		.line_size = w->line_size,
		.rules = w->o->rules,
	};
	struct lac_layout l;
	struct lac_err err;

	/* it has been computed once, or the outer one would not be here */
	if (lac_layout_compute(w->g, id, &o, w->scratch, &l, &err) != LAC_OK)
		return NULL;
	return body(w, &l, depth);
}

json_t *lac_record_json(struct lac_doc *d, const struct lac_layout *l,
			const struct lac_record_json_options *o,
			struct lac_arena *scratch)
{
	const struct lac_record *r = &l->graph->records[l->record];
	struct writer w = {
		.d = d,
		.g = l->graph,
		.o = o,
		.scratch = scratch,
		.line_size = l->line_size,
	};
	json_t *record = body(&w, l, 1), *units = json_array();

	for (uint32_t i = 0; i < r->nunits && !d->views_only; i++)
		lac_doc_append(d, units,
			       json_incref(json_array_get(o->unit_names,
							  r->units[i])));
	lac_doc_set(d, record, "units", units);
	return record;
}

json_t *lac_record_row(struct lac_doc *d, const struct lac_layout *l,
		       const struct lac_through *t)
{
	const struct lac_record *r = &l->graph->records[l->record];
	json_t *o = head(d, l);
	bool known = r->size != LAC_SIZE_UNKNOWN;

	lac_doc_set(d, o, "members", json_integer(r->nmembers));
	lac_doc_set(d, o, "holes",
		    known ? json_integer(l->nholes) : json_null());
	sums(d, o, l);
	lac_doc_set(d, o, "straddlers",
		    known ? json_integer(t->nstraddlers) : json_null());
	lac_doc_set(d, o, "waste_bits",
		    known ? lac_json_size(t->hole_bits + t->padding_bits)
			  : json_null());
	lac_doc_set(d, o, "decl", decl(r));
	lac_doc_set(d, o, "units", json_integer(r->nunits));
	return o;
}

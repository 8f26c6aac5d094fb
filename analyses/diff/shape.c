/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff/shape.h"

#include <stdlib.h>
#include <string.h>

#include "dbginfo/declare.h"

/* Beyond what any source has; a hostile graph can nest its way to more. */
#define MAX_FIELDS (1u << 18)
#define MAX_DEPTH 256 /* as deep as the readers go */

struct lac_shaper {
	const struct lac_graph *g;
	uint32_t line_size;
	struct lac_arena *arena;
	struct lac_rules *rules;
	const char **texts; /* by type, filled when asked for */
	uint64_t *digests;  /* by type, there when a text is too long */
	bool *inlined;	    /* by record */
};

/* The fields of one record while they are collected. */
struct walk {
	struct lac_shaper *s;
	struct lac_field *fields;
	uint32_t n, cap;
};

static lac_type_id strip_qualifiers(const struct lac_graph *g, lac_type_id id)
{
	for (uint32_t i = 0; i <= g->ntypes; i++)
		switch (g->types[id].kind) {
		case LAC_TYPE_CONST:
		case LAC_TYPE_VOLATILE:
		case LAC_TYPE_RESTRICT:
		case LAC_TYPE_ATOMIC:
			id = g->types[id].target;
			break;
		default:
			return id;
		}
	return 0;
}

lac_record_id lac_inlined_record(const struct lac_graph *g, lac_type_id type,
				 uint64_t *elements)
{
	const struct lac_record *r;
	uint64_t n = 1;

	for (uint32_t i = 0; i <= g->ntypes; i++) {
		type = strip_qualifiers(g, type);
		if (g->types[type].kind != LAC_TYPE_ARRAY)
			break;
		n = 0; /* how many does not matter, only that it is an array */
		type = g->types[type].target;
	}
	if (g->types[type].kind != LAC_TYPE_RECORD ||
	    g->types[type].record == LAC_NONE)
		return LAC_NONE;
	r = &g->records[g->types[type].record];
	if (r->name || r->typedef_name)
		return LAC_NONE;
	if (elements)
		*elements = n;
	return g->types[type].record;
}

enum lac_status lac_shaper_create(const struct lac_graph *g, uint32_t line_size,
				  struct lac_arena *arena,
				  struct lac_shaper **ret, struct lac_err *err)
{
	struct lac_shaper *s = lac_arena_zalloc(arena, 1, sizeof(*s));

	if (!s)
		return lac_fail_memory(err);
	s->g = g;
	s->line_size = line_size ? line_size
				 : lac_line_size_of(&g->target, NULL);
	s->arena = arena;
	s->rules = lac_rules_create(g, arena);
	s->texts = lac_arena_zalloc(arena, g->ntypes, sizeof(*s->texts));
	s->inlined = lac_arena_zalloc(arena, g->nrecords, sizeof(bool));
	if (!s->rules || !s->texts || !s->inlined)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < g->nrecords; i++)
		for (uint32_t m = 0; m < g->records[i].nmembers; m++) {
			lac_record_id in = lac_inlined_record(
				g, g->records[i].members[m].type, NULL);

			if (in != LAC_NONE)
				s->inlined[in] = true;
		}
	*ret = s;
	return LAC_OK;
}

bool lac_shaper_inlines(const struct lac_shaper *s, lac_record_id id)
{
	return s->inlined[id];
}

const char *lac_shaper_type(struct lac_shaper *s, lac_type_id id)
{
	bool cut;
	const char *t;

	if (s->texts[id])
		return s->texts[id];
	t = lac_type_declare_cut(s->g, id, NULL, s->arena, &cut);
	if (t && cut && !s->digests)
		s->digests = lac_arena_zalloc(s->arena, s->g->ntypes,
					      sizeof(*s->digests));
	if (t && cut)
		t = s->digests ? lac_type_text_digest(s->g, id, t, s->digests,
						      s->arena)
			       : NULL;
	s->texts[id] = t ? lac_type_text_normal(t, s->arena) : NULL;
	return s->texts[id];
}

/* What the typedefs of a member's type lead to, if they lead anywhere. */
static enum lac_status resolve(struct lac_shaper *s, lac_type_id id,
			       const char **ret, struct lac_err *err)
{
	const struct lac_graph *g = s->g;
	lac_type_id to;

	for (uint32_t i = 0; i <= g->ntypes; i++) {
		id = strip_qualifiers(g, id);
		if (g->types[id].kind != LAC_TYPE_ARRAY)
			break;
		id = g->types[id].target;
	}
	*ret = NULL;
	if (g->types[id].kind != LAC_TYPE_TYPEDEF)
		return LAC_OK;
	to = lac_type_strip(g, id);
	/* records and enumerations are compared in their own right */
	if (g->types[to].kind == LAC_TYPE_RECORD ||
	    g->types[to].kind == LAC_TYPE_ENUM)
		return LAC_OK;
	*ret = lac_shaper_type(s, to);
	return *ret ? LAC_OK : lac_fail_memory(err);
}

static enum lac_status array_of(struct lac_shaper *s, lac_type_id id,
				struct lac_field *f, struct lac_err *err)
{
	const struct lac_graph *g = s->g;
	lac_type_id at = strip_qualifiers(g, id);
	uint64_t *dims;
	uint32_t n = 0;

	while (g->types[at].kind == LAC_TYPE_ARRAY && n < MAX_DEPTH) {
		at = strip_qualifiers(g, g->types[at].target);
		n++;
	}
	if (!n)
		return LAC_OK;
	dims = lac_arena_zalloc(s->arena, n, sizeof(*dims));
	if (!dims)
		return lac_fail_memory(err);
	at = strip_qualifiers(g, id);
	for (uint32_t i = 0; i < n; i++) {
		dims[i] = g->types[at].array.count;
		at = strip_qualifiers(g, g->types[at].target);
	}
	f->ndims = n;
	f->dims = dims;
	f->element = lac_shaper_type(s, at);
	return f->element ? LAC_OK : lac_fail_memory(err);
}

static const char *path_of(struct lac_shaper *s, const char *prefix,
			   const struct lac_member *m)
{
	const char *name = m->name;
	const char *type;

	if (name)
		return *prefix ? lac_arena_printf(s->arena, "%s%s", prefix,
						  name)
			       : name;
	type = lac_shaper_type(s, m->type);
	if (!type)
		return NULL;
	switch (m->role) {
	case LAC_MEMBER_BASE:
	case LAC_MEMBER_VIRTUAL_BASE:
		return lac_arena_printf(s->arena, "%sbase %s", prefix, type);
	case LAC_MEMBER_VPTR:
		return lac_arena_printf(s->arena, "%svptr", prefix);
	case LAC_MEMBER_DISCRIMINANT:
		return lac_arena_printf(s->arena, "%stag", prefix);
	default:
		return lac_arena_printf(s->arena, "%s%s", prefix, type);
	}
}

static struct lac_field *field_push(struct walk *w, struct lac_err *err)
{
	struct lac_field *more;

	if (w->n == MAX_FIELDS) {
		(void)lac_fail(err, LAC_BAD_INPUT,
			       "%s: a record has more than %u members in its "
			       "anonymous structs and unions", w->s->g->path,
			       MAX_FIELDS);
		return NULL;
	}
	if (w->n == w->cap) {
		uint32_t cap = w->cap ? 2 * w->cap : 16;

		more = lac_arena_zalloc(w->s->arena, cap, sizeof(*more));
		if (!more) {
			(void)lac_fail_memory(err);
			return NULL;
		}
		if (w->n)
			memcpy(more, w->fields, w->n * sizeof(*more));
		w->fields = more;
		w->cap = cap;
	}
	return &w->fields[w->n++];
}

/* rustc declares the type's own alignment of every member: that is none. */
static uint32_t declared_align(const struct lac_graph *g,
			       const struct lac_member *m)
{
	enum lac_certainty source;

	return m->declared_align &&
			       m->declared_align ==
				       lac_type_align(g, m->type, &source)
		       ? 0
		       : m->declared_align;
}

static enum lac_status field_fill(struct lac_shaper *s, struct lac_field *f,
				  const struct lac_member *m,
				  const char *prefix, struct lac_err *err)
{
	f->path = path_of(s, prefix, m);
	f->type = lac_shaper_type(s, m->type);
	if (!f->path || !f->type)
		return lac_fail_memory(err);
	f->bit_size = m->bit_size;
	f->declared_align = declared_align(s->g, m);
	f->role = m->role;
	f->certainty = m->certainty;
	LAC_TRY(array_of(s, m->type, f, err));
	return resolve(s, m->type, &f->resolved, err);
}

static enum lac_status walk_record(struct walk *w, lac_record_id id,
				   const char *prefix, uint32_t parent,
				   uint64_t base_bit, uint32_t depth,
				   struct lac_err *err);

/* The members of an anonymous record, and what it wastes in itself. */
static enum lac_status walk_inlined(struct walk *w, uint32_t at,
				    lac_record_id in, const char *prefix,
				    bool array, struct lac_err *err)
{
	const struct lac_graph *g = w->s->g;
	struct lac_layout_options o = {.line_size = w->s->line_size,
				       .rules = w->s->rules};
	struct lac_layout l;
	const char *below = prefix;
	const char *first = NULL;
	struct lac_field *f = &w->fields[at];
	uint32_t leaves = 0;

	f->inlined = true;
	LAC_TRY(lac_layout_compute(g, in, &o, w->s->arena, &l, err));
	f->nholes = l.nholes;
	f->hole_bits = l.hole_bits;
	f->padding_bits = l.padding_bits;
	if (!f->unnamed || array) {
		below = lac_arena_printf(w->s->arena, "%s%s.",
					 f->unnamed ? prefix : f->path,
					 array ? "[]" : "");
		if (!below)
			return lac_fail_memory(err);
	}
	LAC_TRY(walk_record(w, in, below, at, f->bit_offset, f->depth + 1,
			    err));
	f = &w->fields[at];
	for (uint32_t i = at + 1; i < w->n; i++)
		if (!w->fields[i].inlined && !leaves++)
			first = w->fields[i].path;
	if (!f->unnamed)
		return LAC_OK;
	f->path = lac_arena_printf(w->s->arena, "%s {%s%s}",
				   lac_record_kind_name(g->records[in].kind),
				   first ? first : "", leaves > 1 ? ", ..." : "");
	return f->path ? LAC_OK : lac_fail_memory(err);
}

/* Its elements that cross a line, if it is a member of the whole record. */
static uint64_t crossings(const struct walk *w, const struct lac_member *m,
			  const struct lac_field *f)
{
	struct lac_member at = *m;

	for (uint32_t up = f->parent; up != LAC_NONE;
	     up = w->fields[up].parent)
		if (!w->fields[up].transparent)
			return 0;
	if (f->transparent || f->bit_offset == LAC_SIZE_UNKNOWN)
		return 0;
	at.bit_offset = f->bit_offset;
	return lac_member_crossings(w->s->g, &at, w->s->line_size);
}

static enum lac_status walk_record(struct walk *w, lac_record_id id,
				   const char *prefix, uint32_t parent,
				   uint64_t base_bit, uint32_t depth,
				   struct lac_err *err)
{
	const struct lac_graph *g = w->s->g;
	const struct lac_record *r = &g->records[id];

	if (depth > MAX_DEPTH)
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: anonymous records nested deeper than %d",
				g->path, MAX_DEPTH);
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		uint64_t elements = 0;
		lac_record_id in = lac_inlined_record(g, m->type, &elements);
		struct lac_field *f = field_push(w, err);
		uint32_t at = w->n - 1;

		if (!f)
			return w->n == MAX_FIELDS ? LAC_BAD_INPUT
						  : LAC_NO_MEMORY;
		LAC_TRY(field_fill(w->s, f, m, prefix, err));
		f->bit_offset = m->certainty == LAC_DYNAMIC
					? LAC_SIZE_UNKNOWN
					: base_bit + m->bit_offset;
		f->parent = parent;
		f->depth = depth;
		f->member = i;
		f->seq = at;
		f->unnamed = in != LAC_NONE && !m->name;
		f->transparent = f->unnamed &&
				 lac_member_transparent(g, m) != LAC_NONE;
		f->crossings = crossings(w, m, f);
		if (in != LAC_NONE && m->certainty != LAC_DYNAMIC)
			LAC_TRY(walk_inlined(w, at, in, prefix, elements != 1,
					     err));
	}
	return LAC_OK;
}

static enum lac_status sort_fields(struct walk *w, struct lac_err *err)
{
	uint32_t *place;

	if (!w->n)
		return LAC_OK;
	place = lac_arena_zalloc(w->s->arena, w->n, sizeof(*place));
	if (!place)
		return lac_fail_memory(err);
	qsort(w->fields, w->n, sizeof(*w->fields), lac_field_order);
	for (uint32_t i = 0; i < w->n; i++)
		place[w->fields[i].seq] = i;
	for (uint32_t i = 0; i < w->n; i++)
		if (w->fields[i].parent != LAC_NONE)
			w->fields[i].parent = place[w->fields[i].parent];
	return LAC_OK;
}

static uint32_t count_straddlers(const struct walk *w)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->n; i++)
		n += w->fields[i].crossings > 0;
	return n;
}

enum lac_status lac_shape_record(struct lac_shaper *s, lac_record_id id,
				 struct lac_shape *ret, struct lac_err *err)
{
	const struct lac_record *r = &s->g->records[id];
	struct lac_layout_options o = {.line_size = s->line_size,
				       .rules = s->rules};
	struct walk w = {.s = s};
	enum lac_status st;
	struct lac_layout l;
	struct lac_shape shape = {
		.name = r->name ? r->name : r->typedef_name,
		.by_typedef = !r->name && r->typedef_name,
		.kind = r->kind,
		.decl_file = r->decl_file,
		.decl_line = r->decl_line,
		.size = r->size,
	};

	LAC_TRY(lac_layout_compute(s->g, id, &o, s->arena, &l, err));
	shape.label = lac_record_label(s->g, id, s->arena);
	if (!shape.label)
		return lac_fail_memory(err);
	st = walk_record(&w, id, "", LAC_NONE, 0, 0, err);
	if (st != LAC_OK)
		return st == LAC_BAD_INPUT
			       ? lac_err_context(err, st, "in %s", shape.label)
			       : st;
	LAC_TRY(sort_fields(&w, err));
	shape.align = l.align;
	shape.align_source = l.align_source;
	shape.packed = l.packed;
	shape.lines = l.lines;
	shape.nholes = l.nholes;
	shape.hole_bits = l.hole_bits;
	shape.padding_bits = l.padding_bits;
	shape.unknown_bits = l.unknown_bits;
	shape.nstraddlers = count_straddlers(&w);
	shape.fields = w.fields;
	shape.nfields = w.n;
	lac_shape_rehash(&shape);
	*ret = shape;
	return LAC_OK;
}

static int value_order(const void *pa, const void *pb)
{
	const struct lac_enumerator *a = pa, *b = pb;

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return strcmp(a->name, b->name);
}

enum lac_status lac_shape_enum(struct lac_shaper *s, uint32_t enumeration,
			       struct lac_shape *ret, struct lac_err *err)
{
	const struct lac_enumeration *e = &s->g->enumerations[enumeration];
	struct lac_enumerator *v;
	struct lac_shape shape = {
		.name = e->name,
		.is_enum = true,
		.decl_file = e->decl_file,
		.decl_line = e->decl_line,
		.size = e->size,
		.is_signed = e->is_signed,
		.nvalues = e->nvalues,
	};

	v = lac_arena_zalloc(s->arena, e->nvalues, sizeof(*v));
	if (!v)
		return lac_fail_memory(err);
	if (e->nvalues)
		memcpy(v, e->values, e->nvalues * sizeof(*v));
	qsort(v, e->nvalues, sizeof(*v), value_order);
	shape.values = v;
	shape.label = e->name ? lac_arena_printf(s->arena, "enum %s", e->name)
			      : lac_arena_printf(s->arena, "enum {%s%s}",
						 e->nvalues ? e->values[0].name
							    : "",
						 e->nvalues > 1 ? ", ..." : "");
	if (!shape.label)
		return lac_fail_memory(err);
	lac_shape_rehash(&shape);
	*ret = shape;
	return LAC_OK;
}

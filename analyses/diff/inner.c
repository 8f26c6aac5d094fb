/* SPDX-License-Identifier: BSD-2-Clause */
/* inner.c - what became of a type of the old build. */
#include <stdlib.h>
#include <string.h>

#include "diff/internal.h"

static int type_name_order(const void *pa, const void *pb)
{
	const struct type_name *a = pa, *b = pb;
	int c = strcmp(a->name, b->name);

	return c ? c : a->type < b->type ? -1 : a->type > b->type;
}

/* One entry a name; ambiguous if its types have several sizes. */
static uint32_t unique_names(const struct lac_graph *g, struct type_name *t,
			     uint32_t n)
{
	uint32_t kept = 0;

	qsort(t, n, sizeof(*t), type_name_order);
	for (uint32_t i = 0; i < n; i++) {
		if (!kept || strcmp(t[kept - 1].name, t[i].name)) {
			t[kept++] = t[i];
			continue;
		}
		if (lac_type_size(g, t[kept - 1].type) !=
		    lac_type_size(g, t[i].type))
			t[kept - 1].ambiguous = true;
	}
	return kept;
}

enum lac_status lac_side_index(struct side *s, struct lac_arena *scratch,
			       struct lac_err *err)
{
	const struct lac_graph *g = s->g;
	uint32_t nt = 0, nb = 0;

	for (uint32_t i = 0; i < g->ntypes; i++) {
		nt += g->types[i].kind == LAC_TYPE_TYPEDEF;
		nb += g->types[i].kind == LAC_TYPE_BASE;
	}
	s->typedefs = lac_arena_zalloc(scratch, nt, sizeof(*s->typedefs));
	s->bases = lac_arena_zalloc(scratch, nb, sizeof(*s->bases));
	s->aligns = lac_arena_zalloc(scratch, g->ntypes, sizeof(uint32_t));
	if (!s->typedefs || !s->bases || !s->aligns)
		return lac_fail_memory(err);
	nt = nb = 0;
	for (uint32_t i = 0; i < g->ntypes; i++) {
		const struct lac_type *t = &g->types[i];

		if (t->kind == LAC_TYPE_TYPEDEF && t->name)
			s->typedefs[nt++] = (struct type_name){.name = t->name,
							       .type = i};
		if (t->kind == LAC_TYPE_BASE && t->name) {
			const char *name = lac_shaper_type(s->shaper, i);

			if (!name)
				return lac_fail_memory(err);
			s->bases[nb++] = (struct type_name){.name = name,
							    .type = i};
		}
	}
	s->ntypedefs = unique_names(g, s->typedefs, nt);
	s->nbases = unique_names(g, s->bases, nb);
	return LAC_OK;
}

uint32_t lac_side_align(struct side *s, lac_type_id id)
{
	enum lac_certainty source;

	if (!s->aligns[id]) {
		uint32_t a = lac_type_align(s->g, id, &source);

		s->aligns[id] = a ? a : 1;
	}
	return s->aligns[id];
}

static int name_compare(const void *key, const void *entry)
{
	return strcmp(key, ((const struct type_name *)entry)->name);
}

static lac_type_id find_name(const struct type_name *list, uint32_t n,
			     const char *name)
{
	const struct type_name *t =
		name && n ? bsearch(name, list, n, sizeof(*list), name_compare)
			  : NULL;

	return t && !t->ambiguous ? t->type : 0;
}

/* As type `to` of the new build has it. */
static struct mapped become(struct work *w, lac_type_id from, lac_type_id to,
			    enum inner_kind kind, uint32_t id)
{
	uint64_t was = lac_type_size(w->a.g, from);
	uint32_t was_align = lac_side_align(&w->a, from);
	struct mapped m = {.size = lac_type_size(w->b.g, to),
			   .align = w->mixed ? was_align
					     : lac_side_align(&w->b, to)};

	m.changed = m.size != was || m.align != was_align;
	if (m.changed)
		m.inner = (struct inner){kind, id};
	return m;
}

static struct mapped unchanged(struct work *w, lac_type_id t)
{
	return (struct mapped){.size = lac_type_size(w->a.g, t),
			       .align = lac_side_align(&w->a, t)};
}

static struct mapped map_item(struct work *w, lac_type_id t, uint32_t item,
			      enum inner_kind kind)
{
	uint32_t pair;

	if (item == LAC_NONE || w->a.items[item].pair == LAC_NONE)
		return unchanged(w, t);
	pair = w->b.items[w->a.items[item].pair].id;
	return become(w, t,
		      kind == INNER_RECORD ? w->b.g->records[pair].type
					   : w->b.g->enumerations[pair].type,
		      kind, item);
}

static struct mapped map_base(struct work *w, lac_type_id t)
{
	const char *name = lac_shaper_type(w->a.shaper, t);
	lac_type_id to = find_name(w->b.bases, w->b.nbases, name);

	return to ? become(w, t, to, INNER_BASE, t) : unchanged(w, t);
}

static struct mapped map_pointer(struct work *w, lac_type_id t)
{
	struct mapped m = unchanged(w, t);
	uint64_t was = w->a.g->target.pointer_size;
	uint64_t is = w->b.g->target.pointer_size;

	if (was == is || m.size != was || !is)
		return m;
	m.size = is;
	m.align = (uint32_t)is;
	m.changed = true;
	m.inner = (struct inner){INNER_BASE, t};
	return m;
}

static uint32_t item_behind(const struct side *s, lac_type_id stripped)
{
	const struct lac_type *t = &s->g->types[stripped];

	if (t->kind == LAC_TYPE_RECORD && t->record != LAC_NONE)
		return s->item_of[t->record];
	if (t->kind == LAC_TYPE_ENUM && t->enumeration != LAC_NONE)
		return s->enum_item_of[t->enumeration];
	return LAC_NONE;
}

/* Does the typedef itself lead elsewhere?  If so *ret is what it became. */
static bool map_typedef(struct work *w, lac_type_id t, struct mapped *ret)
{
	lac_type_id to = find_name(w->b.typedefs, w->b.ntypedefs,
				   w->a.g->types[t].name);
	lac_type_id sa, sb;
	uint32_t ia, ib;
	const char *x, *y;

	if (!to)
		return false;
	sa = lac_type_strip(w->a.g, t);
	sb = lac_type_strip(w->b.g, to);
	ia = item_behind(&w->a, sa);
	ib = item_behind(&w->b, sb);
	if (ia != LAC_NONE && w->a.items[ia].pair == ib)
		return false;
	if (ia == LAC_NONE && ib == LAC_NONE) {
		x = lac_shaper_type(w->a.shaper, sa);
		y = lac_shaper_type(w->b.shaper, sb);
		if (!x || !y || lac_types_equal(w, x, y))
			return false;
		*ret = become(w, t, to, INNER_TYPEDEF, t);
		ret->changed = true;
		ret->inner = (struct inner){INNER_TYPEDEF, t};
		return true;
	}
	*ret = become(w, t, to, INNER_TYPEDEF, t);
	return ret->changed;
}

struct mapped lac_type_map(struct work *w, lac_type_id t)
{
	const struct lac_graph *g = w->a.g;
	uint64_t count = 1;
	bool array = false;
	struct mapped m;

	for (uint32_t steps = 0; steps <= g->ntypes; steps++) {
		const struct lac_type *type = &g->types[t];

		switch (type->kind) {
		case LAC_TYPE_TYPEDEF:
			if (map_typedef(w, t, &m))
				goto done;
			t = type->target;
			continue;
		case LAC_TYPE_CONST:
		case LAC_TYPE_VOLATILE:
		case LAC_TYPE_RESTRICT:
		case LAC_TYPE_ATOMIC:
			t = type->target;
			continue;
		case LAC_TYPE_ARRAY:
			if (__builtin_mul_overflow(count, type->array.count,
						   &count))
				count = UINT64_MAX;
			array = true;
			t = type->target;
			continue;
		case LAC_TYPE_RECORD:
		case LAC_TYPE_ENUM:
			m = map_item(w, t, item_behind(&w->a, t),
				     type->kind == LAC_TYPE_RECORD
					     ? INNER_RECORD
					     : INNER_ENUM);
			goto done;
		case LAC_TYPE_BASE:
			m = map_base(w, t);
			goto done;
		case LAC_TYPE_POINTER:
		case LAC_TYPE_REFERENCE:
		case LAC_TYPE_RVALUE_REFERENCE:
			m = map_pointer(w, t);
			goto done;
		default:
			m = unchanged(w, t);
			goto done;
		}
	}
	m = (struct mapped){.size = LAC_SIZE_UNKNOWN};
done:
	if (array && m.size != LAC_SIZE_UNKNOWN &&
	    __builtin_mul_overflow(m.size, count, &m.size))
		m.size = LAC_SIZE_UNKNOWN;
	return m;
}

static bool is_wrapping(enum lac_type_kind kind)
{
	return kind == LAC_TYPE_CONST || kind == LAC_TYPE_VOLATILE ||
	       kind == LAC_TYPE_RESTRICT || kind == LAC_TYPE_ATOMIC ||
	       kind == LAC_TYPE_ARRAY || kind == LAC_TYPE_TYPEDEF;
}

/* What it is, or an element of it; of a typedef of that name, the typedef. */
static lac_type_id held_type(const struct lac_graph *g, lac_type_id t,
			     const char *name)
{
	for (uint32_t steps = 0;
	     steps < g->ntypes && is_wrapping(g->types[t].kind); steps++) {
		if (name && g->types[t].kind == LAC_TYPE_TYPEDEF &&
		    g->types[t].name && !strcmp(g->types[t].name, name))
			break;
		t = g->types[t].target;
	}
	return t;
}

static bool is_pointer(enum lac_type_kind kind)
{
	return kind == LAC_TYPE_POINTER || kind == LAC_TYPE_REFERENCE ||
	       kind == LAC_TYPE_RVALUE_REFERENCE;
}

bool lac_type_stays(struct work *w, lac_type_id old_type, struct inner in,
		    lac_type_id new_type)
{
	const char *name = in.kind == INNER_TYPEDEF ? w->a.g->types[in.id].name
						    : NULL;
	lac_type_id was = held_type(w->a.g, old_type, name);
	lac_type_id is = held_type(w->b.g, new_type, name);
	enum lac_type_kind kind = w->b.g->types[is].kind;
	uint32_t item;

	if (name)
		return kind == LAC_TYPE_TYPEDEF;
	if (is_pointer(w->a.g->types[was].kind))
		return is_pointer(kind);
	item = item_behind(&w->b, is);
	if (item != LAC_NONE && (in.kind == INNER_RECORD ||
				 in.kind == INNER_ENUM) &&
	    w->a.items[in.id].pair == item)
		return true;
	return lac_types_equal(w, lac_shaper_type(w->a.shaper, was),
			       lac_shaper_type(w->b.shaper, is));
}

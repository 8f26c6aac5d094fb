/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * own.c - which changes of a record are its own, and which follow from inner
 * types.  The old record with new inner types (predict.c) is compared with the
 * new record: what differs there is the record's own doing.
 */
#include <string.h>

#include "diff/internal.h"

static void remember(struct inners *list, struct inner in)
{
	for (uint32_t i = 0; i < list->n; i++)
		if (list->list[i].kind == in.kind && list->list[i].id == in.id)
			return;
	if (list->n < MAX_INNERS)
		list->list[list->n++] = in;
	else
		list->overflow = true;
}

/* The types of a record's fields, in the order of their walk. */
static void list_types(const struct lac_graph *g, lac_record_id id,
		       uint32_t *seq, lac_type_id *types)
{
	const struct lac_record *r = &g->records[id];

	for (uint32_t i = 0; i < r->nmembers; i++) {
		lac_type_id type = r->members[i].type;
		lac_record_id in = lac_inlined_record(g, type, NULL);

		types[(*seq)++] = type;
		if (in != LAC_NONE)
			list_types(g, in, seq, types);
	}
}

static lac_type_id *types_of(const struct side *s, const struct item *x,
			     struct lac_arena *arena)
{
	lac_type_id *types = lac_arena_zalloc(arena, x->shape.nfields,
					      sizeof(*types));
	uint32_t n = 0;

	if (types && !x->shape.is_enum)
		list_types(s->g, x->id, &n, types);
	return types;
}

/*
 * What each field of the old record takes now, by seq: an inner type has a part
 * in it only if both builds hold it by value there.
 */
static enum lac_status map_fields(struct work *w, const struct item *x,
				  const struct field_pairs *pairs,
				  struct mapped **ret, struct inners *found,
				  struct lac_err *err)
{
	const struct item *y = &w->b.items[x->pair];
	lac_type_id *was = types_of(&w->a, x, w->scratch);
	lac_type_id *is = types_of(&w->b, y, w->scratch);
	struct mapped *to = lac_arena_zalloc(w->scratch, x->shape.nfields,
					     sizeof(*to));

	if (!was || !is || !to)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < x->shape.nfields; i++) {
		uint32_t at = x->shape.fields[i].seq, j = pairs->to_new[i];

		if (x->shape.fields[i].inlined || j == LAC_NONE)
			continue;
		to[at] = lac_type_map(w, was[at]);
		to[at].changed &= lac_type_stays(w, was[at], to[at].inner,
						 is[y->shape.fields[j].seq]);
		if (to[at].changed)
			remember(found, to[at].inner);
	}
	*ret = to;
	return LAC_OK;
}

/* The place and the size of a field come out as the new build has them. */
static bool foreseen(const struct lac_shape *p, uint32_t i,
		     const struct lac_shape *b, uint32_t j)
{
	return i != LAC_NONE && j != LAC_NONE &&
	       p->fields[i].bit_offset == b->fields[j].bit_offset &&
	       p->fields[i].bit_size == b->fields[j].bit_size;
}

/*
 * Packing is inferred from offsets, so it follows from them, too; and so does
 * an alignment that the format does not tell.
 */
static bool is_waste(const struct work *w, enum lac_change_class c)
{
	return c == LAC_CHANGE_PADDING || c == LAC_CHANGE_HOLES ||
	       c == LAC_CHANGE_PACKED ||
	       (c == LAC_CHANGE_ALIGN && !w->a.g->tells_alignment);
}

static bool has_change(const struct lac_change *list, uint32_t n,
		       const struct lac_change *c)
{
	for (uint32_t i = 0; i < n; i++)
		if (list[i].class == c->class &&
		    list[i].old_field == c->old_field &&
		    list[i].new_field == c->new_field)
			return true;
	return false;
}

/* Holes, padding and line crossings follow from all the rest. */
static void mark_derived(const struct work *w, struct verdict *v,
			 const struct lac_shape *p, const struct lac_shape *b,
			 bool any_own)
{
	for (uint32_t i = 0; i < v->nchanges; i++) {
		struct lac_change *c = &v->changes[i];

		if (is_waste(w, c->class))
			c->inherited = !any_own;
		else if (c->class == LAC_CHANGE_LINE_CROSSING)
			c->inherited = foreseen(p, c->old_field, b,
						c->new_field);
	}
}

static bool derived(const struct work *w, enum lac_change_class c)
{
	return is_waste(w, c) || c == LAC_CHANGE_LINE_CROSSING;
}

static enum lac_status mark_by_prediction(struct work *w,
					  const struct lac_shape *p,
					  const struct lac_shape *b,
					  const struct field_pairs *pairs,
					  struct verdict *v,
					  struct lac_err *err)
{
	struct lac_change *own;
	uint32_t nown;
	bool any_own = false;

	/* the same typedef, leading elsewhere: that is the typedef's doing */
	for (uint32_t i = 0; i < p->nfields; i++) {
		uint32_t j = pairs->to_new[i];

		if (j != LAC_NONE && lac_types_equal(w, p->fields[i].type,
						     b->fields[j].type))
			p->fields[i].resolved = b->fields[j].resolved;
	}
	LAC_TRY(lac_shapes_compare(w, p, b, pairs, w->scratch, &own, &nown,
				   err));
	for (uint32_t i = 0; i < v->nchanges; i++) {
		struct lac_change *c = &v->changes[i];

		if (derived(w, c->class))
			continue;
		c->inherited = !has_change(own, nown, c);
		any_own |= !c->inherited;
	}
	mark_derived(w, v, p, b, any_own);
	return LAC_OK;
}

/*
 * No rule gives the old layout, so nothing is predicted: if the members are the
 * same ones, their places and sizes are put down to the inner types.
 */
static void mark_by_class(struct verdict *v)
{
	bool any_own = false;

	for (uint32_t i = 0; i < v->nchanges; i++)
		switch (v->changes[i].class) {
		case LAC_CHANGE_SIZE:
		case LAC_CHANGE_ALIGN:
		case LAC_CHANGE_MEMBER_MOVED:
		case LAC_CHANGE_MEMBER_RESIZED:
		case LAC_CHANGE_PADDING:
		case LAC_CHANGE_HOLES:
		case LAC_CHANGE_PACKED:
		case LAC_CHANGE_LINE_CROSSING:
			break;
		default:
			any_own = true;
		}
	for (uint32_t i = 0; i < v->nchanges; i++)
		v->changes[i].inherited =
			!any_own ||
			v->changes[i].class == LAC_CHANGE_MEMBER_RESIZED;
}

enum lac_status lac_diff_judge(struct work *w, uint32_t old_item,
			       struct verdict *ret, struct lac_err *err)
{
	const struct item *x = &w->a.items[old_item];
	const struct lac_shape *a = &x->shape;
	const struct lac_shape *b = &w->b.items[x->pair].shape;
	struct field_pairs pairs;
	struct verdict v = {.done = true};
	struct mapped *to = NULL;
	struct lac_shape p;
	enum lac_status st;

	LAC_TRY(lac_fields_pair(a, b, w->scratch, &pairs, err));
	LAC_TRY(lac_shapes_compare(w, a, b, &pairs, w->scratch, &v.changes,
				   &v.nchanges, err));
	/* two spellings of one thing, as of DWARF and BTF */
	if (!v.nchanges && !x->guessed)
		v.done = false;
	LAC_TRY(map_fields(w, x, &pairs, &to, &v.inners, err));
	if (v.inners.n) {
		st = lac_shape_predict(w, old_item, to, &p, err);
		if (st == LAC_OK)
			LAC_TRY(mark_by_prediction(w, &p, b, &pairs, &v, err));
		else if (st == LAC_NOT_FOUND)
			mark_by_class(&v);
		else
			return st;
	}
	v.explained = v.nchanges > 0;
	for (uint32_t i = 0; i < v.nchanges; i++) {
		v.any_inherited |= v.changes[i].inherited;
		v.explained &= v.changes[i].inherited;
	}
	*ret = v;
	return LAC_OK;
}

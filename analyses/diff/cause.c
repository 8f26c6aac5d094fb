/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cause.c - from verdicts to root causes.  An inner record that is itself
 * explained hands the question on to its own inner types; what is left in the
 * end changed by itself, and is the root.
 */
#include <stdlib.h>
#include <string.h>

#include "diff/internal.h"

struct roots {
	enum { NOT_YET, IN_PROGRESS, DONE } state;
	uint32_t n;
	struct inner list[MAX_INNERS];
	bool overflow;
};

struct table {
	struct work *w;
	const struct verdict *v;
	struct roots **roots; /* by old item */
	uint32_t n, cap;
	struct embedding *in_old, *in_new;
	struct inner *inners; /* of cause i */
	struct lac_cause *causes;
};

static void add_root(struct roots *r, struct inner in)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (r->list[i].kind == in.kind && r->list[i].id == in.id)
			return;
	if (r->n < MAX_INNERS)
		r->list[r->n++] = in;
	else
		r->overflow = true;
}

static const struct roots *roots_of(struct table *t, uint32_t item,
				    unsigned depth)
{
	const struct inners *in = &t->v[item].inners;
	struct roots *r = t->roots[item];

	if (!r) {
		r = lac_arena_zalloc(t->w->scratch, 1, sizeof(*r));
		t->roots[item] = r;
	}
	if (!r || r->state != NOT_YET || depth > 400)
		return r;
	r->state = IN_PROGRESS;
	r->overflow = in->overflow;
	for (uint32_t i = 0; i < in->n; i++) {
		const struct roots *below = NULL;
		uint32_t id = in->list[i].id;

		if (in->list[i].kind == INNER_RECORD && t->v[id].done &&
		    t->v[id].explained)
			below = roots_of(t, id, depth + 1);
		if (!below || below->state != DONE || !below->n) {
			add_root(r, in->list[i]);
			continue;
		}
		r->overflow |= below->overflow;
		for (uint32_t k = 0; k < below->n; k++)
			add_root(r, below->list[k]);
	}
	r->state = DONE;
	return r;
}

/* One without a tag goes by a typedef. */
static const char *enum_name(const struct side *s, const struct item *it)
{
	const struct lac_graph *g = s->g;

	for (uint32_t i = 0; !it->shape.name && i < s->ntypedefs; i++) {
		const struct lac_type *t =
			&g->types[lac_type_strip(g, s->typedefs[i].type)];

		if (t->kind == LAC_TYPE_ENUM && t->enumeration == it->id)
			return s->typedefs[i].name;
	}
	return it->shape.name ? it->shape.name : it->shape.label;
}

/* People know "spinlock_t", not "struct spinlock". */
static const char *known_name(const struct side *s, const struct item *it)
{
	const struct lac_graph *g = s->g;
	size_t n = it->shape.name ? strlen(it->shape.name) : 0;

	if (it->shape.is_enum)
		return enum_name(s, it);
	for (uint32_t i = 0; n && i < g->naliases; i++) {
		const char *name = g->aliases[i].name;

		if (g->aliases[i].record == it->id &&
		    !strncmp(name, it->shape.name, n) &&
		    !strcmp(name + n, "_t"))
			return name;
	}
	return it->shape.name ? it->shape.name : it->shape.label;
}

static void fill_by_name(struct work *w, struct inner in, struct lac_cause *c)
{
	struct mapped to = lac_type_map(w, in.id);
	lac_type_id was = lac_type_strip(w->a.g, in.id);

	c->name = w->a.g->types[in.id].name;
	if (!c->name)
		c->name = "pointer";
	c->old_value = lac_type_size(w->a.g, in.id);
	c->new_value = to.size;
	c->what = c->old_value != c->new_value ? "size" : "type";
	if (in.kind != INNER_TYPEDEF || c->old_value != c->new_value)
		return;
	c->old_text = lac_shaper_type(w->a.shaper, was);
	for (uint32_t i = 0; i < w->b.ntypedefs; i++)
		if (!strcmp(w->b.typedefs[i].name, c->name))
			c->new_text = lac_shaper_type(
				w->b.shaper,
				lac_type_strip(w->b.g, w->b.typedefs[i].type));
}

static void fill_cause(struct table *t, struct inner in, struct lac_cause *c)
{
	struct work *w = t->w;
	const struct item *x, *y;

	c->held_by = LAC_NONE;

	if (in.kind != INNER_RECORD && in.kind != INNER_ENUM) {
		const struct lac_type *was =
			&w->a.g->types[lac_type_strip(w->a.g, in.id)];

		fill_by_name(w, in, c);
		if (was->kind == LAC_TYPE_RECORD && was->record != LAC_NONE)
			c->held_by = lac_embedding_count(t->in_old,
							 was->record, NULL, 0);
		return;
	}
	x = &w->a.items[in.id];
	y = &w->b.items[x->pair];
	c->name = known_name(&w->a, x);
	if (!y->shape.is_enum)
		c->held_by = lac_embedding_count(t->in_new, y->id, NULL, 0);
	c->what = "size";
	c->old_value = x->shape.size;
	c->new_value = y->shape.size;
	if (c->old_value != c->new_value || x->shape.is_enum)
		return;
	c->what = "align";
	c->old_value = lac_side_align(&w->a, w->a.g->records[x->id].type);
	c->new_value = lac_side_align(&w->b, w->b.g->records[y->id].type);
}

static uint32_t cause_index(struct table *t, struct inner in)
{
	uint32_t i = 0;

	while (i < t->n &&
	       (t->inners[i].kind != in.kind || t->inners[i].id != in.id))
		i++;
	if (i < t->n)
		return i;
	if (t->n == t->cap) {
		uint32_t cap = t->cap ? 2 * t->cap : 64;
		struct inner *inners =
			lac_arena_zalloc(t->w->scratch, cap, sizeof(*inners));
		struct lac_cause *causes =
			lac_arena_zalloc(t->w->d->arena, cap, sizeof(*causes));

		if (!inners || !causes)
			return LAC_NO_CAUSE;
		if (t->n) {
			memcpy(inners, t->inners, t->n * sizeof(*inners));
			memcpy(causes, t->causes, t->n * sizeof(*causes));
		}
		t->inners = inners;
		t->causes = causes;
		t->cap = cap;
	}
	t->inners[t->n] = in;
	fill_cause(t, in, &t->causes[t->n]);
	return t->n++;
}

void lac_cause_count(struct lac_cause *c, const struct lac_record_diff *r,
		     uint32_t cpus)
{
	const struct lac_shape *a = r->old_shape, *b = r->new_shape;
	uint32_t was = lac_slab_fit_for(a->size, cpus).order;
	uint32_t is = lac_slab_fit_for(b->size, cpus).order;

	c->records++;
	c->alone += r->explained && r->ncauses == 1 && !r->more_causes;
	c->lines_more += b->lines > a->lines;
	c->lines_less += b->lines < a->lines;
	c->crossings_more += b->nstraddlers > a->nstraddlers;
	c->crossings_less += b->nstraddlers < a->nstraddlers;
	if (!lac_may_be_allocated(r))
		return;
	c->order_more += is > was;
	c->order_less += is < was;
}

static enum lac_status name_causes(struct table *t, uint32_t item,
				   struct lac_record_diff *r,
				   struct lac_err *err)
{
	const struct roots *roots = roots_of(t, item, 0);
	uint32_t *list;

	if (!roots)
		return lac_fail_memory(err);
	list = lac_arena_zalloc(t->w->d->arena, roots->n, sizeof(*list));
	if (!list)
		return lac_fail_memory(err);
	r->causes = list;
	r->ncauses = roots->n;
	r->more_causes = roots->overflow;
	for (uint32_t i = 0; i < roots->n; i++) {
		list[i] = cause_index(t, roots->list[i]);
		if (list[i] == LAC_NO_CAUSE)
			return lac_fail_memory(err);
		lac_cause_count(&t->causes[list[i]], r, t->w->o.cpus);
	}
	return LAC_OK;
}

struct placed {
	struct lac_cause cause;
	uint32_t was;
};

static int cause_order(const void *pa, const void *pb)
{
	const struct placed *a = pa, *b = pb;
	int c;

	if (a->cause.records != b->cause.records)
		return a->cause.records > b->cause.records ? -1 : 1;
	c = strcmp(a->cause.name, b->cause.name);
	if (c)
		return c;
	return a->was < b->was ? -1 : a->was > b->was;
}

static int u32_order(const void *pa, const void *pb)
{
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;

	return a < b ? -1 : a > b;
}

enum lac_status lac_causes_sort(struct lac_diff *d, struct lac_arena *scratch,
				struct lac_err *err)
{
	uint32_t n = d->ncauses;
	struct placed *p = lac_arena_zalloc(scratch, n, sizeof(*p));
	uint32_t *to = lac_arena_zalloc(scratch, n, sizeof(*to));

	if (!p || !to)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < n; i++)
		p[i] = (struct placed){d->causes[i], i};
	if (n)
		qsort(p, n, sizeof(*p), cause_order);
	for (uint32_t i = 0; i < n; i++) {
		to[p[i].was] = i;
		d->causes[i] = p[i].cause;
	}
	while (d->ncauses && !d->causes[d->ncauses - 1].records)
		d->ncauses--;
	for (uint32_t i = 0; i < d->nrecords; i++) {
		struct lac_record_diff *r = &d->records[i];

		for (uint32_t k = 0; k < r->ncauses; k++)
			r->causes[k] = to[r->causes[k]];
		if (r->ncauses)
			qsort(r->causes, r->ncauses, sizeof(uint32_t),
			      u32_order);
	}
	return LAC_OK;
}

static enum lac_status hand_over(struct table *t, struct lac_err *err)
{
	struct lac_diff *d = t->w->d;

	for (uint32_t i = 0; i < t->n; i++) {
		struct lac_cause *c = &t->causes[i];

		c->name = lac_arena_strdup(d->arena, c->name);
		if (c->old_text)
			c->old_text = lac_arena_strdup(d->arena, c->old_text);
		if (c->new_text)
			c->new_text = lac_arena_strdup(d->arena, c->new_text);
		if (!c->name)
			return lac_fail_memory(err);
	}
	d->causes = t->causes;
	d->ncauses = t->n;
	return lac_causes_sort(d, t->w->scratch, err);
}

static enum lac_status add_paired(struct table *t, uint32_t item,
				  struct lac_record_diff *r,
				  struct lac_err *err)
{
	const struct item *x = &t->w->a.items[item];
	const struct verdict *v = &t->v[item];
	struct lac_arena *arena = t->w->d->arena;

	r->pairing = x->guessed ? LAC_PAIR_RENAMED : LAC_PAIR_CHANGED;
	r->explained = v->explained;
	LAC_TRY(lac_shape_copy(&x->shape, arena, &r->old_shape, err));
	LAC_TRY(lac_shape_copy(&t->w->b.items[x->pair].shape, arena,
			       &r->new_shape, err));
	LAC_TRY(lac_changes_copy(v->changes, v->nchanges, arena, &r->changes,
				 err));
	r->nchanges = v->nchanges;
	return v->any_inherited ? name_causes(t, item, r, err) : LAC_OK;
}

/* What only one build has. */
static enum lac_status add_single(struct work *w, const struct side *s,
				  const struct item *x,
				  struct lac_err *err)
{
	struct lac_diff *d = w->d;
	struct lac_record_diff *r;
	bool old = s == &w->a;

	if (x->pair != LAC_NONE || x->twin)
		return LAC_OK;
	if (x->orphan) {
		*(old ? &d->old_unidentified : &d->new_unidentified) += 1;
		return LAC_OK;
	}
	r = &d->records[d->nrecords++];
	r->pairing = old ? LAC_PAIR_REMOVED : LAC_PAIR_ADDED;
	return lac_shape_copy(&x->shape, d->arena,
			      old ? &r->old_shape : &r->new_shape, err);
}

static uint32_t capacity(const struct work *w, const struct verdict *v)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->a.nitems; i++)
		n += v[i].done || w->a.items[i].pair == LAC_NONE;
	for (uint32_t i = 0; i < w->b.nitems; i++)
		n += w->b.items[i].pair == LAC_NONE;
	return n;
}

static enum lac_status embedded(struct lac_diff *d, struct lac_record_diff *r,
				struct embedding *e, const struct side *s,
				const struct item *x, struct lac_err *err)
{
	lac_record_id first[LAC_DIFF_HOLDERS];
	uint32_t n;

	if (x->shape.is_enum)
		return LAC_OK;
	n = lac_embedding_count(e, x->id, first, LAC_DIFF_HOLDERS);
	r->embedded_by = n;
	if (n == LAC_NONE)
		return LAC_OK;
	for (uint32_t i = 0; i < n && i < LAC_DIFF_HOLDERS; i++) {
		const struct lac_record *by = &s->g->records[first[i]];
		const char *name = by->name ? by->name : by->typedef_name;

		if (!name)
			continue;
		name = lac_arena_strdup(d->arena, name);
		if (!name)
			return lac_fail_memory(err);
		r->holders[r->nholders++] = name;
	}
	return LAC_OK;
}

enum lac_status lac_diff_explain(struct work *w, const struct verdict *v,
				 struct lac_err *err)
{
	struct lac_diff *d = w->d;
	struct table t = {.w = w, .v = v};
	struct embedding *in_old, *in_new;

	d->records = lac_arena_zalloc(d->arena, capacity(w, v),
				      sizeof(*d->records));
	t.roots = lac_arena_zalloc(w->scratch, w->a.nitems, sizeof(*t.roots));
	if (!d->records || !t.roots)
		return lac_fail_memory(err);
	LAC_TRY(lac_embedding_create(&w->a, w->scratch, &in_old, err));
	LAC_TRY(lac_embedding_create(&w->b, w->scratch, &in_new, err));
	t.in_old = in_old;
	t.in_new = in_new;
	for (uint32_t i = 0; i < w->a.nitems; i++) {
		const struct item *x = &w->a.items[i];

		if (v[i].done) {
			struct lac_record_diff *r =
				&d->records[d->nrecords++];

			LAC_TRY(add_paired(&t, i, r, err));
			LAC_TRY(embedded(d, r, in_new, &w->b,
					 &w->b.items[x->pair], err));
		} else if (x->pair == LAC_NONE && !x->twin) {
			LAC_TRY(add_single(w, &w->a, x, err));
			if (!x->orphan)
				LAC_TRY(embedded(
					d, &d->records[d->nrecords - 1],
					in_old, &w->a, x, err));
		}
	}
	for (uint32_t i = 0; i < w->b.nitems; i++) {
		const struct item *y = &w->b.items[i];

		LAC_TRY(add_single(w, &w->b, y, err));
		if (y->pair == LAC_NONE && !y->orphan && !y->twin)
			LAC_TRY(embedded(d, &d->records[d->nrecords - 1],
					 in_new, &w->b, y, err));
	}
	return hand_over(&t, err);
}

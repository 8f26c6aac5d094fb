/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fields.c - which member of the new shape is which of the old one: by name,
 * anonymous records by the members they hold, and last by place and type,
 * which is a guess.
 */
#include <stdlib.h>
#include <string.h>

#include "diff/internal.h"
#include "diff/match.h"

struct ctx {
	const struct lac_shape *a, *b;
	struct field_pairs p;
	struct lac_arena *scratch;
};

static void tie(struct ctx *c, uint32_t i, uint32_t j)
{
	c->p.to_new[i] = j;
	c->p.to_old[j] = i;
}

static int path_order(const void *pa, const void *pb, void *ctx)
{
	const struct lac_field *f = ctx;
	uint32_t i = *(const uint32_t *)pa, j = *(const uint32_t *)pb;
	int c = strcmp(f[i].path, f[j].path);

	return c ? c : i < j ? -1 : i > j;
}

static uint32_t *named(const struct lac_shape *s, struct lac_arena *scratch,
		       uint32_t *n)
{
	uint32_t *list = lac_arena_zalloc(scratch, s->nfields, sizeof(*list));

	*n = 0;
	if (!list)
		return NULL;
	for (uint32_t i = 0; i < s->nfields; i++)
		if (!s->fields[i].unnamed)
			list[(*n)++] = i;
	qsort_r(list, *n, sizeof(*list), path_order, s->fields);
	return list;
}

/* Members of one path pair in their order; a record has few of them. */
static enum lac_status pair_names(struct ctx *c, struct lac_err *err)
{
	uint32_t na, nb;
	uint32_t *a = named(c->a, c->scratch, &na);
	uint32_t *b = named(c->b, c->scratch, &nb);

	if (!a || !b)
		return lac_fail_memory(err);
	for (uint32_t i = 0, j = 0; i < na && j < nb;) {
		int o = strcmp(c->a->fields[a[i]].path,
			       c->b->fields[b[j]].path);

		if (!o)
			tie(c, a[i], b[j]);
		i += o <= 0;
		j += o >= 0;
	}
	return LAC_OK;
}

/* Members below an inlined one, whatever the depth. */
static uint32_t held(const struct lac_shape *s, uint32_t container)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->nfields; i++)
		for (uint32_t p = s->fields[i].parent; p != LAC_NONE;
		     p = s->fields[p].parent)
			n += p == container && !s->fields[i].unnamed;
	return n;
}

static bool holds(const struct lac_shape *s, uint32_t container, uint32_t i)
{
	for (uint32_t p = s->fields[i].parent; p != LAC_NONE;
	     p = s->fields[p].parent)
		if (p == container)
			return true;
	return false;
}

static uint32_t shared(const struct ctx *c, uint32_t x, uint32_t y)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->a->nfields; i++)
		if (!c->a->fields[i].unnamed &&
		    c->p.to_new[i] != LAC_NONE && holds(c->a, x, i) &&
		    holds(c->b, y, c->p.to_new[i]))
			n++;
	return n;
}

static uint32_t *containers(const struct lac_shape *s,
			    struct lac_arena *scratch, uint32_t *n)
{
	uint32_t *list = lac_arena_zalloc(scratch, s->nfields, sizeof(*list));

	*n = 0;
	for (uint32_t i = 0; list && i < s->nfields; i++)
		if (s->fields[i].unnamed)
			list[(*n)++] = i;
	return list;
}

/* Equal on both sides is worth more than many shared but more not. */
static uint32_t container_score(const struct ctx *c, uint32_t x, uint32_t y)
{
	const struct lac_field *f = &c->a->fields[x], *g = &c->b->fields[y];
	uint32_t n = shared(c, x, y);
	uint32_t all = held(c->a, x) + held(c->b, y) - n;

	if (!n && all)
		return 0;
	return 1 + (all ? 1000 * n / all : 1000) * 16 +
	       !strcmp(f->type, g->type) * 8u + (f->depth == g->depth) * 4u +
	       (f->bit_size == g->bit_size) * 2u +
	       (f->bit_offset == g->bit_offset);
}

/*
 * More of them than anyone writes are paired in their order, without looking
 * inside.
 */
#define MAX_LOOKS (1u << 27)

static enum lac_status pair_containers(struct ctx *c, struct lac_err *err)
{
	uint32_t na, nb;
	size_t n = 0;
	uint32_t *a = containers(c->a, c->scratch, &na);
	uint32_t *b = containers(c->b, c->scratch, &nb);
	struct lac_match *m;

	if (!a || !b)
		return lac_fail_memory(err);
	if ((uint64_t)na * nb * (c->a->nfields + c->b->nfields) > MAX_LOOKS) {
		for (uint32_t i = 0; i < na && i < nb; i++)
			tie(c, a[i], b[i]);
		return LAC_OK;
	}
	m = lac_arena_zalloc(c->scratch, (size_t)na * nb, sizeof(*m));
	if (!m)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < na; i++)
		for (uint32_t j = 0; j < nb; j++) {
			uint32_t s = container_score(c, a[i], b[j]);

			if (s)
				m[n++] = (struct lac_match){s, i, j};
		}
	qsort(m, n, sizeof(*m), lac_match_order);
	for (size_t i = 0; i < n; i++)
		if (c->p.to_new[a[m[i].a]] == LAC_NONE &&
		    c->p.to_old[b[m[i].b]] == LAC_NONE)
			tie(c, a[m[i].a], b[m[i].b]);
	return LAC_OK;
}

/* The member before it is the same one in both, or there is none in either. */
static bool same_neighbour(const struct ctx *c, uint32_t i, uint32_t j,
			   int step)
{
	int64_t x = (int64_t)i + step, y = (int64_t)j + step;
	bool xin = x >= 0 && x < c->a->nfields;
	bool yin = y >= 0 && y < c->b->nfields;

	if (!xin || !yin)
		return xin == yin;
	return c->p.to_new[x] == (uint32_t)y;
}

static uint32_t rename_score(const struct ctx *c, uint32_t i, uint32_t j)
{
	const struct lac_field *f = &c->a->fields[i], *g = &c->b->fields[j];
	bool place = f->bit_offset == g->bit_offset;
	bool before = same_neighbour(c, i, j, -1);
	bool after = same_neighbour(c, i, j, 1);

	if (f->unnamed || g->unnamed || f->inlined != g->inlined ||
	    f->role != g->role || f->bit_size != g->bit_size ||
	    strcmp(f->type, g->type))
		return 0;
	if (!place && !(before && after))
		return 0;
	return 1 + place * 4u + before * 2u + after;
}

/* Guessing one name among very many is no evidence, and slow. */
#define MAX_UNMATCHED 256

static uint32_t unmatched(const uint32_t *to, uint32_t nfields,
			  uint32_t list[static MAX_UNMATCHED])
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < nfields; i++)
		if (to[i] == LAC_NONE) {
			if (n == MAX_UNMATCHED)
				return 0;
			list[n++] = i;
		}
	return n;
}

static enum lac_status pair_renamed(struct ctx *c, struct lac_err *err)
{
	uint32_t a[MAX_UNMATCHED], b[MAX_UNMATCHED];
	uint32_t na = unmatched(c->p.to_new, c->a->nfields, a);
	uint32_t nb = unmatched(c->p.to_old, c->b->nfields, b);
	struct lac_match *m;
	size_t n = 0;

	if (!na || !nb)
		return LAC_OK;
	m = lac_arena_zalloc(c->scratch, (size_t)na * nb, sizeof(*m));
	if (!m)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < na; i++)
		for (uint32_t j = 0; j < nb; j++) {
			uint32_t s = rename_score(c, a[i], b[j]);

			if (s)
				m[n++] = (struct lac_match){s, a[i], b[j]};
		}
	qsort(m, n, sizeof(*m), lac_match_order);
	for (size_t k = 0; k < n; k++)
		if (c->p.to_new[m[k].a] == LAC_NONE &&
		    c->p.to_old[m[k].b] == LAC_NONE) {
			tie(c, m[k].a, m[k].b);
			c->p.guessed[m[k].a] = true;
		}
	return LAC_OK;
}

enum lac_status lac_fields_pair(const struct lac_shape *a,
				const struct lac_shape *b,
				struct lac_arena *scratch,
				struct field_pairs *ret, struct lac_err *err)
{
	struct ctx c = {.a = a, .b = b, .scratch = scratch};

	c.p.to_new = lac_arena_zalloc(scratch, a->nfields, sizeof(uint32_t));
	c.p.to_old = lac_arena_zalloc(scratch, b->nfields, sizeof(uint32_t));
	c.p.guessed = lac_arena_zalloc(scratch, a->nfields, sizeof(bool));
	if (!c.p.to_new || !c.p.to_old || !c.p.guessed)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < a->nfields; i++)
		c.p.to_new[i] = LAC_NONE;
	for (uint32_t j = 0; j < b->nfields; j++)
		c.p.to_old[j] = LAC_NONE;
	LAC_TRY(pair_names(&c, err));
	LAC_TRY(pair_containers(&c, err));
	LAC_TRY(pair_renamed(&c, err));
	*ret = c.p;
	return LAC_OK;
}

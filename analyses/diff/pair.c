/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pair.c - which record of the new build is which of the old one.
 *
 * A name's layouts of both builds form a group.  Inside it every pair gets a
 * score: declared in the same file first, then equal, then alike; the best
 * pairs are taken.  Scores and tie-breaks do not change when the builds are
 * exchanged, so neither does the pairing.
 */
#include <stdlib.h>
#include <string.h>

#include "diff/internal.h"
#include "diff/match.h"

/* Beyond this many layouts of one name only equal ones are paired. */
#define MAX_GROUP 256

struct group {
	struct work *w;
	uint32_t *a, *b; /* items of one name, in an order of content */
	uint32_t na, nb;
};

static const char *file_part(const char *path, int parts)
{
	const char *p = path + strlen(path);

	while (p > path) {
		if (p[-1] == '/' && !--parts)
			return p;
		p--;
	}
	return p;
}

static const char *without_dot(const char *path)
{
	while (path[0] == '.' && path[1] == '/')
		path += 2;
	return path;
}

int lac_decl_agreement(const char *a, const char *b)
{
	if (!a || !b)
		return 1;
	a = without_dot(a);
	b = without_dot(b);
	if (!strcmp(a, b))
		return 3;
	if (!strcmp(file_part(a, 1), file_part(b, 1)))
		return strcmp(file_part(a, 2), file_part(b, 2)) ? 1 : 2;
	return 0;
}

/* More names than this say no more about likeness. */
#define MAX_NAMES 512

static uint32_t names(const struct lac_shape *s)
{
	uint32_t n = s->is_enum ? s->nvalues : s->nfields;

	return n < MAX_NAMES ? n : MAX_NAMES;
}

static const char *name_at(const struct lac_shape *s, uint32_t i)
{
	return s->is_enum ? s->values[i].name : s->fields[i].path;
}

static bool has_name(const struct lac_shape *s, const char *name)
{
	for (uint32_t i = 0; i < names(s); i++)
		if (!strcmp(name_at(s, i), name))
			return true;
	return false;
}

/* 0 to 100: how many of the names they share. */
static uint32_t likeness(const struct lac_shape *a, const struct lac_shape *b)
{
	uint32_t shared = 0, all = names(a) + names(b);

	for (uint32_t i = 0; i < names(a); i++)
		shared += has_name(b, name_at(a, i));
	if (2 * shared > all)
		shared = all / 2;
	return all ? 200 * shared / all : 100;
}

/* 0: they are not the same thing. */
static uint32_t score(const struct work *w, const struct item *a,
		      const struct item *b, bool only)
{
	uint32_t decl = (uint32_t)lac_decl_agreement(a->shape.decl_file,
						     b->shape.decl_file);
	bool equal = lac_shapes_equal(w, &a->shape, &b->shape);
	/* symmetric although has_name() on repeated names is not */
	uint32_t ab = likeness(&a->shape, &b->shape);
	uint32_t ba = likeness(&b->shape, &a->shape);
	uint32_t alike = ab < ba ? ab : ba;

	if (a->shape.is_enum != b->shape.is_enum)
		return 0;
	if (!a->shape.name && !equal && alike < (a->orphan ? 50 : 1))
		return 0;
	if (a->orphan && !equal &&
	    (!decl || !a->shape.decl_file || !b->shape.decl_file))
		return 0;
	/* in another file and nothing in common: only a name of its own ties */
	if (!decl && !equal && !alike && !only)
		return 0;
	return 1 + (a->shape.kind == b->shape.kind) * 1000000u +
	       decl * 100000u + equal * 50000u + alike * 100u +
	       (a->shape.size == b->shape.size) * 50u;
}

static void tie(struct work *w, uint32_t a, uint32_t b)
{
	w->a.items[a].pair = b;
	w->b.items[b].pair = a;
}

/* What nearly all records of two builds come to. */
static bool tie_equal(struct work *w, uint32_t a, uint32_t b)
{
	struct item *x = &w->a.items[a];

	if (!lac_shapes_equal(w, &x->shape, &w->b.items[b].shape))
		return false;
	tie(w, a, b);
	x->same = true;
	return true;
}

/* Equal ones of a large group, in order of their hashes. */
static void pair_equal(struct group *g)
{
	struct work *w = g->w;
	uint32_t i = 0, j = 0;

	while (i < g->na && j < g->nb) {
		struct item *a = &w->a.items[g->a[i]];
		struct item *b = &w->b.items[g->b[j]];

		if (a->shape.hash < b->shape.hash) {
			i++;
		} else if (a->shape.hash > b->shape.hash) {
			j++;
		} else {
			tie_equal(w, g->a[i], g->b[j]);
			i++;
			j++;
		}
	}
}

static uint32_t keep_unpaired(const struct side *s, uint32_t *list, uint32_t n)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < n; i++)
		if (s->items[list[i]].pair == LAC_NONE)
			list[kept++] = list[i];
	return kept;
}

static enum lac_status pair_group(struct group *g, struct lac_err *err)
{
	struct work *w = g->w;
	bool only = g->na == 1 && g->nb == 1;
	struct lac_match *c;
	size_t n = 0;

	if (g->na > MAX_GROUP || g->nb > MAX_GROUP) {
		pair_equal(g);
		g->na = keep_unpaired(&w->a, g->a, g->na);
		g->nb = keep_unpaired(&w->b, g->b, g->nb);
		g->na = g->na < MAX_GROUP ? g->na : MAX_GROUP;
		g->nb = g->nb < MAX_GROUP ? g->nb : MAX_GROUP;
	}
	if (!g->na || !g->nb)
		return LAC_OK;
	if (only && tie_equal(w, g->a[0], g->b[0]))
		return LAC_OK;
	c = malloc((size_t)g->na * g->nb * sizeof(*c));
	if (!c)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < g->na; i++)
		for (uint32_t j = 0; j < g->nb; j++) {
			uint32_t s = score(w, &w->a.items[g->a[i]],
					   &w->b.items[g->b[j]], only);

			if (s)
				c[n++] = (struct lac_match){s, i, j};
		}
	qsort(c, n, sizeof(*c), lac_match_order);
	for (size_t i = 0; i < n; i++) {
		uint32_t a = g->a[c[i].a], b = g->b[c[i].b];

		if (w->a.items[a].pair == LAC_NONE &&
		    w->b.items[b].pair == LAC_NONE)
			tie(w, a, b);
	}
	free(c);
	return LAC_OK;
}

static int name_order(const struct item *a, const struct item *b)
{
	if (a->shape.is_enum != b->shape.is_enum)
		return a->shape.is_enum ? 1 : -1;
	if (a->shape.by_typedef != b->shape.by_typedef)
		return a->shape.by_typedef ? 1 : -1;
	if (!a->shape.name || !b->shape.name)
		return (a->shape.name != NULL) - (b->shape.name != NULL);
	return strcmp(a->shape.name, b->shape.name);
}

static int item_order(const void *pa, const void *pb, void *ctx)
{
	const struct item *items = ctx;
	const struct item *a = &items[*(const uint32_t *)pa];
	const struct item *b = &items[*(const uint32_t *)pb];
	int c = name_order(a, b);

	if (c)
		return c;
	if (a->shape.hash != b->shape.hash)
		return a->shape.hash < b->shape.hash ? -1 : 1;
	c = strcmp(a->shape.decl_file ? a->shape.decl_file : "",
		   b->shape.decl_file ? b->shape.decl_file : "");
	if (c)
		return c;
	return a->id < b->id ? -1 : a->id > b->id;
}

enum lac_status lac_side_sort(struct side *s, struct lac_arena *scratch,
			      struct lac_err *err)
{
	s->by_name = lac_arena_zalloc(scratch, s->nitems, sizeof(uint32_t));
	if (!s->by_name)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < s->nitems; i++)
		s->by_name[i] = i;
	qsort_r(s->by_name, s->nitems, sizeof(uint32_t), item_order, s->items);
	return LAC_OK;
}

static uint32_t run_length(const struct side *s, const uint32_t *list,
			   uint32_t from)
{
	uint32_t n = from + 1;

	while (n < s->nitems &&
	       !name_order(&s->items[list[from]], &s->items[list[n]]))
		n++;
	return n - from;
}

enum lac_status lac_diff_pair(struct work *w, struct lac_err *err)
{
	uint32_t *la = w->a.by_name, *lb = w->b.by_name;
	uint32_t i = 0, j = 0;

	while (i < w->a.nitems && j < w->b.nitems) {
		struct group g = {.w = w, .a = la + i, .b = lb + j};
		int c = name_order(&w->a.items[la[i]], &w->b.items[lb[j]]);

		if (c <= 0)
			g.na = run_length(&w->a, la, i);
		if (c >= 0)
			g.nb = run_length(&w->b, lb, j);
		i += g.na;
		j += g.nb;
		LAC_TRY(pair_group(&g, err));
	}
	return LAC_OK;
}

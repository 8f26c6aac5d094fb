/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * twin.c - one record under several names, and one that is there twice.
 *
 * BTF has one anonymous struct where the source has several alike, with all
 * their typedefs; DWARF tells two records apart by types that their members
 * only point at.  Neither is a record more or less.
 */
#include <stdlib.h>
#include <string.h>

#include "diff/internal.h"

static int by_typedef_order(const void *key, const void *entry, void *ctx)
{
	const struct item *items = ctx;
	const struct lac_shape *s = &items[*(const uint32_t *)entry].shape;

	/* as by_name is sorted: records, then typedefs' records, then enums */
	if (s->is_enum || !s->by_typedef)
		return s->is_enum ? -1 : 1;
	return strcmp(key, s->name);
}

static bool has_typedef(const struct side *s, const char *name)
{
	uint32_t from = 0, to = s->nitems;

	while (from < to) {
		uint32_t mid = from + (to - from) / 2;
		int c = by_typedef_order(name, &s->by_name[mid], s->items);

		if (!c)
			return true;
		if (c > 0)
			from = mid + 1;
		else
			to = mid;
	}
	return false;
}

/* An item for a typedef that only the other side has one for. */
static uint32_t add_aliases(struct side *s, const struct side *other)
{
	const struct lac_graph *g = s->g;
	uint32_t n = s->nitems;

	for (uint32_t i = 0; i < g->naliases; i++) {
		const char *name = g->aliases[i].name;
		uint32_t at = s->item_of[g->aliases[i].record];
		struct item *to = &s->items[n];

		if (at == LAC_NONE || !s->items[at].shape.by_typedef ||
		    (n > s->nitems && !strcmp(to[-1].shape.name, name)) ||
		    !has_typedef(other, name) || has_typedef(s, name))
			continue;
		*to = s->items[at];
		to->shape.name = to->shape.label = name;
		n++;
	}
	return n;
}

enum lac_status lac_diff_add_aliases(struct work *w, struct lac_err *err)
{
	uint32_t na = add_aliases(&w->a, &w->b);
	uint32_t nb = add_aliases(&w->b, &w->a);

	if (na > w->a.nitems) {
		w->a.nitems = na;
		LAC_TRY(lac_side_sort(&w->a, w->a.scratch, err));
	}
	if (nb > w->b.nitems) {
		w->b.nitems = nb;
		LAC_TRY(lac_side_sort(&w->b, w->b.scratch, err));
	}
	return LAC_OK;
}

static bool same_file(const struct lac_shape *a, const struct lac_shape *b)
{
	return a->decl_file == b->decl_file ||
	       (a->decl_file && b->decl_file &&
		!strcmp(a->decl_file, b->decl_file));
}

/* Which file declares it is a difference if both builds tell it. */
static bool twins(const struct item *x, const struct item *y, bool mixed)
{
	const struct lac_shape *a = &x->shape, *b = &y->shape;

	return a->name && b->name && !strcmp(a->name, b->name) &&
	       a->by_typedef == b->by_typedef && (mixed || same_file(a, b)) &&
	       lac_shape_same_layout(a, b);
}

/* Stand the unpaired for their paired twins; equal ones are neighbours. */
static void find_twins(struct side *s, bool mixed)
{
	uint32_t last = LAC_NONE; /* the last one that is paired */

	for (int back = 0; back < 2; back++, last = LAC_NONE)
		for (uint32_t i = 0; i < s->nitems; i++) {
			uint32_t at =
				s->by_name[back ? s->nitems - 1 - i : i];
			struct item *x = &s->items[at];

			if (x->pair != LAC_NONE)
				last = at;
			else if (!x->twin && last != LAC_NONE &&
				 twins(x, &s->items[last], mixed)) {
				x->twin = true;
				*(x->shape.is_enum ? &s->enum_item_of[x->id]
						   : &s->item_of[x->id]) = last;
			}
		}
}

void lac_diff_find_twins(struct work *w)
{
	find_twins(&w->a, w->mixed);
	find_twins(&w->b, w->mixed);
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff_order.h"

#include <stdlib.h>
#include <string.h>

#define GONE UINT32_MAX
#define UNTOLD (UINT32_MAX - 1) /* no change is about it */

struct order {
	uint32_t n;	 /* fields of the old build */
	uint32_t *by_seq; /* them, in declared order */
	uint32_t *to;	 /* by place in that order: field of the new, or GONE */
	uint32_t *tail, *before; /* of the longest rising run */
	bool *stays;
};

/* What has no change of its own has the same path and place in both. */
static uint32_t unchanged(const struct lac_shape *b, const struct lac_field *f,
			  uint32_t *from)
{
	for (uint32_t k = 0; k < b->nfields; k++) {
		uint32_t i = (*from + k) % b->nfields;
		const struct lac_field *g = &b->fields[i];

		if (g->bit_offset != f->bit_offset || strcmp(g->path, f->path))
			continue;
		*from = i + 1;
		return i;
	}
	return GONE;
}

static void pair(const struct lac_record_diff *r, struct order *o)
{
	const struct lac_shape *a = r->old_shape, *b = r->new_shape;
	uint32_t from = 0;

	for (uint32_t i = 0; i < o->n; i++) {
		o->by_seq[a->fields[i].seq] = i;
		o->to[i] = UNTOLD;
	}
	for (uint32_t i = 0; i < r->nchanges; i++) {
		const struct lac_change *c = &r->changes[i];

		if (c->old_field == LAC_NONE ||
		    (c->new_field == LAC_NONE &&
		     c->class != LAC_CHANGE_MEMBER_REMOVED))
			continue;
		o->to[a->fields[c->old_field].seq] =
			c->new_field == LAC_NONE ? GONE : c->new_field;
	}
	for (uint32_t i = 0; i < o->n; i++) {
		const struct lac_field *f = &a->fields[o->by_seq[i]];

		if (f->unnamed) /* which has no line of its own */
			o->to[i] = GONE;
		else if (o->to[i] == UNTOLD)
			o->to[i] = unchanged(b, f, &from);
	}
}

/* The longest run of fields whose order is the same in both: they stay. */
static void find_staying(const struct lac_shape *b, struct order *o)
{
	uint32_t length = 0, at;

	for (uint32_t i = 0; i < o->n; i++) {
		uint32_t low = 0, high = length;

		if (o->to[i] == GONE)
			continue;
		while (low < high) {
			uint32_t mid = low + (high - low) / 2;

			if (b->fields[o->to[o->tail[mid]]].seq <
			    b->fields[o->to[i]].seq)
				low = mid + 1;
			else
				high = mid;
		}
		o->before[i] = low ? o->tail[low - 1] : GONE;
		o->tail[low] = i;
		length += low == length;
	}
	for (at = length ? o->tail[length - 1] : GONE; at != GONE;
	     at = o->before[at])
		o->stays[at] = true;
}

/*
 * The lines are in the order of places, in which the last field of a union's
 * last arm may be before some of another arm: behind the last of all those.
 */
static void find_behind(const struct lac_shape *b, const struct order *o,
			uint32_t *behind)
{
	uint32_t last = LAC_NONE;

	for (uint32_t i = 0; i < o->n; i++) {
		uint32_t to = o->to[i];

		if (o->stays[i] &&
		    (last == LAC_NONE ||
		     b->fields[to].bit_offset > b->fields[last].bit_offset ||
		     (b->fields[to].bit_offset == b->fields[last].bit_offset &&
		      to > last)))
			last = to;
		behind[o->by_seq[i]] = last;
	}
}

bool lac_diff_order(const struct lac_record_diff *r, uint32_t *behind)
{
	struct order o = { .n = r->old_shape->nfields };
	bool good, gone = false;

	for (uint32_t i = 0; i < r->nchanges && !gone; i++)
		gone = r->changes[i].class == LAC_CHANGE_MEMBER_REMOVED;
	if (!gone) /* nothing to put anywhere */
		return true;

	o.by_seq = calloc(o.n + 1u, sizeof(*o.by_seq));
	o.to = calloc(o.n + 1u, sizeof(*o.to));
	o.tail = calloc(o.n + 1u, sizeof(*o.tail));
	o.before = calloc(o.n + 1u, sizeof(*o.before));
	o.stays = calloc(o.n + 1u, sizeof(*o.stays));
	good = o.by_seq && o.to && o.tail && o.before && o.stays;
	if (good) {
		pair(r, &o);
		find_staying(r->new_shape, &o);
		find_behind(r->new_shape, &o, behind);
	}
	free(o.by_seq);
	free(o.to);
	free(o.tail);
	free(o.before);
	free(o.stays);
	return good;
}

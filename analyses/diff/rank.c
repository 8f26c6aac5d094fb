/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rank.c - what costs most comes first: live objects times bytes where a
 * slabinfo tells, then bytes of one object, lines, crossings.  By amount, not
 * by sign, so that a diff and its mirror have one order.
 */
#include <stdlib.h>
#include <string.h>

#include "diff/internal.h"

static uint64_t amount(int64_t v)
{
	return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

static uint64_t apart(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static uint64_t size_of(const struct lac_shape *s)
{
	return s && s->size != LAC_SIZE_UNKNOWN ? s->size : 0;
}

/* What only one build has comes last: it is no change of a cost. */
static int group(const struct lac_record_diff *r)
{
	return r->pairing == LAC_PAIR_ADDED || r->pairing == LAC_PAIR_REMOVED;
}

static const struct lac_shape *either(const struct lac_record_diff *r)
{
	return r->new_shape ? r->new_shape : r->old_shape;
}

static int by(uint64_t a, uint64_t b)
{
	return a > b ? -1 : a < b;
}

static int text_order(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int cost_order(const void *pa, const void *pb)
{
	const struct lac_record_diff *a = pa, *b = pb;
	const struct lac_shape *x = either(a), *y = either(b);
	int c = group(a) - group(b);

	if (!c)
		c = by(amount(a->live.bytes), amount(b->live.bytes));
	if (!c)
		c = by(apart(size_of(a->new_shape), size_of(a->old_shape)),
		       apart(size_of(b->new_shape), size_of(b->old_shape)));
	if (!c && a->old_shape && a->new_shape && b->old_shape &&
	    b->new_shape) {
		c = by(apart(a->new_shape->lines, a->old_shape->lines),
		       apart(b->new_shape->lines, b->old_shape->lines));
		if (!c)
			c = by(apart(a->new_shape->nstraddlers,
				     a->old_shape->nstraddlers),
			       apart(b->new_shape->nstraddlers,
				     b->old_shape->nstraddlers));
	}
	if (!c)
		c = text_order(x->label, y->label);
	if (!c)
		c = text_order(x->decl_file, y->decl_file);
	if (!c)
		c = by(x->hash, y->hash);
	return c ? c : (int)a->pairing - (int)b->pairing;
}

void lac_diff_rank(struct lac_diff *d)
{
	if (d->nrecords)
		qsort(d->records, d->nrecords, sizeof(*d->records),
		      cost_order);
}

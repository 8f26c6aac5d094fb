/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff/match.h"

int lac_match_order(const void *pa, const void *pb)
{
	const struct lac_match *a = pa, *b = pb;
	uint64_t sa = (uint64_t)a->a + a->b, sb = (uint64_t)b->a + b->b;
	uint32_t da = a->a > a->b ? a->a - a->b : a->b - a->a;
	uint32_t db = b->a > b->b ? b->a - b->b : b->b - b->a;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	if (sa != sb)
		return sa < sb ? -1 : 1;
	if (da != db)
		return da < db ? -1 : 1;
	/* the mirror of each other: they never exclude one another */
	return a->a < b->a ? -1 : a->a > b->a;
}

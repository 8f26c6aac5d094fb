/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pool.c - the rounds of all sizes of a test together.  A small effect that all
 * sizes share, as that of an instruction more, stands out of many rounds where
 * those of one size do not show it.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/timing.h"

static bool same_test(const struct lac_bench_result *a, const char *test)
{
	return a->has_times && !strcmp(a->cell.test, test);
}

static enum lac_status pool_test(struct lac_bench *b,
				 const struct lac_round_plan *plan,
				 const char *test, struct lac_err *err)
{
	struct lac_pooled *p = &b->pooled[b->npooled];
	struct lac_round *all;
	enum lac_status st;
	size_t n = 0;

	for (size_t i = 0; i < b->nresults; i++)
		if (same_test(&b->results[i], test)) {
			n += b->results[i].nrounds;
			p->sizes++;
		}
	if (p->sizes < 2) {
		p->sizes = 0;
		return LAC_OK;
	}
	all = calloc(n, sizeof(*all));
	if (!all)
		return lac_fail_memory(err);
	n = 0;
	for (size_t i = 0; i < b->nresults; i++) {
		const struct lac_bench_result *r = &b->results[i];

		if (!same_test(r, test))
			continue;
		memcpy(all + n, r->rounds, r->nrounds * sizeof(*all));
		n += r->nrounds;
	}
	p->test = test;
	st = lac_times_estimate(plan, all, n, &p->times, err);
	free(all);
	b->npooled += st == LAC_OK;
	return st;
}

enum lac_status lac_bench_pool(struct lac_bench *b,
			       const struct lac_round_plan *plan,
			       struct lac_err *err)
{
	b->pooled = lac_arena_zalloc(b->arena, b->nresults + 1,
				     sizeof(*b->pooled));
	if (!b->pooled)
		return lac_fail_memory(err);
	for (size_t i = 0; i < b->nresults; i++) {
		const char *test = b->results[i].cell.test;
		bool first = b->results[i].has_times;

		for (size_t k = 0; k < i; k++)
			first &= !same_test(&b->results[k], test);
		if (first)
			LAC_TRY(pool_test(b, plan, test, err));
	}
	return LAC_OK;
}

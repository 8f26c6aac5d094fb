/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

static void shuffle(struct lac_rng *r, unsigned *x, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t k = lac_rng_below(r, i);
		unsigned t = x[i - 1];

		x[i - 1] = x[k];
		x[k] = t;
	}
}

/* Independent numbers for each purpose and index. */
static struct lac_rng stream(uint64_t seed, uint64_t purpose, uint64_t index)
{
	struct lac_rng r = { seed ^ purpose << 56 };

	r.state = lac_rng_next(&r) ^ index;
	return r;
}

enum { BUILDS_MAX = 256 };

/* The builds of a run of nbuilds rounds, in a drawn order. */
static unsigned build_at(const struct lac_round_plan *p, unsigned round,
			 unsigned offset)
{
	unsigned n = p->nbuilds > BUILDS_MAX ? BUILDS_MAX : p->nbuilds;
	struct lac_rng r = stream(p->seed, 1, round / n);
	unsigned order[BUILDS_MAX];

	for (unsigned i = 0; i < n; i++)
		order[i] = i;
	shuffle(&r, order, n);
	return order[(round + offset) % n];
}

unsigned lac_round_build(const struct lac_round_plan *p, unsigned round)
{
	return build_at(p, round, 0);
}

size_t lac_round_slots(const struct lac_round_plan *p, unsigned round,
		       struct lac_slot slots[2 * LAC_NARMS])
{
	struct lac_rng r = stream(p->seed, 2, round);
	unsigned arms[LAC_NARMS];
	size_t n = 0;

	for (unsigned v = 0; v < LAC_NCELLS; v++)
		if (p->variants[v])
			arms[n++] = v;
	arms[n++] = LAC_ARM_AGAIN;
	if (p->nbuilds > 1)
		arms[n++] = LAC_ARM_REBUILT;
	shuffle(&r, arms, n);
	for (size_t i = 0; i < n; i++) {
		struct lac_slot s = { .arm = arms[i], .variant = p->base };

		if (arms[i] < LAC_NCELLS)
			s.variant = (enum lac_cell)arms[i];
		s.build = build_at(p, round, arms[i] == LAC_ARM_REBUILT);
		slots[i] = slots[2 * n - 1 - i] = s;
	}
	return 2 * n;
}

struct lac_round lac_round_collect(const struct lac_slot *slots, size_t n,
				   const struct lac_sample *samples)
{
	struct lac_round r = { 0 };

	for (size_t a = 0; a < LAC_NARMS; a++)
		for (size_t t = 0; t < LAC_NTIMES; t++)
			r.log_ns[a][t] = NAN;
	for (size_t i = 0; i < n / 2; i++) {
		const struct lac_sample *first = &samples[i];
		const struct lac_sample *second = &samples[n - 1 - i];

		if (slots[i].arm < LAC_NCELLS)
			r.build = slots[i].build;
		for (size_t t = 0; t < LAC_NTIMES; t++) {
			double x = first->time_ns[t], y = second->time_ns[t];

			/* NAN fails the test, too */
			if (x > 0 && y > 0)
				r.log_ns[slots[i].arm][t] =
					(log(x) + log(y)) / 2;
		}
	}
	return r;
}

/* A linear combination of the arms of a round. */
struct contrast {
	double weight[LAC_NARMS];
};

static double apply(const struct contrast *c, const struct lac_round *r,
		    size_t stat)
{
	double sum = 0;

	for (size_t a = 0; a < LAC_NARMS; a++)
		if (c->weight[a] != 0)
			sum += c->weight[a] * r->log_ns[a][stat];
	return sum;
}

/* exp of the median of a contrast over the rounds, by each statistic. */
static enum lac_status estimate(const struct contrast *c,
				const struct lac_round *rounds, size_t n,
				uint64_t seed,
				struct lac_interval ret[LAC_NTIMES],
				struct lac_err *err)
{
	struct lac_observation *x = calloc(n + 1, sizeof(*x));
	struct lac_bootstrap o = { .seed = seed };
	enum lac_status st = x ? LAC_OK : lac_fail_memory(err);

	for (size_t t = 0; t < LAC_NTIMES && st == LAC_OK; t++) {
		for (size_t i = 0; i < n; i++)
			x[i] = (struct lac_observation){
				apply(c, &rounds[i], t), rounds[i].build
			};
		st = lac_bootstrap_median(x, n, &o, &ret[t], err);
		if (st == LAC_OK)
			ret[t] = lac_interval_exp(ret[t]);
	}
	free(x);
	return st;
}

static struct contrast between(unsigned arm, unsigned base)
{
	struct contrast c = { { 0 } };

	c.weight[arm] = 1;
	c.weight[base] = -1;
	return c;
}

/* The weights of lac_effects_2x2(), read off by giving it unit vectors. */
static void effect_contrasts(struct contrast ret[3])
{
	memset(ret, 0, 3 * sizeof(*ret));
	for (size_t v = 0; v < LAC_NCELLS; v++) {
		double unit[LAC_NCELLS] = { 0 };
		struct lac_effects e;

		unit[v] = 1;
		e = lac_effects_2x2(unit);
		ret[0].weight[v] = e.size;
		ret[1].weight[v] = e.update;
		ret[2].weight[v] = e.interaction;
	}
}

static enum lac_status compare(const struct contrast *c,
			       const struct lac_round *rounds, size_t n,
			       uint64_t seed, const struct lac_times *t,
			       struct lac_comparison *ret, struct lac_err *err)
{
	LAC_TRY(estimate(c, rounds, n, seed, ret->ratio, err));
	ret->verdict = lac_resolve(ret->ratio, t->null, LAC_NTIMES);
	return LAC_OK;
}

static enum lac_status estimate_controls(const struct lac_round_plan *p,
					 const struct lac_round *rounds,
					 size_t n, struct lac_times *t,
					 struct lac_err *err)
{
	struct contrast again = between(LAC_ARM_AGAIN, p->base);
	struct contrast rebuilt = between(LAC_ARM_REBUILT, p->base);

	LAC_TRY(estimate(&again, rounds, n, p->seed, t->again.ratio, err));
	/* without a second build: NANs, and so a null range without end */
	LAC_TRY(estimate(&rebuilt, rounds, n, p->seed, t->rebuilt.ratio, err));
	for (size_t k = 0; k < LAC_NTIMES; k++) {
		struct lac_interval both[] = { t->again.ratio[k],
					       t->rebuilt.ratio[k] };

		t->null[k] = lac_null_range(both, 2, 1);
	}
	return LAC_OK;
}

enum lac_status lac_times_estimate(const struct lac_round_plan *p,
				   const struct lac_round *rounds, size_t n,
				   struct lac_times *ret, struct lac_err *err)
{
	struct lac_times t = { .rounds = (unsigned)n, .has_effects = true };
	struct contrast effects[3];

	LAC_TRY(estimate_controls(p, rounds, n, &t, err));
	for (unsigned v = 0; v < LAC_NCELLS; v++) {
		struct contrast level = { { 0 } }, ratio = between(v, p->base);

		t.has_effects &= p->variants[v];
		if (!p->variants[v])
			continue;
		level.weight[v] = 1;
		LAC_TRY(estimate(&level, rounds, n, p->seed, t.ns[v], err));
		if (v != p->base)
			LAC_TRY(compare(&ratio, rounds, n, p->seed, &t,
					&t.ratio[v], err));
	}
	if (t.has_effects) {
		effect_contrasts(effects);
		LAC_TRY(compare(&effects[0], rounds, n, p->seed, &t, &t.size,
				err));
		LAC_TRY(compare(&effects[1], rounds, n, p->seed, &t, &t.update,
				err));
		LAC_TRY(compare(&effects[2], rounds, n, p->seed, &t,
				&t.interaction, err));
	}
	*ret = t;
	return LAC_OK;
}

static bool outside(const struct lac_interval *i, const struct lac_interval *null)
{
	return i->low > null->high || i->high < null->low;
}

bool lac_times_deceives(const struct lac_times *t, const struct lac_comparison *c)
{
	return c->verdict == LAC_NOT_RESOLVED &&
	       outside(&c->ratio[LAC_CPU_MEDIAN], &t->null[LAC_CPU_MEDIAN]);
}

const char *lac_times_why(const struct lac_times *t,
			  const struct lac_comparison *c,
			  struct lac_arena *arena)
{
	const char *why = "";

	if (c->verdict != LAC_NOT_RESOLVED)
		return "";
	if (isnan(c->ratio[LAC_CPU_MEDIAN].low))
		return "there are too few rounds or builds for an interval";
	if (isinf(t->null[LAC_CPU_MEDIAN].high))
		return "the controls have no interval";
	for (int k = 0; k < LAC_NTIMES && why; k++) {
		const struct lac_interval *i = &c->ratio[k];
		const struct lac_interval *null = &t->null[k];

		if (outside(i, null))
			continue;
		why = lac_arena_printf(
			arena,
			"%s%s%s: %.3f [%.3f, %.3f], the controls %.3f to %.3f",
			why, *why ? "; " : "", lac_time_stat_titles[k],
			i->value, i->low, i->high, null->low, null->high);
	}
	return !why || *why ? why : "the clocks differ in the direction";
}

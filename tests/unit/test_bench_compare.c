/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The protocol of the comparisons on synthetic machines, whose truth is known:
 * drift, outliers, slow modes, placement, lost blocks.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "bench/compare.h"

static double normal(struct lac_rng *r)
{
	double u = lac_rng_unit(r), v = lac_rng_unit(r);

	return sqrt(-2 * log(1 - u)) * cos(2 * M_PI * v);
}

/* A machine to measure on; all effects as logarithms. */
struct machine {
	struct lac_rng rng;
	double effect[LAC_NCELLS]; /* the truth */
	double noise;	 /* of a process */
	double placement; /* of a build, drawn once */
	double drift;	 /* from one process to the next */
	double outliers; /* share of processes 1.6 times as slow */
	double lost;	 /* share of processes without a CPU time */
	double clock;
	double built[LAC_NCELLS][64];
};

static void build_all(struct machine *m)
{
	for (int v = 0; v < LAC_NCELLS; v++)
		for (int b = 0; b < 64; b++)
			m->built[v][b] = m->placement * normal(&m->rng);
}

static struct lac_sample run_process(struct machine *m, struct lac_slot s)
{
	struct lac_sample out = { .variant = s.variant, .build = s.build };
	double x = log(20) + m->effect[s.variant] +
		   m->built[s.variant][s.build] + m->noise * normal(&m->rng) +
		   m->clock;

	m->clock += m->drift;
	if (lac_rng_unit(&m->rng) < m->outliers)
		x += log(1.6);
	for (int t = 0; t < LAC_NTIMES; t++)
		out.time_ns[t] = exp(x + m->noise / 4 * normal(&m->rng));
	if (lac_rng_unit(&m->rng) < m->lost)
		out.time_ns[LAC_CPU_Q10] = NAN;
	return out;
}

static struct lac_times measure(struct machine *m, unsigned nbuilds,
				unsigned nrounds, uint64_t seed)
{
	struct lac_round_plan p = { .seed = seed,
				    .variants = { true, true, true, true },
				    .nbuilds = nbuilds };
	struct lac_round *rounds = calloc(nrounds, sizeof(*rounds));
	struct lac_times t;
	struct lac_err err;

	assert_non_null(rounds);
	for (unsigned i = 0; i < nrounds; i++) {
		struct lac_slot slots[2 * LAC_NARMS];
		struct lac_sample samples[2 * LAC_NARMS];
		size_t n = lac_round_slots(&p, i, slots);

		for (size_t k = 0; k < n; k++)
			samples[k] = run_process(m, slots[k]);
		rounds[i] = lac_round_collect(slots, n, samples);
	}
	assert_int_equal(lac_times_estimate(&p, rounds, nrounds, &t, &err),
			 LAC_OK);
	free(rounds);
	return t;
}

/* Like the machine that the protocol was tried on, and somewhat worse. */
static struct machine ordinary(uint64_t seed)
{
	struct machine m = { .rng = { seed },
			     .noise = 0.02,
			     .placement = 0.015,
			     .drift = 0.001,
			     .outliers = 0.05 };

	build_all(&m);
	return m;
}

static void test_slots(void **state)
{
	struct lac_round_plan p = { .seed = 3,
				    .variants = { true, false, true, true },
				    .nbuilds = 5 };
	unsigned orders = 0;
	struct lac_slot last[2 * LAC_NARMS] = { { 0 } };

	(void)state;
	for (unsigned round = 0; round < 40; round++) {
		struct lac_slot s[2 * LAC_NARMS];
		size_t n = lac_round_slots(&p, round, s);
		unsigned build = lac_round_build(&p, round);
		int seen[LAC_NARMS] = { 0 };

		assert_int_equal(n, 10); /* three variants, two controls */
		for (size_t i = 0; i < n; i++) {
			/* mirrored: any two arms stand as ABBA or BAAB */
			assert_memory_equal(&s[i], &s[n - 1 - i], sizeof(*s));
			seen[s[i].arm]++;
			assert_true(s[i].build < 5);
			if (s[i].arm == LAC_ARM_REBUILT)
				assert_int_not_equal(s[i].build, build);
			else
				assert_int_equal(s[i].build, build);
			if (s[i].arm >= LAC_NCELLS)
				assert_int_equal(s[i].variant, LAC_ALIGNED_CAS);
		}
		for (int a = 0; a < LAC_NARMS; a++)
			assert_int_equal(seen[a], a == 1 ? 0 : 2);
		orders += memcmp(last, s, sizeof(*s) * n) != 0;
		memcpy(last, s, sizeof(*s) * n);
	}
	assert_true(orders > 30); /* drawn anew for each round */
}

static void test_builds_are_used_evenly(void **state)
{
	struct lac_round_plan p = { .seed = 8,
				    .variants = { true, true, true, true },
				    .nbuilds = 7 };
	int seen[7] = { 0 };

	(void)state;
	for (unsigned round = 0; round < 21; round++) {
		seen[lac_round_build(&p, round)]++;
		if (round % 7 == 6)
			for (int b = 0; b < 7; b++)
				assert_int_equal(seen[b], round / 7 + 1);
	}
}

static void test_one_build_resolves_nothing(void **state)
{
	struct machine m = ordinary(4);
	struct lac_times t;

	(void)state;
	m.effect[LAC_PACKED_CAS] = log(3);
	t = measure(&m, 1, 30, 1);
	assert_int_equal(t.ratio[LAC_PACKED_CAS].verdict, LAC_NOT_RESOLVED);
	assert_true(isinf(t.null[LAC_CPU_MEDIAN].high));
}

/* Drift cancels within a round, whatever the order drawn. */
static void test_drift_cancels(void **state)
{
	struct machine m = { .rng = { 2 }, .drift = 0.01 };
	struct lac_times t = measure(&m, 8, 8, 5);

	(void)state;
	assert_true(fabs(t.ratio[LAC_PACKED_LOCK].ratio[0].value - 1) < 1e-9);
	assert_true(fabs(t.again.ratio[0].value - 1) < 1e-9);
	assert_true(fabs(t.interaction.ratio[2].value - 1) < 1e-9);
}

/* Same against same, realigned builds included: no more than 5 % resolved. */
static void test_same_against_same(void **state)
{
	int resolved = 0, comparisons = 0;

	(void)state;
	for (uint64_t seed = 0; comparisons < 210; seed++) {
		struct machine m = ordinary(seed);
		struct lac_times t = measure(&m, 8, 8, seed);

		for (int v = 1; v < LAC_NCELLS; v++) {
			resolved += t.ratio[v].verdict != LAC_NOT_RESOLVED;
			comparisons++;
		}
		resolved += t.size.verdict != LAC_NOT_RESOLVED;
		resolved += t.update.verdict != LAC_NOT_RESOLVED;
		resolved += t.interaction.verdict != LAC_NOT_RESOLVED;
		comparisons += 3;
	}
	if (resolved * 20 > comparisons)
		fail_msg("%d of %d", resolved, comparisons);
}

/* A slowdown of half is found with six rounds, the least there may be. */
static void test_large_effect_with_six_rounds(void **state)
{
	int found = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 40; seed++) {
		struct machine m = ordinary(seed);
		struct lac_times t;

		m.outliers = 0.02;
		m.effect[LAC_PACKED_LOCK] = log(1.5);
		t = measure(&m, 8, 6, seed);
		found += t.ratio[LAC_PACKED_LOCK].verdict == LAC_SLOWER;
		assert_int_not_equal(t.ratio[LAC_PACKED_LOCK].verdict,
				     LAC_FASTER);
	}
	if (found < 34)
		fail_msg("found in %d of 40", found);
}

/* Five per cent, with the rounds of --thorough. */
static void test_five_per_cent_when_thorough(void **state)
{
	int found = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct machine m = ordinary(seed + 100);
		struct lac_times t;

		m.effect[LAC_ALIGNED_LOCK] = m.effect[LAC_PACKED_LOCK] =
			log(1.05);
		t = measure(&m, 12, 64, seed);
		found += t.update.verdict == LAC_SLOWER;
		assert_int_not_equal(t.update.verdict, LAC_FASTER);
	}
	if (found < 18)
		fail_msg("found in %d of 20", found);
}

/* Truth comes back where there is no noise, and the 2 x 2 comes apart. */
static void test_effects_come_apart(void **state)
{
	struct machine m = { .rng = { 6 } };
	struct lac_times t;

	(void)state;
	m.effect[LAC_ALIGNED_LOCK] = log(1.2);
	m.effect[LAC_PACKED_CAS] = log(0.9);
	m.effect[LAC_PACKED_LOCK] = log(1.2 * 0.9 * 1.1);
	t = measure(&m, 8, 8, 5);
	assert_true(t.has_effects);
	assert_true(fabs(t.size.ratio[1].value - 0.9 * sqrt(1.1)) < 1e-9);
	assert_true(fabs(t.update.ratio[1].value - 1.2 * sqrt(1.1)) < 1e-9);
	assert_true(fabs(t.interaction.ratio[1].value - 1.1) < 1e-9);
	assert_true(fabs(t.ns[LAC_ALIGNED_LOCK][1].value - 24) < 1e-9);
	assert_int_equal(t.size.verdict, LAC_FASTER);
	assert_int_equal(t.update.verdict, LAC_SLOWER);
}

/*
 * Why something is not resolved names each clock that stands against it, and
 * only what looks resolved by the clock that is shown deceives.
 */
static void test_why(void **state)
{
	struct lac_times t = { .rounds = 8 };
	struct lac_comparison c = { 0 };
	struct lac_arena *arena = lac_arena_create();

	(void)state;
	assert_non_null(arena);
	for (int k = 0; k < LAC_NTIMES; k++) {
		t.null[k] = (struct lac_interval){ 1, 0.98, 1.02, 8, 8 };
		c.ratio[k] = (struct lac_interval){ 1.1, 1.05, 1.2, 8, 8 };
	}
	c.verdict = lac_resolve(c.ratio, t.null, LAC_NTIMES);
	assert_int_equal(c.verdict, LAC_SLOWER);
	assert_string_equal(lac_times_why(&t, &c, arena), "");
	assert_false(lac_times_deceives(&t, &c));

	t.null[LAC_WALL_MEDIAN].high = 1.06;
	c.verdict = lac_resolve(c.ratio, t.null, LAC_NTIMES);
	assert_int_equal(c.verdict, LAC_NOT_RESOLVED);
	assert_true(lac_times_deceives(&t, &c));
	assert_string_equal(lac_times_why(&t, &c, arena),
			    "wall time: 1.100 [1.050, 1.200], the controls "
			    "0.980 to 1.060");
	t.null[LAC_CPU_MEDIAN].high = 1.06;
	c.verdict = lac_resolve(c.ratio, t.null, LAC_NTIMES);
	assert_false(lac_times_deceives(&t, &c));
	assert_string_equal(lac_times_why(&t, &c, arena),
			    "middle CPU time: 1.100 [1.050, 1.200], the controls "
			    "0.980 to 1.060; wall time: 1.100 [1.050, 1.200], "
			    "the controls 0.980 to 1.060");

	t.null[LAC_CPU_MEDIAN].high = t.null[LAC_WALL_MEDIAN].high = 1.02;
	c.ratio[LAC_WALL_MEDIAN] = (struct lac_interval){ 0.9, 0.8, 0.95, 8, 8 };
	c.verdict = lac_resolve(c.ratio, t.null, LAC_NTIMES);
	assert_string_equal(lac_times_why(&t, &c, arena),
			    "the clocks differ in the direction");
	c.ratio[LAC_CPU_MEDIAN].low = NAN;
	assert_non_null(strstr(lac_times_why(&t, &c, arena), "too few rounds"));
	assert_false(lac_times_deceives(&t, &c));
	lac_arena_destroy(arena);
}

/* A process without a CPU time is counted as lost, in that statistic only. */
static void test_lost_values(void **state)
{
	struct machine m = ordinary(12);
	struct lac_times t;

	(void)state;
	m.lost = 0.2;
	t = measure(&m, 8, 32, 5);
	assert_int_equal(t.ratio[1].ratio[LAC_CPU_MEDIAN].n, 32);
	assert_true(t.ratio[1].ratio[LAC_CPU_Q10].n < 30);
	assert_true(t.ratio[1].ratio[LAC_CPU_Q10].n > 3);
	m.lost = 1;
	t = measure(&m, 8, 8, 5);
	assert_true(isnan(t.ratio[1].ratio[LAC_CPU_Q10].value));
	assert_int_equal(t.ratio[1].verdict, LAC_NOT_RESOLVED);
}

static void test_seeded(void **state)
{
	struct machine a = ordinary(1), b = ordinary(1);
	struct lac_times x = measure(&a, 8, 8, 5), y = measure(&b, 8, 8, 5);

	(void)state;
	assert_true(x.ratio[1].ratio[1].low == y.ratio[1].ratio[1].low);
	assert_true(x.size.ratio[1].high == y.size.ratio[1].high);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slots),
		cmocka_unit_test(test_builds_are_used_evenly),
		cmocka_unit_test(test_one_build_resolves_nothing),
		cmocka_unit_test(test_drift_cancels),
		cmocka_unit_test(test_same_against_same),
		cmocka_unit_test(test_large_effect_with_six_rounds),
		cmocka_unit_test(test_five_per_cent_when_thorough),
		cmocka_unit_test(test_effects_come_apart),
		cmocka_unit_test(test_lost_values),
		cmocka_unit_test(test_why),
		cmocka_unit_test(test_seeded),
	};

	return cmocka_run_group_tests_name("bench_compare", tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Known answers, naive twins, and properties over random samples. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "stats/stats.h"

static void near(double a, double b)
{
	if (fabs(a - b) > 1e-9 * (1 + fabs(b)))
		fail_msg("%.12g is not %.12g", a, b);
}

static void test_quantiles(void **state)
{
	/* R: quantile(c(1, 3, 4, 10), c(0, .1, .5, .9, 1)) */
	double x[] = { 10, NAN, 3, 1, 4 };
	static const double q[] = { 0, 0.1, 0.5, 0.9, 1 };
	static const double want[] = { 1, 1.6, 3.5, 8.2, 10 };
	double none[] = { NAN, NAN };

	(void)state;
	for (size_t i = 0; i < 5; i++)
		near(lac_quantile(x, 5, q[i]), want[i]);
	assert_true(isnan(lac_median(none, 2)));
	assert_true(isnan(lac_median(none, 0)));
}

/* The definition: half of the sample on either side. */
static void test_median_property(void **state)
{
	struct lac_rng r = { 7 };
	double x[40];

	(void)state;
	for (int round = 0; round < 500; round++) {
		size_t n = 1 + lac_rng_below(&r, 40), below = 0, above = 0;
		double m;

		for (size_t i = 0; i < n; i++)
			x[i] = (double)lac_rng_below(&r, 20);
		m = lac_median(x, n);
		for (size_t i = 0; i < n; i++) {
			below += x[i] < m;
			above += x[i] > m;
		}
		assert_true(below <= n / 2 && above <= n / 2);
	}
}

/* A naive twin: every way to resample three clusters... of six, by hand. */
struct listed {
	const double *x;
};

static double mean_of_picked(void *context, const uint32_t *picked, size_t n)
{
	const struct listed *l = context;
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += l->x[picked[i]];
	return sum / (double)n;
}

static double normal(struct lac_rng *r)
{
	double u = lac_rng_unit(r), v = lac_rng_unit(r);

	return sqrt(-2 * log(1 - u)) * cos(2 * M_PI * v);
}

/*
 * For a mean of many the interval is known: mean +- t * s / sqrt(n).  It must
 * come out of the resampling within its own noise.
 */
static void test_interval_of_mean(void **state)
{
	enum { N = 30 };
	struct lac_bootstrap o = { .seed = 3, .resamples = 20000 };
	struct lac_rng r = { 11 };
	double x[N], mean = 0, ss = 0, half;
	struct listed l = { x };
	struct lac_interval i;
	struct lac_err err;

	(void)state;
	for (int k = 0; k < N; k++)
		mean += (x[k] = 5 + normal(&r)) / N;
	for (int k = 0; k < N; k++)
		ss += (x[k] - mean) * (x[k] - mean);
	half = 2.0452 * sqrt(ss / (N - 1) / N); /* t, 29 degrees */
	assert_int_equal(lac_bootstrap(mean_of_picked, &l, N, &o, &i, &err),
			 LAC_OK);
	near(i.value, mean);
	assert_true(fabs(i.low - (mean - half)) < 0.06 * half);
	assert_true(fabs(i.high - (mean + half)) < 0.06 * half);
}

static struct lac_interval interval_of(const struct lac_observation *x,
				       size_t n, uint64_t seed)
{
	struct lac_bootstrap o = { .seed = seed };
	struct lac_interval i;
	struct lac_err err;

	assert_int_equal(lac_bootstrap_median(x, n, &o, &i, &err), LAC_OK);
	return i;
}

static void test_interval_invariants(void **state)
{
	struct lac_rng r = { 5 };

	(void)state;
	for (int round = 0; round < 60; round++) {
		size_t n = lac_rng_below(&r, 40), have = 0;
		struct lac_observation x[40];
		double values[40];
		struct lac_interval i, again;

		for (size_t k = 0; k < n; k++) {
			x[k].cluster = (uint32_t)lac_rng_below(&r, 12) * 1000;
			x[k].x = lac_rng_below(&r, 8) ? normal(&r) : NAN;
			if (!isnan(x[k].x))
				values[have++] = x[k].x;
		}
		i = interval_of(x, n, 1);
		again = interval_of(x, n, 1);
		assert_memory_equal(&i, &again, sizeof(i));
		assert_int_equal(i.n, have);
		if (have)
			near(i.value, lac_median(values, have));
		else
			assert_true(isnan(i.value));
		if (i.nclusters < LAC_CLUSTERS_MIN)
			assert_true(isnan(i.low) && isnan(i.high));
		else
			assert_true(i.low <= i.value && i.value <= i.high);
	}
}

/* Six clusters: the interval may not be narrower than all of them. */
static void test_few_clusters(void **state)
{
	struct lac_observation x[6] = { { 1, 0 }, { 2, 1 }, { 4, 2 },
					{ 8, 3 }, { 16, 4 }, { 32, 5 } };
	struct lac_interval i = interval_of(x, 6, 1);

	(void)state;
	assert_true(i.low <= 1.5 && i.high >= 20);
	i = interval_of(x, 5, 1);
	near(i.value, 4);
	assert_true(isnan(i.low));
}

/* What a cluster shares must not pass for many independent observations. */
static void test_clusters_are_what_counts(void **state)
{
	enum { CLUSTERS = 8, EACH = 5, ROUNDS = 100 };
	struct lac_observation apart[CLUSTERS * EACH], shared[CLUSTERS * EACH];
	struct lac_rng r = { 9 };
	int missed_apart = 0, missed_shared = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct lac_interval i;

		for (uint32_t c = 0; c < CLUSTERS; c++) {
			double of_cluster = normal(&r);

			for (uint32_t k = 0; k < EACH; k++) {
				double v = of_cluster + normal(&r) / 4;
				uint32_t at = c * EACH + k;

				apart[at] = (struct lac_observation){ v, at };
				shared[at] = (struct lac_observation){ v, c };
			}
		}
		i = interval_of(shared, CLUSTERS * EACH, (uint64_t)round);
		missed_shared += i.low > 0 || i.high < 0;
		i = interval_of(apart, CLUSTERS * EACH, 1);
		missed_apart += i.low > 0 || i.high < 0;
	}
	/* 95 % intervals miss in 5 %; without clusters in far more. */
	assert_true(missed_shared <= ROUNDS * 11 / 100);
	assert_true(missed_apart >= ROUNDS * 25 / 100);
}

/* Coverage over sample sizes, with outliers of the kind that machines make. */
static void test_coverage(void **state)
{
	static const size_t sizes[] = { 6, 8, 12, 24 };
	struct lac_rng r = { 1 };

	(void)state;
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		enum { ROUNDS = 200 };
		struct lac_observation x[24];
		int missed = 0;

		for (int round = 0; round < ROUNDS; round++) {
			struct lac_interval i;

			for (uint32_t k = 0; k < sizes[s]; k++) {
				double v = 0.03 * normal(&r);

				if (lac_rng_below(&r, 20) == 0)
					v += normal(&r);
				x[k] = (struct lac_observation){ v, k };
			}
			i = interval_of(x, sizes[s], (uint64_t)round);
			missed += i.low > 0 || i.high < 0;
		}
		/* 5 % of 200 are 10; 20 are 3.2 standard deviations more. */
		if (missed > 20)
			fail_msg("n = %zu: %d of %d intervals miss", sizes[s],
				 missed, ROUNDS);
	}
}

static void test_resolve(void **state)
{
	struct lac_interval null[3], x[3], nan = { 1.5, NAN, NAN, 3, 3 };
	struct lac_interval controls[] = { { 1.01, 0.99, 1.03, 9, 9 },
					   { 1.02, 1.01, 1.04, 9, 9 } };

	(void)state;
	null[0] = lac_null_range(controls, 2, 1);
	near(null[0].low, 0.99);
	near(null[0].high, 1.04);
	near(lac_null_range(&controls[1], 1, 1).low, 1); /* 1 belongs to it */
	null[1] = null[2] = null[0];
	for (int i = 0; i < 3; i++)
		x[i] = (struct lac_interval){ 1.06, 1.05, 1.07, 9, 9 };
	assert_int_equal(lac_resolve(x, null, 3), LAC_SLOWER);
	x[2] = (struct lac_interval){ 1.06, 1.04, 1.07, 9, 9 };
	assert_int_equal(lac_resolve(x, null, 3), LAC_NOT_RESOLVED);
	x[2] = (struct lac_interval){ 0.9, 0.8, 0.95, 9, 9 };
	assert_int_equal(lac_resolve(x, null, 3), LAC_NOT_RESOLVED);
	x[0] = x[1] = x[2];
	assert_int_equal(lac_resolve(x, null, 3), LAC_FASTER);
	x[1] = nan;
	assert_int_equal(lac_resolve(x, null, 3), LAC_NOT_RESOLVED);
	null[1] = lac_null_range(&nan, 1, 1);
	x[1] = x[0];
	assert_int_equal(lac_resolve(x, null, 3), LAC_NOT_RESOLVED);
	assert_int_equal(lac_resolve(x, null, 0), LAC_NOT_RESOLVED);
}

static void test_effects(void **state)
{
	/* base 10, packing +1, lock +3, and 0.5 more where both meet */
	static const double x[LAC_NCELLS] = {
		[LAC_ALIGNED_CAS] = 10,
		[LAC_ALIGNED_LOCK] = 13,
		[LAC_PACKED_CAS] = 11,
		[LAC_PACKED_LOCK] = 14.5,
	};
	struct lac_effects e = lac_effects_2x2(x);

	(void)state;
	near(e.size, 1.25);
	near(e.update, 3.25);
	near(e.interaction, 0.5);
	/* The corner of 2013 mixes them: it is all of both. */
	near(x[LAC_PACKED_LOCK] - x[LAC_ALIGNED_CAS], e.size + e.update);
}

/* Ranks by counting, correlation by its textbook formula. */
static double spearman_naive(const double *x, const double *y, size_t n)
{
	double rx[32], ry[32], sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;

	for (size_t i = 0; i < n; i++) {
		rx[i] = ry[i] = 0.5;
		for (size_t k = 0; k < n; k++) {
			rx[i] += x[k] < x[i] ? 1 : x[k] == x[i] ? 0.5 : 0;
			ry[i] += y[k] < y[i] ? 1 : y[k] == y[i] ? 0.5 : 0;
		}
		sx += rx[i];
		sy += ry[i];
		sxx += rx[i] * rx[i];
		syy += ry[i] * ry[i];
		sxy += rx[i] * ry[i];
	}
	return ((double)n * sxy - sx * sy) /
	       sqrt(((double)n * sxx - sx * sx) * ((double)n * syy - sy * sy));
}

static void test_spearman(void **state)
{
	/* Wikipedia's worked example (IQ and hours of television): -29/165 */
	static const double iq[] = { 106, 100, 86, 101, 99,
				     103, 97,  113, 112, 110 };
	static const double tv[] = { 7, 27, 2, 50, 28, 29, 20, 12, 6, 17 };
	static const uint32_t own[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 };
	struct lac_bootstrap o = { .seed = 2 };
	struct lac_rng r = { 3 };
	double scratch[64], x[32], y[32];
	struct lac_interval i;
	struct lac_err err;

	(void)state;
	near(lac_spearman(iq, tv, 10, scratch), -29.0 / 165);
	assert_int_equal(lac_spearman_bootstrap(iq, tv, own, 10, &o, &i, &err),
			 LAC_OK);
	near(i.value, -29.0 / 165);
	assert_true(i.low < i.value && i.value < i.high);
	assert_true(i.low >= -1 && i.high <= 1);
	assert_true(i.low < -0.5 && i.high > 0.3); /* ten pairs say little */
	for (int round = 0; round < 200; round++) {
		size_t n = 3 + lac_rng_below(&r, 29);
		bool vx = false, vy = false;

		for (size_t k = 0; k < n; k++) {
			x[k] = (double)lac_rng_below(&r, 9);
			y[k] = (double)lac_rng_below(&r, 9);
			vx |= x[k] != x[0];
			vy |= y[k] != y[0];
		}
		if (vx && vy)
			near(lac_spearman(x, y, n, scratch),
			     spearman_naive(x, y, n));
		else
			assert_true(isnan(lac_spearman(x, y, n, scratch)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quantiles),
		cmocka_unit_test(test_median_property),
		cmocka_unit_test(test_interval_of_mean),
		cmocka_unit_test(test_interval_invariants),
		cmocka_unit_test(test_few_clusters),
		cmocka_unit_test(test_clusters_are_what_counts),
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_resolve),
		cmocka_unit_test(test_effects),
		cmocka_unit_test(test_spearman),
	};

	return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "stats/stats.h"

static double normal_cdf(double z)
{
	return erfc(-z / sqrt(2)) / 2;
}

/* By bisection: called once an interval, and without tables to get wrong. */
static double normal_quantile(double p)
{
	double low = -40, high = 40;

	for (int i = 0; i < 80; i++) {
		double mid = (low + high) / 2;

		if (normal_cdf(mid) < p)
			low = mid;
		else
			high = mid;
	}
	return (low + high) / 2;
}

/*
 * Student's t from the normal quantile z: the expansion of Cornish and Fisher
 * (Abramowitz and Stegun 26.7.5).  At five degrees of freedom, the least that
 * is asked for, it is 0.2 % low.
 */
static double t_quantile(double z, double df)
{
	double z2 = z * z;

	return z +
	       z * (z2 + 1) / (4 * df) +
	       z * ((5 * z2 + 16) * z2 + 3) / (96 * df * df) +
	       z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * pow(df, 3));
}

/* The area that the interval leaves out on either side. */
static double tail_area(double level, size_t nclusters)
{
	double n = (double)nclusters;
	double z = normal_quantile((1 + level) / 2);

	return normal_cdf(-sqrt(n / (n - 1)) * t_quantile(z, n - 1));
}

enum lac_status lac_bootstrap(lac_statistic statistic, void *context,
			      size_t nclusters, const struct lac_bootstrap *o,
			      struct lac_interval *ret, struct lac_err *err)
{
	unsigned resamples = o->resamples ? o->resamples : 2000;
	double level = o->level > 0 ? o->level : 0.95;
	struct lac_rng rng = { o->seed };
	struct lac_interval r = { NAN, NAN, NAN, nclusters, nclusters };
	uint32_t *picked = calloc(nclusters + 1, sizeof(*picked));
	double *values = calloc(resamples, sizeof(*values));
	size_t n = 0;

	if (!picked || !values) {
		free(picked);
		free(values);
		return lac_fail_memory(err);
	}
	for (size_t i = 0; i < nclusters; i++)
		picked[i] = (uint32_t)i;
	r.value = statistic(context, picked, nclusters);
	for (unsigned b = 0; b < resamples && nclusters >= LAC_CLUSTERS_MIN;
	     b++) {
		for (size_t i = 0; i < nclusters; i++)
			picked[i] = (uint32_t)lac_rng_below(&rng, nclusters);
		values[n] = statistic(context, picked, nclusters);
		if (!isnan(values[n]))
			n++;
	}
	if (n > resamples / 2 && !isnan(r.value)) {
		double tail = tail_area(level, nclusters);

		/* The value may lie outside when the sample is lopsided. */
		r.low = fmin(lac_quantile(values, n, tail), r.value);
		r.high = fmax(lac_quantile_sorted(values, n, 1 - tail),
			      r.value);
	}
	free(picked);
	free(values);
	*ret = r;
	return LAC_OK;
}

/* Observations sorted by cluster: cluster c is x[first[c]] to x[first[c+1]]. */
struct clustered {
	size_t n, nclusters;
	double *x;
	size_t *first;
	double *scratch;
	size_t scratch_cap;
};

static int by_cluster(const void *a, const void *b)
{
	const struct lac_observation *x = a, *y = b;

	return (x->cluster > y->cluster) - (x->cluster < y->cluster);
}

static void clustered_free(struct clustered *c)
{
	free(c->x);
	free(c->first);
	free(c->scratch);
}

static bool clustered_init(struct clustered *c,
			   const struct lac_observation *in, size_t n)
{
	struct lac_observation *sorted = calloc(n + 1, sizeof(*sorted));
	size_t largest = 0;

	memset(c, 0, sizeof(*c));
	c->x = calloc(n + 1, sizeof(*c->x));
	c->first = calloc(n + 1, sizeof(*c->first));
	if (!sorted || !c->x || !c->first) {
		free(sorted);
		clustered_free(c);
		return false;
	}
	for (size_t i = 0; i < n; i++)
		if (!isnan(in[i].x))
			sorted[c->n++] = in[i];
	if (c->n)
		qsort(sorted, c->n, sizeof(*sorted), by_cluster);
	for (size_t i = 0; i < c->n; i++) {
		if (i == 0 || sorted[i].cluster != sorted[i - 1].cluster)
			c->first[c->nclusters++] = i;
		c->x[i] = sorted[i].x;
	}
	c->first[c->nclusters] = c->n;
	free(sorted);
	for (size_t i = 0; i < c->nclusters; i++)
		if (c->first[i + 1] - c->first[i] > largest)
			largest = c->first[i + 1] - c->first[i];
	/* The largest may be picked every time. */
	c->scratch_cap = largest * c->nclusters;
	c->scratch = calloc(c->scratch_cap + 1, sizeof(*c->scratch));
	if (c->scratch)
		return true;
	clustered_free(c);
	return false;
}

static double median_of_picked(void *context, const uint32_t *picked, size_t n)
{
	struct clustered *c = context;
	size_t used = 0;

	for (size_t i = 0; i < n; i++) {
		size_t from = c->first[picked[i]];
		size_t count = c->first[picked[i] + 1] - from;

		memcpy(c->scratch + used, c->x + from,
		       count * sizeof(*c->scratch));
		used += count;
	}
	return lac_median(c->scratch, used);
}

enum lac_status lac_bootstrap_median(const struct lac_observation *x, size_t n,
				     const struct lac_bootstrap *o,
				     struct lac_interval *ret,
				     struct lac_err *err)
{
	struct clustered c;
	enum lac_status st;

	if (!clustered_init(&c, x, n))
		return lac_fail_memory(err);
	st = lac_bootstrap(median_of_picked, &c, c.nclusters, o, ret, err);
	if (st == LAC_OK)
		ret->n = c.n;
	clustered_free(&c);
	return st;
}

struct lac_interval lac_interval_exp(struct lac_interval i)
{
	i.value = exp(i.value);
	i.low = exp(i.low);
	i.high = exp(i.high);
	return i;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <stdlib.h>

#include "stats/stats.h"

struct ranked {
	double x;
	size_t at;
};

static int by_x(const void *a, const void *b)
{
	const struct ranked *r = a, *s = b;

	return (r->x > s->x) - (r->x < s->x);
}

/* Ranks from 1, ties at the mean of theirs; false when out of memory. */
static bool rank(const double *x, size_t n, double *ranks)
{
	struct ranked *r = calloc(n, sizeof(*r));

	if (!r)
		return false;
	for (size_t i = 0; i < n; i++)
		r[i] = (struct ranked){ x[i], i };
	qsort(r, n, sizeof(*r), by_x);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && !(r[end].x > r[i].x); end++)
			;
		for (size_t k = i; k < end; k++)
			ranks[r[k].at] = (double)(i + 1 + end) / 2;
	}
	free(r);
	return true;
}

static double pearson(const double *x, const double *y, size_t n)
{
	double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;

	for (size_t i = 0; i < n; i++) {
		mx += x[i] / (double)n;
		my += y[i] / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		xx += (x[i] - mx) * (x[i] - mx);
		yy += (y[i] - my) * (y[i] - my);
		xy += (x[i] - mx) * (y[i] - my);
	}
	return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

double lac_spearman(const double *x, const double *y, size_t n,
		    double *scratch)
{
	if (n < 2 || !rank(x, n, scratch) || !rank(y, n, scratch + n))
		return NAN;
	return pearson(scratch, scratch + n, n);
}

struct pairs {
	const double *x, *y;
	const uint32_t *cluster;
	size_t n, cap;
	double *picked; /* 2 * cap values and 2 * cap of scratch */
};

static double spearman_of_picked(void *context, const uint32_t *picked,
				 size_t n)
{
	struct pairs *p = context;
	double *x = p->picked, *y = x + p->cap;
	size_t used = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < p->n; k++) {
			if (p->cluster[k] != picked[i])
				continue;
			x[used] = p->x[k];
			y[used++] = p->y[k];
		}
	}
	return lac_spearman(x, y, used, y + p->cap);
}

enum lac_status lac_spearman_bootstrap(const double *x, const double *y,
				       const uint32_t *cluster, size_t n,
				       const struct lac_bootstrap *o,
				       struct lac_interval *ret,
				       struct lac_err *err)
{
	struct pairs p = { .x = x, .y = y, .cluster = cluster, .n = n };
	size_t nclusters = 0;
	enum lac_status st;

	for (size_t i = 0; i < n; i++)
		if (cluster[i] >= nclusters)
			nclusters = (size_t)cluster[i] + 1;
	p.cap = n * nclusters + 1;
	p.picked = calloc(4 * p.cap, sizeof(*p.picked));
	if (!p.picked)
		return lac_fail_memory(err);
	st = lac_bootstrap(spearman_of_picked, &p, nclusters, o, ret, err);
	if (st == LAC_OK)
		ret->n = n;
	free(p.picked);
	return st;
}

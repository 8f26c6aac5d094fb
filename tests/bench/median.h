/* SPDX-License-Identifier: BSD-2-Clause */
/* median.h - of what was measured. */
#ifndef LAC_BENCH_MEDIAN_H
#define LAC_BENCH_MEDIAN_H

#include <stdlib.h>

static inline int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts the n values, of which there is at least one. */
static inline double median(double *v, int n)
{
	qsort(v, (size_t)n, sizeof(*v), ascending);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <stdlib.h>

#include "stats/stats.h"

double lac_quantile_sorted(const double *x, size_t n, double q)
{
	double at, below;
	size_t i;

	if (n == 0)
		return NAN;
	at = q * (double)(n - 1);
	below = floor(at);
	i = (size_t)below;
	if (i + 1 >= n)
		return x[n - 1];
	return x[i] + (at - below) * (x[i + 1] - x[i]);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	if (isnan(x) || isnan(y))
		return isnan(x) - isnan(y);
	return (x > y) - (x < y);
}

/* Short samples, as most are here, do without the calls. */
static void sort(double *x, size_t n)
{
	if (n > 64) {
		qsort(x, n, sizeof(*x), by_value);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		double moved = x[i];
		size_t k = i;

		for (; k > 0 && (x[k - 1] > moved || isnan(x[k - 1])); k--)
			x[k] = x[k - 1];
		x[k] = moved;
	}
}

double lac_quantile(double *x, size_t n, double q)
{
	sort(x, n);
	while (n > 0 && isnan(x[n - 1]))
		n--;
	return lac_quantile_sorted(x, n, q);
}

double lac_median(double *x, size_t n)
{
	return lac_quantile(x, n, 0.5);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* student.c - the quantile of Student's t, for any freedom. */
#include <math.h>

#include "perfstat/perfstat.h"

/*
 * The continued fraction of the incomplete beta function (DLMF 8.17.22), by
 * the method of Lentz (Applied Optics 15, 1976) with Thompson and Barnett's
 * guard against zeros (J. Comput. Phys. 64, 1986).
 */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), f;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	f = d;
	for (int m = 1; m < 10000; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x /
			     ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		f *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		step = d * c;
		f *= step;
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return f;
}

/* I_x(a, b) for 0 < x < 1. */
static double beta_share(double a, double b, double x)
{
	double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) +
			   a * log(x) + b * log1p(-x));

	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* P(T > t) for t >= 0. */
static double upper_tail(double t, double freedom)
{
	double x;

	if (isinf(freedom))
		return erfc(t / sqrt(2)) / 2;
	if (t == 0)
		return 0.5;
	if (t * t > 1e300)
		return 0;
	x = freedom / (freedom + t * t);
	return x >= 1 ? 0.5 : beta_share(freedom / 2, 0.5, x) / 2;
}

double lac_perfstat_quantile(double p, double freedom)
{
	double tail = p < 0.5 ? p : 1 - p, low = 0, high = 1;

	while (upper_tail(high, freedom) > tail && high < 1e100)
		high *= 2;
	/* halving until the ends are neighbours: at most some 60 steps */
	for (int i = 0; i < 200; i++) {
		double middle = low + (high - low) / 2;

		if (middle <= low || middle >= high)
			break;
		if (upper_tail(middle, freedom) > tail)
			low = middle;
		else
			high = middle;
	}
	return p < 0.5 ? -high : high;
}

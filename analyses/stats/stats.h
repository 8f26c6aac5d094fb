/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stats.h - what may be said of a sample.  Pure: numbers in, numbers out; a
 * seed gives the same interval on every machine.
 *
 * A value that could not be had is NAN in a sample and NAN in a result; it is
 * left out and counted, never patched.
 */
#ifndef LAC_STATS_H
#define LAC_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Of an ascending sample without NAN; NAN if it is empty.  q in [0, 1]; linear
 * between the closest ranks (Hyndman and Fan 1996, type 7). */
double lac_quantile_sorted(const double *x, size_t n, double q);
/* The same of any sample, which is sorted in place, NANs to its end. */
double lac_quantile(double *x, size_t n, double q);
double lac_median(double *x, size_t n);

/*
 * A statistic with its interval.  low and high are NAN when the sample is too
 * small for one.  Invariant: low <= value <= high, or all of those that exist.
 */
struct lac_interval {
	double value, low, high;
	size_t n;	 /* observations that have a value */
	size_t nclusters; /* independent ones among them */
};

/*
 * An observation belongs to a cluster: those that share what was drawn once
 * for all of them, as quads share the builds that they ran.  Clusters are what
 * is independent, so clusters are what is resampled.
 */
struct lac_observation {
	double x; /* NAN: lost */
	uint32_t cluster;
};

struct lac_bootstrap {
	uint64_t seed;
	unsigned resamples; /* 0: 2000 */
	double level;	    /* 0: 0.95 */
};

/*
 * A median needs this many clusters: below, not even the whole range of them
 * covers it in 95 of 100 cases (2 * 2^-5 > 0.05).  With less there is a value
 * and no interval.
 */
enum { LAC_CLUSTERS_MIN = 6 };

/*
 * The statistic of the clusters picked (with repetitions; ascending indices
 * below the number of clusters).  NAN if they have none.
 */
typedef double (*lac_statistic)(void *context, const uint32_t *picked,
				size_t n);

/*
 * A percentile interval by resampling whole clusters (Efron; clusters: Davison
 * and Hinkley 1997, 3.8), widened for few clusters as Hesterberg 2015 proposes
 * ("expanded percentile": the tail areas are those at which a normal interval
 * with n - 1 instead of n and with Student's t would end).
 */
LAC_MUST_CHECK enum lac_status
lac_bootstrap(lac_statistic statistic, void *context, size_t nclusters,
	      const struct lac_bootstrap *o, struct lac_interval *ret,
	      struct lac_err *err);

/* The median of all observations, resampling their clusters. */
LAC_MUST_CHECK enum lac_status
lac_bootstrap_median(const struct lac_observation *x, size_t n,
		     const struct lac_bootstrap *o, struct lac_interval *ret,
		     struct lac_err *err);

/* From logarithms back to ratios; NANs stay. */
struct lac_interval lac_interval_exp(struct lac_interval i);

/* Which of two is the faster, if that can be said. */
enum lac_resolution {
	LAC_NOT_RESOLVED,
	LAC_FASTER, /* the ratio lies below 1 */
	LAC_SLOWER,
};
const char *lac_resolution_name(enum lac_resolution r); /* "not resolved" */

/*
 * The null range of a statistic: the hull of the controls' intervals and of
 * `null` (1 for ratios, 0 for logarithms).  value is null; a control without an
 * interval leaves nothing that could lie outside: low = -inf, high = inf.
 */
struct lac_interval lac_null_range(const struct lac_interval *controls,
				   size_t n, double null);

/*
 * Resolved only if, for each of n statistics, the whole interval lies outside
 * the null range of that statistic, all on the same side.
 */
enum lac_resolution lac_resolve(const struct lac_interval *statistics,
				const struct lac_interval *null_ranges,
				size_t n);

/*
 * A 2 x 2 design: what came of {aligned, packed} x {cas, lock}, as logarithms
 * or as plain figures.
 */
enum lac_cell {
	LAC_ALIGNED_CAS,
	LAC_ALIGNED_LOCK,
	LAC_PACKED_LOCK,
	LAC_PACKED_CAS,
	LAC_NCELLS,
};

/*
 * size: packed less aligned, the mean over both updates.  update: lock less
 * cas, the mean over both sizes.  interaction: by how much the lock costs more
 * when packed; the lock and the packing add up if it is 0.
 */
struct lac_effects {
	double size, update, interaction;
};
struct lac_effects lac_effects_2x2(const double x[LAC_NCELLS]);

/*
 * Spearman's rank correlation of n pairs, ties at their mean rank; NAN if one
 * side does not vary.  scratch holds 2 * n doubles.
 */
double lac_spearman(const double *x, const double *y, size_t n,
		    double *scratch);

/*
 * The same with an interval by resampling clusters of pairs; clusters are
 * numbered from 0.
 */
LAC_MUST_CHECK enum lac_status
lac_spearman_bootstrap(const double *x, const double *y,
		       const uint32_t *cluster, size_t n,
		       const struct lac_bootstrap *o, struct lac_interval *ret,
		       struct lac_err *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compare.h - in which order the processes of a comparison run, and what may be
 * concluded from their times.  Pure: the protocol without a process.
 *
 * An arm is a variant, or a control: the first variant once more.  A round runs
 * every arm, and then every arm in the opposite order: any two arms stand in it
 * as ABBA or BAAB, a quad, and a linear drift of the machine cancels between
 * them.  All arms of a round run the same placement build, but one control, so
 * that rounds sample the placements; rounds with the same build are one cluster.
 */
#ifndef LAC_COMPARE_H
#define LAC_COMPARE_H

#include "bench/protocol.h"
#include "stats/stats.h"

enum lac_arm {
	/* 0 to LAC_NCELLS - 1: the variants, as in enum lac_cell */
	LAC_ARM_AGAIN = LAC_NCELLS, /* the base variant, the same build */
	LAC_ARM_REBUILT,	    /* the base variant, another placement */
	LAC_NARMS,
};

struct lac_slot {
	unsigned arm; /* enum lac_arm */
	enum lac_cell variant;
	unsigned build;
};

struct lac_round_plan {
	uint64_t seed;	/* of the whole run and this cell of the table */
	bool variants[LAC_NCELLS]; /* those that take part */
	enum lac_cell base;	   /* what the others are compared with */
	unsigned nbuilds; /* placements of each variant, at least one */
};

/*
 * The processes of round number `round`, in order: 2 * arms of them.  Within
 * each run of nbuilds rounds every build is used once.  With one build there is
 * no rebuilt control.
 */
size_t lac_round_slots(const struct lac_round_plan *p, unsigned round,
		       struct lac_slot slots[2 * LAC_NARMS]);
/* Which build the variants run in that round: its cluster. */
unsigned lac_round_build(const struct lac_round_plan *p, unsigned round);

/*
 * What came of a round: per arm and statistic the mean of the logarithms of its
 * two times; NAN if either is missing.
 */
struct lac_round {
	unsigned build;
	double log_ns[LAC_NARMS][LAC_NTIMES];
};

/* From the samples of the slots, in their order. */
struct lac_round lac_round_collect(const struct lac_slot *slots, size_t n,
				   const struct lac_sample *samples);

/* A ratio, by each statistic, and whether it may be believed. */
struct lac_comparison {
	struct lac_interval ratio[LAC_NTIMES];
	enum lac_resolution verdict;
};

/* Everything about the times of one cell of the table. */
struct lac_times {
	unsigned rounds;
	struct lac_interval ns[LAC_NCELLS][LAC_NTIMES]; /* per operation */
	/* Of each variant to the base; the base's own is empty. */
	struct lac_comparison ratio[LAC_NCELLS];
	struct lac_comparison again, rebuilt; /* never have a verdict */
	struct lac_interval null[LAC_NTIMES]; /* what the controls span */
	/* Of the 2 x 2 design; empty unless all four take part. */
	bool has_effects;
	struct lac_comparison size, update, interaction;
};

/*
 * The estimator.  A comparison is resolved only if its interval lies outside
 * what both controls span, for all statistics and on the same side: so with one
 * build, or fewer than LAC_CLUSTERS_MIN clusters, nothing is.
 */
LAC_MUST_CHECK enum lac_status
lac_times_estimate(const struct lac_round_plan *p,
		   const struct lac_round *rounds, size_t n,
		   struct lac_times *ret, struct lac_err *err);

/*
 * Why a comparison of t is not resolved: the statistics that are not outside of
 * what the controls span, with their intervals, as a clause that follows "not
 * resolved".  "" if it is resolved, NULL when out of memory.
 */
const char *lac_times_why(const struct lac_times *t,
			  const struct lac_comparison *c,
			  struct lac_arena *arena);

/*
 * Whether c looks resolved by the statistic that is shown and is not: its
 * interval lies outside of what the controls span, but not all do.
 */
bool lac_times_deceives(const struct lac_times *t,
			const struct lac_comparison *c);

#endif

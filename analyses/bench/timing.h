/* SPDX-License-Identifier: BSD-2-Clause */
/* timing.h - the timed half of a run; bench.c is its only user. */
#ifndef LAC_TIMING_H
#define LAC_TIMING_H

#include "bench/bench.h"

/* The job of one cell. */
struct lac_job lac_bench_job(const struct lac_bench_options *o,
			     const struct lac_bench_cell *c);

/* What a program printed stays as long as the run's result. */
LAC_MUST_CHECK enum lac_status lac_bench_keep(struct lac_bench *b, json_t *json,
					      struct lac_err *err);

/* The times of all sizes of each test together, from results that have any. */
LAC_MUST_CHECK enum lac_status
lac_bench_pool(struct lac_bench *b, const struct lac_round_plan *plan,
	       struct lac_err *err);

/*
 * Time the cells that ask for it and estimate.  On LAC_INTERRUPTED the cells
 * with complete rounds have their times all the same.
 */
LAC_MUST_CHECK enum lac_status lac_bench_time(struct lac_bench *b,
					      const struct lac_bench_options *o,
					      struct lac_err *err);

#endif

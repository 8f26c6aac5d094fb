/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench.h - runs the alloc/free kernels on the builds of the allocator library:
 * each cell of the table simulated, and timed in rounds.
 */
#ifndef LAC_BENCH_H
#define LAC_BENCH_H

#include "bench/compare.h"

/* A cell of the table: one test, size and n; asked for. */
struct lac_bench_cell {
	const char *test;
	unsigned size;
	uint64_t n;
	bool simulate, time;
	unsigned cpus; /* 0: one */
};

struct lac_bench_options {
	const char *dir; /* of the programs */
	bool variants[LAC_NCELLS];
	enum lac_cell base; /* one of them: what the others are compared with */
	const struct lac_bench_cell *cells;
	size_t ncells;
	struct lac_job job; /* what all have in common; test, size, n ignored */
	/*
	 * Times.  Rounds go over all cells in turn until each cell has
	 * rounds_max, or budget_s is spent and each has rounds_min.
	 */
	unsigned rounds_min, rounds_max;
	double budget_s;	/* 0: no limit */
	unsigned blocks_min, blocks_max; /* fitted to the budget */
	/* A planted effect, for calibration: the times of this variant are
	   multiplied by it.  0 for none. */
	double planted[LAC_NCELLS];
	unsigned parallel;	/* simulations at a time */
	const volatile sig_atomic_t *stop;
	/* Called often; done and total in arbitrary but equal units. */
	void (*progress)(void *context, const char *phase, double done,
			 double total);
	void *context;
	/* Each line that a timed process printed, as it comes; may be NULL. */
	void (*raw)(void *context, const char *line);
};

/* What happened to a cell. */
struct lac_bench_result {
	struct lac_bench_cell cell;
	bool has_simulation[LAC_NCELLS];
	struct lac_simulation simulation[LAC_NCELLS];
	bool has_times;
	unsigned blocks;	/* of each process */
	uint64_t ops_per_block;
	struct lac_times times;
	size_t nrounds;
	const struct lac_round *rounds; /* what the times come from */
	/* Of the last process of each variant: the paths it took. */
	const json_t *statistics[LAC_NCELLS];
	double timed_ops[LAC_NCELLS]; /* that those statistics cover */
	/* Counters per operation: the median over the processes. */
	size_t ncounts[LAC_NCELLS];
	struct lac_count *counts[LAC_NCELLS];
};

/* All sizes of a test together, where there are several. */
struct lac_pooled {
	const char *test;
	unsigned sizes;
	struct lac_times times; /* ns: of no meaning; the ratios are */
};

struct lac_bench {
	struct lac_arena *arena; /* owns everything below */
	size_t nresults;
	struct lac_bench_result *results; /* as the cells that were asked for */
	size_t npooled;
	struct lac_pooled *pooled;
	unsigned nbuilds;
	size_t nprocesses; /* that were timed */
	double elapsed_s, load_before, load_after; /* load: NAN if unknown */
	bool interrupted; /* by stop: what is there is right, the rest missing */
	json_t *kept;	  /* what programs printed, referred to from above */
};

/*
 * On success *ret is the caller's, to be ended with lac_bench_destroy().  An
 * interruption is a success with `interrupted` set, as long as anything came
 * of the run; LAC_INTERRUPTED if nothing did.
 */
LAC_MUST_CHECK enum lac_status lac_bench_run(const struct lac_bench_options *o,
					     struct lac_bench **ret,
					     struct lac_err *err);
void lac_bench_destroy(struct lac_bench *b); /* NULL is a no-op */

#endif

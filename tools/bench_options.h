/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench_options.h - what bench, correlate and report have in common: the
 * options that choose what is run, and the run itself with its progress and
 * its end by ^C.
 */
#ifndef LAC_BENCH_OPTIONS_H
#define LAC_BENCH_OPTIONS_H

#include <popt.h>

#include "bench/bench.h"
#include "correlate/evidence.h"

/* To be included in a command's table. */
extern const struct poptOption lac_bench_option_table[];
/* The same for correlate and report, which run fewer tests. */
extern const struct poptOption lac_verdict_option_table[];
/* --cpus: in bench alone, elsewhere it means something else. */
extern const struct poptOption lac_bench_cpus_option_table[];

/* One run, the layouts of what it ran, and what else was run for a verdict. */
struct lac_experiment {
	const char *dir;
	struct lac_bench_options options;
	struct lac_bench *bench;
	struct lac_library layouts;
	const char *effort; /* "quick", "default", "thorough" */
	size_t nothers;
	struct lac_other_run others[5];
};

enum lac_bench_extra {
	LAC_RUN_PLAIN,
	/*
	 * Also random frees of 256-byte objects, which the verdict shows, and
	 * every simulation at other n and with another cache.
	 */
	LAC_RUN_FOR_VERDICT,
};

/*
 * As the options say.  On success *r is the caller's, to be ended with
 * lac_experiment_end(); what it refers to lives in the arena as well.  LAC_USAGE
 * with the valid range for what is impossible.
 */
LAC_MUST_CHECK enum lac_status lac_bench_execute(enum lac_bench_extra extra,
						 struct lac_arena *arena,
						 struct lac_experiment *r,
						 struct lac_err *err);
/*
 * Whether the message test is asked for, which bench_message.h runs.  If so, o
 * gets the variants, the base and the job's era and caches; size is as given,
 * or NULL.  LAC_USAGE for options besides it that it does not have.
 */
LAC_MUST_CHECK enum lac_status
lac_bench_message_asked(bool *asked, struct lac_bench_options *o,
			const char **size, bool *no_time,
			struct lac_arena *arena, struct lac_err *err);
void lac_experiment_end(struct lac_experiment *r);

#endif

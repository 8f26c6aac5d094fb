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
#include "correlate/library.h"

/* To be included in a command's table. */
extern const struct poptOption lac_bench_option_table[];

/* One run and the layouts of what it ran. */
struct lac_bench_run {
	const char *dir;
	struct lac_bench_options options;
	struct lac_bench *bench;
	struct lac_library library;
	const char *effort; /* "quick", "default", "thorough" */
};

enum lac_bench_extra {
	LAC_RUN_PLAIN,
	/*
	 * Also random frees of 256-byte objects, which the verdict shows, and
	 * every simulation at a second n and with a second cache.
	 */
	LAC_RUN_FOR_VERDICT,
};

/*
 * As the options say; everything lives in the arena but r->bench, which is the
 * caller's to destroy.  LAC_USAGE with the valid range for what is impossible.
 */
LAC_MUST_CHECK enum lac_status lac_bench_execute(enum lac_bench_extra extra,
						 struct lac_arena *arena,
						 struct lac_bench_run *r,
						 struct lac_err *err);

#endif

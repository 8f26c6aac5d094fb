/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench_progress.h - what a long run does besides its work: shows how far it
 * is on a terminal, ends at ^C with what it has, keeps the raw lines.
 */
#ifndef LAC_BENCH_PROGRESS_H
#define LAC_BENCH_PROGRESS_H

#include <signal.h>
#include <stdio.h>

#include "bench/bench.h"

struct lac_progress {
	bool shown; /* a line of progress is on the terminal */
	double last_s;
	FILE *raw;
	const char *raw_path;
	struct sigaction old;
};

/*
 * Sets the hooks of o, which point to *p until the end.  raw_path may be NULL.
 */
LAC_MUST_CHECK enum lac_status lac_progress_begin(struct lac_progress *p,
						  const char *raw_path,
						  struct lac_bench_options *o,
						  struct lac_err *err);
/* Hands st on, unless the raw lines could not be written. */
LAC_MUST_CHECK enum lac_status lac_progress_end(struct lac_progress *p,
						enum lac_status st,
						struct lac_err *err);

#endif

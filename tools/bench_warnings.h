/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench_warnings.h - why the times of a run are worth little: the machine had
 * other work.
 */
#ifndef LAC_BENCH_WARNINGS_H
#define LAC_BENCH_WARNINGS_H

#include "bench_options.h"
#include "report/doc.h"

/*
 * If there is more to do than there are processors: of a load average (NAN: not
 * known), and of a run that was timed.
 */
void lac_bench_warn_of_load(struct lac_doc *d, double load);
void lac_bench_warn_of_busy_run(struct lac_doc *d,
				const struct lac_experiment *r);

#endif

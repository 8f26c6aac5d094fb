/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench_warnings.h - why the times of a run are worth little or nothing: a
 * factor was planted in them, or the machine had other work.
 */
#ifndef LAC_BENCH_WARNINGS_H
#define LAC_BENCH_WARNINGS_H

#include "bench_options.h"
#include "report/doc.h"

/* {"variant","factor","warning"} for "planted" of the settings, or null. */
json_t *lac_bench_planted_data(const struct lac_bench_options *o);

/* To come first of all views, after lac_bench_data(): if something is planted. */
void lac_bench_warn_of_planted(struct lac_doc *d);
/* To come last: the figures of times say so as well. */
void lac_bench_mark_planted(struct lac_doc *d);

/*
 * If there is more to do than there are processors: of a load average (NAN: not
 * known), and of a run that was timed.
 */
void lac_bench_warn_of_load(struct lac_doc *d, double load);
void lac_bench_warn_of_busy_run(struct lac_doc *d,
				const struct lac_experiment *r);

#endif

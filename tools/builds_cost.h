/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * builds_cost.h - the cycles that more or fewer misses may cost, against the
 * cycles by which two builds differ.  An estimate: at the latencies that
 * correlate/evidence.h assumes, every miss waited for and none overlapped.
 */
#ifndef LAC_BUILDS_COST_H
#define LAC_BUILDS_COST_H

#include "perfstat/perfstat.h"
#include "report/doc.h"

struct lac_miss_cost {
	const char *unknown; /* why nothing is estimated; else NULL */
	const struct lac_perfstat_row *cycles, *l1, *llc; /* NULL: not counted */
	double ghz;
	bool ghz_assumed;    /* there is no task-clock to tell it */
	double cycles_more;  /* new less old; the same of what follows */
	double misses_cost;  /* at most, cycles */
	double share;	     /* misses_cost / cycles_more; negative: opposed */
};

void lac_miss_cost_estimate(const struct lac_perfstat_comparison *c,
			    struct lac_miss_cost *ret);

/* As an object, with what is assumed; and as a sentence in the arena. */
json_t *lac_miss_cost_data(const struct lac_miss_cost *m);
const char *lac_miss_cost_text(const struct lac_miss_cost *m,
			       struct lac_arena *arena);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* derived.h - formulas, and what an output says about itself. */
#ifndef LAC_PERFSTAT_DERIVED_H
#define LAC_PERFSTAT_DERIVED_H

#include "perfstat/reader.h"

struct lac_perfstat_formula {
	const char *unit;
	enum {
		LAC_PERFSTAT_UTILIZED, /* a clock over the elapsed time */
		LAC_PERFSTAT_RATE,     /* a count over the clock */
		LAC_PERFSTAT_OVER,     /* a count over another one */
		LAC_PERFSTAT_STALLED,  /* more of the stalls, over this count */
	} kind;
	double scale;	  /* the unit, in the formula's own */
	const char *over; /* OVER: the event */
};

/* NULL if the unit is not known. */
const struct lac_perfstat_formula *lac_perfstat_formula_find(const char *unit);

/* One output while it is being finished. */
struct lac_perfstat_work {
	struct lac_perfstat_reader *r;
	struct lac_perfstat_output *o;
	struct lac_perfstat_index index;
	unsigned disagreements;
};

bool lac_perfstat_event_has_value(const struct lac_perfstat_event *e);

/* The number of the clock that e's rates are per, or SIZE_MAX. */
size_t lac_perfstat_clock_of(const struct lac_perfstat_work *w,
			     const struct lac_perfstat_event *e);

/* Set what m->check and m->computed say; o->means must be known. */
LAC_MUST_CHECK enum lac_status
lac_perfstat_check_metric(struct lac_perfstat_work *w,
			  const struct lac_perfstat_event *e,
			  struct lac_perfstat_metric *m);

#endif

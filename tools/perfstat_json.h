/* SPDX-License-Identifier: BSD-2-Clause */
/* perfstat_json.h - pieces of data that both halves of perfstat_doc share. */
#ifndef LAC_PERFSTAT_JSON_H
#define LAC_PERFSTAT_JSON_H

#include <jansson.h>

#include "json_number.h"
#include "perfstat/perfstat.h"

/* A string that may hold any bytes of the input. */
json_t *lac_perfstat_text(const char *fmt, ...) LAC_PRINTF(1, 2);
/* "CPU0 task-clock, msec" */
json_t *lac_perfstat_label(const char *where, const char *name,
			   const char *unit);
/*
 * What a derived figure is of: its unit, and the event where that says more.
 * unit NULL: that of m.
 */
json_t *lac_perfstat_figure(const struct lac_perfstat_event *e,
			    const struct lac_perfstat_metric *m,
			    const char *unit);
/* A whole number where the count is one. */
json_t *lac_perfstat_value_data(const struct lac_perfstat_event *e,
				double value);

#endif

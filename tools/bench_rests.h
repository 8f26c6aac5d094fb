/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench_rests.h - what the words on times rest on: each comparison by all
 * clocks, beside what the controls span by the same clock.
 */
#ifndef LAC_BENCH_RESTS_H
#define LAC_BENCH_RESTS_H

#include "bench/compare.h"
#include "report/doc.h"

/* A row of the controls: for each clock 1 and what they span. */
void lac_rests_controls(struct lac_doc *d, json_t *rows, unsigned size,
			const struct lac_times *t);
/* A row of a comparison: "what" was compared, and the words with the reason. */
void lac_rests_row(struct lac_doc *d, json_t *rows, unsigned size,
		   const char *what, const struct lac_times *t,
		   const struct lac_comparison *c);

/* The rows as a table, secondary. */
void lac_rests_table(struct lac_doc *d, const char *key, const json_t *rows);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_figures.h - figures of a run, from the data that the tables show. */
#ifndef LAC_BENCH_FIGURES_H
#define LAC_BENCH_FIGURES_H

#include "report/doc.h"

/* One of the "cells" of a run's data, or NULL. */
const json_t *lac_bench_cell_data(const struct lac_doc *d, const char *test,
				  unsigned size, const char *variant);

/*
 * Add the figures of one of the "tests": ratios of times with intervals, where
 * it was timed, and misses of the page array, by size and variant.  Their data
 * goes under "figures".
 */
void lac_bench_figures(struct lac_doc *d, const json_t *test);

/*
 * Add the chain of evidence of one of the "findings": from the lines that the
 * layout predicts to the times, at 256 bytes or the first size there is.
 */
void lac_evidence_figure(struct lac_doc *d, const json_t *finding);

#endif

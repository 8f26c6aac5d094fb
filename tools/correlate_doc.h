/* SPDX-License-Identifier: BSD-2-Clause */
/* correlate_doc.h - the verdict, as data and as tables. */
#ifndef LAC_CORRELATE_DOC_H
#define LAC_CORRELATE_DOC_H

#include "bench_doc.h"

/* Data: "findings", "correlations", "published". */
LAC_MUST_CHECK enum lac_status
lac_correlate_data(struct lac_doc *d, const struct lac_experiment *r,
		   const struct lac_findings *f, struct lac_err *err);

void lac_correlate_views(struct lac_doc *d, const struct lac_experiment *r,
			 const struct lac_findings *f, unsigned level);

/* The effects of one test as intervals, if it has two sizes or more. */
void lac_correlate_figure(struct lac_doc *d, const struct lac_findings *f,
			  const char *test);

/* What the gap of test 2 would need, against what was counted. */
struct lac_pair_argument {
	double needed; /* L1 misses an operation that would make the gap */
	double lines_isolated_aligned, lines_isolated_packed;
	double lines_of_round, page_l1, updates; /* the most of all cells */
	uint64_t n, l1_lines;
};
void lac_correlate_chain(struct lac_doc *d, const struct lac_pair_argument *a);

/* The findings in a few sentences, for the top of a report. */
void lac_correlate_summary(struct lac_doc *d, const struct lac_findings *f);

#endif

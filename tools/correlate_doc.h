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

/* The findings in a few sentences, for the top of a report. */
void lac_correlate_summary(struct lac_doc *d, const struct lac_findings *f);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_figure.h - a record before and after, over its cache lines. */
#ifndef LAC_DIFF_FIGURE_H
#define LAC_DIFF_FIGURE_H

#include "diff/diff.h"
#include "report/doc.h"

/*
 * Add the figure, its data under "figures"; what is not in both at the same
 * place is marked.  Nothing for enumerations, for records that are in one build
 * only, and for those of unknown size.
 */
void lac_diff_figure(struct lac_doc *d, const struct lac_record_diff *r,
		     uint32_t line_size);

#endif

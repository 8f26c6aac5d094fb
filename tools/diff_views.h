/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_views.h - the chapters of a diff for people. */
#ifndef LAC_DIFF_VIEWS_H
#define LAC_DIFF_VIEWS_H

#include "diff_report.h"

#define COLUMNS(c) (c), sizeof(c) / sizeof(*(c))

/* The record's object in the data, which is in the diff's order. */
json_t *lac_diff_row(struct lac_doc *doc, uint32_t i);

/* struct page and the allocator's own, if there are any. */
void lac_diff_kernel_views(struct lac_doc *doc, const struct lac_diff_report *r);
/* What --slabinfo has objects of. */
void lac_diff_live_views(struct lac_doc *doc, const struct lac_diff_report *r);
/* Changed ones as a table and in full, then added and removed ones. */
void lac_diff_record_views(struct lac_doc *doc,
			   const struct lac_diff_report *r);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_views.h - the chapters of a diff for people. */
#ifndef LAC_DIFF_VIEWS_H
#define LAC_DIFF_VIEWS_H

#include "diff_report.h"

#define COLUMNS(c) (c), sizeof(c) / sizeof(*(c))

/* The record's object in the data, which is in the diff's order. */
json_t *lac_diff_row(struct lac_doc *doc, uint32_t i);

/* So many of a table's rows as --top says: list itself, or its beginning. */
const json_t *lac_diff_top(struct lac_doc *doc,
			   const struct lac_diff_report *r, json_t *list);
/*
 * Behind a table of lac_diff_top(): programs get the whole list, and people are
 * told how many "record"s more there are.
 */
void lac_diff_top_rest(struct lac_doc *doc, const struct lac_diff_report *r,
		       const json_t *list, const char *what);

/* struct page and the allocator's own, if there are any. */
void lac_diff_kernel_views(struct lac_doc *doc, const struct lac_diff_report *r);
/* What --slabinfo has objects of. */
void lac_diff_live_views(struct lac_doc *doc, const struct lac_diff_report *r);
/* Changed ones as a table and in full, then added and removed ones. */
void lac_diff_record_views(struct lac_doc *doc,
			   const struct lac_diff_report *r);

#endif

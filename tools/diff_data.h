/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_data.h - what the parts of a diff's JSON share. */
#ifndef LAC_DIFF_DATA_H
#define LAC_DIFF_DATA_H

#include "diff_report.h"

/* SLUB's figures are for pages of so many. */
#define PAGE_BYTES ((uint64_t)4096)

static inline json_t *count(uint64_t v)
{
	return json_integer((json_int_t)v);
}

/* An element of "records"; NULL when out of memory. */
json_t *lac_diff_record_data(struct lac_doc *doc,
			     const struct lac_diff_report *report,
			     const struct lac_record_diff *r);
/* "kernel" and "page_memory". */
void lac_diff_kernel_data(struct lac_doc *doc, const struct lac_diff_report *r);

#endif

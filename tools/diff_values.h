/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_values.h - the lines of an enumeration of two builds. */
#ifndef LAC_DIFF_VALUES_H
#define LAC_DIFF_VALUES_H

#include "diff/diff.h"
#include "report/doc.h"

/*
 * Its enumerators by their values, those that changed as "-" and "+", and
 * "[...]" where others are.  doc->broken when out of memory.
 */
void lac_diff_values(struct lac_doc *doc, struct lac_listing *to,
		     const struct lac_record_diff *r);

#endif

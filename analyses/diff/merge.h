/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * merge.h - the diffs of many pairs of files as one: a type that many objects
 * have is reported once, with the files.
 */
#ifndef LAC_DIFF_MERGE_H
#define LAC_DIFF_MERGE_H

#include "diff/diff.h"

struct lac_diff_part {
	const char *file; /* as it is called in both directories */
	struct lac_diff *diff;
};

/*
 * The parts' diffs are taken over, also on failure.  The result has the sides'
 * paths as given; formats and versions are those of the first part.
 */
LAC_MUST_CHECK enum lac_status
lac_diff_merge(const struct lac_diff_part *parts, uint32_t n,
	       const char *old_path, const char *new_path, uint32_t cpus,
	       struct lac_diff **ret, struct lac_err *err);

#endif

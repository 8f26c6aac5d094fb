/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_dirs.h - two directories of objects or modules, file by file. */
#ifndef LAC_DIFF_DIRS_H
#define LAC_DIFF_DIRS_H

#include "diff_report.h"

/* Both are directories; one of each is LAC_USAGE. */
LAC_MUST_CHECK enum lac_status lac_dirs_asked(const char *old_path,
					      const char *new_path, bool *ret,
					      struct lac_err *err);

typedef enum lac_status (*lac_compare_fn)(const char *old_path,
					  const char *new_path,
					  const struct lac_diff_options *o,
					  struct lac_diff **ret,
					  struct lac_err *err);

/*
 * Compare the ELF files of one name below both, merge, and note in *report
 * which files only one has, and which were skipped because they have no debug
 * info.  LAC_NOT_FOUND if there is nothing to compare.
 */
LAC_MUST_CHECK enum lac_status
lac_dirs_compare(const char *old_path, const char *new_path,
		 lac_compare_fn compare, const struct lac_diff_options *o,
		 struct lac_arena *arena, struct lac_diff_report *report,
		 struct lac_diff **ret, struct lac_err *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * glob.h - shell patterns (*, ?, [...]) against names and paths: one meaning
 * for every option and file that takes them.
 */
#ifndef LAC_GLOB_H
#define LAC_GLOB_H

#include <stdbool.h>

/*
 * The whole name, "*" taking slashes and dots as well.  The kind ("struct") may
 * stand before the pattern, with a blank: "struct s*".  kind or name may be
 * NULL: no kind, no match.
 */
bool lac_glob_name(const char *pattern, const char *kind, const char *name);

/*
 * The whole path, or any end of it that follows a '/': "mm_types.h" and
 * "linux/mm_*.h" take "include/linux/mm_types.h".  NULL is no match.
 */
bool lac_glob_path(const char *pattern, const char *path);

/* One pattern of a list that ends with NULL; a NULL for the list takes all. */
bool lac_glob_any_name(char *const *patterns, const char *kind,
		       const char *name);
bool lac_glob_any_path(char *const *patterns, const char *path);

#endif

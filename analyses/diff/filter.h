/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * filter.h - which differences are wanted: by type, by declaring file, by
 * size, by sort; and a list of known ones with the reason for each.
 *
 * An ignore file has one rule a line:
 *
 *     struct spin*: locks are compared elsewhere
 *     decl drivers/staging*: not ours
 *     debug_*: only in debug builds
 *
 * A kind (struct, union, class, enum, type for any, decl for the file) is
 * optional; the pattern is a shell pattern, which ends at ": " and may hold
 * blanks after what is no word ("Arr<char, 4>"), or stands in double quotes;
 * the reason is not optional.
 */
#ifndef LAC_DIFF_FILTER_H
#define LAC_DIFF_FILTER_H

#include "diff/diff.h"

struct lac_ignore_rule {
	unsigned line;
	const char *kind; /* "struct", ..., "decl"; NULL for any type */
	const char *path; /* of the file that has it */
	const char *pattern, *reason;
	uint32_t used; /* records it left out */
};

struct lac_ignore_list {
	uint32_t n;
	struct lac_ignore_rule *rules;
};

/* LAC_USAGE with line and column; *ret in the arena. */
LAC_MUST_CHECK enum lac_status lac_ignore_parse(const char *path,
						const char *text, size_t size,
						struct lac_arena *arena,
						struct lac_ignore_list *ret,
						struct lac_err *err);

/* The rules of more behind those of *list; untouched on failure. */
LAC_MUST_CHECK enum lac_status
lac_ignore_join(struct lac_ignore_list *list,
		const struct lac_ignore_list *more, struct lac_arena *arena,
		struct lac_err *err);

/* LINES: another number of lines, or members across a line's border. */
enum lac_only { LAC_ONLY_SIZE = 1, LAC_ONLY_LAYOUT = 2, LAC_ONLY_ENUM = 4,
		LAC_ONLY_LINES = 8 };

struct lac_diff_filter {
	/* lists that end with NULL, one of each has to match; NULL for any */
	char *const *type_globs, *const *decl_globs;
	char *const *cause_globs; /* what such a type has a part in */
	uint64_t min_bytes; /* the least change of size; 0 for any */
	unsigned only;	    /* of enum lac_only; 0 for all */
	struct lac_ignore_list *ignore; /* or NULL */
};

/* "size,lines"; LAC_USAGE. */
LAC_MUST_CHECK enum lac_status lac_only_parse(const char *text, unsigned *ret,
					      struct lac_err *err);

/*
 * Leave out what is not wanted, and count it at the ignore rules.  The causes
 * are then those of the records that are left, and count these.  cpus as in
 * lac_diff_options.  LAC_NOT_FOUND if there are differences, and one of cause_globs
 * takes no cause of any.
 */
LAC_MUST_CHECK enum lac_status lac_diff_filter(struct lac_diff *d,
					       const struct lac_diff_filter *f,
					       uint32_t cpus,
					       struct lac_err *err);

/* By the record's name and its declaring file; lists as above. */
bool lac_shape_selected(char *const *type_globs, char *const *decl_globs,
			const struct lac_shape *s);

/* "page", "struct page", "n1::*"; see base/glob.h. */
bool lac_type_matches(const char *pattern, const struct lac_shape *s);

#endif

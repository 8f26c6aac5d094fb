/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * budget.h - rules on layouts, a line each, for a file that is committed.
 *
 *     # what the hot path may cost
 *     struct page: size <= 64, align >= 16, holes == 0
 *     struct kmem_cache_cpu: lines <= 1
 *     optional struct sheaf: size <= 512
 *     member page.freelist, page.counters: same line
 *     member page.lru: offset == 8, size <= 16
 *     struct s*: no new holes
 *
 * A rule is a subject, a colon and conditions with commas between them.  The
 * subject is a kind (struct, union, class, enum, or type for any of them) and
 * a name or shell pattern, or "member" and paths TYPE.MEMBER of one type.
 * Names with blanks or commas stand in double quotes.
 *
 * Of a type: size, align, lines, holes, hole_bytes, nested_hole_bytes (inside
 * its members), padding, straddlers, members, compared by == != < <= > >= with
 * a number (64, 0x40, 4K).  Bytes, but for the counts.  Unnamed structs and
 * unions are transparent (struct lac_through).  Against a baseline: "no new holes", "no growth", "no
 * worse", "no change".  Of members: offset, size (bytes); "same line", "different lines",
 * "in one line".  Lines are 64 bytes unless told; an object starts on one.
 *
 * A rule that no type matches is broken, unless it starts with "optional".
 */
#ifndef LAC_BUDGET_H
#define LAC_BUDGET_H

#include "diff/baseline.h"

enum lac_metric {
	LAC_METRIC_SIZE,
	LAC_METRIC_ALIGN,
	LAC_METRIC_LINES,
	LAC_METRIC_HOLES,
	LAC_METRIC_HOLE_BYTES,
	LAC_METRIC_NESTED_HOLE_BYTES,
	LAC_METRIC_PADDING,
	LAC_METRIC_STRADDLERS,
	LAC_METRIC_MEMBERS,
	LAC_METRIC_OFFSET,
	/* these have no number */
	LAC_METRIC_NO_NEW_HOLES,
	LAC_METRIC_NO_GROWTH,
	LAC_METRIC_NO_WORSE,
	LAC_METRIC_NO_CHANGE,
	LAC_METRIC_SAME_LINE,
	LAC_METRIC_DIFFERENT_LINES,
	LAC_METRIC_ONE_LINE,
};

enum lac_compare { LAC_EQ, LAC_NE, LAC_LT, LAC_LE, LAC_GT, LAC_GE };

struct lac_condition {
	unsigned line, column;
	enum lac_metric metric;
	enum lac_compare compare;
	uint64_t wanted;
	const char *text; /* "size <= 64" */
};

struct lac_rule {
	unsigned line, column;
	bool optional;
	const char *kind;    /* NULL for any, and for members */
	const char *pattern; /* the type, also of members */
	uint32_t nmembers;   /* 0: a rule on types */
	const char **members; /* paths within the type */
	const char *subject; /* as written: "struct page" */
	uint32_t nconditions;
	struct lac_condition *conditions;
};

struct lac_budget {
	const char *path;
	uint32_t n;
	struct lac_rule *rules;
	bool needs_baseline;
	unsigned baseline_line; /* the first rule that does */
};

/* LAC_USAGE with line and column; *ret in the arena. */
LAC_MUST_CHECK enum lac_status lac_budget_parse(const char *path,
						const char *text, size_t size,
						struct lac_arena *arena,
						struct lac_budget *ret,
						struct lac_err *err);

enum lac_finding_status {
	LAC_FINDING_HOLDS,
	LAC_FINDING_BETTER, /* than was recorded; holds, and worth a word */
	LAC_FINDING_BROKEN,
	LAC_FINDING_UNDECIDED, /* the input does not tell */
	LAC_FINDING_NO_MATCH,  /* no such type or member */
};

/* What sort of failure it is, in a baseline; the first that holds. */
enum lac_finding_kind {
	LAC_KIND_RULE,	/* of a budget, or what has another status */
	LAC_KIND_GREW,	/* in size or lines */
	LAC_KIND_HOLES, /* more of them, or more bits in them */
	LAC_KIND_OTHER, /* changed or worse otherwise */
	LAC_KIND_GONE,	/* was recorded, and is not there */
	LAC_KINDS
};

static inline bool lac_finding_fails(enum lac_finding_status s)
{
	return s != LAC_FINDING_HOLDS && s != LAC_FINDING_BETTER;
}

/* One condition of one type; the failed ones are a line of the report each. */
struct lac_finding {
	enum lac_finding_status status;
	enum lac_finding_kind kind;
	const char *file; /* of the rule: the budget or the baseline */
	unsigned line, column;
	const char *subject;	  /* "struct page", "page.lru" */
	const char *wanted, *found;
	const char *decl_file;	  /* NULL if unknown */
	unsigned decl_line;
};

struct lac_check {
	struct lac_arena *arena;
	uint32_t types;	  /* that were looked at */
	uint32_t nfindings;
	struct lac_finding *findings; /* every condition, as the rules come */
	uint32_t nfailed, nbetter;    /* of them */
};

struct lac_check_options {
	uint32_t line_size;		      /* bytes, 0 for 64 */
	const struct lac_budget *budget;      /* or NULL */
	const struct lac_baseline *baseline;  /* or NULL */
	bool exact; /* without a budget: nothing recorded may change */
};

/*
 * Without a budget, no record of the baseline may be worse than it was: larger,
 * on more lines, with more holes or bits in them, with more straddlers.
 * Findings are a result, not a failure.  On success the caller owns *ret.
 */
LAC_MUST_CHECK enum lac_status
lac_check_run(const struct lac_graph *g, const struct lac_check_options *o,
	      struct lac_check **ret, struct lac_err *err);
void lac_check_destroy(struct lac_check *c); /* NULL is a no-op */

const char *lac_finding_status_name(enum lac_finding_status s);

static inline void lac_check_cleanup(struct lac_check **c)
{
	lac_check_destroy(*c);
}
#define LAC_CLEANUP_CHECK __attribute__((cleanup(lac_check_cleanup)))

#endif

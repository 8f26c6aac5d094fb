/* SPDX-License-Identifier: BSD-2-Clause */
/* check.h - what the parts of a check share.  Of no use outside diff/. */
#ifndef LAC_CHECK_H
#define LAC_CHECK_H

#include "diff/budget.h"

/* A figure as the interval that the input allows. */
struct range {
	uint64_t low, high;
};

struct run {
	const struct lac_graph *g;
	const struct lac_check_options *o;
	uint32_t line_size;
	struct lac_labelled *types;
	uint32_t ntypes;
	struct lac_check *c;
	uint32_t cap;
	struct lac_arena *scratch;
	struct lac_err *err;
};

/*
 * check.c: one more result; found NULL is out of memory.  The shape says where
 * the type is declared, or is NULL.
 */
LAC_MUST_CHECK enum lac_status
lac_check_add(struct run *r, const struct lac_condition *c, const char *file,
	      const char *subject, const struct lac_shape *s,
	      enum lac_finding_status status, const char *found);

/* check_figure.c: a figure of a type, and whether it is as wanted. */
struct range lac_check_figure(const struct run *r, const struct lac_labelled *t,
			      enum lac_metric metric);
struct range lac_check_exactly(uint64_t v);
struct range lac_check_size(uint64_t v); /* LAC_SIZE_UNKNOWN: any */
enum lac_finding_status lac_check_decide(struct range v, enum lac_compare c,
					 uint64_t wanted);
/* NULL: out of memory */
const char *lac_check_range_text(struct run *r, struct range v);

/* Where a member is in the type that a rule is about. */
struct lac_place {
	bool known;
	uint64_t bit_offset; /* meaningless if it is not known */
	uint64_t bit_size;   /* LAC_SIZE_UNKNOWN */
};

/*
 * check_path.c: LAC_NOT_FOUND and why, as a finding says it, if there is no
 * such member.
 */
LAC_MUST_CHECK enum lac_status lac_check_path(struct run *r,
					      const struct lac_labelled *t,
					      const char *path,
					      struct lac_place *ret,
					      const char **why);

/* check_member.c: a rule on members of a type that it matches. */
LAC_MUST_CHECK enum lac_status lac_check_members(struct run *r,
						 const struct lac_rule *rule,
						 const struct lac_labelled *t);
/* Each condition of a rule on members that are not there. */
LAC_MUST_CHECK enum lac_status
lac_check_no_members(struct run *r, const struct lac_rule *rule,
		     const struct lac_shape *s, const char *found);

/* check_baseline.c: a type against what was recorded of it, or NULL. */
LAC_MUST_CHECK enum lac_status
lac_check_against(struct run *r, const struct lac_condition *c,
		  const char *file, const struct lac_labelled *t,
		  const struct lac_baseline_entry *e);
/* Every entry of the baseline. */
LAC_MUST_CHECK enum lac_status lac_check_baseline(struct run *r);

#endif

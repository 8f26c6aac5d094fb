/* SPDX-License-Identifier: BSD-2-Clause */
/* check_report.h - findings for people, scripts and CI. */
#ifndef LAC_CHECK_REPORT_H
#define LAC_CHECK_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "diff/budget.h"
#include "report/doc.h"

enum lac_annotations {
	LAC_ANNOTATE_NONE,
	LAC_ANNOTATE_GITHUB, /* workflow commands: ::error file=...:: */
	LAC_ANNOTATE_GITLAB, /* a code quality report */
};

/* "github", "gitlab" or NULL; LAC_USAGE. */
LAC_MUST_CHECK enum lac_status
lac_annotations_parse(const char *text, enum lac_annotations *ret,
		      struct lac_err *err);

/* Everything the check says, into doc->data; then a view on it. */
void lac_check_data(struct lac_doc *doc, const struct lac_check *c,
		    const char *path);
void lac_check_views(struct lac_doc *doc, const struct lac_check *c,
		     const char *path);
/* The same as annotations only: nothing else may be on the output. */
void lac_check_annotations(struct lac_doc *doc, const struct lac_check *c,
			   enum lac_annotations form);

/* "struct page: wanted size <= 64, found 72"; NULL: out of memory. */
const char *lac_check_sentence(struct lac_arena *arena,
			       const struct lac_finding *f);

/* As JUnit XML; *ret is the caller's to free. */
LAC_MUST_CHECK enum lac_status lac_check_junit(const struct lac_check *c,
					       char **ret, size_t *size,
					       struct lac_err *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * builds_report.h - counters of two builds beside what changed in their
 * layouts, and what may be concluded from the two together: what report and
 * correlate say when they are given builds.
 */
#ifndef LAC_BUILDS_REPORT_H
#define LAC_BUILDS_REPORT_H

#include "cmd.h"

/* --perfstat, and what diff and perfstat take: to be included in a table. */
extern const struct poptOption lac_builds_option_table[];

#define LAC_BUILDS_TITLE "two builds (with OLD NEW):"
#define LAC_LIBRARY_TITLE "the allocator library (without OLD NEW):"

/* LAC_USAGE for an option of builds where there are none. */
LAC_MUST_CHECK enum lac_status lac_builds_options_unused(struct lac_err *err);

/* Were two builds given?  Also where that is a usage error. */
bool lac_builds_asked(const struct lac_run *r);

/*
 * Arguments: OLD NEW [NEWSTAT].  whole: the diff as well, not only what stands
 * beside the counters; without counters whole is all there is.  not_ours: the
 * options that are for something else.
 */
LAC_MUST_CHECK enum lac_status
lac_builds_report(struct lac_run *r, bool whole,
		  const struct poptOption *not_ours, struct lac_err *err);

#endif

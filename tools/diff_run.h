/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_run.h - two files or directories compared as the options say. */
#ifndef LAC_DIFF_RUN_H
#define LAC_DIFF_RUN_H

#include <popt.h>

#include "build_facts.h"
#include "diff_report.h"

/* Of diff; and the same for commands whose letters are taken. */
extern const struct poptOption lac_diff_option_table[];
extern const struct poptOption lac_diff_long_option_table[];

/* May not be moved: the report points into it. */
struct lac_diff_job {
	struct lac_arena *arena;
	struct lac_diff *diff;
	struct lac_diff whole; /* for report.whole; in the arena of diff */
	struct lac_ignore_list ignore;
	struct lac_slabinfo slabinfo;
	struct lac_build_facts facts[2]; /* of files, not of directories */
	struct lac_diff_report report;
};

/* On success the caller ends it; nothing is left after a failure. */
LAC_MUST_CHECK enum lac_status lac_diff_job_run(const char *old_path,
						const char *new_path,
						struct lac_diff_job *job,
						struct lac_err *err);
void lac_diff_job_end(struct lac_diff_job *job);

/* Anything that is selected: the exit status of diff. */
bool lac_diff_job_differs(const struct lac_diff_job *job);
/* Anything at all, selected or not. */
bool lac_diff_job_differs_at_all(const struct lac_diff_job *job);

#endif

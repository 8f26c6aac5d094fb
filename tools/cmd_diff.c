/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_diff.c - what changed between two builds, and because of what. */
#include "commands.h"
#include "diff_run.h"

static enum lac_status run(struct lac_run *r, struct lac_err *err)
{
	struct lac_diff_job job;

	LAC_TRY(lac_diff_job_run(r->args[0], r->args[1], &job, err));
	lac_diff_data(r->doc, &job.report);
	lac_diff_views(r->doc, &job.report);
	if (lac_diff_job_differs(&job))
		r->verdict = LAC_EXIT_FOUND;
	lac_diff_job_end(&job);
	return LAC_OK;
}

const struct lac_cmd lac_cmd_diff = {
	.name = "diff",
	.args = "OLD NEW",
	.summary = "what changed between two builds, and because of what",
	.help = "OLD and NEW are files with debug information, or two "
		"directories that are\ncompared file by file.\n"
		"Exit status: 0 no differences, or none that are selected; 1 "
		"differences;\n2 usage; 3 could not do it.",
	.min_args = 2,
	.max_args = 2,
	.files = 2,
	.options = lac_diff_option_table,
	.run = run,
	.untrusted = true,
};

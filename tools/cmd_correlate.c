/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench_warnings.h"
#include "builds_report.h"
#include "commands.h"
#include "correlate_doc.h"

static const struct poptOption options[] = {
	{ NULL, 0, POPT_ARG_INCLUDE_TABLE,
	  (void *)(uintptr_t)lac_builds_option_table, 0, LAC_BUILDS_TITLE,
	  NULL },
	{ NULL, 0, POPT_ARG_INCLUDE_TABLE,
	  (void *)(uintptr_t)lac_verdict_option_table, 0, LAC_LIBRARY_TITLE,
	  NULL },
	POPT_TABLEEND
};

static enum lac_status run(struct lac_run *run, struct lac_err *err)
{
	struct lac_doc *d = run->doc;
	struct lac_experiment r;
	struct lac_findings f;
	enum lac_status st;

	if (lac_builds_asked(run))
		return lac_builds_report(run, false, lac_verdict_option_table,
					 err);
	LAC_TRY(lac_builds_options_unused(err));
	LAC_TRY(lac_bench_execute(LAC_RUN_FOR_VERDICT, d->arena, &r, err));
	st = lac_correlate(r.bench, &r.layouts, r.others, r.nothers,
			   r.options.job.seed, d->arena, &f, err);
	if (st == LAC_OK)
		st = lac_bench_data(d, &r, err);
	if (st == LAC_OK)
		st = lac_correlate_data(d, &r, &f, err);
	if (st == LAC_OK) {
		lac_bench_warn_of_planted(d);
		lac_doc_heading(d, 1, "Does the layout explain the times?");
		lac_bench_warn_of_busy_run(d, &r);
		lac_correlate_views(d, &r, &f, 2);
		lac_bench_mark_planted(d);
	}
	lac_experiment_end(&r);
	return st;
}

const struct lac_cmd lac_cmd_correlate = {
	.name = "correlate",
	.args = "[OLD NEW]",
	.summary = "layout, counters and times joined; the verdict",
	.help = "Without builds: runs what bench runs, and says of each "
		"difference whether the\nlayout of struct page explains it, or "
		"the update, or neither.\n"
		"With two builds and --perfstat OLDSTAT NEWSTAT: their "
		"counters beside the\nrecords that changed, and what may be "
		"concluded.\n",
	.max_args = 3,
	.files = 2,
	.untrusted_args = true,
	.options = options,
	.run = run,
};

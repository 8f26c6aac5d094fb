/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_report.c - page, bench and the verdict as one document. */
#include "bench_warnings.h"
#include "builds_report.h"
#include "commands.h"
#include "correlate_doc.h"
#include "page_library.h"
#include "report_files.h"

static char *into;

static const struct poptOption options[] = {
	{ NULL, 0, POPT_ARG_INCLUDE_TABLE,
	  (void *)(uintptr_t)lac_builds_option_table, 0, LAC_BUILDS_TITLE,
	  NULL },
	{ NULL, 0, POPT_ARG_INCLUDE_TABLE,
	  (void *)(uintptr_t)lac_verdict_option_table, 0, LAC_LIBRARY_TITLE,
	  NULL },
	{ "into", 0, POPT_ARG_STRING, &into, 0,
	  "also write the report in every format to files in DIR", "DIR" },
	POPT_TABLEEND
};

/* The head: what anyone who doubts a figure asks first. */
static void header(struct lac_doc *d, const struct lac_experiment *r)
{
	const json_t *m = json_object_get(d->data, "machine");
	const json_t *s = json_object_get(d->data, "settings");
	const char *cpu = json_string_value(json_object_get(m, "cpu"));
	const char *os = json_string_value(json_object_get(m, "kernel"));
	const char *cc = json_string_value(json_object_get(m, "compiler"));
	const char *caches = json_string_value(json_object_get(s, "caches"));
	const char *counters = json_string_value(
		json_object_get(m, "hardware_counters"));

	lac_doc_heading(d, 1, "What the layout of struct page costs");
	lac_doc_paragraph(
		d,
		"lacuna %s on %s, %d CPUs, %s; load %.1f before and %.1f after. "
		"The allocator library was compiled by %s. Counters: simulated "
		"(%s); hardware counters: %s. Times: CPU time of %zu "
		"processes, %.0f s in all.",
		LAC_VERSION, cpu ? cpu : "an unknown processor",
		(int)json_integer_value(json_object_get(m, "cpus")),
		os ? os : "an unknown system", r->bench->load_before,
		r->bench->load_after, cc ? cc : "an unknown compiler",
		caches ? caches : "none", counters ? counters : "unknown",
		r->bench->nprocesses, r->bench->elapsed_s);
	lac_doc_paragraph(d, "The 2013 mail is the table that was posted on 18 "
			     "December 2013 to linux-mm, in the thread of the "
			     "series that shrinks struct page from 64 bytes to "
			     "56; bulk and pair are its tests 1 and 2.");
	lac_bench_warn_of_busy_run(d, r);
}

static enum lac_status page_part(struct lac_doc *d, struct lac_err *err)
{
	struct lac_page_doc_options o = { .page_size = 4096, .line_size = 64 };
	struct lac_page_library l;
	enum lac_status st = lac_page_library_read(&l, d->arena, err);

	if (st == LAC_OK) {
		json_t *data = json_object();

		lac_doc_set(d, d->data, "page", data);
		lac_doc_heading(d, 2, "The layouts");
		lac_page_doc(d, data, l.subjects, l.n, &o);
	}
	lac_page_library_close(&l);
	return st;
}

static enum lac_status build(struct lac_doc *d, const struct lac_experiment *r,
			     struct lac_err *err)
{
	struct lac_findings f;
	size_t from;

	LAC_TRY(lac_correlate(r->bench, &r->layouts, r->others, r->nothers,
			      r->options.job.seed, d->arena, &f, err));
	LAC_TRY(lac_bench_data(d, r, err));
	LAC_TRY(lac_correlate_data(d, r, &f, err));
	lac_bench_warn_of_planted(d);
	header(d, r);
	lac_correlate_summary(d, &f);
	LAC_TRY(page_part(d, err));
	from = d->nviews;
	lac_doc_heading(d, 2, "The alloc/free kernels");
	lac_bench_views(d, r, 3);
	lac_doc_detail_since(d, from);
	lac_doc_heading(d, 2, "The verdict");
	lac_correlate_views(d, r, &f, 3);
	lac_bench_mark_planted(d);
	return lac_doc_finish(d, err);
}

static enum lac_status run(struct lac_run *run, struct lac_err *err)
{
	struct lac_experiment r;
	enum lac_status st;

	if (lac_builds_asked(run)) {
		if (into)
			return lac_fail(err, LAC_USAGE,
					"--into: with builds, use -o FORMAT "
					"-O FILE");
		return lac_builds_report(run, true, lac_verdict_option_table,
					 err);
	}
	LAC_TRY(lac_builds_options_unused(err));
	if (into)
		LAC_TRY(lac_report_files_prepare(into, err));
	LAC_TRY(lac_bench_execute(LAC_RUN_FOR_VERDICT, run->doc->arena, &r,
				  err));
	st = build(run->doc, &r, err);
	if (st == LAC_OK && into)
		st = lac_report_files_write(into, run->doc, err);
	lac_experiment_end(&r);
	return st;
}

const struct lac_cmd lac_cmd_report = {
	.name = "report",
	.args = "[OLD NEW]",
	.summary = "the whole story as one document",
	.help = "Without builds: what page, bench and correlate say, from one "
		"run.  With --into,\nthat run is rendered in every format at "
		"once.\n"
		"With two builds: what diff says of them and, with --perfstat "
		"OLDSTAT NEWSTAT,\ntheir counters beside the records that "
		"changed, and what may be concluded.\n",
	.max_args = 3,
	.files = 2,
	.untrusted_args = true,
	.options = options,
	.run = run,
};

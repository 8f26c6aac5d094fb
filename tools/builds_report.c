/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/words.h"
#include "builds_report.h"

#include <string.h>

#include "builds_data.h"
#include "options.h"
#include "perfstat_doc.h"

static char **stats; /* --perfstat, as often as it was given */

const struct poptOption lac_builds_option_table[] = {
	{ "perfstat", 0, POPT_ARG_ARGV, &stats, 0,
	  "what perf stat printed on OLD; NEWSTAT, or a second --perfstat, is "
	  "that on NEW, unless the one file has both",
	  "FILE" },
	{ NULL, 0, POPT_ARG_INCLUDE_TABLE,
	  (void *)(uintptr_t)lac_perfstat_option_table, 0, NULL, NULL },
	{ NULL, 0, POPT_ARG_INCLUDE_TABLE,
	  (void *)(uintptr_t)lac_diff_long_option_table, 0, NULL, NULL },
	POPT_TABLEEND
};

#define COLUMNS(c) (c), sizeof(c) / sizeof(*(c))

static const struct lac_column event_columns[] = {
	{ "label", "event", LAC_UNIT_NONE, 0, NULL, NULL },
	{ "old", "old", LAC_UNIT_COUNT, 4, NULL, NULL },
	{ "new", "new", LAC_UNIT_COUNT, 4, NULL, NULL },
	{ "ratio", "ratio", LAC_UNIT_RATIO, 4, NULL, NULL },
	{ "resolved", "resolved", LAC_UNIT_NONE, 0, NULL, NULL },
};

static const struct lac_column record_columns[] = {
	{ "label", "record", LAC_UNIT_NONE, 0, NULL, NULL },
	{ "before.size", "bytes, old", LAC_UNIT_BYTES, 0, NULL, NULL },
	{ "after.size", "bytes, new", LAC_UNIT_BYTES, 0, NULL, NULL },
	{ "before.lines", "lines, old", LAC_UNIT_COUNT, 0, NULL, NULL },
	{ "after.lines", "lines, new", LAC_UNIT_COUNT, 0, NULL, NULL },
	{ "before.straddlers", "across, old", LAC_UNIT_COUNT, 0, NULL, NULL },
	{ "after.straddlers", "across, new", LAC_UNIT_COUNT, 0, NULL, NULL },
	{ "embedded_by", "in others", LAC_UNIT_COUNT, 0, NULL, NULL },
};

bool lac_builds_asked(const struct lac_run *r)
{
	return r->nargs || stats;
}

enum lac_status lac_builds_options_unused(struct lac_err *err)
{
	const char *name = lac_options_first_given(lac_builds_option_table);

	if (name)
		return lac_fail(err, LAC_USAGE,
				"--%s is about two builds, and none are given: "
				"OLD NEW",
				name);
	return LAC_OK;
}

static size_t nstats(void)
{
	size_t n = 0;

	while (stats && stats[n])
		n++;
	return n;
}

/* NULLs where no counters were given; the second where one file has both. */
static enum lac_status stat_files(const struct lac_run *r,
				  const struct poptOption *not_ours,
				  const char *file[2], struct lac_err *err)
{
	size_t n = nstats();
	const char *other = lac_options_first_given(not_ours);

	file[0] = file[1] = NULL;
	if (other)
		return lac_fail(err, LAC_USAGE,
				"--%s is about the allocator library, which is "
				"not run where builds are given",
				other);
	if (r->nargs < 2)
		return lac_fail(err, LAC_USAGE,
				"%s: the other build is missing: OLD NEW",
				r->nargs ? r->args[0] : "--perfstat");
	if (!n && r->nargs > 2)
		return lac_fail(err, LAC_USAGE,
				"too many arguments: '%s'; counters are given "
				"with --perfstat OLDSTAT NEWSTAT",
				r->args[2]);
	if (n + (r->nargs - 2) > 2)
		return lac_fail(err, LAC_USAGE,
				"more than two outputs of perf stat given");
	if (n)
		file[0] = stats[0];
	if (n > 1)
		file[1] = stats[1];
	else if (r->nargs > 2)
		file[1] = r->args[2];
	return LAC_OK;
}

static void sentences(struct lac_doc *d, const char *key, const char *title)
{
	const json_t *list = json_object_get(
		json_object_get(d->data, "beside"), key);

	if (json_array_size(list))
		lac_doc_heading(d, 3, "%s", title);
	for (size_t i = 0; i < json_array_size(list); i++)
		lac_doc_paragraph(d, "%s",
				  json_string_value(json_array_get(list, i)));
}

#define SHOWN 12u

/* struct page, kmem_cache and so on come first: they are what is asked about. */
static bool is_allocators(const struct lac_diff *diff,
			  const struct lac_record_diff *r)
{
	const char *name = r->new_shape->name;

	for (uint32_t i = 0; name && i < diff->nkernel; i++)
		if (!strcmp(diff->kernel[i].name, name))
			return true;
	return false;
}

static int place(const struct lac_diff *diff, const struct lac_record_diff *r)
{
	return is_allocators(diff, r) ? 0 : r->explained ? 2 : 1;
}

static void record_table(struct lac_doc *d, const struct lac_diff_job *job,
			 const struct lac_beside *b)
{
	const json_t *all = json_object_get(d->data, "records");
	json_t *rows = lac_doc_rows(d), *full = lac_doc_rows(d);
	uint32_t n = 0;

	if (!b->selected.records) {
		lac_doc_paragraph(d,
				  "No record%s differs in size, lines or "
				  "members across a line%s.",
				  b->all.records ? " that is selected" : "",
				  b->all.records
					  ? lac_arena_printf(d->arena,
							     "; %u of the "
							     "builds do",
							     b->all.records)
					  : "");
		return;
	}
	for (int at = 0; at < 3; at++) {
		for (uint32_t i = 0; i < job->diff->nrecords; i++) {
			const struct lac_record_diff *r =
				&job->diff->records[i];
			json_t *row = json_array_get(all, i);

			if (!lac_beside_differs(r) ||
			    place(job->diff, r) != at)
				continue;
			lac_doc_append(d, full, json_incref(row));
			if (n++ < SHOWN)
				lac_doc_append(d, rows, json_incref(row));
		}
	}
	lac_doc_table(d, "beside-records",
		      job->diff->nkernel
			      ? "Records that differ in size, lines or members "
				"across a line: the allocator's own, those "
				"with changes of their own, those that hold "
				"one"
			      : "Records that differ in size, lines or members "
				"across a line: those with changes of their "
				"own, those that hold one",
		      COLUMNS(record_columns), rows);
	lac_doc_table_full(d, full);
	lac_doc_paragraph(d,
			  "%u record%s%s%s: %u %s in size, %u in lines, %u "
			  "in members across a line.",
			  b->selected.records, lac_s(b->selected.records),
			  b->selected.records < b->all.records
				  ? lac_arena_printf(d->arena,
						     " of %u are selected",
						     b->all.records)
				  : " in all",
			  b->selected.records > SHOWN
				  ? ", the first of them above"
				  : "",
			  b->selected.resized,
			  lac_plural(b->selected.resized, "differs", "differ"),
			  b->selected.relined, b->selected.recrossed);
}

/* The table's lines are those of an object that starts on one. */
static void descriptor(struct lac_doc *d, const struct lac_diff_job *job)
{
	for (uint32_t i = 0; i < job->diff->nrecords; i++) {
		const struct lac_record_diff *r = &job->diff->records[i];
		const char *s;

		if (!lac_is_page_descriptor(&job->report, r) ||
		    r->old_shape->size == r->new_shape->size)
			continue;
		s = lac_diff_headline(d->arena, &job->report, r);
		lac_doc_paragraph(d, "%s.", s ? s : "");
	}
}

static void beside(struct lac_doc *d, const struct lac_diff_job *job,
		   const struct lac_perfstat_pair *pair)
{
	const json_t *rows = lac_row_cell(d->data, "perfstat.comparison.rows");
	struct lac_beside b;

	lac_beside_judge(job, pair, &b);
	lac_beside_data(d, job, pair, &b);
	lac_doc_heading(d, 2, "Counters beside layouts");
	lac_perfstat_pair_sources(d, pair);
	lac_doc_paragraph(d,
			  "%zu of %zu lines differ by more than their errors "
			  "explain (%g %% confidence for each).",
			  pair->c.nresolved, pair->c.nrows,
			  pair->c.confidence * 100);
	lac_doc_table(d, "beside-events", "New over old",
		      COLUMNS(event_columns), rows);
	record_table(d, job, &b);
	descriptor(d, job);
	sentences(d, "may_conclude", "What may be concluded");
	sentences(d, "may_not_conclude", "What may not be concluded");
	lac_perfstat_pair_notes(d, pair);
}

static enum lac_status read_stats(const char *const file[2],
				  struct lac_doc *d,
				  struct lac_perfstat_pair *pair,
				  struct lac_err *err)
{
	json_t *j;

	LAC_TRY(lac_perfstat_pair_read(file[0], file[1], d->arena, pair, err));
	j = json_object();
	lac_doc_set(d, d->data, "perfstat", j);
	lac_perfstat_pair_data(d, j, pair);
	return LAC_OK;
}

/*
 * The diff under the counters: its first chapter, the causes, in full; the rest
 * is what the table beside the counters has the head of.
 */
static void body(struct lac_doc *d, const struct lac_diff_report *r,
		 bool counters)
{
	size_t from = d->nviews, chapters = 0;

	lac_diff_body(d, r);
	for (; counters && from < d->nviews; from++) {
		const struct lac_view *v = &d->views[from];

		chapters += v->kind == LAC_VIEW_HEADING && v->level == 2;
		if (chapters == 2)
			break;
	}
	if (counters)
		lac_doc_detail_since(d, from);
}

enum lac_status lac_builds_report(struct lac_run *r, bool whole,
				  const struct poptOption *not_ours,
				  struct lac_err *err)
{
	struct lac_perfstat_pair pair = { 0 };
	struct lac_doc *d = r->doc;
	struct lac_diff_job job;
	const char *file[2];
	enum lac_status st = LAC_OK;

	LAC_TRY(stat_files(r, not_ours, file, err));
	if (!whole && !file[0])
		return lac_fail(err, LAC_USAGE,
				"no counters to join with the builds: give "
				"--perfstat OLDSTAT NEWSTAT, or see 'lacuna "
				"diff'");
	LAC_TRY(lac_diff_job_run(r->args[0], r->args[1], &job, err));
	if (file[0])
		st = read_stats(file, d, &pair, err);
	if (st == LAC_OK) {
		lac_diff_data(d, &job.report);
		lac_diff_head(d, &job.report);
		if (file[0])
			beside(d, &job, &pair);
		if (whole)
			body(d, &job.report, file[0]);
		if (lac_diff_job_differs(&job) || pair.c.nresolved)
			r->verdict = LAC_EXIT_FOUND;
	}
	lac_perfstat_pair_end(&pair);
	lac_diff_job_end(&job);
	return st;
}

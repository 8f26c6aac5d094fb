/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "bench_doc.h"
#include "bench_figures.h"
#include "bench_rests.h"

const char *lac_bench_test_title(const char *test)
{
	static const struct {
		const char *test, *title;
	} titles[] = {
		{ "bulk", "bulk: allocate all, then free all in order (test 1 of the 2013 "
		  "mail)" },
		{ "pair", "pair: allocate one and free it at once (test 2 of the 2013 mail)" },
		{ "bulk-random", "bulk-random: allocate all, free in random order" },
		{ "bulk-reverse", "bulk-reverse: allocate all, free in reverse order" },
		{ "fragmented", "fragmented: allocate and free in a fragmented heap" },
		{ "remote", "remote: allocate on one CPU, free on another" },
	};

	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		if (!strcmp(test, titles[i].test))
			return titles[i].title;
	return test;
}

#define RATIO(variant)                                                         \
	{ "ratio." variant ".value", variant, LAC_UNIT_RATIO, 2,               \
	  "ratio." variant ".low", "ratio." variant ".high" }

static const struct lac_column time_columns[] = {
	{ "size", "size", LAC_UNIT_BYTES, 0, NULL, NULL },
	{ "time_ns.aligned-cas.value", "ns", LAC_UNIT_NS, 1, NULL, NULL },
	RATIO("aligned-lock"),
	RATIO("packed-lock"),
	RATIO("packed-cas"),
};

/* Where the variants are not the usual four against the first. */
#define LEVEL(variant)                                                         \
	{ "time_ns." variant ".value", variant ", ns", LAC_UNIT_NS, 1,         \
	  "time_ns." variant ".low", "time_ns." variant ".high" }

static const struct lac_column level_columns[] = {
	{ "size", "size", LAC_UNIT_BYTES, 0, NULL, NULL },
	LEVEL("aligned-cas"),
	LEVEL("aligned-lock"),
	LEVEL("packed-lock"),
	LEVEL("packed-cas"),
};

static const struct lac_column control_columns[] = {
	{ "size", "size", LAC_UNIT_BYTES, 0, NULL, NULL },
	{ "controls.again.value", "same build again", LAC_UNIT_RATIO, 2,
	  "controls.again.low", "controls.again.high" },
	{ "controls.rebuilt.value", "rebuilt elsewhere", LAC_UNIT_RATIO, 2,
	  "controls.rebuilt.low", "controls.rebuilt.high" },
	{ "rounds", "rounds", LAC_UNIT_COUNT, 0, NULL, NULL },
	{ "resolved", "resolved", LAC_UNIT_NONE, 0, NULL, NULL },
};

/* Narrow titles: nine columns have to fit a mail. */
static const struct lac_column cell_columns[] = {
	{ "size", "size", LAC_UNIT_BYTES, 0, NULL, NULL },
	{ "variant", "variant", LAC_UNIT_NONE, 0, NULL, NULL },
	{ "time_ns.value", "ns", LAC_UNIT_NS, 1, NULL, NULL },
	{ "simulated.accesses", "refs", LAC_UNIT_RATIO, 2, NULL, NULL },
	{ "simulated.l1_misses", "L1 miss", LAC_UNIT_RATIO, 4, NULL, NULL },
	{ "simulated.llc_misses", "LLC miss", LAC_UNIT_RATIO, 4, NULL, NULL },
	{ "page_array.lines_predicted", "lines by layout", LAC_UNIT_RATIO, 4,
	  NULL, NULL },
	{ "page_array.lines_touched", "lines in fact", LAC_UNIT_RATIO, 4, NULL,
	  NULL },
	{ "page_array.l1_misses", "page L1", LAC_UNIT_RATIO, 4, NULL, NULL },
};

/* The same where there are several CPUs. */
static const struct lac_column shared_columns[] = {
	{ "size", "size", LAC_UNIT_BYTES, 0, NULL, NULL },
	{ "variant", "variant", LAC_UNIT_NONE, 0, NULL, NULL },
	{ "time_ns.value", "ns", LAC_UNIT_NS, 1, NULL, NULL },
	{ "simulated.accesses", "refs", LAC_UNIT_RATIO, 2, NULL, NULL },
	{ "simulated.l2_misses", "L2 miss", LAC_UNIT_RATIO, 4, NULL, NULL },
	{ "simulated.hitm", "HITM", LAC_UNIT_RATIO, 4, NULL, NULL },
	{ "simulated.true_sharing", "true", LAC_UNIT_RATIO, 4, NULL, NULL },
	{ "simulated.false_sharing", "false", LAC_UNIT_RATIO, 4, NULL, NULL },
	{ "page_array.l2_misses", "page L2", LAC_UNIT_RATIO, 4, NULL, NULL },
};

/* What is simulated on request. */
static const struct lac_column extra_columns[] = {
	{ "size", "size", LAC_UNIT_BYTES, 0, NULL, NULL },
	{ "variant", "variant", LAC_UNIT_NONE, 0, NULL, NULL },
	{ "simulated.l2_misses", "L2 miss", LAC_UNIT_RATIO, 4, NULL, NULL },
	{ "simulated.prefetches", "prefetched", LAC_UNIT_RATIO, 4, NULL, NULL },
	{ "simulated.dtlb_misses", "dTLB miss", LAC_UNIT_RATIO, 4, NULL, NULL },
};

#define COLUMNS(c) c, sizeof(c) / sizeof(c[0])

static bool usual_variants(const struct lac_experiment *r)
{
	bool all = r->options.base == LAC_ALIGNED_CAS;

	for (int v = 0; v < LAC_NCELLS; v++)
		all &= r->options.variants[v];
	return all;
}

static bool timed(const json_t *rows)
{
	return json_object_get(json_array_get(rows, 0), "ratio") != NULL;
}

static void time_views(struct lac_doc *d, const struct lac_experiment *r,
		       const json_t *test, const char *key)
{
	const json_t *rows = json_object_get(test, "rows");

	if (usual_variants(r))
		lac_doc_table(d, lac_arena_printf(d->arena, "%s-time", key),
			      "Time of an operation (an allocation and its "
			      "free): aligned-cas in ns of CPU time, the others "
			      "as ratios to it, with 95 % intervals",
			      COLUMNS(time_columns), rows);
	else
		lac_doc_table(d, lac_arena_printf(d->arena, "%s-time", key),
			      "CPU time of an operation (an allocation and its "
			      "free), ns, with 95 % intervals",
			      COLUMNS(level_columns), rows);
	lac_doc_table(d, lac_arena_printf(d->arena, "%s-controls", key),
		      "Controls: the first variant against itself; and which "
		      "of the ratios lie outside of all that",
		      COLUMNS(control_columns), rows);
	lac_doc_detail(d);
	lac_rests_table(d, lac_arena_printf(d->arena, "%s-rests", key),
			json_object_get(test, "rests_on"));
}

static bool several_cpus(const json_t *test)
{
	const json_t *cell = json_array_get(json_object_get(test, "cells"), 0);

	return json_integer_value(lac_row_cell(cell, "simulated.cpus")) > 1;
}

static void test_views(struct lac_doc *d, const struct lac_experiment *r,
		       const json_t *test, unsigned level)
{
	const json_t *rows = json_object_get(test, "rows");
	const char *key = json_string_value(json_object_get(test, "test"));

	lac_doc_heading(d, level, "%s",
			json_string_value(json_object_get(test, "title")));
	if (timed(rows))
		time_views(d, r, test, key);
	if (several_cpus(test))
		lac_doc_table(d, lac_arena_printf(d->arena, "%s-cells", key),
			      "Per operation: CPU time; simulated on several "
			      "CPUs: references, misses of a CPU's own L2, lines "
			      "that another CPU had modified (HITM), misses of "
			      "shared lines by true and by false sharing; L2 "
			      "misses of the page array",
			      COLUMNS(shared_columns),
			      json_object_get(test, "cells"));
	else
		lac_doc_table(d, lac_arena_printf(d->arena, "%s-cells", key),
			      "Per operation: CPU time; simulated references "
			      "and misses of L1 and the last level; lines of "
			      "the page array as the layout predicts and as "
			      "simulated; L1 misses there",
			      COLUMNS(cell_columns),
			      json_object_get(test, "cells"));
	if (r->options.job.adjacent || r->options.job.dtlb)
		lac_doc_table(d, lac_arena_printf(d->arena, "%s-extra", key),
			      "Per operation, simulated: misses of L2, adjacent "
			      "lines that were prefetched for them, and pages "
			      "that the data TLB had not got",
			      COLUMNS(extra_columns),
			      json_object_get(test, "cells"));
	lac_bench_figures(d, test);
}

void lac_bench_views(struct lac_doc *d, const struct lac_experiment *r,
		     unsigned level)
{
	const json_t *tests = json_object_get(d->data, "tests"), *test;
	const json_t *s = json_object_get(d->data, "settings");
	size_t i;

	if (r->bench->interrupted)
		lac_doc_paragraph(d, "Interrupted: what was finished is shown, "
				     "the rest is missing.");
	if (r->bench->nprocesses)
		lac_doc_paragraph(d,
				  "%zu processes were timed, in mirrored rounds "
				  "over %u placement builds of each variant; "
				  "load %.1f before, %.1f after.",
				  r->bench->nprocesses, r->bench->nbuilds,
				  r->bench->load_before, r->bench->load_after);
	lac_doc_paragraph(
		d,
		"%s caches: %s (%s), true LRU, %s.%s Seed %llu.",
		r->bench->nprocesses ? "Simulated"
				     : "Nothing was timed.  Simulated",
		json_string_value(json_object_get(s, "caches")) ?
			json_string_value(json_object_get(s, "caches")) :
			"none",
		json_string_value(json_object_get(s, "preset")) ?
			json_string_value(json_object_get(s, "preset")) :
			"as given",
		r->options.job.adjacent ? "with a prefetcher of the adjacent line"
					: "no prefetch",
		r->options.job.dtlb ? lac_arena_printf(d->arena,
						       "  Data TLB: %s.",
						       r->options.job.dtlb)
				    : "",
		(unsigned long long)r->options.job.seed);
	if (r->bench->nprocesses && r->bench->nbuilds < LAC_CLUSTERS_MIN)
		lac_doc_paragraph(d,
				  "With fewer than %d placement builds there "
				  "are no intervals, and nothing is resolved. "
				  "(make eras builds them for the other eras.)",
				  LAC_CLUSTERS_MIN);
	json_array_foreach((json_t *)(uintptr_t)tests, i, test)
		test_views(d, r, test, level);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* correlate_figures.c - the effects as intervals, the argument as a chain. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "correlate_doc.h"

static json_t *point(const char *group, const struct lac_comparison *c)
{
	const struct lac_interval *i = &c->ratio[LAC_CPU_MEDIAN];

	if (isnan(i->value))
		return json_pack("{s:s, s:n, s:s}", "group", group, "value",
				 "status", "no value");
	if (isnan(i->low))
		return json_pack("{s:s, s:f}", "group", group, "value",
				 i->value);
	return json_pack("{s:s, s:f, s:f, s:f}", "group", group, "value",
			 i->value, "low", i->low, "high", i->high);
}

void lac_correlate_figure(struct lac_doc *d, const struct lac_findings *f,
			  const char *test)
{
	json_t *categories = json_array(), *data;

	for (size_t i = 0; i < f->n; i++) {
		const struct lac_bench_result *c = f->rows[i].cell;
		char label[32];

		if (strcmp(c->cell.test, test) != 0 || !c->has_times ||
		    !c->times.has_effects)
			continue;
		snprintf(label, sizeof(label), "%u B", c->cell.size);
		json_array_append_new(
			categories,
			json_pack("{s:s, s:[o, o]}", "label", label, "points",
				  point("packing", &c->times.size),
				  point("lock", &c->times.update)));
	}
	if (json_array_size(categories) < 2) {
		json_decref(categories);
		return;
	}
	data = json_pack("{s:s, s:i, s:f, s:s, s:o}", "value_title",
			 "time as a ratio", "decimals", 2, "reference", 1.0,
			 "reference_title", "no difference", "categories",
			 categories);
	if (!json_object_get(d->data, "figures"))
		lac_doc_set(d, d->data, "figures", json_object());
	lac_doc_set(d, json_object_get(d->data, "figures"), test, data);
	lac_doc_figure(d, LAC_FIGURE_INTERVALS,
		       lac_arena_printf(d->arena, "%s-figure", test),
		       "Effects of packing and of the lock on time, by size",
		       "Ratios of times with their 95 % intervals, one row a "
		       "size: packed to aligned, and lock to cas.",
		       data);
	lac_doc_detail(d);
}

static json_t *step(const char *label, bool holds, const char *detail)
{
	return json_pack("{s:s, s:s, s:s}", "label", label, "state",
			 holds ? "holds" : "fails", "detail",
			 detail ? detail : "");
}

void lac_correlate_chain(struct lac_doc *d, const struct lac_pair_argument *a)
{
	json_t *data = json_pack(
		"{s:[o, o, o, o]}", "steps",
		step("The larger descriptors touch more lines",
		     a->lines_isolated_aligned > a->lines_isolated_packed,
		     lac_arena_printf(d->arena,
				      "%.2f lines against %.2f packed, from "
				      "the layout",
				      a->lines_isolated_aligned,
				      a->lines_isolated_packed)),
		step("The loop touches enough of them to miss",
		     a->lines_of_round > (double)a->l1_lines,
		     lac_arena_printf(d->arena,
				      "%.0f in a round of %llu operations; the "
				      "L1 holds %llu",
				      a->lines_of_round,
				      (unsigned long long)a->n,
				      (unsigned long long)a->l1_lines)),
		step("Each operation misses the page array",
		     a->page_l1 >= 1,
		     lac_arena_printf(d->arena,
				      "%.5f L1 misses an operation, simulated; "
				      "%.0f would be needed",
				      a->page_l1, a->needed)),
		step("Each operation updates {freelist, counters}",
		     a->updates >= 1,
		     lac_arena_printf(d->arena,
				      "%.5f updates an operation, by the "
				      "allocator's statistics",
				      a->updates)));

	lac_doc_set(d, d->data, "pair_argument", data);
	lac_doc_figure(d, LAC_FIGURE_CHAIN, "pair-chain",
		       "What would have to hold for the gap of pair to come "
		       "from the page array",
		       "A chain of four claims, each with the figure that "
		       "decides it.",
		       data);
}

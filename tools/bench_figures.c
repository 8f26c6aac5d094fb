/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench_figures.h"

#include <math.h>
#include <string.h>

static const char *const variants[] = { "aligned-cas", "aligned-lock",
					"packed-lock", "packed-cas" };

static json_t *figures(struct lac_doc *d)
{
	if (!json_object_get(d->data, "figures"))
		lac_doc_set(d, d->data, "figures", json_object());
	return json_object_get(d->data, "figures");
}

static const char *text(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? s : "";
}

static void add(struct lac_doc *d, enum lac_figure_kind kind, const char *test,
		const char *what, const char *caption, const char *description,
		json_t *data)
{
	const char *key = lac_arena_printf(d->arena, "%s-%s", test, what);
	json_t *all = figures(d);

	if (!key) {
		d->broken = true;
		json_decref(data);
		return;
	}
	lac_doc_set(d, all, key, data);
	lac_doc_figure(d, kind, key, caption, description,
		       json_object_get(all, key));
	lac_doc_graphic(d);
}

/* A point of a group from what stands in the data for it; NULL for nothing. */
static json_t *point(const char *group, const json_t *v, const char *leaf)
{
	const json_t *value = json_object_get(v, leaf);
	json_t *p;

	if (!value)
		return NULL;
	p = json_pack("{s:s, s:O}", "group", group, "value", value);
	if (p && json_is_null(value))
		json_object_set_new(p, "status",
				    json_string(*text(v, "status")
							? text(v, "status")
							: "n/a"));
	if (p && json_is_number(json_object_get(v, "low")) &&
	    json_is_number(json_object_get(v, "high"))) {
		json_object_set(p, "low", json_object_get(v, "low"));
		json_object_set(p, "high", json_object_get(v, "high"));
	}
	return p;
}

/* The cell of the contract for a test, size and variant; NULL if none. */
static const json_t *find_cell(const struct lac_doc *d, const char *test,
			       json_int_t size, const char *variant)
{
	const json_t *cells = json_object_get(d->data, "cells"), *c;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)cells, i, c)
		if (json_integer_value(json_object_get(c, "size")) == size &&
		    !strcmp(text(c, "test"), test) &&
		    !strcmp(text(c, "variant"), variant))
			return c;
	return NULL;
}

enum what { RATIO_OF_TIMES, PAGE_MISSES };

static json_t *variant_point(const struct lac_doc *d, const json_t *test,
			     const json_t *row, const char *variant,
			     enum what what)
{
	json_int_t size = json_integer_value(json_object_get(row, "size"));
	const json_t *v;

	if (what == RATIO_OF_TIMES) {
		v = json_object_get(json_object_get(row, "ratio"), variant);
		return point(variant, v, "value");
	}
	v = find_cell(d, text(test, "test"), size, variant);
	return point(variant, json_object_get(v, "page_array"), "l1_misses");
}

/* A category a size, a group a variant.  NULL if there is nothing to draw. */
static json_t *categories(struct lac_doc *d, const json_t *test,
			  enum what what)
{
	json_t *all = json_array();
	size_t i, drawn = 0;
	const json_t *row;

	json_array_foreach(json_object_get(test, "rows"), i, row) {
		json_t *points = json_array();
		const char *label = lac_arena_printf(
			d->arena, "%lld B",
			(long long)json_integer_value(
				json_object_get(row, "size")));

		for (size_t v = 0; v < sizeof(variants) / sizeof(*variants);
		     v++) {
			json_t *p = variant_point(d, test, row, variants[v],
						  what);

			if (!p)
				continue;
			lac_doc_append(d, points, p);
			drawn++;
		}
		lac_doc_append(d, all,
			       json_pack("{s:s, s:o}", "label",
					 label ? label : "", "points", points));
	}
	if (!drawn) {
		json_decref(all);
		return NULL;
	}
	return all;
}

/* All variants, so that each looks the same in every figure. */
static json_t *groups(void)
{
	return json_pack("[s, s, s, s]", variants[0], variants[1], variants[2],
			 variants[3]);
}

void lac_bench_figures(struct lac_doc *d, const json_t *test)
{
	json_t *times = categories(d, test, RATIO_OF_TIMES);
	json_t *misses = categories(d, test, PAGE_MISSES);

	if (times)
		add(d, LAC_FIGURE_INTERVALS, text(test, "test"), "time-figure",
		    "Time against the first variant, with 95 % intervals",
		    "For each object size, the ratio of each variant's time to "
		    "that of the first; 1 is no difference.",
		    json_pack("{s:s, s:i, s:f, s:s, s:o, s:o}", "value_title",
			      "ratio of times to the first variant", "decimals", 2,
			      "reference", 1.0, "reference_title",
			      "no difference", "groups", groups(),
			      "categories", times));
	if (misses)
		add(d, LAC_FIGURE_INTERVALS, text(test, "test"),
		    "misses-figure",
		    "L1 misses in the page array per operation (simulated)",
		    "For each object size, the simulated first-level misses "
		    "in the page array per operation of each variant.",
		    json_pack("{s:s, s:i, s:b, s:o, s:o}", "value_title",
			      "simulated L1 misses per operation", "decimals",
			      4, "zero", 1, "groups", groups(), "categories",
			      misses));
}

static const json_t *row_at_256(const json_t *rows)
{
	const json_t *row;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)rows, i, row)
		if (json_integer_value(json_object_get(row, "size")) == 256)
			return row;
	return json_array_get(rows, 0);
}

static void step(struct lac_doc *d, json_t *steps, const char *label,
		 const char *state, const char *detail)
{
	lac_doc_append(d, steps,
		       json_pack("{s:s, s:s, s:s}", "label", label, "state",
				 state, "detail", detail ? detail : ""));
}

/* A change by packing, as a share: does it amount to anything? */
static void share_step(struct lac_doc *d, json_t *steps, const char *label,
		       const json_t *row, const char *key, const char *what)
{
	const json_t *share = lac_row_cell(row, key);
	const char *detail;
	double v;

	if (!json_is_number(share)) {
		/* no variant misses it: there is nothing to change */
		step(d, steps, label, "fails", "there is none in any variant");
		return;
	}
	v = json_number_value(share);
	detail = lac_arena_printf(d->arena, "packing changes %s by %+.1f %%",
				  what, 100 * v);
	step(d, steps, label, fabs(v) >= 0.0005 ? "holds" : "fails", detail);
}

void lac_evidence_figure(struct lac_doc *d, const json_t *finding)
{
	const json_t *row = row_at_256(json_object_get(finding, "rows"));
	const char *by = text(row, "explained_by"), *caption, *state;
	json_t *steps = json_array();

	if (!row) {
		json_decref(steps);
		return;
	}
	share_step(d, steps, "The layout predicts other lines of the page array",
		   row, "lines_predicted.size_share", "them");
	share_step(d, steps, "The allocator touches other lines (simulated)",
		   row, "lines_touched.size_share", "them");
	share_step(d, steps, "The page array is missed differently (simulated)",
		   row, "page_array_l1_misses.size_share",
		   "its L1 misses");
	state = !strcmp(by, "not timed")  ? "unknown"
		: strstr(by, "layout")	  ? "holds"
					  : "fails";
	step(d, steps, "The layout explains the difference in time", state,
	     text(row, "sentence"));
	caption = lac_arena_printf(
		d->arena, "Chain of evidence at %lld bytes",
		(long long)json_integer_value(json_object_get(row, "size")));
	add(d, LAC_FIGURE_CHAIN, text(finding, "test"), "chain-figure",
	    caption ? caption : "Chain of evidence",
	    "From the lines that the layout predicts, over those that are "
	    "touched and the misses there, to the times: which step holds and "
	    "which does not.",
	    json_pack("{s:o}", "steps", steps));
}

const json_t *lac_bench_cell_data(const struct lac_doc *d, const char *test,
				  unsigned size, const char *variant)
{
	const json_t *cells = json_object_get(d->data, "cells"), *c;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)cells, i, c)
		if (!strcmp(json_string_value(json_object_get(c, "test")),
			    test) &&
		    json_integer_value(json_object_get(c, "size")) == size &&
		    !strcmp(json_string_value(json_object_get(c, "variant")),
			    variant))
			return c;
	return NULL;
}

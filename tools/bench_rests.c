/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench_rests.h"

#include <math.h>

#include "bench_doc.h"

static json_t *row_of(struct lac_doc *d, json_t *rows, unsigned size,
		      const char *what)
{
	json_t *row = json_pack("{s:i, s:s}", "size", (int)size, "what", what);

	lac_doc_append(d, rows, row);
	return json_array_get(rows, json_array_size(rows) - 1);
}

void lac_rests_controls(struct lac_doc *d, json_t *rows, unsigned size,
			const struct lac_times *t)
{
	json_t *row = row_of(d, rows, size, "the controls");

	for (int k = 0; k < LAC_NTIMES; k++) {
		const struct lac_interval *i = &t->null[k];

		lac_doc_set(d, row, lac_time_stat_names[k],
			    isfinite(i->low) && isfinite(i->high)
				    ? json_pack("{s:f, s:f, s:f, s:s}", "value",
						1.0, "low", i->low, "high",
						i->high, "status", "measured")
				    : lac_doc_absent("no interval"));
	}
	lac_doc_set(d, row, "words", json_string("what counts as no difference"));
	lac_doc_set(d, row, "why", json_string(""));
}

void lac_rests_row(struct lac_doc *d, json_t *rows, unsigned size,
		   const char *what, const struct lac_times *t,
		   const struct lac_comparison *c)
{
	json_t *row = row_of(d, rows, size, what);
	const char *why = lac_times_why(t, c, d->arena);

	for (int k = 0; k < LAC_NTIMES; k++)
		lac_doc_set(d, row, lac_time_stat_names[k],
			    lac_interval_json(&c->ratio[k]));
	lac_doc_set(d, row, "words",
		    json_string(lac_resolution_name(c->verdict)));
	lac_doc_set(d, row, "why", lac_doc_string(why));
}

#define CLOCK(key, title)                                                      \
	{ key ".value", title, LAC_UNIT_RATIO, 3, key ".low", key ".high" }

static const struct lac_column columns[] = {
	{ "size", "size", LAC_UNIT_BYTES, 0, NULL, NULL },
	{ "what", "ratio", LAC_UNIT_NONE, 0, NULL, NULL },
	CLOCK("cpu_q10", "lower CPU time"),
	CLOCK("cpu_median", "middle CPU time"),
	CLOCK("wall_median", "wall time"),
	{ "words", "words", LAC_UNIT_NONE, 0, NULL, NULL },
};

void lac_rests_table(struct lac_doc *d, const char *key, const json_t *rows)
{
	if (!json_array_size(rows))
		return;
	lac_doc_table(d, key,
		      "What the words rest on: a difference is resolved only if "
		      "by each of the three clocks its interval lies outside of "
		      "what the controls span, on the same side",
		      columns, sizeof(columns) / sizeof(columns[0]), rows);
	lac_doc_detail(d);
}

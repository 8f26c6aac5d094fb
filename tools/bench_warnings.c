/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench_warnings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

json_t *lac_bench_planted_data(const struct lac_bench_options *o)
{
	for (int v = 0; v < LAC_NCELLS; v++) {
		char text[200];

		if (!(o->planted[v] > 0))
			continue;
		snprintf(text, sizeof(text),
			 "Warning: --planted: the times of %s are multiplied "
			 "by %g, to calibrate. Times, ratios and verdicts are "
			 "not measurements.",
			 lac_variant_names[v], o->planted[v]);
		return json_pack("{s:s, s:f, s:s}", "variant",
				 lac_variant_names[v], "factor",
				 o->planted[v], "warning", text);
	}
	return json_null();
}

static const json_t *planted(const struct lac_doc *d)
{
	const json_t *p = json_object_get(
		json_object_get(d->data, "settings"), "planted");

	return json_is_object(p) ? p : NULL;
}

/* A table, as it is in every format that has no figures alone. */
void lac_bench_warn_of_planted(struct lac_doc *d)
{
	static const struct lac_column columns[] = {
		{ "variant", "planted in", LAC_UNIT_NONE, 0, NULL, NULL },
		{ "factor", "factor", LAC_UNIT_NONE, 3, NULL, NULL },
	};
	static const struct lac_column all[] = {
		{ "warning", "warning", LAC_UNIT_NONE, 0, NULL, NULL },
		{ "variant", "planted in", LAC_UNIT_NONE, 0, NULL, NULL },
		{ "factor", "factor", LAC_UNIT_NONE, 3, NULL, NULL },
	};
	const json_t *p = planted(d);
	json_t *rows;

	if (!p)
		return;
	rows = lac_doc_rows(d);
	lac_doc_append(d, rows, json_incref((json_t *)(uintptr_t)p));
	lac_doc_table(d, "planted",
		      json_string_value(json_object_get(p, "warning")), columns,
		      sizeof(columns) / sizeof(*columns), rows);
	lac_doc_table_full(d, rows);
	lac_doc_table_full_columns(d, all, sizeof(all) / sizeof(*all));
}

/* An axis is shown even where a caption is not: in a picture on its own. */
static void mark_axis(struct lac_doc *d, const json_t *p, const json_t *figure)
{
	const char *was = json_string_value(
		json_object_get(figure, "value_title"));
	const char *s;

	if (!was || !strstr(was, "time"))
		return;
	s = lac_arena_printf(
		d->arena, "%s; %s planted x %g", was,
		json_string_value(json_object_get(p, "variant")),
		json_number_value(json_object_get(p, "factor")));
	lac_doc_set(d, (json_t *)(uintptr_t)figure, "value_title",
		    s ? json_string(s) : NULL);
}

void lac_bench_mark_planted(struct lac_doc *d)
{
	const json_t *p = planted(d);

	for (size_t i = 0; p && i < d->nviews; i++) {
		struct lac_figure *f = &d->views[i].figure;
		const char *s;

		if (d->views[i].kind != LAC_VIEW_FIGURE)
			continue;
		s = lac_arena_printf(
			d->arena, "%s %s",
			json_string_value(json_object_get(p, "warning")),
			f->caption);
		if (!s)
			d->broken = true;
		else
			f->caption = s;
		mark_axis(d, p, f->data);
	}
}

void lac_bench_warn_of_load(struct lac_doc *d, double load)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (cpus > 0 && load > (double)cpus)
		lac_doc_paragraph(d, "Warning: the load average of %.1f exceeds "
				     "the %ld processor%s: times from this run "
				     "are worth little.  Simulated counts do not "
				     "depend on the load.",
				  load, cpus, cpus > 1 ? "s" : "");
}

/* Two of our processes run at most; the rest is somebody else's work. */
void lac_bench_warn_of_busy_run(struct lac_doc *d,
				const struct lac_experiment *r)
{
	if (r->bench->nprocesses)
		lac_bench_warn_of_load(d, fmax(r->bench->load_before,
					       r->bench->load_after));
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* perfstat_compare.c - two outputs, compared, as data and as tables. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfstat_doc.h"
#include "perfstat_json.h"

json_t *lac_perfstat_text(const char *fmt, ...)
{
	char *s = NULL;
	json_t *j = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) >= 0) {
		j = lac_doc_string(s);
		free(s);
	}
	va_end(ap);
	return j;
}

json_t *lac_perfstat_figure(const struct lac_perfstat_event *e,
			    const struct lac_perfstat_metric *m,
			    const char *unit)
{
	bool whose = strstr(m->unit, "/sec") || !strncmp(m->unit, "of ", 3) ||
		     strpbrk(e->name, ":/");

	if (!unit)
		unit = m->unit;
	return lac_perfstat_text("%s%s%s%s%s%s", e->where, *e->where ? " " : "",
				 whose ? e->name : "", whose ? " " : "", unit,
				 lac_perfstat_is_percent(m) ? ", %" : "");
}

json_t *lac_perfstat_label(const char *where, const char *name,
			   const char *unit)
{
	return lac_perfstat_text("%s%s%s%s%s", where, *where ? " " : "", name,
				 *unit ? ", " : "", unit);
}

/* --- data */

static json_t *side_data(const struct lac_perfstat_side *s)
{
	json_t *value = !s->has_value ? json_null()
			: s->event    ? lac_perfstat_value_data(s->event,
								s->value)
				      : lac_json_real(s->value);
	double percent = s->value > 0 ? s->error / s->value * 100 : NAN;
	json_t *j;

	/* as it was printed, if that is what was used */
	if (s->event && (!strcmp(s->status, "measured") ||
			 !strcmp(s->status, "scaled")))
		percent = s->event->error_percent.value;

	j = json_pack("{s:o, s:s, s:o, s:o}", "value", value, "status",
		      s->status, "error",
		      s->has_error ? lac_json_real(s->error) : json_null(),
		      "error_percent",
		      s->has_error ? lac_json_real(percent) : json_null());
	if (j && !s->has_error &&
	    json_object_set_new(j, "error_percent_status",
				json_string(s->has_value ? "none printed"
							 : s->status)))
		return json_decref(j), NULL;
	return j;
}

static json_t *ratio_data(const struct lac_perfstat_row *r)
{
	static const char *const bases[] = { "no interval", "welch", "normal",
					     "difference" };
	bool interval = r->basis == LAC_PERFSTAT_WELCH ||
			r->basis == LAC_PERFSTAT_NORMAL;

	if (!r->has_ratio)
		return lac_doc_absent("n/a");
	return json_pack("{s:o, s:o, s:o, s:s}", "value",
			 lac_json_real(r->ratio), "low",
			 interval ? lac_json_real(r->low) : json_null(), "high",
			 interval ? lac_json_real(r->high) : json_null(),
			 "basis", bases[r->basis]);
}

static json_t *row_data(const struct lac_perfstat_row *r)
{
	json_t *resolved = r->verdict == LAC_PERFSTAT_UNKNOWN ? json_null()
			   : json_boolean(r->verdict == LAC_PERFSTAT_RESOLVED);

	json_t *j = json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s?}", "event",
		lac_doc_string(r->name), "where", lac_doc_string(r->where),
		"unit", lac_doc_string(r->unit), "label",
		lac_perfstat_label(r->where, r->name, r->unit), "old",
		side_data(&r->old_side), "new", side_data(&r->new_side),
		"ratio", ratio_data(r), "resolved", resolved, "why", r->why);

	if (j && r->why &&
	    json_object_set_new(j, "resolved_status", json_string("unknown")))
		return json_decref(j), NULL;
	return j;
}

/* The unit without what perf scales a rate by. */
static const char *plain_unit(const struct lac_perfstat_metric *m)
{
	const char *per = strstr(m->unit, "/sec");

	return per ? per : m->unit;
}

/*
 * Of the values in the rows; per second, if the sides print different units.
 */
static double figure_value(const struct lac_perfstat_metric *m, bool plain)
{
	static const char units[] = "KMG";
	const char *k = strchr(units, m->unit[0]);

	if (!plain || !k || !*k || m->unit == plain_unit(m))
		return m->compared;
	return m->compared * pow(1e3, (double)(k - units) + 1);
}

static const struct lac_perfstat_metric *
find_metric(const struct lac_perfstat_event *e,
	    const struct lac_perfstat_metric *like)
{
	for (size_t k = 0; k < e->nmetrics; k++)
		if (!strcmp(plain_unit(&e->metrics[k]), plain_unit(like)))
			return &e->metrics[k];
	return NULL;
}

static json_t *figure_side(const struct lac_perfstat_metric *m, bool plain)
{
	if (!m)
		return lac_doc_absent("absent");
	return json_pack("{s:o, s:s}", "value",
			 m->has_computed ? lac_json_real(figure_value(m, plain))
					 : json_null(),
			 "status",
			 m->by_means ? LAC_PERFSTAT_BY_THE_RATES
				     : lac_perfstat_check_name(m->check));
}

static json_t *figure_row(const struct lac_perfstat_event *x,
			  const struct lac_perfstat_metric *m,
			  const struct lac_perfstat_metric *n)
{
	bool plain = n && strcmp(m->unit, n->unit) != 0;
	const char *unit = plain ? plain_unit(m) : m->unit;

	return json_pack("{s:o, s:o, s:o, s:o}", "figure",
			 lac_perfstat_figure(x, m, unit), "unit",
			 lac_doc_string(unit), "old", figure_side(m, plain),
			 "new", figure_side(n, plain));
}

static json_t *figures_data(const struct lac_perfstat_comparison *c)
{
	json_t *all = json_array();

	for (size_t i = 0; i < c->nrows; i++) {
		const struct lac_perfstat_event *x = c->rows[i].old_side.event;
		const struct lac_perfstat_event *y = c->rows[i].new_side.event;

		for (size_t k = 0; x && y && k < x->nmetrics; k++) {
			const struct lac_perfstat_metric *m = &x->metrics[k];

			if (json_array_append_new(
				    all, figure_row(x, m, find_metric(y, m))))
				return json_decref(all), NULL;
		}
	}
	return all;
}

/* Whether both counted the same command; NULL if one does not say. */
static json_t *same_command(const struct lac_perfstat_output *a,
			    const struct lac_perfstat_output *b)
{
	if (!a->title || !b->title)
		return json_null();
	return json_boolean(lac_perfstat_same_command(a, b));
}

json_t *lac_perfstat_comparison_data(
	const struct lac_perfstat_comparison *c,
	const struct lac_perfstat_output *old_output,
	const struct lac_perfstat_output *new_output)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < c->nrows; i++)
		if (json_array_append_new(rows, row_data(&c->rows[i])))
			return json_decref(rows), NULL;
	return json_pack(
		"{s:f, s:I, s:o, s:o, s:o, s:o, s:o}", "confidence", c->confidence,
		"resolved", (json_int_t)c->nresolved, "old_runs",
		old_output->runs ? json_integer(old_output->runs) : json_null(),
		"new_runs",
		new_output->runs ? json_integer(new_output->runs) : json_null(),
		"same_command", same_command(old_output, new_output), "rows",
		rows, "figures", figures_data(c));
}

/* --- tables */

static const struct lac_column row_columns[] = {
	{ "label", "event", LAC_UNIT_NONE, 0, NULL, NULL },
	{ "old", "old", LAC_UNIT_COUNT, 4, NULL, NULL },
	{ "new", "new", LAC_UNIT_COUNT, 4, NULL, NULL },
	{ "ratio", "ratio", LAC_UNIT_RATIO, 4, NULL, NULL },
	{ "resolved", "resolved", LAC_UNIT_NONE, 0, NULL, NULL },
};

static const struct lac_column interval_columns[] = {
	{ "label", "event", LAC_UNIT_NONE, 0, NULL, NULL },
	{ "ratio", "ratio and interval", LAC_UNIT_RATIO, 4, "ratio.low",
	  "ratio.high" },
	{ "old.error_percent", "old +- %", LAC_UNIT_NONE, 2, NULL, NULL },
	{ "new.error_percent", "new +- %", LAC_UNIT_NONE, 2, NULL, NULL },
};

static const struct lac_column figure_columns[] = {
	{ "figure", "derived", LAC_UNIT_NONE, 0, NULL, NULL },
	{ "old", "old", LAC_UNIT_NONE, 4, NULL, NULL },
	{ "new", "new", LAC_UNIT_NONE, 4, NULL, NULL },
};

#define NCOLUMNS(c) (sizeof(c) / sizeof(*(c)))

/* Every reason once, with the events that it holds for. */
static void show_reasons(struct lac_doc *d,
			 const struct lac_perfstat_comparison *c)
{
	for (size_t i = 0; i < c->nrows; i++) {
		const char *why = c->rows[i].why;
		char names[400] = "";
		size_t n = 0, at = 0;
		bool told = !why;

		for (size_t k = 0; k < i && !told; k++)
			told = c->rows[k].why == why;
		if (told)
			continue;
		for (size_t k = i; k < c->nrows; k++) {
			const struct lac_perfstat_row *r = &c->rows[k];

			if (r->why != why || ++n > 8)
				continue;
			if (at < sizeof(names))
				at += (size_t)snprintf(
					names + at, sizeof(names) - at,
					"%s%s%s%s", n > 1 ? ", " : "", r->where,
					*r->where ? " " : "", r->name);
		}
		if (n > 8)
			lac_doc_paragraph(d, "Not decided: %s, and %zu more: %s.",
					  names, n - 8, why);
		else
			lac_doc_paragraph(d, "Not decided: %s: %s.", names,
					  why);
	}
}

static const struct lac_perfstat_row *
find_row(const struct lac_perfstat_comparison *c, const char *name)
{
	for (size_t i = 0; i < c->nrows; i++)
		if (!strcmp(c->rows[i].name, name) && !*c->rows[i].where)
			return &c->rows[i];
	return NULL;
}

/* Less work in more time is waiting, and not an improvement. */
static void show_waiting(struct lac_doc *d,
			 const struct lac_perfstat_comparison *c)
{
	static const char *const work[] = { "cycles", "task-clock" };
	const struct lac_perfstat_row *t = find_row(c, "elapsed time");

	if (!t || t->verdict != LAC_PERFSTAT_RESOLVED || !t->has_ratio)
		return;
	for (size_t i = 0; i < NCOLUMNS(work); i++) {
		const struct lac_perfstat_row *r = find_row(c, work[i]);

		if (!r || r->verdict != LAC_PERFSTAT_RESOLVED ||
		    !r->has_ratio || (r->ratio < 1) == (t->ratio < 1))
			continue;
		lac_doc_paragraph(d,
				  "%s: %.4g times, elapsed time: %.4g times.  "
				  "The processors were %s: waiting changed, "
				  "not the work alone.",
				  r->name, r->ratio, t->ratio,
				  t->ratio > 1 ? "less busy" : "busier");
		return;
	}
}

void lac_perfstat_show_comparison(struct lac_doc *d,
				  const struct lac_perfstat_comparison *c,
				  const json_t *data)
{
	const json_t *rows = json_object_get(data, "rows");
	const json_t *figures = json_object_get(data, "figures");

	lac_doc_paragraph(d, "%zu of %zu lines differ by more than their "
			     "errors explain (%g %% confidence for each).",
			  c->nresolved, c->nrows, c->confidence * 100);
	lac_doc_table(d, "rows", "New over old", row_columns,
		      NCOLUMNS(row_columns), rows);
	show_waiting(d, c);
	show_reasons(d, c);
	lac_doc_table(d, "intervals",
		      "The intervals of the ratios, and the errors that they "
		      "come from",
		      interval_columns, NCOLUMNS(interval_columns), rows);
	lac_doc_detail(d);
	if (json_array_size(figures)) {
		lac_doc_table(d, "figures", "Derived from the counts",
			      figure_columns, NCOLUMNS(figure_columns),
			      figures);
		lac_doc_detail(d);
	}
}

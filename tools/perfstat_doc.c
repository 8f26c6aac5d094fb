/* SPDX-License-Identifier: BSD-2-Clause */
/* perfstat_doc.c - one output of perf stat, as data and as tables. */
#include "perfstat_doc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "perfstat_json.h"

/* --- data */

static json_t *error_data(const struct lac_perfstat_event *e)
{
	if (!e->has_error)
		return json_null();
	return json_pack("{s:f, s:f}", "value", e->error, "percent",
			 e->error_percent.value);
}

static json_t *metric_data(const struct lac_perfstat_event *e,
			   const struct lac_perfstat_metric *m)
{
	bool cut = m->check == LAC_PERFSTAT_CUT;
	json_t *label = lac_perfstat_figure(e, m, NULL);

	return json_pack("{s:o, s:o, s:o, s:o, s:s}", "figure", label, "unit",
			 lac_doc_string(m->unit), "printed",
			 cut ? lac_doc_absent("cut")
			     : lac_json_real(m->printed.value),
			 "computed",
			 m->has_computed
				 ? lac_json_real(m->computed)
				 : lac_doc_absent(lac_perfstat_check_name(
					   m->check)),
			 "check", lac_perfstat_check_name(m->check));
}

static json_t *metrics_data(const struct lac_perfstat_event *e)
{
	json_t *all = json_array();

	for (size_t k = 0; k < e->nmetrics; k++)
		if (json_array_append_new(all, metric_data(e, &e->metrics[k])))
			return json_decref(all), NULL;
	return all;
}

json_t *lac_perfstat_value_data(const struct lac_perfstat_event *e, double value)
{
	if (e->integer && value == floor(value) && value < 0x1p62)
		return json_integer((json_int_t)value);
	return lac_json_real(value);
}

static json_t *event_data(const struct lac_perfstat_event *e)
{
	bool has_value = e->status == LAC_PERFSTAT_MEASURED ||
			 e->status == LAC_PERFSTAT_SCALED;
	json_t *j = json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:I}", "event",
		lac_doc_string(e->name), "where", lac_doc_string(e->where),
		"unit", lac_doc_string(e->unit), "label",
		lac_perfstat_label(e->where, e->name, e->unit), "value",
		has_value ? lac_perfstat_value_data(e, e->count.value)
			  : json_null(),
		"status", lac_perfstat_status_name(e->status), "error",
		error_data(e), "metrics", metrics_data(e), "line",
		(json_int_t)e->line);

	if (!j)
		return NULL;
	if (has_value && !e->has_error)
		json_object_set_new(j, "error_status",
				    json_string("not printed"));
	if (has_value)
		json_object_set_new(j, "running_percent",
				    lac_json_real(e->running_percent));
	if (e->cpus)
		json_object_set_new(j, "cpus", json_integer(e->cpus));
	if (e->has_run_time)
		json_object_set_new(j, "run_time_ns",
				    json_integer((json_int_t)e->run_time_ns));
	if (e->has_mean)
		json_object_set_new(j, "mean_by_the_rates",
				    lac_json_real(e->mean.value));
	return j;
}

static json_t *time_data(const struct lac_perfstat_time *t)
{
	if (!t->known)
		return lac_doc_absent("not printed");
	return json_pack("{s:o, s:o, s:s}", "value", lac_json_real(t->s.value),
			 "error",
			 t->has_error ? lac_json_real(t->error_s.value)
				      : json_null(),
			 "status", t->inferred ? "inferred" : "measured");
}

static json_t *runs_data(const struct lac_perfstat_output *o)
{
	json_t *all = json_array();

	for (size_t i = 0; i < o->nruns_s; i++)
		if (json_array_append_new(all,
					  lac_json_real(o->runs_s[i].value)))
			return json_decref(all), NULL;
	return all;
}

static json_t *events_data(const struct lac_perfstat_output *o)
{
	json_t *all = json_array();

	for (size_t i = 0; i < o->nevents; i++)
		if (json_array_append_new(all, event_data(&o->events[i])))
			return json_decref(all), NULL;
	return all;
}

/* Metrics of all events in one list: what the table of figures shows. */
static json_t *figures_data(json_t *events)
{
	json_t *all = json_array(), *e, *m;
	size_t i, k;

	json_array_foreach(events, i, e)
		json_array_foreach(json_object_get(e, "metrics"), k, m)
			if (json_array_append(all, m))
				return json_decref(all), NULL;
	return all;
}

json_t *lac_perfstat_output_data(const struct lac_perfstat *p, size_t i)
{
	const struct lac_perfstat_output *o = &p->outputs[i];
	char mark[2] = { o->mark, '\0' };
	json_t *events = events_data(o);
	json_t *figures = figures_data(events);

	return json_pack(
		"{s:o, s:I, s:[II], s:s, s:o, s:s?, s:o, s:o, s:s, s:o, s:o, "
		"s:o, s:o, s:o, s:o}",
		"file", lac_doc_string(p->name), "output", (json_int_t)(i + 1), "lines",
		(json_int_t)o->first_line, (json_int_t)o->last_line, "form",
		lac_perfstat_form_name(p->form), "separator",
		lac_doc_string(p->separator),
		"decimal_mark", *mark ? mark : NULL, "title",
		lac_doc_string(o->title), "runs",
		o->runs ? json_integer(o->runs) : json_null(), "counts_are",
		lac_perfstat_means_name(o->means), "elapsed_s",
		time_data(&o->elapsed), "user_s", time_data(&o->user), "sys_s",
		time_data(&o->sys), "runs_s", runs_data(o), "events", events,
		"figures", figures);
}

static json_t *note_data(const struct lac_perfstat *p,
			 const struct lac_perfstat_note *n)
{
	return json_pack("{s:o, s:o, s:o}", "file", lac_doc_string(p->name),
			 "line", n->line ? json_integer(n->line) : json_null(),
			 "text", lac_doc_string(n->text));
}

json_t *lac_perfstat_notes_data(const struct lac_perfstat *p)
{
	json_t *all = json_array();

	for (size_t i = 0; i < p->nnotes; i++)
		if (json_array_append_new(
			    all, note_data(p, &p->notes[i])))
			return json_decref(all), NULL;
	return all;
}

/* --- tables */

static const struct lac_column event_columns[] = {
	{ "label", "event", LAC_UNIT_NONE, 0, NULL, NULL },
	{ "value", "count", LAC_UNIT_COUNT, 2, NULL, NULL },
	{ "error.percent", "+- %", LAC_UNIT_NONE, 2, NULL, NULL },
	{ "running_percent", "running %", LAC_UNIT_NONE, 2, NULL, NULL },
	{ "status", "status", LAC_UNIT_NONE, 0, NULL, NULL },
};

static const struct lac_column figure_columns[] = {
	{ "figure", "derived", LAC_UNIT_NONE, 0, NULL, NULL },
	{ "printed", "printed", LAC_UNIT_NONE, 3, NULL, NULL },
	{ "computed", "computed", LAC_UNIT_NONE, 4, NULL, NULL },
	{ "check", "check", LAC_UNIT_NONE, 0, NULL, NULL },
};

static void show_times(struct lac_doc *d, const struct lac_perfstat_output *o)
{
	const struct lac_perfstat_time *t = &o->elapsed;

	if (t->known && t->has_error)
		lac_doc_paragraph(d, "Elapsed: %.6g s, standard error of the "
				     "mean %.3g s.",
				  t->s.value, t->error_s.value);
	else if (t->known)
		lac_doc_paragraph(d, "Elapsed: %.6g s%s.", t->s.value,
				  t->inferred ? ", worked out from \"CPUs "
						"utilized\""
					      : "");
	if (o->user.known && o->sys.known)
		lac_doc_paragraph(d, "User: %.6g s, system: %.6g s.",
				  o->user.s.value, o->sys.s.value);
}

/* "10 runs, the counts are means" */
static void describe_runs(const struct lac_perfstat_output *o, char *buf,
			  size_t size)
{
	const char *what = "";
	char n[40] = "number of runs unknown";

	switch (o->means) {
	case LAC_PERFSTAT_ONE_RUN:
		snprintf(buf, size, "one run, no errors");
		return;
	case LAC_PERFSTAT_MEANS:
		what = "the counts are means";
		break;
	case LAC_PERFSTAT_LAST_RUN:
		what = "the counts are those of the last run";
		break;
	case LAC_PERFSTAT_UNDECIDED:
		what = "nothing tells whether the counts are means or those "
		       "of the last run";
		break;
	}
	if (o->runs)
		snprintf(n, sizeof(n), "%u runs", o->runs);
	snprintf(buf, size, "%s, %s", n, what);
}

void lac_perfstat_show_source(struct lac_doc *d, const char *who,
			      const struct lac_perfstat *p, size_t i)
{
	const struct lac_perfstat_output *o = &p->outputs[i];
	char runs[160], to[24] = "";

	describe_runs(o, runs, sizeof(runs));
	if (o->first_line != o->last_line)
		snprintf(to, sizeof(to), " to %u", o->last_line);
	lac_doc_paragraph(d, "%s: %s, line %u%s: %s; %s.", who, p->name,
			  o->first_line, to, o->title ? o->title : "no header",
			  runs);
}

void lac_perfstat_show_output(struct lac_doc *d, const struct lac_perfstat *p,
			      size_t i, const json_t *data)
{
	const struct lac_perfstat_output *o = &p->outputs[i];
	const json_t *figures = json_object_get(data, "figures");

	lac_doc_heading(d, 2, "Output %zu", i + 1);
	lac_perfstat_show_source(d, "From", p, i);
	show_times(d, o);
	if (o->nevents)
		lac_doc_table(d, "events", "Events", event_columns,
			      sizeof(event_columns) / sizeof(*event_columns),
			      json_object_get(data, "events"));
	if (json_array_size(figures))
		lac_doc_table(d, "figures",
			      "Figures that perf derived, and the same from "
			      "the counts",
			      figure_columns,
			      sizeof(figure_columns) / sizeof(*figure_columns),
			      figures);
}

void lac_perfstat_show_notes(struct lac_doc *d, const struct lac_perfstat *p)
{
	for (size_t i = 0; i < p->nnotes; i++)
		if (p->notes[i].line)
			lac_doc_paragraph(d, "%s:%u: %s", p->name,
					  p->notes[i].line, p->notes[i].text);
		else
			lac_doc_paragraph(d, "%s: %s", p->name,
					  p->notes[i].text);
}

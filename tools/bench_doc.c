/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_doc.c - the data; bench_views.c shows it. */
#include "bench_doc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_era.h"
#include "bench_rests.h"
#include "bench_warnings.h"
#include "machine.h"

json_t *lac_interval_json(const struct lac_interval *i)
{
	if (isnan(i->value))
		return lac_doc_absent("no value");
	return json_pack("{s:f, s:o, s:o, s:s, s:I, s:I}", "value", i->value,
			 "low", lac_json_real(i->low), "high",
			 lac_json_real(i->high), "status",
			 isnan(i->low) ? "too few rounds for an interval" :
					 "measured",
			 "observations", (json_int_t)i->n, "clusters",
			 (json_int_t)i->nclusters);
}

/* A ratio by each statistic; the CPU median is the one at the top. */
static json_t *comparison_json(const struct lac_comparison *c, bool verdict)
{
	json_t *j = lac_interval_json(&c->ratio[LAC_CPU_MEDIAN]);
	json_t *all = json_object();

	for (int k = 0; k < LAC_NTIMES; k++)
		json_object_set_new(all, lac_time_stat_names[k],
				    lac_interval_json(&c->ratio[k]));
	json_object_set_new(j, "statistics", all);
	if (verdict)
		json_object_set_new(j, "verdict",
				    json_string(lac_resolution_name(
					    c->verdict)));
	return j;
}

static double per_op(uint64_t count, const struct lac_simulation *s)
{
	return (double)count / (double)s->ops;
}

/* Several CPUs share no last level in the model. */
static void put_llc(json_t *j, const struct lac_simulation *s, uint64_t misses)
{
	json_object_set_new(j, "llc_misses",
			    s->cpus > 1 ? json_null()
					: json_real(per_op(misses, s)));
	if (s->cpus > 1)
		json_object_set_new(
			j, "llc_misses_status",
			json_string("not simulated with several CPUs"));
}

/* What is simulated on request only. */
static void put_extra(json_t *j, const char *key, bool has, double value)
{
	char status[32];

	json_object_set_new(j, key, has ? json_real(value) : json_null());
	if (has)
		return;
	snprintf(status, sizeof(status), "%s_status", key);
	json_object_set_new(j, status, json_string("not simulated"));
}

static json_t *simulated_json(const struct lac_simulation *s)
{
	json_t *j = json_pack("{s:f, s:f, s:f, s:f, s:s}", "accesses",
			      per_op(s->accesses, s), "l1_misses",
			      per_op(s->l1_misses, s), "l2_misses",
			      per_op(s->l2_misses, s), "straddles",
			      per_op(s->straddles, s), "status", "simulated");

	put_llc(j, s, s->llc_misses);
	put_extra(j, "prefetches", s->has_prefetches, per_op(s->prefetches, s));
	put_extra(j, "dtlb_misses", s->has_dtlb, per_op(s->dtlb_misses, s));
	json_object_set_new(j, "cpus", json_integer(s->cpus));
	if (s->cpus == 1)
		return j;
	json_object_set_new(j, "hitm", json_real(per_op(s->hitm, s)));
	json_object_set_new(j, "true_sharing",
			    json_real(per_op(s->true_sharing, s)));
	json_object_set_new(j, "false_sharing",
			    json_real(per_op(s->false_sharing, s)));
	return j;
}

/* The members of the page array by their misses, or NULL. */
static json_t *members_json(const struct lac_experiment *r,
			    const struct lac_simulation *s, int v,
			    struct lac_arena *arena)
{
	struct lac_member_count *rows;
	json_t *list;
	struct lac_err err;
	size_t n;

	if (!r->layouts.has[v] ||
	    lac_attribute(&r->layouts.page[v], s->page_array, lac_slub_members,
			  arena, &rows, &n, &err) != LAC_OK)
		return NULL;
	list = json_array();
	for (size_t i = 0; i < n; i++) {
		json_t *j = json_pack("{s:s, s:f, s:f, s:f}", "member",
				      rows[i].name, "accesses",
				      per_op(rows[i].accesses, s), "l1_misses",
				      per_op(rows[i].l1_misses, s), "l2_misses",
				      per_op(rows[i].l2_misses, s));

		put_llc(j, s, rows[i].llc_misses);
		json_array_append_new(list, j);
	}
	return list;
}

static json_t *page_array_json(const struct lac_experiment *r,
			       const struct lac_bench_result *c, int v)
{
	const struct lac_simulation *s = &c->simulation[v];
	const struct lac_array_count *a = s->page_array;
	struct lac_prediction p;
	struct lac_err err;
	bool predicted = lac_library_predict(&r->layouts, c, (enum lac_cell)v,
					     &p, &err) == LAC_OK;
	json_t *j = json_pack(
		"{s:f, s:f, s:f, s:f, s:s}", "lines_touched",
		per_op(a->lines_touched, s), "accesses",
		per_op(a->accesses, s), "l1_misses", per_op(a->l1_misses, s),
		"l2_misses", per_op(a->l2_misses, s), "status", "simulated");

	put_llc(j, s, a->llc_misses);
	json_object_set_new(j, "lines_predicted",
			    lac_json_real(predicted ? p.lines : NAN));
	json_object_set_new(j, "lines_isolated_predicted",
			    lac_json_real(predicted ? p.lines_isolated : NAN));
	json_object_set_new(j, "lines_predicted_status",
			    json_string(predicted ? "computed" :
						    "not predictable"));
	json_object_set_new(j, "straddling_predicted",
			    lac_json_real(predicted ? p.straddling : NAN));
	return j;
}

static json_t *count_json(const struct lac_count *c)
{
	const char *status = lac_counter_status_name(c->status);
	json_t *j;

	if (c->status != LAC_COUNTER_MEASURED &&
	    c->status != LAC_COUNTER_SCALED)
		return lac_doc_absent(status);
	j = json_pack("{s:o, s:s}", "value", lac_json_real(c->value),
		      "status", status);
	if (c->status == LAC_COUNTER_SCALED)
		json_object_set_new(j, "running", json_real(c->running));
	if (c->user_only)
		json_object_set_new(j, "user_only", json_true());
	return j;
}

static bool is_software(const char *name)
{
	for (size_t i = 0; i < lac_counter_nsoftware; i++)
		if (!strcmp(name, lac_counter_software[i].name))
			return true;
	return false;
}

static json_t *counts_json(const struct lac_bench_result *c, int v,
			   bool software)
{
	json_t *j = json_object();

	for (size_t i = 0; i < c->ncounts[v]; i++)
		if (is_software(c->counts[v][i].name) == software)
			json_object_set_new(j, c->counts[v][i].name,
					    count_json(&c->counts[v][i]));
	return j;
}

/* Paths of the allocator, per operation. */
static json_t *statistics_json(const json_t *statistics, double ops)
{
	json_t *j = json_object(), *v;
	const char *name;

	json_object_foreach((json_t *)(uintptr_t)statistics, name, v)
		json_object_set_new(
			j, name, lac_json_real(json_number_value(v) / ops));
	return j;
}

static json_t *time_json(const struct lac_experiment *r,
			 const struct lac_bench_result *c, int v)
{
	if (c->has_times)
		return lac_interval_json(&c->times.ns[v][LAC_CPU_MEDIAN]);
	return lac_doc_absent(!c->cell.time	   ? "not timed" :
			      r->bench->interrupted ? "interrupted" :
						      "no value");
}

static json_t *cell_json(const struct lac_experiment *r,
			 const struct lac_bench_result *c, int v,
			 struct lac_arena *arena)
{
	json_t *j = json_pack("{s:s, s:i, s:s, s:I}", "test", c->cell.test,
			      "size", c->cell.size, "variant",
			      lac_variant_names[v], "n",
			      (json_int_t)c->cell.n);

	json_object_set_new(j, "time_ns", time_json(r, c, v));
	if (c->has_simulation[v]) {
		json_t *page = page_array_json(r, c, v);
		json_t *members = members_json(r, &c->simulation[v], v, arena);

		if (members)
			json_object_set_new(page, "members", members);
		json_object_set_new(j, "simulated",
				    simulated_json(&c->simulation[v]));
		json_object_set_new(j, "page_array", page);
	} else {
		json_object_set_new(j, "simulated",
				    lac_doc_absent("interrupted"));
		json_object_set_new(j, "page_array",
				    lac_doc_absent("interrupted"));
	}
	json_object_set_new(j, "hardware", counts_json(c, v, false));
	json_object_set_new(j, "software", counts_json(c, v, true));
	if (c->statistics[v])
		json_object_set_new(j, "statistics",
				    statistics_json(c->statistics[v],
						    c->timed_ops[v]));
	return j;
}

/* What is resolved in a row: "packed-lock slower"; or "not resolved". */
static json_t *resolved_json(const struct lac_bench_result *c)
{
	char text[256] = "";

	for (int v = 0; v < LAC_NCELLS; v++) {
		const struct lac_comparison *k = &c->times.ratio[v];

		if (k->verdict != LAC_NOT_RESOLVED)
			snprintf(text + strlen(text),
				 sizeof(text) - strlen(text), "%s%s %s",
				 *text ? ", " : "", lac_variant_names[v],
				 lac_resolution_name(k->verdict));
	}
	return json_string(*text ? text :
				   lac_resolution_name(LAC_NOT_RESOLVED));
}

static void put_times(json_t *row, const struct lac_experiment *r,
		      const struct lac_bench_result *c)
{
	const struct lac_times *t = &c->times;
	const struct lac_interval *null = &t->null[LAC_CPU_MEDIAN];
	json_t *ratio = json_object(), *effects = json_object();

	for (int v = 0; v < LAC_NCELLS; v++)
		if (r->options.variants[v] && (enum lac_cell)v != r->options.base)
			json_object_set_new(ratio, lac_variant_names[v],
					    comparison_json(&t->ratio[v], true));
	json_object_set_new(row, "ratio", ratio);
	if (t->has_effects) {
		json_object_set_new(effects, "size",
				    comparison_json(&t->size, true));
		json_object_set_new(effects, "update",
				    comparison_json(&t->update, true));
		json_object_set_new(effects, "interaction",
				    comparison_json(&t->interaction, true));
	}
	json_object_set_new(row, "effects", effects);
	json_object_set_new(
		row, "controls",
		json_pack("{s:o, s:o, s:{s:o, s:o}}", "again",
			  comparison_json(&t->again, false), "rebuilt",
			  comparison_json(&t->rebuilt, false), "null_range",
			  "low", lac_json_real(null->low), "high",
			  lac_json_real(null->high)));
	json_object_set_new(row, "resolved", resolved_json(c));
	json_object_set_new(row, "rounds", json_integer(t->rounds));
	json_object_set_new(row, "blocks", json_integer(c->blocks));
}

static json_t *row_json(const struct lac_experiment *r,
			const struct lac_bench_result *c)
{
	json_t *row = json_pack("{s:i, s:I}", "size", c->cell.size, "n",
				(json_int_t)c->cell.n);
	json_t *time = json_object();

	for (int v = 0; v < LAC_NCELLS; v++)
		if (r->options.variants[v])
			json_object_set_new(time, lac_variant_names[v],
					    time_json(r, c, v));
	json_object_set_new(row, "time_ns", time);
	if (c->has_times)
		put_times(row, r, c);
	return row;
}

/* What the table of a test shows of its cells. */
static void put_shown(json_t *list, const struct lac_experiment *r,
		      const struct lac_bench_result *c)
{
	for (int v = 0; v < LAC_NCELLS; v++) {
		json_t *row;

		if (!r->options.variants[v])
			continue;
		row = json_pack("{s:i, s:s, s:o}", "size", c->cell.size,
				"variant", lac_variant_names[v], "time_ns",
				time_json(r, c, v));
		if (c->has_simulation[v]) {
			json_object_set_new(row, "simulated",
					    simulated_json(&c->simulation[v]));
			json_object_set_new(row, "page_array",
					    page_array_json(r, c, v));
		}
		json_array_append_new(list, row);
	}
}

static void put_rests(struct lac_doc *d, json_t *list,
		      const struct lac_experiment *r,
		      const struct lac_bench_result *c)
{
	if (!c->has_times)
		return;
	lac_rests_controls(d, list, c->cell.size, &c->times);
	for (int v = 0; v < LAC_NCELLS; v++)
		if (r->options.variants[v] && (enum lac_cell)v != r->options.base)
			lac_rests_row(d, list, c->cell.size,
				      lac_variant_names[v], &c->times,
				      &c->times.ratio[v]);
}

static void put_tests(struct lac_doc *d, const struct lac_experiment *r)
{
	json_t *tests = json_array();

	for (size_t i = 0; i < r->bench->nresults; i++) {
		const struct lac_bench_result *c = &r->bench->results[i];
		json_t *last = json_array_get(tests, json_array_size(tests) - 1);

		if (!last || strcmp(json_string_value(
					    json_object_get(last, "test")),
				    c->cell.test) != 0) {
			last = json_pack("{s:s, s:s, s:[], s:[], s:[]}", "test",
					 c->cell.test, "title",
					 lac_bench_test_title(c->cell.test),
					 "rows", "cells", "rests_on");
			json_array_append_new(tests, last);
		}
		json_array_append_new(json_object_get(last, "rows"),
				      row_json(r, c));
		put_shown(json_object_get(last, "cells"), r, c);
		put_rests(d, json_object_get(last, "rests_on"), r, c);
	}
	lac_doc_set(d, d->data, "tests", tests);
}

static void put_settings(struct lac_doc *d, const struct lac_experiment *r)
{
	const struct lac_bench_options *o = &r->options;
	const struct lac_simulation *s = NULL;
	json_t *j;

	for (size_t i = 0; i < r->bench->nresults && !s; i++)
		for (int v = 0; v < LAC_NCELLS && !s; v++)
			if (r->bench->results[i].has_simulation[v])
				s = &r->bench->results[i].simulation[v];
	j = json_pack("{s:s, s:I, s:b, s:i, s:i, s:b}", "effort", r->effort,
		      "seed", (json_int_t)o->job.seed, "write", o->job.write,
		      "placement_builds", r->bench->nbuilds, "timed_processes",
		      (int)r->bench->nprocesses, "interrupted",
		      r->bench->interrupted);
	json_object_set_new(j, "era", json_string(o->job.era ? o->job.era :
							       LAC_ERA_DEFAULT));
	json_object_set_new(j, "base",
			    json_string(lac_variant_names[o->base]));
	json_object_set_new(j, "elapsed_s", json_real(r->bench->elapsed_s));
	json_object_set_new(j, "caches",
			    s ? json_string(s->geometry) : json_null());
	json_object_set_new(j, "prefetch", json_string(o->job.adjacent
							       ? "adjacent line"
							       : "none"));
	json_object_set_new(j, "dtlb", o->job.dtlb ? json_string(o->job.dtlb)
						   : json_null());
	json_object_set_new(j, "preset",
			    s && s->preset ? json_string(s->preset) :
					     json_null());
	json_object_set_new(j, "line_bytes",
			    s ? json_integer(s->line_bytes) : json_null());
	json_object_set_new(j, "planted", lac_bench_planted_data(o));
	lac_doc_set(d, d->data, "settings", j);
	lac_doc_set(d, j, "era_note", lac_bench_era_note(d, r));
}

enum lac_status lac_bench_data(struct lac_doc *d, const struct lac_experiment *r,
			       struct lac_err *err)
{
	json_t *cells = json_array();

	lac_doc_set(d, d->data, "machine", lac_machine_json(r));
	put_settings(d, r);
	for (size_t i = 0; i < r->bench->nresults; i++)
		for (int v = 0; v < LAC_NCELLS; v++)
			if (r->options.variants[v])
				lac_doc_append(d, cells,
					       cell_json(r,
							 &r->bench->results[i],
							 v, d->arena));
	lac_doc_set(d, d->data, "cells", cells);
	put_tests(d, r);
	return lac_doc_finish(d, err);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* correlate_doc.c - the data of the verdict; correlate_views.c shows it. */
#include "correlate_doc.h"

#include <math.h>
#include <string.h>

#include "bench_rests.h"

static json_t *figure_json(const struct lac_figure_2x2 *f)
{
	json_t *j = json_object();

	for (int v = 0; v < LAC_NCELLS; v++)
		json_object_set_new(j, lac_variant_names[v],
				    lac_json_real(f->x[v]));
	json_object_set_new(j, "size_effect", lac_json_real(f->effect.size));
	json_object_set_new(j, "update_effect",
			    lac_json_real(f->effect.update));
	json_object_set_new(j, "interaction",
			    lac_json_real(f->effect.interaction));
	json_object_set_new(j, "size_share", lac_json_real(f->size_share));
	if (isnan(f->size_share))
		json_object_set_new(j, "size_share_status",
				    json_string("no misses"));
	json_object_set_new(j, "size_share_low", lac_json_real(f->low));
	json_object_set_new(j, "size_share_high", lac_json_real(f->high));
	return j;
}

static json_t *effect_json(const struct lac_comparison *c)
{
	json_t *j = lac_interval_json(&c->ratio[LAC_CPU_MEDIAN]);

	json_object_set_new(j, "verdict",
			    json_string(lac_resolution_name(c->verdict)));
	return j;
}

static json_t *published_json(const struct lac_evidence *e)
{
	const struct lac_reference *p = e->published;
	bool bulk = !strcmp(e->cell->cell.test, "bulk");
	double cas = bulk ? p->bulk_aligned_cas_ns : p->pair_aligned_cas_ns;
	double lock = bulk ? p->bulk_packed_lock_ns : p->pair_packed_lock_ns;

	return json_pack("{s:f, s:f, s:f, s:f, s:s}", "aligned_cas_ns", cas,
			 "packed_lock_ns", lock, "ratio", lock / cas,
			 "difference_ns", lock - cas, "status", "published");
}

static json_t *elsewhere_json(const struct lac_evidence *e)
{
	json_t *list = json_array();

	for (size_t i = 0; i < e->nelsewhere; i++) {
		const struct lac_elsewhere *w = &e->elsewhere[i];

		json_array_append_new(
			list,
			json_pack("{s:s, s:o, s:o, s:o, s:s}", "where",
				  w->where, "lines_share",
				  lac_json_real(w->lines_share),
				  "page_l1_share",
				  lac_json_real(w->page_l1_share),
				  "l1_share", lac_json_real(w->l1_share),
				  "misses",
				  lac_direction_name(w->direction)));
	}
	return list;
}

/* The same as keys of the row, for the table: "other0", "other1". */
static void put_elsewhere(json_t *row, const struct lac_evidence *e)
{
	json_object_set_new(row, "elsewhere", elsewhere_json(e));
	for (size_t i = 0; i < e->nelsewhere; i++) {
		char key[32];

		snprintf(key, sizeof(key), "other%zu", i);
		json_object_set_new(
			row, key,
			isnan(e->elsewhere[i].page_l1_share) ?
				lac_doc_absent("no misses") :
				json_real(e->elsewhere[i].page_l1_share));
	}
	json_object_set_new(row, "same_direction",
			    json_string(e->agreeing == e->nelsewhere ?
						"all" :
						"not all"));
}

/* Either is the layout's: how many lines are missed, or how one is indexed. */
static const char *explained_how(const struct lac_evidence *e)
{
	switch (e->explanation) {
	case LAC_BY_LAYOUT:
		return e->arithmetic ? "layout (indexing)"
				     : "layout (footprint)";
	case LAC_BY_BOTH:
		return e->arithmetic ? "update and layout (indexing)"
				     : "update and layout (footprint)";
	default:
		return lac_explanation_name(e->explanation);
	}
}

static json_t *finding_json(const struct lac_evidence *e)
{
	const struct lac_bench_result *c = e->cell;
	json_t *j = json_pack("{s:s, s:i, s:I, s:s, s:s, s:s}", "test", c->cell.test,
			      "size", c->cell.size, "n", (json_int_t)c->cell.n,
			      "explained_by",
			      lac_explanation_name(e->explanation),
			      "explained_how", explained_how(e), "sentence",
			      e->sentence);

	json_object_set_new(j, "explained_through",
			    e->explanation != LAC_BY_LAYOUT &&
					    e->explanation != LAC_BY_BOTH ?
				    json_null() :
				    json_string(e->arithmetic ?
							"index arithmetic" :
							"misses"));
	if (e->predicted)
		json_object_set_new(j, "lines_predicted",
				    figure_json(&e->lines_predicted));
	json_object_set_new(j, "prediction_error",
			    lac_json_real(e->prediction_error));
	json_object_set_new(j, "lines_touched", figure_json(&e->lines));
	json_object_set_new(j, "page_array_l1_misses",
			    figure_json(&e->page_l1));
	json_object_set_new(j, "page_array_llc_misses",
			    figure_json(&e->page_llc));
	json_object_set_new(j, "l1_misses", figure_json(&e->l1));
	json_object_set_new(j, "l2_misses", figure_json(&e->l2));
	json_object_set_new(j, "llc_misses", figure_json(&e->llc));
	json_object_set_new(j, "accesses", figure_json(&e->accesses));
	if (c->has_times && c->times.has_effects)
		json_object_set_new(
			j, "time",
			json_pack("{s:o, s:o, s:o}", "size",
				  effect_json(&c->times.size), "update",
				  effect_json(&c->times.update), "interaction",
				  effect_json(&c->times.interaction)));
	if (c->has_times)
		json_object_set_new(
			j, "packed_lock_to_aligned_cas",
			effect_json(&c->times.ratio[LAC_PACKED_LOCK]));
	json_object_set_new(j, "size_effect_ns", lac_json_real(e->size_ns));
	json_object_set_new(j, "update_effect_ns",
			    lac_json_real(e->update_ns));
	json_object_set_new(j, "misses_may_cost_ns",
			    lac_json_real(e->layout_bound_ns));
	json_object_set_new(j, "updates_may_cost_ns",
			    lac_json_real(e->update_bound_ns));
	json_object_set_new(j, "updates", lac_json_real(e->updates));
	json_object_set_new(j, "fastpath_share", lac_json_real(e->fastpath));
	if (e->published)
		json_object_set_new(j, "published_2013", published_json(e));
	put_elsewhere(j, e);
	return j;
}

/* The rows of a test by what is said of them: {"sizes","sentence"}. */
static json_t *sentences_json(const json_t *rows)
{
	json_t *list = json_array(), *row, *known;
	size_t i, k;

	json_array_foreach((json_t *)(uintptr_t)rows, i, row) {
		const char *said = json_string_value(
			json_object_get(row, "sentence"));
		json_t *size = json_object_get(row, "size");

		json_array_foreach(list, k, known)
			if (!strcmp(said, json_string_value(json_object_get(
						  known, "sentence"))))
				break;
		if (k == json_array_size(list))
			json_array_append_new(list,
					      json_pack("{s:[], s:s}", "sizes",
							"sentence", said));
		json_array_append(json_object_get(json_array_get(list, k),
						  "sizes"),
				  size);
	}
	return list;
}

/* With too few sizes even a correlation of noise is often near 1. */
static json_t *correlation_json(const struct lac_correlation *c)
{
	json_t *j = lac_interval_json(&c->rho);

	if (isnan(c->rho.low) || isnan(c->rho.value)) {
		json_decref(j);
		j = lac_doc_absent(c->why);
	}
	json_object_set_new(j, "sizes", json_integer((json_int_t)c->nsizes));
	json_object_set_new(j, "what", json_string(c->what));
	return j;
}

/* All sizes of a test together. */
static json_t *pooled_json(const struct lac_experiment *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->bench->npooled; i++) {
		const struct lac_pooled *p = &r->bench->pooled[i];

		if (p->times.has_effects)
			json_array_append_new(
				list,
				json_pack("{s:s, s:i, s:i, s:o, s:o, s:o}",
					  "test", p->test, "sizes", p->sizes,
					  "rounds", p->times.rounds, "size",
					  effect_json(&p->times.size),
					  "update",
					  effect_json(&p->times.update),
					  "interaction",
					  effect_json(
						  &p->times.interaction)));
	}
	return list;
}

static void put_rests(struct lac_doc *d, json_t *list,
		      const struct lac_bench_result *c)
{
	const struct lac_times *t = &c->times;

	if (!c->has_times || !t->has_effects)
		return;
	lac_rests_controls(d, list, c->cell.size, t);
	lac_rests_row(d, list, c->cell.size, "packing", t, &t->size);
	lac_rests_row(d, list, c->cell.size, "lock", t, &t->update);
	lac_rests_row(d, list, c->cell.size, "interaction", t, &t->interaction);
}

enum lac_status lac_correlate_data(struct lac_doc *d,
				   const struct lac_experiment *r,
				   const struct lac_findings *f,
				   struct lac_err *err)
{
	json_t *tests = json_array(), *rows = NULL, *ranks = json_array();
	json_t *rests = NULL;
	const char *last = NULL;

	for (size_t i = 0; i < f->n; i++) {
		const char *test = f->rows[i].cell->cell.test;

		if (!last || strcmp(last, test) != 0) {
			json_t *t = json_pack("{s:s, s:s, s:[], s:[]}", "test",
					      test, "title",
					      lac_bench_test_title(test),
					      "rows", "rests_on");

			rows = json_object_get(t, "rows");
			rests = json_object_get(t, "rests_on");
			lac_doc_append(d, tests, t);
		}
		last = test;
		lac_doc_append(d, rows, finding_json(&f->rows[i]));
		put_rests(d, rests, f->rows[i].cell);
	}
	for (size_t i = 0; i < json_array_size(tests); i++) {
		json_t *t = json_array_get(tests, i);

		lac_doc_set(d, t, "sentences",
			    sentences_json(json_object_get(t, "rows")));
	}
	lac_doc_set(d, d->data, "findings", tests);
	lac_doc_set(d, d->data, "pooled", pooled_json(r));
	for (size_t i = 0; i < f->ncorrelations; i++)
		lac_doc_append(d, ranks,
			       correlation_json(&f->correlations[i]));
	lac_doc_set(d, d->data, "correlations", ranks);
	lac_doc_set(d, d->data, "comparisons",
		    json_integer(f->comparisons));
	return lac_doc_finish(d, err);
}

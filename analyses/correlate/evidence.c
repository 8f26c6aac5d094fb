/* SPDX-License-Identifier: BSD-2-Clause */
#include "correlate/evidence.h"

#include <math.h>
#include <string.h>

enum lac_direction lac_direction_of(double size_share)
{
	if (!(fabs(size_share) >= 0.01))
		return LAC_SAME;
	return size_share < 0 ? LAC_FEWER : LAC_MORE;
}

const char *lac_direction_name(enum lac_direction d)
{
	return d == LAC_FEWER ? "fewer" : d == LAC_MORE ? "more" : "the same";
}

/* A count of a simulation, by its variant. */
enum count {
	PAGE_LINES,
	PAGE_L1,
	PAGE_LLC,
	ALL_L1,
	ALL_L2,
	ALL_LLC,
	ALL_ACCESSES,
};

static double count_of(const struct lac_simulation *s, enum count c)
{
	const uint64_t counts[] = {
		[PAGE_LINES] = s->page_array->lines_touched,
		[PAGE_L1] = s->page_array->l1_misses,
		[PAGE_LLC] = s->page_array->llc_misses,
		[ALL_L1] = s->l1_misses,
		[ALL_L2] = s->l2_misses,
		[ALL_LLC] = s->llc_misses,
		[ALL_ACCESSES] = s->accesses,
	};

	return (double)counts[c] / (double)s->ops;
}

static void derive(struct lac_figure_2x2 *f)
{
	double aligned = (f->x[LAC_ALIGNED_CAS] + f->x[LAC_ALIGNED_LOCK]) / 2;

	f->effect = lac_effects_2x2(f->x);
	f->size_share = aligned > 0 ? f->effect.size / aligned : NAN;
	f->low = f->high = f->size_share;
}

static struct lac_figure_2x2 figure(const struct lac_bench_result *r,
				    enum count c)
{
	struct lac_figure_2x2 f = { .x = { 0 } };

	for (int v = 0; v < LAC_NCELLS; v++)
		f.x[v] = count_of(&r->simulation[v], c);
	derive(&f);
	return f;
}

static void widen(struct lac_figure_2x2 *f, const struct lac_bench_result *r,
		  enum count c)
{
	struct lac_figure_2x2 other = figure(r, c);

	f->low = fmin(f->low, other.size_share);
	f->high = fmax(f->high, other.size_share);
}

static bool complete(const struct lac_bench_result *r)
{
	for (int v = 0; v < LAC_NCELLS; v++)
		if (!r->has_simulation[v])
			return false;
	return true;
}

/* The result of the same test and size in another run, or NULL. */
static const struct lac_bench_result *
find_cell(const struct lac_bench *b, const struct lac_bench_cell *c)
{
	for (size_t i = 0; i < b->nresults; i++) {
		const struct lac_bench_cell *o = &b->results[i].cell;

		if (!strcmp(o->test, c->test) && o->size == c->size &&
		    complete(&b->results[i]))
			return &b->results[i];
	}
	return NULL;
}

static void predict(struct lac_evidence *e, const struct lac_library *l)
{
	struct lac_err ignored; /* not predictable is an answer */

	e->predicted = true;
	e->prediction_error = 0;
	for (int v = 0; v < LAC_NCELLS; v++) {
		double touched = e->lines.x[v], error;

		if (lac_library_predict(l, e->cell, (enum lac_cell)v,
					&e->prediction[v],
					&ignored) != LAC_OK) {
			e->predicted = false;
			e->prediction_error = NAN;
			return;
		}
		e->lines_predicted.x[v] = e->prediction[v].lines;
		error = fabs(e->prediction[v].lines / touched - 1);
		if (touched > 0 && error > e->prediction_error)
			e->prediction_error = error;
	}
	derive(&e->lines_predicted);
}

/*
 * How often the pair {freelist, counters} was updated: once on each of SLUB's
 * slow paths.  From the timed programs, or from the simulated ones.
 */
static void take_paths(struct lac_evidence *e)
{
	const struct lac_bench_result *r = e->cell;
	const json_t *s = r->statistics[LAC_ALIGNED_CAS];
	double fast, slow, ops;

	if (!s)
		s = r->simulation[LAC_ALIGNED_CAS].statistics;
	fast = lac_statistic_value(s, "alloc_fastpath") +
	       lac_statistic_value(s, "free_fastpath");
	slow = lac_statistic_value(s, "alloc_slowpath") +
	       lac_statistic_value(s, "free_slowpath");
	/* each operation is one allocation and one free */
	ops = (fast + slow) / 2;
	e->updates = slow / ops;
	e->fastpath = fast / (fast + slow);
}

static void gather(struct lac_evidence *e, const struct lac_library *l)
{
	const struct lac_bench_result *r = e->cell;
	const char *test = r->cell.test;

	e->lines = figure(r, PAGE_LINES);
	e->page_l1 = figure(r, PAGE_L1);
	e->page_llc = figure(r, PAGE_LLC);
	e->l1 = figure(r, ALL_L1);
	e->l2 = figure(r, ALL_L2);
	e->llc = figure(r, ALL_LLC);
	e->accesses = figure(r, ALL_ACCESSES);
	predict(e, l);
	take_paths(e);
	if (!strcmp(test, "bulk") || !strcmp(test, "pair"))
		e->published = lac_reference_find(r->cell.size);
	e->size_ns = e->update_ns = NAN;
	if (r->has_times && r->times.has_effects) {
		double base = r->times.ns[LAC_ALIGNED_CAS][LAC_CPU_MEDIAN].value;

		e->size_ns = base *
			     (r->times.size.ratio[LAC_CPU_MEDIAN].value - 1);
		e->update_ns =
			base *
			(r->times.update.ratio[LAC_CPU_MEDIAN].value - 1);
	}
}

static enum lac_status look_elsewhere(struct lac_evidence *e,
				      const struct lac_other_run *others,
				      size_t n, struct lac_arena *arena,
				      struct lac_err *err)
{
	e->elsewhere = lac_arena_zalloc(arena, n, sizeof(*e->elsewhere));
	if (!e->elsewhere)
		return lac_fail_memory(err);
	for (size_t i = 0; i < n; i++) {
		const struct lac_bench_result *r =
			find_cell(others[i].bench, &e->cell->cell);
		struct lac_elsewhere *w = &e->elsewhere[e->nelsewhere];

		if (!r)
			continue;
		if (others[i].nearby) {
			widen(&e->lines, r, PAGE_LINES);
			widen(&e->page_l1, r, PAGE_L1);
			widen(&e->page_llc, r, PAGE_LLC);
			widen(&e->l1, r, ALL_L1);
			widen(&e->llc, r, ALL_LLC);
			continue;
		}
		w->where = others[i].where;
		w->lines_share = figure(r, PAGE_LINES).size_share;
		w->page_l1_share = figure(r, PAGE_L1).size_share;
		w->l1_share = figure(r, ALL_L1).size_share;
		w->direction = lac_direction_of(w->page_l1_share);
		e->agreeing += w->direction ==
			       lac_direction_of(e->page_l1.size_share);
		e->nelsewhere++;
	}
	return LAC_OK;
}

enum lac_status lac_correlate(const struct lac_bench *b,
			      const struct lac_library *l,
			      const struct lac_other_run *others,
			      size_t nothers, uint64_t seed,
			      struct lac_arena *arena,
			      struct lac_findings *ret, struct lac_err *err)
{
	struct lac_findings f = { 0 };

	f.rows = lac_arena_zalloc(arena, b->nresults, sizeof(*f.rows));
	if (!f.rows)
		return lac_fail_memory(err);
	for (size_t i = 0; i < b->nresults; i++) {
		struct lac_evidence *e = &f.rows[f.n];

		if (!complete(&b->results[i]))
			continue;
		e->cell = &b->results[i];
		gather(e, l);
		LAC_TRY(look_elsewhere(e, others, nothers, arena, err));
		LAC_TRY(lac_explain(e, arena, err));
		f.comparisons += e->cell->has_times ? 3 : 0;
		f.n++;
	}
	LAC_TRY(lac_rank(&f, seed, arena, err));
	*ret = f;
	return LAC_OK;
}

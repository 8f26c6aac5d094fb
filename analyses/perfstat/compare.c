/* SPDX-License-Identifier: BSD-2-Clause */
/* compare.c - old and new, event by event; the method is at the declaration. */
#include <math.h>
#include <string.h>

#include "perfstat/derived.h"

#define WHY_ONE_SIDE "only on one side"
#define WHY_NO_VALUE "no count on one side"
#define WHY_AGAIN "more than once in one output"
#define WHY_UNIT "units differ"
#define WHY_ONE_RUN "one run: no error known"
#define WHY_NO_ERROR "no error printed"
#define WHY_INFERRED "elapsed time inferred: no error known"
#define WHY_LAST_RUN "the last of an unknown number of runs"
#define WHY_UNDECIDED "means or last run is not known"

/*
 * The value to compare and its error.  Where the count is that of the last run
 * its own error is that of a single run, unless the mean showed elsewhere.
 */
static void take_event(const struct lac_perfstat_output *o,
		       const struct lac_perfstat_event *e,
		       struct lac_perfstat_side *s)
{
	double percent = e->error_percent.value + e->error_percent.rounding;

	s->event = e;
	s->status = lac_perfstat_status_name(e->status);
	if (!lac_perfstat_event_has_value(e))
		return;
	s->has_value = true;
	s->value = e->count.value;
	s->has_error = e->has_error;
	s->error = percent / 100 * e->count.value;
	s->freedom = o->runs > 1 ? o->runs - 1 : 0;
	if (o->means != LAC_PERFSTAT_LAST_RUN)
		return;
	if (e->has_mean) {
		s->status = LAC_PERFSTAT_BY_THE_RATES;
		s->value = e->mean.value;
		s->error += e->mean.rounding;
		return;
	}
	s->status = "last run";
	s->has_error = e->has_error && o->runs > 1;
	s->error *= sqrt(o->runs);
}

static void take_elapsed(const struct lac_perfstat_output *o,
			 struct lac_perfstat_side *s)
{
	const struct lac_perfstat_time *t = &o->elapsed;

	s->status = !t->known ? "absent" : t->inferred ? "inferred" : "measured";
	s->has_value = t->known;
	s->value = t->s.value;
	s->has_error = t->has_error;
	s->error = t->error_s.value + t->error_s.rounding;
	s->freedom = o->runs > 1 ? o->runs - 1 : 0;
}

/* Why a side has no error, or NULL. */
static const char *missing_error(const struct lac_perfstat_output *o,
				 const struct lac_perfstat_side *s)
{
	if (s->has_error)
		return NULL;
	if (!s->event && o->elapsed.inferred)
		return WHY_INFERRED;
	if (o->runs == 1)
		return WHY_ONE_RUN;
	/* sqrt(runs) away from the error of one run, and how many is not said */
	if (o->means == LAC_PERFSTAT_LAST_RUN && !o->runs && s->event &&
	    s->event->has_error)
		return WHY_LAST_RUN;
	return WHY_NO_ERROR;
}

/* Welch and Satterthwaite; a and b are the two (relative) errors. */
static double joint_freedom(double a, double na, double b, double nb)
{
	double va = a * a, vb = b * b;
	double below = 0;

	if (!(na > 0) || !(nb > 0))
		return INFINITY;
	if (va + vb == 0)
		return fmin(na, nb);
	/* scaled, so that tiny errors do not vanish when squared again */
	va /= a * a + b * b;
	vb = 1 - va;
	below = va * va / na + vb * vb / nb;
	return 1 / below;
}

/* Sets basis, low, high and whether the interval excludes 1. */
static bool test_ratio(struct lac_perfstat_row *r, double confidence)
{
	const struct lac_perfstat_side *x = &r->old_side, *y = &r->new_side;
	double a = x->error / x->value, b = y->error / y->value;
	double freedom = joint_freedom(a, x->freedom, b, y->freedom);
	double q = lac_perfstat_quantile((1 + confidence) / 2, freedom);
	double reach = q * hypot(a, b);

	r->basis = isinf(freedom) ? LAC_PERFSTAT_NORMAL : LAC_PERFSTAT_WELCH;
	r->low = r->ratio * exp(-reach);
	r->high = r->ratio * exp(reach);
	return r->low > 1 || r->high < 1;
}

static bool test_difference(struct lac_perfstat_row *r, double confidence)
{
	const struct lac_perfstat_side *x = &r->old_side, *y = &r->new_side;
	double freedom =
		joint_freedom(x->error, x->freedom, y->error, y->freedom);
	double q = lac_perfstat_quantile((1 + confidence) / 2, freedom);

	r->basis = LAC_PERFSTAT_DIFFERENCE;
	return fabs(y->value - x->value) > q * hypot(x->error, y->error);
}

static bool test(struct lac_perfstat_row *r, double confidence)
{
	return r->has_ratio && r->ratio > 0 ? test_ratio(r, confidence)
					    : test_difference(r, confidence);
}

/* As if the value of an undecided output were that of the last run. */
static bool widen(const struct lac_perfstat_output *o,
		  struct lac_perfstat_side *s)
{
	if (o->means != LAC_PERFSTAT_UNDECIDED || !s->event)
		return true;
	if (o->runs < 2)
		return false;
	s->error *= sqrt(o->runs);
	return true;
}

/*
 * Means or last run, and nothing tells: the difference is resolved if it is
 * either way, and not if it is neither way.
 */
static void decide(const struct lac_perfstat_output *old_output,
		   const struct lac_perfstat_output *new_output,
		   double confidence, struct lac_perfstat_row *r)
{
	struct lac_perfstat_row wide = *r;
	bool narrow_differs = test(r, confidence), known, wide_differs;

	known = widen(old_output, &wide.old_side);
	known &= widen(new_output, &wide.new_side);
	wide_differs = known && test(&wide, confidence);
	if (!narrow_differs) {
		r->verdict = LAC_PERFSTAT_UNRESOLVED;
	} else if (wide_differs) {
		r->verdict = LAC_PERFSTAT_RESOLVED;
	} else {
		r->verdict = LAC_PERFSTAT_UNKNOWN;
		r->why = WHY_UNDECIDED;
	}
	if (known)
		r->low = wide.low, r->high = wide.high;
}

static void finish_row(const struct lac_perfstat_output *old_output,
		       const struct lac_perfstat_output *new_output,
		       double confidence, struct lac_perfstat_row *r)
{
	const struct lac_perfstat_side *x = &r->old_side, *y = &r->new_side;

	r->verdict = LAC_PERFSTAT_UNKNOWN;
	if (!x->has_value || !y->has_value) {
		bool both = (x->event && y->event);

		r->why = both ? WHY_NO_VALUE : WHY_ONE_SIDE;
		return;
	}
	if (x->event && (x->event->again || y->event->again)) {
		r->why = WHY_AGAIN;
		return;
	}
	if (x->event && strcmp(x->event->unit, y->event->unit) != 0) {
		r->why = WHY_UNIT;
		return;
	}
	r->has_ratio = x->value > 0;
	r->ratio = r->has_ratio ? y->value / x->value : 0;
	r->has_ratio = r->has_ratio && isfinite(r->ratio);
	r->why = missing_error(old_output, x);
	if (!r->why)
		r->why = missing_error(new_output, y);
	if (!r->why)
		decide(old_output, new_output, confidence, r);
}

static void name_row(struct lac_perfstat_row *r,
		     const struct lac_perfstat_event *e)
{
	r->name = e->name;
	r->where = e->where;
	r->unit = e->unit;
}

/* The events of both; taken[i]: the new event i has its row already. */
static size_t fill_rows(const struct lac_perfstat_output *old_output,
			const struct lac_perfstat_output *new_output,
			const struct lac_perfstat_index *index, bool *taken,
			struct lac_perfstat_row *rows)
{
	size_t n = 0;

	for (size_t i = 0; i < old_output->nevents; i++) {
		const struct lac_perfstat_event *e = &old_output->events[i];
		size_t at = lac_perfstat_index_find(index, e->where, e->name);
		struct lac_perfstat_row *r = &rows[n++];

		name_row(r, e);
		take_event(old_output, e, &r->old_side);
		r->new_side.status = "absent";
		if (at == SIZE_MAX)
			continue;
		take_event(new_output, &new_output->events[at], &r->new_side);
		taken[at] = true;
	}
	for (size_t i = 0; i < new_output->nevents; i++) {
		if (taken[i])
			continue;
		name_row(&rows[n], &new_output->events[i]);
		rows[n].old_side.status = "absent";
		take_event(new_output, &new_output->events[i],
			   &rows[n++].new_side);
	}
	return n;
}

enum lac_status
lac_perfstat_compare(const struct lac_perfstat_output *old_output,
		     const struct lac_perfstat_output *new_output,
		     double confidence, struct lac_arena *arena,
		     struct lac_perfstat_comparison *ret, struct lac_err *err)
{
	size_t most = 1 + old_output->nevents + new_output->nevents;
	struct lac_perfstat_comparison c = { .confidence = confidence };
	struct lac_perfstat_index index = { 0 };
	bool *taken = lac_arena_zalloc(arena, most, sizeof(*taken));

	c.rows = lac_arena_zalloc(arena, most, sizeof(*c.rows));
	if (!taken || !c.rows)
		return lac_fail_memory(err);
	for (size_t i = 0; i < new_output->nevents; i++) {
		const struct lac_perfstat_event *e = &new_output->events[i];

		if (!e->again && !lac_perfstat_index_add(&index, arena,
							 e->where, e->name, i))
			return lac_fail_memory(err);
	}
	if (old_output->elapsed.known || new_output->elapsed.known) {
		struct lac_perfstat_row *r = &c.rows[c.nrows++];

		r->name = "elapsed time";
		r->where = "";
		r->unit = "s";
		take_elapsed(old_output, &r->old_side);
		take_elapsed(new_output, &r->new_side);
	}
	c.nrows += fill_rows(old_output, new_output, &index, taken,
			     c.rows + c.nrows);
	for (size_t i = 0; i < c.nrows; i++) {
		finish_row(old_output, new_output, confidence, &c.rows[i]);
		c.nresolved += c.rows[i].verdict == LAC_PERFSTAT_RESOLVED;
	}
	*ret = c;
	return LAC_OK;
}

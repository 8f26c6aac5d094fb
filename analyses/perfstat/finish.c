/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * finish.c - what an output says about itself once it is whole: are the counts
 * means, what are the errors, how long did it take.
 */
#include <math.h>
#include <string.h>

#include "perfstat/derived.h"

/* Less likely than this by accident, and agreement shows means. */
#define MEANS_CHANCE 0.05

/*
 * What the rates say the clock was: count / rate is perf's own mean of the
 * clock, whether the counts are means or the last run's.
 */
struct said_clock {
	bool any;
	double low, high; /* seconds; the cut of what every rate allows */
};

static void hear(struct said_clock *c, const struct lac_perfstat_event *e,
		 const struct lac_perfstat_metric *m, double scale)
{
	double rate = m->printed.value, half = m->printed.rounding;
	double low, high;

	if (!(rate > half) || !(e->count.value > 0))
		return;
	low = (e->count.value - e->count.rounding) / ((rate + half) * scale);
	high = (e->count.value + e->count.rounding) / ((rate - half) * scale);
	if (!c->any || low > c->low)
		c->low = low;
	if (!c->any || high < c->high)
		c->high = high;
	c->any = true;
}

static struct said_clock *hear_all(const struct lac_perfstat_work *w)
{
	const struct lac_perfstat_output *o = w->o;
	struct said_clock *said = lac_arena_zalloc(
		w->r->p->arena, o->nevents, sizeof(*said));

	for (size_t i = 0; said && i < o->nevents; i++) {
		const struct lac_perfstat_event *e = &o->events[i];
		size_t clock = SIZE_MAX;

		if (!lac_perfstat_event_has_value(e) || e->again)
			continue;
		for (size_t k = 0; k < e->nmetrics; k++) {
			const struct lac_perfstat_metric *m = &e->metrics[k];
			const struct lac_perfstat_formula *f =
				lac_perfstat_formula_find(m->unit);

			if (!f || f->kind != LAC_PERFSTAT_RATE ||
			    m->check == LAC_PERFSTAT_CUT)
				continue;
			if (clock == SIZE_MAX)
				clock = lac_perfstat_clock_of(w, e);
			if (clock != SIZE_MAX)
				hear(&said[clock], e, m, f->scale);
		}
	}
	return said;
}

/* Upper end of the standard error of the mean, seconds for a clock in msec. */
static double clock_error(const struct lac_perfstat_event *clock)
{
	return (clock->error_percent.value + clock->error_percent.rounding) /
	       100 * clock->count.value * 1e-3;
}

enum hearing { SILENT, FITS, LAST, CONTRADICTS };

/*
 * One clock against what the rates say of it.  No sample lies farther from the
 * mean of n than (n - 1) standard errors of that mean (Samuelson, How Deviant
 * Can You Be?, JASA 63, 1968), so what is farther is not a last run either.
 */
static enum hearing judge(const struct lac_perfstat_output *o,
			  const struct lac_perfstat_event *clock,
			  const struct said_clock *said, double *chance)
{
	double at = clock->count.value * 1e-3;
	double half = clock->count.rounding * 1e-3;
	double slack = 1e-9 * at, error, tolerance, off;

	if (!said->any)
		return SILENT;
	if (said->low > said->high + slack)
		return CONTRADICTS;
	error = clock->has_error ? clock_error(clock) : 0;
	if (at - half <= said->high + slack && at + half >= said->low - slack) {
		tolerance = (said->high - said->low) / 2 + half;
		/* 2 x tolerance x density of the normal law at its middle */
		*chance = error > 0 ? 0.8 * tolerance /
					      (error * sqrt(o->runs ? o->runs : 2))
				    : 1;
		return FITS;
	}
	off = at > said->high ? at - half - said->high : said->low - at - half;
	if (clock->has_error && o->runs > 1 && off > error * (o->runs - 1))
		return CONTRADICTS;
	return clock->has_error ? LAST : CONTRADICTS;
}

static enum lac_status note_last_run(struct lac_perfstat_work *w,
				     const struct lac_perfstat_event *clock)
{
	/* as many decimals as were printed: fewer may hide the difference */
	int decimals = clock->count.rounding > 1e-3 ? 2 : 6;

	return lac_perfstat_add_note(
		w->r, clock->line,
		"the counts are those of the last run, not means: a defect of "
		"some versions of perf (seen in 5.15 to 6.1) under -r.  The "
		"rates give a mean %s of %.*f msec where %.*f is printed, "
		"which is more than the rounding of either explains",
		clock->name, decimals, clock->mean.value, decimals,
		clock->count.value);
}

static enum lac_status note_no_means(struct lac_perfstat_work *w)
{
	return lac_perfstat_add_note(
		w->r, w->o->first_line,
		"--means is not applied: the rates in this output contradict "
		"it, the counts are those of the last run");
}

static enum lac_status decide_means(struct lac_perfstat_work *w,
				    const struct lac_perfstat_hints *hints)
{
	struct lac_perfstat_output *o = w->o;
	struct said_clock *said = hear_all(w);
	bool contradicts = false;
	double best = 1, chance;

	if (!said)
		return lac_fail_memory(w->r->err);
	o->means = hints->means ? LAC_PERFSTAT_MEANS : LAC_PERFSTAT_UNDECIDED;
	for (size_t i = 0; i < o->nevents; i++) {
		struct lac_perfstat_event *e = &o->events[i];
		enum hearing h = judge(o, e, &said[i], &chance);

		if (h == FITS && chance < best)
			best = chance;
		contradicts |= h == CONTRADICTS;
		if (h != LAST)
			continue;
		e->has_mean = true;
		e->mean.value = (said[i].low + said[i].high) / 2 * 1e3;
		e->mean.rounding =
			fmax(said[i].high - said[i].low, 0) / 2 * 1e3;
		if (o->means != LAC_PERFSTAT_LAST_RUN)
			LAC_TRY(note_last_run(w, e));
		o->means = LAC_PERFSTAT_LAST_RUN;
	}
	if (hints->means && o->means == LAC_PERFSTAT_LAST_RUN)
		return note_no_means(w);
	if (o->means == LAC_PERFSTAT_UNDECIDED && !contradicts &&
	    best < MEANS_CHANCE) {
		o->means = LAC_PERFSTAT_MEANS;
		o->means_chance = best;
	}
	return LAC_OK;
}

/*
 * perf leaves an error of exactly 0 out.  Where no error is printed at all they
 * have been cut off instead; and a last run of 0 does not show that all were 0.
 */
static void fill_zero_errors(struct lac_perfstat_output *o)
{
	for (size_t i = 0; i < o->nevents; i++) {
		struct lac_perfstat_event *e = &o->events[i];

		if (!lac_perfstat_event_has_value(e) || e->has_error ||
		    (e->count.value == 0 && o->means != LAC_PERFSTAT_MEANS))
			continue;
		e->has_error = true;
	}
}

/* What one run counted is a whole number; only a mean is rounded to one. */
static void settle_rounding(struct lac_perfstat_output *o)
{
	if (o->means != LAC_PERFSTAT_LAST_RUN &&
	    o->means != LAC_PERFSTAT_ONE_RUN)
		return;
	for (size_t i = 0; i < o->nevents; i++)
		if (o->events[i].integer &&
		    o->events[i].status == LAC_PERFSTAT_MEASURED)
			o->events[i].count.rounding = 0;
}

static enum lac_status check_table(struct lac_perfstat_work *w)
{
	struct lac_perfstat_output *o = w->o;
	double sum = 0, mean, slack;

	if (!o->nruns_s)
		return LAC_OK;
	if (!o->runs)
		o->runs = (unsigned)o->nruns_s;
	for (size_t i = 0; i < o->nruns_s; i++)
		sum += o->runs_s[i].value;
	mean = sum / (double)o->nruns_s;
	slack = o->runs_s[0].rounding + o->elapsed.s.rounding;
	if (o->runs != o->nruns_s)
		return lac_perfstat_add_note(w->r, o->first_line,
					     "%zu single runs in the table of "
					     "%u: the rest is missing",
					     o->nruns_s, o->runs);
	if (o->elapsed.known && fabs(mean - o->elapsed.s.value) > 1.01 * slack)
		return lac_perfstat_add_note(w->r, o->last_line,
					     "the mean of the single runs is "
					     "%.6g s, not the printed %.6g s",
					     mean, o->elapsed.s.value);
	return LAC_OK;
}

/* CSV and JSON have no elapsed time, but the clock over it. */
static void infer_elapsed(struct lac_perfstat_output *o)
{
	for (size_t i = 0; i < o->nevents && !o->elapsed.known; i++) {
		const struct lac_perfstat_event *e = &o->events[i];

		for (size_t k = 0; k < e->nmetrics; k++) {
			const struct lac_perfstat_metric *m = &e->metrics[k];
			double u = m->printed.value, half = m->printed.rounding;

			if (strcmp(m->unit, "CPUs utilized") ||
			    m->check == LAC_PERFSTAT_CUT || !(u > half) ||
			    strcmp(e->unit, "msec") ||
			    !lac_perfstat_event_has_value(e))
				continue;
			o->elapsed.known = o->elapsed.inferred = true;
			o->elapsed.s.value = e->count.value * 1e-3 / u;
			o->elapsed.s.rounding =
				(e->count.rounding +
				 e->count.value * half / u) *
				1e-3 / u;
			break;
		}
	}
}

static bool any_error(const struct lac_perfstat_output *o)
{
	bool any = o->elapsed.has_error;

	for (size_t i = 0; i < o->nevents && !any; i++)
		any = o->events[i].has_error;
	return any;
}

static bool any_event_error(const struct lac_perfstat_output *o)
{
	for (size_t i = 0; i < o->nevents; i++)
		if (o->events[i].has_error)
			return true;
	return false;
}

/* How often it ran, as far as that can be known. */
static enum lac_status settle_runs(struct lac_perfstat_work *w,
				   const struct lac_perfstat_hints *hints)
{
	struct lac_perfstat_output *o = w->o;

	if (any_error(o)) {
		if (o->runs == 1) {
			LAC_TRY(lac_perfstat_add_note(
				w->r, o->first_line,
				"the header speaks of one run, the lines have "
				"errors of a mean: number of runs unknown"));
			o->runs = 0;
		}
		if (!o->runs)
			o->runs = hints->runs;
	} else if (!o->runs && !o->title && o->elapsed.known &&
		   !o->elapsed.inferred) {
		o->runs = 1; /* the elapsed time of several has an error */
	}
	return LAC_OK;
}

enum lac_status lac_perfstat_finish(struct lac_perfstat_reader *r,
				    struct lac_perfstat_output *o,
				    const struct lac_perfstat_hints *hints)
{
	struct lac_perfstat_work w = { .r = r, .o = o };
	struct lac_arena *a = r->p->arena;

	for (size_t i = 0; i < o->nevents; i++)
		if (!o->events[i].again &&
		    !lac_perfstat_index_add(&w.index, a, o->events[i].where,
					    o->events[i].name, i))
			return lac_fail_memory(r->err);
	LAC_TRY(check_table(&w));
	LAC_TRY(settle_runs(&w, hints));
	if (o->runs == 1)
		o->means = LAC_PERFSTAT_ONE_RUN;
	else
		LAC_TRY(decide_means(&w, hints));
	settle_rounding(o);
	if (o->runs > 1 && !o->damaged && any_event_error(o))
		fill_zero_errors(o);
	for (size_t i = 0; i < o->nevents; i++)
		for (size_t k = 0; k < o->events[i].nmetrics; k++)
			LAC_TRY(lac_perfstat_check_metric(
				&w, &o->events[i], &o->events[i].metrics[k]));
	infer_elapsed(o);
	return LAC_OK;
}

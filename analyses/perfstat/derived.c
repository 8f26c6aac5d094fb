/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * derived.c - the figures that perf works out from counts, worked out again.
 * Formulas: generic_metrics in perf's stat-shadow.c, versions 3.13 to 6.12.
 */
#include "perfstat/derived.h"

#include <math.h>
#include <string.h>

static const struct lac_perfstat_formula formulas[] = {
	{ "CPUs utilized", LAC_PERFSTAT_UTILIZED, 1, NULL },
	{ "GHz", LAC_PERFSTAT_RATE, 1e9, NULL },
	{ "/sec", LAC_PERFSTAT_RATE, 1, NULL },
	{ "K/sec", LAC_PERFSTAT_RATE, 1e3, NULL },
	{ "M/sec", LAC_PERFSTAT_RATE, 1e6, NULL },
	{ "G/sec", LAC_PERFSTAT_RATE, 1e9, NULL },
	{ "insn per cycle", LAC_PERFSTAT_OVER, 1, "cycles" },
	{ "insns per cycle", LAC_PERFSTAT_OVER, 1, "cycles" },
	{ "stalled cycles per insn", LAC_PERFSTAT_STALLED, 1, NULL },
	{ "frontend cycles idle", LAC_PERFSTAT_OVER, 0.01, "cycles" },
	{ "backend cycles idle", LAC_PERFSTAT_OVER, 0.01, "cycles" },
	{ "of all branches", LAC_PERFSTAT_OVER, 0.01, "branches" },
	{ "of all cache refs", LAC_PERFSTAT_OVER, 0.01, "cache-references" },
	/* perf before 5.11 says hits where it divides by accesses */
	{ "of all L1-dcache accesses", LAC_PERFSTAT_OVER, 0.01,
	  "L1-dcache-loads" },
	{ "of all L1-dcache hits", LAC_PERFSTAT_OVER, 0.01, "L1-dcache-loads" },
	{ "of all L1-icache accesses", LAC_PERFSTAT_OVER, 0.01,
	  "L1-icache-loads" },
	{ "of all L1-icache hits", LAC_PERFSTAT_OVER, 0.01, "L1-icache-loads" },
	{ "of all LL-cache accesses", LAC_PERFSTAT_OVER, 0.01, "LLC-loads" },
	{ "of all LL-cache hits", LAC_PERFSTAT_OVER, 0.01, "LLC-loads" },
	{ "of all dTLB cache accesses", LAC_PERFSTAT_OVER, 0.01, "dTLB-loads" },
	{ "of all dTLB cache hits", LAC_PERFSTAT_OVER, 0.01, "dTLB-loads" },
	{ "of all iTLB cache accesses", LAC_PERFSTAT_OVER, 0.01, "iTLB-loads" },
	{ "of all iTLB cache hits", LAC_PERFSTAT_OVER, 0.01, "iTLB-loads" },
};

#define NFORMULAS (sizeof(formulas) / sizeof(*formulas))

const struct lac_perfstat_formula *lac_perfstat_formula_find(const char *unit)
{
	for (size_t i = 0; i < NFORMULAS; i++)
		if (!strcmp(formulas[i].unit, unit))
			return &formulas[i];
	return NULL;
}

/* How much of unit is at s, any number of blanks for one. */
static size_t match(const char *s, const char *unit, bool *whole)
{
	const char *p = s;

	for (; *unit; unit++) {
		if (*unit == ' ') {
			size_t n = strspn(p, " \t");

			if (!n)
				break;
			p += n;
		} else if (*p++ != *unit) {
			p--;
			break;
		}
	}
	*whole = !*unit && (*p == ' ' || *p == '\t' || *p == '\0');
	return (size_t)(p - s);
}

size_t lac_perfstat_metric_unit(const char *s, bool *partial)
{
	size_t longest = 0;

	*partial = false;
	for (size_t i = 0; i < NFORMULAS; i++) {
		bool whole;
		size_t n = match(s, formulas[i].unit, &whole);

		if (whole && n > longest)
			longest = n;
		if (!whole && !s[n])
			*partial = true;
	}
	return longest;
}

/* --- the events a figure is made of */

/* As printed, or the mean where the rates tell it and it is asked for. */
static struct lac_perfstat_number figure_of(const struct lac_perfstat_event *e,
					    bool means)
{
	return means && e->has_mean ? e->mean : e->count;
}

/* A count in the terms of its formula: seconds for a clock. */
static struct lac_perfstat_number amount(const struct lac_perfstat_event *e,
					 bool means)
{
	struct lac_perfstat_number n = figure_of(e, means);
	double scale = !strcmp(e->unit, "msec") ? 1e-3
		       : !strcmp(e->unit, "ns") ? 1e-9
						: 1;

	return (struct lac_perfstat_number){ n.value * scale,
					     n.rounding * scale };
}

bool lac_perfstat_event_has_value(const struct lac_perfstat_event *e)
{
	return e->status == LAC_PERFSTAT_MEASURED ||
	       e->status == LAC_PERFSTAT_SCALED;
}

/* Its name in the place of e's: "cpu_core/cycles/u" -> "cpu_core/NAME/u". */
static struct lac_perfstat_event *sibling(const struct lac_perfstat_work *w,
					  const struct lac_perfstat_event *e,
					  const char *name)
{
	const char *slash = strchr(e->name, '/'), *tail;
	size_t before = slash ? (size_t)(slash - e->name) + 1 : 0, i;
	char buf[256];

	tail = slash ? strchr(slash + 1, '/') : strrchr(e->name, ':');
	if (!tail)
		tail = "";
	if (before + strlen(name) + strlen(tail) >= sizeof(buf))
		return NULL;
	memcpy(buf, e->name, before);
	strcpy(buf + before, name);
	strcat(buf, tail);
	i = lac_perfstat_index_find(&w->index, e->where, buf);
	return i != SIZE_MAX && lac_perfstat_event_has_value(&w->o->events[i])
		       ? &w->o->events[i]
		       : NULL;
}

static struct lac_perfstat_event *cycles_or(const struct lac_perfstat_work *w,
					    const struct lac_perfstat_event *e,
					    const char *name)
{
	struct lac_perfstat_event *f = sibling(w, e, name);

	if (!f && !strcmp(name, "cycles"))
		f = sibling(w, e, "cpu-cycles");
	if (!f && !strcmp(name, "branches"))
		f = sibling(w, e, "branch-instructions");
	return f;
}

size_t lac_perfstat_clock_of(const struct lac_perfstat_work *w,
			     const struct lac_perfstat_event *e)
{
	static const char *const names[] = { "task-clock", "task-clock:u",
					     "cpu-clock", "cpu-clock:u" };
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		size_t at = lac_perfstat_index_find(&w->index, e->where,
						    names[i]);

		if (at == SIZE_MAX ||
		    !lac_perfstat_event_has_value(&w->o->events[at]) ||
		    strcmp(w->o->events[at].unit, "msec"))
			continue;
		/* perf mixes the two into one mean: no telling which it was */
		if (found != SIZE_MAX)
			return SIZE_MAX;
		found = at;
	}
	return found;
}

/* --- one figure */

static bool quotient(struct lac_perfstat_number a, struct lac_perfstat_number b,
		     double scale, struct lac_perfstat_number *ret)
{
	if (!(b.value > 0))
		return false;
	ret->value = a.value / b.value / scale;
	ret->rounding = (a.rounding + a.value / b.value * b.rounding) /
			b.value / scale;
	return isfinite(ret->value) && isfinite(ret->rounding);
}

static bool stalled(const struct lac_perfstat_work *w,
		    const struct lac_perfstat_event *e,
		    struct lac_perfstat_number *ret)
{
	const struct lac_perfstat_event *f =
		sibling(w, e, "stalled-cycles-frontend");
	const struct lac_perfstat_event *b =
		sibling(w, e, "stalled-cycles-backend");

	if (!f || (b && b->count.value > f->count.value))
		f = b;
	return f && quotient(amount(f, false), amount(e, false), 1, ret);
}

/* False: an input is not there. */
static bool compute(const struct lac_perfstat_work *w,
		    const struct lac_perfstat_event *e,
		    const struct lac_perfstat_formula *f, bool means,
		    struct lac_perfstat_number *ret)
{
	const struct lac_perfstat_event *d;
	size_t clock;

	if (!lac_perfstat_event_has_value(e) || e->again)
		return false;
	switch (f->kind) {
	case LAC_PERFSTAT_UTILIZED:
		return w->o->elapsed.known && !w->o->elapsed.inferred &&
		       quotient(amount(e, means), w->o->elapsed.s, f->scale,
				ret);
	case LAC_PERFSTAT_RATE:
		clock = lac_perfstat_clock_of(w, e);
		if (clock == SIZE_MAX)
			return false;
		/* a rate of nanoseconds is one of their number */
		return quotient(figure_of(e, means),
				amount(&w->o->events[clock], means), f->scale,
				ret);
	case LAC_PERFSTAT_OVER:
		d = cycles_or(w, e, f->over);
		return d && quotient(figure_of(e, means), figure_of(d, means),
				     f->scale, ret);
	case LAC_PERFSTAT_STALLED:
		return stalled(w, e, ret);
	}
	return false;
}

static enum lac_status disagrees(struct lac_perfstat_work *w,
				 const struct lac_perfstat_event *e,
				 const struct lac_perfstat_metric *m)
{
	if (++w->disagreements > 5)
		return LAC_OK;
	return lac_perfstat_add_note(
		w->r, e->line,
		"%s: %g %s is printed, the counts give %.6g: edited, or lines "
		"of different outputs?",
		e->name, m->printed.value, m->unit, m->computed);
}

enum lac_status lac_perfstat_check_metric(struct lac_perfstat_work *w,
					  const struct lac_perfstat_event *e,
					  struct lac_perfstat_metric *m)
{
	const struct lac_perfstat_formula *f =
		lac_perfstat_formula_find(m->unit);
	struct lac_perfstat_number c, by_means;
	bool cut = m->check == LAC_PERFSTAT_CUT, close;

	if (!f || !compute(w, e, f, false, &c)) {
		if (!cut)
			m->check = f ? LAC_PERFSTAT_NO_INPUT
				     : LAC_PERFSTAT_NO_FORMULA;
		return LAC_OK;
	}
	m->computed = c.value;
	m->has_computed = true;
	/* of the same inputs, of which none became less */
	m->compared = compute(w, e, f, true, &by_means) ? by_means.value
							: c.value;
	m->by_means = m->compared != m->computed;
	if (cut)
		return LAC_OK;
	close = fabs(c.value - m->printed.value) <=
		(m->printed.rounding + c.rounding) * 1.001 +
			1e-9 * fabs(c.value);
	m->check = close ? LAC_PERFSTAT_AGREES : LAC_PERFSTAT_DISAGREES;
	if (!close && w->o->means == LAC_PERFSTAT_LAST_RUN &&
	    f->kind != LAC_PERFSTAT_UTILIZED)
		m->check = LAC_PERFSTAT_MIXED;
	return m->check == LAC_PERFSTAT_DISAGREES ? disagrees(w, e, m) : LAC_OK;
}

bool lac_perfstat_is_percent(const struct lac_perfstat_metric *m)
{
	const struct lac_perfstat_formula *f =
		lac_perfstat_formula_find(m->unit);

	return m->percent || (f && f->kind == LAC_PERFSTAT_OVER &&
			      f->scale < 1);
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "builds_cost.h"

#include <math.h>
#include <string.h>

#include "correlate/evidence.h"
#include "json_number.h"

#define ASSUMED_GHZ 3.0

/* Both sides counted it, of the whole machine or program, with this modifier. */
static const struct lac_perfstat_row *
find(const struct lac_perfstat_comparison *c, const char *name,
     const char *modifier)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < c->nrows; i++) {
		const struct lac_perfstat_row *r = &c->rows[i];

		if (!*r->where && r->old_side.has_value &&
		    r->new_side.has_value && !strncmp(r->name, name, n) &&
		    !strcmp(r->name + n, modifier))
			return r;
	}
	return NULL;
}

static const struct lac_perfstat_row *
find_first(const struct lac_perfstat_comparison *c, const char *const *names,
	   const char *modifier)
{
	const struct lac_perfstat_row *r = NULL;

	for (; *names && !r; names++)
		r = find(c, *names, modifier);
	return r;
}

static double more(const struct lac_perfstat_row *r)
{
	return r->new_side.value - r->old_side.value;
}

static bool is_resolved(const struct lac_perfstat_row *r)
{
	return r && r->verdict == LAC_PERFSTAT_RESOLVED;
}

/* What is lost in the errors is not counted as a cost. */
static double cost_ns(const struct lac_miss_cost *m)
{
	double ns = 0;

	if (is_resolved(m->l1))
		ns += more(m->l1) * LAC_MISS_L2_NS;
	if (is_resolved(m->llc))
		ns += more(m->llc) * (LAC_MISS_L3_NS + LAC_MISS_MEMORY_NS);
	return ns;
}

static void clock_rate(const struct lac_perfstat_comparison *c,
		       struct lac_miss_cost *m)
{
	static const char *const names[] = { "task-clock", "cpu-clock", NULL };
	const struct lac_perfstat_row *clock = find_first(c, names, "");

	/* cycles of user space alone are not those of the whole task */
	if (clock && !strcmp(clock->unit, "msec") &&
	    !strchr(m->cycles->name, ':') && clock->new_side.value > 0)
		m->ghz = m->cycles->new_side.value /
			 (clock->new_side.value * 1e6);
	m->ghz_assumed = !(m->ghz > 0);
	if (m->ghz_assumed)
		m->ghz = ASSUMED_GHZ;
}

void lac_miss_cost_estimate(const struct lac_perfstat_comparison *c,
			    struct lac_miss_cost *ret)
{
	static const char *const modifiers[] = { "", ":u", ":k" };
	static const char *const cycles[] = { "cycles", "cpu-cycles", NULL };
	static const char *const l1[] = { "L1-dcache-load-misses",
					  "L1-dcache-misses", NULL };
	static const char *const llc[] = { "LLC-load-misses", "LLC-misses",
					   "cache-misses", NULL };
	struct lac_miss_cost m = { 0 };

	for (size_t i = 0; i < sizeof(modifiers) / sizeof(*modifiers); i++) {
		m.cycles = find_first(c, cycles, modifiers[i]);
		m.l1 = find_first(c, l1, modifiers[i]);
		m.llc = find_first(c, llc, modifiers[i]);
		if (m.cycles && (m.l1 || m.llc))
			break;
	}
	if (!m.cycles)
		m.unknown = "no cycles are counted on both sides";
	else if (!m.l1 && !m.llc)
		m.unknown = "no misses of L1 or of the last level are counted "
			    "on both sides beside the cycles";
	else if (!is_resolved(m.cycles))
		m.unknown = "a difference of the cycles is not resolved";
	else if (!is_resolved(m.l1) && !is_resolved(m.llc))
		m.unknown = "a difference of the misses of L1 or of the last "
			    "level is not resolved";
	if (!m.unknown) {
		clock_rate(c, &m);
		m.cycles_more = more(m.cycles);
		m.misses_cost = cost_ns(&m) * m.ghz;
		m.share = m.misses_cost / m.cycles_more;
	}
	*ret = m;
}

json_t *lac_miss_cost_data(const struct lac_miss_cost *m)
{
	if (m->unknown)
		return json_pack("{s:n, s:s, s:s}", "share", "status",
				 "unknown", "why", m->unknown);
	return json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:f, s:f}",
			 "share", lac_json_real(m->share), "status",
			 "estimated", "cycles_more",
			 lac_json_real(m->cycles_more), "misses_cost_cycles",
			 lac_json_real(m->misses_cost), "l1_misses_more",
			 m->l1 ? lac_json_real(more(m->l1)) : json_null(),
			 "llc_misses_more",
			 m->llc ? lac_json_real(more(m->llc)) : json_null(),
			 "ghz", lac_json_real(m->ghz), "ghz_status",
			 m->ghz_assumed ? "assumed" : "by the task-clock",
			 "l1_miss_ns", LAC_MISS_L2_NS, "llc_miss_ns",
			 LAC_MISS_L3_NS + LAC_MISS_MEMORY_NS);
}

/* "44000000 more L1-dcache-load-misses at 5 ns" */
static const char *term(const struct lac_perfstat_row *r, double ns,
			struct lac_arena *arena)
{
	double by = r ? more(r) : 0;

	if (!is_resolved(r))
		return NULL;
	return lac_arena_printf(arena, "%.4g %s %s at %g ns", fabs(by),
				by < 0 ? "fewer" : "more", r->name, ns);
}

static const char *outcome(const struct lac_miss_cost *m,
			   struct lac_arena *arena)
{
	if (m->share <= 0)
		return "they point the other way, and explain none of the "
		       "cycles";
	if (m->share >= 1)
		return "that is as much as the cycles differ: they may explain "
		       "all of it";
	return lac_arena_printf(arena, "they explain at most about %.*f %% of "
				       "the difference",
				m->share < 0.01 ? 1 : 0, 100 * m->share);
}

static const char *left_out(const struct lac_miss_cost *m)
{
	if (!m->llc)
		return "; misses of the last level are not counted";
	if (!m->l1)
		return "; misses of L1 are not counted";
	if (!is_resolved(m->llc))
		return "; those of the last level are not resolved and left out";
	if (!is_resolved(m->l1))
		return "; those of L1 are not resolved and left out";
	return "";
}

const char *lac_miss_cost_text(const struct lac_miss_cost *m,
			       struct lac_arena *arena)
{
	const char *a, *b, *what;

	if (m->unknown)
		return lac_arena_printf(arena,
					"How much of the cycles the misses "
					"could explain is unknown: %s.",
					m->unknown);
	a = term(m->l1, LAC_MISS_L2_NS, arena);
	b = term(m->llc, LAC_MISS_L3_NS + LAC_MISS_MEMORY_NS, arena);
	what = outcome(m, arena);
	return lac_arena_printf(
		arena,
		"An estimate: %s%s%s are at most %+.3g cycles at %.2f GHz%s; "
		"%s differ by %+.3g, so %s.  Assumed: every miss is waited for "
		"that long, none beside another%s.",
		a ? a : "", a && b ? " and " : "", b ? b : "", m->misses_cost,
		m->ghz, m->ghz_assumed ? " (assumed)" : "", m->cycles->name,
		m->cycles_more, what ? what : "", left_out(m));
}

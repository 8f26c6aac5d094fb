/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * explain.c - does what was counted account for the time?
 *
 * A difference in time between page sizes is explained by the layout if the
 * misses counted could cost that much and point the same way.  What they could
 * cost at most: the latencies in evidence.h, and the arithmetic of indexing by 56 instead of 64.
 * A difference between updates is explained if the operation makes updates.
 */
#include <math.h>

#include "correlate/evidence.h"

#define ARITHMETIC_NS 2.0 /* lea, sub, lea or a multiplication for a shift */
#define UPDATE_NS 30.0	 /* cmpxchg16b against lock, change, unlock */

const char *lac_explanation_name(enum lac_explanation e)
{
	static const char *const names[] = {
		[LAC_NOTHING_TO_EXPLAIN] = "not resolved",
		[LAC_BY_LAYOUT] = "layout",
		[LAC_BY_UPDATE] = "update",
		[LAC_BY_BOTH] = "both",
		[LAC_NOT_EXPLAINED] = "not explained",
		[LAC_NOT_TIMED] = "not timed",
	};

	return names[e];
}

/* What the size effect in misses may cost, with its sign. */
static double misses_ns(const struct lac_evidence *e)
{
	return e->l1.effect.size * LAC_MISS_L2_NS +
	       e->l2.effect.size * LAC_MISS_L3_NS +
	       e->llc.effect.size * LAC_MISS_MEMORY_NS;
}

static bool layout_explains(const struct lac_evidence *e)
{
	double cost = misses_ns(e);

	/* the arithmetic only ever makes packing slower */
	if (e->size_ns > 0)
		return e->size_ns <= fmax(cost, 0) + ARITHMETIC_NS;
	return cost < 0 && e->size_ns >= cost;
}

/* The misses are not needed: the arithmetic alone can be it. */
static bool arithmetic_suffices(const struct lac_evidence *e)
{
	return e->size_ns > 0 && e->size_ns <= ARITHMETIC_NS &&
	       misses_ns(e) < e->size_ns / 4;
}

static bool update_explains(const struct lac_evidence *e)
{
	return fabs(e->update_ns) <= e->update_bound_ns;
}

static enum lac_explanation decide(const struct lac_evidence *e)
{
	const struct lac_times *t = &e->cell->times;
	bool size, update;

	if (!e->cell->has_times || !t->has_effects)
		return LAC_NOT_TIMED;
	size = t->size.verdict != LAC_NOT_RESOLVED;
	update = t->update.verdict != LAC_NOT_RESOLVED;
	if (!size && !update)
		return t->interaction.verdict == LAC_NOT_RESOLVED ?
			       LAC_NOTHING_TO_EXPLAIN :
			       LAC_NOT_EXPLAINED;
	if ((size && !layout_explains(e)) || (update && !update_explains(e)))
		return LAC_NOT_EXPLAINED;
	return size && update ? LAC_BY_BOTH :
	       size	      ? LAC_BY_LAYOUT :
				LAC_BY_UPDATE;
}

static bool explained_by_layout(const struct lac_evidence *e)
{
	return e->explanation == LAC_BY_LAYOUT ||
	       e->explanation == LAC_BY_BOTH;
}

/* "12.5 % fewer"; the magnitude has a digit, so that 0.0 is no difference. */
static const char *change(double share, struct lac_arena *arena)
{
	return lac_arena_printf(arena, "%.1f %% %s", 100 * fabs(share),
				share < 0 ? "fewer" : "more");
}

/* What packing does to the page array, as far as counting goes. */
static const char *layout_part(const struct lac_evidence *e,
			       struct lac_arena *arena)
{
	const char *lines = change(e->lines.size_share, arena);
	const char *misses = change(e->page_l1.size_share, arena);
	const char *said = "";
	double most = 0, all = (e->l1.x[LAC_ALIGNED_CAS] +
				e->l1.x[LAC_ALIGNED_LOCK]) / 2;

	for (int v = 0; v < LAC_NCELLS; v++)
		most = fmax(most, e->page_l1.x[v]);
	if (most < 0.0005)
		return "No variant misses the page array: its size cannot "
		       "matter.";
	if (e->predicted)
		said = lac_arena_printf(arena, " (predicted: %.1f %%)",
					100 * fabs(e->lines_predicted
							   .size_share));
	if (!lines || !misses || !said)
		return NULL;
	return lac_arena_printf(
		arena,
		"Packing touches %s lines of the page array%s and has %s L1 "
		"misses there: %.4f an operation, %.1f %% of all.",
		lines, said, misses, fabs(e->page_l1.effect.size),
		100 * fabs(e->page_l1.effect.size) / all);
}

static const char *ratio_text(const struct lac_comparison *c,
			      struct lac_arena *arena)
{
	const struct lac_interval *r = &c->ratio[LAC_CPU_MEDIAN];

	if (isnan(r->low))
		return lac_arena_printf(arena, "%.2f", r->value);
	return lac_arena_printf(arena, "%.2f [%.2f, %.2f]", r->value, r->low,
				r->high);
}

static const char *not_explained(const struct lac_evidence *e,
				 const char *size, const char *update,
				 struct lac_arena *arena)
{
	const struct lac_times *t = &e->cell->times;

	if (t->size.verdict == LAC_NOT_RESOLVED &&
	    t->update.verdict == LAC_NOT_RESOLVED)
		return "Only the interaction is resolved: not explained.";
	return lac_arena_printf(
		arena,
		"Packing %s (%s), lock %s (%s): not explained. The misses "
		"counted may cost %+.1f ns and the updates up to %.1f ns; the "
		"times differ by %+.1f and %+.1f ns.",
		size, lac_resolution_name(t->size.verdict), update,
		lac_resolution_name(t->update.verdict), misses_ns(e),
		e->update_bound_ns, e->size_ns, e->update_ns);
}

/* By what of the layout; "" when out of memory. */
static const char *through(const struct lac_evidence *e,
			   struct lac_arena *arena)
{
	const char *s;

	if (e->arithmetic)
		return ", though not by its footprint, which costs less: "
		       "indexing by 56 bytes takes more instructions than by "
		       "64";
	s = lac_arena_printf(arena, ", whose misses may cost %+.1f ns",
			     misses_ns(e));
	return s ? s : "";
}

/* An effect whose interval, as it is shown, would make one think otherwise. */
static const char *not_so(const struct lac_times *t,
			  const struct lac_comparison *c, const char *what,
			  struct lac_arena *arena)
{
	const char *ratio, *why;

	if (!lac_times_deceives(t, c))
		return "";
	ratio = ratio_text(c, arena);
	why = lac_times_why(t, c, arena);
	return ratio && why ? lac_arena_printf(arena, " %s, %s, is not: by the "
						      "%s.", what, ratio, why)
			    : NULL;
}

static const char *nothing_resolved(const struct lac_times *t,
				    struct lac_arena *arena)
{
	const char *size = not_so(t, &t->size, "That of packing", arena);
	const char *update = not_so(t, &t->update, "That of the lock", arena);

	return size && update ? lac_arena_printf(
					arena,
					"No difference in time is resolved.%s%s",
					size, update)
			      : NULL;
}

static const char *time_part(const struct lac_evidence *e,
			     struct lac_arena *arena)
{
	const struct lac_times *t = &e->cell->times;
	const char *size, *update, *size_not_so;

	if (e->explanation == LAC_NOT_TIMED)
		return "Not timed.";
	size = ratio_text(&t->size, arena);
	update = ratio_text(&t->update, arena);
	size_not_so = not_so(t, &t->size, "Its ratio", arena);
	if (!size || !update || !size_not_so)
		return NULL;
	switch (e->explanation) {
	case LAC_NOTHING_TO_EXPLAIN:
		return nothing_resolved(t, arena);
	case LAC_BY_LAYOUT:
		return lac_arena_printf(
			arena, "Packing is %s, %s: explained by the layout%s.",
			lac_resolution_name(t->size.verdict), size,
			through(e, arena));
	case LAC_BY_UPDATE:
		return lac_arena_printf(
			arena,
			"The lock is %s, %s: explained by the update, which an "
			"operation makes %.2f times. Packing is not resolved.%s",
			lac_resolution_name(t->update.verdict), update,
			e->updates, size_not_so);
	case LAC_BY_BOTH:
		return lac_arena_printf(
			arena,
			"The lock is %s, %s, and packing %s, %s: explained by "
			"both, the %.2f updates of an operation and the "
			"layout%s.",
			lac_resolution_name(t->update.verdict), update,
			lac_resolution_name(t->size.verdict), size, e->updates,
			through(e, arena));
	default:
		return not_explained(e, size, update, arena);
	}
}

enum lac_status lac_explain(struct lac_evidence *e, struct lac_arena *arena,
			    struct lac_err *err)
{
	const char *layout, *time;

	e->layout_bound_ns = misses_ns(e);
	e->update_bound_ns = isnan(e->updates) ? 0 : e->updates * UPDATE_NS;
	e->explanation = decide(e);
	e->arithmetic = explained_by_layout(e) && arithmetic_suffices(e);
	layout = layout_part(e, arena);
	time = time_part(e, arena);
	e->sentence = layout && time ? lac_arena_printf(arena, "%s %s", time,
							layout) :
				       NULL;
	return e->sentence ? LAC_OK : lac_fail_memory(err);
}

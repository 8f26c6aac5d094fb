/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * explain.c - does what was counted account for the time?
 *
 * A difference in time between page sizes is explained by the layout if the
 * misses counted could cost that much and point the same way.  What they could
 * cost at most: the latencies below, on the generous side for machines from
 * 2010 to today, and the arithmetic of indexing by 56 instead of 64.
 * A difference between updates is explained if the operation makes updates.
 */
#include <math.h>

#include "correlate/evidence.h"

#define L2_NS 5.0	 /* an L1 miss that L2 serves */
#define L3_NS 20.0	 /* more, for one that the last level serves */
#define MEMORY_NS 150.0	 /* more, for one that memory serves */
#define ARITHMETIC_NS 2.0 /* lea, sub, lea or a multiplication for a shift */
#define UPDATE_NS 30.0	 /* cmpxchg16b against lock, change, unlock */

const char *lac_explanation_name(enum lac_explanation e)
{
	static const char *const names[] = {
		[LAC_NOTHING_TO_EXPLAIN] = "nothing to explain",
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
	return e->l1.effect.size * L2_NS + e->l2.effect.size * L3_NS +
	       e->llc.effect.size * MEMORY_NS;
}

static bool layout_explains(const struct lac_evidence *e)
{
	double cost = misses_ns(e);

	/* the arithmetic only ever makes packing slower */
	if (e->size_ns > 0)
		return e->size_ns <= fmax(cost, 0) + ARITHMETIC_NS;
	return cost < 0 && e->size_ns >= cost;
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

static double percent(double fraction)
{
	return 100 * fraction;
}

/* What packing does to the page array, as far as counting goes. */
static const char *layout_part(const struct lac_evidence *e,
			       struct lac_arena *arena)
{
	double page = e->page_l1.x[LAC_ALIGNED_CAS];

	if (page < 0.001)
		return lac_arena_printf(
			arena,
			"The page array is hardly missed (%.4f L1 misses an "
			"operation or less, in all variants): its size cannot "
			"matter here.",
			fmax(fmax(page, e->page_l1.x[LAC_ALIGNED_LOCK]),
			     fmax(e->page_l1.x[LAC_PACKED_LOCK],
				  e->page_l1.x[LAC_PACKED_CAS])));
	return lac_arena_printf(
		arena,
		"Packing touches %+.1f %% lines of the page array%s and "
		"misses it %+.1f %% in L1: %+.4f misses an operation, %+.2f "
		"%% of all.",
		percent(e->lines.size_share),
		e->predicted ? lac_arena_printf(
				       arena, " (the layout says %+.1f %%)",
				       percent(e->lines_predicted.size_share)) :
			       "",
		percent(e->page_l1.size_share), e->page_l1.effect.size,
		percent(e->page_l1.effect.size /
			((e->l1.x[0] + e->l1.x[1]) / 2)));
}

static const char *ratio_text(const struct lac_comparison *c,
			      struct lac_arena *arena)
{
	const struct lac_interval *r = &c->ratio[LAC_CPU_MEDIAN];

	return lac_arena_printf(arena, "%.3f [%.3f, %.3f]", r->value, r->low,
				r->high);
}

static const char *time_part(const struct lac_evidence *e,
			     struct lac_arena *arena)
{
	const struct lac_times *t = &e->cell->times;
	const char *size = ratio_text(&t->size, arena);
	const char *update = ratio_text(&t->update, arena);

	if (!size || !update)
		return NULL;
	switch (e->explanation) {
	case LAC_NOT_TIMED:
		return "Not timed.";
	case LAC_NOTHING_TO_EXPLAIN:
		return lac_arena_printf(arena,
					"No difference in time is resolved: "
					"packing %s, the lock %s.",
					size, update);
	case LAC_BY_LAYOUT:
		return lac_arena_printf(
			arena,
			"Packing is %s, %s: explained by the layout, whose "
			"misses may cost up to %+.1f ns.",
			lac_resolution_name(t->size.verdict), size,
			misses_ns(e));
	case LAC_BY_UPDATE:
		return lac_arena_printf(
			arena,
			"The lock is %s, %s: explained by the update, which "
			"%.2f times an operation is made.",
			lac_resolution_name(t->update.verdict), update,
			e->updates);
	case LAC_BY_BOTH:
		return lac_arena_printf(
			arena,
			"Packing is %s, %s, and the lock is %s, %s: explained "
			"by both.",
			lac_resolution_name(t->size.verdict), size,
			lac_resolution_name(t->update.verdict), update);
	default:
		return lac_arena_printf(
			arena,
			"Packing %s (%s), the lock %s (%s): not explained; "
			"the misses may cost %+.1f ns and the updates %.1f ns, "
			"the times differ by %+.1f and %+.1f ns.",
			size, lac_resolution_name(t->size.verdict), update,
			lac_resolution_name(t->update.verdict), misses_ns(e),
			e->update_bound_ns, e->size_ns, e->update_ns);
	}
}

enum lac_status lac_explain(struct lac_evidence *e, struct lac_arena *arena,
			    struct lac_err *err)
{
	const char *layout, *time;

	e->layout_bound_ns = misses_ns(e);
	e->update_bound_ns = isnan(e->updates) ? 0 : e->updates * UPDATE_NS;
	e->explanation = decide(e);
	layout = layout_part(e, arena);
	time = time_part(e, arena);
	e->sentence = layout && time ? lac_arena_printf(arena, "%s %s", time,
							layout) :
				       NULL;
	return e->sentence ? LAC_OK : lac_fail_memory(err);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_baseline.c - a type against what was recorded of it.  A baseline is a
 * ratchet: what costs may not grow, and what shrinks is worth recording anew.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diff/check.h"

/* What each condition looks at, as bits by enum lac_figure_id. */
#define BIT(f) (1u << LAC_FIGURE_##f)
#define HOLES (BIT(HOLES) | BIT(HOLE_BITS))
#define GROWTH (BIT(SIZE) | BIT(LINES))
#define WORSE (GROWTH | HOLES | BIT(STRADDLERS))
#define ALL ((1u << LAC_FIGURES) - 1)

enum which { GROWN, ANY };

/* NULL: out of memory */
static const char *figure_text(struct run *r, uint64_t v)
{
	return v == LAC_FIGURE_UNKNOWN
		       ? "unknown"
		       : lac_arena_printf(r->scratch, "%" PRIu64, v);
}

/* It was told, and is no longer. */
static bool lost(uint64_t was, uint64_t is)
{
	return was != LAC_FIGURE_UNKNOWN && is == LAC_FIGURE_UNKNOWN;
}

/*
 * "hole_bits 0 -> 64, size 56 -> 64"; NULL: out of memory.  *broken: a figure
 * that is told says so, whatever those say that are not.
 */
static const char *changes_text(struct run *r, const uint64_t *was,
				const uint64_t *is, unsigned look,
				enum which which, bool *broken)
{
	const char *text = "", *old, *new;

	for (int i = 0; i < LAC_FIGURES && text; i++) {
		const char *name = lac_figure_name((enum lac_figure_id)i);
		bool told = was[i] != LAC_FIGURE_UNKNOWN &&
			    is[i] != LAC_FIGURE_UNKNOWN;

		if (!(look >> i & 1) || was[i] == is[i] ||
		    (told && which == GROWN && is[i] < was[i]))
			continue;
		*broken |= told;
		old = figure_text(r, was[i]);
		new = figure_text(r, is[i]);
		text = old && new ? lac_arena_printf(r->scratch,
						     "%s%s%s %s -> %s", text,
						     *text ? ", " : "", name,
						     old, new)
				  : NULL;
	}
	return text;
}

static unsigned looked_at(enum lac_metric m, bool recorded)
{
	if (m == LAC_METRIC_NO_NEW_HOLES)
		return HOLES; /* also of what was not there */
	if (!recorded)
		return 0;
	return m == LAC_METRIC_NO_GROWTH  ? GROWTH
	       : m == LAC_METRIC_NO_WORSE ? WORSE
					  : ALL;
}

static bool rose(const uint64_t *was, const uint64_t *is, unsigned look)
{
	for (int i = 0; i < LAC_FIGURES; i++)
		if (look >> i & 1 && was[i] != LAC_FIGURE_UNKNOWN &&
		    is[i] != LAC_FIGURE_UNKNOWN && is[i] > was[i])
			return true;
	return false;
}

/* Of the finding that was added last. */
static void set_kind(struct run *r, enum lac_finding_kind kind)
{
	r->c->findings[r->c->nfindings - 1].kind = kind;
}

enum lac_status lac_check_against(struct run *r, const struct lac_condition *c,
				  const char *file,
				  const struct lac_labelled *t,
				  const struct lac_baseline_entry *e)
{
	static const uint64_t none[LAC_FIGURES];
	enum lac_finding_status st = LAC_FINDING_HOLDS;
	const uint64_t *was = e ? e->figures : none;
	unsigned look = looked_at(c->metric, e != NULL);
	bool broken = false, other = false;
	uint64_t is[LAC_FIGURES];
	const char *text;

	lac_figures_of(t, is);
	text = changes_text(r, was, is, look,
			    c->metric == LAC_METRIC_NO_CHANGE ? ANY : GROWN,
			    &broken);
	if (!text)
		return lac_fail_memory(r->err);
	if (*text) {
		st = broken ? LAC_FINDING_BROKEN : LAC_FINDING_UNDECIDED;
	} else if (c->metric == LAC_METRIC_NO_NEW_HOLES &&
		   t->through.unknown_bits) {
		st = LAC_FINDING_UNDECIDED;
		text = "unknown: a member's size is not told";
	} else if (c->metric == LAC_METRIC_NO_WORSE && e) {
		text = changes_text(r, was, is, ALL, ANY, &other);
		if (text && *text)
			st = LAC_FINDING_BETTER;
		/* what is not told any more may be worse than it was */
		for (int i = 0; i < LAC_FIGURES; i++)
			if (lost(was[i], is[i]))
				st = LAC_FINDING_UNDECIDED;
	}
	if (!e && st == LAC_FINDING_BROKEN)
		text = lac_arena_printf(r->scratch,
					"%s (not in the baseline)", text);
	LAC_TRY(lac_check_add(r, c, file, t->label, &t->shape, st, text));
	if (st == LAC_FINDING_BROKEN)
		set_kind(r, rose(was, is, look & GROWTH) ? LAC_KIND_GREW
			    : rose(was, is, look & HOLES)
				    ? LAC_KIND_HOLES
				    : LAC_KIND_OTHER);
	return LAC_OK;
}

static const struct lac_labelled *labelled(const struct run *r,
					   const char *label)
{
	for (uint32_t i = 0; i < r->ntypes; i++)
		if (!strcmp(r->types[i].label, label))
			return &r->types[i];
	return NULL;
}

static int label_order(const void *key, const void *entry)
{
	return strcmp(key, ((const struct lac_labelled *)entry)->label);
}

enum lac_status lac_check_baseline(struct run *r)
{
	const struct lac_baseline *b = r->o->baseline;

	for (uint32_t i = 0; i < b->n; i++) {
		const struct lac_baseline_entry *e = &b->entries[i];
		struct lac_condition c = {
			.line = e->line,
			.column = 1,
			.metric = r->o->exact ? LAC_METRIC_NO_CHANGE
					      : LAC_METRIC_NO_WORSE,
			.text = r->o->exact ? "no change" : "no worse"};
		const struct lac_labelled *t =
			r->ntypes ? bsearch(e->label, r->types, r->ntypes,
					    sizeof(*t), label_order)
				  : NULL;

		/* "#10" sorts before "#2", so a number may be missed */
		t = t ? t : labelled(r, e->label);
		if (t) {
			LAC_TRY(lac_check_against(r, &c, b->path, t, e));
			continue;
		}
		LAC_TRY(lac_check_add(r, &c, b->path, e->label, NULL,
				      LAC_FINDING_NO_MATCH,
				      "nothing: it is gone"));
		set_kind(r, LAC_KIND_GONE);
	}
	return LAC_OK;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_figure.c - each figure as the interval that the input allows.  A
 * condition holds or is broken if it does so all over the interval; otherwise
 * it cannot be decided, which is a finding, too.
 */
#include <inttypes.h>

#include "diff/check.h"

struct range lac_check_exactly(uint64_t v)
{
	return (struct range){v, v};
}

struct range lac_check_size(uint64_t v)
{
	return v == LAC_SIZE_UNKNOWN ? (struct range){0, UINT64_MAX}
				     : lac_check_exactly(v);
}

/* What its members ask for at least; the size is a multiple of it. */
static struct range align_range(const struct run *r,
				const struct lac_labelled *t)
{
	enum lac_certainty source;
	struct range a = {1, UINT32_MAX};

	if (t->record == LAC_NONE)
		return a;
	if (t->shape.align)
		return lac_check_exactly(t->shape.align);
	a.low = lac_type_align(r->g, r->g->records[t->record].type, &source);
	a.low = a.low ? a.low : 1;
	if (t->shape.size && t->shape.size != LAC_SIZE_UNKNOWN)
		a.high = t->shape.size & -t->shape.size;
	if (a.low > a.high)
		a.low = 1;
	return a;
}

/* Bits that may or may not be free make counts of holes a lower bound. */
static struct range at_least(const struct lac_labelled *t, uint64_t v)
{
	return (struct range){v, t->through.unknown_bits ||
						 t->shape.size ==
							 LAC_SIZE_UNKNOWN
					 ? UINT64_MAX
					 : v};
}

struct range lac_check_figure(const struct run *r, const struct lac_labelled *t,
			      enum lac_metric metric)
{
	const struct lac_through *h = &t->through;
	uint64_t f[LAC_FIGURES];

	lac_figures_of(t, f);
	switch (metric) {
	case LAC_METRIC_SIZE:
		return lac_check_size(t->shape.size);
	case LAC_METRIC_ALIGN:
		return align_range(r, t);
	case LAC_METRIC_LINES:
		return lac_check_size(f[LAC_FIGURE_LINES]);
	case LAC_METRIC_HOLES:
		return at_least(t, h->nholes);
	case LAC_METRIC_HOLE_BYTES:
		return at_least(t, (h->hole_bits + 7) / 8);
	case LAC_METRIC_NESTED_HOLE_BYTES:
		return at_least(t, h->named_hole_bits / 8 +
					   (h->named_hole_bits % 8 != 0));
	case LAC_METRIC_PADDING:
		return at_least(t, (h->padding_bits + 7) / 8);
	case LAC_METRIC_STRADDLERS:
		return at_least(t, h->nstraddlers);
	default:
		return lac_check_exactly(f[LAC_FIGURE_MEMBERS]);
	}
}

enum lac_finding_status lac_check_decide(struct range v, enum lac_compare c,
					 uint64_t w)
{
	bool all, none;

	switch (c) {
	case LAC_EQ:
		all = v.low == w && v.high == w;
		none = w < v.low || w > v.high;
		break;
	case LAC_NE:
		all = w < v.low || w > v.high;
		none = v.low == w && v.high == w;
		break;
	case LAC_LT:
		all = v.high < w;
		none = v.low >= w;
		break;
	case LAC_LE:
		all = v.high <= w;
		none = v.low > w;
		break;
	case LAC_GT:
		all = v.low > w;
		none = v.high <= w;
		break;
	default:
		all = v.low >= w;
		none = v.high < w;
	}
	return all    ? LAC_FINDING_HOLDS
	       : none ? LAC_FINDING_BROKEN
		      : LAC_FINDING_UNDECIDED;
}

const char *lac_check_range_text(struct run *r, struct range v)
{
	if (v.low == v.high)
		return lac_arena_printf(r->scratch, "%" PRIu64, v.low);
	if (v.high >= UINT32_MAX)
		return v.low > 1 ? lac_arena_printf(r->scratch,
						    "unknown, at least "
						    "%" PRIu64, v.low)
				 : "unknown";
	return lac_arena_printf(r->scratch,
				"unknown, from %" PRIu64 " to %" PRIu64,
				v.low, v.high);
}

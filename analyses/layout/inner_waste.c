/* SPDX-License-Identifier: BSD-2-Clause */
/* inner_waste.c - what the type of a member leaves unused. */
#include "layout/internal.h"

/* The padding of [[no_unique_address]] may be in use. */
static bool is_used(const struct lac_record *r, uint32_t i)
{
	uint64_t end = r->members[i].bit_offset + r->members[i].bit_size;

	if (r->kind == LAC_UNION || i + 1 >= r->nmembers)
		return false;
	return r->members[i + 1].certainty != LAC_DYNAMIC &&
	       r->members[i + 1].bit_offset < end;
}

/*
 * Of a virtual base: in which object it is, and where, is told at run time, so
 * that nothing in it is counted as this record's.
 */
static bool is_unknown(const struct lac_graph *g, const struct lac_member *m,
		       lac_record_id inner)
{
	return m->certainty == LAC_DYNAMIC || m->bit_size == LAC_SIZE_UNKNOWN ||
	       g->records[inner].damage ||
	       g->records[inner].size == LAC_SIZE_UNKNOWN;
}

enum lac_status lac_member_end_padding(const struct lac_graph *g,
				       const struct lac_record *r, uint32_t i,
				       struct lac_rules *rules,
				       struct lac_arena *arena, uint64_t *ret,
				       struct lac_err *err)
{
	const struct lac_layout_options o = { .rules = rules,
					      .figures_only = true };
	const struct lac_member *m = &r->members[i];
	uint64_t count;
	lac_record_id inner = lac_type_record(g, m->type, &count);
	struct lac_layout l;
	struct lac_through t;

	*ret = inner == LAC_NONE ? 0 : LAC_SIZE_UNKNOWN;
	if (inner == LAC_NONE || is_unknown(g, m, inner))
		return LAC_OK;
	if (is_used(r, i)) {
		*ret = 0;
		return LAC_OK;
	}
	LAC_TRY(lac_layout_compute(g, inner, &o, arena, &l, err));
	LAC_TRY(lac_through_compute(&l, rules, arena, &t, err));
	*ret = lac_padding_left(m, g->records[inner].size, t.padding_bits);
	return LAC_OK;
}

uint64_t lac_member_inner_holes(const struct lac_graph *g,
				const struct lac_member *m,
				struct lac_rules *rules)
{
	const struct lac_record_facts *f;
	uint64_t count, holes;
	lac_record_id inner = lac_type_record(g, m->type, &count);

	if (inner == LAC_NONE || !m->bit_size)
		return 0;
	if (is_unknown(g, m, inner))
		return LAC_SIZE_UNKNOWN;
	f = lac_rules_facts(rules, inner);
	if (__builtin_add_overflow(f->hole_bits, f->nested_hole_bits, &holes) ||
	    __builtin_mul_overflow(holes, count, &holes))
		return LAC_SIZE_UNKNOWN;
	return holes;
}

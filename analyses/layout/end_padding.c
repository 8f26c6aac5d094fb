/* SPDX-License-Identifier: BSD-2-Clause */
/* end_padding.c - what the type of a member leaves unused at its end. */
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

	if (inner == LAC_NONE || m->certainty == LAC_DYNAMIC ||
	    m->bit_size == LAC_SIZE_UNKNOWN ||
	    is_used(r, i)) {
		*ret = 0;
		return LAC_OK;
	}
	if (g->records[inner].damage ||
	    g->records[inner].size == LAC_SIZE_UNKNOWN) {
		*ret = LAC_SIZE_UNKNOWN;
		return LAC_OK;
	}
	LAC_TRY(lac_layout_compute(g, inner, &o, arena, &l, err));
	LAC_TRY(lac_through_compute(&l, rules, arena, &t, err));
	*ret = lac_padding_left(m, g->records[inner].size, t.padding_bits);
	return LAC_OK;
}

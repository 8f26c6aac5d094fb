/* SPDX-License-Identifier: BSD-2-Clause */
/* members.c - how many bits the members of a record cover. */
#include "dbginfo/members.h"

/* A class without data; it has a size of 1 so that objects differ. */
static bool is_empty_class(const struct lac_graph *g, lac_type_id id, int depth)
{
	const struct lac_type *t = &g->types[lac_type_strip(g, id)];
	const struct lac_record *r;

	if (t->kind != LAC_TYPE_RECORD || t->record == LAC_NONE || depth > 64)
		return false;
	r = &g->records[t->record];
	if (r->kind != LAC_STRUCT && r->kind != LAC_CLASS)
		return false;
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];

		if (m->role != LAC_MEMBER_BASE ||
		    !is_empty_class(g, m->type, depth + 1))
			return false;
	}
	return true;
}

static uint64_t whole_bits(const struct lac_graph *g, lac_type_id id)
{
	uint64_t bytes = lac_type_size(g, id), bits;

	if (bytes == LAC_SIZE_UNKNOWN ||
	    __builtin_mul_overflow(bytes, (uint64_t)8, &bits))
		return LAC_SIZE_UNKNOWN;
	return bits;
}

static bool is_record_type(const struct lac_graph *g, lac_type_id id)
{
	return g->types[lac_type_strip(g, id)].kind == LAC_TYPE_RECORD;
}

/*
 * Where a later member starts inside a base or a [[no_unique_address]] member,
 * it reuses tail padding: what is in front of it is the data size.
 */
static void bound_by_next(const struct lac_graph *g, const struct lac_record *r,
			  uint32_t i, struct lac_member *m)
{
	if (m->bit_size == LAC_SIZE_UNKNOWN || m->bit_size == 0 ||
	    (m->role != LAC_MEMBER_BASE && m->role != LAC_MEMBER_PLAIN))
		return;
	/* it stands alone, as most do: members are in order */
	if (m->role == LAC_MEMBER_PLAIN &&
	    (i == 0 || m[-1].bit_offset != m->bit_offset) &&
	    (i + 1 == r->nmembers ||
	     (m[1].bit_offset >= m->bit_offset &&
	      m[1].bit_offset - m->bit_offset >= m->bit_size)))
		return;
	if (!is_record_type(g, m->type))
		return;
	if (is_empty_class(g, m->type, 0)) {
		bool shares = m->role == LAC_MEMBER_BASE;

		/* with a base it may well: that one covers nothing */
		for (uint32_t k = 0; k < r->nmembers && !shares; k++)
			shares = k != i &&
				 r->members[k].certainty != LAC_DYNAMIC &&
				 r->members[k].bit_offset == m->bit_offset &&
				 (r->members[k].role != LAC_MEMBER_BASE ||
				  !is_empty_class(g, r->members[k].type, 0));
		if (shares)
			m->bit_size = 0;
		return;
	}
	for (uint32_t k = i + 1; k < r->nmembers; k++) {
		const struct lac_member *next = &r->members[k];

		if (next->certainty == LAC_DYNAMIC)
			break;
		if (next->bit_offset == m->bit_offset)
			continue;
		if (next->bit_offset - m->bit_offset < m->bit_size)
			m->bit_size = next->bit_offset - m->bit_offset;
		break;
	}
}

static void past_end(const struct lac_graph *g, struct lac_record *r,
		     const struct lac_member *m)
{
	r->damage = lac_arena_printf(g->arena,
				     "member %s lies behind its end: at bit "
				     "%llu of %llu bytes",
				     m->name ? m->name : "(anonymous)",
				     (unsigned long long)m->bit_offset,
				     (unsigned long long)r->size);
	if (!r->damage)
		r->damage = "a member lies behind its end";
}

/*
 * Nothing may lie behind the end, which is at that many bits: what the input
 * claims there is not known.
 */
static void bound_by_record(const struct lac_graph *g, struct lac_record *r,
			    uint64_t bits, struct lac_member *m)
{
	if (m->certainty == LAC_DYNAMIC)
		return;
	if (m->bit_offset > bits) {
		past_end(g, r, m);
		m->bit_offset = bits;
		m->bit_size = 0;
		m->certainty = LAC_UNKNOWN;
	} else if (m->bit_size != LAC_SIZE_UNKNOWN &&
		   m->bit_size > bits - m->bit_offset) {
		m->bit_size = bits - m->bit_offset;
		m->certainty = LAC_UNKNOWN;
	}
}

/*
 * What most records are: of every member the size is known, it begins where the
 * ones before have ended or later, unless in a union, and ends within the
 * record.  False for another, which is left to be completed.
 */
static bool complete_plainly(const struct lac_graph *g,
			     const struct lac_record *r,
			     struct lac_member *members, uint64_t bits)
{
	uint64_t end = 0;

	for (uint32_t i = 0; i < r->nmembers; i++) {
		struct lac_member *m = &members[i];

		if (m->bit_size == LAC_SIZE_UNKNOWN)
			m->bit_size = whole_bits(g, m->type);
		if ((m->role != LAC_MEMBER_PLAIN &&
		     m->role != LAC_MEMBER_BITFIELD) ||
		    m->certainty == LAC_DYNAMIC || m->bit_offset < end ||
		    (i && m->bit_offset == m[-1].bit_offset &&
		     r->kind != LAC_UNION) || m->bit_offset > bits || m->bit_size > bits - m->bit_offset)
			return false;
		if (r->kind != LAC_UNION)
			end = m->bit_offset + m->bit_size;
	}
	return true;
}

void lac_members_complete(const struct lac_graph *g, struct lac_record *r)
{
	struct lac_member *members = (struct lac_member *)(uintptr_t)r->members;
	bool bounded, sorted = true;
	uint64_t bits;

	bounded = !__builtin_mul_overflow(r->size, (uint64_t)8, &bits);
	if (bounded && complete_plainly(g, r, members, bits))
		return;
	for (uint32_t i = 0; i < r->nmembers; i++) {
		struct lac_member *m = &members[i];

		if (m->bit_size == LAC_SIZE_UNKNOWN)
			m->bit_size = whole_bits(g, m->type);
		if (m->bit_size == LAC_SIZE_UNKNOWN &&
		    m->certainty == LAC_KNOWN)
			m->certainty = LAC_UNKNOWN;
	}
	for (uint32_t i = 0; i < r->nmembers; i++) {
		if (r->kind != LAC_UNION)
			bound_by_next(g, r, i, &members[i]);
		if (bounded)
			bound_by_record(g, r, bits, &members[i]);
		sorted &= !i ||
			  members[i - 1].bit_offset <= members[i].bit_offset;
	}
	/* a claim behind the end was put at the end: order them again */
	for (uint32_t i = 1; i < r->nmembers && !sorted; i++)
		for (uint32_t k = i; k && members[k].certainty != LAC_DYNAMIC &&
				     members[k - 1].certainty != LAC_DYNAMIC &&
				     members[k - 1].bit_offset >
					     members[k].bit_offset; k--) {
			struct lac_member m = members[k];

			members[k] = members[k - 1];
			members[k - 1] = m;
		}
}

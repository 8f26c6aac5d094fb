/* SPDX-License-Identifier: BSD-2-Clause */
/* spans.c - a record's bits, painted by its members from left to right. */
#include "layout/internal.h"

struct painter {
	const struct lac_record *r;
	bool dynamic;
	struct lac_bits tag;
	uint64_t size_bits;
	uint64_t last_end; /* where the last member ends, in bits */
	/* the next group of members of unknown size, all at one offset */
	uint32_t unknown, unknown_end;
	uint32_t next; /* the first member that starts further right */
	struct lac_span *spans;
	struct lac_span_totals *t;
};

static void put(struct painter *p, enum lac_span_kind kind, uint32_t member,
		uint64_t from, uint64_t to)
{
	if (to <= from)
		return;
	if (p->spans)
		p->spans[p->t->nspans] = (struct lac_span){
			.kind = kind,
			.member = member,
			.bit_offset = from,
			.bit_size = to - from,
		};
	p->t->nspans++;
	switch (kind) {
	case LAC_SPAN_MEMBER:
		p->t->member_bits += to - from;
		break;
	case LAC_SPAN_HOLE:
		p->t->nholes++;
		p->t->hole_bits += to - from;
		break;
	case LAC_SPAN_PADDING:
		p->t->padding_bits += to - from;
		break;
	case LAC_SPAN_UNKNOWN:
		p->t->unknown_bits += to - from;
		break;
	}
}

static bool is_placed(const struct lac_member *m)
{
	return m->certainty != LAC_DYNAMIC;
}

/* Bits that no member with a known size covers, free or not. */
static void put_free_bits(struct painter *p, uint64_t from, uint64_t to)
{
	if (p->dynamic) {
		put(p, LAC_SPAN_UNKNOWN, LAC_NONE, from, to);
		return;
	}
	if (from < p->last_end)
		put(p, LAC_SPAN_HOLE, LAC_NONE, from,
		    to < p->last_end ? to : p->last_end);
	put(p, LAC_SPAN_PADDING, LAC_NONE,
	    from > p->last_end ? from : p->last_end, to);
}

/* The same, but for the tag. */
static void put_free(struct painter *p, uint64_t from, uint64_t to)
{
	uint64_t tag = p->tag.from > from ? p->tag.from : from;
	uint64_t end = p->tag.to < to ? p->tag.to : to;

	if (tag >= end) {
		put_free_bits(p, from, to);
		return;
	}
	put_free_bits(p, from, tag);
	put(p, LAC_SPAN_MEMBER, LAC_NONE, tag, end);
	put_free_bits(p, end, to);
}

/* Find the next group of unknown members at or after index i. */
static void next_unknown(struct painter *p, uint32_t i)
{
	const struct lac_record *r = p->r;

	while (i < r->nmembers && (!is_placed(&r->members[i]) ||
				   r->members[i].bit_size != LAC_SIZE_UNKNOWN))
		i++;
	p->unknown = i;
	while (i < r->nmembers && is_placed(&r->members[i]) &&
	       r->members[i].bit_offset == r->members[p->unknown].bit_offset)
		i++;
	p->unknown_end = i;
}

/* What a member of unknown size may cover reaches to the next member. */
static uint64_t unknown_reach(const struct painter *p)
{
	const struct lac_record *r = p->r;

	if (p->unknown_end < r->nmembers &&
	    is_placed(&r->members[p->unknown_end]))
		return r->members[p->unknown_end].bit_offset;
	return p->size_bits;
}

static void gap(struct painter *p, uint64_t from, uint64_t to)
{
	while (from < to && p->unknown < p->r->nmembers) {
		uint64_t start = p->r->members[p->unknown].bit_offset;
		uint64_t end = unknown_reach(p);

		if (start >= to)
			break;
		if (start > from) {
			put_free(p, from, start);
			from = start;
		}
		if (end > from) {
			uint64_t stop = end < to ? end : to;

			put(p, LAC_SPAN_UNKNOWN, p->unknown, from, stop);
			from = stop;
		}
		if (end > to)
			return;
		next_unknown(p, p->unknown_end);
	}
	if (from < to)
		put_free(p, from, to);
}

/*
 * Where member i stops covering.  A base, or a member of a class type, covers
 * its data and not its own padding, which the next member may use (Itanium C++
 * ABI 2.4): the next one bounds it.
 */
static uint64_t covered_end(struct painter *p, uint32_t i)
{
	const struct lac_record *r = p->r;
	const struct lac_member *m = &r->members[i];
	uint64_t end = m->bit_offset + m->bit_size;

	if (r->kind == LAC_UNION || m->role == LAC_MEMBER_VARIANT ||
	    m->role == LAC_MEMBER_DISCRIMINANT ||
	    m->role == LAC_MEMBER_BITFIELD)
		return end;
	/* p->next only grows: what was too near for i is so for i + 1 */
	if (p->next <= i)
		p->next = i + 1;
	while (p->next < r->nmembers && is_placed(&r->members[p->next]) &&
	       (r->members[p->next].bit_offset == m->bit_offset ||
		r->members[p->next].bit_size == 0))
		p->next++;
	if (p->next < r->nmembers) {
		const struct lac_member *next = &r->members[p->next];

		if (is_placed(next) && next->bit_offset < end &&
		    next->role != LAC_MEMBER_VARIANT &&
		    next->role != LAC_MEMBER_DISCRIMINANT)
			end = next->bit_offset;
	}
	return end;
}

/*
 * What most records are: every member has a place and a size, and begins where
 * the one before has ended, or all are of a union.  False for another.
 */
static bool total_plainly(const struct lac_record *r,
			  struct lac_span_totals *totals)
{
	uint64_t size = r->size * 8, cursor = 0, last = 0;
	struct lac_span_totals t = { 0 };

	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		uint64_t end = m->bit_offset + m->bit_size;

		if (m->certainty == LAC_DYNAMIC ||
		    m->bit_size == LAC_SIZE_UNKNOWN ||
		    (m->bit_offset < cursor && r->kind != LAC_UNION))
			return false;
		if (end > last)
			last = end;
		if (m->bit_size && m->bit_offset > cursor) {
			t.nholes++;
			t.hole_bits += m->bit_offset - cursor;
			cursor = m->bit_offset;
		}
		if (m->bit_size && end > cursor) {
			t.member_bits += end - cursor;
			cursor = end;
		}
	}
	if (last > size)
		return false;
	if (cursor < last) { /* in front of one that covers nothing */
		t.nholes++;
		t.hole_bits += last - cursor;
	}
	t.padding_bits = size - last;
	*totals = t;
	return true;
}

void lac_spans_total(const struct lac_record *r, bool dynamic,
		     struct lac_bits tag, struct lac_span_totals *totals)
{
	if (dynamic || tag.to || !total_plainly(r, totals))
		lac_spans_paint(r, dynamic, tag, NULL, totals);
}

void lac_spans_paint(const struct lac_record *r, bool dynamic,
		     struct lac_bits tag,
		     struct lac_span *spans, struct lac_span_totals *totals)
{
	struct painter p = {
		.r = r,
		.dynamic = dynamic,
		.tag = tag,
		.last_end = tag.to,
		.size_bits = r->size * 8,
		.spans = spans,
		.t = totals,
	};
	uint64_t cursor = 0;

	*totals = (struct lac_span_totals){ 0 };
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		uint64_t end = m->bit_offset;

		if (!is_placed(m))
			continue;
		if (m->bit_size != LAC_SIZE_UNKNOWN)
			end = covered_end(&p, i);
		if (end > p.last_end)
			p.last_end = end;
	}
	p.next = 0;
	next_unknown(&p, 0);
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		uint64_t end;

		if (!is_placed(m) || m->bit_size == 0 ||
		    m->bit_size == LAC_SIZE_UNKNOWN)
			continue;
		if (m->bit_offset > cursor) {
			gap(&p, cursor, m->bit_offset);
			cursor = m->bit_offset;
		}
		end = covered_end(&p, i);
		if (end > cursor) {
			put(&p, LAC_SPAN_MEMBER, i, cursor, end);
			cursor = end;
		}
	}
	gap(&p, cursor, p.size_bits);
}

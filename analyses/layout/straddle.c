/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * straddle.c - which members cross a cache-line border, and the line map.
 *
 * What is read or written at once must not lie in two lines, and of an array
 * that is an element: char name[40] across a border costs nothing.
 */
#include "layout/array.h"
#include "layout/internal.h"

/* Elements of a member that is an array, all dimensions; 0 if it is none. */
static uint64_t array_elements(const struct lac_graph *g, lac_type_id id,
			       uint64_t *element_size)
{
	uint64_t n = 1;
	bool is_array = false;

	for (;;) {
		const struct lac_type *t;

		id = lac_type_strip(g, id);
		t = &g->types[id];
		if (t->kind != LAC_TYPE_ARRAY)
			break;
		is_array = true;
		if (__builtin_mul_overflow(n, t->array.count, &n))
			return 0;
		id = t->target;
	}
	*element_size = lac_type_size(g, id);
	return is_array && *element_size != LAC_SIZE_UNKNOWN ? n : 0;
}

static bool crosses(const struct lac_member *m, uint64_t line_bits,
		    uint64_t phase_bits)
{
	/* a line is a power of two */
	uint64_t from = (m->bit_offset + phase_bits) & (line_bits - 1);

	return m->bit_size > line_bits || from + m->bit_size > line_bits;
}

static bool can_cross(const struct lac_member *m)
{
	return m->certainty != LAC_DYNAMIC && m->bit_size != 0 &&
	       m->bit_size != LAC_SIZE_UNKNOWN;
}

static struct lac_straddler straddler_of(const struct lac_graph *g,
					 const struct lac_member *m,
					 uint32_t index, uint32_t line_size,
					 uint64_t first_byte)
{
	uint64_t size = 0;
	uint64_t n = m->role == LAC_MEMBER_BITFIELD
			     ? 0
			     : array_elements(g, m->type, &size);
	struct lac_straddler ret = {
		.member = index,
		.bit_offset = m->bit_offset,
		.bit_size = m->bit_size,
		.elements = 1,
	};

	if (n)
		ret.elements = lac_array_straddlers(
			first_byte + m->bit_offset / 8, size, n, line_size,
			&ret.first_element);
	return ret;
}

uint64_t lac_member_crossings(const struct lac_graph *g,
			      const struct lac_member *m, uint32_t line_size)
{
	if (!can_cross(m) || !crosses(m, (uint64_t)line_size * 8, 0))
		return 0;
	return straddler_of(g, m, 0, line_size, 0).elements;
}

uint32_t lac_straddlers_find(const struct lac_graph *g,
			     const struct lac_record *r, uint32_t line_size,
			     uint64_t first_byte, struct lac_straddler *ret)
{
	uint64_t line_bits = (uint64_t)line_size * 8;
	uint64_t phase = first_byte % line_size;
	uint32_t n = 0;

	if (r->size <= line_size - phase) /* it is all in one line */
		return 0;
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		struct lac_straddler s;

		if (!can_cross(m) || !crosses(m, line_bits, phase * 8))
			continue;
		s = straddler_of(g, m, i, line_size, phase);
		if (!s.elements)
			continue;
		if (ret)
			ret[n] = s;
		n++;
	}
	return n;
}

bool lac_piece_next(const struct lac_layout *l, struct lac_piece_cursor *c,
		    struct lac_piece *ret)
{
	uint64_t line_bits = (uint64_t)l->line_size * 8;
	const struct lac_span *s;
	uint64_t at, phase, rest, room;

	if (c->span >= l->map.nspans)
		return false;
	s = &l->map.spans[c->span];
	at = s->bit_offset + c->used_bits;
	phase = (at % line_bits + l->first_byte * 8) % line_bits;
	rest = s->bit_size - c->used_bits;
	room = line_bits - phase;
	*ret = (struct lac_piece){
		.line = at / line_bits +
			(at % line_bits + l->first_byte * 8) / line_bits,
		.kind = s->kind,
		.member = s->member,
		.bit_offset = at,
		.bit_size = rest < room ? rest : room,
	};
	c->used_bits += ret->bit_size;
	if (c->used_bits == s->bit_size) {
		c->span++;
		c->used_bits = 0;
	}
	return true;
}

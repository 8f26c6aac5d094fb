/* SPDX-License-Identifier: BSD-2-Clause */
/* units.c - the headers of units: DWARF 2 to 4, 7.5.1; DWARF 5, 7.5.1. */
#include "dbginfo/units.h"

#include <dwarf.h>
#include <stdlib.h>

#include "dbginfo/graph.h"

struct header {
	struct lac_cursor c;
	const struct lac_units_of *of;
	uint64_t at; /* of the header in the section */
	struct lac_dwarf_unit u;
	uint64_t type; /* of a type unit, from the header on */
	bool has_type;
	unsigned unknown; /* a type of unit that no standard has; or 0 */
};

static uint64_t take(struct header *h, unsigned n)
{
	return lac_take_uint(&h->c, n, h->of->big_endian);
}

static bool read_length(struct header *h)
{
	uint64_t length = take(h, 4), rest;

	h->u.offset_size = 4;
	if (length == 0xffffffff) {
		h->u.offset_size = 8;
		length = take(h, 8);
	} else if (length >= 0xfffffff0) {
		return false;
	}
	rest = (uint64_t)(h->c.end - h->c.p);
	if (h->c.bad || length > rest)
		return false;
	h->u.end = h->of->section.size - rest + length;
	h->c.end = h->c.p + length;
	return true;
}

/* Eight bytes that are compared and have no order. */
static void take_signature(struct header *h)
{
	const unsigned char *p = h->c.p;

	take(h, 8);
	if (!h->c.bad)
		memcpy(&h->u.signature, p, 8);
}

static void read_type(struct header *h)
{
	h->u.kind = LAC_UNIT_TYPE;
	take_signature(h);
	h->type = take(h, h->u.offset_size);
	h->has_type = true;
}

static bool read_kind(struct header *h, uint64_t type)
{
	switch (type) {
	case DW_UT_compile:
		return true;
	case DW_UT_partial:
		h->u.kind = LAC_UNIT_PARTIAL;
		return true;
	case DW_UT_skeleton:
	case DW_UT_split_compile:
		take_signature(h);
		return true;
	case DW_UT_type:
	case DW_UT_split_type:
		read_type(h);
		return true;
	default:
		h->unknown = (unsigned)type;
		return false;
	}
}

static bool read_header(struct header *h)
{
	uint64_t type = DW_UT_compile, space;

	if (!read_length(h))
		return false;
	h->u.version = (uint16_t)take(h, 2);
	if (h->u.version < 2 || h->u.version > 5)
		return false;
	if (h->u.version == 5) {
		type = take(h, 1);
		h->u.address_size = (uint8_t)take(h, 1);
	}
	h->u.abbrev_offset = take(h, h->u.offset_size);
	if (h->u.version < 5)
		h->u.address_size = (uint8_t)take(h, 1);
	h->u.kind = LAC_UNIT_COMPILE;
	if (h->of->types)
		read_type(h);
	else if (!read_kind(h, type))
		return false;
	if (h->c.bad || !h->u.address_size || h->u.address_size > 8)
		return false;
	space = h->of->space | (h->of->types ? LAC_DIE_TYPES : 0);
	h->u.offset = h->at;
	h->u.types = h->of->types;
	h->u.source = (uint32_t)(h->of->space >> 44);
	h->u.root = space | (uint64_t)(h->c.p - h->of->section.p);
	h->u.type = LAC_DIE_NONE;
	if (h->has_type) {
		if (h->type >= h->u.end - h->at)
			return false;
		h->u.type = space | (h->at + h->type);
	}
	return true;
}

/* Behind the last unit there is nothing, or padding. */
static bool is_padding(struct lac_bytes s, uint64_t at)
{
	for (; at < s.size; at++)
		if (s.p[at])
			return false;
	return true;
}

enum lac_status lac_units_add(struct lac_units *list,
			      const struct lac_dwarf_unit *u,
			      struct lac_err *err)
{
	if (list->n == list->cap) {
		size_t cap = list->cap ? 2 * list->cap : 64;
		void *p = reallocarray(list->v, cap, sizeof(*list->v));

		if (!p)
			return lac_fail_memory(err);
		list->v = p;
		list->cap = cap;
	}
	list->v[list->n++] = *u;
	return LAC_OK;
}

enum lac_status lac_units_read(const struct lac_units_of *of,
			       struct lac_units *list, struct lac_err *err)
{
	struct lac_bytes s = of->section;
	size_t first = list->n;
	uint64_t at = 0;

	while (s.p && at < s.size) {
		struct header h = { .of = of, .at = at };

		h.c = (struct lac_cursor){ s.p + at, s.p + s.size, false };
		if (!read_header(&h)) {
			if (is_padding(s, at))
				break;
			list->n = first;
			if (h.unknown)
				return lac_fail(err, LAC_BAD_INPUT,
						"the unit at 0x%llx is of type "
						"0x%x, which DWARF 5 does not "
						"have", (unsigned long long)at,
						h.unknown);
			return lac_fail(err, LAC_BAD_INPUT,
					"the header of the unit at 0x%llx: "
					"damaged debug info",
					(unsigned long long)at);
		}
		LAC_TRY(lac_units_add(list, &h.u, err));
		at = h.u.end;
	}
	return LAC_OK;
}

uint32_t lac_unit_of(const struct lac_dwarf_unit *units, size_t n,
		     lac_die_ref ref)
{
	size_t from = 0;

	/* the reader lists them in the order of references */
	while (n) {
		size_t half = n / 2;

		if (units[from + half].root <= ref) {
			from += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	if (!from)
		return LAC_NONE;
	if (LAC_DIE_OFFSET(ref) >= units[from - 1].end ||
	    LAC_DIE_SOURCE(ref) != units[from - 1].source ||
	    units[from - 1].types != !!(ref & LAC_DIE_TYPES))
		return LAC_NONE;
	return (uint32_t)from - 1;
}

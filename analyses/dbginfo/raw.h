/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw.h - the bytes of .debug_info, read without building anything.
 *
 * A kernel repeats the same headers in two thousand units.  To find out that
 * an entry has been seen, its bytes need only be hashed; what is new is then
 * expanded from its bytes (die_bytes.h).  Every read through a cursor is
 * checked against the end of the unit.
 */
#ifndef LAC_RAW_H
#define LAC_RAW_H

#include <string.h>

#include "dbginfo/die.h"

struct lac_bytes {
	const unsigned char *p;
	uint64_t size;
};

/* The sections of one input, inflated and relocated. */
struct lac_raw_sections {
	const struct lac_object *object;
	struct lac_bytes info, types, abbrev, str, line, line_str, str_offsets;
	bool big_endian;
	bool dwo; /* of split DWARF */
};

/* What an attribute means to a layout. */
enum lac_slot {
	SLOT_SKIP,
	SLOT_NAME,
	SLOT_TYPE,
	SLOT_SIGNATURE,
	SLOT_SPECIFICATION,
	SLOT_CONTAINING,
	SLOT_IMPORT,
	SLOT_DECLARATION,
	SLOT_EXTERNAL,
	SLOT_LANGUAGE,
	SLOT_STR_OFFSETS_BASE,
	SLOT_SIBLING,
	SLOT_STMT_LIST,
	SLOT_COMP_DIR,
	SLOT_ROOT, /* anything else about a unit */
	SLOT_DECL_FILE, /* of a record or an enumeration */
	SLOT_DECL_LINE,
	SLOT_FIGURE, /* anything else that makes a difference */
};

/* One step of reading an entry of some abbreviation. */
struct lac_op {
	uint8_t slot;
	uint16_t at, form;
	uint32_t skip; /* SLOT_SKIP: that many bytes, if not 0 */
	int64_t implicit;
};

struct lac_unit_form { /* what the sizes of forms depend on */
	uint8_t address_size, offset_size;
	uint16_t version;
	bool big_endian;
};

enum lac_value_class {
	VALUE_NONE,
	VALUE_CONSTANT, /* u */
	VALUE_SIGNED,	/* u, as two's complement */
	VALUE_FLAG,	/* u */
	VALUE_STRING,	/* p, n: in the entry itself */
	VALUE_STRP,	/* u: offset in .debug_str */
	VALUE_LINE_STRP,
	VALUE_STRX,	/* u: index */
	VALUE_ALT_STRP,
	VALUE_REF,	/* u: offset in the unit */
	VALUE_REF_ADDR, /* u: offset in .debug_info */
	VALUE_ALT_REF,
	VALUE_SIG8,	/* u: the eight bytes as they lie */
	VALUE_BLOCK,	/* p, n */
};

struct lac_value {
	enum lac_value_class class;
	uint64_t u, n;
	const unsigned char *p;
};

/* Invariant: p <= end; bad is sticky, and reads then give 0. */
struct lac_cursor {
	const unsigned char *p, *end;
	bool bad;
};

/* Bytes of a form that always has as many; -1 for others. */
int lac_form_size(uint16_t form, const struct lac_unit_form *f);

/* Bytes of a constant of fixed size; 0 for any other form. */
unsigned lac_form_constant(uint16_t form);
/* Bytes that begin with how many they are: an expression, or what else. */
bool lac_form_is_block(uint16_t form);

/* Read or skip one value; c->bad if it does not fit or the form is unknown. */
void lac_value_read(struct lac_cursor *c, const struct lac_op *op,
		    const struct lac_unit_form *f, struct lac_value *v);
void lac_value_skip(struct lac_cursor *c, const struct lac_op *op,
		    const struct lac_unit_form *f);

/* What an index stands for: an offset in .debug_str; false if it is outside. */
bool lac_strx_offset(const struct lac_raw_sections *s,
		     const struct lac_unit_form *f, uint64_t base,
		     uint64_t *index);

static inline uint64_t lac_take_uint(struct lac_cursor *c, unsigned n,
				     bool big_endian)
{
	uint64_t v = 0;

	if (__builtin_expect((size_t)(c->end - c->p) < n, 0)) {
		c->bad = true;
		c->p = c->end;
		return 0;
	}
	if (__builtin_expect(big_endian, 0)) {
		for (unsigned i = 0; i < n; i++)
			v = v << 8 | c->p[i];
	} else {
		for (unsigned i = 0; i < n; i++)
			v |= (uint64_t)c->p[i] << 8 * i;
	}
	c->p += n;
	return v;
}

int64_t lac_take_sleb(struct lac_cursor *c);
uint64_t lac_take_long_uleb(struct lac_cursor *c);

static inline uint64_t lac_take_uleb(struct lac_cursor *c)
{
	if (__builtin_expect(c->p < c->end && *c->p < 0x80, 1))
		return *c->p++;
	return lac_take_long_uleb(c);
}

#endif

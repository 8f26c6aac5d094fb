/* SPDX-License-Identifier: BSD-2-Clause */
#include "dbginfo/raw.h"

#include <dwarf.h>
#include <stdlib.h>

uint64_t lac_take_long_uleb(struct lac_cursor *c)
{
	uint64_t v = 0;
	unsigned shift = 0;

	while (c->p < c->end) {
		unsigned char b = *c->p++;

		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
		shift += 7;
	}
	c->bad = true;
	return 0;
}

int64_t lac_take_sleb(struct lac_cursor *c)
{
	uint64_t v = 0;
	unsigned shift = 0;

	while (c->p < c->end) {
		unsigned char b = *c->p++;

		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		shift += 7;
		if (b & 0x80)
			continue;
		if (b & 0x40 && shift < 64)
			v |= ~(uint64_t)0 << shift;
		return (int64_t)v;
	}
	c->bad = true;
	return 0;
}

static void take_bytes(struct lac_cursor *c, uint64_t n, struct lac_value *v)
{
	if (n > (uint64_t)(c->end - c->p)) {
		c->bad = true;
		return;
	}
	v->class = VALUE_BLOCK;
	v->p = c->p;
	v->n = n;
	c->p += n;
}

/* -- forms ---------------------------------------------------------------- */

int lac_form_size(uint16_t form, const struct lac_unit_form *f)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		return 0;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
		return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3:
		return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
	case DW_FORM_ref_sup4:
		return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8:
		return 8;
	case DW_FORM_data16:
		return 16;
	case DW_FORM_addr:
		return f->address_size;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_sec_offset:
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return f->offset_size;
	case DW_FORM_ref_addr:
		return f->version < 3 ? f->address_size : f->offset_size;
	default:
		return -1;
	}
}

unsigned lac_form_constant(uint16_t form)
{
	switch (form) {
	case DW_FORM_data1: return 1;
	case DW_FORM_data2: return 2;
	case DW_FORM_data4: return 4;
	case DW_FORM_data8: return 8;
	default: return 0;
	}
}

bool lac_form_is_block(uint16_t form)
{
	return form == DW_FORM_exprloc || form == DW_FORM_block ||
	       form == DW_FORM_block1 || form == DW_FORM_block2 ||
	       form == DW_FORM_block4;
}

static void read_variable(struct lac_cursor *c, const struct lac_op *op,
			  const struct lac_unit_form *f, struct lac_value *v)
{
	const unsigned char *z;
	struct lac_op again;

	switch (op->form) {
	case DW_FORM_udata:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_addrx:
	case DW_FORM_GNU_addr_index:
		*v = (struct lac_value){ VALUE_CONSTANT, lac_take_uleb(c), 0,
					 NULL };
		break;
	case DW_FORM_sdata:
		*v = (struct lac_value){ VALUE_SIGNED,
					 (uint64_t)lac_take_sleb(c), 0, NULL };
		break;
	case DW_FORM_ref_udata:
		*v = (struct lac_value){ VALUE_REF, lac_take_uleb(c), 0, NULL };
		break;
	case DW_FORM_strx:
	case DW_FORM_GNU_str_index:
		*v = (struct lac_value){ VALUE_STRX, lac_take_uleb(c), 0,
					 NULL };
		break;
	case DW_FORM_string:
		z = memchr(c->p, 0, (size_t)(c->end - c->p));
		if (!z) {
			c->bad = true;
			break;
		}
		*v = (struct lac_value){ VALUE_STRING, 0,
					 (uint64_t)(z - c->p), c->p };
		c->p = z + 1;
		break;
	case DW_FORM_block1:
		take_bytes(c, lac_take_uint(c, 1, f->big_endian), v);
		break;
	case DW_FORM_block2:
		take_bytes(c, lac_take_uint(c, 2, f->big_endian), v);
		break;
	case DW_FORM_block4:
		take_bytes(c, lac_take_uint(c, 4, f->big_endian), v);
		break;
	case DW_FORM_block:
	case DW_FORM_exprloc:
		take_bytes(c, lac_take_uleb(c), v);
		break;
	case DW_FORM_indirect:
		again = *op;
		again.form = (uint16_t)lac_take_uleb(c);
		/* one step only: an endless chain is no form */
		if (again.form == DW_FORM_indirect ||
		    again.form == DW_FORM_implicit_const)
			c->bad = true;
		else
			lac_value_read(c, &again, f, v);
		break;
	default:
		c->bad = true;
	}
}

static enum lac_value_class fixed_class(uint16_t form)
{
	switch (form) {
	case DW_FORM_flag:
		return VALUE_FLAG;
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
		return VALUE_REF;
	case DW_FORM_ref_addr:
		return VALUE_REF_ADDR;
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
	case DW_FORM_GNU_ref_alt:
		return VALUE_ALT_REF;
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		return VALUE_ALT_STRP;
	case DW_FORM_strp:
		return VALUE_STRP;
	case DW_FORM_line_strp:
		return VALUE_LINE_STRP;
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
		return VALUE_STRX;
	default:
		return VALUE_CONSTANT;
	}
}

void lac_value_read(struct lac_cursor *c, const struct lac_op *op,
		    const struct lac_unit_form *f, struct lac_value *v)
{
	int size;

	switch (op->form) { /* the common ones first */
	case DW_FORM_strp:
		*v = (struct lac_value){ VALUE_STRP,
					 lac_take_uint(c, f->offset_size,
						       f->big_endian),
					 0, NULL };
		return;
	case DW_FORM_ref4:
		*v = (struct lac_value){ VALUE_REF,
					 lac_take_uint(c, 4, f->big_endian), 0,
					 NULL };
		return;
	case DW_FORM_data1:
		*v = (struct lac_value){ VALUE_CONSTANT,
					 lac_take_uint(c, 1, false), 0, NULL };
		return;
	case DW_FORM_flag_present:
		*v = (struct lac_value){ VALUE_FLAG, 1, 0, NULL };
		return;
	case DW_FORM_implicit_const:
		*v = (struct lac_value){ VALUE_SIGNED, (uint64_t)op->implicit,
					 0, NULL };
		return;
	case DW_FORM_ref_sig8:
		*v = (struct lac_value){ VALUE_SIG8, lac_take_uint(c, 8, false),
					 0, NULL };
		return;
	case DW_FORM_data16:
		take_bytes(c, 16, v);
		return;
	default:
		break;
	}
	*v = (struct lac_value){ VALUE_NONE, 0, 0, NULL };
	size = lac_form_size(op->form, f);
	if (size < 0 || size > 8)
		read_variable(c, op, f, v);
	else
		*v = (struct lac_value){ fixed_class(op->form),
					 lac_take_uint(c, (unsigned)size,
						       f->big_endian),
					 0, NULL };
}

static void skip_bytes(struct lac_cursor *c, uint64_t n)
{
	if (n > (uint64_t)(c->end - c->p))
		c->bad = true;
	else
		c->p += n;
}

void lac_value_skip(struct lac_cursor *c, const struct lac_op *op,
		    const struct lac_unit_form *f)
{
	struct lac_value v;

	if (op->skip) {
		skip_bytes(c, op->skip);
		return;
	}
	switch (op->form) {
	case DW_FORM_exprloc:
	case DW_FORM_block:
		skip_bytes(c, lac_take_uleb(c));
		break;
	case DW_FORM_udata:
	case DW_FORM_sdata:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_ref_udata:
		lac_take_uleb(c);
		break;
	default:
		lac_value_read(c, op, f, &v);
	}
}

bool lac_strx_offset(const struct lac_raw_sections *s,
		     const struct lac_unit_form *f, uint64_t base,
		     uint64_t *index)
{
	struct lac_cursor c = { .bad = false };
	uint64_t at = *index;

	if (__builtin_mul_overflow(at, (uint64_t)f->offset_size, &at) ||
	    __builtin_add_overflow(at, base, &at) || at >= s->str_offsets.size)
		return false;
	c.p = s->str_offsets.p + at;
	c.end = s->str_offsets.p + s->str_offsets.size;
	*index = lac_take_uint(&c, f->offset_size, f->big_endian);
	return !c.bad;
}

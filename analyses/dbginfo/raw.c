/* SPDX-License-Identifier: BSD-2-Clause */
#include "dbginfo/raw.h"

#include <dwarf.h>
#include <stdlib.h>

#define CODES_MAX (1u << 20) /* abbreviations of one unit */

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

/* Bytes of a form that always has as many; -1 for others. */
static int fixed_size(uint16_t form, const struct lac_unit_form *f)
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
	size = fixed_size(op->form, f);
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

/* -- abbreviations -------------------------------------------------------- */

static bool is_root_tag(uint16_t tag)
{
	return tag == DW_TAG_compile_unit || tag == DW_TAG_partial_unit ||
	       tag == DW_TAG_type_unit || tag == DW_TAG_skeleton_unit;
}

static enum lac_slot slot_of(uint16_t at, uint16_t tag)
{
	bool placed = tag == DW_TAG_structure_type ||
		      tag == DW_TAG_union_type || tag == DW_TAG_class_type ||
		      tag == DW_TAG_enumeration_type;

	switch (at) {
	case DW_AT_decl_file: return placed ? SLOT_DECL_FILE : SLOT_SKIP;
	case DW_AT_decl_line: return placed ? SLOT_DECL_LINE : SLOT_SKIP;
	case DW_AT_sibling:
		return tag == DW_TAG_array_type ||
				       tag == DW_TAG_subroutine_type ?
			       SLOT_SIBLING : SLOT_SKIP;
	case DW_AT_name: return SLOT_NAME;
	case DW_AT_type: return SLOT_TYPE;
	case DW_AT_signature: return SLOT_SIGNATURE;
	case DW_AT_specification:
	case DW_AT_abstract_origin: return SLOT_SPECIFICATION;
	case DW_AT_containing_type: return SLOT_CONTAINING;
	case DW_AT_import: return SLOT_IMPORT;
	case DW_AT_declaration: return SLOT_DECLARATION;
	case DW_AT_external: return SLOT_EXTERNAL;
	case DW_AT_language: return SLOT_LANGUAGE;
	case DW_AT_stmt_list: return SLOT_STMT_LIST;
	case DW_AT_comp_dir: return SLOT_COMP_DIR;
	case DW_AT_str_offsets_base: return SLOT_STR_OFFSETS_BASE;
	case DW_AT_producer:
	case DW_AT_dwo_name:
	case DW_AT_GNU_dwo_name:
	case DW_AT_GNU_dwo_id: return is_root_tag(tag) ? SLOT_ROOT : SLOT_SKIP;
	case DW_AT_byte_size:
	case DW_AT_bit_size:
	case DW_AT_bit_offset:
	case DW_AT_data_bit_offset:
	case DW_AT_data_member_location:
	case DW_AT_alignment:
	case DW_AT_count:
	case DW_AT_upper_bound:
	case DW_AT_lower_bound:
	case DW_AT_const_value:
	case DW_AT_discr_value:
	case DW_AT_discr:
	case DW_AT_encoding:
	case DW_AT_virtuality:
	case DW_AT_artificial:
	case DW_AT_GNU_vector: return SLOT_FIGURE;
	default: return SLOT_SKIP;
	}
}

static enum lac_abbrev_kind kind_of(uint16_t tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
		return ABBREV_RECORD;
	case DW_TAG_base_type:
	case DW_TAG_unspecified_type:
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
	case DW_TAG_ptr_to_member_type:
	case DW_TAG_typedef:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
	case DW_TAG_array_type:
	case DW_TAG_subroutine_type:
	case DW_TAG_enumeration_type:
		return ABBREV_TYPE;
	case DW_TAG_member:
	case DW_TAG_inheritance:
	case DW_TAG_enumerator:
	case DW_TAG_subrange_type:
	case DW_TAG_formal_parameter:
	case DW_TAG_unspecified_parameters:
	case DW_TAG_variant_part:
	case DW_TAG_variant:
		return ABBREV_PART;
	case DW_TAG_namespace:
	case DW_TAG_module:
		return ABBREV_SCOPE;
	case DW_TAG_imported_unit:
		return ABBREV_IMPORT;
	case DW_TAG_subprogram:
		return ABBREV_FUNCTION;
	default:
		return ABBREV_OTHER;
	}
}

static enum lac_abbrev_known known_of(uint16_t tag, bool children)
{
	switch (tag) {
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
	case DW_TAG_typedef:
	case DW_TAG_enumeration_type:
	case DW_TAG_base_type:
		return KNOWN_BY_NAME;
	case DW_TAG_pointer_type:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
		return children ? KNOWN_NEVER : KNOWN_BY_SHAPE;
	case DW_TAG_array_type:
	case DW_TAG_subroutine_type:
		return children ? KNOWN_BY_LENGTH : KNOWN_NEVER;
	default:
		return KNOWN_NEVER;
	}
}

/* For one more.  There always is some, so that no operand is behind NULL. */
static bool ops_room(struct lac_abbrevs *a)
{
	uint32_t cap = a->ops_cap ? 2 * a->ops_cap : 1024;
	void *p;

	if (a->nops < a->ops_cap)
		return true;
	p = cap > a->ops_cap ? reallocarray(a->ops, cap, sizeof(*a->ops)) :
			       NULL;
	if (!p)
		return false;
	a->ops = p;
	a->ops_cap = cap;
	return true;
}

static bool add_op(struct lac_abbrevs *a, struct lac_abbrev *ab,
		   const struct lac_op *op)
{
	if (op->slot == SLOT_SKIP && ab->nops && op->skip) {
		struct lac_op *last = &a->ops[a->nops - 1];

		if (last->slot == SLOT_SKIP && last->skip) {
			last->skip += op->skip; /* one step for both */
			return true;
		}
	}
	if (!ops_room(a))
		return false;
	a->ops[a->nops++] = *op;
	ab->nops++;
	return true;
}

static enum lac_status read_abbrev(struct lac_abbrevs *a, struct lac_cursor *c,
				   struct lac_abbrev *ab,
				   const struct lac_unit_form *f,
				   struct lac_err *err)
{
	bool interesting = (ab->kind != ABBREV_OTHER &&
			    ab->kind != ABBREV_FUNCTION) ||
			   is_root_tag(ab->tag);

	for (;;) {
		uint64_t at = lac_take_uleb(c), form = lac_take_uleb(c);
		struct lac_op op = { .at = (uint16_t)at,
				     .form = (uint16_t)form };
		int size;

		if (c->bad || at > 0xffff || form > 0xffff)
			return lac_fail(err, LAC_BAD_INPUT,
					"a damaged table of abbreviations");
		if (op.form == DW_FORM_implicit_const)
			op.implicit = lac_take_sleb(c);
		if (!at && !form)
			return LAC_OK;
		op.slot = (uint8_t)(interesting ? slot_of(op.at, ab->tag) : SLOT_SKIP);
		size = fixed_size(op.form, f);
		if (op.slot == SLOT_SKIP && size == 0)
			continue; /* takes no room */
		if (op.slot == SLOT_SKIP && size > 0)
			op.skip = (uint32_t)size;
		if (!add_op(a, ab, &op))
			return lac_fail_memory(err);
	}
}

static bool code_room(struct lac_abbrevs *a, uint64_t code)
{
	uint32_t cap = a->cap ? a->cap : 256;
	void *p;

	while (cap <= code)
		cap *= 2;
	if (cap > a->cap) {
		p = reallocarray(a->v, cap, sizeof(*a->v));
		if (!p)
			return false;
		a->v = p;
		a->cap = cap;
	}
	while (a->n <= code)
		a->v[a->n++] = (struct lac_abbrev){ 0 };
	return true;
}

enum lac_status lac_abbrevs_read(struct lac_abbrevs *a,
				 struct lac_bytes section, uint64_t at,
				 const struct lac_unit_form *f,
				 struct lac_err *err)
{
	struct lac_cursor c = { .bad = false };

	if (at >= section.size)
		return lac_fail(err, LAC_BAD_INPUT,
				"no table of abbreviations at 0x%llx",
				(unsigned long long)at);
	c.p = section.p + at;
	c.end = section.p + section.size;
	a->n = a->nops = 0;
	if (!ops_room(a))
		return lac_fail_memory(err);
	for (;;) {
		uint64_t code = lac_take_uleb(&c), tag;
		struct lac_abbrev ab = { .first = a->nops };

		if (c.bad)
			return lac_fail(err, LAC_BAD_INPUT,
					"a damaged table of abbreviations");
		if (!code)
			return LAC_OK;
		if (code > CODES_MAX)
			return lac_fail(err, LAC_UNSUPPORTED,
					"abbreviation code %llu",
					(unsigned long long)code);
		tag = lac_take_uleb(&c);
		ab.tag = tag > 0xffff ? 0xffff : (uint16_t)tag;
		ab.children = lac_take_uint(&c, 1, false) != 0;
		ab.kind = (uint8_t)kind_of(ab.tag);
		ab.known = (uint8_t)known_of(ab.tag, ab.children);
		LAC_TRY(read_abbrev(a, &c, &ab, f, err));
		ab.fixed = LAC_NOT_FIXED;
		if (ab.nops == 0)
			ab.fixed = 0;
		else if (ab.nops == 1)
			ab.fixed = a->ops[ab.first].skip;
		if (ab.nops == 1 && !ab.fixed)
			ab.fixed = LAC_NOT_FIXED;
		if (!code_room(a, code))
			return lac_fail_memory(err);
		a->v[code] = ab;
	}
}

void lac_abbrevs_free(struct lac_abbrevs *a)
{
	free(a->v);
	free(a->ops);
	*a = (struct lac_abbrevs){ 0 };
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* die.c - what each attribute says about an entry. */
#include "dbginfo/die.h"

#include <dwarf.h>

void lac_die_empty(struct lac_die *die, lac_die_ref ref, uint16_t tag)
{
	*die = (struct lac_die){
		.tag = tag, .ref = ref,
		.type = LAC_DIE_NONE, .specification = LAC_DIE_NONE,
		.signature = LAC_DIE_NONE,
		.containing = LAC_DIE_NONE, .discriminant = LAC_DIE_NONE,
		.import = LAC_DIE_NONE, .decl_file = LAC_NO_FILE,
		.stmt_list = LAC_NO_OFFSET,
		.str_offsets_base = LAC_NO_OFFSET,
	};
}

static bool is_constant(const struct lac_die_value *v)
{
	return v->kind == LAC_DIE_UNSIGNED || v->kind == LAC_DIE_SIGNED;
}

static bool take_constant(const struct lac_die_value *v, uint64_t *ret)
{
	if (is_constant(v))
		*ret = v->u;
	return is_constant(v);
}

/* The same, where a negative value may hide in an unsigned form. */
static bool take_signed(const struct lac_die_value *v, int64_t *ret)
{
	uint64_t u = v->u;

	if (!is_constant(v))
		return false;
	if (v->size && v->size < 8 && u >> (8 * v->size - 1))
		u |= ~(uint64_t)0 << 8 * v->size;
	*ret = (int64_t)u;
	return true;
}

static void take_text(const struct lac_die_value *v, const char **ret)
{
	*ret = v->kind == LAC_DIE_TEXT ? v->text : NULL;
}

static void take_ref(const struct lac_die_value *v, lac_die_ref *ret)
{
	if (v->kind == LAC_DIE_REF)
		*ret = v->u;
}

/* Into another section: a constant until DWARF 4 gave it a form. */
static void take_offset(const struct lac_die_value *v, uint64_t *ret)
{
	if (is_constant(v) || v->kind == LAC_DIE_SECTION)
		*ret = v->u;
}

static bool take_flag(const struct lac_die_value *v)
{
	return v->kind == LAC_DIE_FLAG && v->u;
}

static void take_figure(struct lac_die *die, const struct lac_die_value *v,
			uint64_t *figure, uint32_t has)
{
	if (take_constant(v, figure))
		die->has |= has;
}

static void take_bound(struct lac_die *die, const struct lac_die_value *v,
		       uint64_t *bound, uint32_t has)
{
	die->has |= take_constant(v, bound) ? has : LAC_HAS_VARIABLE_BOUND;
}

static void take_location(struct lac_die *die, const struct lac_die_value *v,
			  bool big_endian)
{
	bool block = v->kind == LAC_DIE_BLOCK;

	if (take_constant(v, &die->location) ||
	    lac_expression_offset(block ? v->p : NULL, block ? v->u : 0,
				  big_endian, &die->location))
		die->has |= LAC_HAS_LOCATION;
	else
		die->has |= LAC_HAS_DYNAMIC_LOCATION;
}

static uint16_t small(const struct lac_die_value *v, uint16_t otherwise)
{
	return is_constant(v) ? (uint16_t)v->u : otherwise;
}

void lac_die_take(struct lac_die *die, uint16_t at,
		  const struct lac_die_value *v, bool big_endian)
{
	switch (at) {
	case DW_AT_name: take_text(v, &die->name); break;
	case DW_AT_producer: take_text(v, &die->producer); break;
	case DW_AT_comp_dir: take_text(v, &die->comp_dir); break;
	case DW_AT_dwo_name:
	case DW_AT_GNU_dwo_name: take_text(v, &die->dwo_name); break;
	case DW_AT_stmt_list: take_offset(v, &die->stmt_list); break;
	case DW_AT_str_offsets_base:
		take_offset(v, &die->str_offsets_base);
		break;
	case DW_AT_GNU_dwo_id: take_constant(v, &die->dwo_id); break;
	case DW_AT_type: take_ref(v, &die->type); break;
	case DW_AT_specification:
	case DW_AT_abstract_origin: take_ref(v, &die->specification); break;
	case DW_AT_signature:
		/* gcc leaves out that it is a declaration */
		take_ref(v, &die->signature);
		die->declaration = true;
		break;
	case DW_AT_containing_type: take_ref(v, &die->containing); break;
	case DW_AT_discr: take_ref(v, &die->discriminant); break;
	case DW_AT_import: take_ref(v, &die->import); break;
	case DW_AT_byte_size:
		take_figure(die, v, &die->byte_size, LAC_HAS_BYTE_SIZE);
		break;
	case DW_AT_bit_size:
		take_figure(die, v, &die->bit_size, LAC_HAS_BIT_SIZE);
		break;
	case DW_AT_bit_offset:
		if (take_signed(v, &die->bit_offset))
			die->has |= LAC_HAS_BIT_OFFSET;
		break;
	case DW_AT_data_bit_offset:
		take_figure(die, v, &die->data_bit_offset,
			    LAC_HAS_DATA_BIT_OFFSET);
		break;
	case DW_AT_data_member_location:
		take_location(die, v, big_endian);
		break;
	case DW_AT_alignment: take_constant(v, &die->align); break;
	case DW_AT_count:
		take_bound(die, v, &die->count, LAC_HAS_COUNT);
		break;
	case DW_AT_upper_bound:
		take_bound(die, v, &die->upper, LAC_HAS_UPPER_BOUND);
		break;
	case DW_AT_lower_bound: take_signed(v, &die->lower); break;
	case DW_AT_const_value:
	case DW_AT_discr_value:
		take_figure(die, v, &die->value, LAC_HAS_VALUE);
		if (v->kind == LAC_DIE_SIGNED)
			die->has |= LAC_HAS_SIGNED_VALUE;
		break;
	case DW_AT_encoding: die->encoding = small(v, die->encoding); break;
	case DW_AT_language: die->language = small(v, die->language); break;
	case DW_AT_virtuality:
		if (is_constant(v))
			die->virtuality = v->u != 0;
		break;
	case DW_AT_decl_file: take_constant(v, &die->decl_file); break;
	case DW_AT_decl_line: take_constant(v, &die->decl_line); break;
	case DW_AT_declaration: die->declaration = take_flag(v); break;
	case DW_AT_external: die->external = take_flag(v); break;
	case DW_AT_artificial: die->artificial = take_flag(v); break;
	case DW_AT_GNU_vector: die->vector = take_flag(v); break;
	default: break;
	}
}

enum lac_die_says lac_tag_says(uint16_t tag)
{
	switch (tag) {
	case DW_TAG_lexical_block:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_label:
	case DW_TAG_call_site:
	case DW_TAG_call_site_parameter:
	case DW_TAG_GNU_call_site:
	case DW_TAG_GNU_call_site_parameter:
		return LAC_SAYS_NOTHING;
	case DW_TAG_subprogram:
	case DW_TAG_variable:
	case DW_TAG_formal_parameter:
		return LAC_SAYS_TYPE;
	default:
		return LAC_SAYS_ALL;
	}
}

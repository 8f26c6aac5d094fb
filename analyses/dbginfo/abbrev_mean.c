/* SPDX-License-Identifier: BSD-2-Clause */
/* abbrev_mean.c - what tags and attributes mean to a layout. */
#include "dbginfo/abbrev_internal.h"

#include <dwarf.h>

#include "dbginfo/die.h"

bool lac_tag_is_root(uint16_t tag)
{
	return tag == DW_TAG_compile_unit || tag == DW_TAG_partial_unit ||
	       tag == DW_TAG_type_unit || tag == DW_TAG_skeleton_unit;
}

enum lac_abbrev_kind lac_tag_kind(uint16_t tag)
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

static enum lac_slot slot_of(uint16_t at, uint16_t tag)
{
	bool placed = lac_tag_kind(tag) == ABBREV_RECORD ||
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
	case DW_AT_GNU_dwo_id: return lac_tag_is_root(tag) ? SLOT_ROOT : SLOT_SKIP;
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

enum lac_slot lac_type_slot(uint16_t at, uint16_t tag)
{
	enum lac_abbrev_kind kind = lac_tag_kind(tag);

	if ((kind == ABBREV_OTHER || kind == ABBREV_FUNCTION) &&
	    !lac_tag_is_root(tag))
		return SLOT_SKIP;
	return slot_of(at, tag);
}

enum lac_slot lac_any_slot(uint16_t at, uint16_t tag)
{
	switch (lac_tag_says(tag)) {
	case LAC_SAYS_NOTHING:
		return SLOT_SKIP;
	case LAC_SAYS_TYPE:
		return at == DW_AT_type ? SLOT_TYPE : SLOT_SKIP;
	case LAC_SAYS_ALL:
		break;
	}
	return slot_of(at, tag);
}

enum lac_abbrev_known lac_tag_known(uint16_t tag, bool children)
{
	switch (tag) {
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
	case DW_TAG_typedef:
	case DW_TAG_enumeration_type:
	case DW_TAG_base_type:
		return KNOWN_IN_ORDER;
	case DW_TAG_pointer_type:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
		return children ? KNOWN_NEVER : KNOWN_SIMPLE;
	case DW_TAG_array_type:
		return children ? KNOWN_ANYWHERE : KNOWN_NEVER;
	case DW_TAG_subroutine_type:
		return KNOWN_ANYWHERE;
	default:
		return KNOWN_NEVER;
	}
}

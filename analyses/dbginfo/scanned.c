/* SPDX-License-Identifier: BSD-2-Clause */
#include "dbginfo/scanned.h"

#include <dwarf.h>

#include "dbginfo/units.h"

static void take_root(const struct lac_raw_sections *s, struct lac_scanned *ret,
		      const struct lac_op *op, const struct lac_value *v)
{
	const struct lac_line_unit *l = &ret->line;
	const char *text = lac_value_text(s, &l->form, l->str_offsets_base, v);

	switch (op->at) {
	case DW_AT_name: ret->root.name = text; break;
	case DW_AT_producer: ret->root.producer = text; break;
	case DW_AT_comp_dir: ret->root.comp_dir = text; break;
	case DW_AT_dwo_name:
	case DW_AT_GNU_dwo_name: ret->root.dwo_name = text; break;
	case DW_AT_GNU_dwo_id: ret->root.dwo_id = v->u; break;
	case DW_AT_stmt_list: ret->line.table = v->u; break;
	case DW_AT_language: ret->language = (uint16_t)v->u; break;
	default: break;
	}
}

/* Twice: which text an index stands for is said behind the first of them. */
static void read_root(const struct lac_raw_sections *s, struct lac_cursor c,
		      const struct lac_abbrev *ab, struct lac_scanned *ret)
{
	const struct lac_op *op = ab->ops, *end = op + ab->nops;
	const struct lac_unit_form *f = &ret->line.form;
	struct lac_cursor again = c;
	struct lac_value v;

	for (; op < end; op++) {
		if (op->slot != SLOT_STR_OFFSETS_BASE) {
			lac_value_skip(&c, op, f);
			continue;
		}
		lac_value_read(&c, op, f, &v);
		ret->line.str_offsets_base = v.u;
	}
	for (op = ab->ops; op < end; op++) {
		if (op->slot == SLOT_SKIP) {
			lac_value_skip(&again, op, f);
			continue;
		}
		lac_value_read(&again, op, f, &v);
		take_root(s, ret, op, &v);
	}
	ret->root.partial = ab->tag == DW_TAG_partial_unit;
}

enum lac_status lac_scanned_take(struct lac_abbrev_set *set,
				 const struct lac_raw_sections *sections,
				 const struct lac_dwarf_unit *header,
				 struct lac_scanned *ret, struct lac_err *err)
{
	struct lac_bytes section = lac_unit_section(sections, header);
	uint64_t root = LAC_DIE_OFFSET(header->root);
	struct lac_line_unit *line = &ret->line;
	const struct lac_abbrev *ab;
	struct lac_cursor c;

	if (!section.p || header->end > section.size || root > header->end ||
	    header->offset > root)
		return lac_fail(err, LAC_BAD_INPUT, "a unit's length");
	*ret = (struct lac_scanned){ 0 };
	line->form = (struct lac_unit_form){
		.address_size = header->address_size,
		.offset_size = header->offset_size,
		.version = header->version,
		.big_endian = sections->big_endian,
	};
	line->str_offsets_base = header->version < 5 ? 0 :
				 header->offset_size == 8 ? 16 : 8;
	/* a .dwo has one table, and says so nowhere */
	line->table = sections->dwo ? 0 : LAC_NO_TABLE;
	LAC_TRY(lac_abbrevs_read(set, sections->abbrev, header->abbrev_offset,
				 &line->form, &ret->abbrevs, err));
	c = (struct lac_cursor){ section.p + root, section.p + header->end,
				 false };
	ab = lac_abbrev_of(ret->abbrevs, lac_take_uleb(&c));
	if (ab)
		read_root(sections, c, ab, ret);
	line->comp_dir = ret->root.comp_dir;
	return LAC_OK;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* scan_unit.c - before and after the walk over a unit: its header and root. */
#include "dbginfo/scan_unit.h"

#include <dwarf.h>
#include <stdlib.h>

#include "dbginfo/build.h"

#define UNIT_MAX ((uint64_t)64 << 20) /* bytes; longer ones are read slowly */

/* What was in the slots is of other units: entry_at() sees that. */
static bool room_for(struct lac_scan_unit *u, uint64_t length)
{
	uint64_t n = (length >> SLOT_SHIFT) + 1;

	u->length = length;
	if (n <= u->nslots)
		return true;
	free(u->slots);
	u->slots = calloc(n, sizeof(*u->slots));
	u->nslots = u->slots ? n : 0;
	return u->slots != NULL;
}

static void take_root(struct lac_scan_unit *u, struct lac_scanned *kept,
		      const struct lac_op *op, const struct lac_value *v)
{
	switch (op->at) {
	case DW_AT_name: kept->root.name = name_text(u, v); break;
	case DW_AT_producer: kept->root.producer = name_text(u, v); break;
	case DW_AT_comp_dir: kept->root.comp_dir = name_text(u, v); break;
	case DW_AT_dwo_name:
	case DW_AT_GNU_dwo_name: kept->root.dwo_name = name_text(u, v); break;
	case DW_AT_GNU_dwo_id: kept->root.dwo_id = v->u; break;
	case DW_AT_stmt_list: kept->line.table = v->u; break;
	case DW_AT_language: u->scoped = lac_has_scopes((uint16_t)v->u); break;
	default: break;
	}
}

/* Twice: which text an index stands for is said behind the first of them. */
static void read_root(struct lac_scan_unit *u, struct lac_cursor c,
		      const struct lac_abbrev *ab, struct lac_scanned *kept)
{
	const struct lac_op *op = ab->ops, *end = op + ab->nops;
	struct lac_cursor again = c;
	struct lac_value v;

	for (; op < end; op++) {
		if (op->slot != SLOT_STR_OFFSETS_BASE) {
			lac_value_skip(&c, op, &u->form);
			continue;
		}
		lac_value_read(&c, op, &u->form, &v);
		u->str_offsets_base = v.u;
	}
	for (op = ab->ops; op < end; op++) {
		if (op->slot == SLOT_SKIP) {
			lac_value_skip(&again, op, &u->form);
			continue;
		}
		lac_value_read(&again, op, &u->form, &v);
		take_root(u, kept, op, &v);
	}
	kept->root.partial = ab->tag == DW_TAG_partial_unit;
}

enum lac_status lac_scan_open(struct lac_scan_unit *u, size_t index,
			      const struct lac_dwarf_unit *header,
			      struct lac_scanned *kept,
			      struct lac_cursor *entries, struct lac_err *err)
{
	const struct lac_raw_sections *sections = u->sections;
	struct lac_bytes section = header->types ? sections->types :
						   sections->info;
	uint64_t root = LAC_DIE_OFFSET(header->root), length;
	struct lac_cursor peek;
	const struct lac_abbrev *ab;

	if (!section.p || header->end > section.size || root > header->end ||
	    header->offset > root)
		return lac_fail(err, LAC_BAD_INPUT, "a unit's length");
	length = header->end - header->offset;
	if (length > UNIT_MAX)
		return lac_fail(err, LAC_UNSUPPORTED, "a very long unit");
	if (!room_for(u, length))
		return lac_fail_memory(err);
	u->nentries = u->nchildren = u->nscopes = u->nbodies = u->nrefs = 0;
	u->known.last = NULL;
	u->form = (struct lac_unit_form){
		.address_size = header->address_size,
		.offset_size = header->offset_size,
		.version = header->version,
		.big_endian = sections->big_endian,
	};
	LAC_TRY(lac_abbrevs_read(u->declared, sections->abbrev,
				 header->abbrev_offset, &u->form,
				 &kept->abbrevs, err));
	u->abbrevs = *kept->abbrevs;
	u->index = index;
	u->header = header;
	u->bytes = section.p + header->offset;
	*entries = (struct lac_cursor){ section.p + root,
					section.p + header->end, false };
	peek = *entries;
	ab = lac_abbrev_of(&u->abbrevs, lac_take_uleb(&peek));
	u->scoped = false;
	u->str_offsets_base = u->form.version < 5 ? 0 :
			      u->form.offset_size == 8 ? 16 : 8;
	/* a .dwo has one table, and says so nowhere */
	kept->line.table = sections->dwo ? 0 : LAC_NO_TABLE;
	if (ab)
		read_root(u, peek, ab, kept);
	kept->line.form = u->form;
	kept->line.str_offsets_base = u->str_offsets_base;
	kept->line.comp_dir = kept->root.comp_dir;
	return LAC_OK;
}

void lac_scan_place(const struct lac_scan_unit *u, uint32_t id, uint64_t *file,
		    uint64_t *line)
{
	const struct lac_dwarf_unit *header = u->header;
	struct lac_cursor c = { u->bytes + u->entries[id].offset,
				u->bytes + (header->end - header->offset),
				false };
	const struct lac_abbrev *ab = u->abbrevs.v[lac_take_uleb(&c)];
	const struct lac_op *op = ab->ops;
	struct lac_value v;

	*file = LAC_NO_FILE;
	*line = 0;
	for (uint32_t i = 0; i < ab->nops; i++) {
		if (op[i].slot == SLOT_SKIP) {
			lac_value_skip(&c, &op[i], &u->form);
			continue;
		}
		lac_value_read(&c, &op[i], &u->form, &v);
		if (op[i].slot == SLOT_DECL_FILE)
			*file = v.u;
		else if (op[i].slot == SLOT_DECL_LINE)
			*line = v.u;
	}
}

void lac_scan_unit_destroy(struct lac_scan_unit *u)
{
	if (!u)
		return;
	lac_abbrev_set_destroy(u->declared);
	free(u->entries);
	free(u->children);
	free(u->scopes);
	free(u->slots);
	free(u->bodies);
	free(u->refs);
	lac_known_free(&u->known);
	free(u);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* scan_unit.c - before and after the walk over a unit: its header and root. */
#include "dbginfo/scan_unit.h"

#include <dwarf.h>
#include <stdlib.h>

#include "dbginfo/build.h"
#include "dbginfo/units.h"

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

enum lac_status lac_scan_open(struct lac_scan_unit *u, size_t index,
			      const struct lac_dwarf_unit *header,
			      struct lac_scanned *kept,
			      struct lac_cursor *entries, struct lac_err *err)
{
	const struct lac_raw_sections *sections = u->sections;
	struct lac_bytes section = lac_unit_section(sections, header);
	uint64_t length;

	LAC_TRY(lac_scanned_take(u->declared, sections, header, kept, err));
	length = header->end - header->offset;
	if (length > UNIT_MAX)
		return lac_fail(err, LAC_UNSUPPORTED, "a very long unit");
	if (!room_for(u, length))
		return lac_fail_memory(err);
	u->nentries = u->nchildren = u->nscopes = u->nbodies = u->nrefs = 0;
	u->known.last = NULL;
	u->form = kept->line.form;
	u->abbrevs = *kept->abbrevs;
	u->index = index;
	u->header = header;
	u->bytes = section.p + header->offset;
	u->scoped = lac_has_scopes(kept->language);
	u->str_offsets_base = kept->line.str_offsets_base;
	*entries = (struct lac_cursor){
		section.p + LAC_DIE_OFFSET(header->root),
		section.p + header->end, false,
	};
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

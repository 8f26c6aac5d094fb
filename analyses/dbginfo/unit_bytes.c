/* SPDX-License-Identifier: BSD-2-Clause */
#include "dbginfo/unit_bytes.h"

#include <stdlib.h>

#include "dbginfo/die.h"

/* The first unit of a signature has it. */
static enum lac_status note_signature(struct lac_unit_bytes *u, uint32_t unit,
				      const struct lac_dwarf_unit *header,
				      struct lac_err *err)
{
	uint64_t key = header->signature;

	if (header->kind != LAC_UNIT_TYPE)
		return LAC_OK;
	if (key == UINT64_MAX) /* which no map has */
		return lac_fail(err, LAC_UNSUPPORTED, "a signature of ones");
	if (lac_map_get(&u->signatures, key))
		return LAC_OK;
	return lac_map_put(&u->signatures, key, unit) ? LAC_OK :
							lac_fail_memory(err);
}

static enum lac_status take_unit(struct lac_unit_bytes *u, uint32_t unit,
				 struct lac_err *err)
{
	const struct lac_dwarf_unit *header = &u->reader.units[unit];
	const struct lac_raw_sections *sections =
		header->source ? u->reader.alt : u->reader.sections;
	unsigned set = header->source != 0;

	if (!sections)
		return lac_fail(err, LAC_UNSUPPORTED, "a unit of no file");
	LAC_TRY(lac_scanned_take(u->sets[set], sections, header,
				 &u->kept[unit], err));
	return note_signature(u, unit, header, err);
}

enum lac_status lac_unit_bytes_open(struct lac_unit_bytes *u,
				    const struct lac_raw_sections *sections,
				    const struct lac_raw_sections *alt,
				    const struct lac_dwarf_unit *units,
				    size_t nunits, struct lac_err *err)
{
	*u = (struct lac_unit_bytes){
		.reader = { .sections = sections, .alt = alt, .units = units,
			    .nunits = nunits },
		.kept = calloc(nunits + 1, sizeof(*u->kept)),
		.sets = { lac_abbrev_set_create(true),
			  lac_abbrev_set_create(true) },
	};
	if (!u->kept || !u->sets[0] || !u->sets[1])
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < nunits; i++)
		LAC_TRY(take_unit(u, i, err));
	u->reader.kept = u->kept;
	u->reader.signatures = &u->signatures;
	return LAC_OK;
}

void lac_unit_bytes_close(struct lac_unit_bytes *u)
{
	lac_abbrev_set_destroy(u->sets[0]);
	lac_abbrev_set_destroy(u->sets[1]);
	lac_map_free(&u->signatures);
	free(u->kept);
	*u = (struct lac_unit_bytes){ 0 };
}

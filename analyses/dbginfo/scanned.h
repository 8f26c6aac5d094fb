/* SPDX-License-Identifier: BSD-2-Clause */
/* scanned.h - what is kept of a unit, so that its entries can be read. */
#ifndef LAC_SCANNED_H
#define LAC_SCANNED_H

#include "dbginfo/abbrev.h"
#include "dbginfo/lines.h"

/* What its first entry says.  Texts live in the sections; NULL: not there. */
struct lac_unit_root {
	const char *name, *producer;
	const char *dwo_name; /* of a skeleton: where the rest is */
	const char *comp_dir;
	uint64_t dwo_id; /* DWARF 4; 0 if there is none */
	bool partial;
};

struct lac_scanned {
	struct lac_unit_root root;
	struct lac_line_unit line;
	const struct lac_abbrevs *abbrevs; /* of a set */
	uint16_t language;
};

struct lac_dwarf_unit;

/*
 * What the unit of these sections says first.  The set is of the same sections.
 * LAC_UNSUPPORTED, LAC_BAD_INPUT: see lac_abbrevs_read().
 */
LAC_MUST_CHECK enum lac_status
lac_scanned_take(struct lac_abbrev_set *set,
		 const struct lac_raw_sections *sections,
		 const struct lac_dwarf_unit *header, struct lac_scanned *ret,
		 struct lac_err *err);

#endif

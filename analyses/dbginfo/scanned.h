/* SPDX-License-Identifier: BSD-2-Clause */
/* scanned.h - what is kept of a unit when its entries have been scanned. */
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
	const struct lac_abbrevs *abbrevs; /* of the scan's set */
};

#endif

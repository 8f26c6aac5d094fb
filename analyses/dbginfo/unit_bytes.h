/* SPDX-License-Identifier: BSD-2-Clause */
/* unit_bytes.h - every unit of an input made ready to be read by its bytes. */
#ifndef LAC_UNIT_BYTES_H
#define LAC_UNIT_BYTES_H

#include "dbginfo/die_bytes.h"

struct lac_unit_bytes {
	struct lac_bytes_reader reader;
	struct lac_scanned *kept;
	struct lac_abbrev_set *sets[2]; /* of the input, and of its alt */
	struct lac_map signatures;
};

/*
 * alt: the common file of dwz, or NULL.  What is given is borrowed.  *u is the
 * caller's to close, whatever the status.  LAC_UNSUPPORTED or LAC_BAD_INPUT if
 * only libdwarf can say what is there, or that it is damaged.
 */
LAC_MUST_CHECK enum lac_status
lac_unit_bytes_open(struct lac_unit_bytes *u,
		    const struct lac_raw_sections *sections,
		    const struct lac_raw_sections *alt,
		    const struct lac_dwarf_unit *units, size_t nunits,
		    struct lac_err *err);
void lac_unit_bytes_close(struct lac_unit_bytes *u);

#endif

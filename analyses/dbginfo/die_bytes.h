/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * die_bytes.h - entries read from the bytes of units.
 *
 * libdwarf decodes every abbreviation of every unit, and allocates each
 * attribute of each entry.  The same entries come out of both: tests compare
 * them.
 */
#ifndef LAC_DIE_BYTES_H
#define LAC_DIE_BYTES_H

#include "dbginfo/map.h"
#include "dbginfo/scanned.h"

/*
 * All borrowed; units are in the order of references, and kept is by unit.  A
 * type that lies in a file, or is told by a signature, that is not here, has no
 * ref.
 */
struct lac_bytes_reader {
	const struct lac_raw_sections *sections;
	const struct lac_raw_sections *alt; /* of source 1, or NULL */
	const struct lac_dwarf_unit *units;
	size_t nunits;
	const struct lac_scanned *kept;
	const struct lac_map *signatures; /* of type units -> unit, or NULL */
};

/*
 * As lac_die_open() and its like; nothing need be closed.  An entry has what the
 * set of abbreviations takes for mattering, and only records and enumerations
 * have their place in the source.
 */
LAC_MUST_CHECK enum lac_status lac_bytes_open(const struct lac_bytes_reader *r,
					      lac_die_ref ref,
					      struct lac_die *ret,
					      struct lac_err *err);
LAC_MUST_CHECK enum lac_status lac_bytes_child(const struct lac_bytes_reader *r,
					       const struct lac_die *die,
					       struct lac_die *ret,
					       struct lac_err *err);
LAC_MUST_CHECK enum lac_status lac_bytes_next(const struct lac_bytes_reader *r,
					      struct lac_die *die,
					      struct lac_err *err);

#endif

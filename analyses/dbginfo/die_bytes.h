/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * die_bytes.h - entries read from the bytes of units that refer to no other.
 *
 * What the scan (scan.h) has found new is expanded, and libdwarf would first
 * decode every abbreviation of every unit for it, and then allocate each
 * attribute.  The same entries come out of both: tests compare them.
 */
#ifndef LAC_DIE_BYTES_H
#define LAC_DIE_BYTES_H

#include "dbginfo/scanned.h"

/*
 * All borrowed; units are in the order of references, and kept is by unit.  A
 * type that lies in another unit, or is told by a signature, has no ref.
 */
struct lac_bytes_reader {
	const struct lac_raw_sections *sections;
	const struct lac_dwarf_unit *units;
	size_t nunits;
	const struct lac_scanned *kept;
};

/*
 * As lac_die_open() and its like; nothing need be closed.  Entries of code have
 * no attributes, and only records and enumerations their place in the source.
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

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * units.h - which units a section has.  Read here and not through libdwarf,
 * which decodes each unit's table of abbreviations on the way: that is more
 * work than all types of a small unit.
 */
#ifndef LAC_UNITS_H
#define LAC_UNITS_H

#include "dbginfo/die.h"
#include "dbginfo/raw.h"

struct lac_units {
	struct lac_dwarf_unit *v; /* free() it */
	size_t n, cap;
};

/* The section that the unit lies in; p: NULL if the file has none. */
static inline struct lac_bytes
lac_unit_section(const struct lac_raw_sections *s,
		 const struct lac_dwarf_unit *unit)
{
	return unit->types ? s->types : s->info;
}

/* One section of units. */
struct lac_units_of {
	struct lac_bytes section; /* p: NULL if there is none */
	bool types;		  /* .debug_types */
	bool big_endian;
	uint64_t space; /* what references into its file begin with */
};

/*
 * Add the units of a section, in the order in which they lie, to a list.
 * LAC_BAD_INPUT, and none added, if they do not fill it but for zeros at the
 * end.
 */
LAC_MUST_CHECK enum lac_status lac_units_read(const struct lac_units_of *of,
					      struct lac_units *list,
					      struct lac_err *err);

LAC_MUST_CHECK enum lac_status lac_units_add(struct lac_units *list,
					     const struct lac_dwarf_unit *u,
					     struct lac_err *err);

/* Which of them an entry is in, of units in the order of references; LAC_NONE. */
uint32_t lac_unit_of(const struct lac_dwarf_unit *units, size_t n,
		     lac_die_ref ref);

#endif

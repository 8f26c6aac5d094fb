/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scan_unit.h - the types of one unit as the walk over its bytes finds them.
 * Of no use outside of scan*.c.
 */
#ifndef LAC_SCAN_UNIT_H
#define LAC_SCAN_UNIT_H

#include "dbginfo/lines.h"
#include "dbginfo/print.h"

#define NO_ENTRY UINT32_MAX
#define NO_TYPE 0 /* as an offset in the unit: its header is there */
#define DEPTH_MAX 512 /* of nesting, and of a chain of types */

enum entry_flag {
	HAS_NAME = 1,
	DECLARED = 2,
	BUSY_VALUE = 4,
	BUSY_NAME = 8,
	PAYLOAD = 16,
	HAS_VARIANTS = 32,
};

/* An entry that is a type. */
struct entry {
	uint32_t offset; /* in the unit */
	uint16_t tag;
	uint8_t flags;
	uint32_t print[2];	/* by value, by name; LAC_NONE until known */
	struct lac_print self;	/* its own attributes and values */
	struct lac_print name;	/* name and scope */
	uint32_t type, other;	/* offsets; other: signature, containing type */
	uint32_t completes;	/* offset of the declaration, for a record */
	uint32_t first, last;	/* children, linked */
	uint32_t scope, parent; /* entries around it, or NO_ENTRY */
	uint32_t typedef_name;	/* the entry that names it */
	uint64_t decl_file, decl_line;
};

struct child { /* a member, a parameter, a dimension */
	struct lac_print self;
	uint32_t type, next;
};

struct scope {
	uint32_t parent;
	struct lac_print print;
	struct lac_value name;
};

struct lac_scan_unit {
	size_t index;
	struct lac_unit_form form;
	struct lac_abbrevs abbrevs;
	uint64_t abbrev_offset;
	struct entry *entries;
	struct child *children;
	struct scope *scopes;
	uint32_t *slots; /* offset in the unit -> entry, if that agrees */
	struct lac_value *names; /* of entries */
	uint32_t nentries, nchildren, nscopes;
	uint32_t entries_cap, children_cap, scopes_cap, names_cap;
	uint64_t nslots;
	uint64_t str_offsets_base;
	const struct lac_raw_sections *sections;
	bool scoped;
	int depth;
};

/* An index becomes the place in .debug_str that it stands for. */
static inline struct lac_value place_of(const struct lac_scan_unit *u,
					const struct lac_value *v)
{
	struct lac_value place = { .class = VALUE_STRP, .u = v->u };

	if (v->class != VALUE_STRX)
		return *v;
	if (!lac_strx_offset(u->sections, &u->form, u->str_offsets_base,
			     &place.u))
		place.class = VALUE_NONE;
	return place;
}

/* Where its bytes lie, so that equal places are equal names. */
static inline void mix_name(const struct lac_scan_unit *u, struct lac_print *h,
			    const struct lac_value *name)
{
	struct lac_value v;

	if (name->class == VALUE_STRX) {
		v = place_of(u, name);
		name = &v;
	}
	mix_value(h, 1, name);
}

static inline struct lac_print
name_print(const struct lac_scan_unit *u, const struct lac_value *name)
{
	struct lac_print h = { 1, 2 };

	mix_name(u, &h, name);
	return h;
}

static inline const char *name_text(const struct lac_scan_unit *u,
				    const struct lac_value *name)
{
	return lac_value_text(u->sections, &u->form, u->str_offsets_base, name);
}

/*
 * Fill u, whose sections are set, from the bytes of unit number index: its
 * entries in the order of the file, and of its root what line is to have.
 * LAC_UNSUPPORTED where only the slow way can read it.
 */
LAC_MUST_CHECK enum lac_status
lac_scan_walk(struct lac_scan_unit *u, size_t index,
	      const struct lac_dwarf_unit *header, struct lac_line_unit *line,
	      struct lac_err *err);
void lac_scan_unit_destroy(struct lac_scan_unit *u); /* NULL is a no-op */

#endif

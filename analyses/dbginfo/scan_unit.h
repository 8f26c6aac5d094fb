/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scan_unit.h - the types of one unit as the walk over its bytes finds them.
 * Of no use outside of scan*.c.
 */
#ifndef LAC_SCAN_UNIT_H
#define LAC_SCAN_UNIT_H

#include "base/arena.h"
#include "dbginfo/scan.h"
#include "dbginfo/scanned.h"
#include "dbginfo/lines.h"
#include "dbginfo/print.h"
#include "dbginfo/table.h"

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
	IS_RECORD = 64,
	SAME_BY_NAME = 128, /* how it is reached makes no difference */
};

/* An entry that is a type: what differs from unit to unit.  Kept small. */
struct entry {
	struct lac_known *known; /* whose copy it is, or NULL */
	union {
		uint32_t first; /* of a copy: what its parts refer to, in refs */
		uint32_t body;	/* of what is none: index of the rest */
	};
	uint32_t offset;	 /* in the unit */
	uint32_t type, other; /* offsets; other: signature, containing type */
	uint32_t print[2];    /* by value, by name; LAC_NONE until known */
	uint32_t typedef_name; /* the entry that names it, or NO_ENTRY */
	uint16_t tag;
	uint8_t flags;
};

struct body {
	struct lac_print self;	/* all that it and its parts say themselves */
	struct lac_print print;	/* of name and scope */
	struct lac_value name;
	uint32_t completes;	/* offset of the declaration, for a record */
	uint32_t first, last;	/* what its parts refer to, linked */
	uint32_t scope, parent; /* around it; parent: an entry; or NO_ENTRY */
};

struct child { /* the type of a member or a parameter */
	uint32_t type, next;
};

struct scope {
	uint32_t parent;
	struct lac_print print;
	struct lac_value name;
};

/*
 * An entry that has been taken apart, to know it again.  There are more of them
 * than a cache holds, so each is one piece, as small as can be.
 */
struct lac_known {
	struct lac_print own;	/* what it and its parts say by their bytes */
	struct lac_known *next; /* what came after it lately, or NULL */
	uint32_t number;	/* among all of the thread: of its body */
	/*
	 * By value and by name: its print when it was last asked for.  What
	 * that was made of is in seen, in two halves if it is two.
	 */
	uint32_t named[2], print[2];
	uint16_t nrefs; /* of its parts */
	uint16_t tag;
	uint8_t flags;
	bool simple : 1; /* a pointer and the like: told by what it refers to */
	bool two : 1;	 /* it makes a difference how it is reached */
	bool typedefed : 1; /* its print was last made with a typedef's name */
	uint32_t seen[]; /* the prints of its own references, of its parts' */
};

#define KNOWN_OWN_REFS 2u /* at the most, beside those of its parts */

#define KNOWN_RECENT 1024u

/* Of one thread, for all its units.  Of use to scan_known.c alone. */
struct lac_known_set {
	struct lac_known **v;
	uint32_t n, cap;
	struct lac_known *last; /* the one that was met last, or NULL */
	struct lac_known *recent[KNOWN_RECENT]; /* by hash: lately met */
	struct body *bodies; /* by number */
	struct lac_print *typedefs; /* likewise: see typedefed */
	uint32_t bodies_cap, typedefs_cap;
	struct lac_arena *arena;
	size_t bytes;
	struct lac_table table;
};

struct lac_scan_unit {
	size_t index;
	const struct lac_dwarf_unit *header;
	const unsigned char *bytes; /* of the unit, from its header on */
	struct lac_known_set known;
	struct lac_unit_form form;
	struct lac_abbrev_set *declared; /* of the thread */
	struct lac_abbrevs abbrevs; /* of that set */
	struct entry *entries;
	struct child *children;
	struct scope *scopes;
	uint32_t *slots; /* see entry_at() */
	struct body *bodies;
	uint32_t *refs; /* offsets of types: see entry */
	uint32_t nentries, nchildren, nscopes, nbodies, nrefs;
	uint32_t entries_cap, children_cap, scopes_cap, bodies_cap, refs_cap;
	uint64_t nslots, length; /* length: bytes of the unit */
	uint64_t str_offsets_base;
	const struct lac_raw_sections *sections;
	bool scoped;
	int depth;
};

static inline uint32_t get32(const unsigned char *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[3] << 24;
}

#define SLOT_SHIFT 2 /* entries hardly ever lie closer */

/* The entry at an offset, or NO_ENTRY: the last one of its slot, or before. */
static inline uint32_t entry_at(const struct lac_scan_unit *u, uint32_t at)
{
	uint32_t id = at < u->nslots << SLOT_SHIFT ?
			      u->slots[at >> SLOT_SHIFT] : NO_ENTRY;

	if (id >= u->nentries)
		return NO_ENTRY;
	if (u->entries[id].offset == at)
		return id;
	for (unsigned i = 1; i < 1u << SLOT_SHIFT && i <= id; i++)
		if (u->entries[id - i].offset == at)
			return id - i;
	return NO_ENTRY;
}

static inline struct body *body_of(const struct lac_scan_unit *u,
				   const struct entry *e)
{
	return e->known ? &u->known.bodies[e->known->number] :
			  &u->bodies[e->body];
}

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
 * Make u, whose sections are set, ready for unit number index, and fill what is
 * kept of it; *entries is then at the root.
 */
LAC_MUST_CHECK enum lac_status
lac_scan_open(struct lac_scan_unit *u, size_t index,
	      const struct lac_dwarf_unit *header, struct lac_scanned *kept,
	      struct lac_cursor *entries, struct lac_err *err);

/*
 * Fill u, whose sections are set, from the bytes of unit number index: its
 * entries in the order of the file; and what is kept of it.  LAC_UNSUPPORTED
 * where only the slow way can read it.
 */
LAC_MUST_CHECK enum lac_status
lac_scan_walk(struct lac_scan_unit *u, size_t index,
	      const struct lac_dwarf_unit *header, struct lac_scanned *kept,
	      struct lac_err *err);
void lac_scan_unit_destroy(struct lac_scan_unit *u); /* NULL is a no-op */

/* Where entry id is declared, as its unit numbers files; LAC_NO_FILE, 0. */
void lac_scan_place(const struct lac_scan_unit *u, uint32_t id, uint64_t *file,
		    uint64_t *line);

/* -- scan_code.c ---------------------------------------------------------- */

/*
 * From p, within a function, to the next entry that is no code or is not of the
 * usual forms, or behind the function.  *depth is the level of what is at p,
 * and then of what is at the place returned; it stays below max.
 */
const unsigned char *lac_code_skip(const struct lac_abbrevs *table,
				   const unsigned char *p,
				   const unsigned char *end, unsigned max,
				   unsigned *depth);

/* -- scan_print.c --------------------------------------------------------- */

/* The print of entry id by value. */
LAC_MUST_CHECK enum lac_status lac_scan_print(struct lac_scan *s,
					      struct lac_scan_unit *u,
					      uint32_t id, uint32_t *ret,
					      struct lac_err *err);

/* The global reference of an offset in the unit. */
static inline lac_die_ref lac_scan_ref(const struct lac_scan *s,
				       const struct lac_scan_unit *u,
				       uint32_t at)
{
	const struct lac_dwarf_unit *header = &s->units[u->index];

	return (header->root & ~(LAC_DIE_TYPES - 1)) | (header->offset + at);
}

/* -- scan_known.c: only for types in no scope, of little-endian DWARF32 --- */

LAC_MUST_CHECK enum lac_status lac_known_init(struct lac_known_set *k,
					      struct lac_err *err);
void lac_known_free(struct lac_known_set *k);

/*
 * Of the entry whose code ends at p: the one that said the same, or NULL.
 * *own is what it and its parts say by their bytes, without what they refer to:
 * that is added to u->refs, its own goes to *type.  *next is where its last
 * part ends; NULL if all this cannot be told by the bytes.
 */
struct lac_known *lac_known_find(struct lac_scan_unit *u,
				 const struct lac_abbrev *ab,
				 const unsigned char *p,
				 const unsigned char *end,
				 struct lac_print *own, uint32_t *type,
				 const unsigned char **next);
/*
 * Entry id says h, and its parts refer to what is in u->refs from first on:
 * keep it, if there is room.
 */
void lac_known_add(struct lac_scan_unit *u, const struct lac_abbrev *ab,
		   const struct lac_print *h, uint32_t id, uint32_t first);

#endif

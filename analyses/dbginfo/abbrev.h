/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * abbrev.h - what the codes of entries stand for.
 *
 * Every unit of a kernel declares some hundred abbreviations, of a few thousand
 * kinds in all.  So each declaration is taken apart once, and a unit's table
 * only says which code is which.
 */
#ifndef LAC_ABBREV_H
#define LAC_ABBREV_H

#include "dbginfo/raw.h"

enum lac_abbrev_kind { /* code first */
	ABBREV_OTHER, /* nothing in it matters, but what is below may */
	ABBREV_FUNCTION, /* likewise; a record below is not in one above */
	ABBREV_TYPE,
	ABBREV_RECORD,
	ABBREV_PART, /* of the type around it */
	ABBREV_SCOPE, /* a namespace */
	ABBREV_IMPORT, /* of another unit */
};

/* How an equal type of an earlier unit is found again: see scan_known.c. */
enum lac_abbrev_known {
	KNOWN_NEVER,
	KNOWN_SIMPLE,	/* told by little but what it refers to */
	KNOWN_IN_ORDER, /* it mostly follows the same one */
	KNOWN_ANYWHERE,
};

#define LAC_MASK_WORDS 3

#define LAC_SKIP_BLOCKS 3

/* How to get behind the values of an entry that is of no type, in few bytes. */
struct lac_skip {
	uint16_t fixed; /* bytes, where there are no blocks */
	/* else before each block, which begins with its length, and at the end */
	uint8_t before[LAC_SKIP_BLOCKS + 1];
	uint8_t nblocks;
	bool can : 1, children : 1; /* can: this says it all */
};

struct lac_abbrev {
	uint16_t tag;
	uint8_t kind;  /* enum lac_abbrev_kind */
	uint8_t known; /* enum lac_abbrev_known */
	bool children;
	bool indirect; /* a value that matters tells its form itself */
	/*
	 * plain: which bytes of an entry tell it from others can be said
	 * beforehand.  There are size bytes, of which mask has those that tell,
	 * and, at ref_at, four of a reference to its type.  A name that is in
	 * the entry itself, and ends with a zero, is before (named) or behind
	 * (named_last) them; or a number of any length is behind.
	 */
	bool plain, named, named_last, has_ref, number;
	uint8_t size, ref_at, nwords;
	uint16_t shape; /* the same for all whose bytes tell the same; or 0 */
	uint32_t fixed; /* bytes of all attributes, or LAC_NOT_FIXED */
	struct lac_skip skip;
	uint32_t nops;
	const struct lac_op *ops;
	uint64_t mask[LAC_MASK_WORDS];
};

#define LAC_NOT_FIXED UINT32_MAX

/* Every declaration that was met; one thread at a time. */
struct lac_abbrev_set;

/*
 * all: what any entry says matters but code, and of functions, variables and
 * parameters the type does; else only what types, and what is around them, say.
 * NULL: no memory.
 */
struct lac_abbrev_set *lac_abbrev_set_create(bool all);
void lac_abbrev_set_destroy(struct lac_abbrev_set *s); /* NULL is a no-op */

/* What an attribute of an entry is to us, in a set of all; or SLOT_SKIP. */
enum lac_slot lac_any_slot(uint16_t at, uint16_t tag);

/* A unit's table, by code. */
struct lac_abbrevs {
	const struct lac_abbrev **v; /* NULL: no such code */
	struct lac_skip *skip;	     /* likewise; all zeros */
	uint32_t n, cap;
};

/*
 * The table at that offset of .debug_abbrev, which must outlive the set; *ret
 * is the set's, and the same for units that share it.  LAC_BAD_INPUT if it is
 * damaged; LAC_UNSUPPORTED if only libdwarf can read entries by it: of codes
 * that are no numbers in a row, or of values that tell their form themselves.
 */
LAC_MUST_CHECK enum lac_status
lac_abbrevs_read(struct lac_abbrev_set *s, struct lac_bytes section,
		 uint64_t at, const struct lac_unit_form *f,
		 const struct lac_abbrevs **ret, struct lac_err *err);

static inline const struct lac_abbrev *
lac_abbrev_of(const struct lac_abbrevs *a, uint64_t code)
{
	return code < a->n ? a->v[code] : NULL;
}

#endif

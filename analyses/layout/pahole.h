/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pahole.h - what pahole prints, read back and held against our own layouts.
 * Two readers that have no line of code in common and agree on every record are
 * the reason to trust either.
 */
#ifndef LAC_PAHOLE_H
#define LAC_PAHOLE_H

#include "layout/layout.h"

/* A member, or an anonymous record that was opened and is closed here. */
struct lac_pahole_member {
	const char *name; /* "" for none */
	uint64_t bit_offset;
	uint64_t bit_size;
	bool bitfield;
	bool unsized; /* a member of a type that is only declared (ours) */
	bool record;  /* of a struct or union type (ours) */
	bool typeless; /* shown without a type (theirs) */
};

struct lac_pahole_record {
	const char *kind; /* "struct", "union", "class" */
	const char *name; /* of the record or of the typedef for it */
	bool has_size;	  /* unions come without a summary */
	uint64_t size;	  /* bytes */
	uint64_t hole_bits, padding_bits;
	uint64_t shown_hole_bits; /* those that it names one by one (theirs) */
	uint64_t unknown_bits;	  /* ours alone */
	uint32_t unplaced; /* members whose place the program works out (ours) */
	uint32_t nmembers;
	struct lac_pahole_member *members; /* by offset, then name */
	const char *unread; /* a line in it that makes no sense; NULL */
};

struct lac_pahole_text {
	uint32_t nrecords;
	struct lac_pahole_record *records;
};

/*
 * Parse the output of `pahole FILE`.  Never fails on odd text: a record that
 * was not understood says so in `unread`.  Everything lives in the arena.
 */
LAC_MUST_CHECK enum lac_status lac_pahole_parse(const char *text,
						struct lac_arena *arena,
						struct lac_pahole_text *ret,
						struct lac_err *err);

/* The same for one of our records. */
LAC_MUST_CHECK enum lac_status lac_pahole_flatten(const struct lac_layout *l,
						  struct lac_arena *arena,
						  struct lac_pahole_record *ret,
						  struct lac_err *err);

/* One thing that the two say differently; "" where one says nothing. */
struct lac_pahole_difference {
	const char *what;   /* "size", "member", "holes", "padding", "unread" */
	const char *member; /* NULL where it is the record */
	const char *ours, *theirs;
	uint64_t bit_offset, bit_size; /* of the member */
};

/* All of them, in the arena; *n may be 0. */
LAC_MUST_CHECK enum lac_status
lac_pahole_compare(const struct lac_pahole_record *ours,
		   const struct lac_pahole_record *theirs,
		   struct lac_arena *arena, struct lac_pahole_difference **ret,
		   uint32_t *n, struct lac_err *err);

/*
 * Why a difference is a defect of pahole: a sentence with the proof, from what
 * pahole itself prints or from the record; NULL if there is none.
 */
const char *lac_pahole_defect(const struct lac_pahole_record *ours,
			      const struct lac_pahole_record *theirs,
			      const struct lac_pahole_difference *d);

#endif

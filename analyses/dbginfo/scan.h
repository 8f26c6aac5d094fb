/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scan.h - one pass over the bytes of each unit that finds every record and
 * tells by a fingerprint whether an equal one has been seen.
 *
 * The fingerprint of an entry covers all that lac_build_* reads of it and of
 * the types it is made of: names (as places in string sections), figures,
 * members; what a pointer leads to by its name only, as in pool.h.  It never
 * covers offsets within the unit or abbreviation codes.  It may tell equal
 * types apart (another string of the same text); the pool merges those.
 */
#ifndef LAC_SCAN_H
#define LAC_SCAN_H

#include "dbginfo/build.h"
#include "dbginfo/print.h"
#include "dbginfo/scanned.h"

/* A reference out of a first-seen entry, and what it turned out to be. */
struct lac_print_edge {
	uint64_t key;	/* ref << 1 | by_name */
	uint32_t print; /* index into prints */
};

/* One fingerprint: where it was seen first. */
struct lac_print_entry {
	uint64_t key;	   /* ref << 1 | by_name */
	lac_die_ref root;  /* the first that stands for itself; or NONE */
	bool record;	   /* to be listed with its units */
	bool payload;
	uint32_t first_edge, nedges, parent; /* parent: print, or LAC_NONE */
	const char *name, *typedef_name, *scope; /* see lac_note */
	uint64_t decl_file, decl_line;	     /* of root */
};

/* The print of a pointer, by what it is otherwise and its target's print. */
struct lac_print_memo {
	uint32_t what; /* number of the known one << 1 | by_name; or NONE */
	uint32_t target, print;
};

#define SCAN_MEMO_BITS 14

#define LAC_SCAN_UNIT 0x80000000u

/* What one thread has found.  Units must come in ascending order. */
struct lac_scan {
	const struct lac_raw_sections *sections;
	const struct lac_dwarf_unit *units;
	size_t nunits;
	struct lac_scanned *kept; /* by unit; filled in, of the others zero */
	struct lac_arena *arena;
	struct lac_print_entry *prints;
	struct lac_print *values; /* of prints; apart, to keep them close */
	bool *rooted; /* of prints: they have a root; apart as well */
	uint32_t nprints, prints_cap, values_cap, rooted_cap;
	/* unit | LAC_SCAN_UNIT, the prints of its records; the next unit ... */
	uint32_t *log, nlog, log_cap;
	struct lac_table table;
	struct lac_print_edge *edges;
	uint32_t nedges, edges_cap;
	uint32_t *stack; /* prints of what an entry refers to */
	uint32_t nstack, stack_cap;
	struct lac_print_memo *memo;
	struct lac_scan_unit *current;
	enum lac_status st; /* of the print that is being made, with *err */
	struct lac_err *err;
};

LAC_MUST_CHECK enum lac_status
lac_scan_init(struct lac_scan *s, const struct lac_raw_sections *sections,
	      const struct lac_dwarf_unit *units, size_t nunits,
	      struct lac_scanned *kept, struct lac_err *err);
void lac_scan_deinit(struct lac_scan *s);

/*
 * LAC_UNSUPPORTED if the unit has something that only the slow way can read,
 * such as references into another file.
 */
LAC_MUST_CHECK enum lac_status lac_scan_unit(struct lac_scan *s, size_t unit,
					     struct lac_err *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * found.h - what threads find that scan the bytes of units: fingerprints, put
 * together, with the roots among them in the order of the file.
 */
#ifndef LAC_FOUND_H
#define LAC_FOUND_H

#include <stdatomic.h>

#include "base/threads.h"
#include "dbginfo/scan.h"

struct lac_scan_worker {
	struct lac_found *found;
	struct lac_scan scan;
	size_t at; /* the unit of the error */
	enum lac_status st;
	struct lac_err err;
};

/* A fingerprint of all threads. */
struct lac_found_print {
	uint32_t worker, print; /* where it was seen first */
	uint32_t root_worker, root_print;
	lac_die_ref root; /* or LAC_DIE_NONE */
	uint64_t key;	  /* what is expanded for it: ref << 1 | by_name */
};

struct lac_found {
	const struct lac_raw_sections *sections;
	const struct lac_dwarf_unit *units;
	size_t nunits;
	struct lac_scanned *kept; /* by unit */
	struct lac_scan_worker *workers;
	unsigned nworkers;
	struct lac_found_print *prints;
	uint32_t nprints;
	uint32_t *ids[LAC_THREADS_MAX]; /* a thread's print -> prints */
	uint32_t *roots; /* prints that have one, in the order of the file */
	size_t nroots;
	struct lac_canon canon;
	/* of the scanning */
	struct lac_table_slot *slots;
	uint32_t slots_cap;
	atomic_size_t next;
	atomic_bool stop;
};

/*
 * Scan the units of b, and put them into its pool.  *f is zero
 * before, and the caller's to free after, whatever the status.  threads: 0 for
 * as many as there are processors.  LAC_UNSUPPORTED if the units hold what
 * only the plain way can read.
 */
LAC_MUST_CHECK enum lac_status
lac_found_scan(struct lac_found *f, struct lac_build *b,
	       const struct lac_raw_sections *sections, unsigned threads,
	       struct lac_err *err);
void lac_found_free(struct lac_found *f);

/* What a thread knows of a print that it saw. */
static inline struct lac_print_entry *lac_found_entry(const struct lac_found *f,
						      unsigned worker,
						      uint32_t print)
{
	return &f->workers[worker].scan.prints[print];
}

#endif

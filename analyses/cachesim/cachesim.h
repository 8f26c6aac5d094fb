/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cachesim.h - set-associative data caches in one CPU.
 *
 * What is modelled.  Data side, one CPU.  One to three levels of any number of
 * sets and up to 32 ways, true LRU, write-back, write-allocate, neither
 * inclusive nor exclusive.  Optionally a prefetcher of the adjacent line, and a
 * data TLB of 4 KiB pages.
 * What is not.  Instruction fetch, latency, hashing of sets over slices,
 * physical addresses (the caller's line numbers choose the sets), other
 * prefetchers, other CPUs (coherent.h).
 *
 * Counting rules.
 * - The unit is the probe of one line.  An access that straddles two lines is
 *   two probes, in address order; the caller counts it as one access.
 * - A level is probed if all before it missed.  Misses are demand misses.
 *   hits + misses = probes, at each level.
 * - A line that misses is filled into every level that missed.
 * - A dirty line that leaves a level is written to the next one, allocates
 *   there, and becomes its most recent; that is a writeback of the level that it
 *   left, and no demand miss of the one it goes to.  Out of the last level it
 *   goes to memory.  The victim of L1 is written before L2 is probed, and so on.
 * - Adjacent prefetch: an L2 demand miss on line x also brings line x ^ 1 into
 *   L2 if it is not there, as the next victim (it becomes more recent when it is
 *   used).  It is looked for in the last level, which it enters on a miss.
 *   Counted as a prefetch only.
 * - A TLB miss is counted for each probe whose page is not among the entries.
 */
#ifndef LAC_CACHESIM_H
#define LAC_CACHESIM_H

#include <stdbool.h>

#include "cachesim/geometry.h"

/* Line numbers have 31 bits; this one is never used. */
#define LAC_LINE_NONE 0x7fffffffu

struct lac_cachesim;

struct lac_cachesim_counts {
	uint64_t probes;
	uint64_t misses[LAC_CACHE_LEVELS];
	uint64_t writebacks[LAC_CACHE_LEVELS];
	uint64_t prefetches;
	uint64_t tlb_misses;
};

/* Empty caches.  Owned by the caller. */
enum lac_status lac_cachesim_create(const struct lac_cache_geometry *g,
				    struct lac_cachesim **ret,
				    struct lac_err *err);
void lac_cachesim_destroy(struct lac_cachesim *c); /* NULL is a no-op */

/*
 * One probe; line < LAC_LINE_NONE.  Which level had the line: 0 for L1, 1 for
 * L2, ..., the number of levels for memory.
 */
unsigned int lac_cachesim_probe(struct lac_cachesim *c, uint32_t line,
				bool write);

/* n probes in turn, each line << 1 | write: as they are recorded (tracer.h). */
void lac_cachesim_replay(struct lac_cachesim *c, const uint32_t *probe,
			 size_t n);

/* What was counted since the last reset; resetting leaves the lines in place. */
struct lac_cachesim_counts
lac_cachesim_counts(const struct lac_cachesim *c);
void lac_cachesim_reset_counts(struct lac_cachesim *c);

/* Use the plain C path even if the CPU has AVX2; for tests. */
void lac_cachesim_force_plain(struct lac_cachesim *c);

#endif

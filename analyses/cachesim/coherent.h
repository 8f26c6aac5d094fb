/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * coherent.h - private caches of several CPUs, kept coherent.
 *
 * What is modelled.  Each CPU has an L1 and an L2 that includes it: LRU,
 * write-allocate.  A directory knows for each line who holds it and whether one
 * CPU owns it, exclusively or modified (MESI).  All that lies behind is one
 * place without limits.
 * What is not.  A shared last level, distance between CPUs, store buffers,
 * reordering (accesses are sequentially consistent), prefetch, TLB.
 *
 * Counting rules, by probe of one line.
 * - A read fetches a line that the CPU does not hold; a write also makes it the
 *   only holder.  A write to a line that it holds shared is an upgrade.
 * - HITM: the line that is fetched is modified in another CPU's caches.
 * - An invalidation: a copy that another CPU's write took away.
 * - A coherence miss: an L2 miss that is a HITM, or that of a CPU whose last copy
 *   was invalidated.  It is true sharing if bytes that are asked for are among
 *   those that the last writer wrote since it became owner; else false sharing.
 *   (Writers before the last one are not remembered.)
 * - Bytes are told apart to 1/64 of a line.
 * Latencies are invented, but ordered as real ones are.
 */
#ifndef LAC_CACHESIM_COHERENT_H
#define LAC_CACHESIM_COHERENT_H

#include <stdbool.h>

#include "cachesim/geometry.h"

enum { LAC_CPUS_MAX = 128 };

enum { /* cycles */
	LAC_CYCLES_L1 = 4,
	LAC_CYCLES_L2 = 12,
	LAC_CYCLES_FAR = 40,	    /* from what lies behind L2 */
	LAC_CYCLES_HITM = 90,	    /* from another CPU's modified line */
	LAC_CYCLES_UPGRADE = 40,    /* shared to modified */
	LAC_CYCLES_INVALIDATE = 20, /* added when a fetch for writing finds
				     * other holders */
};

enum lac_sharing { LAC_SHARING_NONE, LAC_SHARING_TRUE, LAC_SHARING_FALSE };

struct lac_coherent_result {
	unsigned int found; /* 0: L1, 1: L2, 2: beyond */
	bool hitm, upgrade;
	bool moved; /* another cache had to act */
	unsigned int invalidated; /* copies */
	enum lac_sharing sharing;
	unsigned int other_part; /* written last: 1/64 of the line */
	uint32_t cycles;
};

struct lac_coherent;

/* LAC_USAGE if several CPUs with these caches cannot be simulated. */
enum lac_status lac_coherent_check(const struct lac_cache_geometry *g,
				   struct lac_err *err);

/* Uses level[0] and level[1]; LAC_USAGE as lac_coherent_check() has it. */
enum lac_status lac_coherent_create(const struct lac_cache_geometry *g,
				    unsigned int cpus, struct lac_coherent **ret,
				    struct lac_err *err);
void lac_coherent_destroy(struct lac_coherent *c);

/*
 * One probe by cpu of the 64ths of line in parts (not 0).  False when out of
 * memory: the probe was not simulated.
 */
bool lac_coherent_probe(struct lac_coherent *c, unsigned int cpu, uint32_t line,
			uint64_t parts, bool write,
			struct lac_coherent_result *ret);

/*
 * When a transfer of the line that begins at `start` and takes `cycles` ends:
 * transfers of one line happen one after another.
 */
uint64_t lac_coherent_transfer(struct lac_coherent *c, uint32_t line,
			       uint64_t start, uint32_t cycles);

#endif

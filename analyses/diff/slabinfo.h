/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slabinfo.h - /proc/slabinfo, versions 2.0 and 2.1: how many objects of each
 * cache a machine had when the file was taken.
 */
#ifndef LAC_SLABINFO_H
#define LAC_SLABINFO_H

#include "diff/diff.h"

struct lac_slab_cache {
	const char *name;
	uint64_t active, total; /* objects */
	uint64_t object_bytes;
	uint64_t per_slab, pages_per_slab;
	uint64_t slabs; /* total / per_slab where the file does not say */
};

struct lac_slabinfo {
	uint32_t n;
	struct lac_slab_cache *caches;
};

/* LAC_BAD_INPUT with line and column; *ret in the arena. */
LAC_MUST_CHECK enum lac_status lac_slabinfo_parse(const char *path,
						  const char *text, size_t size,
						  struct lac_arena *arena,
						  struct lac_slabinfo *ret,
						  struct lac_err *err);

/*
 * Give the records that have a cache in the file their live objects.  A cache
 * belongs to a record if it is called after it ("kernfs_node_cache" and
 * kernfs_node) and its objects have the record's size in one of the builds, up
 * to alignment and a free pointer behind them.  cpus as in lac_diff_options.
 * Ranks the records anew.
 */
void lac_diff_weigh(struct lac_diff *d, const struct lac_slabinfo *s,
		    uint32_t cpus);

#endif

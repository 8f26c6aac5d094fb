/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slabinfo.h - /proc/slabinfo, versions 2.0 and 2.1: how many objects of each
 * cache a machine had when the file was taken, and what a change of a record
 * costs for that many.
 */
#ifndef LAC_SLABINFO_H
#define LAC_SLABINFO_H

#include "diff/diff.h"

/* What record the two builds have for a cache. */
enum lac_cache_record {
	LAC_CACHE_NONE,
	/* none of its name; one of the names that such a cache has, and size */
	LAC_CACHE_GUESSED,
	LAC_CACHE_NAMED,
};

struct lac_slab_cache {
	const char *name;
	uint64_t active, total; /* objects */
	uint64_t object_bytes;	/* what one takes, with all that is around it */
	uint64_t per_slab, pages_per_slab;
	uint64_t slabs; /* total / per_slab where the file does not say */
	enum lac_cache_record record; /* lac_diff_compute() puts it in */
};

struct lac_slabinfo {
	const char *path;
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
 * The number of processors with which SLUB's rule gives the most caches the
 * slabs that they have in the file, *agree of them; fallback, if no other is
 * better.
 */
uint32_t lac_slabinfo_cpus(const struct lac_slabinfo *s, uint32_t fallback,
			   uint32_t *agree);

/* The build that the machine ran. */
enum lac_slab_side { LAC_SLAB_SIDE_UNKNOWN, LAC_SLAB_SIDE_OLD,
		     LAC_SLAB_SIDE_NEW };

struct lac_slab_weighing {
	enum lac_slab_side side; /* UNKNOWN: nothing to weigh */
	/* caches whose objects fit a record of that build better */
	uint32_t like_old, like_new;
	/*
	 * Called after a record, but its objects can be that of neither build:
	 * the file is of another one.  Of the rest nothing can be told.
	 */
	uint32_t like_neither;
	uint32_t nweighed;
	/* named after a record, but not of its size in the build that ran */
	uint32_t nmisfits;
	const char **misfits;
	/* for which neither build has a record; largest first */
	uint32_t nwithout;
	const struct lac_slab_cache **without;
	/* of objects in use: of all caches, of those weighed, and of these */
	uint64_t bytes, weighed_bytes, without_bytes;
};

/*
 * Give the records that have a cache in the file their live objects, and rank
 * the records anew.  A cache belongs to a record if it is called after it
 * ("kernfs_node_cache" and kernfs_node) and its objects can be records of the
 * build that ran: of that size, or with an alignment, a free pointer or the
 * allocator's debugging added, which the other build's objects then get, too.
 * A cache that no record of either build is called after may be that of a
 * well-known pair (skbuff_head_cache and sk_buff, ext4_inode_cache and
 * ext4_inode_info), if a rule makes the object's size of the record's: a guess.
 * The diff has to be computed with this file among its options.
 *
 * Which build ran is decided once for the file, by the sizes, unless asked
 * says.  LAC_USAGE if they do not decide it, or if more than a third are like
 * neither.  LAC_UNSUPPORTED for pages that are not of 4096 bytes.  cpus as in
 * lac_diff_options.
 */
LAC_MUST_CHECK enum lac_status
lac_diff_weigh(struct lac_diff *d, const struct lac_slabinfo *s,
	       enum lac_slab_side asked, uint32_t cpus,
	       struct lac_slab_weighing *ret, struct lac_err *err);

#endif

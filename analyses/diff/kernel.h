/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernel.h - struct page and SLUB's own records before and after, changed or
 * not: which variant a build is, whether its pair can be swapped at once.
 */
#ifndef LAC_DIFF_KERNEL_H
#define LAC_DIFF_KERNEL_H

#include "diff/diff.h"

enum lac_tristate { LAC_NO, LAC_YES, LAC_CANNOT_TELL };

struct lac_kernel_side {
	bool present;
	uint64_t size;	/* bytes */
	uint32_t align; /* bytes; 0 if the format does not tell */
	uint64_t lines;
	/* {freelist, counters}, or {freelist, tid} of a processor */
	bool has_pair;
	uint64_t pair_offset; /* bytes */
	/*
	 * The pair lies on a 16-byte border in every object.  A struct slab is
	 * a struct page in disguise: its place is that of the page.  SLUB asks
	 * for kmem_cache_cpu with an alignment of two pointers.
	 */
	enum lac_tristate pair_aligned;
	/* struct page: "aligned" (64 bytes, 16-aligned), "packed" (56), ... */
	const char *variant;
	const char *lock, *lock_type; /* NULL if it has none */
	uint64_t lock_size;	      /* bytes */
};

struct lac_kernel_row {
	const char *name;
	struct lac_kernel_side old_side, new_side;
};

struct work;

/* Fills d->kernel if one of the builds is a kernel; internal to diff/. */
LAC_MUST_CHECK enum lac_status lac_diff_kernel(struct work *w,
					       struct lac_err *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * region.h - arrays of equal elements, and what happened at each byte of one.
 *
 * A region is count elements of stride bytes from base on.  A view is what its
 * layout repeats after: period elements.  Counts are kept for each byte offset in
 * a view; which member lies there is for the reader of the debug information to
 * say.  Invariant: the cells' sums are the region's totals.
 *
 * What is counted often is counted line by line first: a line lies in the view
 * in one of a few ways, its phase, and each phase has a row of counts by byte.
 * lac_region_settle() adds them to the cells.
 */
#ifndef LAC_CACHESIM_REGION_H
#define LAC_CACHESIM_REGION_H

#include <stdbool.h>

#include "cachesim/cachesim.h"

struct lac_region_spec {
	const char *name;
	const char *type; /* struct tag; NULL: no struct */
	const char *view; /* struct tag of a view; NULL: none */
	const void *base;
	uint32_t stride;  /* bytes, 2 .. 65536 */
	uint32_t period;  /* elements a view */
	uint64_t count;	  /* elements */
	uint64_t bytes;	  /* 0: stride * count; else the whole region */
	uint64_t block;	  /* elements restart at multiples of this power of
			   * two from base; 0: they run on */
};

/* Counts at one byte offset of the view, or of a whole region. */
struct lac_cell {
	uint64_t accesses;  /* that began at this byte */
	uint64_t straddles; /* of these, those that went on to the next line */
	uint64_t misses[LAC_CACHE_LEVELS];
	/* several CPUs only */
	uint64_t hitm, true_sharing, false_sharing;
};

/* False sharing between two places, in a window of two views. */
struct lac_sharing_pair {
	uint32_t offset, other_offset; /* asked for; written by the other CPU */
	uint64_t count;
};

/* Accesses, and misses of each level: the parts of a row. */
enum { LAC_ROW_PARTS = 1 + LAC_CACHE_LEVELS };

struct lac_region {
	struct lac_region_spec spec;
	uint64_t base, bytes, block_mask, inverse;
	/* of an offset from base, the offset in the view; 0: a division */
	uint64_t view_mask;
	uint32_t view_bytes;
	struct lac_cell *cell; /* view_bytes of them */
	uint64_t *touched;     /* a bit a line: in this round */
	uint64_t *ever;	       /* a bit a line: in any round */
	uint64_t lines;	       /* how many there are */
	uint64_t first_line;   /* address of the first one / line size */
	uint64_t lines_touched, lines_footprint;
	/*
	 * By phase, then for the first and the last line, where these are
	 * not wholly the region's: line_bytes of accesses, then as many of
	 * misses of each level.  NULL: too many phases.
	 */
	uint64_t *row;
	uint64_t *row_of_0; /* where the one of offset 0 would begin */
	uint64_t inner; /* lines that begin so near behind base are its own */
	uint64_t first_start, span; /* of its lines, all together */
	uint32_t skew;	/* offset in the view of the first phase */
	uint32_t phase_bytes, phases;
	unsigned int row_shift; /* a row is phase_bytes << row_shift counts */
	bool pointers; /* so it seems: elements are words, of no struct */
	bool first_shared, last_shared; /* with another region */
	/*
	 * All in one window: line numbers are those of the address plus
	 * line_delta, and direct is inner; else 0.
	 */
	uint64_t direct;
	uint32_t line_delta;
	struct lac_sharing_pair *pair;
	size_t npairs, pairs_room;
};

enum lac_status lac_region_init(struct lac_region *r,
				const struct lac_region_spec *spec,
				uint32_t line_bytes, struct lac_err *err);
void lac_region_deinit(struct lac_region *r);
void lac_region_reset(struct lac_region *r);

void lac_region_next_round(struct lac_region *r);

/* What is in rows goes into the cells. */
void lac_region_settle(struct lac_region *r);

/* Sum over the cells. */
struct lac_cell lac_region_total(const struct lac_region *r);

/* Out of memory only loses the pair, not the counts. */
void lac_region_add_pair(struct lac_region *r, uint32_t offset,
			 uint32_t other_offset);

static inline __attribute__((always_inline)) bool
lac_region_has(const struct lac_region *r, uint64_t addr)
{
	return addr - r->base < r->bytes;
}

/* Byte offset in the view; addr is in the region. */
static inline __attribute__((always_inline)) uint32_t
lac_region_offset(const struct lac_region *r, uint64_t addr)
{
	__extension__ typedef unsigned __int128 u128;
	uint64_t off = addr - r->base, index;

	if (__builtin_expect(r->view_mask != 0, 1))
		return (uint32_t)(off & r->view_mask);
	off &= r->block_mask;
	index = (uint64_t)((u128)off * r->inverse >> 64);
	return (uint32_t)(off - index * r->view_bytes);
}

uint64_t *lac_region_edge(const struct lac_region *r, uint64_t start);

/* The row of a line that is wholly its own, less than inner behind its base. */
static inline __attribute__((always_inline)) uint64_t *
lac_region_inner_row(const struct lac_region *r, uint64_t start)
{
	size_t phase = lac_region_offset(r, start);

	return r->row_of_0 + (phase << r->row_shift);
}

/*
 * The row of any line of the region's, which begins at start; NULL: what
 * happens there cannot be counted so.
 */
static inline uint64_t *lac_region_row(const struct lac_region *r,
				       uint64_t start)
{
	return start - r->base < r->inner ? lac_region_inner_row(r, start)
					  : lac_region_edge(r, start);
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* reorder_search.h - what reorder.c has searched, in blocks of members. */
#ifndef LAC_REORDER_SEARCH_H
#define LAC_REORDER_SEARCH_H

#include "layout/internal.h"

/* Members that stay together, in their order. */
struct lac_block {
	uint32_t first, n; /* members, and bricks */
	uint32_t section;  /* blocks stay in the order of their sections */
	bool rigid;	   /* it has to start at its phase */
	uint64_t phase;	   /* bits, modulo those of lac_blocks.phase_bytes */
	uint64_t bits;	   /* of its bricks, fills included */
};

struct lac_blocks {
	const struct lac_brick *bricks;
	const struct lac_block *blocks;
	uint32_t n;
	uint32_t align;	      /* bytes, of the record */
	uint32_t phase_bytes; /* at least align */
	uint64_t end_fill;    /* bits behind the last brick */
};

/* An order of blocks, and what it comes to. */
struct lac_block_order {
	uint32_t *order;
	uint64_t size; /* bytes; UINT64_MAX if it breaks a block */
	uint32_t moves;
	bool first_moves;
};

/* Lay a block out from bit pos on; its end. */
static inline uint64_t lac_block_lay(const struct lac_blocks *b, uint32_t i,
				     uint64_t pos)
{
	for (uint32_t k = 0; k < b->blocks[i].n; k++)
		lac_brick_lay(&b->bricks[b->blocks[i].first + k], &pos);
	return pos;
}

/* Bytes of the record in that order; UINT64_MAX if it breaks a block. */
uint64_t lac_blocks_size(const struct lac_blocks *b, const uint32_t *order);

/* Of blocks that ascend up to one: how many, of how many bits. */
struct lac_run {
	uint32_t n, before; /* before: where the one before stands */
	uint64_t bits;
};

/*
 * Which blocks leave their places: all but the most that keep their order, and
 * of those the largest.  How many; moved (may be NULL) by block.
 * runs is room for one of each.
 */
uint32_t lac_blocks_moved(const struct lac_blocks *b, const uint32_t *order,
			  struct lac_run *runs, bool *moved);

/*
 * The best order found, in scratch; false: out of memory.  *least: no order is
 * smaller.
 */
bool lac_blocks_search(const struct lac_blocks *b, struct lac_arena *scratch,
		       struct lac_block_order *ret, bool *least);

/*
 * An order of the least size there is.  1 if it was found, 0 if that is too
 * much to work out, -1 if out of memory.  keep_first: of those that begin with
 * the first block.
 */
int lac_blocks_least(const struct lac_blocks *b, bool keep_first,
		     struct lac_arena *scratch, uint32_t *order);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reorder_search.c - orders of blocks: the least there is, where that can be
 * worked out, and those that move little.
 */
#include "layout/reorder_search.h"

#include <string.h>

#define TRIALS_MAX 3000000u /* blocks laid out in search of fewer moves */

struct search {
	const struct lac_blocks *b;
	struct lac_arena *scratch;
	uint64_t trials;
	uint32_t *trial; /* an order that is tried */
	struct lac_run *runs;
};

/* Bits up to where the last of them ends. */
static uint64_t end_of(const struct lac_blocks *b, const uint32_t *order)
{
	uint64_t pos = 0;

	for (uint32_t k = 0; k < b->n; k++) {
		const struct lac_block *block = &b->blocks[order[k]];
		uint64_t at = pos;

		if (!block->n)
			continue;
		at = lac_brick_lay(&b->bricks[block->first], &at);
		if (block->rigid &&
		    at % ((uint64_t)b->phase_bytes * 8) != block->phase)
			return UINT64_MAX;
		pos = lac_block_lay(b, order[k], pos);
	}
	return pos + b->end_fill;
}

uint64_t lac_blocks_size(const struct lac_blocks *b, const uint32_t *order)
{
	uint64_t end = end_of(b, order);

	return end == UINT64_MAX
		       ? end
		       : lac_round_up(end, (uint64_t)b->align * 8) / 8;
}

uint32_t lac_blocks_moved(const struct lac_blocks *b, const uint32_t *order,
			  struct lac_run *runs, bool *moved)
{
	uint32_t best = LAC_NONE;

	for (uint32_t k = 0; k < b->n; k++) {
		struct lac_run *r = &runs[k];

		*r = (struct lac_run){ .before = LAC_NONE };
		for (uint32_t i = 0; i < k; i++)
			if (order[i] < order[k] &&
			    (runs[i].n > r->n ||
			     (runs[i].n == r->n && runs[i].bits > r->bits)))
				*r = (struct lac_run){ runs[i].n, i,
							runs[i].bits };
		r->n++;
		r->bits += b->blocks[order[k]].bits;
		if (best == LAC_NONE || r->n > runs[best].n ||
		    (r->n == runs[best].n && r->bits > runs[best].bits))
			best = k;
	}
	if (best == LAC_NONE)
		return 0;
	for (uint32_t k = 0; moved && k < b->n; k++)
		moved[k] = true;
	for (uint32_t k = best; moved && k != LAC_NONE; k = runs[k].before)
		moved[order[k]] = false;
	return b->n - runs[best].n;
}

static void judge(struct search *s, struct lac_block_order *o)
{
	o->size = lac_blocks_size(s->b, o->order);
	o->moves = lac_blocks_moved(s->b, o->order, s->runs, NULL);
	o->first_moves = s->b->n && o->order[0] != 0;
	s->trials += s->b->n * (1 + s->b->n / 8);
}

static bool is_better(const struct lac_block_order *a,
		      const struct lac_block_order *b)
{
	if (a->size != b->size)
		return a->size < b->size;
	if (a->first_moves != b->first_moves)
		return b->first_moves;
	return a->moves < b->moves;
}

static void move(uint32_t *order, uint32_t from, uint32_t to)
{
	uint32_t block = order[from];

	if (from > to)
		memmove(order + to + 1, order + to,
			(from - to) * sizeof(*order));
	else
		memmove(order + from, order + from + 1,
			(to - from) * sizeof(*order));
	order[to] = block;
}

/*
 * The first hole that a later block fits into, and the largest such block.
 * false if there is none.
 */
static bool find_filler(struct search *s, const uint32_t *order, uint32_t *hole,
			uint32_t *filler)
{
	const struct lac_blocks *b = s->b;
	uint64_t pos = 0;

	for (uint32_t k = 0; k < b->n; k++) {
		const struct lac_block *block = &b->blocks[order[k]];
		uint64_t start = pos, most = 0;

		start = lac_brick_lay(&b->bricks[block->first], &start);
		for (uint32_t i = k + 1; start > pos && i < b->n; i++) {
			const struct lac_block *other = &b->blocks[order[i]];

			if (other->section != block->section)
				break;
			s->trials++;
			if (other->bits <= most || other->bits > start - pos ||
			    lac_block_lay(b, order[i], pos) > start)
				continue;
			most = other->bits;
			*hole = k;
			*filler = i;
		}
		if (most)
			return true;
		pos = lac_block_lay(b, order[k], pos);
	}
	return false;
}

/* Pull later blocks into holes, as long as there are such. */
static void fill_holes(struct search *s, struct lac_block_order *o)
{
	uint32_t *order = s->trial, hole, filler;
	uint64_t size;

	memcpy(order, o->order, s->b->n * sizeof(*order));
	for (uint32_t i = 0; i < s->b->n && s->trials < TRIALS_MAX &&
			     find_filler(s, order, &hole, &filler);
	     i++) {
		move(order, filler, hole);
		size = lac_blocks_size(s->b, order);
		s->trials += s->b->n;
		if (size < o->size) {
			memcpy(o->order, order, s->b->n * sizeof(*order));
			o->size = size;
		}
	}
	judge(s, o);
}

static uint32_t align_of(const struct lac_blocks *b, uint32_t block)
{
	return b->bricks[b->blocks[block].first].ask.align;
}

/* By section, then by descending alignment; equal ones as declared. */
static void sort(struct search *s, struct lac_block_order *o, uint32_t from)
{
	const struct lac_blocks *b = s->b;

	for (uint32_t k = from; k < b->n; k++) {
		uint32_t to = k, block = o->order[k];

		while (to > from &&
		       b->blocks[o->order[to - 1]].section ==
			       b->blocks[block].section &&
		       align_of(b, o->order[to - 1]) < align_of(b, block))
			to--;
		move(o->order, k, to);
	}
	judge(s, o);
}

static bool may_stand(const struct lac_blocks *b, const uint32_t *order)
{
	for (uint32_t k = 1; k < b->n; k++)
		if (b->blocks[order[k]].section <
		    b->blocks[order[k - 1]].section)
			return false;
	return true;
}

static uint32_t place_of(const struct lac_blocks *b, const uint32_t *order,
			 uint32_t block)
{
	uint32_t k = 0;

	while (k < b->n && order[k] != block)
		k++;
	return k;
}

/* Put a block back behind the one that it stood behind, if that is free. */
static bool put_back(struct search *s, struct lac_block_order *o,
		     uint32_t block)
{
	struct lac_block_order t = { .order = s->trial };
	uint32_t from = place_of(s->b, o->order, block), to = 0;

	if (block)
		to = place_of(s->b, o->order, block - 1) + 1;
	to -= to > from;
	if (to == from)
		return false;
	memcpy(t.order, o->order, s->b->n * sizeof(*t.order));
	move(t.order, from, to);
	s->trials += s->b->n;
	if (!may_stand(s->b, t.order) ||
	    lac_blocks_size(s->b, t.order) > o->size)
		return false;
	judge(s, &t);
	if (!is_better(&t, o))
		return false;
	memcpy(o->order, t.order, s->b->n * sizeof(*t.order));
	t.order = o->order;
	*o = t;
	return true;
}

static void prune(struct search *s, struct lac_block_order *o)
{
	bool again = o->moves != 0;

	while (again && s->trials < TRIALS_MAX) {
		again = false;
		for (uint32_t i = 0; i < s->b->n && s->trials < TRIALS_MAX; i++)
			again |= put_back(s, o, i);
	}
}

/* The one move that saves most, be it bits only; false if none saves any. */
static bool move_one(struct search *s, struct lac_block_order *o)
{
	uint32_t n = s->b->n, best_from = 0, best_to = 0;
	uint64_t before = end_of(s->b, o->order), end = before, tried;

	for (uint32_t from = 0; from < n; from++)
		for (uint32_t to = 0; to < n && s->trials < TRIALS_MAX; to++) {
			memcpy(s->trial, o->order, n * sizeof(*s->trial));
			move(s->trial, from, to);
			s->trials += n;
			if (!may_stand(s->b, s->trial))
				continue;
			tried = end_of(s->b, s->trial);
			if (tried >= end)
				continue;
			end = tried;
			best_from = from;
			best_to = to;
		}
	if (end < before)
		move(o->order, best_from, best_to);
	return end < before;
}

/*
 * One move after the other, from an order on, until it is as small as the best;
 * or as long as any saves something.
 */
static void move_on(struct search *s, struct lac_block_order *o,
		    struct lac_block_order *best, bool all)
{
	size_t bytes = s->b->n * sizeof(*o->order);

	while ((all || o->size > best->size) && move_one(s, o)) {
		judge(s, o);
		if (!is_better(o, best))
			continue;
		memcpy(best->order, o->order, bytes);
		best->size = o->size;
		best->moves = o->moves;
		best->first_moves = o->first_moves;
	}
}

static bool new_order(struct search *s, struct lac_block_order *o)
{
	*o = (struct lac_block_order){
		.order = lac_arena_zalloc(s->scratch, s->b->n,
					  sizeof(*o->order)),
	};
	for (uint32_t i = 0; o->order && i < s->b->n; i++)
		o->order[i] = i;
	if (o->order)
		judge(s, o);
	return o->order != NULL;
}

/* No order is smaller than all of its members. */
static uint64_t sum_size(const struct lac_blocks *b)
{
	uint64_t bits = b->end_fill;

	for (uint32_t i = 0; i < b->n; i++)
		bits += b->blocks[i].bits;
	return lac_round_up(bits, (uint64_t)b->align * 8) / 8;
}

bool lac_blocks_search(const struct lac_blocks *b, struct lac_arena *scratch,
		       struct lac_block_order *ret, bool *least)
{
	struct search s = {
		.b = b,
		.scratch = scratch,
		.trial = lac_arena_zalloc(scratch, b->n, sizeof(uint32_t)),
		.runs = lac_arena_zalloc(scratch, b->n, sizeof(*s.runs)),
	};
	struct lac_block_order o[5], step;
	uint64_t most, bound = sum_size(b);
	int found;

	if (!s.trial || !s.runs)
		return false;
	for (unsigned i = 0; i < 5; i++)
		if (!new_order(&s, &o[i]))
			return false;
	most = o[0].size;
	*ret = o[0];
	*least = most == bound;
	if (*least)
		return true;
	found = lac_blocks_least(b, false, scratch, o[1].order);
	if (found < 0)
		return false;
	judge(&s, &o[1]);
	*least = found > 0;
	if (*least && o[1].size == most)
		return true;
	if (found && lac_blocks_least(b, true, scratch, o[2].order) < 0)
		return false;
	judge(&s, &o[2]);
	fill_holes(&s, &o[3]);
	sort(&s, &o[4], 0);
	for (unsigned i = 0; i < 5; i++) {
		/* an order that saves less is not looked at further */
		if (o[i].size < most && o[i].size <= ret->size)
			prune(&s, &o[i]);
		if (is_better(&o[i], ret))
			*ret = o[i];
	}
	s.trials = 0;
	if (!new_order(&s, &step))
		return false;
	if (ret->moves > 1)
		move_on(&s, &step, ret, false);
	if (!*least)
		move_on(&s, &step, ret, true);
	*least |= ret->size == bound;
	return true;
}

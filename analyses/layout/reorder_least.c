/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reorder_least.c - the least size of all orders.  Where a member ends never
 * comes earlier when it has to start later, so of all orders of some members
 * only the one that ends first matters to the rest; and members of one
 * alignment and size, modulo the record's alignment, are one class.  So the
 * states are how many of each class have been laid out.
 */
#include <string.h>

#include "layout/reorder_search.h"

#define STATES_MAX (1u << 15) /* of one section */

struct class {
	uint32_t n, first; /* blocks: in members[first..] of struct section */
	struct lac_block block;
	struct lac_brick brick; /* of a block of one, its size reduced */
	uint32_t stride;
};

struct section {
	const struct lac_blocks *b;
	uint32_t nclasses;
	struct class *classes;
	uint32_t *members; /* blocks by class, in their order */
	uint32_t nstates;
	uint64_t *ends; /* bits, by state */
	uint32_t *used; /* by class, in the state that is looked at */
};

/* A plain member counts by what it does to the place behind it. */
static bool reduce(const struct lac_blocks *b, uint32_t i, struct class *c)
{
	*c = (struct class){ .block = b->blocks[i] };
	c->brick = b->bricks[c->block.first];
	if (c->block.n != 1 || c->brick.ask.unit || c->brick.fill_bits)
		return false;
	c->brick.ask.bit_size %= (uint64_t)b->align * 8;
	return true;
}

static uint64_t lay(const struct section *s, uint32_t c, uint64_t pos)
{
	const struct class *class = &s->classes[c];

	if (class->block.n == 1) {
		lac_brick_lay(&class->brick, &pos);
		return pos;
	}
	return lac_block_lay(s->b, s->members[class->first], pos);
}

static bool is_same(const struct class *a, const struct class *b)
{
	return a->block.n == 1 && !a->brick.fill_bits &&
	       a->brick.ask.align == b->brick.ask.align &&
	       a->brick.ask.unit == b->brick.ask.unit &&
	       a->brick.ask.bit_size == b->brick.ask.bit_size;
}

/* Sort blocks from..to into classes; false: that is too many states. */
static bool classify(struct section *s, uint32_t from, uint32_t to,
		     uint32_t *class_of)
{
	uint64_t states = 1;
	uint32_t at = 0;

	s->nclasses = 0;
	for (uint32_t i = from; i < to; i++) {
		struct class c;
		bool plain = reduce(s->b, i, &c);
		uint32_t k = plain ? 0 : s->nclasses;

		while (k < s->nclasses && !is_same(&s->classes[k], &c))
			k++;
		if (k == s->nclasses)
			s->classes[s->nclasses++] = c;
		s->classes[k].n++;
		class_of[i - from] = k;
	}
	for (uint32_t k = 0; k < s->nclasses; k++) {
		struct class *c = &s->classes[k];

		c->stride = (uint32_t)states;
		c->first = at;
		at += c->n;
		states *= c->n + 1;
		if (states > STATES_MAX)
			return false;
		c->n = 0;
	}
	for (uint32_t i = from; i < to; i++) {
		struct class *c = &s->classes[class_of[i - from]];

		s->members[c->first + c->n++] = i;
	}
	s->nstates = (uint32_t)states;
	return true;
}

/* The next state: one more of the first class that is not used up. */
static void count_on(struct section *s)
{
	uint32_t k = 0;

	while (k < s->nclasses && s->used[k] == s->classes[k].n)
		s->used[k++] = 0;
	if (k < s->nclasses)
		s->used[k]++;
}

static void find_ends(struct section *s, uint64_t pos)
{
	memset(s->ends, 0xff, s->nstates * sizeof(*s->ends));
	memset(s->used, 0, s->nclasses * sizeof(*s->used));
	s->ends[0] = pos;
	for (uint32_t state = 0; state < s->nstates; state++, count_on(s))
		for (uint32_t k = 0; k < s->nclasses; k++) {
			const struct class *c = &s->classes[k];
			uint64_t end;

			if (s->used[k] == c->n)
				continue;
			end = lay(s, k, s->ends[state]);
			if (end < s->ends[state + c->stride])
				s->ends[state + c->stride] = end;
		}
}

/* Back from the end, the last as declared where there is a choice. */
static void trace_back(struct section *s, uint32_t n, uint32_t *order)
{
	uint32_t state = s->nstates - 1;

	for (uint32_t k = 0; k < s->nclasses; k++)
		s->used[k] = s->classes[k].n;
	while (n--) {
		uint32_t last = 0, from = LAC_NONE;

		for (uint32_t k = 0; k < s->nclasses; k++) {
			const struct class *c = &s->classes[k];
			uint32_t block;

			if (!s->used[k])
				continue;
			block = s->members[c->first + s->used[k] - 1];
			if (lay(s, k, s->ends[state - c->stride]) !=
				    s->ends[state] ||
			    (from != LAC_NONE && block < last))
				continue;
			last = block;
			from = k;
		}
		order[n] = last;
		s->used[from]--;
		state -= s->classes[from].stride;
	}
}

/* Else what a place is modulo the record's alignment does not say enough. */
static bool divides_all(const struct lac_blocks *b)
{
	for (uint32_t i = 0; i < b->n; i++)
		for (uint32_t k = 0; k < b->blocks[i].n; k++) {
			const struct lac_brick *p =
				&b->bricks[b->blocks[i].first + k];

			if (b->align % p->ask.align ||
			    (p->own && b->align % p->own))
				return false;
		}
	return true;
}

int lac_blocks_least(const struct lac_blocks *b, bool keep_first,
		     struct lac_arena *scratch, uint32_t *order)
{
	struct section s = {
		.b = b,
		.classes = lac_arena_zalloc(scratch, b->n, sizeof(*s.classes)),
		.members = lac_arena_zalloc(scratch, b->n, sizeof(*s.members)),
		.used = lac_arena_zalloc(scratch, b->n, sizeof(*s.used)),
		.ends = lac_arena_zalloc(scratch, STATES_MAX, sizeof(*s.ends)),
	};
	uint32_t *class_of =
		lac_arena_zalloc(scratch, b->n, sizeof(*class_of));
	uint64_t pos = 0;

	if (!s.classes || !s.members || !s.used || !s.ends || !class_of)
		return -1;
	if (!divides_all(b))
		return 0;
	for (uint32_t from = 0, to; from < b->n; from = to) {
		to = from + 1;
		/* where they may start is no matter of the end alone */
		if (b->blocks[from].rigid)
			return 0;
		while (to < b->n && !(keep_first && !from) &&
		       b->blocks[to].section == b->blocks[from].section)
			if (b->blocks[to++].rigid)
				return 0;
		if (!classify(&s, from, to, class_of))
			return 0;
		find_ends(&s, pos);
		pos = s.ends[s.nstates - 1];
		trace_back(&s, to - from, order + from);
	}
	return 1;
}

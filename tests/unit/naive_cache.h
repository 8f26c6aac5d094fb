/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * naive_cache.h - the rules of cachesim.h once more, as plainly as possible: a
 * level is an array of ways with time stamps.  Slow, and easy to believe.
 */
#ifndef NAIVE_CACHE_H
#define NAIVE_CACHE_H

#include <stdlib.h>
#include <string.h>

#include "cachesim/cachesim.h"

struct naive_way {
	uint64_t stamp; /* 0: empty */
	uint32_t line;
	bool dirty;
};

struct naive_level {
	uint32_t sets, ways;
	struct naive_way *way;
};

struct naive {
	const struct lac_cache_geometry *g;
	struct naive_level level[LAC_CACHE_LEVELS], tlb;
	uint64_t clock;
	struct lac_cachesim_counts n;
};

static inline void naive_init(struct naive *c,
			      const struct lac_cache_geometry *g)
{
	*c = (struct naive){ .g = g, .clock = 1ull << 32 };
	for (unsigned int i = 0; i < g->levels; i++) {
		c->level[i].sets = g->level[i].sets;
		c->level[i].ways = g->level[i].ways;
		c->level[i].way = calloc((size_t)g->level[i].sets *
						 g->level[i].ways,
					 sizeof(struct naive_way));
	}
	if (g->tlb_entries) {
		c->tlb.sets = g->tlb_entries / g->tlb_ways;
		c->tlb.ways = g->tlb_ways;
		c->tlb.way = calloc(g->tlb_entries, sizeof(struct naive_way));
	}
}

static inline void naive_deinit(struct naive *c)
{
	for (unsigned int i = 0; i < LAC_CACHE_LEVELS; i++)
		free(c->level[i].way);
	free(c->tlb.way);
}

static inline struct naive_way *naive_find(struct naive_level *l, uint32_t line)
{
	struct naive_way *set = l->way + (size_t)(line % l->sets) * l->ways;

	for (uint32_t k = 0; k < l->ways; k++)
		if (set[k].stamp && set[k].line == line)
			return &set[k];
	return NULL;
}

static inline struct naive_way *naive_oldest(struct naive_level *l,
					     uint32_t line)
{
	struct naive_way *set = l->way + (size_t)(line % l->sets) * l->ways;
	struct naive_way *old = set;

	for (uint32_t k = 1; k < l->ways; k++)
		if (set[k].stamp < old->stamp)
			old = &set[k];
	return old;
}

/* Is it there?  If not, put it there; *left is what had to go. */
static inline bool naive_access(struct naive *c, struct naive_level *l,
				uint32_t line, bool dirty,
				struct naive_way *left)
{
	struct naive_way *w = naive_find(l, line);

	left->dirty = false;
	if (w) {
		w->stamp = ++c->clock;
		w->dirty |= dirty;
		return true;
	}
	w = naive_oldest(l, line);
	*left = *w;
	*w = (struct naive_way){ ++c->clock, line, dirty };
	return false;
}

/* What left level i goes to the next one, and may push something out there. */
static inline void naive_write_back(struct naive *c, unsigned int i,
				    struct naive_way left)
{
	for (; left.dirty && i < c->g->levels; i++) {
		c->n.writebacks[i]++;
		if (i + 1 < c->g->levels)
			naive_access(c, &c->level[i + 1], left.line, true,
				     &left);
	}
}

/* Older than all that is there, but not empty. */
static inline void naive_prefetch(struct naive *c, uint32_t line)
{
	struct naive_way *w, left;
	uint64_t oldest;

	if (naive_find(&c->level[1], line))
		return;
	c->n.prefetches++;
	w = naive_oldest(&c->level[1], line);
	left = *w;
	*w = (struct naive_way){ 0, line, false };
	oldest = 1ull << 32;
	for (uint32_t k = 0; k < c->level[1].ways; k++) {
		struct naive_way *set = c->level[1].way +
			(size_t)(line % c->level[1].sets) * c->level[1].ways;

		if (set[k].stamp && set[k].stamp < oldest)
			oldest = set[k].stamp;
	}
	w->stamp = oldest - 1;
	naive_write_back(c, 1, left);
	if (c->g->levels > 2) {
		naive_access(c, &c->level[2], line, false, &left);
		naive_write_back(c, 2, left);
	}
}

static inline unsigned int naive_probe(struct naive *c, uint32_t line,
				       bool write)
{
	struct naive_way left;
	unsigned int i = 0;

	c->n.probes++;
	if (c->g->tlb_entries)
		c->n.tlb_misses += !naive_access(
			c, &c->tlb, line / (4096 / c->g->line_bytes), false,
			&left);
	for (; i < c->g->levels; i++) {
		if (naive_access(c, &c->level[i], line, write && !i, &left))
			break;
		c->n.misses[i]++;
		naive_write_back(c, i, left);
	}
	if (c->g->adjacent_prefetch && c->g->levels > 1 && i > 1)
		naive_prefetch(c, line ^ 1);
	return i;
}

#endif

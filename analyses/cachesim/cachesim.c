/* SPDX-License-Identifier: BSD-2-Clause */
#include "cachesim/cachesim.h"

#include <stdlib.h>
#include <string.h>

#include "cachesim/level.h"

enum { PAGE_BYTES = 4096 };

enum lac_status lac_cachesim_create(const struct lac_cache_geometry *g,
				    struct lac_cachesim **ret,
				    struct lac_err *err)
{
	enum lac_status st = LAC_OK;
	struct lac_cachesim *c;

	LAC_TRY(lac_cache_geometry_check(g, err));
	c = calloc(1, sizeof(*c));
	if (!c)
		return lac_fail_memory(err);
	c->levels = g->levels;
	c->adjacent = g->adjacent_prefetch && g->levels > 1;
	for (unsigned int i = 0; i < g->levels && st == LAC_OK; i++)
		st = lac_level_init(&c->level[i], g->level[i].sets,
				    g->level[i].ways, err);
	if (st == LAC_OK && g->tlb_entries) {
		c->tlb_shift = (unsigned int)__builtin_ctz(PAGE_BYTES /
							   g->line_bytes);
		st = lac_level_init(&c->tlb, g->tlb_entries / g->tlb_ways,
				    g->tlb_ways, err);
	}
	if (st != LAC_OK) {
		lac_cachesim_destroy(c);
		return st;
	}
	*ret = c;
	return LAC_OK;
}

void lac_cachesim_destroy(struct lac_cachesim *c)
{
	if (!c)
		return;
	for (unsigned int i = 0; i < LAC_CACHE_LEVELS; i++)
		lac_level_deinit(&c->level[i]);
	lac_level_deinit(&c->tlb);
	free(c);
}

/* A line that left level i: if dirty, it moves on. */
static void leave(struct lac_cachesim *c, unsigned int i, uint32_t victim)
{
	while (victim & LAC_LINE_DIRTY) {
		c->n.writebacks[i]++;
		if (++i == c->levels)
			return;
		victim &= ~LAC_LINE_DIRTY;
		if (lac_level_access(&c->level[i], victim, LAC_LINE_DIRTY,
				     &victim))
			return;
	}
}

static void prefetch_pair(struct lac_cachesim *c, uint32_t line)
{
	uint32_t pair = line ^ 1, victim;

	if (pair == LAC_LINE_NONE || lac_level_holds(&c->level[1], pair))
		return;
	c->n.prefetches++;
	leave(c, 1, lac_level_insert_last(&c->level[1], pair));
	if (c->levels > 2 && !lac_level_access(&c->level[2], pair, 0, &victim))
		leave(c, 2, victim);
}

unsigned int lac_cachesim_search(struct lac_cachesim *c, uint32_t line,
				 uint32_t dirty)
{
	unsigned int i = 0;
	uint32_t victim;

	for (; i < c->levels; i++) {
		if (lac_level_access(&c->level[i], line, i ? 0 : dirty,
				     &victim))
			break;
		c->n.misses[i]++;
		leave(c, i, victim);
	}
	if (__builtin_expect(c->adjacent && i > 1, 0))
		prefetch_pair(c, line);
	return i;
}

void lac_cachesim_tlb(struct lac_cachesim *c, uint32_t line)
{
	uint32_t victim;

	if (!lac_level_access(&c->tlb, line >> c->tlb_shift, 0, &victim))
		c->n.tlb_misses++;
}

unsigned int lac_cachesim_probe(struct lac_cachesim *c, uint32_t line,
				bool write)
{
	return lac_cachesim_touch(c, line, write ? LAC_LINE_DIRTY : 0);
}

struct lac_cachesim_counts lac_cachesim_counts(const struct lac_cachesim *c)
{
	return c->n;
}

void lac_cachesim_reset_counts(struct lac_cachesim *c)
{
	memset(&c->n, 0, sizeof(c->n));
}

void lac_cachesim_force_plain(struct lac_cachesim *c)
{
	for (unsigned int i = 0; i < LAC_CACHE_LEVELS; i++)
		c->level[i].avx2 = false;
	c->tlb.avx2 = false;
}

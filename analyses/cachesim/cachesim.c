/* SPDX-License-Identifier: BSD-2-Clause */
#include "cachesim/cachesim.h"

#include <stdlib.h>
#include <string.h>

#include "cachesim/access.h"

enum { PAGE_BYTES = 4096 };

void lac_cachesim_tlb(struct lac_cachesim *c, uint32_t line)
{
	uint32_t victim;

	if (!lac_level_access(&c->tlb, line >> c->tlb_shift, 0, &victim))
		c->n.tlb_misses++;
}

#define ACCESS lac_access_plain
#define MAKE(name) name##_plain
#define TARGET
#include "cachesim/search.h"

#if LAC_HAVE_AVX2
#define ACCESS lac_access_avx2
#define MAKE(name) name##_avx2
#define TARGET LAC_AVX2
#include "cachesim/search.h"
#endif

/* With the CPU's best instructions, or with none but C's. */
static void choose(struct lac_cachesim *c, bool plain)
{
	c->search = search_plain;
	c->misses = misses_plain;
	c->replay = replay_plain;
#if LAC_HAVE_AVX2
	if (!plain && lac_cpu_has_avx2()) {
		c->search = search_avx2;
		c->misses = misses_avx2;
		c->replay = replay_avx2;
	}
#endif
	for (unsigned int i = 0; plain && i < LAC_CACHE_LEVELS; i++)
		c->level[i].avx2 = false;
	if (plain)
		c->tlb.avx2 = false;
}

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
	choose(c, false);
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

unsigned int lac_cachesim_probe(struct lac_cachesim *c, uint32_t line,
				bool write)
{
	return lac_cachesim_touch(c, line, write ? LAC_LINE_DIRTY : 0);
}

void lac_cachesim_replay(struct lac_cachesim *c, const uint32_t *probe, size_t n)
{
	c->replay(c, probe, n);
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
	choose(c, true);
}

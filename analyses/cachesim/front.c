/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * front.c - what is known of the line that a set of L1 used last, and the usual
 * access that has to look behind it.
 */
#include <stdlib.h>

#include "cachesim/access.h"
#include "cachesim/tracer_internal.h"

/* The front of an L1 of more sets would not stay in a cache itself. */
enum { FRONT_BYTES_MAX = 4 << 20 };

const struct lac_front lac_front_none = {
	.start = LAC_FRONT_NONE,
	.dirty = LAC_FRONT_NONE,
	.second_start = LAC_FRONT_NONE,
};

void lac_front_ignore(uint64_t addr, unsigned int bytes, enum lac_event kind)
{
	(void)addr, (void)bytes, (void)kind;
}

LAC_INLINE struct lac_front *front_at(struct lac_tracer *t, size_t at)
{
	return (struct lac_front *)(void *)(t->fronts + at);
}

/* Not inlined, so that what calls it last needs no frame. */
__attribute__((noinline)) void lac_front_catch_up(struct lac_tracer *t)
{
	size_t n = (size_t)(t->next_miss - t->miss);

	if (!n)
		return;
	t->cache->misses(t->cache, t->miss, n, t->line_bytes);
	t->next_miss = t->miss;
}

/*
 * The program goes through an array of pointers, and most likely to where they
 * point: that can be on its way.  Any address may be asked for so.
 */
static __attribute__((noinline)) void
lac_front_follow(uint64_t addr, unsigned int bytes, enum lac_event kind)
{
	struct lac_tracer *t = &lac_tracer_now;
	const uint64_t *p = (const uint64_t *)(uintptr_t)(addr & -t->line_bytes);

	t->followed = (uint64_t)(uintptr_t)p;
	for (size_t i = 0; i < t->line_bytes / sizeof(*p); i++)
		if ((p[i] >> LAC_WINDOW_SHIFT) - 1 < LAC_WINDOWS - 1)
			__builtin_prefetch((const void *)(uintptr_t)p[i], 1);
	t->rest(addr, bytes, kind);
}

#define ACCESS lac_access_plain
#define SWAP lac_swap_plain
#define MAKE(name) name##_plain
#define TARGET
#include "cachesim/front_rest.h"

#if LAC_HAVE_AVX2
#define ACCESS lac_access_avx2
#define SWAP lac_swap_avx2
#define MAKE(name) name##_avx2
#define TARGET LAC_AVX2
#include "cachesim/front_rest.h"

#define ACCESS lac_access8_avx2
#define SWAP lac_swap_avx2
#define MAKE(name) name##8_avx2
#define TARGET LAC_AVX2
#include "cachesim/front_rest.h"
#endif

enum lac_status lac_front_init(struct lac_tracer *t, struct lac_err *err)
{
	const struct lac_level *l = t->cache ? &t->cache->level[0] : NULL;
	size_t bytes;

	if (!l || !l->mask || t->record || t->cache->tlb.row)
		return LAC_OK;
	bytes = (size_t)l->sets << t->line_shift;
	if (bytes > FRONT_BYTES_MAX || l->ways < 2 ||
	    t->line_bytes < sizeof(struct lac_front))
		return LAC_OK;
	t->fronts = aligned_alloc(t->line_bytes, bytes);
	if (!t->fronts)
		return lac_fail_memory(err);
	t->fronts_bytes = bytes;
	lac_front_empty(t);
	for (size_t i = 0; i < l->sets; i++)
		front_at(t, i << t->line_shift)->set =
			l->row + i * l->row_words;
	return LAC_OK;
}

void lac_front_empty(struct lac_tracer *t)
{
	for (size_t at = 0; at < t->fronts_bytes; at += t->line_bytes)
		front_at(t, at)->start = front_at(t, at)->dirty =
			front_at(t, at)->second_start = LAC_FRONT_NONE;
}

void lac_front_use(struct lac_tracer *t, bool on)
{
	t->front = (const char *)&lac_front_none;
	t->front_mask = 0;
	t->rest = on ? lac_tracer_any_event : lac_front_ignore;
	if (!on || !t->fronts)
		return;
	t->front = t->fronts;
	t->front_mask = t->fronts_bytes - t->line_bytes;
	t->rest = t->misses_only ? rest_misses_plain : rest_plain;
#if LAC_HAVE_AVX2
	if (!t->cache->level[0].avx2)
		return;
	t->rest = t->misses_only ? rest_misses_avx2 : rest_avx2;
	if (t->cache->level[0].row_words == LAC_LANES)
		t->rest = t->misses_only ? rest_misses8_avx2 : rest8_avx2;
#endif
}

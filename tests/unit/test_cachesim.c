/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/rng.h"
#include "naive_cache.h"

static struct lac_cache_geometry geometry(const char *text, uint32_t line)
{
	struct lac_cache_geometry g;
	struct lac_err err;

	if (lac_cache_parse(text, line, &g, &err) != LAC_OK)
		fail_msg("%s", err.msg);
	return g;
}

static struct lac_cachesim *model(const struct lac_cache_geometry *g)
{
	struct lac_cachesim *c = NULL;
	struct lac_err err;

	if (lac_cachesim_create(g, &c, &err) != LAC_OK)
		fail_msg("%s", err.msg);
	return c;
}

/* ---- one set, drawn ------------------------------------------------------------- */

static void test_recency(void **state)
{
	struct lac_cache_geometry g = geometry("L1=256/4", 64);
	struct lac_cachesim *c = model(&g);

	(void)state;
	/* the set after each probe, most recent first; capitals are dirty */
	assert_int_equal(lac_cachesim_probe(c, 1, false), 1); /* a */
	assert_int_equal(lac_cachesim_probe(c, 2, true), 1);  /* B a */
	assert_int_equal(lac_cachesim_probe(c, 3, false), 1); /* c B a */
	assert_int_equal(lac_cachesim_probe(c, 4, false), 1); /* d c B a */
	assert_int_equal(lac_cachesim_probe(c, 1, false), 0); /* a d c B */
	assert_int_equal(lac_cachesim_counts(c).writebacks[0], 0);
	assert_int_equal(lac_cachesim_probe(c, 5, false), 1); /* e a d c */
	assert_int_equal(lac_cachesim_counts(c).writebacks[0], 1);
	assert_int_equal(lac_cachesim_probe(c, 3, true), 0);  /* C e a d */
	assert_int_equal(lac_cachesim_probe(c, 2, false), 1); /* b C e a */
	assert_int_equal(lac_cachesim_probe(c, 4, false), 1); /* d b C e */
	assert_int_equal(lac_cachesim_counts(c).writebacks[0], 1);
	assert_int_equal(lac_cachesim_counts(c).misses[0], 7);
	assert_int_equal(lac_cachesim_counts(c).probes, 9);
	lac_cachesim_destroy(c);
}

/* A dirty victim of L1 is a write to L2, and no demand miss of it. */
static void test_write_back(void **state)
{
	struct lac_cache_geometry g = geometry("L1=64/1,L2=128/2", 64);
	struct lac_cachesim *c = model(&g);
	struct lac_cachesim_counts n;

	(void)state;
	lac_cachesim_probe(c, 1, true);	 /* L1 A; L2 a */
	lac_cachesim_probe(c, 2, false); /* L1 b; L2 b A */
	lac_cachesim_probe(c, 3, false); /* L1 c; L2 c b; A to memory */
	n = lac_cachesim_counts(c);
	assert_int_equal(n.misses[0], 3);
	assert_int_equal(n.misses[1], 3);
	assert_int_equal(n.writebacks[0], 1);
	assert_int_equal(n.writebacks[1], 1);
	assert_int_equal(lac_cachesim_probe(c, 2, false), 1);
	lac_cachesim_destroy(c);
}

static void test_adjacent(void **state)
{
	struct lac_cache_geometry g = geometry("L1=64/1,L2=256/4", 64);
	struct lac_cachesim *c;

	(void)state;
	g.adjacent_prefetch = 1;
	c = model(&g);
	assert_int_equal(lac_cachesim_probe(c, 10, false), 2);
	assert_int_equal(lac_cachesim_probe(c, 11, false), 1); /* was fetched */
	assert_int_equal(lac_cachesim_counts(c).prefetches, 1);
	lac_cachesim_destroy(c);
}

/* ---- against the naive model --------------------------------------------------------- */

/* Strides, random in several footprints, and a hot part with far accesses. */
static uint32_t pattern(int kind, uint64_t i, struct lac_rng *r)
{
	switch (kind) {
	case 0:
		return (uint32_t)(i / 8 % 4096);
	case 1:
		return (uint32_t)lac_rng_below(r, 300);
	case 2:
		return (uint32_t)lac_rng_below(r, 3000);
	case 3:
		return (uint32_t)lac_rng_below(r, 1 << 20);
	case 4:
		return (uint32_t)(i * 64 % (1 << 18)); /* one L1 set */
	default:
		return (uint32_t)(lac_rng_below(r, 4)
					  ? lac_rng_below(r, 64)
					  : 7 << 28 | lac_rng_below(r, 1 << 16));
	}
}

static void assert_same(const struct lac_cachesim *c, const struct naive *n,
			const char *what)
{
	struct lac_cachesim_counts got = lac_cachesim_counts(c);

	if (memcmp(&got, &n->n, sizeof(got)))
		fail_msg("%s: misses %llu %llu %llu, naively %llu %llu %llu",
			 what, (unsigned long long)got.misses[0],
			 (unsigned long long)got.misses[1],
			 (unsigned long long)got.misses[2],
			 (unsigned long long)n->n.misses[0],
			 (unsigned long long)n->n.misses[1],
			 (unsigned long long)n->n.misses[2]);
}

static void twin(const struct lac_cache_geometry *g, const char *what)
{
	enum { PROBES = 20000 };

	for (int kind = 0; kind < 6; kind++) {
		struct lac_cachesim *fast = model(g), *plain = model(g);
		struct lac_rng r = { (uint64_t)kind };
		struct naive n;

		naive_init(&n, g);
		lac_cachesim_force_plain(plain);
		for (uint64_t i = 0; i < PROBES; i++) {
			uint32_t line = pattern(kind, i, &r);
			bool write = lac_rng_below(&r, 4) == 0;
			unsigned int found = naive_probe(&n, line, write);

			if (lac_cachesim_probe(fast, line, write) != found ||
			    lac_cachesim_probe(plain, line, write) != found)
				fail_msg("%s: pattern %d, probe %llu", what,
					 kind, (unsigned long long)i);
		}
		assert_same(fast, &n, what);
		assert_same(plain, &n, what);
		lac_cachesim_destroy(fast);
		lac_cachesim_destroy(plain);
		naive_deinit(&n);
	}
}

static void test_presets_like_naive(void **state)
{
	(void)state;
	for (const struct lac_cache_preset *p = lac_cache_presets; p->name;
	     p++) {
		struct lac_cache_geometry g = geometry(p->levels,
						       p->line_bytes);

		twin(&g, p->name);
		g.adjacent_prefetch = 1;
		g.tlb_entries = 64;
		g.tlb_ways = 4;
		twin(&g, p->name);
	}
}

/* Small odd caches: sets that are no power of two, 1 to 32 ways, one level. */
static void test_odd_like_naive(void **state)
{
	struct lac_rng r = { 42 };

	(void)state;
	for (int i = 0; i < 60; i++) {
		struct lac_cache_geometry g = {
			.levels = 1 + (unsigned int)lac_rng_below(&r, 3),
			.line_bytes = 32u << lac_rng_below(&r, 4),
			.adjacent_prefetch = (int)lac_rng_below(&r, 2),
		};
		char what[32];

		for (unsigned int k = 0; k < g.levels; k++) {
			struct lac_cache_level *l = &g.level[k];

			l->ways = 1 + (uint32_t)lac_rng_below(&r, 32);
			l->sets = 1 + (uint32_t)lac_rng_below(&r, 40ull << 2 * k);
			l->size_bytes = (uint64_t)l->ways * l->sets *
					g.line_bytes;
		}
		snprintf(what, sizeof(what), "random geometry %d", i);
		twin(&g, what);
	}
}

/* ---- what LRU promises ------------------------------------------------------------------ */

/* More ways at as many sets never miss more: the larger set includes the smaller. */
static void test_more_ways(void **state)
{
	(void)state;
	for (int kind = 0; kind < 6; kind++) {
		uint64_t last = UINT64_MAX;

		for (uint32_t ways = 1; ways <= 32; ways++) {
			struct lac_cache_geometry g = {
				.levels = 1, .line_bytes = 64,
				.level = { { 48ull * ways * 64, ways, 48 } },
			};
			struct lac_cachesim *c = model(&g);
			struct lac_rng r = { 7 };
			uint64_t misses;

			for (uint64_t i = 0; i < 5000; i++)
				lac_cachesim_probe(c, pattern(kind, i, &r),
						   false);
			misses = lac_cachesim_counts(c).misses[0];
			assert_true(misses <= last);
			last = misses;
			lac_cachesim_destroy(c);
		}
	}
}

/* Counting again without the cold start: what fits does not miss. */
static void test_reset_keeps_lines(void **state)
{
	struct lac_cache_geometry g = geometry("L1=32K/8", 64);
	struct lac_cachesim *c = model(&g);

	(void)state;
	for (int round = 0; round < 2; round++) {
		lac_cachesim_reset_counts(c);
		for (uint32_t line = 0; line < 512; line++)
			lac_cachesim_probe(c, line, true);
		assert_int_equal(lac_cachesim_counts(c).misses[0],
				 round ? 0 : 512);
	}
	lac_cachesim_destroy(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recency),
		cmocka_unit_test(test_write_back),
		cmocka_unit_test(test_adjacent),
		cmocka_unit_test(test_presets_like_naive),
		cmocka_unit_test(test_odd_like_naive),
		cmocka_unit_test(test_more_ways),
		cmocka_unit_test(test_reset_keeps_lines),
	};

	return cmocka_run_group_tests_name("cachesim", tests, NULL, NULL);
}

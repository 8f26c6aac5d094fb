/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_cachesim_coherent.c - coherent caches against the same rules written
 * plainly: who holds a line is looked up in the caches, and nothing is kept twice.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "cachesim/coherent.h"

enum { LINES = 4096, CPUS = 16 };

/* ---- the naive twin ------------------------------------------------------------ */

struct way {
	uint64_t stamp; /* 0: empty */
	uint32_t line;
};

struct naive_line {
	int owner; /* -1: nobody has it alone */
	bool modified;
	bool lost[CPUS];
	uint64_t wrote;
	unsigned int last_part;
};

struct naive {
	const struct lac_cache_geometry *g;
	unsigned int cpus;
	uint64_t clock;
	struct way *way[CPUS][2];
	struct naive_line line[LINES];
};

static struct way *set_of(struct naive *n, unsigned int cpu, int level,
			  uint32_t line)
{
	const struct lac_cache_level *l = &n->g->level[level];

	return n->way[cpu][level] + (size_t)(line % l->sets) * l->ways;
}

static struct way *find(struct naive *n, unsigned int cpu, int level,
			uint32_t line)
{
	struct way *w = set_of(n, cpu, level, line);

	for (uint32_t k = 0; k < n->g->level[level].ways; k++)
		if (w[k].stamp && w[k].line == line)
			return &w[k];
	return NULL;
}

static void drop(struct naive *n, unsigned int cpu, int level, uint32_t line)
{
	struct way *w = find(n, cpu, level, line);

	if (w)
		w->stamp = 0;
}

static void fill(struct naive *n, unsigned int cpu, int level, uint32_t line)
{
	struct way *w = set_of(n, cpu, level, line), *old = w;

	for (uint32_t k = 0; k < n->g->level[level].ways; k++)
		if (w[k].stamp < old->stamp)
			old = &w[k];
	if (level == 1 && old->stamp) { /* L2 includes L1 */
		drop(n, cpu, 0, old->line);
		if (n->line[old->line].owner == (int)cpu) {
			n->line[old->line].owner = -1;
			n->line[old->line].modified = false;
		}
	}
	*old = (struct way){ ++n->clock, line };
}

static unsigned int take_from_others(struct naive *n, unsigned int cpu,
				     uint32_t line)
{
	unsigned int taken = 0;

	for (unsigned int c = 0; c < n->cpus; c++) {
		if (c == cpu || !find(n, c, 1, line))
			continue;
		drop(n, c, 0, line);
		drop(n, c, 1, line);
		n->line[line].lost[c] = true;
		taken++;
	}
	return taken;
}

static bool others_hold(struct naive *n, unsigned int cpu, uint32_t line)
{
	for (unsigned int c = 0; c < n->cpus; c++)
		if (c != cpu && find(n, c, 1, line))
			return true;
	return false;
}

static struct lac_coherent_result naive_probe(struct naive *n, unsigned int cpu,
					      uint32_t line, uint64_t parts,
					      bool write)
{
	struct lac_coherent_result r = { .cycles = LAC_CYCLES_L1 };
	struct naive_line *l = &n->line[line];
	struct way *w = find(n, cpu, 0, line);
	bool fetched = false;

	if (w) {
		w->stamp = ++n->clock;
	} else if ((w = find(n, cpu, 1, line))) {
		w->stamp = ++n->clock;
		r.found = 1;
		r.cycles = LAC_CYCLES_L2;
	} else {
		fetched = true;
		r.found = 2;
		r.hitm = r.moved = l->modified;
		r.cycles = r.hitm ? LAC_CYCLES_HITM : LAC_CYCLES_FAR;
		if (r.hitm || l->lost[cpu]) {
			r.sharing = parts & l->wrote ? LAC_SHARING_TRUE
						     : LAC_SHARING_FALSE;
			r.other_part = l->last_part;
		}
		l->lost[cpu] = false;
		l->owner = -1;
		l->modified = false;
		fill(n, cpu, 1, line);
		if (!write && !others_hold(n, cpu, line))
			l->owner = (int)cpu;
	}
	if (r.found)
		fill(n, cpu, 0, line);
	if (!write)
		return r;
	if (fetched) {
		r.invalidated = take_from_others(n, cpu, line);
		if (r.invalidated) {
			r.cycles += LAC_CYCLES_INVALIDATE;
			r.moved = true;
		}
	} else if (l->owner != (int)cpu) {
		r.upgrade = r.moved = true;
		r.cycles = LAC_CYCLES_UPGRADE;
		r.invalidated = take_from_others(n, cpu, line);
	}
	if (!l->modified || l->owner != (int)cpu)
		l->wrote = 0;
	l->owner = (int)cpu;
	l->modified = true;
	l->wrote |= parts;
	l->last_part = (unsigned int)__builtin_ctzll(parts);
	return r;
}

/* ---- compared ------------------------------------------------------------------- */

static bool same(const struct lac_coherent_result *a,
		 const struct lac_coherent_result *b)
{
	return a->found == b->found && a->hitm == b->hitm &&
	       a->upgrade == b->upgrade && a->moved == b->moved &&
	       a->invalidated == b->invalidated && a->sharing == b->sharing &&
	       a->other_part == b->other_part && a->cycles == b->cycles;
}

static void compare(const struct lac_cache_geometry *g, unsigned int cpus,
		    uint32_t lines, unsigned int writes, uint64_t seed)
{
	struct naive *n = calloc(1, sizeof(*n));
	struct lac_rng r = { seed };
	struct lac_coherent *c;
	struct lac_err err;

	assert_non_null(n);
	n->g = g;
	n->cpus = cpus;
	for (unsigned int i = 0; i < LINES; i++)
		n->line[i].owner = -1;
	for (unsigned int i = 0; i < cpus; i++)
		for (int k = 0; k < 2; k++)
			n->way[i][k] = calloc((size_t)g->level[k].sets *
						      g->level[k].ways,
					      sizeof(struct way));
	assert_int_equal(lac_coherent_create(g, cpus, &c, &err), LAC_OK);
	for (int i = 0; i < 30000; i++) {
		unsigned int cpu = (unsigned int)lac_rng_below(&r, cpus);
		uint32_t line = (uint32_t)lac_rng_below(&r, lines);
		uint64_t parts = 0xffull << 8 * lac_rng_below(&r, 8);
		bool write = lac_rng_below(&r, 100) < writes;
		struct lac_coherent_result got, want;

		assert_true(lac_coherent_probe(c, cpu, line, parts, write,
					       &got));
		want = naive_probe(n, cpu, line, parts, write);
		if (!same(&got, &want))
			fail_msg("%u CPUs, %u lines, probe %d: found %u/%u hitm "
				 "%d/%d sharing %d/%d", cpus, lines, i,
				 got.found, want.found, got.hitm, want.hitm,
				 got.sharing, want.sharing);
	}
	lac_coherent_destroy(c);
	for (unsigned int i = 0; i < cpus; i++)
		for (int k = 0; k < 2; k++)
			free(n->way[i][k]);
	free(n);
}

static void test_like_naive(void **state)
{
	static const struct lac_cache_geometry g[] = {
		{ .levels = 2, .line_bytes = 64,
		  .level = { { 32768, 8, 64 }, { 262144, 8, 512 } } },
		{ .levels = 2, .line_bytes = 64, /* tiny: evictions galore */
		  .level = { { 4 * 3 * 64, 4, 3 }, { 5 * 7 * 64, 5, 7 } } },
		{ .levels = 2, .line_bytes = 128,
		  .level = { { 2 * 8 * 128, 2, 8 }, { 20 * 16 * 128, 20, 16 } } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(g) / sizeof(*g); i++)
		for (unsigned int cpus = 1; cpus <= CPUS; cpus *= 2) {
			compare(&g[i], cpus, 4, 50, 1);
			compare(&g[i], cpus, 100, 30, 2);
			compare(&g[i], cpus, LINES, 20, 3);
			compare(&g[i], cpus, 40, 2, 4);
		}
}

static void test_like_naive_presets(void **state)
{
	(void)state;
	for (const struct lac_cache_preset *p = lac_cache_presets; p->name;
	     p++) {
		struct lac_cache_geometry g;
		struct lac_err err;

		assert_int_equal(lac_cache_preset_find(p->name, &g, &err),
				 LAC_OK);
		compare(&g, 8, 2000, 30, 5);
	}
}

static void test_refused(void **state)
{
	struct lac_cache_geometry g = {
		.levels = 2, .line_bytes = 64,
		.level = { { 32768, 8, 64 }, { 262144, 8, 512 } },
	};
	struct lac_coherent *c = NULL;
	struct lac_err err;

	(void)state;
	assert_int_equal(lac_coherent_create(&g, 0, &c, &err), LAC_USAGE);
	assert_int_equal(lac_coherent_create(&g, 129, &c, &err), LAC_USAGE);
	g.levels = 1;
	assert_int_equal(lac_coherent_create(&g, 2, &c, &err), LAC_USAGE);
	g.levels = 2;
	g.adjacent_prefetch = 1;
	assert_int_equal(lac_coherent_create(&g, 2, &c, &err), LAC_USAGE);
	assert_null(c);
}

/* 2 or 8 CPUs write one line: all but the first transfer is a HITM. */
static void test_transfers_queue(void **state)
{
	struct lac_cache_geometry g = {
		.levels = 2, .line_bytes = 64,
		.level = { { 32768, 8, 64 }, { 262144, 8, 512 } },
	};
	struct lac_coherent *c;
	struct lac_err err;

	(void)state;
	assert_int_equal(lac_coherent_create(&g, 2, &c, &err), LAC_OK);
	assert_int_equal(lac_coherent_transfer(c, 9, 100, 90), 190);
	assert_int_equal(lac_coherent_transfer(c, 9, 100, 90), 280);
	assert_int_equal(lac_coherent_transfer(c, 8, 100, 90), 190);
	assert_int_equal(lac_coherent_transfer(c, 9, 1000, 90), 1090);
	lac_coherent_destroy(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_like_naive),
		cmocka_unit_test(test_like_naive_presets),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_transfers_queue),
	};

	return cmocka_run_group_tests_name("cachesim, coherent", tests, NULL,
					   NULL);
}

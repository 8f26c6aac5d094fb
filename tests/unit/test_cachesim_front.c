/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_cachesim_front.c - what is known of a set's last line is only a short way
 * to the same counts: accesses of all kinds, through the front and, which a
 * record asks for, past it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "cachesim/trace.h"
#include "cachesim/tracer_internal.h"

#include "base/rng.h"

/* gcc knows these as builtins of its own as soon as any sanitizer is on */
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"

void __tsan_read1(void *p);
void __tsan_read4(void *p);
void __tsan_write8(void *p);
void __tsan_read_write8(void *p);
void __tsan_unaligned_read8(void *p);
void __tsan_unaligned_write16(void *p);
void __tsan_read_range(void *p, unsigned long n);

enum { WINDOW = 3, OTHER = 4, BYTES = 1 << 20, REGIONS = 10 };
enum { ROOM = 1 << 20, ACCESSES = 60000 };

static char *memory; /* of WINDOW; that of OTHER is only named */

/*
 * By place: elements that cross lines and do not, that restart, that share lines
 * with a neighbour or lie alone on a part of one, odd ones with more phases than
 * are kept.  What is left out of 256 KiB is in no region.
 */
static const struct {
	uint32_t at, stride, period, count, block;
} place[REGIONS] = {
	{ 0, 56, 2, 300, 0 },	     { 16800, 24, 1, 1, 0 },
	{ 16824, 8, 1, 500, 0 },     { 24576, 96, 1, 84, 4096 },
	{ 32768, 1024, 1, 64, 0 },   { 98304 + 20, 184, 1, 1, 0 },
	{ 98304 + 516, 5, 1, 7, 0 }, { 99328 + 7, 77, 1, 100, 0 },
	{ 114688, 40000, 1, 1, 0 },  { 160001, 9999, 1, 5, 0 },
};

static uint64_t *base_of(unsigned int window)
{
	return (uint64_t *)((uintptr_t)window << LAC_WINDOW_SHIFT);
}

static void add_region(unsigned int i)
{
	struct lac_region_spec spec = {
		.name = "place", .base = memory + place[i].at,
		.stride = place[i].stride, .period = place[i].period,
		.count = place[i].count, .block = place[i].block,
		.bytes = place[i].block ? 8192 : 0,
	};
	struct lac_err err;

	if (lac_tracer_region(&spec, &err) != LAC_OK)
		fail_msg("%s", err.msg);
}

enum way { FRONT, PLAIN, PAST, WAYS };

static void start(const char *cache, uint32_t line, enum way way,
		  struct lac_trace_options o, struct lac_trace_record *record)
{
	struct lac_err err;

	o.cpus = 1;
	record->n = 0;
	o.record = way == PAST ? record : NULL;
	assert_int_equal(lac_cache_parse(cache, line, &o.geometry, &err),
			 LAC_OK);
	assert_int_equal(lac_tracer_start(&o, &err), LAC_OK);
	if (way == PLAIN)
		lac_cachesim_force_plain(lac_tracer_now.cache);
	/* an address in no window is a page like any other, or nothing */
	assert_int_equal(lac_tracer_window(OTHER, 1 << 30, &err), LAC_OK);
	for (unsigned int i = 0; i < REGIONS - 2; i++)
		add_region(i);
	lac_tracer_enable(true);
	assert_int_equal(way != PAST && line >= sizeof(struct lac_front),
			 lac_tracer_now.fronts != NULL);
}

static void touch(struct lac_rng *r, char *p)
{
	uintptr_t at = (uintptr_t)p;

	switch (lac_rng_below(r, 8)) {
	case 0:
		__tsan_write8((void *)(at & ~7ul));
		break;
	case 1:
		__tsan_read4((void *)(at & ~3ul));
		break;
	case 2:
		__tsan_unaligned_read8(p);
		break;
	case 3:
		__tsan_unaligned_write16(p);
		break;
	case 4:
		__tsan_read_write8((void *)(at & ~7ul));
		break;
	case 5:
		__tsan_read_range(p, lac_rng_below(r, 300) + 1);
		break;
	case 6:
		lac_trace_rmw((void *)(at & ~15ul), 16);
		break;
	default:
		__tsan_read1(p);
	}
}

/* Windows, regions, rounds and resets come in the midst of it. */
static void event(int i)
{
	struct lac_err err;

	if (i % 7000 == 5000)
		lac_tracer_next_round();
	if (i == 4000)
		add_region(REGIONS - 2);
	if (i == 9000 && !lac_tracer_now.any_address)
		assert_int_equal(lac_tracer_window(WINDOW, BYTES, &err),
				 LAC_OK);
	if (i == 11000)
		add_region(REGIONS - 1);
	if (i == 15000)
		lac_tracer_reset();
	if (i % 3001 == 0) /* counts so far change nothing */
		for (size_t k = 0; lac_tracer_region_at(k); k++)
			;
	if (i == 30000 || i == 30100)
		lac_tracer_enable(i == 30100);
}

static void wander(uint64_t seed)
{
	struct lac_rng r = { seed };
	char *p = memory;

	for (int i = 0; i < ACCESSES; i++) {
		event(i);
		switch (lac_rng_below(&r, 5)) {
		case 0:
			p = memory + lac_rng_below(&r, 256 << 10);
			break;
		case 1: /* somewhere in a region or close to it */
			p = memory + place[lac_rng_below(&r, REGIONS)].at +
			    lac_rng_below(&r, 600);
			break;
		case 2: /* back and forth between two lines of a set of L1 */
			if (p < memory + (256 << 10))
				p = memory + ((p - memory) ^ 64 << 10);
			break;
		default: /* where it was, or near */
			p += lac_rng_below(&r, 16);
		}
		touch(&r, p);
	}
}

struct told {
	struct lac_trace_counts trace;
	struct lac_cachesim_counts cache;
	uint64_t lines[REGIONS][2];
	struct lac_cell *cell[REGIONS]; /* 40000 of each at most */
};

static void tell(struct told *t, bool misses_only)
{
	memset(t, 0, sizeof(*t));
	t->trace = lac_tracer_counts();
	t->cache = lac_tracer_cache_counts();
	for (size_t i = 0; i < REGIONS; i++) {
		const struct lac_region *r = lac_tracer_region_at(i);

		assert_non_null(r);
		t->lines[i][0] = misses_only ? 0 : r->lines_touched;
		t->lines[i][1] = misses_only ? 0 : r->lines_footprint;
		t->cell[i] = malloc(r->view_bytes * sizeof(*r->cell));
		assert_non_null(t->cell[i]);
		memcpy(t->cell[i], r->cell, r->view_bytes * sizeof(*r->cell));
		for (uint32_t k = 0; misses_only && k < r->view_bytes; k++)
			t->cell[i][k].accesses = 0;
	}
}

static void assert_same(const struct told *a, const struct told *b)
{
	assert_memory_equal(&a->trace, &b->trace, sizeof(a->trace));
	assert_memory_equal(&a->cache, &b->cache, sizeof(a->cache));
	assert_memory_equal(a->lines, b->lines, sizeof(a->lines));
	for (size_t i = 0; i < REGIONS; i++)
		assert_memory_equal(a->cell[i], b->cell[i],
				    (size_t)place[i].stride * place[i].period *
					    sizeof(*a->cell[i]));
}

static void forget(struct told *t)
{
	for (size_t i = 0; i < REGIONS; i++)
		free(t->cell[i]);
}

static void all_ways(const char *cache, uint32_t line,
		     struct lac_trace_options o)
{
	struct lac_trace_record record = { .room = ROOM };
	struct told told[WAYS];

	record.probe = malloc(ROOM * sizeof(*record.probe));
	assert_non_null(record.probe);
	for (unsigned int way = 0; way < WAYS; way++) {
		start(cache, line, way, o, &record);
		wander(7);
		tell(&told[way], o.misses_only);
		lac_tracer_stop();
	}
	assert_int_equal(record.lost, 0);
	assert_same(&told[FRONT], &told[PAST]);
	assert_same(&told[PLAIN], &told[PAST]);
	assert_true(told[PAST].cache.misses[0] > 1000);
	assert_true(told[PAST].trace.straddles > 1000);
	assert_true(told[PAST].cache.writebacks[0] > 100);
	for (unsigned int way = 0; way < WAYS; way++)
		forget(&told[way]);
	free(record.probe);
}

static const struct {
	const char *cache;
	uint32_t line;
} caches[] = {
	{ "L1=32K/8,L2=256K/8,L3=30M/24", 64 },
	{ "L1=8K/2,L2=64K/4", 64 },
	{ "L1=4K/1", 32 },
	{ "L1=24K/12,L2=96K/6,L3=960K/20", 64 },
	{ "L1=64K/4,L2=1M/8", 128 },
	{ "L1=64K/8,L2=1M/16,L3=11M/11", 256 },
};

static void test_accesses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(caches) / sizeof(*caches); i++)
		all_ways(caches[i].cache, caches[i].line,
			 (struct lac_trace_options){ 0 });
}

static void test_misses_only(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(caches) / sizeof(*caches); i++)
		all_ways(caches[i].cache, caches[i].line,
			 (struct lac_trace_options){ .misses_only = true });
}

/* The numbers of pages choose the set where the line in a page does not. */
static void test_any_address(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(caches) / sizeof(*caches); i++)
		all_ways(caches[i].cache, caches[i].line,
			 (struct lac_trace_options){ .any_address = true });
}

/* Accesses that begin just before a line, and at the end of all addresses. */
static void test_edges_of_memory(void **state)
{
	struct lac_trace_record record = { 0 };

	(void)state;
	start("L1=8K/2", 64, FRONT, (struct lac_trace_options){ 0 }, &record);
	__tsan_read1(base_of(OTHER));
	__tsan_unaligned_read8((char *)base_of(OTHER) - 1);
	__tsan_unaligned_read8((void *)~7ul);
	__tsan_unaligned_read8((void *)8);
	assert_int_equal(lac_tracer_counts().other, 3);
	assert_int_equal(lac_tracer_counts().events[LAC_READ], 4);
	__tsan_unaligned_read8((char *)base_of(OTHER) + 60);
	assert_int_equal(lac_tracer_counts().straddles, 1);
	assert_int_equal(lac_tracer_cache_counts().probes, 3);
	/* from a set on to the line that was used last but one there */
	__tsan_read1((char *)base_of(OTHER) + 4096);
	__tsan_read1((char *)base_of(OTHER) + 8192);
	__tsan_read_range(base_of(OTHER), 4096 + 4);
	assert_int_equal(lac_tracer_cache_counts().probes, 5 + 65);
	lac_tracer_stop();
}

static int set_up(void **state)
{
	(void)state;
	memory = mmap(base_of(WINDOW), BYTES, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE |
			      MAP_NORESERVE, -1, 0);
	return memory == MAP_FAILED ? -1 : 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_accesses),
		cmocka_unit_test(test_misses_only),
		cmocka_unit_test(test_any_address),
		cmocka_unit_test(test_edges_of_memory),
	};

	return cmocka_run_group_tests_name("cachesim, front", tests, set_up,
					   NULL);
}

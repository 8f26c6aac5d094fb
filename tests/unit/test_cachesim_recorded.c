/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_cachesim_recorded.c - traces of the allocator, recorded through the
 * hooks, replayed in every preset: fast, plain and naive models agree.  This file
 * is compiled for tracing, as fixtures.mk says.
 */
#define SLAB_TRACE
#define SLAB_PACKED 1
#define SLAB_LOCKED 1
#include "fixtures/slab/unity.c"

#include "fixtures/slab/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "cachesim/tracer.h"
#include "naive_cache.h"
#include "workload/workload.h"

enum { N = 3000, ROOM = 1 << 19 };

SLAB_UNTRACED void kernel_out_of_pages(void)
{
	abort();
}

SLAB_UNTRACED static void record(enum lac_test test, unsigned int size,
				 struct lac_trace_record *r)
{
	struct slab_options heap = { .npages = 1 << 15, .ncpu = 1 };
	struct lac_trace_options o = { .cpus = 1, .record = r };
	struct lac_rng rng = { 1 };
	struct lac_err err;
	void **v;

	assert_int_equal(lac_cache_preset_find("westmere-ex", &o.geometry, &err),
			 LAC_OK);
	assert_int_equal(slab_heap_create(&heap), 0);
	v = slab_arena_map(SLAB_ARENA_BENCH, N * sizeof(*v));
	assert_non_null(v);
	assert_int_equal(lac_tracer_start(&o, &err), LAC_OK);
	for (unsigned int id = SLAB_ARENA_OBJECTS; id <= SLAB_ARENA_BENCH; id++)
		assert_int_equal(lac_tracer_window(id, 1 << 27, &err), LAC_OK);
	lac_tracer_enable(true);
	for (int round = 0; round < 2; round++) {
		kernel_alloc_all(kmalloc_cache(size), v, N, 0);
		lac_test_order(test, v, N, &rng);
		kernel_free_all(v, N);
	}
	lac_tracer_enable(false);
	assert_int_equal(r->lost, 0);
	/* what reached the model is what was recorded */
	assert_int_equal(lac_tracer_cache_counts().probes, r->n);
	assert_true(r->n > 2 * N * 15);
	lac_tracer_stop();
	slab_arena_unmap(v, N * sizeof(*v));
	slab_heap_destroy();
}

SLAB_UNTRACED static void replay(const struct lac_trace_record *r,
				 const struct lac_cache_geometry *g,
				 const char *what)
{
	struct lac_cachesim *c, *plain, *loop;
	struct lac_cachesim_counts n;
	struct naive naive;
	struct lac_err err;

	assert_int_equal(lac_cachesim_create(g, &c, &err), LAC_OK);
	assert_int_equal(lac_cachesim_create(g, &plain, &err), LAC_OK);
	assert_int_equal(lac_cachesim_create(g, &loop, &err), LAC_OK);
	lac_cachesim_force_plain(plain);
	naive_init(&naive, g);
	lac_cachesim_replay(loop, r->probe, r->n);
	for (size_t i = 0; i < r->n; i++) {
		lac_cachesim_probe(c, r->probe[i] >> 1, r->probe[i] & 1);
		lac_cachesim_probe(plain, r->probe[i] >> 1, r->probe[i] & 1);
		naive_probe(&naive, r->probe[i] >> 1, r->probe[i] & 1);
	}
	n = lac_cachesim_counts(c);
	if (memcmp(&n, &naive.n, sizeof(n)))
		fail_msg("%s: not as in the naive model", what);
	n = lac_cachesim_counts(loop);
	if (memcmp(&n, &naive.n, sizeof(n)))
		fail_msg("%s, in one call: not as in the naive model", what);
	n = lac_cachesim_counts(plain);
	if (memcmp(&n, &naive.n, sizeof(n)))
		fail_msg("%s, plain C: not as in the naive model", what);
	assert_true(n.misses[0] > 0);
	lac_cachesim_destroy(c);
	lac_cachesim_destroy(plain);
	lac_cachesim_destroy(loop);
	naive_deinit(&naive);
}

SLAB_UNTRACED static void recorded(enum lac_test test, unsigned int size)
{
	struct lac_trace_record r = { .room = ROOM };

	r.probe = calloc(ROOM, sizeof(*r.probe));
	assert_non_null(r.probe);
	record(test, size, &r);
	for (const struct lac_cache_preset *p = lac_cache_presets; p->name;
	     p++) {
		struct lac_cache_geometry g;
		struct lac_err err;

		assert_int_equal(lac_cache_preset_find(p->name, &g, &err),
				 LAC_OK);
		replay(&r, &g, p->name);
	}
	free(r.probe);
}

SLAB_UNTRACED static void test_in_order(void **state)
{
	(void)state;
	recorded(LAC_TEST_BULK, 128);
}

SLAB_UNTRACED static void test_random(void **state)
{
	(void)state;
	recorded(LAC_TEST_BULK_RANDOM, 1024);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_order),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests_name("cachesim, recorded traces", tests,
					   NULL, NULL);
}

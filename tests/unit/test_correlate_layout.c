/* SPDX-License-Identifier: BSD-2-Clause */
/* Members from debug information, lines predicted from them, misses joined. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "correlate/predict.h"

/* Read back from this very program. */
struct test_page {
	unsigned long flags;
	union {
		unsigned long index;
		void *freelist;
	};
	struct {
		unsigned inuse : 16;
		unsigned objects : 15;
		unsigned frozen : 1;
		int _count;
	} counted;
	struct {
		struct test_page *next, *prev;
	} lru;
	void *slab_cache;
	void *first_page;
};
static const struct test_page in_use;

static void test_descriptor(void **state)
{
	static const char *const only[] = { "test_page", NULL };
	struct lac_graph_options o = { .no_cache = true, .only = only };
	LAC_CLEANUP_ARENA struct lac_arena *a = lac_arena_create();
	LAC_CLEANUP_GRAPH struct lac_graph *g = NULL;
	struct lac_descriptor d;
	const struct lac_field *f;
	struct lac_err err;

	(void)state;
	assert_int_equal(in_use.flags, 0);
	if (lac_graph_read("/proc/self/exe", &o, &g, &err) != LAC_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(lac_descriptor_read(g, "test_page", "test_page",
					     sizeof(in_use), 1, a, &d, &err),
			 LAC_OK);
	assert_int_equal(d.align, _Alignof(struct test_page));
	f = lac_descriptor_field(&d, offsetof(struct test_page, freelist),
				 lac_slub_members);
	assert_string_equal(f->name, "freelist"); /* not index */
	assert_false(f->whole);
	f = lac_descriptor_field(&d, offsetof(struct test_page, lru) + 12,
				 lac_slub_members);
	assert_string_equal(f->name, "prev");
	assert_int_equal(f->offset, offsetof(struct test_page, lru) + 8);
	f = lac_descriptor_field(&d,
				 offsetof(struct test_page, counted) + 4,
				 lac_slub_members);
	assert_string_equal(f->name, "_count");
	assert_true(f->whole);
	assert_null(lac_descriptor_field(&d, sizeof(in_use),
					 lac_slub_members));
	for (size_t i = 1; i < d.nfields; i++)
		assert_true(d.fields[i - 1].offset <= d.fields[i].offset);

	/* a program that is not what the counts say */
	assert_int_equal(lac_descriptor_read(g, "test_page", "test_page",
					     sizeof(in_use) - 8, 1, a, &d,
					     &err),
			 LAC_BAD_INPUT);
	assert_int_equal(lac_descriptor_read(g, "test_page", "no_such_view",
					     sizeof(in_use), 1, a, &d, &err),
			 LAC_NOT_FOUND);
}

/* A descriptor of the given stride, all of whose bytes but the last 0 to 8
 * belong to members: flags first, slab_cache last, as in v3.13. */
static const struct lac_field fields_v3_13[] = {
	{ "flags", 0, 0, 8, true },	  { "freelist", 0, 16, 8, true },
	{ "counters", 0, 24, 8, true },	  { "next", 0, 32, 8, true },
	{ "prev", 0, 40, 8, true },	  { "slab_cache", 0, 48, 8, false },
	{ "first_page", 0, 48, 8, false },
};
/* v5.10: what a free reads ends at byte 48, the tail's pointer is at 8. */
static const struct lac_field fields_v5_10[] = {
	{ "flags", 0, 0, 8, true },	    { "next", 0, 8, 8, false },
	{ "compound_head", 0, 8, 8, false }, { "prev", 0, 16, 8, true },
	{ "slab_cache", 0, 24, 8, true },   { "freelist", 0, 32, 8, true },
	{ "counters", 0, 40, 8, true },
};

#define DESCRIPTOR(fields, stride)                                             \
	{ "page", stride, 1, 8,                                                \
	  sizeof(fields) / sizeof(fields[0]), fields,                          \
	  sizeof(fields) / sizeof(fields[0]), fields }

static struct lac_prediction predict(const struct lac_descriptor *d,
				     const char *test, uint64_t size,
				     uint64_t order, uint64_t n,
				     unsigned line)
{
	struct lac_pattern p = { test, size, n, order, (4096ul << order) / size,
				 line, 4096 };
	struct lac_prediction r;
	struct lac_err err;

	assert_int_equal(lac_predict(d, &p, &r, &err), LAC_OK);
	return r;
}

static void near(double a, double b)
{
	if (fabs(a - b) > 1e-9)
		fail_msg("%.12g is not %.12g", a, b);
}

/* Lines of an isolated touch: known for every size that struct page had. */
static void test_isolated(void **state)
{
	static const struct {
		uint64_t stride;
		unsigned line;
		double lines;
	} known[] = {
		{ 64, 64, 1 },	     { 56, 64, 1.75 }, { 72, 64, 1.75 },
		{ 80, 64, 1.75 },    { 64, 128, 1 },   { 56, 128, 1.375 },
	};
	struct lac_descriptor v5 = DESCRIPTOR(fields_v5_10, 56);

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct lac_descriptor d =
			DESCRIPTOR(fields_v3_13, known[i].stride);

		near(predict(&d, "bulk", 256, 0, 16, known[i].line)
			     .lines_isolated,
		     known[i].lines);
	}
	/* 48 bytes that matter: they straddle at 5 phases of 8 */
	near(predict(&v5, "bulk", 256, 0, 16, 64).lines_isolated, 1.625);
}

/* The footprint in a dense run, by the sizes of the 2013 table. */
static void test_footprint(void **state)
{
	struct lac_descriptor aligned = DESCRIPTOR(fields_v3_13, 64);
	struct lac_descriptor packed = DESCRIPTOR(fields_v3_13, 56);

	(void)state;
	near(predict(&aligned, "bulk", 256, 0, 16000, 64).lines, 1 / 16.0);
	near(predict(&packed, "bulk", 256, 0, 16000, 64).lines, 0.875 / 16);
	near(predict(&aligned, "bulk", 4096, 3, 8000, 64).lines, 1);
	near(predict(&packed, "bulk", 4096, 3, 8000, 64).lines, 0.875);
	near(predict(&packed, "bulk", 8192, 3, 8000, 64).lines, 1.75);
	near(predict(&packed, "bulk", 256, 0, 32000, 128).lines, 0.4375 / 16);
	near(predict(&packed, "bulk-random", 256, 0, 16000, 64).lines,
	     0.875 / 16);
	near(predict(&packed, "bulk", 256, 0, 16000, 64).straddling, 0.75);
	near(predict(&aligned, "bulk", 256, 0, 16000, 64).straddling, 0);
	/* the pair loop: one descriptor, whatever n is */
	near(predict(&packed, "pair", 256, 0, 20000, 64).lines, 1 / 20000.0);
	near(predict(&packed, "pair", 256, 0, 5, 64).lines, 1 / 5.0);
}

/* The naive twin: mark every byte that is touched, then count its lines. */
static double naive_lines(const struct lac_descriptor *d, uint64_t order,
			  uint64_t nslabs, unsigned line)
{
	uint64_t bytes = (nslabs << order) * d->stride + 4096, lines = 0;
	unsigned char *m = calloc(bytes, 1);

	assert_non_null(m);
	for (uint64_t i = 0; i < nslabs << order; i++) {
		for (size_t k = 0; k < d->nfields; k++) {
			const struct lac_field *f = &d->fields[k];
			bool head = (i & ((1u << order) - 1)) == 0;
			bool tail_reads = !strcmp(f->name, "flags") ||
					  !strcmp(f->name, "first_page");
			bool head_reads = strcmp(f->name, "first_page") != 0;

			if (head ? head_reads : tail_reads)
				memset(m + i * d->stride + f->offset, 1,
				       f->size);
		}
	}
	for (uint64_t l = 0; l < bytes / line; l++)
		lines += memchr(m + l * line, 1, line) != NULL;
	free(m);
	return (double)lines;
}

static void test_against_naive(void **state)
{
	struct lac_rng r = { 1 };

	(void)state;
	for (int round = 0; round < 200; round++) {
		uint64_t stride = 56 + 8 * lac_rng_below(&r, 10);
		struct lac_descriptor d = DESCRIPTOR(fields_v3_13, stride);
		uint64_t order = lac_rng_below(&r, 4);
		uint64_t nslabs = 1 + lac_rng_below(&r, 60);
		unsigned line = 32u << lac_rng_below(&r, 4);
		uint64_t n = nslabs * ((4096ul << order) / 512);

		near(predict(&d, "bulk", 512, order, n, line).lines * (double)n,
		     naive_lines(&d, order, nslabs, line));
	}
}

static void test_unpredictable(void **state)
{
	struct lac_descriptor d = DESCRIPTOR(fields_v3_13, 64);
	struct lac_pattern p = { "remote", 64, 100, 0, 64, 64, 4096 };
	struct lac_prediction r;
	struct lac_err err;

	(void)state;
	assert_int_equal(lac_predict(&d, &p, &r, &err), LAC_UNSUPPORTED);
	p.test = "bulk";
	p.n = 0;
	assert_int_equal(lac_predict(&d, &p, &r, &err), LAC_BAD_INPUT);
	p.n = UINT64_MAX / 2;
	assert_int_equal(lac_predict(&d, &p, &r, &err), LAC_USAGE);
}

/* Nothing is lost or made up by the join, and a planted line is found. */
static void test_attribute(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *a = lac_arena_create();
	struct lac_descriptor d = DESCRIPTOR(fields_v3_13, 64);
	struct lac_rng r = { 4 };

	(void)state;
	for (int round = 0; round < 100; round++) {
		struct lac_offset_count o[64];
		struct lac_array_count c = { .offsets = o };
		struct lac_member_count *rows;
		uint64_t accesses = 0, misses = 0, sum_a = 0, sum_m = 0;
		struct lac_err err;
		size_t n;

		for (uint64_t at = 0; at < 64; at += 4) {
			if (lac_rng_below(&r, 3) == 0)
				continue;
			o[c.noffsets] = (struct lac_offset_count){
				.offset = at,
				.accesses = lac_rng_below(&r, 1000),
				.l1_misses = lac_rng_below(&r, 100),
			};
			accesses += o[c.noffsets].accesses;
			misses += o[c.noffsets++].l1_misses;
		}
		/* an extra line for each free, at the list's second pointer */
		o[c.noffsets++] = (struct lac_offset_count){
			.offset = 40, .accesses = 20000, .l1_misses = 20000
		};
		assert_int_equal(lac_attribute(&d, &c, lac_slub_members, a,
					       &rows, &n, &err),
				 LAC_OK);
		assert_string_equal(rows[0].name, "prev");
		for (size_t i = 0; i < n; i++) {
			sum_a += rows[i].accesses;
			sum_m += rows[i].l1_misses;
			assert_true(i == 0 || rows[i - 1].l1_misses >=
						      rows[i].l1_misses);
		}
		assert_int_equal(sum_a, accesses + 20000);
		assert_int_equal(sum_m, misses + 20000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_descriptor),
		cmocka_unit_test(test_isolated),
		cmocka_unit_test(test_footprint),
		cmocka_unit_test(test_against_naive),
		cmocka_unit_test(test_unpredictable),
		cmocka_unit_test(test_attribute),
	};

	return cmocka_run_group_tests_name("correlate_layout", tests, NULL,
					   NULL);
}

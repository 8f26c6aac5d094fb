/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "workload/workload.h"

enum { N = 1000 };

static void numbers(char *base, void **v)
{
	for (size_t i = 0; i < N; i++)
		v[i] = base + i;
}

static void test_names(void **state)
{
	struct lac_err err;
	enum lac_test t;

	(void)state;
	for (int i = 0; i < LAC_TESTS; i++) {
		assert_int_equal(lac_test_find(lac_test_name[i], &t, &err),
				 LAC_OK);
		assert_int_equal(t, i);
		assert_non_null(lac_test_summary[i]);
	}
	assert_int_equal(lac_test_find("bulky", &t, &err), LAC_USAGE);
	assert_non_null(strstr(err.msg, "bulk-random"));
}

/* Each order is a permutation; the random one depends on the seed alone. */
static void test_orders(void **state)
{
	static char base[N];
	void *v[N], *again[N];

	(void)state;
	for (int t = 0; t < LAC_TESTS; t++) {
		struct lac_rng r = { 5 }, r2 = { 5 };
		char seen[N] = { 0 };
		size_t moved = 0;

		numbers(base, v);
		numbers(base, again);
		lac_test_order((enum lac_test)t, v, N, &r);
		lac_test_order((enum lac_test)t, again, N, &r2);
		assert_memory_equal(v, again, sizeof(v));
		for (size_t i = 0; i < N; i++) {
			seen[(char *)v[i] - base]++;
			moved += v[i] != base + i;
		}
		for (size_t i = 0; i < N; i++)
			assert_int_equal(seen[i], 1);
		if (t == LAC_TEST_BULK_RANDOM)
			assert_true(moved > N * 9 / 10);
		else if (t == LAC_TEST_BULK_REVERSE)
			assert_ptr_equal(v[0], base + N - 1);
		else
			assert_int_equal(moved, 0);
	}
}

/* Every place is as likely to come first: 3 objects, 6 orders. */
static void test_shuffle_is_fair(void **state)
{
	enum { TIMES = 60000 };
	static char base[3];
	struct lac_rng r = { 1 };
	unsigned int count[27] = { 0 };
	int kinds = 0;

	(void)state;
	for (int i = 0; i < TIMES; i++) {
		void *v[3] = { base, base + 1, base + 2 };
		size_t key = 0;

		lac_shuffle(v, 3, &r);
		for (int k = 0; k < 3; k++)
			key = key * 3 + (size_t)((char *)v[k] - base);
		count[key]++;
	}
	for (int i = 0; i < 27; i++) {
		kinds += count[i] > 0;
		if (count[i])
			assert_in_range(count[i], TIMES / 6 - 500,
					TIMES / 6 + 500);
	}
	assert_int_equal(kinds, 6);
}

static void test_fragment(void **state)
{
	uint8_t keep[LAC_FRAGMENT_FACTOR * N];
	struct lac_rng r = { 3 };
	size_t n = 0, first_half = 0;

	(void)state;
	lac_fragment_choose(keep, sizeof(keep), N, &r);
	for (size_t i = 0; i < sizeof(keep); i++) {
		assert_in_range(keep[i], 0, 1);
		n += keep[i];
		if (i < sizeof(keep) / 2)
			first_half += keep[i];
	}
	assert_int_equal(n, N);
	assert_in_range(first_half, N / 2 - 100, N / 2 + 100);
}

/* What the kernels allocate, charge and let pass for a message. */
static void test_message(void **state)
{
	static const struct {
		unsigned int bytes;
		int era;
		unsigned int head, pages, charge, in_flight, resume;
	} rows[] = {
		{ 100, 313, 420, 0, 768, 278, 69 },
		{ 100, 510, 420, 0, 768, 278, 69 },
		{ 100, 601, 420, 0, 768, 278, 69 },
		{ 4096, 313, 4096, 1, 4672, 46, 11 },
		{ 4096, 510, 320, 1, 4864, 44, 10 },
		{ 4096, 601, 320, 1, 4864, 44, 10 },
		{ 4096, 612, 640, 1, 4992, 43, 10 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct lac_message m = lac_message_plan(rows[i].bytes,
							rows[i].era);

		assert_int_equal(m.descriptor_bytes, 256);
		assert_int_equal(m.head_bytes, rows[i].head);
		assert_int_equal(m.pages, rows[i].pages);
		assert_int_equal(m.charge_bytes, rows[i].charge);
		assert_int_equal(m.in_flight, rows[i].in_flight);
		assert_int_equal(m.resume, rows[i].resume);
	}
	for (unsigned int bytes = 1; bytes <= LAC_MESSAGE_MAX; bytes++) {
		struct lac_message m = lac_message_plan(bytes, 601);

		assert_in_range(m.head_bytes, 321 - 1, 4096);
		assert_true(m.head_bytes - 320 + m.pages * 4096 >= bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_orders),
		cmocka_unit_test(test_shuffle_is_fair),
		cmocka_unit_test(test_fragment),
		cmocka_unit_test(test_message),
	};

	return cmocka_run_group_tests_name("workload", tests, NULL, NULL);
}

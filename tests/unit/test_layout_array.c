/* SPDX-License-Identifier: BSD-2-Clause */
/* Arrays over lines: the closed forms against counting, and known figures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "layout/array.h"

static uint64_t lines_by_byte(uint64_t at, uint64_t size, uint32_t line_size)
{
	uint64_t n = 0;

	for (uint64_t b = at; b < at + size; b++)
		n += b == at || b % line_size == 0;
	return n;
}

static void test_against_counting(void **state)
{
	struct lac_rng rng = { 3 };

	(void)state;
	for (int i = 0; i < 3000; i++) {
		uint32_t line = 1u << lac_rng_below(&rng, 9);
		uint64_t at = lac_rng_below(&rng, 500);
		uint64_t size = lac_rng_below(&rng, 200);
		uint64_t n = lac_rng_below(&rng, 700);
		uint64_t first, count = 0, expect_first = 0;

		assert_int_equal(lac_lines_touched(at, size, line),
				 lines_by_byte(at, size, line));
		for (uint64_t e = 0; e < n; e++)
			if (lines_by_byte(at + e * size, size, line) > 1 &&
			    count++ == 0)
				expect_first = e;
		assert_int_equal(
			lac_array_straddlers(at, size, n, line, &first), count);
		assert_int_equal(first, expect_first);
	}
}

static void test_phases_against_counting(void **state)
{
	struct lac_rng rng = { 5 };

	(void)state;
	for (int i = 0; i < 1000; i++) {
		uint32_t line = 8u << lac_rng_below(&rng, 6);
		uint64_t stride = 1 + lac_rng_below(&rng, 300);
		uint64_t offset = lac_rng_below(&rng, stride);
		uint64_t size = 1 + lac_rng_below(&rng, stride - offset);
		struct lac_array_phases p =
			lac_array_phases(stride, offset, size, line);
		uint64_t lines = 0, straddling = 0;

		for (uint64_t e = 0; e < p.period; e++) {
			uint64_t k =
				lines_by_byte(e * stride + offset, size, line);

			lines += k;
			straddling += k > 1;
		}
		assert_int_equal(p.lines, lines);
		assert_int_equal(p.straddling, straddling);
		assert_int_equal(p.period * stride % line, 0);
		assert_true(lac_array_field_lines(stride, &offset, &size, 1,
						  line) == p.lines_per_touch);
	}
}

/* Huge arrays are no more work than small ones. */
static void test_huge(void **state)
{
	uint64_t first;

	(void)state;
	assert_int_equal(lac_array_straddlers(0, 56, 8ull << 50, 64, &first),
			 6ull << 50);
	assert_int_equal(first, 1);
	assert_int_equal(lac_array_straddlers(0, 1ull << 60, 8, 64, &first), 8);
	assert_int_equal(lac_array_straddlers(0, 1, UINT64_MAX, 65536, &first),
			 0);
	assert_int_equal(lac_lines_touched(63, UINT64_MAX, 64),
			 UINT64_MAX / 64 + 2);
}

/* The cache-line arithmetic of struct page, in exact fractions. */
static void test_struct_page_figures(void **state)
{
	static const struct {
		uint64_t size;
		uint32_t line;
		double dense, touch, fraction;
	} figures[] = {
		{ 48, 64, 0.75, 1.50, 1.0 / 2 },
		{ 56, 64, 0.875, 1.75, 6.0 / 8 },
		{ 64, 64, 1.0, 1.0, 0 },
		{ 72, 64, 1.125, 2.0, 1 },
		{ 80, 64, 1.25, 2.0, 1 },
		{ 48, 128, 0.375, 1.25, 1.0 / 4 },
		{ 56, 128, 0.4375, 1.375, 6.0 / 16 },
		{ 64, 128, 0.5, 1.0, 0 },
		{ 72, 128, 0.5625, 1.5, 1.0 / 2 },
		{ 80, 128, 0.625, 1.5, 1.0 / 2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		struct lac_array_phases p = lac_array_phases(
			figures[i].size, 0, figures[i].size, figures[i].line);

		assert_true(p.lines_per_element == figures[i].dense);
		assert_true(p.lines_per_touch == figures[i].touch);
		assert_true(p.straddling_fraction == figures[i].fraction);
	}
	assert_true(lac_array_aligned(64, 16, 16));
	assert_false(lac_array_aligned(56, 16, 16));
	assert_true(lac_array_aligned(56, 16, 8));
}

/* What one kfree reads of its descriptor, by version of the kernel. */
static void test_kfree_fields(void **state)
{
	static const struct {
		uint64_t offsets[3];
		unsigned n;
		double at_64, at_128;
	} reads[] = {
		{ { 0, 48 }, 2, 1.75, 1.375 },	    /* 3.13 */
		{ { 0, 32, 48 }, 3, 1.75, 1.375 },  /* 4.9 */
		{ { 0, 8, 24 }, 3, 1.375, 1.1875 }, /* 5.10 to 6.1 */
		{ { 8, 48 }, 2, 1.625, 1.3125 },    /* 6.12 */
	};
	static const uint64_t sizes[3] = { 8, 8, 8 };

	(void)state;
	for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
		assert_true(lac_array_field_lines(56, reads[i].offsets, sizes,
						  reads[i].n,
						  64) == reads[i].at_64);
		assert_true(lac_array_field_lines(56, reads[i].offsets, sizes,
						  reads[i].n,
						  128) == reads[i].at_128);
		assert_true(lac_array_field_lines(64, reads[i].offsets, sizes,
						  reads[i].n, 64) == 1.0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_counting),
		cmocka_unit_test(test_phases_against_counting),
		cmocka_unit_test(test_huge),
		cmocka_unit_test(test_struct_page_figures),
		cmocka_unit_test(test_kfree_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

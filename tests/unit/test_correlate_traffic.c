/* SPDX-License-Identifier: BSD-2-Clause */
/* test_correlate_traffic.c - simulations with more than can be kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "correlate/traffic.h"

/* n arrays without type: a member each, and a pair if pairs are asked for. */
static json_t *simulation(int n, bool members, bool pairs)
{
	json_t *arrays = json_array();

	for (int i = 0; i < n; i++) {
		json_t *a = json_pack("{s:o, s:n, s:n, s:i, s:i, s:[], s:[]}",
				      "name", json_sprintf("array%d", i), "type",
				      "view", "stride", 64, "period", 1,
				      "by_offset", "pairs");

		if (members)
			json_array_append_new(
				json_object_get(a, "by_offset"),
				json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i}",
					  "offset", 0, "accesses", 3,
					  "l1_misses", 2, "l2_misses", 1,
					  "hitm", 1, "true_sharing", 1,
					  "false_sharing", 0));
		if (pairs)
			json_array_append_new(
				json_object_get(a, "pairs"),
				json_pack("{s:i, s:i, s:i}", "offset", 0,
					  "other_offset", 8, "false_sharing",
					  1));
		json_array_append_new(arrays, a);
	}
	return json_pack("{s:i, s:i, s:i, s:{s:i, s:i, s:i}, s:o}", "ops", 1,
			 "cpus", 2, "l2_misses", members ? n : 0, "coherence",
			 "tasks", 2, "lock_waits", 0, "task_switches", 0,
			 "arrays", arrays);
}

static enum lac_status read_one(json_t *j, struct lac_traffic *t,
				struct lac_err *err)
{
	struct lac_arena *arena = lac_arena_create();
	enum lac_status st = lac_traffic_read(j, NULL, arena, t, err);

	lac_arena_destroy(arena);
	json_decref(j);
	return st;
}

static void test_most(void **state)
{
	struct lac_traffic t = { 0 };
	struct lac_err err;

	(void)state;
	assert_int_equal(read_one(simulation(512, true, false), &t, &err),
			 LAC_OK);
	assert_int_equal(t.nmembers, 512);
	assert_int_equal(t.total.accesses, 3 * 512);
	assert_int_equal(read_one(simulation(4096, false, true), &t, &err),
			 LAC_OK);
	assert_int_equal(t.npairs, 4096);
}

static void test_more(void **state)
{
	struct lac_traffic t = { .npairs = 77 };
	struct lac_err err;

	(void)state;
	assert_int_equal(read_one(simulation(513, true, true), &t, &err),
			 LAC_UNSUPPORTED);
	assert_non_null(strstr(err.msg, "512 members"));
	assert_int_equal(read_one(simulation(4097, false, true), &t, &err),
			 LAC_UNSUPPORTED);
	assert_non_null(strstr(err.msg, "4096 pairs of members"));
	assert_null(strstr(err.msg, "make"));
	assert_int_equal(t.npairs, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_most),
		cmocka_unit_test(test_more),
	};

	return cmocka_run_group_tests_name("correlate, traffic", tests, NULL,
					   NULL);
}

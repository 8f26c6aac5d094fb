/* SPDX-License-Identifier: BSD-2-Clause */
/* The engine against programs that answer at once: tests/cli/fake-slab.sh. */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/bench.h"

static char dir[64], noise[80];
static volatile sig_atomic_t stop;

static int install(void **state)
{
	char command[256];

	(void)state;
	strcpy(dir, "/tmp/lacuna-bench-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(noise, sizeof(noise), "%s/calls", dir);
	setenv("FAKE_NOISE", noise, 1);
	snprintf(command, sizeof(command),
		 "sh tests/cli/fake-slab.sh install %s 8", dir);
	return system(command);
}

static int tidy(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command);
}

static const struct lac_bench_cell two_cells[] = {
	{ "bulk", 256, 1600, true, true, 0 },
	{ "pair", 8, 1600, true, false, 0 },
};

static struct lac_bench_options options(void)
{
	struct lac_bench_options o = {
		.dir = dir,
		.variants = { true, true, true, true },
		.cells = two_cells,
		.ncells = 2,
		.job = { .seed = 1, .blocks = 10, .warmup = 1,
			 .ops_per_block = 1600 },
		.rounds_min = 6,
		.rounds_max = 6,
		.blocks_min = 5,
		.blocks_max = 10,
		.parallel = 2,
		.stop = &stop,
	};

	stop = 0;
	return o;
}

static int no_child_left(void)
{
	return waitpid(-1, NULL, WNOHANG) == -1;
}

static void test_run(void **state)
{
	struct lac_bench_options o = options();
	struct lac_bench_result *r;
	struct lac_bench *b;
	struct lac_err err;

	(void)state;
	setenv("FAKE_SLOW", "packed-lock", 1);
	assert_int_equal(lac_bench_run(&o, &b, &err), LAC_OK);
	unsetenv("FAKE_SLOW");
	assert_int_equal(b->nresults, 2);
	assert_int_equal(b->nbuilds, 8);
	assert_int_equal(b->nprocesses, 6 * 12);
	assert_false(b->interrupted);
	r = &b->results[0];
	assert_true(r->has_times);
	assert_int_equal(r->times.rounds, 6);
	assert_int_equal(r->blocks, 10);
	assert_true(fabs(r->times.ns[LAC_ALIGNED_CAS][1].value - 20.2) < 0.2);
	assert_int_equal(r->times.ratio[LAC_PACKED_LOCK].verdict, LAC_SLOWER);
	assert_int_equal(r->times.ratio[LAC_PACKED_CAS].verdict,
			 LAC_NOT_RESOLVED);
	/* only one corner is slow: the two effects interact */
	assert_int_equal(r->times.interaction.verdict, LAC_SLOWER);
	assert_int_equal(r->ncounts[0], 2);
	assert_string_equal(r->counts[0][0].name, "cycles");
	assert_int_equal(r->counts[0][0].status, LAC_COUNTER_UNSUPPORTED);
	assert_int_equal(r->counts[0][1].status, LAC_COUNTER_MEASURED);
	assert_true(fabs(r->counts[0][1].value - 1) < 1e-9); /* per op */
	assert_true(lac_statistic_value(r->statistics[0], "alloc_fastpath") ==
		    r->timed_ops[0]);
	for (int v = 0; v < LAC_NCELLS; v++) {
		const struct lac_simulation *s = &r->simulation[v];

		assert_true(r->has_simulation[v]);
		assert_int_equal(s->ops, 1600);
		assert_int_equal(s->page_array->stride,
				 v >= LAC_PACKED_LOCK ? 56 : 64);
		assert_string_equal(s->geometry,
				    "L1 32K/8, L3 30M/24; 64-byte lines");
		assert_true(b->results[1].has_simulation[v]);
	}
	assert_false(b->results[1].has_times);
	assert_true(no_child_left());
	lac_bench_destroy(b);
}

static void test_failing_program(void **state)
{
	struct lac_bench_options o = options();
	struct lac_bench *b = NULL;
	struct lac_err err;

	(void)state;
	setenv("FAKE_FAIL", "packed-cas", 1);
	assert_int_equal(lac_bench_run(&o, &b, &err), LAC_USAGE);
	unsetenv("FAKE_FAIL");
	assert_null(b);
	assert_string_equal(err.msg, "slab-sim-packed-cas: --n 1600: from 1 to "
				     "4 objects fit into memory");
	assert_true(no_child_left());
}

static void test_missing_program(void **state)
{
	struct lac_bench_options o = options();
	struct lac_bench *b = NULL;
	struct lac_err err;

	(void)state;
	o.dir = "/nonexistent";
	assert_int_equal(lac_bench_run(&o, &b, &err), LAC_NOT_FOUND);
	assert_non_null(strstr(err.msg, "cannot be run"));
	assert_non_null(strstr(err.msg, "LACUNA_LIBEXEC"));
	assert_null(b);
	assert_true(no_child_left());
}

static int progress_calls;

/* As a SIGINT would: after the third round of the timing has begun. */
static void stop_later(void *context, const char *phase, double done,
		       double total)
{
	(void)context;
	assert_true(done >= 0 && done <= total);
	if (!strcmp(phase, "timing") && ++progress_calls == 30)
		stop = 1;
}

static void test_interrupted(void **state)
{
	struct lac_bench_options o = options();
	struct lac_bench *b;
	struct lac_err err;

	(void)state;
	o.progress = stop_later;
	progress_calls = 0;
	assert_int_equal(lac_bench_run(&o, &b, &err), LAC_OK);
	assert_true(b->interrupted);
	assert_true(b->results[0].has_times);
	assert_int_equal(b->results[0].times.rounds, 2); /* whole ones */
	assert_true(isnan(b->results[0].times.ns[0][1].low));
	assert_true(b->results[0].has_simulation[0]);
	lac_bench_destroy(b);
	/* before anything has come of it */
	o = options();
	stop = 1;
	b = NULL;
	assert_int_equal(lac_bench_run(&o, &b, &err), LAC_INTERRUPTED);
	assert_null(b);
	assert_true(no_child_left());
}

static void alarm_stops(int sig)
{
	(void)sig;
	stop = 1;
}

/* A program that does not end is ended, at once. */
static void test_interrupted_in_a_program(void **state)
{
	struct lac_bench_options o = options();
	struct lac_bench *b = NULL;
	struct sigaction sa = { .sa_handler = alarm_stops };
	double start = lac_seconds();
	struct lac_err err;

	(void)state;
	setenv("FAKE_HANG", "aligned-cas", 1);
	sigaction(SIGALRM, &sa, NULL);
	alarm(1);
	assert_int_equal(lac_bench_run(&o, &b, &err), LAC_OK);
	unsetenv("FAKE_HANG");
	assert_true(b->interrupted);
	assert_false(b->results[0].has_simulation[LAC_ALIGNED_CAS]);
	assert_true(lac_seconds() - start < 30);
	assert_true(no_child_left());
	lac_bench_destroy(b);
}

static void test_budget(void **state)
{
	struct lac_bench_options o = options();
	struct lac_bench *b;
	struct lac_err err;

	(void)state;
	/* no room at all: the fewest blocks, the fewest rounds */
	o.budget_s = 1e-6;
	o.rounds_max = 40;
	assert_int_equal(lac_bench_run(&o, &b, &err), LAC_OK);
	assert_int_equal(b->results[0].times.rounds, 6);
	assert_int_equal(b->results[0].blocks, 5);
	lac_bench_destroy(b);
}

static void test_planted(void **state)
{
	struct lac_bench_options o = options();
	struct lac_bench *b;
	struct lac_err err;

	(void)state;
	o.planted[LAC_ALIGNED_CAS] = 1.3; /* the base; not its controls */
	assert_int_equal(lac_bench_run(&o, &b, &err), LAC_OK);
	assert_true(fabs(b->results[0].times.again.ratio[1].value * 1.3 - 1) <
		    0.02);
	lac_bench_destroy(b);
}

static void write_program(const char *name, const char *text)
{
	char path[160];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	unlink(path);
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "#!/bin/sh\n%s\n", text);
	fclose(f);
	assert_int_equal(chmod(path, 0755), 0);
}

/* Whatever it prints: an error that names it. */
static void test_nonsense(void **state)
{
	static const char *const texts[] = {
		"echo", "echo '[1]'", "echo '{}'", "printf '{\"a\":'",
		"echo '{\"variant\":\"packed-cas\",\"ops\":-1}'",
		"head -c 100000 /dev/zero", "kill -SEGV $$", "exit 3",
	};
	struct lac_bench_options o = options();
	struct lac_err err;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct lac_bench *b = NULL;

		write_program("slab-sim-packed-cas", texts[i]);
		assert_int_not_equal(lac_bench_run(&o, &b, &err), LAC_OK);
		assert_non_null(strstr(err.msg, "slab-sim-packed-cas"));
		assert_null(b);
	}
	assert_true(no_child_left());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_failing_program),
		cmocka_unit_test(test_missing_program),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_interrupted_in_a_program),
		cmocka_unit_test(test_budget),
		cmocka_unit_test(test_planted),
		cmocka_unit_test(test_nonsense),
	};

	return cmocka_run_group_tests_name("bench_run", tests, install, tidy);
}

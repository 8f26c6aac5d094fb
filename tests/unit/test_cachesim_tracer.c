/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_cachesim_tracer.c - from the calls that compilers make to counts, and
 * several CPUs whose answers are known.  The calls are made by hand here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "cachesim/trace.h"
#include "cachesim/tracer.h"

/* gcc knows these as builtins of its own as soon as any sanitizer is on */
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"

void __tsan_read4(void *p);
void __tsan_read8(void *p);
void __tsan_write8(void *p);
void __tsan_unaligned_read8(void *p);
void __tsan_read_range(void *p, unsigned long n);
void *__tsan_memcpy(void *to, const void *from, size_t n);
void *__tsan_memset(void *to, int byte, size_t n);
uint64_t __tsan_atomic64_fetch_add(volatile uint64_t *p, uint64_t v, int mo);
int __tsan_atomic64_compare_exchange_strong(volatile uint64_t *p, uint64_t *old,
					    uint64_t v, int mo, int fail_mo);
uint64_t __tsan_atomic64_compare_exchange_val(volatile uint64_t *p, uint64_t old,
					      uint64_t v, int mo, int fail_mo);

enum { WINDOW = 3, BYTES = 1 << 20 };

struct hot {
	uint64_t a, b, c[5]; /* 56 bytes */
};

static struct hot *array;

static void start_as(struct lac_trace_options o)
{
	struct lac_region_spec spec;
	struct lac_err err;

	assert_int_equal(lac_cache_preset_find("westmere-ex", &o.geometry, &err),
			 LAC_OK);
	array = mmap((void *)((uintptr_t)WINDOW << LAC_WINDOW_SHIFT), BYTES,
		     PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	assert_ptr_not_equal(array, MAP_FAILED);
	assert_int_equal(lac_tracer_start(&o, &err), LAC_OK);
	assert_int_equal(lac_tracer_window(WINDOW, BYTES, &err), LAC_OK);
	spec = (struct lac_region_spec){ .name = "array", .type = "hot",
					 .view = "hot", .base = array,
					 .stride = sizeof(*array), .period = 1,
					 .count = 1000 };
	assert_int_equal(lac_tracer_region(&spec, &err), LAC_OK);
	assert_int_equal(lac_tracer_region(&spec, &err), LAC_USAGE); /* twice */
	lac_tracer_enable(true);
}

static void start(unsigned int cpus, uint64_t quantum, bool any_address)
{
	start_as((struct lac_trace_options){ .cpus = cpus, .quantum = quantum,
					     .any_address = any_address });
}

static int stop(void **state)
{
	(void)state;
	lac_tracer_enable(false);
	lac_tracer_stop();
	munmap(array, BYTES);
	return 0;
}

static void test_kinds(void **state)
{
	struct lac_trace_counts n;
	uint64_t expected = 5, elsewhere = 0;

	(void)state;
	start(1, 0, false);
	__tsan_read8(&array[0].a);
	__tsan_write8(&array[0].b);
	array[0].a = 7;
	assert_int_equal(__tsan_atomic64_fetch_add(&array[0].a, 3, 5), 7);
	assert_int_equal(array[0].a, 10);
	/* a compare-exchange that fails is still one, and says what it saw */
	assert_false(__tsan_atomic64_compare_exchange_strong(
		&array[0].a, &expected, 1, 5, 5));
	assert_int_equal(expected, 10);
	assert_int_equal(__tsan_atomic64_compare_exchange_val(&array[0].a, 10,
							      11, 5, 5), 10);
	assert_int_equal(array[0].a, 11);
	__tsan_read8(&elsewhere);
	n = lac_tracer_counts();
	assert_int_equal(n.events[LAC_READ], 2);
	assert_int_equal(n.events[LAC_WRITE], 1);
	assert_int_equal(n.events[LAC_RMW], 3);
	assert_int_equal(n.other, 1);
	assert_int_equal(n.straddles, 0);
	assert_int_equal(lac_tracer_cache_counts().probes, 5);
	assert_int_equal(lac_tracer_cache_counts().misses[0], 1);
}

/* One access, two probes; each miss is counted where it happened. */
static void test_straddle(void **state)
{
	const struct lac_region *r;

	(void)state;
	start(1, 0, false);
	/* element 1 begins at byte 56: a at 56, b at 64 */
	__tsan_unaligned_read8((char *)array + 60);
	assert_int_equal(lac_tracer_counts().straddles, 1);
	assert_int_equal(lac_tracer_cache_counts().probes, 2);
	assert_int_equal(lac_tracer_cache_counts().misses[0], 2);
	r = lac_tracer_region_at(0);
	assert_int_equal(lac_region_total(r).straddles, 1);
	assert_int_equal(r->cell[4].straddles, 1);
	assert_int_equal(r->cell[4].accesses, 1);
	assert_int_equal(r->cell[4].misses[0], 1); /* first line, byte 60 */
	assert_int_equal(r->cell[8].misses[0], 1); /* second line, byte 64 */
	assert_int_equal(r->lines_touched, 2);
	/* a range counts once, however long it is */
	__tsan_read_range(array, 640);
	assert_int_equal(lac_tracer_counts().events[LAC_READ], 2);
	assert_int_equal(lac_tracer_cache_counts().probes, 12);
}

static void test_copies(void **state)
{
	char from[32] = "what a compiler may not inline";

	(void)state;
	start(1, 0, false);
	__tsan_memcpy(array, from, sizeof(from));
	assert_string_equal((char *)array, from);
	__tsan_memset(array, 0, 64);
	assert_int_equal(array[0].a, 0);
	assert_int_equal(lac_tracer_counts().events[LAC_READ], 1);
	assert_int_equal(lac_tracer_counts().events[LAC_WRITE], 2);
}

/* Offsets are those in an element, and their sums the totals. */
static void test_attribution(void **state)
{
	const struct lac_region *r;
	struct lac_cell sum;

	(void)state;
	start(1, 0, false);
	for (int i = 0; i < 1000; i++) {
		__tsan_read8(&array[i].b);
		__tsan_write8(&array[i].c[4]);
	}
	r = lac_tracer_region_at(0);
	assert_null(lac_tracer_region_at(1));
	sum = lac_region_total(r);
	assert_int_equal(r->cell[8].accesses, 1000);
	assert_int_equal(r->cell[48].accesses, 1000);
	assert_int_equal(sum.accesses, 2000);
	assert_int_equal(sum.misses[0], 875); /* 56000 bytes in order */
	assert_int_equal(sum.misses[0], lac_tracer_cache_counts().misses[0]);
	assert_int_equal(r->lines_touched, 875);
	lac_tracer_next_round();
	__tsan_read8(&array[0].b);
	assert_int_equal(r->lines_touched, 876);
	assert_int_equal(r->lines_footprint, 875);
	lac_tracer_reset();
	assert_int_equal(lac_region_total(r).accesses, 0);
	assert_int_equal(lac_tracer_counts().events[LAC_READ], 0);
}

/* Pages are numbered as they come, so where they lie does not matter. */
static void test_any_address(void **state)
{
	char *map[2];
	uint64_t misses[2];

	(void)state;
	for (int i = 0; i < 2; i++) {
		start(1, 0, true);
		map[i] = mmap(NULL, 3 << 20, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		assert_ptr_not_equal(map[i], MAP_FAILED);
		for (unsigned long k = 0; k < 100000; k++)
			__tsan_read4(map[i] + k * 7919 % (3ul << 20) / 4 * 4);
		misses[i] = lac_tracer_cache_counts().misses[1];
		assert_int_equal(lac_tracer_counts().other, 0);
		stop(NULL);
	}
	assert_ptr_not_equal(map[0], map[1]);
	assert_true(misses[0] > 1000);
	assert_int_equal(misses[0], misses[1]);
	munmap(map[0], 3 << 20);
	munmap(map[1], 3 << 20);
	start(1, 0, false); /* for the teardown */
}

static void test_windows(void **state)
{
	struct lac_err err;

	(void)state;
	start(1, 0, false);
	assert_int_equal(lac_tracer_window(0, 64, &err), LAC_USAGE);
	assert_int_equal(lac_tracer_window(8, 64, &err), LAC_USAGE);
	assert_int_equal(lac_tracer_window(4, 1ull << 40, &err), LAC_USAGE);
}

/* ---- several CPUs ------------------------------------------------------------------ */

enum { WRITES = 10000 };

static void write_apart(unsigned int cpu, void *arg)
{
	uint64_t *word = (uint64_t *)(void *)array +
			 cpu * *(unsigned int *)arg / 8;

	for (int i = 0; i < WRITES; i++)
		__tsan_write8(word);
}

static struct lac_coherence_counts writers(unsigned int cpus,
					   unsigned int stride)
{
	struct lac_coherence_counts n;
	struct lac_err err;

	start(cpus, 0, false);
	assert_int_equal(lac_tracer_run_cpus(cpus, write_apart, &stride, NULL,
					     &err), LAC_OK);
	n = lac_tracer_coherence();
	return n;
}

/* One line for all: every write but the very first finds it elsewhere. */
static void test_sharing_is_known(void **state)
{
	static const unsigned int cpus[] = { 2, 8 };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct lac_coherence_counts n;
		unsigned int all = cpus[i] * WRITES;

		n = writers(cpus[i], 8); /* neighbouring words */
		assert_int_equal(n.hitm_writes, all - 1);
		assert_int_equal(n.false_sharing, all - 1);
		assert_int_equal(n.true_sharing, 0);
		stop(NULL);
		n = writers(cpus[i], 0); /* the same word */
		assert_int_equal(n.true_sharing, all - 1);
		assert_int_equal(n.false_sharing, 0);
		stop(NULL);
		n = writers(cpus[i], 64); /* a line each */
		assert_int_equal(n.hitm_writes + n.true_sharing +
					 n.false_sharing, 0);
		if (!i)
			stop(NULL);
	}
}

/* The pair of places is named: element 0's b and element 1's a, on one line. */
static void write_neighbour(unsigned int cpu, void *arg)
{
	uint64_t *word = cpu ? &array[1].a : &array[0].b;

	(void)arg;
	for (int i = 0; i < WRITES; i++)
		__tsan_write8(word);
}

static void test_pair(void **state)
{
	const struct lac_region *r;
	struct lac_err err;
	uint64_t sum = 0;

	(void)state;
	start(2, 0, false);
	assert_int_equal(lac_tracer_run_cpus(2, write_neighbour, NULL, NULL,
					     &err), LAC_OK);
	r = lac_tracer_region_at(0);
	assert_int_equal(r->npairs, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct lac_sharing_pair *p = &r->pair[i];

		assert_true((p->offset == 8 && p->other_offset == 56) ||
			    (p->offset == 56 && p->other_offset == 8));
		sum += p->count;
	}
	assert_int_equal(sum, 2 * WRITES - 1);
	assert_int_equal(r->cell[0].false_sharing + r->cell[8].false_sharing,
			 2 * WRITES - 1);
}

struct locked {
	int lock;
	unsigned int inside, most, turns;
};

static void lock_and_count(unsigned int cpu, void *arg)
{
	struct locked *l = arg;

	for (int i = 0; i < 1000; i++) {
		lac_trace_lock((int *)&array[0].a);
		if (++l->inside > l->most)
			l->most = l->inside;
		__tsan_write8(&array[20 + cpu].a); /* may switch */
		l->turns++;
		l->inside--;
		lac_trace_unlock((int *)&array[0].a);
	}
}

static void test_lock_excludes(void **state)
{
	struct locked l = { 0 };
	struct lac_err err;

	(void)state;
	start(7, 0, false);
	assert_int_equal(lac_tracer_run_cpus(7, lock_and_count, &l, NULL, &err),
			 LAC_OK);
	assert_int_equal(l.most, 1);
	assert_int_equal(l.turns, 7000);
	assert_int_equal((int)array[0].a, 0);
	assert_true(lac_tracer_coherence().lock_waits > 1000);
}

static void lock_both(unsigned int cpu, void *arg)
{
	(void)arg;
	lac_trace_lock((int *)(cpu ? &array[0].a : &array[9].a));
	for (int i = 0; i < 100; i++)
		__tsan_write8(&array[20 + cpu].a);
	lac_trace_lock((int *)(cpu ? &array[9].a : &array[0].a));
}

static void test_deadlock_is_told(void **state)
{
	struct lac_err err;

	(void)state;
	start(2, 0, false);
	assert_int_equal(lac_tracer_run_cpus(2, lock_both, NULL, NULL, &err),
			 LAC_USAGE);
	assert_non_null(strstr(err.msg, "waits for a lock"));
}

/* Tasks that take turns, the last one first, whatever CPU they share. */
enum { TASKS = 7, TASK_CPUS = 3 };

struct turns {
	unsigned int next, cpu, done[TASKS], ndone;
};

static struct turns turns;

static void cpu_is(unsigned int cpu)
{
	turns.cpu = cpu;
}

static void take_turn(unsigned int task, void *arg)
{
	(void)arg;
	lac_trace_lock((int *)&array[0].a);
	while (turns.next != task)
		lac_trace_wait((int *)&array[0].a, &turns);
	assert_int_equal(turns.cpu, task % TASK_CPUS);
	turns.done[turns.ndone++] = task;
	turns.next--;
	lac_trace_wake(&turns);
	lac_trace_unlock((int *)&array[0].a);
	__tsan_write8(&array[20 + task].a);
}

static void test_tasks_share_cpus(void **state)
{
	struct lac_err err;

	(void)state;
	start(TASK_CPUS, 0, false);
	turns = (struct turns){ .next = TASKS - 1 };
	assert_int_equal(lac_tracer_run_tasks(TASKS, TASK_CPUS, take_turn, NULL,
					      cpu_is, &err), LAC_OK);
	assert_int_equal(turns.ndone, TASKS);
	for (unsigned int i = 0; i < TASKS; i++)
		assert_int_equal(turns.done[i], TASKS - 1 - i);
	/* tasks 3 to 6 began when one before them waited */
	assert_true(lac_tracer_coherence().task_switches >= TASKS - TASK_CPUS);
	assert_int_equal(lac_tracer_run_tasks(2, TASK_CPUS, take_turn, NULL,
					      NULL, &err), LAC_USAGE);
	assert_int_equal(lac_tracer_run_tasks(LAC_TASKS_MAX + 1, TASK_CPUS,
					      take_turn, NULL, NULL, &err),
			 LAC_USAGE);
	assert_non_null(strstr(err.msg, "1024"));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_teardown(f, stop)
	const struct CMUnitTest tests[] = {
		TEST(test_kinds),	    TEST(test_straddle),
		TEST(test_copies),	    TEST(test_attribution),
		TEST(test_any_address),	    TEST(test_windows),
		TEST(test_sharing_is_known), TEST(test_pair),
		TEST(test_lock_excludes),   TEST(test_deadlock_is_told),
		TEST(test_tasks_share_cpus),
	};

	return cmocka_run_group_tests_name("cachesim, tracer", tests, NULL,
					   NULL);
}

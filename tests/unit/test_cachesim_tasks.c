/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_cachesim_tasks.c - which task runs on which virtual CPU, and when: random
 * scripts against the same rules written plainly, step by step.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "cachesim/trace.h"
#include "cachesim/tracer_internal.h"

#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"

void __tsan_write8(void *p);

/* An access outside of every window costs this, and nothing is cached. */
enum { CYCLES = 5 };
enum { TASKS = 12, OPS = 24, CHANNELS = 4, LOG = TASKS * OPS };

enum op { ACCESS, WAKE, WAIT };

/* An operation that is complete, and the clock of its CPU then. */
struct entry {
	unsigned int task, op;
	uint64_t clock;
};

struct plan {
	unsigned int tasks, cpus;
	uint64_t quantum;
	enum op op[TASKS][OPS];
	unsigned int channel[TASKS][OPS];
};

struct outcome {
	struct entry log[LOG];
	size_t n;
	bool deadlock;
	uint64_t switches;
};

static void put(struct outcome *o, unsigned int task, unsigned int op,
		uint64_t clock)
{
	o->log[o->n++] = (struct entry){ task, op, clock };
}

/* ---- the naive twin ---------------------------------------------------------- */

enum { NOBODY = TASKS };

struct naive {
	const struct plan *plan;
	uint64_t clock[TASKS], woken[TASKS]; /* of CPUs, of tasks */
	unsigned int running[TASKS];	     /* on each CPU; NOBODY */
	unsigned int op[TASKS], step[TASKS];
	int waits_for[TASKS]; /* -1: can run */
	unsigned int queue[TASKS], nqueue;
	unsigned int cpu, ndone;
};

static bool can_run(const struct naive *n, unsigned int cpu)
{
	return n->running[cpu] != NOBODY;
}

static unsigned int lowest(const struct naive *n, unsigned int but)
{
	unsigned int best = NOBODY;

	for (unsigned int c = 0; c < n->plan->cpus; c++)
		if (c != but && can_run(n, c) &&
		    (best == NOBODY || n->clock[c] < n->clock[best]))
			best = c;
	return best;
}

static void access_one(struct naive *n)
{
	unsigned int other = lowest(n, n->cpu);

	n->clock[n->cpu] += CYCLES;
	if (other != NOBODY &&
	    n->clock[n->cpu] > n->clock[other] + n->plan->quantum)
		n->cpu = other;
}

/* The next of its tasks in a circle that can run by now, or the first to. */
static void next_task(struct naive *n, struct outcome *o)
{
	unsigned int cpus = n->plan->cpus, c = n->cpu, best = NOBODY;
	unsigned int on_cpu = (n->plan->tasks - c + cpus - 1) / cpus;
	unsigned int from = n->running[c] / cpus;

	for (unsigned int i = 1; i <= on_cpu; i++) {
		unsigned int t = (from + i) % on_cpu * cpus + c;

		if (n->op[t] == OPS || n->waits_for[t] >= 0)
			continue;
		if (n->woken[t] <= n->clock[c]) {
			best = t;
			break;
		}
		if (best == NOBODY || n->woken[t] < n->woken[best])
			best = t;
	}
	n->running[c] = best;
	if (best == NOBODY)
		return;
	o->switches++;
	if (n->clock[c] < n->woken[best])
		n->clock[c] = n->woken[best];
}

static void wake(struct naive *n, int channel)
{
	unsigned int left = 0;

	for (unsigned int i = 0; i < n->nqueue; i++) {
		unsigned int t = n->queue[i], c = t % n->plan->cpus;

		if (n->waits_for[t] != channel) {
			n->queue[left++] = t;
			continue;
		}
		n->waits_for[t] = -1;
		n->woken[t] = n->clock[n->cpu];
		if (n->running[c] != NOBODY)
			continue;
		n->running[c] = t;
		if (n->clock[c] < n->woken[t])
			n->clock[c] = n->woken[t];
	}
	n->nqueue = left;
}

static void complete(struct naive *n, unsigned int t, struct outcome *o)
{
	/* nothing is received before it was sent */
	assert_true(n->clock[n->cpu] >= n->woken[t]);
	put(o, t, n->op[t], n->clock[n->cpu]);
	n->step[t] = 0;
	n->op[t]++;
}

/* False: every CPU waits, or all is done. */
static bool step(struct naive *n, struct outcome *o)
{
	unsigned int t = n->running[n->cpu], op = n->op[t];

	if (op == OPS) {
		if (++n->ndone == n->plan->tasks)
			return false;
		next_task(n, o);
	} else if (n->plan->op[t][op] == WAKE) {
		wake(n, (int)n->plan->channel[t][op]);
		complete(n, t, o);
		return true;
	} else if (n->step[t] == (n->plan->op[t][op] == WAIT ? 3 : 1)) {
		complete(n, t, o);
		return true;
	} else if (n->step[t]++ != 1) {
		access_one(n);
		return true;
	} else {
		n->waits_for[t] = (int)n->plan->channel[t][op];
		n->queue[n->nqueue++] = t;
		next_task(n, o);
	}
	n->cpu = lowest(n, NOBODY);
	o->deadlock = n->cpu == NOBODY;
	return !o->deadlock;
}

static void naive_run(const struct plan *p, struct outcome *o)
{
	struct naive n = { .plan = p };

	for (unsigned int t = 0; t < p->tasks; t++)
		n.waits_for[t] = -1;
	for (unsigned int c = 0; c < p->cpus; c++)
		n.running[c] = c;
	while (step(&n, o))
		;
}

/* ---- the machine ---------------------------------------------------------------- */

static const struct plan *now;
static struct outcome *seen;
static int lock[TASKS], channels[CHANNELS];
static uint64_t word[TASKS];

static void body(unsigned int task, void *arg)
{
	(void)arg;
	for (unsigned int i = 0; i < OPS; i++) {
		unsigned int channel = now->channel[task][i];

		switch (now->op[task][i]) {
		case ACCESS:
			__tsan_write8(&word[task]);
			break;
		case WAKE:
			lac_trace_wake(&channels[channel]);
			break;
		case WAIT:
			lac_trace_wait(&lock[task], &channels[channel]);
			lock[task] = 0;
		}
		put(seen, task, i, lac_machine_clock(lac_tracer_now.machine));
	}
}

static void machine_run(const struct plan *p, struct outcome *o)
{
	struct lac_trace_options options = { .cpus = p->cpus,
					     .quantum = p->quantum };
	struct lac_err err;
	enum lac_status st;

	now = p;
	seen = o;
	memset(lock, 0, sizeof(lock));
	assert_int_equal(lac_cache_preset_find("westmere-ex", &options.geometry,
					       &err), LAC_OK);
	assert_int_equal(lac_tracer_start(&options, &err), LAC_OK);
	lac_tracer_enable(true);
	st = lac_tracer_run_tasks(p->tasks, p->cpus, body, NULL, NULL, &err);
	assert_true(st == LAC_OK || st == LAC_USAGE);
	o->deadlock = st == LAC_USAGE;
	o->switches = lac_tracer_coherence().task_switches;
	lac_tracer_enable(false);
	lac_tracer_stop();
}

static void test_like_naive(void **state)
{
	struct outcome *want = malloc(sizeof(*want)), *got = malloc(sizeof(*got));
	struct lac_rng r = { 1 };
	unsigned int complete_runs = 0;

	(void)state;
	assert_true(want && got);
	for (int run = 0; run < 2000; run++) {
		struct plan p = { 0 };

		p.cpus = 2 + (unsigned int)lac_rng_below(&r, 4);
		p.tasks = p.cpus +
			  (unsigned int)lac_rng_below(&r, TASKS - p.cpus + 1);
		p.quantum = lac_rng_below(&r, 3) * 20;
		for (unsigned int t = 0; t < p.tasks; t++)
			for (unsigned int i = 0; i < OPS; i++) {
				uint64_t x = lac_rng_below(&r, 20);

				p.op[t][i] = x < 9 ? ACCESS :
					     x < 18 ? WAKE : WAIT;
				p.channel[t][i] = (unsigned int)lac_rng_below(
					&r, CHANNELS);
			}
		memset(want, 0, sizeof(*want));
		memset(got, 0, sizeof(*got));
		naive_run(&p, want);
		machine_run(&p, got);
		for (size_t i = 0; i < want->n && i < got->n; i++)
			if (memcmp(&want->log[i], &got->log[i],
				   sizeof(*want->log)))
				fail_msg("run %d, entry %zu: task %u op %u at "
					 "%llu, naively %u %u at %llu", run, i,
					 got->log[i].task, got->log[i].op,
					 (unsigned long long)got->log[i].clock,
					 want->log[i].task, want->log[i].op,
					 (unsigned long long)want->log[i].clock);
		assert_int_equal(got->n, want->n);
		assert_int_equal(got->deadlock, want->deadlock);
		assert_int_equal(got->switches, want->switches);
		complete_runs += !got->deadlock;
	}
	assert_in_range(complete_runs, 100, 1999); /* both ends are met */
	free(want);
	free(got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_like_naive),
	};

	return cmocka_run_group_tests_name("cachesim, tasks", tests, NULL,
					   NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine.c - N virtual CPUs in one thread, deterministic.
 *
 * Each has a clock that every access advances.  When the clock of the one that
 * runs is ahead of the lowest other one by more than the quantum, the CPU with
 * the lowest clock (the lowest number, if equal) goes on.  A switch can only
 * happen inside an access of traced code, before what it stands for; so the
 * operation itself is atomic.
 *
 * What runs on a CPU is a task, a coroutine.  Tasks stay on their CPU, task i
 * on CPU i modulo their number, and share it without being interrupted: the next
 * one goes on when one ends or waits for a channel.
 *
 * A taken lock blocks its CPU; waiters are handed the lock, or woken, in the order
 * in which they came.  Who is woken goes on at the giver's clock at the earliest:
 * at once if its CPU is free, and when it gets it otherwise.
 */
#include <stdlib.h>
#include <string.h>

#include "cachesim/coherent.h"
#include "cachesim/coro.h"
#include "cachesim/tracer_internal.h"

enum {
	CYCLES_INSTRUCTION = 1, /* added to each access */
	CYCLES_OTHER = 4,	/* an access that is not simulated */
	STACK_BYTES = 256 << 10,
};

#define NO_TASK UINT32_MAX

struct task {
	const void *waits_for; /* a lock word or a channel; NULL: can run */
	uint64_t woken;	       /* the giver's clock: it cannot run before */
	bool done;
	struct lac_coro coro;
};

struct vcpu {
	uint64_t clock;
	unsigned int task; /* the one that has it; NO_TASK: idle */
};

struct lac_machine {
	struct lac_coherent *caches;
	unsigned int cpus, active, cur; /* active: those that run */
	uint64_t quantum, run_until;
	unsigned int line_shift;
	bool running, out_of_memory, deadlock;
	/* a winner tree over the clocks: leaf i is CPU i */
	unsigned int tree[4 * LAC_CPUS_MAX], leaves;
	struct vcpu vcpu[LAC_CPUS_MAX];
	struct task *task;
	unsigned int ntasks, ndone, on; /* on: the task whose stack this is */
	unsigned int waiter[LAC_TASKS_MAX], nwaiters; /* as they came */
	struct lac_coro home;
	void (*body)(unsigned int task, void *arg);
	void (*switched)(unsigned int cpu);
	void *arg;
	uint64_t probes, misses[2];
	struct lac_coherence_counts n;
};

/* ---- whose turn it is ------------------------------------------------------------ */

static uint64_t key(const struct lac_machine *m, unsigned int cpu)
{
	const struct vcpu *v = &m->vcpu[cpu];

	if (cpu >= m->active || v->task == NO_TASK ||
	    m->task[v->task].waits_for)
		return UINT64_MAX;
	return v->clock;
}

static unsigned int winner(const struct lac_machine *m, unsigned int a,
			   unsigned int b)
{
	return key(m, b) < key(m, a) ? b : a;
}

static void tree_build(struct lac_machine *m)
{
	for (m->leaves = 1; m->leaves < m->active; m->leaves <<= 1)
		;
	for (unsigned int i = 0; i < m->leaves; i++)
		m->tree[m->leaves + i] = i < LAC_CPUS_MAX ? i : 0;
	for (unsigned int i = m->leaves - 1; i > 0; i--)
		m->tree[i] = winner(m, m->tree[2 * i], m->tree[2 * i + 1]);
}

static void tree_update(struct lac_machine *m, unsigned int cpu)
{
	for (unsigned int i = (m->leaves + cpu) / 2; i; i /= 2)
		m->tree[i] = winner(m, m->tree[2 * i], m->tree[2 * i + 1]);
}

/* The clock at which cpu must look up: the lowest other one plus the quantum. */
static void set_run_until(struct lac_machine *m, unsigned int cpu)
{
	uint64_t lowest = UINT64_MAX;

	for (unsigned int i = m->leaves + cpu; i > 1; i /= 2) {
		uint64_t k = key(m, m->tree[i ^ 1]);

		if (k < lowest)
			lowest = k;
	}
	m->run_until = lowest > UINT64_MAX - m->quantum ? UINT64_MAX
							: lowest + m->quantum;
}

static void reschedule(struct lac_machine *m)
{
	unsigned int was = m->on, next;

	tree_update(m, m->cur);
	next = m->leaves > 1 ? m->tree[1] : 0;
	if (key(m, next) == UINT64_MAX) { /* every CPU waits */
		m->deadlock = true;
		lac_coro_switch(&m->task[was].coro, &m->home);
	}
	m->cur = next;
	set_run_until(m, next);
	m->on = m->vcpu[next].task;
	if (m->on == was)
		return;
	if (m->switched) {
		m->running = false; /* if it is traced, it must not switch */
		m->switched(next);
		m->running = true;
	}
	lac_coro_switch(&m->task[was].coro, &m->task[m->on].coro);
}

static void raise_clock(struct vcpu *v, uint64_t to)
{
	if (v->clock < to)
		v->clock = to;
}

/*
 * The CPU goes to the next of its tasks that can run: now, or if none can, to the
 * one that can first.
 */
static void give_way(struct lac_machine *m)
{
	struct vcpu *v = &m->vcpu[m->cur];
	unsigned int t = m->on, best = NO_TASK;
	uint64_t soonest = UINT64_MAX;

	for (unsigned int i = m->cur; i < m->ntasks && soonest > v->clock;
	     i += m->active) {
		t = t + m->active < m->ntasks ? t + m->active : m->cur;
		if (m->task[t].done || m->task[t].waits_for ||
		    m->task[t].woken >= soonest)
			continue;
		best = t;
		soonest = m->task[t].woken;
	}
	v->task = best;
	if (best == NO_TASK)
		return;
	m->n.task_switches++;
	raise_clock(v, soonest);
}

void lac_machine_wait(struct lac_machine *m, const void *word, bool channel)
{
	struct task *t = &m->task[m->on];

	m->n.lock_waits++;
	t->waits_for = word;
	m->waiter[m->nwaiters++] = m->on;
	if (channel)
		give_way(m);
	reschedule(m); /* comes back as the owner */
}

bool lac_machine_hand_over(struct lac_machine *m, const void *word)
{
	uint64_t now = m->vcpu[m->cur].clock;
	unsigned int i = 0, cpu, task;

	while (i < m->nwaiters && m->task[m->waiter[i]].waits_for != word)
		i++;
	if (i == m->nwaiters)
		return false;
	task = m->waiter[i];
	memmove(&m->waiter[i], &m->waiter[i + 1],
		(--m->nwaiters - i) * sizeof(*m->waiter));
	m->task[task].waits_for = NULL;
	m->task[task].woken = now;
	cpu = task % m->active;
	if (m->vcpu[cpu].task == NO_TASK)
		m->vcpu[cpu].task = task;
	else if (m->vcpu[cpu].task != task)
		return true; /* another one has the CPU: give_way() */
	raise_clock(&m->vcpu[cpu], now);
	tree_update(m, cpu);
	set_run_until(m, m->cur);
	return true;
}

/* ---- accesses ------------------------------------------------------------------------ */

/* How often, and between which places, in the view of the region. */
static void attribute(struct lac_machine *m, uint64_t addr,
		      const struct lac_coherent_result *r)
{
	struct lac_region *g = lac_tracer_region_of(&lac_tracer_now, addr);
	uint64_t other, low, frame;
	struct lac_cell *c;

	if (!g)
		return;
	c = &g->cell[lac_region_offset(g, addr)];
	for (unsigned int i = 0; i < r->found; i++)
		c->misses[i]++;
	c->hitm += r->hitm;
	c->true_sharing += r->sharing == LAC_SHARING_TRUE;
	if (r->sharing != LAC_SHARING_FALSE)
		return;
	c->false_sharing++;
	other = (addr >> m->line_shift << m->line_shift) +
		((uint64_t)r->other_part << (m->line_shift - 6));
	if (!lac_region_has(g, other))
		return;
	low = addr < other ? addr : other;
	frame = low - lac_region_offset(g, low);
	lac_region_add_pair(g, (uint32_t)(addr - frame),
			    (uint32_t)(other - frame));
}

static void count(struct lac_machine *m, const struct lac_coherent_result *r,
		  bool write)
{
	m->probes++;
	m->misses[0] += r->found > 0;
	m->misses[1] += r->found > 1;
	m->n.hitm_reads += r->hitm && !write;
	m->n.hitm_writes += r->hitm && write;
	m->n.upgrades += r->upgrade;
	m->n.invalidations += r->invalidated;
	m->n.true_sharing += r->sharing == LAC_SHARING_TRUE;
	m->n.false_sharing += r->sharing == LAC_SHARING_FALSE;
}

static void probe(struct lac_machine *m, uint64_t addr, uint32_t line,
		  unsigned int bytes, bool write)
{
	unsigned int part_shift = m->line_shift > 6 ? m->line_shift - 6 : 0;
	unsigned int at = (unsigned int)(addr & ((1u << m->line_shift) - 1));
	unsigned int first = at >> part_shift;
	unsigned int last = (at + bytes - 1) >> part_shift;
	uint64_t parts = (last >= 63 ? ~0ull : (1ull << (last + 1)) - 1) &
			 ~0ull << first;
	struct vcpu *v = &m->vcpu[m->cur];
	struct lac_coherent_result r;

	if (!lac_coherent_probe(m->caches, m->cur, line, parts, write, &r)) {
		m->out_of_memory = true;
		return;
	}
	count(m, &r, write);
	if (!lac_tracer_now.misses_only)
		lac_tracer_touch(&lac_tracer_now, addr);
	if (r.found)
		attribute(m, addr, &r);
	if (r.moved)
		v->clock = lac_coherent_transfer(m->caches, line, v->clock,
						 r.cycles);
	else
		v->clock += r.cycles;
	v->clock += CYCLES_INSTRUCTION;
}

void lac_machine_event(struct lac_machine *m, uint64_t addr, uint32_t line,
		       unsigned int bytes, enum lac_event kind)
{
	uint64_t line_bytes = 1ull << m->line_shift;
	uint64_t end = addr + bytes, next;

	if (line == LAC_LINE_NONE) {
		/* must cost time, or a spin loop on it would never end */
		m->vcpu[m->cur].clock += CYCLES_OTHER + CYCLES_INSTRUCTION;
	} else {
		bool straddles = (addr & (line_bytes - 1)) + bytes > line_bytes;
		struct lac_cell *c = lac_tracer_cell(&lac_tracer_now, addr);

		lac_tracer_now.n.straddles += straddles;
		if (c) {
			c->accesses += !lac_tracer_now.misses_only;
			c->straddles += straddles;
		}
		for (; addr < end; addr = next, line++) {
			next = (addr & ~(line_bytes - 1)) + line_bytes;
			if (next > end)
				next = end;
			probe(m, addr, line, (unsigned int)(next - addr),
			      kind != LAC_READ);
		}
	}
	if (m->running && m->vcpu[m->cur].clock > m->run_until)
		reschedule(m);
}

/* ---- life ------------------------------------------------------------------------------ */

enum lac_status lac_machine_create(const struct lac_trace_options *o,
				   struct lac_machine **ret,
				   struct lac_err *err)
{
	struct lac_machine *m = calloc(1, sizeof(*m));
	enum lac_status st;

	if (!m)
		return lac_fail_memory(err);
	st = lac_coherent_create(&o->geometry, o->cpus, &m->caches, err);
	if (st != LAC_OK) {
		free(m);
		return st;
	}
	m->cpus = o->cpus;
	m->quantum = o->quantum;
	m->line_shift = (unsigned int)__builtin_ctz(o->geometry.line_bytes);
	*ret = m;
	return LAC_OK;
}

static void tasks_end(struct lac_machine *m)
{
	for (unsigned int i = 0; i < m->ntasks; i++)
		lac_coro_deinit(&m->task[i].coro);
	free(m->task);
	m->task = NULL;
	m->ntasks = 0;
}

void lac_machine_destroy(struct lac_machine *m)
{
	if (!m)
		return;
	lac_coherent_destroy(m->caches);
	tasks_end(m);
	free(m);
}

void lac_machine_reset(struct lac_machine *m)
{
	m->probes = 0;
	memset(m->misses, 0, sizeof(m->misses));
	memset(&m->n, 0, sizeof(m->n));
}

struct lac_cachesim_counts lac_machine_cache_counts(const struct lac_machine *m)
{
	return (struct lac_cachesim_counts){
		.probes = m->probes,
		.misses = { m->misses[0], m->misses[1] },
	};
}

struct lac_coherence_counts lac_machine_coherence(const struct lac_machine *m)
{
	struct lac_coherence_counts n = m->n;

	for (unsigned int i = 0; i < m->cpus; i++)
		if (n.last_clock < m->vcpu[i].clock)
			n.last_clock = m->vcpu[i].clock;
	return n;
}

uint64_t lac_machine_clock(const struct lac_machine *m)
{
	return m->vcpu[m->cur].clock;
}

static void run_one(void)
{
	struct lac_machine *m = lac_tracer_now.machine;
	unsigned int me = m->on;

	lac_coro_entered();
	m->body(me, m->arg);
	m->task[me].done = true;
	if (++m->ndone == m->ntasks)
		lac_coro_switch(&m->task[me].coro, &m->home);
	give_way(m);
	reschedule(m);
	__builtin_unreachable();
}

static enum lac_status tasks_begin(struct lac_machine *m, unsigned int n,
				   struct lac_err *err)
{
	uint64_t last = lac_machine_coherence(m).last_clock;

	tasks_end(m);
	m->ndone = m->on = m->cur = m->nwaiters = 0;
	m->deadlock = false;
	m->task = calloc(n, sizeof(*m->task));
	if (!m->task)
		return lac_fail_memory(err);
	for (unsigned int i = 0; i < n; i++, m->ntasks++)
		if (!lac_coro_init(&m->task[i].coro, run_one, STACK_BYTES))
			return lac_fail_os(err, "stack of task %u", i);
	for (unsigned int i = 0; i < m->active; i++) {
		m->vcpu[i].clock = last; /* all begin together */
		m->vcpu[i].task = i;
	}
	return LAC_OK;
}

enum lac_status lac_tracer_run_cpus(unsigned int cpus,
				    void (*body)(unsigned int cpu, void *arg),
				    void *arg,
				    void (*switched)(unsigned int cpu),
				    struct lac_err *err)
{
	return lac_tracer_run_tasks(cpus, cpus, body, arg, switched, err);
}

enum lac_status lac_tracer_run_tasks(unsigned int tasks, unsigned int cpus,
				     void (*body)(unsigned int task, void *arg),
				     void *arg,
				     void (*switched)(unsigned int cpu),
				     struct lac_err *err)
{
	struct lac_machine *m = lac_tracer_now.machine;

	if (!cpus || cpus > (m ? m->cpus : 1))
		return lac_fail(err, LAC_USAGE,
				"%u virtual CPUs are asked for, and the trace "
				"has %u", cpus, m ? m->cpus : 1);
	if (tasks < cpus || tasks > LAC_TASKS_MAX || (!m && tasks > 1))
		return lac_fail(err, LAC_USAGE,
				"%u tasks on %u virtual CPUs: one task for each "
				"CPU at least, %d at most, and several on "
				"several CPUs only", tasks, cpus, LAC_TASKS_MAX);
	if (!m) { /* one CPU needs none of this */
		if (switched)
			switched(0);
		body(0, arg);
		return LAC_OK;
	}
	m->active = cpus;
	LAC_TRY(tasks_begin(m, tasks, err));
	m->body = body;
	m->arg = arg;
	m->switched = switched;
	tree_build(m);
	set_run_until(m, 0);
	if (switched)
		switched(0);
	m->running = true;
	lac_coro_switch(&m->home, &m->task[0].coro);
	m->running = false;
	if (m->deadlock)
		return lac_fail(err, LAC_USAGE,
				"every virtual CPU waits for a lock");
	if (m->out_of_memory)
		return lac_fail_memory(err);
	return LAC_OK;
}

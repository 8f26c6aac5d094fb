/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine.c - N virtual CPUs in one thread, deterministic.
 *
 * Each is a coroutine with a clock that every access advances.  When the clock
 * of the one that runs is ahead of the lowest other one by more than the
 * quantum, the CPU with the lowest clock (the lowest number, if equal) goes on.
 * A switch can only happen inside an access of traced code, before what it stands
 * for; so the operation itself is atomic.
 *
 * A taken lock blocks its CPU; waiters are handed the lock in the order in
 * which they came, and their clocks are raised to the giver's.
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

struct vcpu {
	uint64_t clock;
	const void *waits_for; /* a lock word; NULL: can run */
	uint64_t ticket;
	bool done;
	struct lac_coro coro;
};

struct lac_machine {
	struct lac_coherent *caches;
	unsigned int cpus, active, cur; /* active: those that run */
	uint64_t quantum, run_until, ticket;
	unsigned int line_shift;
	bool running, out_of_memory, deadlock;
	/* a winner tree over the clocks: leaf i is CPU i */
	unsigned int tree[4 * LAC_CPUS_MAX], leaves;
	struct vcpu vcpu[LAC_CPUS_MAX];
	struct lac_coro home;
	unsigned int ndone;
	void (*body)(unsigned int cpu, void *arg);
	void (*switched)(unsigned int cpu);
	void *arg;
	uint64_t probes, misses[2];
	struct lac_coherence_counts n;
};

/* ---- whose turn it is ------------------------------------------------------------ */

static uint64_t key(const struct lac_machine *m, unsigned int cpu)
{
	const struct vcpu *v = &m->vcpu[cpu];

	if (cpu >= m->active || v->done || v->waits_for)
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
	unsigned int was = m->cur, next;

	tree_update(m, was);
	next = m->leaves > 1 ? m->tree[1] : 0;
	if (key(m, next) == UINT64_MAX) { /* every CPU waits */
		m->deadlock = true;
		lac_coro_switch(&m->vcpu[was].coro, &m->home);
	}
	m->cur = next;
	set_run_until(m, next);
	if (next == was)
		return;
	if (m->switched) {
		m->running = false; /* if it is traced, it must not switch */
		m->switched(next);
		m->running = true;
	}
	lac_coro_switch(&m->vcpu[was].coro, &m->vcpu[next].coro);
}

void lac_machine_wait(struct lac_machine *m, const void *word)
{
	struct vcpu *v = &m->vcpu[m->cur];

	m->n.lock_waits++;
	v->waits_for = word;
	v->ticket = ++m->ticket;
	reschedule(m); /* comes back as the owner */
}

bool lac_machine_hand_over(struct lac_machine *m, const void *word)
{
	struct vcpu *first = NULL, *me = &m->vcpu[m->cur];

	for (unsigned int i = 0; i < m->active; i++) {
		struct vcpu *v = &m->vcpu[i];

		if (v->waits_for == word && (!first || v->ticket < first->ticket))
			first = v;
	}
	if (!first)
		return false;
	first->waits_for = NULL;
	if (first->clock < me->clock)
		first->clock = me->clock;
	tree_update(m, (unsigned int)(first - m->vcpu));
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
		lac_tracer_touch(&lac_tracer_now, addr, line);
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

void lac_machine_destroy(struct lac_machine *m)
{
	if (!m)
		return;
	lac_coherent_destroy(m->caches);
	for (unsigned int i = 0; i < LAC_CPUS_MAX; i++)
		lac_coro_deinit(&m->vcpu[i].coro);
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

static void run_one(void)
{
	struct lac_machine *m = lac_tracer_now.machine;
	unsigned int me = m->cur;

	lac_coro_entered();
	m->body(me, m->arg);
	m->vcpu[me].done = true;
	if (++m->ndone == m->active)
		lac_coro_switch(&m->vcpu[me].coro, &m->home);
	reschedule(m);
	__builtin_unreachable();
}

static enum lac_status vcpus_prepare(struct lac_machine *m, struct lac_err *err)
{
	uint64_t last = lac_machine_coherence(m).last_clock;

	m->ndone = 0;
	m->deadlock = false;
	for (unsigned int i = 0; i < m->active; i++) {
		struct vcpu *v = &m->vcpu[i];

		lac_coro_deinit(&v->coro);
		v->done = false;
		v->waits_for = NULL;
		v->clock = last; /* all begin together */
		if (!lac_coro_init(&v->coro, run_one, STACK_BYTES))
			return lac_fail_os(err, "stack of virtual CPU %u", i);
	}
	return LAC_OK;
}

enum lac_status lac_tracer_run_cpus(unsigned int cpus,
				    void (*body)(unsigned int cpu, void *arg),
				    void *arg,
				    void (*switched)(unsigned int cpu),
				    struct lac_err *err)
{
	struct lac_machine *m = lac_tracer_now.machine;

	if (!cpus || cpus > (m ? m->cpus : 1))
		return lac_fail(err, LAC_USAGE,
				"%u virtual CPUs are asked for, and the trace "
				"has %u", cpus, m ? m->cpus : 1);
	if (!m) { /* one CPU needs none of this */
		if (switched)
			switched(0);
		body(0, arg);
		return LAC_OK;
	}
	m->active = cpus;
	LAC_TRY(vcpus_prepare(m, err));
	m->body = body;
	m->arg = arg;
	m->switched = switched;
	m->cur = 0;
	tree_build(m);
	set_run_until(m, 0);
	if (switched)
		switched(0);
	m->running = true;
	lac_coro_switch(&m->home, &m->vcpu[0].coro);
	m->running = false;
	if (m->deadlock)
		return lac_fail(err, LAC_USAGE,
				"every virtual CPU waits for a lock");
	if (m->out_of_memory)
		return lac_fail_memory(err);
	return LAC_OK;
}

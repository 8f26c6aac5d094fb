/* SPDX-License-Identifier: BSD-2-Clause */
#include "cachesim/coherent.h"

#include <stdlib.h>
#include <string.h>

#include "cachesim/level.h"

enum state { INVALID, SHARED, EXCLUSIVE, MODIFIED };

/*
 * One line.  Invariants: EXCLUSIVE and MODIFIED have one sharer, the owner;
 * INVALID has none; who shares the line holds it in its L2.
 */
struct entry {
	uint64_t sharers[2]; /* a bit a CPU */
	uint64_t lost[2];    /* CPUs whose copy was taken by a write */
	uint64_t wrote;	     /* parts, by the last writer since it owned it */
	uint64_t busy_until;
	uint8_t owner, state, last_part;
};

enum { CHUNK_BITS = 12, CHUNKS = 1 << (31 - CHUNK_BITS) };

struct cpu {
	struct lac_level l1, l2;
};

struct lac_coherent {
	unsigned int cpus;
	struct cpu *cpu;
	struct entry *chunk[CHUNKS];
};

enum lac_status lac_coherent_check(const struct lac_cache_geometry *g,
				   struct lac_err *err)
{
	LAC_TRY(lac_cache_geometry_check(g, err));
	if (g->levels < 2 || g->adjacent_prefetch || g->tlb_entries)
		return lac_fail(err, LAC_USAGE,
				"several CPUs need L1 and L2, and are simulated "
				"without prefetch and TLB");
	if (g->level[0].size_bytes > g->level[1].size_bytes)
		return lac_fail(err, LAC_USAGE,
				"L2 includes L1 and cannot be smaller");
	return LAC_OK;
}

enum lac_status lac_coherent_create(const struct lac_cache_geometry *g,
				    unsigned int cpus, struct lac_coherent **ret,
				    struct lac_err *err)
{
	enum lac_status st = LAC_OK;
	struct lac_coherent *c;

	LAC_TRY(lac_coherent_check(g, err));
	if (cpus < 1 || cpus > LAC_CPUS_MAX)
		return lac_fail(err, LAC_USAGE, "%u virtual CPUs: 1 to %d",
				cpus, LAC_CPUS_MAX);
	c = calloc(1, sizeof(*c));
	if (!c)
		return lac_fail_memory(err);
	c->cpus = cpus;
	c->cpu = calloc(cpus, sizeof(*c->cpu));
	if (!c->cpu)
		st = lac_fail_memory(err);
	for (unsigned int i = 0; i < cpus && st == LAC_OK; i++) {
		st = lac_level_init(&c->cpu[i].l1, g->level[0].sets,
				    g->level[0].ways, err);
		if (st == LAC_OK)
			st = lac_level_init(&c->cpu[i].l2, g->level[1].sets,
					    g->level[1].ways, err);
	}
	if (st != LAC_OK) {
		lac_coherent_destroy(c);
		return st;
	}
	*ret = c;
	return LAC_OK;
}

void lac_coherent_destroy(struct lac_coherent *c)
{
	if (!c)
		return;
	for (unsigned int i = 0; c->cpu && i < c->cpus; i++) {
		lac_level_deinit(&c->cpu[i].l1);
		lac_level_deinit(&c->cpu[i].l2);
	}
	for (unsigned int i = 0; i < CHUNKS; i++)
		free(c->chunk[i]);
	free(c->cpu);
	free(c);
}

static struct entry *entry_of(struct lac_coherent *c, uint32_t line)
{
	struct entry **chunk = &c->chunk[line >> CHUNK_BITS];

	if (__builtin_expect(!*chunk, 0)) {
		*chunk = calloc(1u << CHUNK_BITS, sizeof(**chunk));
		if (!*chunk)
			return NULL;
	}
	return *chunk + (line & ((1u << CHUNK_BITS) - 1));
}

static uint64_t bit(unsigned int cpu)
{
	return 1ull << cpu % 64;
}

static bool held_by(const struct entry *e, unsigned int cpu)
{
	return (e->sharers[cpu / 64] & bit(cpu)) != 0;
}

/* The line leaves cpu's L2, and with it L1, to make room. */
static void evict(struct lac_coherent *c, unsigned int cpu, uint32_t line)
{
	struct entry *e = entry_of(c, line);

	lac_level_remove(&c->cpu[cpu].l1, line);
	e->sharers[cpu / 64] &= ~bit(cpu);
	if (!e->sharers[0] && !e->sharers[1])
		e->state = INVALID;
}

/* Every copy but cpu's is taken away. */
static unsigned int invalidate_others(struct lac_coherent *c, unsigned int cpu,
				      uint32_t line, struct entry *e)
{
	unsigned int n = 0;

	for (unsigned int h = 0; h < 2; h++)
		for (uint64_t m = e->sharers[h]; m; m &= m - 1) {
			unsigned int other =
				h * 64 + (unsigned int)__builtin_ctzll(m);

			if (other == cpu)
				continue;
			lac_level_remove(&c->cpu[other].l1, line);
			lac_level_remove(&c->cpu[other].l2, line);
			e->sharers[h] &= ~bit(other);
			e->lost[h] |= bit(other);
			n++;
		}
	return n;
}

static void become_owner(struct entry *e, unsigned int cpu)
{
	e->owner = (uint8_t)cpu;
	e->state = MODIFIED;
	e->wrote = 0;
}

static void classify(struct entry *e, unsigned int cpu, uint64_t parts,
		     struct lac_coherent_result *r)
{
	if (!r->hitm && !(e->lost[cpu / 64] & bit(cpu)))
		return;
	r->sharing = parts & e->wrote ? LAC_SHARING_TRUE : LAC_SHARING_FALSE;
	r->other_part = e->last_part;
	e->lost[cpu / 64] &= ~bit(cpu);
}

/* The line is in neither of cpu's caches. */
static void fetch(struct lac_coherent *c, unsigned int cpu, uint32_t line,
		  struct entry *e, uint64_t parts, bool write,
		  struct lac_coherent_result *r)
{
	uint32_t victim;

	r->found = 2;
	r->cycles = LAC_CYCLES_FAR;
	if (e->state == MODIFIED) {
		r->hitm = r->moved = true;
		r->cycles = LAC_CYCLES_HITM;
	}
	classify(e, cpu, parts, r);
	if (e->state >= EXCLUSIVE)
		e->state = SHARED;
	if (!lac_level_access(&c->cpu[cpu].l2, line, 0, &victim) &&
	    victim != LAC_LINE_NONE)
		evict(c, cpu, victim);
	if (write) {
		r->invalidated = invalidate_others(c, cpu, line, e);
		if (r->invalidated) {
			r->cycles += LAC_CYCLES_INVALIDATE;
			r->moved = true;
		}
		become_owner(e, cpu);
	} else if (e->state == INVALID) {
		e->state = EXCLUSIVE;
		e->owner = (uint8_t)cpu;
	}
	e->sharers[cpu / 64] |= bit(cpu);
}

/* cpu holds the line and writes to it. */
static void own(struct lac_coherent *c, unsigned int cpu, uint32_t line,
		struct entry *e, struct lac_coherent_result *r)
{
	if (e->state == SHARED) {
		r->upgrade = r->moved = true;
		r->cycles = LAC_CYCLES_UPGRADE;
		r->invalidated = invalidate_others(c, cpu, line, e);
	}
	if (e->state != MODIFIED)
		become_owner(e, cpu);
}

bool lac_coherent_probe(struct lac_coherent *c, unsigned int cpu, uint32_t line,
			uint64_t parts, bool write,
			struct lac_coherent_result *ret)
{
	struct lac_coherent_result r = { .cycles = LAC_CYCLES_L1 };
	struct cpu *p = &c->cpu[cpu];
	struct entry *e;
	uint32_t victim;

	if (!write && lac_level_row(&p->l1, line)[0] == line) {
		*ret = r;
		return true;
	}
	e = entry_of(c, line);
	if (!e)
		return false;
	if (!lac_level_holds(&p->l1, line)) {
		r.found = 1;
		r.cycles = LAC_CYCLES_L2;
		/* L2 first: what it drops makes room in L1 */
		if (held_by(e, cpu))
			lac_level_access(&p->l2, line, 0, &victim);
		else
			fetch(c, cpu, line, e, parts, write, &r);
	}
	lac_level_access(&p->l1, line, 0, &victim);
	if (write) {
		if (r.found < 2)
			own(c, cpu, line, e, &r);
		e->wrote |= parts;
		e->last_part = (uint8_t)__builtin_ctzll(parts);
	}
	*ret = r;
	return true;
}

uint64_t lac_coherent_transfer(struct lac_coherent *c, uint32_t line,
			       uint64_t start, uint32_t cycles)
{
	struct entry *e = entry_of(c, line);

	if (!e)
		return start + cycles;
	if (start < e->busy_until)
		start = e->busy_until;
	e->busy_until = start + cycles;
	return e->busy_until;
}

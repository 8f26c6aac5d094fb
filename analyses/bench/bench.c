/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/timing.h"

void lac_bench_destroy(struct lac_bench *b)
{
	if (!b)
		return;
	json_decref(b->kept);
	lac_arena_destroy(b->arena);
	free(b);
}

static enum lac_status create(const struct lac_bench_options *o,
			      struct lac_bench **ret, struct lac_err *err)
{
	struct lac_bench *b = calloc(1, sizeof(*b));

	if (!b)
		return lac_fail_memory(err);
	b->arena = lac_arena_create();
	b->kept = json_array();
	if (b->arena)
		b->results = lac_arena_zalloc(b->arena, o->ncells,
					      sizeof(*b->results));
	if (!b->arena || !b->kept || !b->results) {
		lac_bench_destroy(b);
		return lac_fail_memory(err);
	}
	b->nresults = o->ncells;
	for (size_t i = 0; i < o->ncells; i++)
		b->results[i].cell = o->cells[i];
	*ret = b;
	return LAC_OK;
}

struct lac_job lac_bench_job(const struct lac_bench_options *o,
			     const struct lac_bench_cell *c)
{
	struct lac_job j = o->job;

	j.test = c->test;
	j.size = c->size;
	j.n = c->n;
	j.cpus = c->cpus;
	return j;
}

enum lac_status lac_bench_keep(struct lac_bench *b, json_t *json,
			       struct lac_err *err)
{
	if (json_array_append_new(b->kept, json))
		return lac_fail_memory(err);
	return LAC_OK;
}

struct simulating {
	const struct lac_bench_options *o;
	size_t total;
};

static void simulation_ended(void *context, size_t nended)
{
	const struct simulating *s = context;

	if (s->o->progress)
		s->o->progress(s->o->context, "simulating", (double)nended,
			       (double)s->total);
}

/* Which result and variant process number k of the simulations belongs to. */
struct owner {
	size_t result;
	enum lac_cell variant;
};

static enum lac_status take_simulations(struct lac_bench *b,
					const struct lac_process *p,
					const struct owner *owners, size_t n,
					struct lac_err *err)
{
	for (size_t k = 0; k < n; k++) {
		struct lac_bench_result *r = &b->results[owners[k].result];
		struct lac_simulation *s = &r->simulation[owners[k].variant];

		if (!p[k].done)
			continue;
		LAC_TRY(lac_simulation_parse(&p[k], b->arena, s, err));
		LAC_TRY(lac_bench_keep(b, s->json, err));
		r->has_simulation[owners[k].variant] = true;
	}
	return LAC_OK;
}

static enum lac_status simulate(struct lac_bench *b,
				const struct lac_bench_options *o,
				struct lac_err *err)
{
	size_t most = o->ncells * LAC_NCELLS, n = 0;
	struct lac_process *p = calloc(most + 1, sizeof(*p));
	struct owner *owners = calloc(most + 1, sizeof(*owners));
	struct simulating s = { .o = o };
	struct lac_process_options po = { .parallel = o->parallel,
					  .stop = o->stop,
					  .ended = simulation_ended,
					  .context = &s };
	bool ok = p && owners;
	enum lac_status st, taken;

	for (size_t i = 0; i < o->ncells && ok; i++) {
		struct lac_job j = lac_bench_job(o, &o->cells[i]);

		for (int v = 0; v < LAC_NCELLS && o->cells[i].simulate; v++) {
			if (!o->variants[v])
				continue;
			owners[n] = (struct owner){ i, (enum lac_cell)v };
			ok &= lac_job_sim_command(&j, o->dir, (enum lac_cell)v,
						  b->arena, &p[n++]);
		}
	}
	if (!ok) {
		free(p);
		free(owners);
		return lac_fail_memory(err);
	}
	s.total = n;
	st = lac_process_run(p, n, &po, err);
	if (st == LAC_OK || st == LAC_INTERRUPTED) {
		struct lac_err second;

		taken = take_simulations(b, p, owners, n, &second);
		if (taken != LAC_OK) {
			st = taken;
			*err = second;
		}
	}
	lac_process_free(p, n);
	free(p);
	free(owners);
	return st;
}

static bool anything(const struct lac_bench *b)
{
	for (size_t i = 0; i < b->nresults; i++) {
		if (b->results[i].has_times)
			return true;
		for (int v = 0; v < LAC_NCELLS; v++)
			if (b->results[i].has_simulation[v])
				return true;
	}
	return false;
}

static double load_average(void)
{
	double load;

	return getloadavg(&load, 1) == 1 ? load : NAN;
}

enum lac_status lac_bench_run(const struct lac_bench_options *o,
			      struct lac_bench **ret, struct lac_err *err)
{
	double start = lac_seconds();
	struct lac_bench *b = NULL;
	enum lac_status st;

	LAC_TRY(create(o, &b, err));
	b->load_before = load_average();
	st = simulate(b, o, err);
	if (st == LAC_OK)
		st = lac_bench_time(b, o, err);
	b->load_after = load_average();
	b->elapsed_s = lac_seconds() - start;
	if (st == LAC_INTERRUPTED && anything(b)) {
		b->interrupted = true;
		st = LAC_OK;
	}
	if (st == LAC_OK)
		*ret = b;
	else
		lac_bench_destroy(b);
	return st;
}

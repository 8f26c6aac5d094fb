/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PILOT_BLOCKS = 4, ROUNDS_FIRST = 8 };

/* A value of a counter in one process, to be reduced to a median. */
struct seen {
	size_t n, cap;
	struct lac_count *counts; /* n processes of ncounts each */
};

/* The timing of one cell, as it grows. */
struct timed {
	struct lac_bench_result *result;
	struct lac_job job;
	struct lac_round_plan plan;
	double round_s; /* what a round is expected to take */
	size_t nrounds, cap;
	struct lac_round *rounds;
	struct seen seen[LAC_NCELLS];
};

struct timing {
	struct lac_bench *b;
	const struct lac_bench_options *o;
	struct timed *cells;
	size_t ncells;
	double start;
	size_t processes_done;
	double processes_total;
};

static void report(struct timing *t)
{
	double share = (double)t->processes_done / t->processes_total;
	double spent = lac_seconds() - t->start;

	/* whichever ends it first */
	if (t->o->budget_s > 0)
		share = fmax(share, spent / t->o->budget_s);
	if (t->o->progress)
		t->o->progress(t->o->context, "timing", fmin(share, 1), 1);
}

static struct lac_process_options process_options(const struct timing *t)
{
	return (struct lac_process_options){ .stop = t->o->stop,
					     .timeout_s = 300 };
}

static enum lac_status run_one(struct timing *t, const struct lac_job *j,
			       enum lac_cell variant, unsigned build,
			       struct lac_sample *ret, double *elapsed_s,
			       struct lac_err *err)
{
	struct lac_process_options po = process_options(t);
	LAC_CLEANUP_ARENA struct lac_arena *words = lac_arena_create();
	struct lac_process p;
	enum lac_status st;

	if (!words ||
	    !lac_job_time_command(j, t->o->dir, variant, build, words, &p))
		return lac_fail_memory(err);
	st = lac_process_run(&p, 1, &po, err);
	if (st == LAC_OK) {
		*elapsed_s = p.elapsed_s;
		if (t->o->raw)
			t->o->raw(t->o->context, p.output);
		st = lac_sample_parse(&p, t->b->arena, ret, err);
	}
	lac_process_free(&p, 1);
	return st;
}

static unsigned count_arms(const struct lac_round_plan *p)
{
	unsigned n = p->nbuilds > 1 ? 2 : 1;

	for (int v = 0; v < LAC_NCELLS; v++)
		n += p->variants[v];
	return n;
}

/*
 * How many blocks a process may run so that the rounds wanted fit into the
 * cell's part of the budget: a first run tells what a block takes, and what a
 * process takes besides.
 */
static enum lac_status fit_blocks(struct timing *t, struct timed *c,
				  struct lac_err *err)
{
	const struct lac_bench_options *o = t->o;
	unsigned processes = 2 * count_arms(&c->plan);
	unsigned rounds = o->rounds_max < ROUNDS_FIRST ? o->rounds_max :
							 ROUNDS_FIRST;
	double block_s, besides_s, elapsed_s, room;
	struct lac_job pilot = c->job;
	struct lac_sample s;

	pilot.blocks = PILOT_BLOCKS;
	pilot.warmup = 1;
	pilot.nevents = 0;
	LAC_TRY(run_one(t, &pilot, c->plan.base, 0, &s, &elapsed_s, err));
	block_s = s.time_ns[LAC_WALL_MEDIAN] * s.ops / s.blocks * 1e-9;
	c->result->ops_per_block = (uint64_t)(s.ops / s.blocks);
	json_decref(s.json);
	if (!(block_s > 0))
		block_s = elapsed_s / (PILOT_BLOCKS + 1);
	besides_s = fmax(elapsed_s - (PILOT_BLOCKS + 1) * block_s, 0.001);
	c->job.blocks = o->blocks_max;
	if (o->budget_s > 0) {
		room = o->budget_s / (double)t->ncells / processes / rounds -
		       besides_s;
		room = room / block_s - c->job.warmup;
		room = fmin(fmax(room, o->blocks_min), o->blocks_max);
		c->job.blocks = (unsigned)room;
	}
	c->result->blocks = c->job.blocks;
	c->round_s = processes *
		     (besides_s + block_s * (c->job.blocks + c->job.warmup));
	return LAC_OK;
}

static enum lac_status remember(struct timing *t, struct timed *c,
				const struct lac_sample *s,
				struct lac_err *err)
{
	struct seen *seen = &c->seen[s->variant];
	struct lac_bench_result *r = c->result;

	/* the statistics of one process tell the paths of all */
	if (!r->statistics[s->variant]) {
		LAC_TRY(lac_bench_keep(t->b, json_incref(s->json), err));
		r->statistics[s->variant] = s->statistics;
		r->timed_ops[s->variant] = s->ops;
		r->ncounts[s->variant] = s->ncounts;
		r->counts[s->variant] = s->counts;
	}
	if (s->ncounts != r->ncounts[s->variant] || s->ncounts == 0)
		return LAC_OK;
	if (seen->n == seen->cap) {
		size_t cap = seen->cap ? 2 * seen->cap : 32;
		struct lac_count *more = realloc(
			seen->counts, cap * s->ncounts * sizeof(*more));

		if (!more)
			return lac_fail_memory(err);
		seen->counts = more;
		seen->cap = cap;
	}
	memcpy(seen->counts + seen->n++ * s->ncounts, s->counts,
	       s->ncounts * sizeof(*s->counts));
	return LAC_OK;
}

static enum lac_status run_round(struct timing *t, struct timed *c,
				 struct lac_err *err)
{
	struct lac_slot slots[2 * LAC_NARMS];
	struct lac_sample samples[2 * LAC_NARMS];
	unsigned number = (unsigned)c->nrounds;
	size_t n = lac_round_slots(&c->plan, number, slots);

	for (size_t i = 0; i < n; i++) {
		double factor = t->o->planted[slots[i].variant];
		double elapsed_s;
		enum lac_status st;

		LAC_TRY(run_one(t, &c->job, slots[i].variant, slots[i].build,
				&samples[i], &elapsed_s, err));
		st = remember(t, c, &samples[i], err);
		json_decref(samples[i].json);
		if (st != LAC_OK)
			return st;
		/* controls stay as they are: the effect is the variant's */
		if (factor > 0 && slots[i].arm < LAC_NCELLS)
			for (int k = 0; k < LAC_NTIMES; k++)
				samples[i].time_ns[k] *= factor;
		t->b->nprocesses++;
		t->processes_done++;
		report(t);
	}
	if (c->nrounds == c->cap) {
		size_t cap = c->cap ? 2 * c->cap : 16;
		struct lac_round *more =
			realloc(c->rounds, cap * sizeof(*more));

		if (!more)
			return lac_fail_memory(err);
		c->rounds = more;
		c->cap = cap;
	}
	c->rounds[c->nrounds++] = lac_round_collect(slots, n, samples);
	return LAC_OK;
}

/* One more round of each would end within the budget. */
static bool has_time(const struct timing *t)
{
	double spent = lac_seconds() - t->start, pass_s = 0;

	if (t->o->budget_s <= 0)
		return true;
	for (size_t i = 0; i < t->ncells; i++)
		pass_s += t->cells[i].round_s;
	return spent + pass_s <= t->o->budget_s;
}

static enum lac_status run_rounds(struct timing *t, struct lac_err *err)
{
	for (size_t i = 0; i < t->ncells; i++)
		LAC_TRY(fit_blocks(t, &t->cells[i], err));
	for (size_t i = 0; i < t->ncells; i++)
		t->processes_total += 2.0 * count_arms(&t->cells[i].plan) *
				      t->o->rounds_max;
	for (unsigned round = 0; round < t->o->rounds_max; round++) {
		if (round >= t->o->rounds_min && !has_time(t))
			break;
		for (size_t i = 0; i < t->ncells; i++)
			LAC_TRY(run_round(t, &t->cells[i], err));
	}
	return LAC_OK;
}

/*
 * A counter over the processes of a variant: the median of its values; its
 * status is the worst of theirs, since one that was refused once has no value
 * that stands for all.
 */
static enum lac_status reduce_counts(struct timed *c, int variant,
				     struct lac_err *err)
{
	const struct seen *s = &c->seen[variant];
	size_t ncounts = c->result->ncounts[variant];
	double *x = calloc(s->n + 1, sizeof(*x));

	if (!x)
		return lac_fail_memory(err);
	for (size_t k = 0; k < ncounts && s->n; k++) {
		struct lac_count *out = &c->result->counts[variant][k];

		for (size_t i = 0; i < s->n; i++) {
			const struct lac_count *in =
				&s->counts[i * ncounts + k];

			x[i] = in->value;
			if (in->status > out->status)
				out->status = in->status;
			out->running = fmin(out->running, in->running);
			out->user_only |= in->user_only;
		}
		out->value = lac_median(x, s->n);
	}
	free(x);
	return LAC_OK;
}

static enum lac_status conclude(struct timed *c, struct lac_arena *arena,
				struct lac_err *err)
{
	struct lac_round *kept;

	if (c->nrounds == 0)
		return LAC_OK;
	kept = lac_arena_zalloc(arena, c->nrounds, sizeof(*kept));
	if (!kept)
		return lac_fail_memory(err);
	memcpy(kept, c->rounds, c->nrounds * sizeof(*kept));
	c->result->rounds = kept;
	c->result->nrounds = c->nrounds;
	LAC_TRY(lac_times_estimate(&c->plan, c->rounds, c->nrounds,
				   &c->result->times, err));
	for (int v = 0; v < LAC_NCELLS; v++)
		if (c->plan.variants[v])
			LAC_TRY(reduce_counts(c, v, err));
	c->result->has_times = true;
	return LAC_OK;
}

static void set_up(struct timing *t)
{
	const struct lac_bench_options *o = t->o;

	t->b->nbuilds = UINT32_MAX;
	for (int v = 0; v < LAC_NCELLS; v++) {
		unsigned n = o->variants[v] ?
				     lac_count_builds(o->dir, (enum lac_cell)v,
						      o->job.era) :
				     UINT32_MAX;

		if (n < t->b->nbuilds)
			t->b->nbuilds = n;
	}
	if (t->b->nbuilds == 0) /* running it will say what is missing */
		t->b->nbuilds = 1;
	for (size_t i = 0; i < o->ncells; i++) {
		struct timed *c = &t->cells[t->ncells];

		if (!o->cells[i].time)
			continue;
		t->ncells++;
		c->result = &t->b->results[i];
		c->job = lac_bench_job(o, &o->cells[i]);
		c->plan = (struct lac_round_plan){
			.seed = o->job.seed + i * 0x9e3779b97f4a7c15u,
			.base = o->base,
			.nbuilds = t->b->nbuilds,
		};
		memcpy(c->plan.variants, o->variants, sizeof(o->variants));
	}
}

enum lac_status lac_bench_time(struct lac_bench *b,
			       const struct lac_bench_options *o,
			       struct lac_err *err)
{
	struct timing t = { .b = b, .o = o, .start = lac_seconds() };
	struct lac_err second;
	enum lac_status st;

	t.cells = calloc(o->ncells + 1, sizeof(*t.cells));
	if (!t.cells)
		return lac_fail_memory(err);
	set_up(&t);
	st = run_rounds(&t, err);
	for (size_t i = 0; i < t.ncells; i++) {
		struct timed *c = &t.cells[i];

		if (st == LAC_OK || st == LAC_INTERRUPTED) {
			enum lac_status s = conclude(c, b->arena, &second);

			if (s != LAC_OK) {
				st = s;
				*err = second;
			}
		}
		free(c->rounds);
		for (int v = 0; v < LAC_NCELLS; v++)
			free(c->seen[v].counts);
	}
	if (t.ncells > 0 && (st == LAC_OK || st == LAC_INTERRUPTED)) {
		enum lac_status s = lac_bench_pool(b, &t.cells[0].plan,
						   &second);

		if (s != LAC_OK) {
			st = s;
			*err = second;
		}
	}
	free(t.cells);
	return st;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/words.h"
#include "bench_message.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_progress.h"
#include "fixture.h"
#include "number.h"
#include "workload/workload.h"

enum {
	REPEAT_MAX = 1000,
	TASKS_MAX = 1024, /* what the programs take */
	NLOCKS = 2,
	NFIGURES = 5,
};

static struct {
	char *groups, *fds, *loops, *repeat;
} given;

const struct poptOption lac_message_option_table[] = {
	{ "groups", 0, POPT_ARG_STRING, &given.groups, 0,
	  "message: groups of senders and receivers; 1 by default", "N" },
	{ "fds", 0, POPT_ARG_STRING, &given.fds, 0,
	  "message: senders, and receivers, of a group; 2 by default", "N" },
	{ "loops", 0, POPT_ARG_STRING, &given.loops, 0,
	  "message: messages of a sender to each receiver; 100 by default",
	  "N" },
	{ "repeat", 0, POPT_ARG_STRING, &given.repeat, 0,
	  "message: runs, for the standard error; 10 by default", "N" },
	POPT_TABLEEND
};

static const char *const locks[NLOCKS] = { "raw", "sleeping" };

static const struct {
	const char *key, *label, *unit;
	double scale;
} figures[NFIGURES] = {
	{ "task_clock_ns", "task-clock", "ms", 1e-6 },
	{ "cpus_utilized", "CPUs utilized", "", 1 },
	{ "elapsed_ns", "elapsed", "ms", 1e-6 },
	{ "context_switches", "context-switches", "", 1 },
	{ "migrations", "cpu-migrations", "", 1 },
};

/* What the runs gave: NAN where a run gave none. */
struct series {
	double x[NLOCKS][NFIGURES][REPEAT_MAX];
};

/* The message object of what one process printed. */
static enum lac_status take(const struct lac_process *p, struct series *s,
			    size_t lock, size_t run, json_int_t *messages,
			    struct lac_err *err)
{
	json_t *j = json_loads(p->output, 0, NULL);
	const json_t *m = json_object_get(j, "message");

	if (!json_is_object(m)) {
		json_decref(j);
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: it did not print a message object",
				p->argv[0]);
	}
	*messages = json_integer_value(json_object_get(m, "messages"));
	for (size_t i = 0; i < NFIGURES; i++) {
		const json_t *v = json_object_get(m, figures[i].key);

		s->x[lock][i][run] = json_is_number(v)
					     ? json_number_value(v) *
						       figures[i].scale
					     : NAN;
	}
	json_decref(j);
	return LAC_OK;
}

/* Mean, and the standard error of the mean in percent as perf stat has it. */
static json_t *mean_json(const double *x, size_t n)
{
	double sum = 0, squares = 0, mean, error;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - mean) * (x[i] - mean);
	if (isnan(mean))
		return json_pack("{s:n, s:n, s:s}", "value", "error_percent",
				 "status", "not measured");
	if (n < 2)
		return json_pack("{s:f, s:n, s:s, s:s}", "value", mean,
				 "error_percent", "error_percent_status",
				 "one run", "status", "measured");
	error = sqrt(squares / (double)(n - 1) / (double)n);
	return json_pack("{s:f, s:f, s:s}", "value", mean, "error_percent",
			 mean > 0 ? 100 * error / mean : 0.0, "status",
			 "measured");
}

static json_t *ratio_absent(const char *why)
{
	return json_pack("{s:n, s:n, s:n, s:s}", "value", "low", "high",
			 "status", why);
}

/* Sleeping to raw: the median over the pairs of runs that followed each other. */
static enum lac_status ratio_json(const struct series *s, size_t figure,
				  size_t n, json_t **ret, struct lac_err *err)
{
	struct lac_observation x[REPEAT_MAX];
	struct lac_bootstrap o = { .seed = 1 };
	struct lac_interval i;

	for (size_t k = 0; k < n; k++) {
		double raw = s->x[0][figure][k], sleeping = s->x[1][figure][k];

		x[k] = (struct lac_observation){
			.x = raw > 0 && sleeping > 0 ? log(sleeping / raw) : NAN,
			.cluster = (uint32_t)k,
		};
	}
	LAC_TRY(lac_bootstrap_median(x, n, &o, &i, err));
	i = lac_interval_exp(i);
	if (isnan(i.value))
		*ret = ratio_absent("no pair of runs above zero");
	else if (isnan(i.low))
		*ret = json_pack("{s:f, s:n, s:n, s:s}", "value", i.value,
				 "low", "high", "status",
				 "fewer than 6 pairs: no interval");
	else
		*ret = json_pack("{s:f, s:f, s:f, s:s}", "value", i.value,
				 "low", i.low, "high", i.high, "status",
				 "measured");
	return LAC_OK;
}

static const struct lac_column columns[] = {
	{ "figure", "figure", LAC_UNIT_NONE, 0, NULL, NULL },
	{ "unit", "unit", LAC_UNIT_NONE, 0, NULL, NULL },
	{ "raw.value", "raw lock", LAC_UNIT_NONE, 3, NULL, NULL },
	{ "raw.error_percent", "+- %", LAC_UNIT_NONE, 2, NULL, NULL },
	{ "sleeping.value", "sleeping lock", LAC_UNIT_NONE, 3, NULL, NULL },
	{ "sleeping.error_percent", "+- %", LAC_UNIT_NONE, 2, NULL, NULL },
	{ "ratio.value", "sleeping / raw", LAC_UNIT_RATIO, 3, "ratio.low",
	  "ratio.high" },
};

static enum lac_status show(struct lac_doc *d, const struct series *s,
			    const char *variant, size_t repeat, json_t *m,
			    struct lac_err *err)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < NFIGURES; i++) {
		json_t *ratio = NULL;

		LAC_TRY(ratio_json(s, i, repeat, &ratio, err));
		lac_doc_append(
			d, rows,
			json_pack("{s:s, s:s, s:o, s:o, s:o}", "figure",
				  figures[i].label, "unit", figures[i].unit,
				  locks[0], mean_json(s->x[0][i], repeat),
				  locks[1], mean_json(s->x[1][i], repeat),
				  "ratio", ratio));
	}
	lac_doc_set(d, m, "rows", rows);
	lac_doc_paragraph(d, "%s, a thread for each sender and receiver, %zu "
			     "run%s of each lock, taken in turn, each measured "
			     "around its messages alone.  Mean and standard error "
			     "of the mean as perf stat has them; the ratio is "
			     "the median over the pairs of runs that followed "
			     "each other, with its 95 %% interval.  One that "
			     "includes 1 shows no difference between the locks.",
			  variant, repeat, lac_s(repeat));
	lac_doc_table(d, "message", "Raw against sleeping list_lock (measured)",
		      columns, sizeof(columns) / sizeof(columns[0]), rows);
	return LAC_OK;
}

enum lac_status lac_message_unasked(struct lac_err *err)
{
	if (given.groups || given.fds || given.loops || given.repeat)
		return lac_fail(err, LAC_USAGE,
				"--groups, --fds, --loops and --repeat go with "
				"--test message alone");
	return LAC_OK;
}

static enum lac_status parse(const char *size, struct lac_traffic_options *t,
			     struct lac_err *err)
{
	*t = (struct lac_traffic_options){ 256, 1, 2, 100, 10 };
	LAC_TRY(lac_number_parse("--size", size, 1, LAC_MESSAGE_MAX, &t->bytes,
				 err));
	LAC_TRY(lac_number_parse("--groups", given.groups, 1, TASKS_MAX / 2,
				 &t->groups, err));
	LAC_TRY(lac_number_parse("--fds", given.fds, 1, TASKS_MAX / 2, &t->fds,
				 err));
	LAC_TRY(lac_number_parse("--loops", given.loops, 1, 1000000, &t->loops,
				 err));
	LAC_TRY(lac_number_parse("--repeat", given.repeat, 1, REPEAT_MAX,
				 &t->repeat, err));
	if (t->groups * t->fds * 2 > TASKS_MAX)
		return lac_fail(err, LAC_USAGE,
				"--groups %" PRIu64 " --fds %" PRIu64 ": groups "
				"* 2 * fds senders and receivers would be "
				"%" PRIu64 "; from 2 to %d are possible",
				t->groups, t->fds, t->groups * t->fds * 2,
				TASKS_MAX);
	return LAC_OK;
}

static const char *decimal(struct lac_doc *d, uint64_t n)
{
	return lac_arena_printf(d->arena, "%" PRIu64, n);
}

/* The arguments of one timed run; false when out of memory. */
static bool command(struct lac_doc *d, struct lac_process *p, const char *path,
		    const char *lock, const char *era,
		    const struct lac_traffic_options *t)
{
	const char *const pairs[][2] = {
		{ "--test", "message" },
		{ "--list-lock", lock },
		{ "--size", decimal(d, t->bytes) },
		{ "--groups", decimal(d, t->groups) },
		{ "--fds", decimal(d, t->fds) },
		{ "--loops", decimal(d, t->loops) },
		{ "--era", era ? era : LAC_ERA_DEFAULT },
	};

	*p = (struct lac_process){ 0 };
	lac_process_arg(p, path);
	for (size_t a = 0; a < sizeof(pairs) / sizeof(*pairs); a++) {
		if (!pairs[a][1])
			return false;
		lac_process_arg(p, pairs[a][0]);
		lac_process_arg(p, pairs[a][1]);
	}
	return true;
}

static enum lac_status timed(struct lac_doc *d, json_t *m,
			     const struct lac_bench_options *o,
			     const struct lac_traffic_options *t,
			     struct series *s, struct lac_err *err)
{
	const struct lac_process_options one = { .timeout_s = 600,
						 .stop = o->stop };
	uint64_t pairs = t->repeat;
	const char *variant = lac_variant_names[o->base], *path;
	const char *name = lac_arena_printf(d->arena, "slab-time-%s.0", variant);
	json_int_t messages = 0;

	if (!name)
		return lac_fail_memory(err);
	LAC_TRY(lac_fixture_find(name, d->arena, &path, err));
	for (size_t i = 0; i < t->repeat * NLOCKS; i++) {
		size_t k = (i + i / NLOCKS) % NLOCKS; /* 0 1, 1 0, ... */
		struct lac_process p;
		enum lac_status st;

		if (!command(d, &p, path, locks[k], o->job.era, t))
			return lac_fail_memory(err);
		o->progress(o->context, "messages between threads", (double)i,
			    (double)(t->repeat * NLOCKS));
		st = lac_process_run(&p, 1, &one, err);
		if (st == LAC_OK)
			st = take(&p, s, k, i / NLOCKS, &messages, err);
		lac_process_free(&p, 1);
		if (st == LAC_INTERRUPTED && i >= NLOCKS) {
			pairs = i / NLOCKS; /* those that are complete */
			break;
		}
		LAC_TRY(st);
	}
	lac_doc_set(d, m, "messages", json_integer(messages));
	lac_doc_set(d, m, "repeat", json_integer((json_int_t)pairs));
	return show(d, s, variant, pairs, m, err);
}

enum lac_status lac_message_bench(struct lac_doc *d,
				  const struct lac_bench_options *o,
				  const char *size, bool no_time,
				  struct lac_err *err)
{
	struct lac_bench_options with = *o;
	struct lac_traffic_options t;
	struct lac_progress p;
	json_t *m = json_object();
	struct series *s;
	const char *dir;
	enum lac_status st = LAC_OK;

	lac_doc_set(d, d->data, "cells", json_array());
	lac_doc_set(d, d->data, "message", m);
	LAC_TRY(parse(size, &t, err));
	if (no_time && given.repeat)
		return lac_fail(err, LAC_USAGE,
				"--repeat and --no-time: only one of them");
	LAC_TRY(lac_fixture_dir(d->arena, &dir, err));
	lac_doc_set(d, m, "variant", json_string(lac_variant_names[o->base]));
	lac_doc_heading(d, 1, "%" PRIu64 " messages of %" PRIu64 " bytes from "
			      "%" PRIu64 " senders to as many receivers",
			t.groups * t.fds * t.fds * t.loops, t.bytes,
			t.groups * t.fds);
	LAC_TRY(lac_progress_begin(&p, NULL, &with, err));
	if (!no_time) {
		s = calloc(1, sizeof(*s));
		st = s ? timed(d, m, &with, &t, s, err) : lac_fail_memory(err);
		free(s);
	}
	if (st == LAC_OK && !*with.stop) {
		st = lac_traffic_bench(d, m, &with, &t, dir, err);
		if (st == LAC_INTERRUPTED && !no_time)
			st = LAC_OK; /* the times are complete */
	}
	lac_doc_set(d, m, "interrupted", json_boolean(*with.stop));
	if (st == LAC_OK && *with.stop)
		lac_doc_paragraph(d, "Interrupted: what was finished is shown, "
				     "the rest is missing.");
	return lac_progress_end(&p, st, err);
}

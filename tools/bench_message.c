/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/words.h"
#include "bench_message.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_doc.h"
#include "bench_progress.h"
#include "bench_warnings.h"
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

/* The median of x[0..n) as a ratio, and its interval; NAN where there is none. */
static enum lac_status median(const double *x, size_t n,
			      struct lac_interval *ret, struct lac_err *err)
{
	struct lac_observation o[REPEAT_MAX];
	struct lac_bootstrap how = { .seed = 1 };

	*ret = (struct lac_interval){ NAN, NAN, NAN, 0, 0 };
	for (size_t k = 0; k < n; k++)
		o[k] = (struct lac_observation){ .x = x[k],
						 .cluster = (uint32_t)k };
	if (n)
		LAC_TRY(lac_bootstrap_median(o, n, &how, ret, err));
	*ret = lac_interval_exp(*ret);
	return LAC_OK;
}

static double log_ratio(double over, double under)
{
	return over > 0 && under > 0 ? log(over / under) : NAN;
}

/* Sleeping to raw, of the pairs of runs that followed each other. */
static enum lac_status between_locks(const struct series *s, size_t figure,
				     size_t n, struct lac_interval *ret,
				     struct lac_err *err)
{
	double x[REPEAT_MAX];

	for (size_t k = 0; k < n; k++)
		x[k] = log_ratio(s->x[1][figure][k], s->x[0][figure][k]);
	return median(x, n, ret, err);
}

/*
 * The control: from pair to pair the locks change places, so the last run of one
 * pair and the first of the next have the same lock and follow each other.  Later
 * to earlier and earlier to later in turn, for each lock.
 */
static enum lac_status same_lock(const struct series *s, size_t figure,
				 size_t n, struct lac_interval *ret,
				 struct lac_err *err)
{
	double x[REPEAT_MAX];

	for (size_t k = 0; k + 1 < n; k++) {
		const double *of = s->x[(k + 1) % NLOCKS][figure];
		double r = log_ratio(of[k + 1], of[k]);

		x[k] = k / NLOCKS % 2 ? -r : r;
	}
	return median(x, n ? n - 1 : 0, ret, err);
}

static json_t *ratio_json(const struct lac_interval *i)
{
	return json_pack("{s:o, s:o, s:o, s:s}", "value",
			 lac_json_real(i->value), "low", lac_json_real(i->low),
			 "high", lac_json_real(i->high), "status",
			 isnan(i->value) ? "no pair of runs above zero" :
			 isnan(i->low)	 ? "fewer than 6 pairs: no interval" :
					   "measured");
}

static enum lac_status row_json(const struct series *s, size_t figure,
				size_t n, json_t **ret, struct lac_err *err)
{
	static const char *const words[] = { [LAC_NOT_RESOLVED] = "not resolved",
					     [LAC_FASTER] = "lower",
					     [LAC_SLOWER] = "higher" };
	struct lac_interval ratio, control, null;

	LAC_TRY(between_locks(s, figure, n, &ratio, err));
	LAC_TRY(same_lock(s, figure, n, &control, err));
	null = lac_null_range(&control, 1, 1);
	*ret = json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:s}", "figure",
			 figures[figure].label, "unit", figures[figure].unit,
			 locks[0], mean_json(s->x[0][figure], n), locks[1],
			 mean_json(s->x[1][figure], n), "ratio",
			 ratio_json(&ratio), "control", ratio_json(&control),
			 "words", words[lac_resolve(&ratio, &null, 1)]);
	return LAC_OK;
}

static const struct lac_column columns[] = {
	{ "figure", "figure", LAC_UNIT_NONE, 0, NULL, NULL },
	{ "unit", "unit", LAC_UNIT_NONE, 0, NULL, NULL },
	{ "raw.value", "raw lock", LAC_UNIT_NONE, 3, NULL, NULL },
	{ "raw.error_percent", "+- %", LAC_UNIT_NONE, 2, NULL, NULL },
	{ "sleeping.value", "sleeping lock", LAC_UNIT_NONE, 3, NULL, NULL },
	{ "sleeping.error_percent", "+- %", LAC_UNIT_NONE, 2, NULL, NULL },
};

static const struct lac_column ratio_columns[] = {
	{ "figure", "figure", LAC_UNIT_NONE, 0, NULL, NULL },
	{ "ratio.value", "sleeping / raw", LAC_UNIT_RATIO, 3, "ratio.low",
	  "ratio.high" },
	{ "control.value", "same lock again", LAC_UNIT_RATIO, 3, "control.low",
	  "control.high" },
	{ "words", "words", LAC_UNIT_NONE, 0, NULL, NULL },
};

static enum lac_status show(struct lac_doc *d, const struct series *s,
			    const char *variant, size_t repeat, json_t *m,
			    struct lac_err *err)
{
	json_t *rows = json_array();

	lac_doc_set(d, m, "rows", rows);
	for (size_t i = 0; i < NFIGURES; i++) {
		json_t *row = NULL;

		LAC_TRY(row_json(s, i, repeat, &row, err));
		lac_doc_append(d, rows, row);
	}
	lac_doc_paragraph(d, "%s, a thread for each sender and receiver, %zu "
			     "run%s of each lock, taken in turn, each measured "
			     "around its messages alone.  Mean and standard "
			     "error of the mean as perf stat has them.",
			  variant, repeat, lac_s(repeat));
	lac_doc_table(d, "message", "Raw against sleeping list_lock (measured)",
		      columns, sizeof(columns) / sizeof(columns[0]), rows);
	lac_doc_paragraph(d, "The ratio is the median over the pairs of runs "
			     "that followed each other, with its 95 %% interval; "
			     "beside it, the same of runs that followed each "
			     "other under the same lock.  A difference is "
			     "resolved if the interval lies outside of what that "
			     "control and 1 span.  One that is not resolved may "
			     "be there all the same: an interval says how large "
			     "it can be.");
	lac_doc_table(d, "message-ratio",
		      "Sleeping to raw, and the same lock against itself "
		      "(measured)",
		      ratio_columns,
		      sizeof(ratio_columns) / sizeof(ratio_columns[0]), rows);
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

static enum lac_status build_find(struct lac_doc *d, const char *variant,
				  uint64_t build, const char **path,
				  struct lac_err *err)
{
	const char *name = lac_arena_printf(d->arena, "slab-time-%s.%" PRIu64,
					    variant, build);

	return name ? lac_fixture_find(name, d->arena, path, err)
		    : lac_fail_memory(err);
}

/* *cut: ^C came before the last pair of runs was complete. */
static enum lac_status timed(struct lac_doc *d, json_t *m,
			     const struct lac_bench_options *o,
			     const struct lac_traffic_options *t,
			     const char *dir, struct series *s, bool *cut,
			     struct lac_err *err)
{
	const struct lac_process_options one = { .timeout_s = 600,
						 .stop = o->stop };
	uint64_t pairs = t->repeat;
	const char *variant = lac_variant_names[o->base];
	/* as one program has every era, those of the default one */
	unsigned builds = lac_count_builds(dir, o->base, NULL);
	json_int_t messages = 0;

	for (size_t i = 0; i < t->repeat * NLOCKS; i++) {
		size_t k = (i + i / NLOCKS) % NLOCKS; /* 0 1, 1 0, ... */
		struct lac_process p;
		const char *path;
		enum lac_status st;

		/* both of a pair from one build, the next from another */
		LAC_TRY(build_find(d, variant,
				   builds ? i / NLOCKS % builds : 0, &path,
				   err));
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
			*cut = true;
			break;
		}
		LAC_TRY(st);
	}
	lac_doc_set(d, m, "messages", json_integer(messages));
	lac_doc_set(d, m, "repeat", json_integer((json_int_t)pairs));
	return show(d, s, variant, pairs, m, err);
}

static void not_timed(struct lac_doc *d, json_t *m)
{
	static const char *const keys[] = { "messages", "repeat", "rows" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		lac_doc_set(d, m, keys[i], json_null());
	lac_doc_set(d, m, "rows_status", json_string("not timed"));
}

/* Both halves; *cut: ^C came, and something is missing. */
static enum lac_status halves(struct lac_doc *d, json_t *m,
			      const struct lac_bench_options *o,
			      const struct lac_traffic_options *t,
			      const char *dir, bool no_time, bool *cut,
			      struct lac_err *err)
{
	enum lac_status st;

	if (no_time) {
		not_timed(d, m);
	} else {
		struct series *s = calloc(1, sizeof(*s));

		st = s ? timed(d, m, o, t, dir, s, cut, err)
		       : lac_fail_memory(err);
		free(s);
		LAC_TRY(st);
	}
	st = *cut ? LAC_INTERRUPTED
		  : lac_traffic_bench(d, m, o, t, dir, cut, err);
	if (st != LAC_INTERRUPTED || no_time)
		return st;
	/* nothing of this half, but the times are there */
	lac_doc_set(d, m, "simulated", json_null());
	lac_doc_set(d, m, "simulated_status", json_string("interrupted"));
	*cut = true;
	return LAC_OK;
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
	bool cut = false;
	const char *dir;
	double load;
	enum lac_status st;

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
	if (!no_time && getloadavg(&load, 1) == 1)
		lac_bench_warn_of_load(d, load);
	LAC_TRY(lac_progress_begin(&p, NULL, &with, err));
	st = halves(d, m, &with, &t, dir, no_time, &cut, err);
	lac_doc_set(d, m, "interrupted", json_boolean(cut));
	if (st == LAC_OK && cut)
		lac_doc_paragraph(d, "Interrupted: what was finished is shown, "
				     "the rest is missing.");
	return lac_progress_end(&p, st, err);
}

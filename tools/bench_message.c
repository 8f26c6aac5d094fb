/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench_message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/protocol.h"
#include "fixture.h"

enum { REPEAT_MAX = 1000, NLOCKS = 2, NFIGURES = 5 };

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

struct series {
	double sum, squares;
	size_t n, absent;
};

/* The message object of what one process printed, into the series. */
static enum lac_status take(const struct lac_process *p, struct series *s,
			    json_int_t *messages, struct lac_err *err)
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
		double x = json_number_value(v) * figures[i].scale;

		if (!json_is_number(v)) {
			s[i].absent++;
			continue;
		}
		s[i].sum += x;
		s[i].squares += x * x;
		s[i].n++;
	}
	json_decref(j);
	return LAC_OK;
}

/* Mean, and the standard error of the mean in percent as perf stat has it. */
static json_t *series_json(const struct series *s)
{
	double n = (double)s->n, mean = s->sum / n;
	double var = (s->squares - s->sum * mean) / (n - 1);
	double error = sqrt(fmax(var, 0) / n);

	if (!s->n || s->absent)
		return json_pack("{s:n, s:n, s:s}", "value", "error_percent",
				 "status", "not measured");
	if (s->n < 2)
		return json_pack("{s:f, s:n, s:s, s:s}", "value", mean,
				 "error_percent", "error_percent_status",
				 "one run", "status", "measured");
	return json_pack("{s:f, s:f, s:s}", "value", mean, "error_percent",
			 mean > 0 ? 100 * error / mean : 0.0, "status",
			 "measured");
}

static enum lac_status run_one(struct lac_process *p, struct series *s,
			       json_int_t *messages, struct lac_err *err)
{
	struct lac_process_options o = { .timeout_s = 600 };
	enum lac_status st = lac_process_run(p, 1, &o, err);

	if (st == LAC_OK)
		st = take(p, s, messages, err);
	lac_process_free(p, 1);
	return st;
}

static const struct lac_column columns[] = {
	{ "figure", "figure", LAC_UNIT_NONE, 0, NULL, NULL },
	{ "unit", "unit", LAC_UNIT_NONE, 0, NULL, NULL },
	{ "raw.value", "raw lock", LAC_UNIT_NONE, 3, NULL, NULL },
	{ "raw.error_percent", "+- %", LAC_UNIT_NONE, 2, NULL, NULL },
	{ "sleeping.value", "sleeping lock", LAC_UNIT_NONE, 3, NULL, NULL },
	{ "sleeping.error_percent", "+- %", LAC_UNIT_NONE, 2, NULL, NULL },
};

static void show(struct lac_doc *d, struct series s[NLOCKS][NFIGURES],
		 const char *variant, unsigned long repeat,
		 json_int_t messages)
{
	json_t *rows = json_array(), *m = json_object();

	for (size_t i = 0; i < NFIGURES; i++)
		json_array_append_new(
			rows, json_pack("{s:s, s:s, s:o, s:o}", "figure",
					figures[i].label, "unit",
					figures[i].unit, locks[0],
					series_json(&s[0][i]), locks[1],
					series_json(&s[1][i])));
	json_object_set_new(m, "variant", json_string(variant));
	json_object_set_new(m, "repeat", json_integer((json_int_t)repeat));
	json_object_set_new(m, "messages", json_integer(messages));
	json_object_set_new(m, "rows", rows);
	lac_doc_set(d, d->data, "cells", json_array());
	lac_doc_set(d, d->data, "message", m);
	lac_doc_heading(d, 1, "Messages between threads, by list_lock");
	lac_doc_paragraph(d, "%s, %lld messages a run, %lu run%s of each lock, "
			     "taken in turn; mean and standard error of the "
			     "mean, measured around the messages alone.",
			  variant, (long long)messages, repeat,
			  repeat == 1 ? "" : "s");
	lac_doc_table(d, "message", "Raw against sleeping list_lock", columns,
		      sizeof(columns) / sizeof(columns[0]), rows);
}

static enum lac_status runs(unsigned long *ret, struct lac_err *err)
{
	char *end;

	*ret = 10;
	if (!given.repeat)
		return LAC_OK;
	*ret = strtoul(given.repeat, &end, 10);
	if (*given.repeat < '0' || *given.repeat > '9' || *end || !*ret ||
	    *ret > REPEAT_MAX)
		return lac_fail(err, LAC_USAGE, "--repeat %s: from 1 to %d",
				given.repeat, REPEAT_MAX);
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

enum lac_status lac_message_bench(struct lac_doc *d, const char *size,
				  const char *variant, const char *era,
				  struct lac_err *err)
{
	const char *const pairs[][2] = {
		{ "--size", size },	    { "--era", era },
		{ "--groups", given.groups }, { "--fds", given.fds },
		{ "--loops", given.loops },
	};
	struct series s[NLOCKS][NFIGURES] = { 0 };
	json_int_t messages = 0;
	unsigned long repeat;
	enum lac_cell cell;
	const char *path, *name;

	variant = variant ? variant : "aligned-cas";
	LAC_TRY(runs(&repeat, err));
	LAC_TRY(lac_variant_parse(variant, &cell, err));
	name = lac_arena_printf(d->arena, "slab-time-%s.0", variant);
	if (!name)
		return lac_fail_memory(err);
	LAC_TRY(lac_fixture_find(name, d->arena, &path, err));
	for (unsigned long i = 0; i < repeat * NLOCKS; i++) {
		size_t k = (i + i / NLOCKS) % NLOCKS; /* 0 1, 1 0, ... */
		struct lac_process p = { 0 };

		lac_process_arg(&p, path);
		lac_process_arg(&p, "--test");
		lac_process_arg(&p, "message");
		lac_process_arg(&p, "--list-lock");
		lac_process_arg(&p, locks[k]);
		for (size_t a = 0; a < sizeof(pairs) / sizeof(*pairs); a++)
			if (pairs[a][1]) {
				lac_process_arg(&p, pairs[a][0]);
				lac_process_arg(&p, pairs[a][1]);
			}
		LAC_TRY(run_one(&p, s[k], &messages, err));
	}
	show(d, s, variant, repeat, messages);
	return LAC_OK;
}

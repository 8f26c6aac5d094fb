/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader on real outputs, and on those that must be refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "perfstat/perfstat.h"

#define SAMPLES "fixtures/perf-samples/"

static char *slurp(const char *name, size_t *n)
{
	char path[256], *buf = malloc(1 << 16);
	FILE *f;

	snprintf(path, sizeof(path), SAMPLES "%s", name);
	f = fopen(path, "rb");
	if (!f)
		fail_msg("%s: not there (run from the top folder)", path);
	*n = fread(buf, 1, 1 << 16, f);
	fclose(f);
	return buf;
}

static struct lac_perfstat *read_sample(const char *name)
{
	size_t n;
	char *s = slurp(name, &n);
	struct lac_perfstat *p;
	struct lac_err err;

	if (lac_perfstat_read(name, s, n, NULL, &p, &err) != LAC_OK)
		fail_msg("%s", err.msg);
	free(s);
	return p;
}

static struct lac_perfstat *read_text(const char *s)
{
	struct lac_perfstat *p;
	struct lac_err err;

	if (lac_perfstat_read("text", s, strlen(s), NULL, &p, &err) != LAC_OK)
		fail_msg("%s", err.msg);
	return p;
}

/* Refused with that status and these words; *ret stays as it was. */
static void refuses(const char *s, size_t n, enum lac_status st,
		    const char *words)
{
	struct lac_perfstat *p = NULL;
	struct lac_err err;

	assert_int_equal(lac_perfstat_read("text", s, n, NULL, &p, &err), st);
	assert_null(p);
	if (!strstr(err.msg, words) || strncmp(err.msg, "text:", 5) != 0)
		fail_msg("'%s' does not say '%s'", err.msg, words);
}

static const struct lac_perfstat_event *
event(const struct lac_perfstat_output *o, const char *name)
{
	for (size_t i = 0; i < o->nevents; i++)
		if (!strcmp(o->events[i].name, name))
			return &o->events[i];
	fail_msg("no %s", name);
	return NULL;
}

static void close_to(double got, double want, double off)
{
	if (!(got - want <= off && want - got <= off))
		fail_msg("got %.17g, want %.17g", got, want);
}

/* --- the table of the second seed thread */

static const struct seed_row {
	const char *name;
	double count[2], percent[2], ratio;
} seed_rows[] = {
	{ "task-clock", { 464967.20, 422865.71 }, { 0.16, 0.34 }, 0.9095 },
	{ "context-switches", { 7683944, 14594238 }, { 0.86, 0.43 }, 1.8993 },
	{ "cpu-migrations", { 931380, 3737926 }, { 4.94, 0.46 }, 4.0133 },
	{ "page-faults", { 219569, 218474 }, { 0.39, 0.74 }, 0.9950 },
	{ "cycles", { 1104727599918, 940715812020 }, { 0.18, 0.34 }, 0.8515 },
	{ "stalled-cycles-frontend",
	  { 941428898087, 716593827820 },
	  { 0.24, 0.39 },
	  0.7612 },
	{ "stalled-cycles-backend",
	  { 729016546572, 550730862839 },
	  { 0.32, 0.43 },
	  0.7554 },
	{ "instructions", { 340133571519, 417274588907 }, { 0.12, 0.17 },
	  1.2268 },
	{ "branches", { 73746821314, 92814150290 }, { 0.13, 0.17 }, 1.2586 },
	{ "branch-misses", { 377838006, 822102170 }, { 1.01, 0.41 }, 2.1758 },
};

#define NSEED (sizeof(seed_rows) / sizeof(*seed_rows))

static void check_seed(const struct lac_perfstat_output *o, int side)
{
	assert_int_equal(o->nevents, NSEED);
	assert_string_equal(o->title, "'hackbench -g200 -s 4096 -l500'");
	assert_int_equal(o->runs, 10);
	assert_int_equal(o->means, LAC_PERFSTAT_MEANS);
	assert_false(o->damaged);
	for (size_t i = 0; i < NSEED; i++) {
		const struct lac_perfstat_event *e = &o->events[i];

		assert_string_equal(e->name, seed_rows[i].name);
		close_to(e->count.value, seed_rows[i].count[side], 0);
		close_to(e->error_percent.value, seed_rows[i].percent[side],
			 0);
		assert_int_equal(e->nmetrics, i == 7 ? 2 : 1);
		for (size_t k = 0; k < e->nmetrics; k++)
			assert_int_equal(e->metrics[k].check,
					 LAC_PERFSTAT_AGREES);
	}
	close_to(o->elapsed.s.value, side ? 88.427 : 17.0820, 0);
	close_to(o->elapsed.error_s.value, side ? 0.618 : 0.0202, 0);
	close_to(o->events[0].metrics[0].computed, side ? 4.78209 : 27.21972,
		 5e-6);
	close_to(o->events[7].metrics[1].computed, side ? 1.717320 : 2.767821,
		 5e-7);
}

static void test_seed_as_printed(void **state)
{
	LAC_CLEANUP_PERFSTAT struct lac_perfstat *p = read_sample("rt-old.txt");
	LAC_CLEANUP_PERFSTAT struct lac_perfstat *q = read_sample("rt-new.txt");

	(void)state;
	assert_int_equal(p->noutputs, 1);
	assert_int_equal(q->noutputs, 1);
	check_seed(&p->outputs[0], 0);
	check_seed(&q->outputs[0], 1);
	assert_int_equal(p->nnotes, 0);
}

static void test_seed_as_threads_have_it(void **state)
{
	static const char *const names[] = { "rt-mail.txt",    "rt-wrapped.txt",
					     "rt-rewrapped.txt",
					     "rt-archive.txt", "rt-filled.txt",
					     "rt-qp.txt" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		LAC_CLEANUP_PERFSTAT struct lac_perfstat *p =
			read_sample(names[i]);

		print_message("# %s\n", names[i]);
		assert_int_equal(p->noutputs, 2);
		check_seed(&p->outputs[0], 0);
		check_seed(&p->outputs[1], 1);
		assert_int_equal(p->nnotes, 0);
	}
}

static void test_seed_of_single_lines(void **state)
{
	LAC_CLEANUP_PERFSTAT struct lac_perfstat *p =
		read_sample("rt-fragments.txt");

	(void)state;
	assert_int_equal(p->noutputs, 2);
	for (int i = 0; i < 2; i++) {
		const struct lac_perfstat_output *o = &p->outputs[i];

		assert_int_equal(o->nevents, 1);
		assert_int_equal(o->runs, 0);
		close_to(o->events[0].count.value, seed_rows[0].count[i], 0);
		assert_true(o->elapsed.inferred);
		close_to(o->elapsed.s.value, i ? 88.4286 : 17.0818, 1e-4);
		/* one rate less is no way to tell means from a last run */
		assert_int_equal(o->means, LAC_PERFSTAT_UNDECIDED);
	}
}

static void test_seed_compared(void **state)
{
	LAC_CLEANUP_PERFSTAT struct lac_perfstat *p = read_sample("rt-old.txt");
	LAC_CLEANUP_PERFSTAT struct lac_perfstat *q = read_sample("rt-new.txt");
	struct lac_perfstat_comparison c, back;
	struct lac_err err;

	(void)state;
	assert_int_equal(lac_perfstat_compare(&p->outputs[0], &q->outputs[0],
					      0.95, p->arena, &c, &err),
			 LAC_OK);
	assert_int_equal(lac_perfstat_compare(&q->outputs[0], &p->outputs[0],
					      0.95, p->arena, &back, &err),
			 LAC_OK);
	assert_int_equal(c.nrows, NSEED + 1);
	assert_string_equal(c.rows[0].name, "elapsed time");
	close_to(c.rows[0].ratio, 5.1766, 5e-5);
	for (size_t i = 0; i < NSEED; i++) {
		const struct lac_perfstat_row *r = &c.rows[i + 1];

		close_to(r->ratio, seed_rows[i].ratio, 5e-5);
		assert_int_equal(r->basis, LAC_PERFSTAT_WELCH);
		/* page-faults are the only line that stayed */
		assert_int_equal(r->verdict, i == 3 ? LAC_PERFSTAT_UNRESOLVED
						    : LAC_PERFSTAT_RESOLVED);
		assert_true(r->low < r->ratio && r->ratio < r->high);
		/* and the other way round it is the same */
		close_to(back.rows[i + 1].ratio * r->ratio, 1, 1e-12);
		close_to(back.rows[i + 1].low * r->high, 1, 1e-12);
		assert_int_equal(back.rows[i + 1].verdict, r->verdict);
	}
	assert_int_equal(c.nresolved, NSEED);
}

static void test_nothing_differs_from_itself(void **state)
{
	static const char *const names[] = { "rt-old.txt", "c-comma.csv",
					     "de-lines.json", "per-cpu.txt" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		LAC_CLEANUP_PERFSTAT struct lac_perfstat *p =
			read_sample(names[i]);
		struct lac_perfstat_comparison c;
		struct lac_err err;

		assert_int_equal(
			lac_perfstat_compare(&p->outputs[0], &p->outputs[0],
					     0.95, p->arena, &c, &err),
			LAC_OK);
		assert_int_equal(c.nresolved, 0);
		assert_int_equal(c.nrows, p->outputs[0].nevents + 1);
		for (size_t k = 0; k < c.nrows; k++)
			if (c.rows[k].has_ratio)
				close_to(c.rows[k].ratio, 1, 0);
	}
}

/* --- real outputs */

static void test_table_and_last_run(void **state)
{
	static const double runs_s[] = { 0.3145, 0.3345, 0.3671, 0.3756,
					 0.3677 };
	LAC_CLEANUP_PERFSTAT struct lac_perfstat *p =
		read_sample("c-human-table.txt");
	const struct lac_perfstat_output *o = &p->outputs[0];
	const struct lac_perfstat_event *clock = event(o, "task-clock");

	(void)state;
	assert_int_equal(o->runs, 5);
	assert_int_equal(o->nruns_s, 5);
	for (int i = 0; i < 5; i++)
		close_to(o->runs_s[i].value, runs_s[i], 0);
	assert_int_equal(o->means, LAC_PERFSTAT_LAST_RUN);
	assert_true(clock->has_mean);
	close_to(clock->mean.value, 326.3, 0.1);
	close_to(clock->metrics[0].computed, 0.893, 0.0005);
	assert_int_equal(clock->metrics[0].check, LAC_PERFSTAT_AGREES);
	assert_int_equal(event(o, "page-faults")->metrics[0].check,
			 LAC_PERFSTAT_MIXED);
	close_to(event(o, "cpu-migrations")->error_percent.value, 137.95, 0);
	assert_int_equal(event(o, "cycles")->status, LAC_PERFSTAT_UNSUPPORTED);
	assert_int_equal(p->nnotes, 1);
	assert_non_null(strstr(p->notes[0].text, "last run"));
}

/* Three runs with 10058, 20058 and 30058 faults: 30058 +- 19.21 % printed. */
static void test_error_of_a_last_run_is_that_of_the_mean(void **state)
{
	LAC_CLEANUP_PERFSTAT struct lac_perfstat *p = read_text(
		" Performance counter stats for './f' (3 runs):\n\n"
		"  30058      page-faults      #  1.000 M/sec  ( +- 19.21% )\n");

	(void)state;
	close_to(p->outputs[0].events[0].error, 5773.5, 1);
}

static void test_forms_of_one_command_agree(void **state)
{
	static const struct {
		const char *name;
		enum lac_perfstat_form form;
		char mark;
		double clock, switches, percent;
	} all[] = {
		{ "c-comma.csv", LAC_PERFSTAT_CSV, '.', 291.52, 543, 2.70 },
		{ "de-comma.csv", LAC_PERFSTAT_CSV, ',', 362.93, 817, 9.09 },
		{ "de-semicolon.csv", LAC_PERFSTAT_CSV, ',', 66.32, 2346, 0 },
		{ "c-lines.json", LAC_PERFSTAT_JSON, '.', 313.456303, 570,
		  56.69 },
		{ "de-lines.json", LAC_PERFSTAT_JSON, ',', 346.941269, 617,
		  38.90 },
		{ "de-human.txt", LAC_PERFSTAT_HUMAN, ',', 303.48, 1289,
		  18.95 },
		{ "fr-human.txt", LAC_PERFSTAT_HUMAN, ',', 57.52, 353, 92.79 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		LAC_CLEANUP_PERFSTAT struct lac_perfstat *p =
			read_sample(all[i].name);
		const struct lac_perfstat_output *o = &p->outputs[0];

		print_message("# %s\n", all[i].name);
		assert_int_equal(p->form, all[i].form);
		assert_int_equal(p->noutputs, 1);
		assert_int_equal(o->mark, all[i].mark);
		assert_int_equal(o->nevents, 8);
		close_to(event(o, "task-clock")->count.value, all[i].clock, 0);
		close_to(event(o, "context-switches")->count.value,
			 all[i].switches, 0);
		close_to(event(o, "context-switches")->error_percent.value,
			 all[i].percent, 0);
		assert_int_equal(event(o, "branches")->status,
				 LAC_PERFSTAT_UNSUPPORTED);
	}
}

/* What perf cut at the comma is not taken for a figure. */
static void test_cut_metrics(void **state)
{
	LAC_CLEANUP_PERFSTAT struct lac_perfstat *p =
		read_sample("de-comma.csv");
	const struct lac_perfstat_event *e =
		event(&p->outputs[0], "page-faults");

	(void)state;
	assert_int_equal(e->metrics[0].check, LAC_PERFSTAT_CUT);
	assert_true(e->metrics[0].has_computed);
	close_to(e->metrics[0].computed, 13347 / 362.93, 0.01);
	assert_int_equal(p->outputs[0].means, LAC_PERFSTAT_UNDECIDED);
	assert_false(p->outputs[0].elapsed.known);
}

static void test_era_of_the_first_seed(void **state)
{
	LAC_CLEANUP_PERFSTAT struct lac_perfstat *p =
		read_sample("era-3.13.txt");
	const struct lac_perfstat_output *o = &p->outputs[0];
	const struct lac_perfstat_event *e = event(o, "LLC-loads");

	(void)state;
	assert_int_equal(o->nevents, 7);
	close_to(event(o, "task-clock")->count.value, 1234.567890, 1e-9);
	assert_string_equal(event(o, "task-clock")->unit, "msec");
	close_to(e->count.value, 883412, 0);
	assert_int_equal(e->status, LAC_PERFSTAT_SCALED);
	close_to(e->running_percent, 49.98, 0);
	e = event(o, "LLC-load-misses");
	assert_int_equal(e->metrics[0].check, LAC_PERFSTAT_AGREES);
	assert_true(e->metrics[0].percent);
	assert_int_equal(event(o, "instructions")->metrics[0].check,
			 LAC_PERFSTAT_AGREES);
	assert_true(o->elapsed.has_error);
	close_to(o->elapsed.error_s.value, 1.237041974 * 0.0013, 1e-9);
	assert_int_equal(p->nnotes, 0);
}

static void test_cpus_apart(void **state)
{
	LAC_CLEANUP_PERFSTAT struct lac_perfstat *p =
		read_sample("per-cpu.txt");
	LAC_CLEANUP_PERFSTAT struct lac_perfstat *q =
		read_sample("per-socket.csv");
	const struct lac_perfstat_output *o = &p->outputs[0];

	(void)state;
	assert_int_equal(o->nevents, 16);
	assert_string_equal(o->events[3].where, "CPU1");
	assert_string_equal(o->events[3].name, "context-switches");
	close_to(o->events[3].count.value, 28, 0);
	assert_int_equal(o->events[3].metrics[0].check, LAC_PERFSTAT_AGREES);
	o = &q->outputs[0];
	assert_int_equal(o->nevents, 8);
	assert_string_equal(o->events[1].where, "S0");
	assert_int_equal(o->events[1].cpus, 2);
	close_to(o->events[1].count.value, 1018, 0);
}

static void test_summary_of_a_series(void **state)
{
	LAC_CLEANUP_PERFSTAT struct lac_perfstat *p =
		read_sample("interval-summary.txt");

	(void)state;
	assert_int_equal(p->noutputs, 1);
	close_to(event(&p->outputs[0], "task-clock")->count.value, 0.93, 0);
	assert_int_equal(p->nnotes, 1);
	assert_non_null(strstr(p->notes[0].text, "24 lines of intervals"));
}

static void test_prose_is_not_read(void **state)
{
	LAC_CLEANUP_PERFSTAT struct lac_perfstat *p = read_text(
		"On Fri, Jul 02, 2021 at 12:29:00PM +0200, A wrote:\n"
		"> 42 instructions later it crashed, 3 people saw it (10 %).\n"
		"> 5 cycles\n"
		"> 1.5 seconds user time is a lot.\n"
		">            73.746.821.314      branches                  #  "
		"158,607 M/sec                    ( +-  0,13% )\n"
		"> 7 times out of 10 # is a comment\n");
	const struct lac_perfstat_output *o = &p->outputs[0];

	(void)state;
	/* a known event alone on its line is taken, a sentence is not */
	assert_int_equal(p->noutputs, 1);
	assert_int_equal(o->nevents, 2);
	close_to(event(o, "branches")->count.value, 73746821314, 0);
	close_to(event(o, "cycles")->count.value, 5, 0);
}

static void test_same_event_twice(void **state)
{
	LAC_CLEANUP_PERFSTAT struct lac_perfstat *p = read_text(
		" Performance counter stats for 'x':\n\n 10 cycles # 1.0 x\n"
		" 12 cycles # 1.0 x\n\n 1.000000000 seconds time elapsed\n");
	struct lac_perfstat_comparison c;
	struct lac_err err;

	(void)state;
	assert_int_equal(p->outputs[0].nevents, 2);
	assert_true(p->outputs[0].events[1].again);
	assert_int_equal(lac_perfstat_compare(&p->outputs[0], &p->outputs[0],
					      0.95, p->arena, &c, &err),
			 LAC_OK);
	assert_int_equal(c.rows[2].verdict, LAC_PERFSTAT_UNKNOWN);
}

static void test_edited_figures_are_noticed(void **state)
{
	LAC_CLEANUP_PERFSTAT struct lac_perfstat *p = read_text(
		" Performance counter stats for 'x':\n\n"
		" 100.00 msec task-clock # 0.500 CPUs utilized\n"
		" 5000 page-faults # 51.000 K/sec\n\n"
		" 0.200000000 seconds time elapsed\n");

	(void)state;
	assert_int_equal(p->outputs[0].events[1].metrics[0].check,
			 LAC_PERFSTAT_DISAGREES);
	assert_int_equal(p->nnotes, 1);
	assert_int_equal(p->notes[0].line, 4);
}

/* Zero against something: no ratio, but a difference. */
static void test_zero_counts(void **state)
{
	static const char *const format =
		" Performance counter stats for 'x' (9 runs):\n\n"
		" %s cpu-migrations ( +- %s%% )\n 5000 page-faults\n\n"
		" 0.2000 +- 0.0001 seconds time elapsed ( +- 0.05%% )\n";
	char text[512];
	const struct lac_perfstat_hints hints = { .means = true };
	struct lac_perfstat *p[2];
	struct lac_perfstat_comparison c;
	struct lac_err err;

	(void)state;
	for (int i = 0; i < 2; i++) {
		snprintf(text, sizeof(text), format, i ? "100" : "0",
			 i ? "5.00" : "0.00");
		assert_int_equal(lac_perfstat_read("text", text, strlen(text),
						   &hints, &p[i], &err),
				 LAC_OK);
	}
	assert_int_equal(lac_perfstat_compare(&p[0]->outputs[0],
					      &p[1]->outputs[0], 0.95,
					      p[0]->arena, &c, &err),
			 LAC_OK);
	assert_false(c.rows[1].has_ratio);
	assert_int_equal(c.rows[1].basis, LAC_PERFSTAT_DIFFERENCE);
	assert_int_equal(c.rows[1].verdict, LAC_PERFSTAT_RESOLVED);
	/* no error printed is an error of 0, and 5000 is 5000 */
	assert_true(c.rows[2].old_side.has_error);
	assert_int_equal(c.rows[2].verdict, LAC_PERFSTAT_UNRESOLVED);
	lac_perfstat_destroy(p[0]);
	lac_perfstat_destroy(p[1]);
}

/* --- what is refused */

static void test_refusals(void **state)
{
	static const struct {
		const char *text;
		enum lac_status st;
		const char *words;
	} all[] = {
		{ "", LAC_BAD_INPUT, "nothing that perf stat prints" },
		{ "hello\n", LAC_BAD_INPUT, "nothing that perf stat prints" },
		{ "\xff\xfe"
		  "1",
		  LAC_BAD_INPUT, "UTF-16" },
		/* thousands or fractions? */
		{ " 1.234 msec task-clock # 0.500 CPUs utilized\n",
		  LAC_BAD_INPUT, "thousands or fractions" },
		/* two locales in one output */
		{ " 13,701 page-faults # 43,865 K/sec\n", LAC_BAD_INPUT,
		  "two locales" },
		{ " 13.701 page-faults # 43.865 K/sec\n", LAC_BAD_INPUT,
		  "two locales" },
		{ " 13.701 page-faults # 43,865 K/sec ( +- 1.00% )\n",
		  LAC_BAD_INPUT, "two locales" },
		/* two forms in one file */
		{ " 13701 page-faults # 43.865 K/sec\n"
		  "543,,context-switches,291515897,100.00,1.914,K/sec\n",
		  LAC_BAD_INPUT, "more than one form" },
		/* another line could be any event */
		{ "543;;context-switches;291515897;100.00;1.914;K/sec\n"
		  "12;;a;1;2;3;4;5\n",
		  LAC_BAD_INPUT, "cannot be told apart" },
		{ "{\"counter-value\" : \"1\", \"event\" : \"cycles\", ",
		  LAC_BAD_INPUT, "without an end" },
		{ "{\"counter-value\" : \"1,5\", \"event\" : \"cycles\"}",
		  LAC_BAD_INPUT, "counter-value" },
		{ "{\"counter-value\" : \"1\", \"counter-value\" : \"2\"}",
		  LAC_BAD_INPUT, "duplicate" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		refuses(all[i].text, strlen(all[i].text), all[i].st,
			all[i].words);
	refuses("1\0002", 3, LAC_BAD_INPUT, "not text");
}

static void test_refused_samples(void **state)
{
	static const struct {
		const char *name, *words;
	} all[] = { { "interval.txt", "--summary" },
		    { "metric-only.txt", "--metric-only" } };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		size_t n;
		char *s = slurp(all[i].name, &n);

		refuses(s, n, LAC_UNSUPPORTED, all[i].words);
		free(s);
	}
}

static void test_too_large(void **state)
{
	size_t n = LAC_PERFSTAT_MAX_BYTES + 1;
	char *s = malloc(n);

	(void)state;
	memset(s, '\n', n);
	refuses(s, n, LAC_BAD_INPUT, "larger than 16 MiB");
	free(s);
}

/* Many outputs, or many events in one: refused before they cost much. */
static void test_too_many(void **state)
{
	static const char line[] = "5 cycles # 1.0 GHz\n";
	size_t n = 0, cap = 2000000;
	char *s = malloc(cap);

	(void)state;
	for (int i = 0; i < 1001; i++, n += sizeof(line) - 1)
		memcpy(s + n, line, sizeof(line));
	refuses(s, n, LAC_BAD_INPUT, "more than 1000 outputs");
	n = (size_t)sprintf(s, " Performance counter stats for 'x':\n");
	for (int i = 0; i < 50001; i++)
		n += (size_t)snprintf(s + n, cap - n, "5 e%d # 1.0 GHz\n", i);
	refuses(s, n, LAC_BAD_INPUT, "more than 50000 events");
	free(s);
}

/* --- quantiles */

/* Closed forms: tan for 1, and for 2 (see any table of the distribution). */
static void test_quantiles(void **state)
{
	(void)state;
	for (int i = 1; i < 200; i++) {
		double p = i / 200.0, u = 2 * p - 1;
		double one = __builtin_tan(3.14159265358979323846 * (p - 0.5));
		double two = u / __builtin_sqrt(2 * p * (1 - p));

		close_to(lac_perfstat_quantile(p, 1), one,
			 1e-9 * (1 + __builtin_fabs(one)));
		close_to(lac_perfstat_quantile(p, 2), two,
			 1e-9 * (1 + __builtin_fabs(two)));
	}
	close_to(lac_perfstat_quantile(0.975, 9), 2.262157162740992, 1e-9);
	close_to(lac_perfstat_quantile(0.975, 18), 2.100922040240960, 1e-9);
	close_to(lac_perfstat_quantile(0.975, __builtin_inf()),
		 1.959963984540054, 1e-9);
	close_to(lac_perfstat_quantile(0.975, 1e7), 1.959963984540054, 1e-5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_seed_as_printed),
		cmocka_unit_test(test_seed_as_threads_have_it),
		cmocka_unit_test(test_seed_of_single_lines),
		cmocka_unit_test(test_seed_compared),
		cmocka_unit_test(test_nothing_differs_from_itself),
		cmocka_unit_test(test_table_and_last_run),
		cmocka_unit_test(test_error_of_a_last_run_is_that_of_the_mean),
		cmocka_unit_test(test_forms_of_one_command_agree),
		cmocka_unit_test(test_cut_metrics),
		cmocka_unit_test(test_era_of_the_first_seed),
		cmocka_unit_test(test_cpus_apart),
		cmocka_unit_test(test_summary_of_a_series),
		cmocka_unit_test(test_prose_is_not_read),
		cmocka_unit_test(test_same_event_twice),
		cmocka_unit_test(test_edited_figures_are_noticed),
		cmocka_unit_test(test_zero_counts),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_refused_samples),
		cmocka_unit_test(test_too_large),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_quantiles),
	};

	return cmocka_run_group_tests_name("perfstat", tests, NULL, NULL);
}

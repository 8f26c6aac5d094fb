/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench_options.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "bench_progress.h"
#include "cachesim/coherent.h"
#include "cmd.h"
#include "fixture.h"
#include "number.h"
#include "options.h"

/* As given; 0 and NULL where not. */
static struct {
	char *tests, *sizes, *variants, *era, *preset, *cache, *raw, *planted;
	char *seed, *n, *rounds, *line, *budget, *cpus;
	char **events;
	char *dtlb;
	int quick, thorough, write, no_time, prefetch;
} given;

static const struct poptOption common[] = {
	{ "size", 's', POPT_ARG_STRING, &given.sizes, 0,
	  "bytes of an object, 1 to 8192 (default "
	  "8,32,128,256,1024,4096,8192)",
	  "LIST" },
	{ "n", 'n', POPT_ARG_STRING, &given.n, 0,
	  "objects alive at once (default 20000)", "N" },
	{ "variant", 0, POPT_ARG_STRING, &given.variants, 0,
	  "of aligned-cas, aligned-lock, packed-lock, packed-cas (default "
	  "all); the first is what the others are compared with",
	  "LIST" },
	{ "era", 0, POPT_ARG_STRING, &given.era, 0,
	  "whose struct page: v3.13, v5.10, v6.1, v6.12 (default v3.13)",
	  "ERA" },
	{ "write", 'w', POPT_ARG_NONE, &given.write, 0,
	  "write to each object after its allocation", NULL },
	LAC_GROUP("how long it is timed:"),
	{ "quick", 'q', POPT_ARG_NONE, &given.quick, 0,
	  "six short rounds: enough for a difference of half", NULL },
	{ "thorough", 0, POPT_ARG_NONE, &given.thorough, 0,
	  "64 long rounds, about a minute for each test and size", NULL },
	{ "rounds", 0, POPT_ARG_STRING, &given.rounds, 0,
	  "exactly so many rounds, whatever they take", "N" },
	{ "budget", 0, POPT_ARG_STRING, &given.budget, 0,
	  "seconds for all times together (default 30)", "S" },
	{ "no-time", 0, POPT_ARG_NONE, &given.no_time, 0,
	  "simulate only: exact, and the same on every machine", NULL },
	{ "seed", 0, POPT_ARG_STRING, &given.seed, 0,
	  "of all that is drawn (default: $LAC_SEED, or 1)", "N" },
	LAC_GROUP("simulated caches, and counters:"),
	{ "preset", 0, POPT_ARG_STRING, &given.preset, 0,
	  "simulated caches: westmere-ex (default), zen3-milan, ..., host",
	  "NAME" },
	{ "cache", 0, POPT_ARG_STRING, &given.cache, 0,
	  "simulated caches: L1=32K/8,L2=256K/8,...", "GEOMETRY" },
	{ "line", 0, POPT_ARG_STRING, &given.line, 0,
	  "bytes of a simulated cache line", "BYTES" },
	{ "prefetch", 0, POPT_ARG_NONE, &given.prefetch, 0,
	  "simulate a prefetcher: an L2 miss brings the adjacent line too", NULL },
	{ "dtlb", 0, POPT_ARG_STRING, &given.dtlb, 0,
	  "simulate a data TLB of 4K pages: 64/4", "ENTRIES/WAYS" },
	{ "event", 'e', POPT_ARG_ARGV, &given.events, 0,
	  "also count the hardware event that libpfm4 calls NAME; may be given "
	  "again", "NAME" },
	{ "raw", 0, POPT_ARG_STRING, &given.raw, 0,
	  "keep what each timed process printed, a line each", "FILE" },
	{ "planted", 0, POPT_ARG_STRING, &given.planted, 0,
	  "calibrate: multiply the times of a variant, packed-lock=1.05",
	  "VARIANT=FACTOR" },
	POPT_TABLEEND
};

#define INCLUDE_COMMON                                                        \
	{ NULL, 0, POPT_ARG_INCLUDE_TABLE, (void *)(uintptr_t)common, 0,      \
	  NULL, NULL }

/* The tests are those of values.c. */
const struct poptOption lac_bench_option_table[] = {
	LAC_GROUP("what is run:"),
	{ "test", 't', POPT_ARG_STRING, &given.tests, 0,
	  "bulk, pair, bulk-random, bulk-reverse, fragmented, remote; several "
	  "with commas (default bulk,pair); or message alone",
	  "LIST" },
	INCLUDE_COMMON,
	POPT_TABLEEND
};

const struct poptOption lac_verdict_option_table[] = {
	LAC_GROUP("what is run:"),
	{ "test", 't', POPT_ARG_STRING, &given.tests, 0,
	  "bulk, pair, bulk-random, bulk-reverse, fragmented; several with "
	  "commas (default bulk,pair)",
	  "LIST" },
	INCLUDE_COMMON,
	POPT_TABLEEND
};

const struct poptOption lac_bench_cpus_option_table[] = {
	{ "cpus", 0, POPT_ARG_STRING, &given.cpus, 0,
	  "remote: threads, and virtual CPUs, 2 to 128 (default 2); message: "
	  "virtual CPUs, at most one for each task", "N" },
	POPT_TABLEEND
};

/* The elements of a list with commas, in the arena; at least one. */
static enum lac_status split(const char *list, const char *what,
			     struct lac_arena *arena, const char ***ret,
			     size_t *n, struct lac_err *err)
{
	char *copy = lac_arena_strdup(arena, list), *rest = NULL;
	const char **words;
	size_t most = 1;

	for (const char *s = list; *s; s++)
		most += *s == ',';
	words = lac_arena_zalloc(arena, most, sizeof(*words));
	if (!copy || !words)
		return lac_fail_memory(err);
	*n = 0;
	for (char *w = strtok_r(copy, ",", &rest); w;
	     w = strtok_r(NULL, ",", &rest))
		words[(*n)++] = w;
	if (!*n)
		return lac_fail(err, LAC_USAGE, "%s: an empty list", what);
	*ret = words;
	return LAC_OK;
}

static enum lac_status parse_variants(struct lac_bench_options *o,
				      struct lac_arena *arena,
				      struct lac_err *err)
{
	const char **names;
	size_t n;

	if (!given.variants) {
		for (int v = 0; v < LAC_NCELLS; v++)
			o->variants[v] = true;
		return LAC_OK;
	}
	LAC_TRY(split(given.variants, "--variant", arena, &names, &n, err));
	for (size_t i = 0; i < n; i++) {
		enum lac_cell v;

		LAC_TRY(lac_variant_parse(names[i], &v, err));
		o->variants[v] = true;
		if (i == 0)
			o->base = v;
	}
	return LAC_OK;
}

static enum lac_status parse_planted(struct lac_bench_options *o,
				     struct lac_err *err)
{
	char name[32];
	const char *eq = given.planted ? strchr(given.planted, '=') : NULL;
	enum lac_cell v;
	double factor = 1;

	if (!given.planted)
		return LAC_OK;
	if (given.no_time)
		return lac_fail(err, LAC_USAGE,
				"--planted and --no-time: only one of them; "
				"--planted multiplies times");
	snprintf(name, sizeof(name), "%.*s",
		 eq ? (int)(eq - given.planted) : 0, given.planted);
	if (!eq)
		return lac_fail(err, LAC_USAGE,
				"--planted %s: not VARIANT=FACTOR",
				given.planted);
	LAC_TRY(lac_variant_parse(name, &v, err));
	LAC_TRY(lac_number_real("--planted", eq + 1, 0.1, 10, "a factor",
				&factor, err));
	o->planted[v] = factor;
	return LAC_OK;
}

static enum lac_status parse_seed(struct lac_bench_options *o,
				  struct lac_err *err)
{
	const char *text = given.seed ? given.seed : getenv("LAC_SEED");

	o->job.seed = 1;
	if (!given.seed && text && !*text)
		return LAC_OK; /* an empty variable is none */
	return lac_number_parse(given.seed ? "--seed" : "LAC_SEED", text, 0,
				UINT64_MAX >> 1, &o->job.seed, err);
}

/* How much is done, and in which time. */
static enum lac_status parse_effort(struct lac_bench_options *o,
				    const char **effort, struct lac_err *err)
{
	uint64_t rounds = 0;

	if (given.quick && given.thorough)
		return lac_fail(err, LAC_USAGE,
				"--quick and --thorough: only one of them");
	*effort = given.quick	   ? "quick" :
		  given.thorough ? "thorough" :
				     "default";
	o->rounds_min = LAC_CLUSTERS_MIN;
	o->rounds_max = given.quick ? LAC_CLUSTERS_MIN : given.thorough ? 64 : 32;
	o->blocks_min = given.quick ? 3 : 5;
	o->blocks_max = given.quick ? 8 : 60;
	o->budget_s = given.quick ? 10 : given.thorough ? 0 : 30;
	o->job.warmup = given.thorough ? 3 : 1;
	LAC_TRY(lac_number_real("--budget", given.budget, 1, 86400, "seconds",
				&o->budget_s, err));
	LAC_TRY(lac_number_parse("--rounds", given.rounds, 1, 10000, &rounds,
				 err));
	if (given.rounds)
		o->rounds_min = o->rounds_max = (unsigned)rounds;
	return LAC_OK;
}

/* The usual ones of the processor and of the kernel, and those asked for. */
static enum lac_status parse_events(struct lac_job *j, struct lac_arena *arena,
				    struct lac_err *err)
{
	struct lac_counter_event *events;
	size_t asked = 0, n = 0;

	while (given.events && given.events[asked])
		asked++;
	if (asked + lac_counter_nhardware + lac_counter_nsoftware >
	    LAC_PERFCTR_MAX)
		return lac_fail(err, LAC_USAGE, "--event: at most %zu of them",
				LAC_PERFCTR_MAX - lac_counter_nhardware -
					lac_counter_nsoftware);
	events = lac_arena_zalloc(arena, LAC_PERFCTR_MAX, sizeof(*events));
	if (!events)
		return lac_fail_memory(err);
	for (size_t i = 0; i < lac_counter_nhardware; i++)
		events[n++] = lac_counter_hardware[i];
	for (size_t i = 0; i < lac_counter_nsoftware; i++)
		events[n++] = lac_counter_software[i];
	for (size_t i = 0; i < asked; i++)
		LAC_TRY(lac_counter_event_find(given.events[i], &events[n++],
					       err));
	j->events = events;
	j->nevents = n;
	return LAC_OK;
}

/* Before a program runs for minutes: what the simulation would refuse. */
static enum lac_status check_caches(const struct lac_job *j, bool several_cpus,
				    struct lac_err *err)
{
	struct lac_cache_geometry g;

	LAC_TRY(lac_cache_choose(j->preset, j->cache, j->line_bytes, &g, err));
	g.adjacent_prefetch = j->adjacent;
	if (j->dtlb && lac_cache_parse_tlb(j->dtlb, &g, err) != LAC_OK)
		return lac_err_context(err, LAC_USAGE, "--dtlb");
	return several_cpus ? lac_coherent_check(&g, err) : LAC_OK;
}

static enum lac_status parse_job(struct lac_bench_options *o,
				 struct lac_arena *arena, struct lac_err *err)
{
	struct lac_job *j = &o->job;
	uint64_t line = 0; /* of the preset */

	j->write = given.write;
	j->era = given.era;
	j->preset = given.preset;
	j->cache = given.cache;
	j->adjacent = given.prefetch;
	j->dtlb = given.dtlb;
	if (given.raw && given.no_time)
		return lac_fail(err, LAC_USAGE,
				"--raw and --no-time: only one of them; "
				"--raw keeps what timed processes print");
	LAC_TRY(lac_number_power("--line", given.line, 32, 256, &line, err));
	j->line_bytes = (unsigned)line;
	j->ops_per_block = 20000;
	LAC_TRY(parse_seed(o, err));
	return parse_events(j, arena, err);
}

/* Of those that the command runs, a list being what is asked for. */
static enum lac_status parse_test(enum lac_bench_extra extra, const char *name,
				  bool alone, const char **ret,
				  struct lac_err *err)
{
	const char *one = lac_option_values(
		extra == LAC_RUN_PLAIN ? "bench" : "correlate", "test");
	char all[256] = "";
	bool found = false;

	for (size_t n; *one; one += n + (one[n] == ' ')) {
		n = strcspn(one, " ");
		found |= strlen(name) == n && !strncmp(one, name, n);
		snprintf(all + strlen(all), sizeof(all) - strlen(all),
			 "%s%.*s", *all ? ", " : "", (int)n, one);
	}
	if (!strcmp(name, "message") && !(alone && found))
		return lac_fail(err, LAC_USAGE,
				"--test message: only in lacuna bench, and "
				"with no other test beside it");
	if (!strcmp(name, "remote") && !found)
		return lac_fail(err, LAC_USAGE,
				"--test remote: the verdict joins the counts of "
				"one CPU; lacuna bench -t remote shows several");
	if (!found)
		return lac_fail(err, LAC_USAGE, "unknown test '%s': one of %s",
				name, all);
	return lac_test_parse(name, ret, err);
}

/* Tests times sizes, and one cell more for the verdict. */
static enum lac_status parse_cells(enum lac_bench_extra extra,
				   struct lac_bench_options *o,
				   struct lac_arena *arena,
				   struct lac_err *err)
{
	const char **tests, **sizes;
	struct lac_bench_cell *cells;
	size_t ntests, nsizes, n = 0;
	uint64_t size, alive = 20000, cpus = 2;
	bool remote = false;

	LAC_TRY(lac_number_parse("--cpus", given.cpus, 2, 128, &cpus, err));
	LAC_TRY(lac_number_parse("--n", given.n, 1, INT_MAX, &alive, err));
	LAC_TRY(split(given.tests ? given.tests : "bulk,pair", "--test", arena,
		      &tests, &ntests, err));
	LAC_TRY(split(given.sizes ? given.sizes : "8,32,128,256,1024,4096,8192",
		      "--size", arena, &sizes, &nsizes, err));
	cells = lac_arena_zalloc(arena, ntests * nsizes + 1, sizeof(*cells));
	if (!cells)
		return lac_fail_memory(err);
	for (size_t t = 0; t < ntests; t++) {
		const char *test;

		LAC_TRY(parse_test(extra, tests[t], ntests == 1, &test, err));
		remote |= !strcmp(test, "remote");
		for (size_t s = 0; s < nsizes; s++) {
			LAC_TRY(lac_number_parse("--size", sizes[s],
						 LAC_SIZE_MIN, LAC_SIZE_MAX,
						 &size, err));
			cells[n++] = (struct lac_bench_cell){
				.test = test,
				.size = (unsigned)size,
				.n = alive,
				.cpus = !strcmp(test, "remote")
						? (unsigned)cpus : 0,
				.simulate = true,
				.time = !given.no_time,
			};
		}
	}
	if (given.cpus && !remote)
		return lac_fail(err, LAC_USAGE,
				"--cpus goes with --test remote and --test "
				"message");
	if (extra == LAC_RUN_FOR_VERDICT && !given.tests)
		cells[n++] = (struct lac_bench_cell){
			.test = "bulk-random",
			.size = 256,
			.n = 20000,
			.simulate = true,
			.time = !given.no_time,
		};
	o->cells = cells;
	o->ncells = n;
	return LAC_OK;
}

enum lac_status lac_bench_message_asked(bool *asked,
					struct lac_bench_options *o,
					const char **size, bool *no_time,
					struct lac_arena *arena,
					struct lac_err *err)
{
	uint64_t cpus = 0;

	*asked = given.tests && !strcmp(given.tests, "message");
	if (!*asked)
		return LAC_OK;
	if (given.n || given.write || given.quick || given.thorough ||
	    given.rounds || given.budget || given.seed || given.events ||
	    given.raw || given.planted || given.prefetch || given.dtlb)
		return lac_fail(err, LAC_USAGE,
				"--test message takes --size, --variant, --era, "
				"--preset, --cache, --line, --cpus, --no-time, "
				"--groups, --fds, --loops and --repeat only");
	*size = given.sizes;
	*no_time = given.no_time;
	memset(o, 0, sizeof(*o));
	LAC_TRY(parse_variants(o, arena, err));
	LAC_TRY(lac_number_parse("--cpus", given.cpus, 2, 128, &cpus, err));
	o->job.cpus = (unsigned)cpus;
	LAC_TRY(parse_job(o, arena, err));
	return check_caches(&o->job, true, err);
}

void lac_experiment_end(struct lac_experiment *r)
{
	lac_bench_destroy(r->bench);
	for (size_t i = 0; i < r->nothers; i++)
		lac_bench_destroy((struct lac_bench *)(uintptr_t)
					  r->others[i].bench);
	r->bench = NULL;
	r->nothers = 0;
}

/* The same cells once more, simulated only, at other n or with other caches. */
static enum lac_status run_elsewhere(struct lac_experiment *r, double factor,
				     const char *preset, const char *era,
				     struct lac_arena *arena,
				     struct lac_err *err)
{
	bool nearby = fabs(factor - 1) < 0.1 && !preset && !era;
	struct lac_bench_options o = r->options;
	struct lac_bench_cell *cells =
		lac_arena_zalloc(arena, o.ncells, sizeof(*cells));
	struct lac_bench *b;
	uint64_t n = 0;

	if (!cells)
		return lac_fail_memory(err);
	for (size_t i = 0; i < o.ncells; i++) {
		cells[i] = o.cells[i];
		cells[i].time = false;
		cells[i].n = n = (uint64_t)((double)cells[i].n * factor + 0.5);
		if (n == 0)
			cells[i].n = n = 1;
	}
	o.cells = cells;
	if (preset) {
		o.job.preset = preset;
		o.job.cache = NULL;
	}
	if (era)
		o.job.era = era;
	LAC_TRY(lac_bench_run(&o, &b, err));
	r->others[r->nothers++] = (struct lac_other_run){
		.bench = b,
		.nearby = nearby,
		.where = preset ? preset :
			 era	? lac_arena_printf(arena, "era %s", era) :
				  lac_arena_printf(arena, "n = %llu",
						   (unsigned long long)n),
	};
	return LAC_OK;
}

static enum lac_status run_all(enum lac_bench_extra extra,
			       struct lac_arena *arena,
			       struct lac_experiment *r, struct lac_err *err)
{
	const char *preset = r->options.job.preset;
	const char *other = preset && !strcmp(preset, "zen3-milan") ?
				    "westmere-ex" :
				    "zen3-milan";
	const char *era = r->options.job.era;
	const char *other_era = era && !strcmp(era, "v6.1") ? "v3.13" : "v6.1";

	LAC_TRY(lac_bench_run(&r->options, &r->bench, err));
	if (extra != LAC_RUN_FOR_VERDICT || r->bench->interrupted)
		return LAC_OK;
	LAC_TRY(run_elsewhere(r, 0.25, NULL, NULL, arena, err));
	LAC_TRY(run_elsewhere(r, 1, other, NULL, arena, err));
	LAC_TRY(run_elsewhere(r, 1, NULL, other_era, arena, err));
	LAC_TRY(run_elsewhere(r, 0.95, NULL, NULL, arena, err));
	return run_elsewhere(r, 1.05, NULL, NULL, arena, err);
}

/* With fewer nothing tells the size of a descriptor from its update. */
static enum lac_status enough_variants(enum lac_bench_extra extra,
				       const struct lac_bench_options *o,
				       struct lac_err *err)
{
	for (int v = 0; v < LAC_NCELLS; v++)
		if (extra == LAC_RUN_FOR_VERDICT && !o->variants[v])
			return lac_fail(err, LAC_USAGE,
					"--variant %s: a verdict takes all "
					"four, to tell the size from the lock; "
					"'lacuna bench' compares any",
					given.variants);
	return LAC_OK;
}

enum lac_status lac_bench_execute(enum lac_bench_extra extra,
				  struct lac_arena *arena,
				  struct lac_experiment *r,
				  struct lac_err *err)
{
	struct lac_bench_options *o = &r->options;
	struct lac_progress p;
	bool several_cpus = false;
	enum lac_status st;

	memset(r, 0, sizeof(*r));
	o->parallel = 2;
	LAC_TRY(parse_variants(o, arena, err));
	LAC_TRY(enough_variants(extra, o, err));
	LAC_TRY(parse_planted(o, err));
	LAC_TRY(parse_effort(o, &r->effort, err));
	LAC_TRY(parse_job(o, arena, err));
	LAC_TRY(parse_cells(extra, o, arena, err));
	for (size_t i = 0; i < o->ncells; i++)
		several_cpus |= o->cells[i].cpus != 0;
	LAC_TRY(check_caches(&o->job, several_cpus, err));
	LAC_TRY(lac_fixture_dir(arena, &r->dir, err));
	o->dir = r->dir;
	LAC_TRY(lac_progress_begin(&p, given.raw, o, err));
	st = run_all(extra, arena, r, err);
	/* ^C during what only adds to the main run: that one is complete */
	if (st == LAC_INTERRUPTED && r->bench)
		st = LAC_OK;
	st = lac_progress_end(&p, st, err);
	if (st == LAC_OK)
		st = lac_library_read(r->bench, r->dir, arena, &r->layouts,
				      err);
	if (st != LAC_OK)
		lac_experiment_end(r);
	return st;
}

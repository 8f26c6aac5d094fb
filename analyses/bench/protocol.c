/* SPDX-License-Identifier: BSD-2-Clause */
/* protocol.c - names and command lines; parse.c reads the answers. */
#include "bench/protocol.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *const lac_variant_names[LAC_NCELLS] = {
	[LAC_ALIGNED_CAS] = "aligned-cas",
	[LAC_ALIGNED_LOCK] = "aligned-lock",
	[LAC_PACKED_LOCK] = "packed-lock",
	[LAC_PACKED_CAS] = "packed-cas",
};

const char *const lac_test_names[] = {
	"bulk",	  "pair",	"bulk-random", "bulk-reverse",
	"remote", "fragmented", NULL,
};

const unsigned lac_bench_sizes[] = { 8, 32, 128, 256, 1024, 4096, 8192 };
const size_t lac_bench_nsizes =
	sizeof(lac_bench_sizes) / sizeof(lac_bench_sizes[0]);

const char *const lac_time_stat_names[LAC_NTIMES] = {
	[LAC_CPU_Q10] = "cpu_q10",
	[LAC_CPU_MEDIAN] = "cpu_median",
	[LAC_WALL_MEDIAN] = "wall_median",
};

const char *const lac_time_stat_titles[LAC_NTIMES] = {
	[LAC_CPU_Q10] = "lower CPU time",
	[LAC_CPU_MEDIAN] = "middle CPU time",
	[LAC_WALL_MEDIAN] = "wall time",
};

static enum lac_status not_one_of(const char *what, const char *name,
				  const char *const *names, size_t n,
				  struct lac_err *err)
{
	char all[512] = "";

	for (size_t i = 0; i < n; i++)
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s",
			 i ? ", " : "", names[i]);
	return lac_fail(err, LAC_USAGE, "unknown %s '%s': one of %s", what,
			name, all);
}

enum lac_status lac_variant_parse(const char *name, enum lac_cell *ret,
				  struct lac_err *err)
{
	for (int i = 0; i < LAC_NCELLS; i++) {
		if (strcmp(name, lac_variant_names[i]))
			continue;
		*ret = (enum lac_cell)i;
		return LAC_OK;
	}
	return not_one_of("variant", name, lac_variant_names, LAC_NCELLS, err);
}

enum lac_status lac_test_parse(const char *name, const char **ret,
			       struct lac_err *err)
{
	size_t n = 0;

	for (; lac_test_names[n]; n++) {
		if (strcmp(name, lac_test_names[n]))
			continue;
		*ret = lac_test_names[n];
		return LAC_OK;
	}
	return not_one_of("test", name, lac_test_names, n, err);
}

/* Arguments as they are put together; a fault of memory is kept. */
struct line {
	struct lac_process *p;
	struct lac_arena *arena;
	bool broken;
};

static void put(struct line *l, const char *arg)
{
	if (arg)
		lac_process_arg(l->p, arg);
	else
		l->broken = true;
}

static void put_text(struct line *l, const char *option, const char *value)
{
	put(l, option);
	put(l, value);
}

static void put_number(struct line *l, const char *option, uint64_t value)
{
	put(l, option);
	put(l, lac_arena_printf(l->arena, "%" PRIu64, value));
}

static void put_common(struct line *l, const struct lac_job *j)
{
	put_text(l, "--test", j->test);
	put_number(l, "--size", j->size);
	put_number(l, "--n", j->n);
	put_number(l, "--seed", j->seed);
	if (j->write)
		put(l, "--write");
	if (j->era)
		put_text(l, "--era", j->era);
	for (size_t i = 0; j->extra && j->extra[i]; i++)
		put(l, j->extra[i]);
}

bool lac_job_time_command(const struct lac_job *j, const char *dir,
			  enum lac_cell variant, unsigned build,
			  struct lac_arena *arena, struct lac_process *ret)
{
	struct line l = { ret, arena, false };

	*ret = (struct lac_process){ 0 };
	put(&l, lac_arena_printf(arena, "%s/slab-time-%s.%u", dir,
				 lac_variant_names[variant], build));
	put_common(&l, j);
	put_number(&l, "--blocks", j->blocks);
	put_number(&l, "--ops-per-block", j->ops_per_block);
	put_number(&l, "--warmup", j->warmup);
	if (j->cpus)
		put_number(&l, "--threads", j->cpus);
	for (size_t i = 0; i < j->nevents; i++) {
		char text[LAC_EVENT_TEXT];

		lac_counter_event_format(&j->events[i], text);
		put_text(&l, "--event", lac_arena_strdup(arena, text));
	}
	return !l.broken;
}

bool lac_job_sim_command(const struct lac_job *j, const char *dir,
			 enum lac_cell variant, struct lac_arena *arena,
			 struct lac_process *ret)
{
	struct line l = { ret, arena, false };

	*ret = (struct lac_process){ 0 };
	put(&l, lac_arena_printf(arena, "%s/slab-sim-%s", dir,
				 lac_variant_names[variant]));
	put_common(&l, j);
	if (j->preset)
		put_text(&l, "--preset", j->preset);
	if (j->cache)
		put_text(&l, "--cache", j->cache);
	if (j->line_bytes)
		put_number(&l, "--line", j->line_bytes);
	if (j->adjacent)
		put_text(&l, "--prefetch", "adjacent");
	if (j->dtlb)
		put_text(&l, "--dtlb", j->dtlb);
	if (j->rounds)
		put_number(&l, "--rounds", j->rounds);
	if (j->warmup_rounds)
		put_number(&l, "--warmup-rounds", j->warmup_rounds);
	if (j->cpus)
		put_number(&l, "--cpus", j->cpus);
	return !l.broken;
}

unsigned lac_count_builds(const char *dir, enum lac_cell variant,
			  const char *era)
{
	bool named = era && strcmp(era, LAC_ERA_DEFAULT) != 0;
	unsigned n = 0;
	char path[4096];

	while (snprintf(path, sizeof(path), "%s/slab-time-%s%s%s.%u", dir,
			lac_variant_names[variant], named ? "-" : "",
			named ? era : "", n) < (int)sizeof(path) &&
	       access(path, X_OK) == 0)
		n++;
	return n;
}

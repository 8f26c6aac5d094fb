/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_trace.c - the cache model on a program of the user's. */
#include <stdlib.h>
#include <string.h>

#include "cachesim/geometry.h"
#include "commands.h"
#include "fixture.h"
#include "load.h"
#include "number.h"
#include "trace_doc.h"
#include "trace_run.h"

static struct {
	char *preset, *cache, *line, *cpus, *quantum;
} given;

static const struct poptOption options[] = {
	{ "cpus", 'P', POPT_ARG_STRING, &given.cpus, 0,
	  "virtual CPUs, as many as the program asks for: 1 to 128", "N" },
	{ "preset", 'p', POPT_ARG_STRING, &given.preset, 0,
	  "cache to simulate: a name, or host; westmere-ex by default",
	  "NAME" },
	{ "cache", 0, POPT_ARG_STRING, &given.cache, 0,
	  "cache to simulate, such as L1=32K/8,L2=256K/8,L3=30M/24",
	  "GEOMETRY" },
	{ "line", 0, POPT_ARG_STRING, &given.line, 0,
	  "bytes of a line, with --cache: 32, 64, 128 or 256", "BYTES" },
	{ "quantum", 0, POPT_ARG_STRING, &given.quantum, 0,
	  "cycles that a virtual CPU may be ahead of another; 20 by default",
	  "N" },
	LAC_LOAD_OPTIONS,
	POPT_TABLEEND
};

/* Before the program runs, what it would refuse. */
static enum lac_status check_options(struct lac_err *err)
{
	struct lac_cache_geometry g;
	uint64_t ignored, line = 0;

	LAC_TRY(lac_number_parse("--cpus", given.cpus, 1, 128, &ignored, err));
	LAC_TRY(lac_number_parse("--quantum", given.quantum, 0, 1000000,
				 &ignored, err));
	LAC_TRY(lac_number_power("--line", given.line, 32, 256, &line, err));
	return lac_cache_choose(given.preset, given.cache, (uint32_t)line, &g,
				err);
}

static enum lac_status report(struct lac_run *r, const char *path,
			      const json_t *counts, struct lac_err *err)
{
	LAC_CLEANUP_GRAPH struct lac_graph *g = NULL;
	struct lac_arena *arena = r->doc->arena;
	const char *const *names;
	struct lac_traced t;

	LAC_TRY(lac_traced_names(counts, path, arena, &names, err));
	LAC_TRY(lac_load_some(path, names, &g, err));
	LAC_TRY(lac_traced_join(counts, path, g, arena, &t, err));
	if (!t.total.accesses)
		return lac_fail(err, LAC_BAD_INPUT,
				"%s has the hooks, and no access called them: "
				"compile its files with -fsanitize=thread and "
				"without -flto; `lacuna trace` without "
				"arguments prints how",
				path);
	return lac_trace_doc(r->doc, path, g, &t, err);
}

/* As short as it can be, to be pasted. */
static enum lac_status real(const char **path, struct lac_arena *arena,
			    struct lac_err *err)
{
	char *found = realpath(*path, NULL);

	if (!found)
		return lac_fail_os(err, "%s", *path);
	*path = lac_arena_strdup(arena, found);
	free(found);
	return *path ? LAC_OK : lac_fail_memory(err);
}

static enum lac_status manual(struct lac_run *r, struct lac_err *err)
{
	const char *dir, *object, *header;

	LAC_TRY(lac_fixture_dir(r->doc->arena, &dir, err));
	LAC_TRY(lac_fixture_file("lacuna-trace.o", r->doc->arena, &object,
				 err));
	LAC_TRY(lac_fixture_file("lacuna-trace.h", r->doc->arena, &header,
				 err));
	LAC_TRY(real(&dir, r->doc->arena, err));
	LAC_TRY(real(&object, r->doc->arena, err));
	lac_trace_manual(r->doc, dir, object);
	return LAC_OK;
}

static enum lac_status run(struct lac_run *r, struct lac_err *err)
{
	struct lac_trace_settings s = { .cpus = given.cpus,
					.preset = given.preset,
					.cache = given.cache,
					.line = given.line,
					.quantum = given.quantum };
	json_t *counts = NULL;
	const char *path;
	enum lac_status st;

	LAC_TRY(check_options(err));
	if (!r->nargs)
		return manual(r, err);
	LAC_TRY(lac_trace_find(r->args[0], r->doc->arena, &path, err));
	LAC_TRY(lac_trace_run(path, r->args, &s, r->doc->arena, &counts, err));
	st = report(r, path, counts, err);
	json_decref(counts);
	return st;
}

const struct lac_cmd lac_cmd_trace = {
	.name = "trace",
	.args = "[PROGRAM [ARGUMENT...]]",
	.summary = "the cache model on your own program, misses by member",
	.help = "Runs a program that is built with the hooks of lacuna, and "
		"reports misses,\nstraddles and sharing by type and member.  "
		"Without PROGRAM: how to build one.\nWhat PROGRAM prints goes "
		"to standard error.\n",
	.max_args = 65536,
	.options = options,
	.options_first = true,
	.run = run,
};

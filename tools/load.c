/* SPDX-License-Identifier: BSD-2-Clause */
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/threads.h"
#include "dbginfo/store.h"
#include "debuginfod.h"
#include "heap.h"
#include "layout/layout.h"
#include "number.h"
#include "quit.h"
#include "size.h"

static struct {
	char *format, *debug_dir, *base, *threads;
	int partial, no_cache;
} given;

static bool many_files;
static unsigned threads_given;

static struct {
	char dir[4096];
	bool damaged; /* a graph that was kept */
} cache;

const struct poptOption lac_load_table[] = {
	{ "format", 'F', POPT_ARG_STRING, &given.format, 0,
	  "which debug info to read: dwarf, btf or auto", "FORMAT" },
	{ "base", 0, POPT_ARG_STRING, &given.base, 0,
	  "the file that split BTF is based on", "FILE" },
	{ "debug-dir", 0, POPT_ARG_STRING, &given.debug_dir, 0,
	  "look for separate debug files here as well", "DIR" },
	{ "partial", 0, POPT_ARG_NONE, &given.partial, 0,
	  "accept that part of the debug info is gone or malformed", NULL },
	{ "no-cache", 0, POPT_ARG_NONE, &given.no_cache, 0,
	  "read the file itself; keep nothing for the next run", NULL },
	{ "threads", 'j', POPT_ARG_STRING, &given.threads, 0,
	  "readers at work; as many as processors by default", "N" },
	POPT_TABLEEND
};

enum lac_status lac_load_asked(enum lac_format *ret, struct lac_err *err)
{
	static const char *const names[] = {
		[LAC_FORMAT_AUTO] = "auto",
		[LAC_FORMAT_DWARF] = "dwarf",
		[LAC_FORMAT_BTF] = "btf",
	};

	*ret = LAC_FORMAT_AUTO;
	if (!given.format)
		return LAC_OK;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(given.format, names[i])) {
			*ret = (enum lac_format)i;
			return LAC_OK;
		}
	return lac_fail(err, LAC_USAGE, "--format %s: one of dwarf, btf, auto",
			given.format);
}

/* A place that is named must be there, or a typing error goes unseen. */
static enum lac_status check_places(struct lac_err *err)
{
	struct stat st;

	if (given.debug_dir &&
	    (stat(given.debug_dir, &st) || !S_ISDIR(st.st_mode)))
		return lac_fail(err, LAC_NOT_FOUND,
				"--debug-dir %s: there is no such directory",
				given.debug_dir);
	if (given.base && access(given.base, R_OK))
		return lac_fail_os(err, "--base %s", given.base);
	return LAC_OK;
}

/* Relative places are none, as the base directory specification has it. */
static const char *cache_dir(void)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int n = -1;

	if (xdg && *xdg == '/')
		n = snprintf(cache.dir, sizeof(cache.dir), "%s/lacuna", xdg);
	else if (home && *home == '/')
		n = snprintf(cache.dir, sizeof(cache.dir), "%s/.cache/lacuna",
			     home);
	return n > 0 && (size_t)n < sizeof(cache.dir) ? cache.dir : NULL;
}

/* Unset or empty, it stays as it is; 0 is a size as well here. */
static enum lac_status cache_size(const char *name, const char *text,
				  uint64_t *ret, struct lac_err *err)
{
	if (!text || !*text)
		return LAC_OK;
	if (text[strspn(text, "0")])
		return lac_size_parse(name, text, ret, err);
	*ret = 0;
	return LAC_OK;
}

#define LARGE ((off_t)32 << 20) /* bytes of a file: a kernel is, or more */

static void will_read(const char *path)
{
	struct stat file;

	lac_heap_widen(lac_threads_count(threads_given) > 1 &&
		       stat(path, &file) == 0 && file.st_size >= LARGE);
}

enum lac_status lac_load_options(enum lac_format format,
				 struct lac_graph_options *ret,
				 struct lac_err *err)
{
	struct lac_graph_options o = {
		.format = format,
		.partial = given.partial,
		.no_cache = given.no_cache,
		.cache_dir = cache_dir(),
		.cache_only_read = true, /* in the sandbox */
		.cache_damaged = &cache.damaged,
		.debug_dir = given.debug_dir,
		.base_path = given.base,
		.find_id = lac_debuginfod_find,
		.leave = !LAC_SANITIZED && !many_files,
		.will_read = will_read,
	};
	uint64_t threads = 0; /* as many as processors */
	uint64_t min = LAC_STORE_MIN_BYTES, max = LAC_STORE_MAX_BYTES;

	LAC_TRY(cache_size("LACUNA_CACHE_MIN", getenv("LACUNA_CACHE_MIN"),
			   &min, err));
	LAC_TRY(cache_size("LACUNA_CACHE_MAX", getenv("LACUNA_CACHE_MAX"),
			   &max, err));
	o.cache_min_bytes = min ? min : 1;
	o.cache_max_bytes = max;
	o.no_cache |= !max; /* no room: nothing is kept, nor is there any */
	LAC_TRY(lac_number_parse("--threads", given.threads, 1, 1024, &threads,
				 err));
	o.threads = threads_given = (unsigned)threads;
	*ret = o;
	return LAC_OK;
}

void lac_load_many(void)
{
	many_files = true;
}

unsigned lac_load_threads(void)
{
	return threads_given;
}

bool lac_load_damaged(void)
{
	return cache.damaged;
}

enum lac_status lac_load_format(const char *path, const char *const *only,
				enum lac_format format, struct lac_graph **ret,
				struct lac_err *err)
{
	struct lac_graph_options o;

	LAC_TRY(lac_load_options(format, &o, err));
	o.only = only;
	LAC_TRY(check_places(err));
	return lac_graph_read(path, &o, ret, err);
}

enum lac_status lac_load_some(const char *path, const char *const *some,
			      struct lac_graph **ret, struct lac_err *err)
{
	struct lac_graph_options o;
	enum lac_format format;

	LAC_TRY(lac_load_asked(&format, err));
	LAC_TRY(lac_load_options(format, &o, err));
	o.only = some;
	o.may_lack = true;
	LAC_TRY(check_places(err));
	return lac_graph_read(path, &o, ret, err);
}

enum lac_status lac_load(const char *path, const char *const *only,
			 struct lac_graph **ret, struct lac_err *err)
{
	enum lac_format format;

	LAC_TRY(lac_load_asked(&format, err));
	return lac_load_format(path, only, format, ret, err);
}

struct reading {
	const char *path;
	struct lac_graph_options o;
	struct lac_graph *graph;
	enum lac_status st;
	struct lac_err err;
};

static void read_one(void *item)
{
	struct reading *r = item;

	r->st = lac_graph_read(r->path, &r->o, &r->graph, &r->err);
}

/* Half of the processors each; a reader's own threads share less than that. */
static void read_both(struct reading r[2], unsigned threads)
{
	unsigned n = lac_threads_count(threads);

	r[0].o.threads = n > 2 ? (n + 1) / 2 : 1;
	r[1].o.threads = n > 2 ? n / 2 : 1;
	lac_threads_run(r, n > 1 ? 2 : 1, sizeof(*r), read_one);
	if (n == 1 && r[0].st == LAC_OK)
		read_one(&r[1]);
}

enum lac_status lac_load_pair(const char *old_path, const char *new_path,
			      struct lac_graph **old_graph,
			      struct lac_graph **new_graph,
			      struct lac_err *err)
{
	struct reading r[2] = {{.path = old_path}, {.path = new_path}};
	struct lac_graph_options o;
	enum lac_format format;

	LAC_TRY(lac_load_asked(&format, err));
	LAC_TRY(lac_load_options(format, &o, err));
	LAC_TRY(check_places(err));
	r[0].o = r[1].o = o;
	read_both(r, o.threads);
	for (int i = 0; i < 2; i++)
		if (r[i].st != LAC_OK) {
			*err = r[i].err;
			lac_graph_destroy(r[0].graph);
			lac_graph_destroy(r[1].graph);
			return r[i].st;
		}
	*old_graph = r[0].graph;
	*new_graph = r[1].graph;
	return LAC_OK;
}

void lac_load_incomplete(struct lac_doc *d, const struct lac_graph *g)
{
	if (g->missing)
		lac_doc_paragraph(d, "Incomplete: %s", g->missing);
}

enum lac_status lac_line_size_check(const char *asked, uint32_t *ret,
				    struct lac_err *err)
{
	uint64_t bytes = 0;

	LAC_TRY(lac_number_power("--line-size", asked, 8, LAC_LINE_SIZE_MAX,
				 &bytes, err));
	*ret = (uint32_t)bytes;
	return LAC_OK;
}

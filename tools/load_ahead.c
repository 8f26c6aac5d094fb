/* SPDX-License-Identifier: BSD-2-Clause */
/* load_ahead.c - keep what a file holds, for this run and those to come. */
#include <stdlib.h>
#include <unistd.h>

#include "child.h"
#include "dbginfo/store.h"
#include "load.h"
#include "output.h"

struct work {
	const char *path;
	struct lac_graph_options o;
	struct lac_store_key key;
	int fd;
	int others; /* another reader's entry, which is none of its own; or -1 */
};

/* In the sandbox, with nothing to write to but the entry of this file. */
static enum lac_status read_and_write(void *context, struct lac_outcome *o)
{
	LAC_CLEANUP_GRAPH struct lac_graph *g = NULL;
	const struct work *w = context;

	if (w->others >= 0)
		close(w->others);
	LAC_TRY(lac_graph_read(w->path, &w->o, &g, &o->err));
	return lac_store_write(g, &w->key, w->fd, &o->err);
}

static bool is_kept(const struct work *w)
{
	struct lac_err ignored;
	bool whole;
	int fd;

	if (lac_store_open(w->o.cache_dir, &w->key, &fd, &ignored) != LAC_OK)
		return false;
	whole = lac_store_probe(fd, &w->key, &ignored) == LAC_OK;
	if (whole)
		lac_store_touch(fd);
	close(fd);
	return whole;
}

static bool unchanged(const struct work *w)
{
	struct lac_store_key now;
	struct lac_err ignored;

	return lac_store_key(w->path, &w->o, &now, &ignored) == LAC_OK &&
	       lac_store_same(&now, &w->key);
}

/* A reader at work, and what it writes to. */
struct reader {
	struct work w;
	struct lac_child c;
	struct lac_store_entry e;
};

static bool start(struct reader *r, int private_fd)
{
	struct work *w = &r->w;
	struct lac_err ignored;

	if (lac_store_create(w->o.cache_dir, &w->key, w->o.cache_max_bytes,
			     &r->e, &ignored) != LAC_OK)
		return false;
	lac_output_watch(&r->e.file);
	w->fd = r->e.file.fd;
	w->o.no_cache = true; /* the child reads */
	r->c = (struct lac_child){
		.work = read_and_write,
		.context = w,
		.private_fd = private_fd,
		.files = &w->path,
		.nfiles = 1,
	};
	if (lac_child_start(&r->c, &ignored) == LAC_OK)
		return true;
	lac_output_forget(&r->e.file);
	lac_store_abandon(&r->e);
	return false;
}

static void finish(struct reader *r)
{
	struct lac_newfile made = r->e.file;
	struct lac_err ignored;

	if (lac_child_wait(&r->c, &ignored) != LAC_OK || !unchanged(&r->w) ||
	    lac_store_commit(&r->e, &ignored) != LAC_OK)
		lac_store_abandon(&r->e);
	lac_output_forget(&made);
}

/*
 * All of them, two at a time: each has then half of the processors, as reading
 * two files at once takes less than one after the other.
 */
static void keep(struct reader *r, size_t n, int private_fd)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	for (size_t i = 0; i < n; i += 2) {
		bool two = i + 1 < n, first, second;

		for (size_t k = i; two && k < i + 2; k++)
			if (!r[k].w.o.threads)
				r[k].w.o.threads =
					processors > 2
						? (unsigned)processors / 2
						: 1;
		first = start(&r[i], private_fd);
		if (two && first)
			r[i + 1].w.others = r[i].e.file.fd;
		second = two && start(&r[i + 1], private_fd);
		if (first)
			finish(&r[i]);
		if (second)
			finish(&r[i + 1]);
	}
}

/* What is common to both: whether anything is kept at all, and how. */
static bool keeps(const struct lac_cmd *cmd, struct lac_graph_options *o)
{
	struct lac_err ignored;
	enum lac_format format;

	return cmd->files && lac_load_asked(&format, &ignored) == LAC_OK &&
	       lac_load_options(format, o, &ignored) == LAC_OK &&
	       o->cache_dir && !o->no_cache;
}

void lac_load_ahead(const struct lac_cmd *cmd, const struct lac_run *r,
		    int private_fd)
{
	struct lac_graph_options o;
	struct lac_err ignored;
	struct reader *readers;
	size_t n = 0;

	if (!keeps(cmd, &o) || !r->nargs)
		return;
	readers = calloc(r->nargs, sizeof(*readers));
	for (size_t i = 0; readers && i < r->nargs && i < cmd->files; i++) {
		struct work *w = &readers[n].w;

		*w = (struct work){
			.path = r->args[i],
			.o = o,
			.others = -1,
		};
		n += lac_store_key(w->path, &o, &w->key, &ignored) == LAC_OK &&
		     !lac_store_too_new(&w->key) && !is_kept(w);
	}
	keep(readers, n, private_fd);
	free(readers);
}

void lac_load_settle(const struct lac_cmd *cmd, const struct lac_run *r,
		     bool damaged)
{
	struct lac_graph_options o;
	struct lac_store_key key;
	struct lac_err ignored;

	if (!damaged || !keeps(cmd, &o))
		return;
	for (size_t i = 0; i < r->nargs && i < cmd->files; i++)
		if (lac_store_key(r->args[i], &o, &key, &ignored) == LAC_OK)
			lac_store_remove(o.cache_dir, &key);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* load_ahead.c - keep what a file holds, for this run and those to come. */
#include <unistd.h>

#include "child.h"
#include "dbginfo/store.h"
#include "load.h"

struct work {
	const char *path;
	struct lac_graph_options o;
	struct lac_store_key key;
	int fd;
};

/* In the sandbox, with nothing to write to but the entry of this file. */
static enum lac_status read_and_write(void *context, struct lac_outcome *o)
{
	LAC_CLEANUP_GRAPH struct lac_graph *g = NULL;
	const struct work *w = context;

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

static void keep(struct work *w, int private_fd)
{
	struct lac_child c = {
		.work = read_and_write,
		.context = w,
		.private_fd = private_fd,
		.files = &w->path,
		.nfiles = 1,
	};
	struct lac_store_entry e;
	struct lac_err ignored;

	if (lac_store_create(w->o.cache_dir, &w->key, w->o.cache_max_bytes, &e,
			     &ignored) != LAC_OK)
		return;
	w->fd = e.fd;
	w->o.no_cache = true; /* the child reads */
	if (lac_child_run(&c, &ignored) != LAC_OK || !unchanged(w) ||
	    lac_store_commit(&e, &ignored) != LAC_OK)
		lac_store_abandon(&e);
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

	if (!keeps(cmd, &o))
		return;
	for (size_t i = 0; i < r->nargs && i < cmd->files; i++) {
		struct work w = { .path = r->args[i], .o = o };

		if (lac_store_key(w.path, &o, &w.key, &ignored) == LAC_OK &&
		    !lac_store_too_new(&w.key) && !is_kept(&w))
			keep(&w, private_fd);
	}
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

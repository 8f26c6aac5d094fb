/* SPDX-License-Identifier: BSD-2-Clause */
#include "frame.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "child.h"
#include "dbginfo/graph.h"
#include "load.h"

#define RENDER_BUFFER ((size_t)64 * 1024) /* bytes a system call */

static enum lac_status render(const struct lac_doc *doc,
			      const struct lac_globals *g, int fd,
			      struct lac_err *err)
{
	struct lac_render_options o = g->render;
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	FILE *out = own < 0 ? NULL : fdopen(own, "w");
	char *buffer = malloc(RENDER_BUFFER); /* NULL: a small one */
	enum lac_status st;
	bool bad;

	if (!out) {
		st = lac_fail_os(err, "result");
		if (own >= 0)
			close(own);
		free(buffer);
		return st;
	}
	/* the C library has its own idea of the size of one that it makes */
	if (buffer)
		setvbuf(out, buffer, _IOFBF, RENDER_BUFFER);
	o.threads = lac_load_threads();
	st = g->format->render(doc, &o, out, err);
	bad = ferror(out) != 0;
	/* what a renderer makes of a failed write is not why it failed */
	if ((fclose(out) || bad) && (bad || st == LAC_OK))
		st = errno == EFBIG
			     ? lac_fail_os(err, "result: over the limit on "
						"the size of files; raise it "
						"(ulimit -f)")
			     : lac_fail_os(err, "result: not rendered");
	free(buffer);
	return st;
}

static enum lac_status run_and_render(const struct lac_cmd *cmd,
				      struct lac_run *r,
				      const struct lac_globals *g, int fd,
				      struct lac_err *err)
{
	enum lac_status st = lac_doc_create(cmd->name, &r->doc, err);

	if (st != LAC_OK)
		return st;
	r->doc->views_only = !g->format->data;
	r->verdict = LAC_EXIT_OK;
	st = cmd->run(r, err);
	if (st == LAC_OK)
		st = lac_doc_finish(r->doc, err);
	if (st == LAC_OK)
		st = render(r->doc, g, fd, err);
	lac_doc_destroy(r->doc);
	r->doc = NULL;
	lac_graph_destroy(r->graph);
	r->graph = NULL;
	return st;
}

struct work {
	const struct lac_cmd *cmd;
	struct lac_run *r;
	const struct lac_globals *g;
	int fd;
};

static enum lac_status in_child(void *context, struct lac_outcome *o)
{
	const struct work *w = context;
	enum lac_status st = run_and_render(w->cmd, w->r, w->g, w->fd, &o->err);

	o->verdict = w->r->verdict;
	o->damaged = lac_load_damaged();
	return st;
}

static enum lac_status run_in_child(const struct lac_cmd *cmd,
				    struct lac_run *r,
				    const struct lac_globals *g,
				    int private_fd, int fd,
				    struct lac_err *err)
{
	struct work w = { cmd, r, g, fd };
	struct lac_child c = {
		.work = in_child,
		.context = &w,
		.execs = cmd->execs,
		.private_fd = private_fd,
		.files = r->args,
		/* the arguments behind them are not files */
		.nfiles = cmd->files && cmd->files < r->nargs ? cmd->files
							      : r->nargs,
	};
	enum lac_status st;
	bool more;

	lac_load_ahead(cmd, r, private_fd);
	do {
		st = lac_child_start(&c, err);
		if (st == LAC_OK)
			st = lac_child_wait(&c, err);
		st = lac_debuginfod_fetch(&c.outcome.wanted, st, &more, err);
		/* again, with what servers had */
		if (more && (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET)))
			return lac_fail_os(err, "result");
	} while (more);
	lac_load_settle(cmd, r, c.outcome.damaged);
	if (st == LAC_OK)
		r->verdict = c.outcome.verdict == LAC_EXIT_OK ? LAC_EXIT_OK
							      : LAC_EXIT_FOUND;
	return st;
}

enum lac_status lac_frame_run(const struct lac_cmd *cmd, struct lac_run *r,
			      const struct lac_globals *g, int private_fd,
			      int *fd, struct lac_err *err)
{
	enum lac_status st;

	*fd = memfd_create("lacuna", MFD_CLOEXEC);
	if (*fd < 0)
		return lac_fail_os(err, "memory for the result");
	if (!cmd->untrusted && !(cmd->untrusted_args && r->nargs))
		return run_and_render(cmd, r, g, *fd, err);
	if (cmd->prepare)
		LAC_TRY(cmd->prepare(r, err));
	st = run_in_child(cmd, r, g, private_fd, *fd, err);
	if (st == LAC_OK && cmd->settle)
		st = cmd->settle(r, err);
	return st;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "frame.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output.h"
#include "sandbox.h"

/* What the child hands back, in memory that both see. */
struct outcome {
	bool done;
	enum lac_status status;
	enum lac_exit verdict;
	struct lac_err err;
};

static enum lac_status render(const struct lac_doc *doc,
			      const struct lac_globals *g, int fd,
			      struct lac_err *err)
{
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	FILE *out = own < 0 ? NULL : fdopen(own, "w");
	enum lac_status st;
	bool bad;

	if (!out) {
		st = lac_fail_os(err, "result");
		if (own >= 0)
			close(own);
		return st;
	}
	st = g->format->render(doc, &g->render, out, err);
	bad = ferror(out) != 0;
	if ((fclose(out) || bad) && st == LAC_OK)
		st = errno == EFBIG
			     ? lac_fail_os(err, "result: over the limit on "
						"the size of files; raise it "
						"(ulimit -f)")
			     : lac_fail_os(err, "result: not rendered");
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
	r->verdict = LAC_EXIT_OK;
	st = cmd->run(r, err);
	if (st == LAC_OK)
		st = lac_doc_finish(r->doc, err);
	if (st == LAC_OK)
		st = render(r->doc, g, fd, err);
	lac_doc_destroy(r->doc);
	r->doc = NULL;
	return st;
}

static void be_child(const struct lac_cmd *cmd, struct lac_run *r,
		     const struct lac_globals *g, pid_t parent, int fd,
		     struct outcome *o)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(LAC_EXIT_FAILED);
	o->status = lac_sandbox_enter(cmd->execs, &o->err);
	if (o->status == LAC_OK)
		o->status = run_and_render(cmd, r, g, fd, &o->err);
	o->verdict = r->verdict;
	o->done = true;
	/* exit() and not _exit(): the leak checker works at exit */
	exit(LAC_EXIT_OK);
}

/* The kernel kills what is over the hard limit on CPU time, without a word. */
static bool cpu_time_is_up(int sig, const struct rusage *use)
{
	struct rlimit r;

	if (sig == SIGXCPU)
		return true;
	return sig == SIGKILL && !getrlimit(RLIMIT_CPU, &r) &&
	       r.rlim_cur != RLIM_INFINITY &&
	       (rlim_t)(use->ru_utime.tv_sec + use->ru_stime.tv_sec) + 1 >=
		       r.rlim_cur;
}

static enum lac_status explain_death(const struct lac_run *r, int how,
				     const struct rusage *use,
				     struct lac_err *err)
{
	const char *files = r->nargs ? r->args[0] : "input";
	const char *other = r->nargs > 1 ? ", " : "";
	const char *second = r->nargs > 1 ? r->args[1] : "";
	int sig = WIFSIGNALED(how) ? WTERMSIG(how) : 0;
	const char *name = sig ? sigabbrev_np(sig) : NULL;

	if (cpu_time_is_up(sig, use))
		return lac_fail(err, LAC_UNSUPPORTED,
				"%s%s%s: not done within the limit on CPU "
				"time; raise it (ulimit -t)",
				files, other, second);
	if (sig == SIGKILL)
		return lac_fail(err, LAC_NO_MEMORY,
				"%s%s%s: the parser was killed, most likely "
				"for want of memory",
				files, other, second);
	if (sig)
		return lac_fail(err, LAC_BAD_INPUT,
				"%s%s%s: the parser died (SIG%s); the file is "
				"malformed, or this is a defect of lacuna or "
				"of a library that it reads with",
				files, other, second, name ? name : "?");
	return lac_fail(err, LAC_BAD_INPUT,
			"%s%s%s: the parser gave up (exit status %d)", files,
			other, second, WEXITSTATUS(how));
}

static enum lac_status await_child(pid_t pid, struct outcome *o,
				   struct lac_run *r, struct lac_err *err)
{
	struct rusage use;
	int how;

	while (wait4(pid, &how, 0, &use) < 0)
		if (errno != EINTR)
			return lac_fail_os(err, "waiting for the parser");
	lac_output_set_child(0);
	if (!WIFEXITED(how) || WEXITSTATUS(how) || !o->done)
		return explain_death(r, how, &use, err);
	/* the child may have been taken over: believe only what has a meaning */
	if (o->status != LAC_OK) {
		o->err.msg[sizeof(o->err.msg) - 1] = '\0';
		*err = o->err;
		return o->status < LAC_OK || o->status > LAC_INTERRUPTED
			       ? LAC_BAD_INPUT
			       : o->status;
	}
	r->verdict = o->verdict == LAC_EXIT_OK ? LAC_EXIT_OK : LAC_EXIT_FOUND;
	return LAC_OK;
}

static enum lac_status run_in_child(const struct lac_cmd *cmd,
				    struct lac_run *r,
				    const struct lac_globals *g,
				    int private_fd, int fd,
				    struct lac_err *err)
{
	struct outcome *o = mmap(NULL, sizeof(*o), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	enum lac_status st;
	pid_t parent = getpid(), pid;

	if (o == MAP_FAILED)
		return lac_fail_os(err, "shared memory");
	fflush(NULL);
	pid = fork();
	if (!pid) {
		if (private_fd > STDERR_FILENO)
			close(private_fd);
		be_child(cmd, r, g, parent, fd, o);
	}
	if (pid < 0) {
		st = lac_fail_os(err, "starting the parser");
	} else {
		lac_output_set_child(pid);
		st = await_child(pid, o, r, err);
	}
	munmap(o, sizeof(*o));
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

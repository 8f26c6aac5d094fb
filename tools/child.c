/* SPDX-License-Identifier: BSD-2-Clause */
#include "child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output.h"
#include "quit.h"
#include "sandbox.h"

static void be_child(const struct lac_child *c, pid_t parent,
		     struct lac_outcome *o)
{
	lac_output_off_signals();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(LAC_EXIT_FAILED);
	if (c->private_fd > STDERR_FILENO)
		close(c->private_fd);
	lac_debuginfod_note_into(&o->wanted);
	o->status = lac_sandbox_enter(c->execs, &o->err);
	if (o->status == LAC_OK)
		o->status = c->work(c->context, o);
	o->done = true;
	lac_quit(LAC_EXIT_OK);
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

static enum lac_status explain_death(const struct lac_child *c, int how,
				     const struct rusage *use,
				     struct lac_err *err)
{
	const char *files = c->nfiles ? c->files[0] : "input";
	const char *other = c->nfiles > 1 ? ", " : "";
	const char *second = c->nfiles > 1 ? c->files[1] : "";
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

enum lac_status lac_child_start(struct lac_child *c, struct lac_err *err)
{
	pid_t parent = getpid();

	memset(&c->outcome, 0, sizeof(c->outcome));
	c->shared = mmap(NULL, sizeof(*c->shared), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (c->shared == MAP_FAILED)
		return lac_fail_os(err, "shared memory");
	fflush(NULL);
	c->pid = fork();
	if (!c->pid)
		be_child(c, parent, c->shared);
	if (c->pid < 0) {
		munmap(c->shared, sizeof(*c->shared));
		return lac_fail_os(err, "starting the parser");
	}
	return LAC_OK;
}

static enum lac_status await(struct lac_child *c, struct lac_err *err)
{
	struct lac_outcome *o = c->shared;
	struct rusage use;
	int how;

	lac_output_set_child(c->pid);
	while (wait4(c->pid, &how, 0, &use) < 0)
		if (errno != EINTR)
			return lac_fail_os(err, "waiting for the parser");
	lac_output_set_child(0);
	if (!WIFEXITED(how) || WEXITSTATUS(how) || !o->done)
		return explain_death(c, how, &use, err);
	c->outcome = *o;
	if (o->status == LAC_OK)
		return LAC_OK;
	/* the child may have been taken over: believe only what has a meaning */
	o->err.msg[sizeof(o->err.msg) - 1] = '\0';
	*err = o->err;
	return o->status < LAC_OK || o->status > LAC_INTERRUPTED
		       ? LAC_BAD_INPUT
		       : o->status;
}

enum lac_status lac_child_wait(struct lac_child *c, struct lac_err *err)
{
	enum lac_status st = await(c, err);

	munmap(c->shared, sizeof(*c->shared));
	return st;
}

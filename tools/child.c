/* SPDX-License-Identifier: BSD-2-Clause */
#include "child.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
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

/* "a.o, b.o" */
static const char *files_of(const struct lac_child *c, char (*buf)[512])
{
	if (!c->nfiles)
		return "input";
	snprintf(*buf, sizeof(*buf), "%s%s%s", c->files[0],
		 c->nfiles > 1 ? ", " : "", c->nfiles > 1 ? c->files[1] : "");
	return *buf;
}

static void look_at_files(struct lac_child *c)
{
	for (size_t i = 0; i < LAC_CHILD_FILES; i++)
		if (i >= c->nfiles || stat(c->files[i], &c->seen[i]))
			c->seen[i].st_nlink = 0;
}

/* Written to since the child began; a new file of the name is not read. */
static const char *changed_file(const struct lac_child *c)
{
	for (size_t i = 0; i < LAC_CHILD_FILES && i < c->nfiles; i++) {
		const struct stat *was = &c->seen[i];
		struct stat is;

		if (was->st_nlink && !stat(c->files[i], &is) &&
		    is.st_dev == was->st_dev && is.st_ino == was->st_ino &&
		    (is.st_size != was->st_size ||
		     is.st_mtim.tv_sec != was->st_mtim.tv_sec ||
		     is.st_mtim.tv_nsec != was->st_mtim.tv_nsec))
			return c->files[i];
	}
	return NULL;
}

#define STACK_MIN (1024u * 1024) /* the readers take less than half of it */

static enum lac_status explain_signal(const char *files, int sig,
				      struct lac_err *err)
{
	const char *name = sigabbrev_np(sig);
	struct rlimit r;

	if (sig == SIGSEGV && !getrlimit(RLIMIT_STACK, &r) &&
	    r.rlim_cur < STACK_MIN)
		return lac_fail(err, LAC_UNSUPPORTED,
				"%s: the parser died (SIGSEGV) with a stack of "
				"%ju KiB; raise the limit (ulimit -s 8192)",
				files, (uintmax_t)r.rlim_cur / 1024);
	if (sig == SIGBUS)
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: the parser died (SIGBUS): a file that it "
				"reads became shorter, or cannot be read to "
				"its end",
				files);
	return lac_fail(err, LAC_BAD_INPUT,
			"%s: the parser died (SIG%s); the file is malformed, "
			"or this is a defect of lacuna or of a library that it "
			"reads with",
			files, name ? name : "?");
}

static enum lac_status explain_death(const struct lac_child *c, int how,
				     const struct rusage *use,
				     struct lac_err *err)
{
	char buf[512];
	const char *files = files_of(c, &buf), *changed;
	int sig = WIFSIGNALED(how) ? WTERMSIG(how) : 0;

	if (cpu_time_is_up(sig, use))
		return lac_fail(err, LAC_UNSUPPORTED,
				"%s: not done within the limit on CPU time; "
				"raise it (ulimit -t)",
				files);
	if (sig == SIGKILL)
		return lac_fail(err, LAC_NO_MEMORY,
				"%s: the parser was killed, most likely for "
				"want of memory",
				files);
	changed = changed_file(c);
	if (changed)
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: changed while it was read; read it when "
				"nothing writes to it",
				changed);
	if (sig)
		return explain_signal(files, sig, err);
	return lac_fail(err, LAC_BAD_INPUT,
			"%s: the parser gave up (exit status %d)", files,
			WEXITSTATUS(how));
}

/* What a child says that ran out of memory is not of which file, nor why. */
static enum lac_status explain_memory(const struct lac_child *c,
				      struct lac_err *err)
{
	char buf[512];
	const char *files = files_of(c, &buf);
	struct lac_memory_limit limit;
	struct lac_err ignored;

	if (lac_sandbox_memory(&limit, &ignored) != LAC_OK || !limit.bytes)
		return lac_err_context(err, LAC_NO_MEMORY, "%s", files);
	return lac_fail(err, LAC_NO_MEMORY,
			"%s: out of memory, with a limit of %ju MiB; raise it "
			"(%s)",
			files, (uintmax_t)(limit.bytes >> 20), limit.how);
}

/* The message of a child that ended by itself. */
static enum lac_status explain_failure(const struct lac_child *c,
				       enum lac_status st, struct lac_err *err)
{
	const char *changed = st == LAC_BAD_INPUT ? changed_file(c) : NULL;

	if (changed)
		return lac_err_context(err, st, "%s: changed while it was read",
				       changed);
	if (st == LAC_NO_MEMORY && !strcmp(err->msg, "out of memory"))
		return explain_memory(c, err);
	return st;
}

enum lac_status lac_child_start(struct lac_child *c, struct lac_err *err)
{
	pid_t parent = getpid();

	memset(&c->outcome, 0, sizeof(c->outcome));
	c->shared = mmap(NULL, sizeof(*c->shared), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (c->shared == MAP_FAILED)
		return lac_fail_os(err, "shared memory");
	look_at_files(c);
	fflush(NULL);
	c->pid = fork();
	if (!c->pid)
		be_child(c, parent, c->shared);
	if (c->pid < 0) {
		int why = errno;
		char buf[512];

		munmap(c->shared, sizeof(*c->shared));
		errno = why;
		return lac_fail_os(err, "%s: starting the parser%s",
				   files_of(c, &buf),
				   why == EAGAIN ? ": too many processes "
						   "(ulimit -u)"
						 : "");
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
	return explain_failure(c,
			       o->status < LAC_OK ||
					       o->status > LAC_INTERRUPTED
				       ? LAC_BAD_INPUT
				       : o->status,
			       err);
}

enum lac_status lac_child_wait(struct lac_child *c, struct lac_err *err)
{
	enum lac_status st = await(c, err);

	munmap(c->shared, sizeof(*c->shared));
	return st;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	OUTPUT_MAX = 64 << 20, /* bytes: far above any line of a program */
	ERROR_MAX = 512,
	PARALLEL_MAX = 64,
};

/* One that runs: its pipes and what has come through them. */
struct running {
	struct lac_process *p;
	pid_t pid;
	int out, err; /* -1 once closed by the other side */
	double start;
	char *buf;
	size_t size, cap;
	char message[ERROR_MAX];
	size_t message_size;
};

double lac_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void lac_process_arg(struct lac_process *p, const char *arg)
{
	size_t n = 0;

	while (p->argv[n])
		n++;
	assert(n + 1 < LAC_ARGS_MAX);
	p->argv[n] = arg;
}

void lac_process_free(struct lac_process *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(p[i].output);
		p[i].output = NULL;
		p[i].done = false;
	}
}

static const char *program_name(const struct lac_process *p)
{
	const char *slash = strrchr(p->argv[0], '/');

	return slash ? slash + 1 : p->argv[0];
}

/* In the child: never returns. */
static void become(const struct lac_process *p, int out, int errfd,
		   pid_t parent)
{
	sigset_t none;
	int null = open("/dev/null", O_RDONLY);

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || null < 0 || dup2(null, 0) < 0 ||
	    dup2(out, 1) < 0 || dup2(errfd, 2) < 0)
		_exit(127);
	execv(p->argv[0], (char *const *)(uintptr_t)p->argv);
	(void)!write(2, "cannot be run: ", 15);
	(void)!write(2, strerror(errno), strlen(strerror(errno)));
	_exit(127);
}

static enum lac_status start(struct running *r, struct lac_process *p,
			     struct lac_err *err)
{
	int out[2], errs[2];
	pid_t parent = getpid();

	if (access(p->argv[0], X_OK))
		return lac_fail(err, LAC_NOT_FOUND,
				"%s: cannot be run: %s; run `make`, or set "
				"LACUNA_LIBEXEC to the folder that has the "
				"fixture programs",
				p->argv[0], strerror(errno));
	if (pipe2(out, O_CLOEXEC))
		return lac_fail_os(err, "%s: pipe", program_name(p));
	if (pipe2(errs, O_CLOEXEC)) {
		close(out[0]);
		close(out[1]);
		return lac_fail_os(err, "%s: pipe", program_name(p));
	}
	*r = (struct running){ .p = p, .out = out[0], .err = errs[0],
			       .start = lac_seconds() };
	r->pid = fork();
	if (r->pid == 0)
		become(p, out[1], errs[1], parent);
	close(out[1]);
	close(errs[1]);
	if (r->pid < 0) {
		close(out[0]);
		close(errs[0]);
		return lac_fail_os(err, "%s: cannot be started",
				   program_name(p));
	}
	return LAC_OK;
}

static void drop(struct running *r)
{
	if (r->out >= 0)
		close(r->out);
	if (r->err >= 0)
		close(r->err);
	free(r->buf);
}

/* Killed for good, and waited for. */
static void end_by_force(struct running *r)
{
	kill(r->pid, SIGKILL);
	while (waitpid(r->pid, NULL, 0) < 0 && errno == EINTR)
		;
	drop(r);
}

static enum lac_status take_output(struct running *r, struct lac_err *err)
{
	ssize_t n;

	if (r->cap - r->size < 4096) {
		size_t cap = r->cap ? 2 * r->cap : 16384;
		char *more = cap > OUTPUT_MAX ? NULL : realloc(r->buf, cap);

		if (!more)
			return lac_fail(err, LAC_NO_MEMORY,
					"%s: printed more than %d MiB",
					program_name(r->p), OUTPUT_MAX >> 20);
		r->buf = more;
		r->cap = cap;
	}
	n = read(r->out, r->buf + r->size, r->cap - r->size - 1);
	if (n < 0 && errno == EINTR)
		return LAC_OK;
	if (n < 0)
		return lac_fail_os(err, "%s: reading", program_name(r->p));
	if (n == 0) {
		close(r->out);
		r->out = -1;
	}
	r->size += (size_t)n;
	return LAC_OK;
}

/* The beginning of what it complains about; the rest is read and dropped. */
static void take_message(struct running *r)
{
	char buf[ERROR_MAX];
	ssize_t n = read(r->err, buf, sizeof(buf));
	size_t room = sizeof(r->message) - 1 - r->message_size;

	if (n < 0 && errno == EINTR)
		return;
	if (n <= 0) {
		close(r->err);
		r->err = -1;
		return;
	}
	if ((size_t)n < room)
		room = (size_t)n;
	memcpy(r->message + r->message_size, buf, room);
	r->message_size += room;
}

static enum lac_status judge(struct running *r, int how, struct lac_err *err)
{
	const char *name = program_name(r->p);
	const char *said = r->message;
	const char *const own[] = { r->p->argv[0], name };

	while (r->message_size && r->message[r->message_size - 1] == '\n')
		r->message[--r->message_size] = '\0';
	/* it may begin with its own name, which is said here */
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		size_t n = strlen(own[i]);

		if (!strncmp(said, own[i], n) && said[n] == ':')
			said += n + 1 + (said[n + 1] == ' ');
	}
	if (WIFSIGNALED(how))
		return lac_fail(err, LAC_UNSUPPORTED, "%s: died of SIG%s", name,
				sigabbrev_np(WTERMSIG(how)) ?
					sigabbrev_np(WTERMSIG(how)) :
					"?");
	if (WEXITSTATUS(how) == 2)
		return lac_fail(err, LAC_USAGE, "%s: %s", name, said);
	if (WEXITSTATUS(how))
		return lac_fail(err, LAC_UNSUPPORTED, "%s: %s", name,
				*said ? said : "failed without a word");
	return LAC_OK;
}

/* It has closed both pipes: wait for its end, which is near. */
static enum lac_status finish(struct running *r, struct lac_err *err)
{
	enum lac_status st;
	int how;

	while (waitpid(r->pid, &how, 0) < 0)
		if (errno != EINTR) {
			drop(r);
			return lac_fail_os(err, "%s: waiting",
					   program_name(r->p));
		}
	st = judge(r, how, err);
	if (st == LAC_OK) {
		r->p->elapsed_s = lac_seconds() - r->start;
		r->p->output = r->buf;
		r->p->output_size = r->size;
		if (r->buf)
			r->buf[r->size] = '\0';
		else
			r->p->output = calloc(1, 1);
		if (!r->p->output)
			st = lac_fail_memory(err);
		r->p->done = st == LAC_OK;
		r->buf = NULL;
	}
	drop(r);
	return st;
}

/* One look at every pipe. */
static enum lac_status serve(struct running *rs, size_t n, struct lac_err *err)
{
	struct pollfd fds[2 * PARALLEL_MAX];

	for (size_t i = 0; i < n; i++) {
		fds[2 * i] = (struct pollfd){ rs[i].out, POLLIN, 0 };
		fds[2 * i + 1] = (struct pollfd){ rs[i].err, POLLIN, 0 };
	}
	/* wakes up for the flag and the time limit, too */
	if (poll(fds, (nfds_t)(2 * n), 100) < 0)
		return errno == EINTR ? LAC_OK : lac_fail_os(err, "poll");
	for (size_t i = 0; i < n; i++) {
		if (rs[i].out >= 0 && fds[2 * i].revents)
			LAC_TRY(take_output(&rs[i], err));
		if (rs[i].err >= 0 && fds[2 * i + 1].revents)
			take_message(&rs[i]);
	}
	return LAC_OK;
}

/* Those whose pipes are closed leave rs; *n and *ended follow. */
static enum lac_status reap(struct running *rs, size_t *n, size_t *ended,
			    const struct lac_process_options *o,
			    struct lac_err *err)
{
	for (size_t i = 0; i < *n;) {
		enum lac_status st;

		if (rs[i].out >= 0 || rs[i].err >= 0) {
			if (o->timeout_s > 0 &&
			    lac_seconds() - rs[i].start > o->timeout_s)
				return lac_fail(err, LAC_UNSUPPORTED,
						"%s: not done after %.0f s",
						program_name(rs[i].p),
						o->timeout_s);
			i++;
			continue;
		}
		st = finish(&rs[i], err);
		memmove(&rs[i], &rs[i + 1], (*n - i - 1) * sizeof(*rs));
		--*n;
		if (st != LAC_OK)
			return st;
		++*ended;
		if (o->ended)
			o->ended(o->context, *ended);
	}
	return LAC_OK;
}

enum lac_status lac_process_run(struct lac_process *p, size_t n,
				const struct lac_process_options *o,
				struct lac_err *err)
{
	size_t parallel = o->parallel ? o->parallel : 1;
	size_t nrunning = 0, nstarted = 0, ended = 0;
	struct running rs[PARALLEL_MAX];
	enum lac_status st = LAC_OK;

	if (parallel > PARALLEL_MAX)
		parallel = PARALLEL_MAX;
	while (st == LAC_OK && ended < n) {
		if (o->stop && *o->stop) {
			st = lac_fail(err, LAC_INTERRUPTED, "interrupted");
			break;
		}
		if (nstarted < n && nrunning < parallel) {
			st = start(&rs[nrunning], &p[nstarted], err);
			if (st == LAC_OK) {
				nrunning++;
				nstarted++;
			}
			continue;
		}
		st = serve(rs, nrunning, err);
		if (st == LAC_OK)
			st = reap(rs, &nrunning, &ended, o, err);
	}
	while (nrunning > 0)
		end_by_force(&rs[--nrunning]);
	/* A terminal's ^C reaches the programs as well, maybe before the flag. */
	if (st != LAC_OK && o->stop && *o->stop)
		st = lac_fail(err, LAC_INTERRUPTED, "interrupted");
	return st;
}

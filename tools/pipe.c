/* SPDX-License-Identifier: BSD-2-Clause */
#include "pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct child {
	const char *name;
	pid_t pid;
	int out, messages;
};

struct text {
	char *s;
	size_t n, cap;
};

static enum lac_status start(struct child *c, const char *const *argv,
			     struct lac_err *err)
{
	posix_spawn_file_actions_t actions;
	int out[2], messages[2], failed;

	if (pipe2(out, O_CLOEXEC))
		return lac_fail_os(err, "%s", argv[0]);
	if (pipe2(messages, O_CLOEXEC)) {
		close(out[0]);
		close(out[1]);
		return lac_fail_os(err, "%s", argv[0]);
	}
	failed = posix_spawn_file_actions_init(&actions);
	if (!failed) {
		posix_spawn_file_actions_addopen(&actions, 0, "/dev/null",
						 O_RDONLY, 0);
		posix_spawn_file_actions_adddup2(&actions, out[1], 1);
		posix_spawn_file_actions_adddup2(&actions, messages[1], 2);
		failed = posix_spawnp(&c->pid, argv[0], &actions, NULL,
				      (char *const *)(uintptr_t)argv, environ);
		posix_spawn_file_actions_destroy(&actions);
	}
	close(out[1]);
	close(messages[1]);
	if (!failed) {
		c->out = out[0];
		c->messages = messages[0];
		return LAC_OK;
	}
	close(out[0]);
	close(messages[0]);
	errno = failed;
	if (failed == ENOENT)
		return lac_fail(err, LAC_NOT_FOUND, "%s is not installed",
				argv[0]);
	return lac_fail_os(err, "%s", argv[0]);
}

/* Append what is there; *end at the end of it. */
static enum lac_status take(int fd, struct text *t, size_t limit,
			    const char *name, bool *end, struct lac_err *err)
{
	ssize_t n;

	if (t->cap - t->n < 65536) {
		size_t cap = t->cap ? t->cap * 2 : 1u << 20;
		char *s = realloc(t->s, cap + 1);

		if (!s)
			return lac_fail_memory(err);
		t->s = s;
		t->cap = cap;
	}
	n = read(fd, t->s + t->n, t->cap - t->n);
	if (n < 0 && errno == EINTR)
		return LAC_OK;
	if (n < 0)
		return lac_fail_os(err, "%s: reading what it prints", name);
	*end = n == 0;
	t->n += (size_t)n;
	t->s[t->n] = '\0';
	if (t->n > limit)
		return lac_fail(err, LAC_OS, "%s prints more than %zu bytes",
				name, limit);
	return LAC_OK;
}

static enum lac_status listen(const struct child *c, struct text *out,
			      struct text *messages, size_t limit,
			      int patience_s, struct lac_err *err)
{
	struct pollfd fds[2] = {
		{ .fd = c->out, .events = POLLIN },
		{ .fd = c->messages, .events = POLLIN },
	};

	while (fds[0].fd >= 0 || fds[1].fd >= 0) {
		int n = poll(fds, 2, patience_s * 1000);
		bool end = false;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return lac_fail_os(err, "%s", c->name);
		if (n == 0)
			return lac_fail(err, LAC_OS,
					"%s said nothing for %d seconds and "
					"was ended",
					c->name, patience_s);
		for (int i = 0; i < 2; i++) {
			if (!fds[i].revents)
				continue;
			LAC_TRY(take(fds[i].fd, i ? messages : out, limit,
				     c->name, &end, err));
			if (end)
				fds[i].fd = -1;
			break;
		}
	}
	return LAC_OK;
}

/* The last line of it, for a message. */
static const char *last_line(struct text *t)
{
	char *line;

	while (t->n && t->s[t->n - 1] == '\n')
		t->s[--t->n] = '\0';
	if (!t->n)
		return "no message";
	line = strrchr(t->s, '\n');
	return line ? line + 1 : t->s;
}

enum lac_status lac_pipe_read(const char *const *argv, size_t limit,
			      int patience_s, char **ret, struct lac_err *err)
{
	struct child c = { .name = argv[0] };
	struct text out = { 0 }, messages = { 0 };
	enum lac_status st;
	int how = 0;

	LAC_TRY(start(&c, argv, err));
	st = listen(&c, &out, &messages, limit, patience_s, err);
	if (st != LAC_OK)
		kill(c.pid, SIGKILL);
	close(c.out);
	close(c.messages);
	while (waitpid(c.pid, &how, 0) < 0 && errno == EINTR)
		;
	if (st == LAC_OK && (!WIFEXITED(how) || WEXITSTATUS(how)))
		st = lac_fail(err, LAC_BAD_INPUT, "%s ended with status %d: %s",
			      c.name,
			      WIFEXITED(how) ? WEXITSTATUS(how)
					     : 128 + WTERMSIG(how),
			      last_line(&messages));
	if (st == LAC_OK) {
		*ret = out.s;
		out.s = NULL;
	}
	free(out.s);
	free(messages.s);
	return st;
}

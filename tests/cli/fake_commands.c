/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fake_commands.c - commands that do the frame every wrong a command can, for
 * the program build/tests/fake: lacuna without lacuna's commands.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands.h"
#include "fake_demo.h"

static int rows = 1;
static char *word;

static const struct poptOption say_options[] = {
	{ "rows", 'r', POPT_ARG_INT, &rows, 0, "rows of the table", "N" },
	{ "word", 'w', POPT_ARG_STRING, &word, 0, "what to say in each", "TEXT" },
	POPT_TABLEEND
};

static const struct lac_column columns[] = {
	{ .key = "word", .title = "word" },
	{ .key = "row", .title = "row", .unit = LAC_UNIT_COUNT },
};

static enum lac_status say(struct lac_run *r, struct lac_err *err)
{
	json_t *list = json_array();

	(void)err;
	for (int i = 0; i < rows; i++)
		lac_doc_append(r->doc, list,
			       json_pack("{s:s, s:i}", "word",
					 word ? word : "hello", "row", i));
	lac_doc_set(r->doc, r->doc->data, "rows", list);
	lac_doc_table(r->doc, "rows", NULL, columns, 2, list);
	return LAC_OK;
}

static enum lac_status found(struct lac_run *r, struct lac_err *err)
{
	r->verdict = LAC_EXIT_FOUND;
	return say(r, err);
}

static enum lac_status fail(struct lac_run *r, struct lac_err *err)
{
	LAC_TRY(say(r, err));
	return lac_fail(err, LAC_BAD_INPUT, "%s: \033[31mmalformed\n",
			r->args[0]);
}

static void *thread(void *arg)
{
	*(int *)arg = 1;
	return NULL;
}

static enum lac_status allowed(bool ok, const char *what, struct lac_err *err)
{
	return ok ? LAC_OK : lac_fail_os(err, "%s", what);
}

/* Says that it reads a file, and waits until that is another size. */
static enum lac_status await_change(const char *file, struct lac_err *err)
{
	struct stat was, is;
	int tries = 60 * 1000;

	if (stat(file, &was))
		return lac_fail_os(err, "%s", file);
	fputs("reading\n", stderr);
	do {
		usleep(1000);
		if (stat(file, &is))
			return lac_fail_os(err, "%s", file);
	} while (is.st_size == was.st_size && tries--);
	return lac_fail(err, LAC_BAD_INPUT, "%s: malformed", file);
}

/* Reads what was the file's once it is not any more. */
static enum lac_status read_shrunk(const char *file, struct lac_err *err)
{
	int fd = open(file, O_RDONLY);
	volatile char *map = mmap(NULL, 1 << 16, PROT_READ, MAP_PRIVATE, fd, 0);

	if (map == MAP_FAILED)
		return lac_fail_os(err, "%s", file);
	(void)await_change(file, err);
	return lac_fail(err, LAC_OS, "%c?", map[(1 << 16) - 1]);
}

static int deep(const char *text, int n)
{
	volatile char room[64] = { text[0] };

	return n ? deep(text, n - 1) + room[n % 64] : 1;
}

static enum lac_status probe(struct lac_run *r, struct lac_err *err)
{
	const char *what = r->args[0], *file = r->nargs > 1 ? r->args[1] : "";
	int fd, status, ran = 0;
	pthread_t t;

	LAC_TRY(say(r, err));
	if (!strcmp(what, "segv"))
		raise(SIGSEGV);
	if (!strcmp(what, "abort"))
		abort();
	if (!strcmp(what, "killed"))
		raise(SIGKILL);
	if (!strcmp(what, "exit"))
		_exit(0);
	if (!strcmp(what, "hang"))
		for (;;)
			pause();
	if (!strcmp(what, "read")) {
		fd = open(file, O_RDONLY);
		return allowed(fd >= 0, file, err);
	}
	if (!strcmp(what, "write")) {
		fd = open(file, O_WRONLY | O_CREAT, 0666);
		return allowed(fd >= 0, file, err);
	}
	if (!strcmp(what, "unlink"))
		return allowed(!unlink(file), file, err);
	if (!strcmp(what, "network")) {
		fd = socket(AF_INET, SOCK_STREAM, 0);
		return allowed(fd >= 0, "socket", err);
	}
	if (!strcmp(what, "time")) {
		struct rlimit limit;

		status = getrlimit(RLIMIT_CPU, &limit);
		lac_doc_paragraph(r->doc, "CPU seconds: %llu",
				  (unsigned long long)limit.rlim_cur);
		return allowed(!status, "limit", err);
	}
	if (!strcmp(what, "memory")) {
		size_t gib = (size_t)1 << 30;

		for (int i = 0; i < 64; i++)
			if (mmap(NULL, gib, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
				 -1, 0) == MAP_FAILED)
				return lac_fail_memory(err);
		return LAC_OK;
	}
	if (!strcmp(what, "shrunk"))
		return read_shrunk(file, err);
	if (!strcmp(what, "deep"))
		return allowed(deep(file, 1 << 20) != 0, "stack", err);
	if (!strcmp(what, "malformed"))
		return await_change(file, err);
	if (!strcmp(what, "thread")) {
		errno = pthread_create(&t, NULL, thread, &ran);
		if (errno)
			return lac_fail_os(err, "thread");
		pthread_join(t, NULL);
		return allowed(ran, "thread", err);
	}
	if (!strcmp(what, "exec")) {
		status = system("exit 7");
		return status == -1 || WEXITSTATUS(status) != 7
			       ? lac_fail(err, LAC_OS, "exec: not permitted")
			       : LAC_OK;
	}
	return lac_fail(err, LAC_USAGE, "%s?", what);
}

static const struct lac_cmd cmd_say = {
	.name = "say", .args = "", .summary = "say something in a table",
	.options = say_options, .run = say,
	.help = "Says it once, or as often as you like.",
};
static const struct lac_cmd cmd_found = {
	.name = "found", .args = "", .summary = "find something",
	.run = found,
};
static const struct lac_cmd cmd_fail = {
	.name = "fail", .args = "FILE", .summary = "fail over a file",
	.min_args = 1, .max_args = 1, .run = fail,
};
static const struct lac_cmd cmd_trust = {
	.name = "trust", .args = "WHAT [FILE]", .summary = "probe, outside",
	.min_args = 1, .max_args = 2, .run = probe,
};
static const struct lac_cmd cmd_probe = {
	.name = "probe", .args = "WHAT [FILE]", .summary = "probe the sandbox",
	.min_args = 1, .max_args = 2, .run = probe, .untrusted = true,
};
static const struct lac_cmd cmd_start = {
	.name = "start", .args = "WHAT [FILE]", .summary = "probe, with execs",
	.min_args = 1, .max_args = 2, .run = probe, .untrusted = true,
	.execs = true,
};

static const struct lac_cmd cmd_demo = {
	.name = "demo", .args = "", .summary = "every kind of view",
	.run = fake_demo, .untrusted = true,
};
static const struct lac_cmd cmd_random = {
	.name = "random", .args = "SEED", .summary = "a random document",
	.min_args = 1, .max_args = 1, .run = fake_random,
	.untrusted = true,
};

const struct lac_cmd *const lac_cmds[] = {
	&cmd_say, &cmd_found, &cmd_fail, &cmd_trust, &cmd_probe, &cmd_start,
	&cmd_demo, &cmd_random,
	NULL,
};

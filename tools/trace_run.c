/* SPDX-License-Identifier: BSD-2-Clause */
#include "trace_run.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output.h"

extern char **environ;

/* A trace of ten thousand arrays is smaller. */
#define MAX_TRACE ((off_t)256 << 20)

static enum lac_status executable(const char *path, struct lac_err *err)
{
	struct stat st;

	if (stat(path, &st))
		return lac_fail_os(err, "%s", path);
	if (!S_ISREG(st.st_mode) || access(path, X_OK))
		return lac_fail(err, LAC_BAD_INPUT,
				"%s is not a program that can be run", path);
	return LAC_OK;
}

enum lac_status lac_trace_find(const char *name, struct lac_arena *arena,
			       const char **ret, struct lac_err *err)
{
	const char *at = getenv("PATH");
	struct lac_err ignored;

	if (strchr(name, '/')) {
		LAC_TRY(executable(name, err));
		*ret = name;
		return LAC_OK;
	}
	while (at && *name) {
		size_t n = strcspn(at, ":");
		const char *path = lac_arena_printf(arena, "%.*s/%s",
						    n ? (int)n : 1,
						    n ? at : ".", name);

		if (!path)
			return lac_fail_memory(err);
		if (executable(path, &ignored) == LAC_OK) {
			*ret = path;
			return LAC_OK;
		}
		at = at[n] ? at + n + 1 : NULL;
	}
	return lac_fail(err, LAC_NOT_FOUND,
			"%s: no such program in PATH; one of this folder is "
			"./%s", name, name);
}

/*
 * Where the counts go, as a setting of always the same length: where the stack
 * begins, and with it the sets that it takes, hangs on what is above it.
 */
static char *out_of(int fd, struct lac_arena *arena)
{
	static const char slashes[] = "////////////////////////";
	int have = snprintf(NULL, 0, "%d%d", (int)getpid(), fd);
	int more = (int)sizeof(slashes) - 1 - have;

	return lac_arena_printf(arena, "LACUNA_TRACE_OUT=/proc/%d/fd/%.*s%d",
				(int)getpid(), more > 0 ? more : 0, slashes,
				fd);
}

/* Our environment with the settings in front: the first of a name counts. */
static char **environment(const struct lac_trace_settings *s, int fd,
			  struct lac_arena *arena)
{
	const struct {
		const char *name, *value;
	} set[] = {
		{ "LACUNA_TRACE_CPUS", s->cpus },
		{ "LACUNA_TRACE_PRESET", s->preset },
		{ "LACUNA_TRACE_CACHE", s->cache },
		{ "LACUNA_TRACE_LINE", s->line },
		{ "LACUNA_TRACE_QUANTUM", s->quantum },
	};
	size_t have = 0, n = 0, nset = sizeof(set) / sizeof(set[0]);
	char **all;

	while (environ[have])
		have++;
	all = lac_arena_zalloc(arena, have + nset + 2, sizeof(*all));
	if (!all)
		return NULL;
	all[n] = out_of(fd, arena);
	if (!all[n++])
		return NULL;
	for (size_t i = 0; i < nset; i++) {
		if (!set[i].value)
			continue;
		all[n] = lac_arena_printf(arena, "%s=%s", set[i].name,
					  set[i].value);
		if (!all[n++])
			return NULL;
	}
	for (size_t i = 0; i < have; i++) {
		bool given = !strncmp(environ[i], "LACUNA_TRACE_OUT=", 17);

		/* a preset that is asked for beats a cache of before */
		given |= s->preset &&
			 !strncmp(environ[i], "LACUNA_TRACE_CACHE=", 19);
		for (size_t k = 0; k < nset; k++)
			given |= set[k].value &&
				 !strncmp(environ[i], set[k].name,
					  strlen(set[k].name)) &&
				 environ[i][strlen(set[k].name)] == '=';
		if (!given)
			all[n++] = environ[i];
	}
	return all;
}

static enum lac_status start(const char *path, const char *const *args,
			     char **env, pid_t *pid, struct lac_err *err)
{
	posix_spawn_file_actions_t actions;
	int failed = posix_spawn_file_actions_init(&actions);

	if (!failed) {
		/* the same addresses each time, where that is allowed */
		int usual = personality(0xffffffff);

		if (usual >= 0)
			personality((unsigned long)usual | ADDR_NO_RANDOMIZE);
		posix_spawn_file_actions_adddup2(&actions, 2, 1);
		failed = posix_spawn(pid, path, &actions, NULL,
				     (char *const *)(uintptr_t)args, env);
		posix_spawn_file_actions_destroy(&actions);
		if (usual >= 0)
			personality((unsigned long)usual);
	}
	if (!failed)
		return LAC_OK;
	errno = failed;
	return lac_fail_os(err, "%s: cannot be run", path);
}

static enum lac_status await(const char *path, pid_t pid, struct lac_err *err)
{
	const char *name;
	int how;

	lac_output_set_child(pid);
	while (waitpid(pid, &how, 0) < 0)
		if (errno != EINTR)
			return lac_fail_os(err, "waiting for %s", path);
	lac_output_set_child(0);
	if (WIFEXITED(how) && !WEXITSTATUS(how))
		return LAC_OK;
	if (WIFEXITED(how))
		return lac_fail(err, LAC_BAD_INPUT,
				"%s ended with status %d: its trace is not "
				"used; what it says stands above",
				path, WEXITSTATUS(how));
	name = sigabbrev_np(WTERMSIG(how));
	return lac_fail(err, LAC_BAD_INPUT,
			"%s was ended by SIG%s (status %d): its trace is not "
			"used", path, name ? name : "?", 128 + WTERMSIG(how));
}

static enum lac_status read_counts(const char *path, int fd, json_t **ret,
				   struct lac_err *err)
{
	json_error_t why;
	struct stat st;
	json_t *j;

	if (fstat(fd, &st))
		return lac_fail_os(err, "counts of %s", path);
	if (!st.st_size)
		return lac_fail(err, LAC_BAD_INPUT,
				"%s ran and left no counts: it is not built "
				"with the hooks (or did not end by exit()); "
				"`lacuna trace` without arguments prints how",
				path);
	if (st.st_size > MAX_TRACE)
		return lac_fail(err, LAC_BAD_INPUT,
				"%s left more than 256 MiB of counts: register "
				"fewer arrays", path);
	j = json_loadfd(fd, 0, &why);
	if (!j)
		return lac_fail(err, LAC_BAD_INPUT,
				"%s left counts that are not JSON (%s): did "
				"two traced programs write them?",
				path, why.text);
	*ret = j;
	return LAC_OK;
}

enum lac_status lac_trace_run(const char *path, const char *const *args,
			      const struct lac_trace_settings *s,
			      struct lac_arena *arena, json_t **ret,
			      struct lac_err *err)
{
	int fd = memfd_create("lacuna-trace", MFD_CLOEXEC);
	enum lac_status st;
	char **env;
	pid_t pid;

	if (fd < 0)
		return lac_fail_os(err, "memory for the trace");
	env = environment(s, fd, arena);
	st = env ? start(path, args, env, &pid, err) : lac_fail_memory(err);
	if (st == LAC_OK)
		st = await(path, pid, err);
	if (st == LAC_OK)
		st = read_counts(path, fd, ret, err);
	close(fd);
	return st;
}

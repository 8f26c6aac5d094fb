/* SPDX-License-Identifier: BSD-2-Clause */
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixture.h"

static bool is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The folder of the running program, or an error: /proc may be missing. */
static enum lac_status program_dir(char *buf, size_t size, struct lac_err *err)
{
	ssize_t n = readlink("/proc/self/exe", buf, size - 1);
	char *slash;

	if (n < 0)
		return lac_fail_os(err,
				   "/proc/self/exe: cannot tell where lacuna "
				   "is; set LACUNA_LIBEXEC to the folder of "
				   "its fixture programs");
	buf[n] = '\0';
	slash = strrchr(buf, '/');
	if (slash)
		*slash = '\0';
	return LAC_OK;
}

enum lac_status lac_fixture_dir(struct lac_arena *arena, const char **ret,
				struct lac_err *err)
{
	static const char *const places[] = { "fixtures", "../libexec/lacuna" };
	const char *env = getenv("LACUNA_LIBEXEC");
	char here[PATH_MAX];

	if (env && *env) {
		if (!is_dir(env))
			return lac_fail(err, LAC_NOT_FOUND,
					"LACUNA_LIBEXEC: %s is not a directory",
					env);
		*ret = env;
		return LAC_OK;
	}
	LAC_TRY(program_dir(here, sizeof(here), err));
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		const char *path =
			lac_arena_printf(arena, "%s/%s", here, places[i]);

		if (!path)
			return lac_fail_memory(err);
		if (is_dir(path)) {
			*ret = path;
			return LAC_OK;
		}
	}
	return lac_fail(err, LAC_NOT_FOUND,
			"%s: neither fixtures/ nor ../libexec/lacuna is there "
			"with the builds of the allocator library; run `make`, "
			"or set LACUNA_LIBEXEC to their folder",
			here);
}

static enum lac_status find(const char *name, int mode, const char *what,
			    struct lac_arena *arena, const char **ret,
			    struct lac_err *err)
{
	const char *dir, *path;

	LAC_TRY(lac_fixture_dir(arena, &dir, err));
	path = lac_arena_printf(arena, "%s/%s", dir, name);
	if (!path)
		return lac_fail_memory(err);
	if (access(path, mode))
		return lac_fail(err, LAC_NOT_FOUND,
				"%s: no such %s in %s; run `make`, or set "
				"LACUNA_LIBEXEC to the folder that has it",
				name, what, dir);
	*ret = path;
	return LAC_OK;
}

enum lac_status lac_fixture_find(const char *name, struct lac_arena *arena,
				 const char **ret, struct lac_err *err)
{
	return find(name, X_OK, "program", arena, ret, err);
}

enum lac_status lac_fixture_file(const char *name, struct lac_arena *arena,
				 const char **ret, struct lac_err *err)
{
	return find(name, R_OK, "file", arena, ret, err);
}

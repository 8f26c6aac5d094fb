/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/glob.h"

#include <fnmatch.h>
#include <string.h>

bool lac_glob_name(const char *pattern, const char *kind, const char *name)
{
	size_t n = kind ? strlen(kind) : 0;

	if (!name)
		return false;
	if (!fnmatch(pattern, name, 0))
		return true;
	return n && !strncmp(pattern, kind, n) && pattern[n] == ' ' &&
	       !fnmatch(pattern + n + 1, name, 0);
}

bool lac_glob_path(const char *pattern, const char *path)
{
	if (!path)
		return false;
	if (!fnmatch(pattern, path, 0))
		return true;
	for (const char *p = strchr(path, '/'); p; p = strchr(p + 1, '/'))
		if (!fnmatch(pattern, p + 1, 0))
			return true;
	return false;
}

bool lac_glob_any_name(char *const *patterns, const char *kind,
		       const char *name)
{
	bool any = !patterns;

	for (size_t i = 0; !any && patterns[i]; i++)
		any = lac_glob_name(patterns[i], kind, name);
	return any;
}

bool lac_glob_any_path(char *const *patterns, const char *path)
{
	bool any = !patterns;

	for (size_t i = 0; !any && patterns[i]; i++)
		any = lac_glob_path(patterns[i], path);
	return any;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "report_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "render/render.h"

enum lac_status lac_report_files_prepare(const char *dir, struct lac_err *err)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/", dir) >= (int)sizeof(path))
		return lac_fail(err, LAC_USAGE, "--into: the name is too long");
	for (char *s = path + 1; *s; s++) {
		if (*s != '/')
			continue;
		*s = '\0';
		if (mkdir(path, 0777) && errno != EEXIST)
			return lac_fail_os(err, "%s: cannot be made", path);
		*s = '/';
	}
	if (access(path, W_OK | X_OK))
		return lac_fail_os(err, "%s: cannot be written to", dir);
	return LAC_OK;
}

static const char *extension(const char *format)
{
	if (!strcmp(format, "text"))
		return "txt";
	return strcmp(format, "markdown") ? format : "md";
}

static enum lac_status write_one(const char *path, const char *temp,
				 const struct lac_renderer *r,
				 const struct lac_doc *d, struct lac_err *err)
{
	struct lac_render_options o = { .width = 80, .ascii = true };
	FILE *out = fopen(temp, "we");
	enum lac_status st;
	bool bad;

	if (!out)
		return lac_fail_os(err, "%s: cannot be written", temp);
	st = r->render(d, &o, out, err);
	bad = ferror(out);
	if ((fclose(out) || bad) && st == LAC_OK)
		st = lac_fail_os(err, "%s: not written", path);
	if (st == LAC_OK && rename(temp, path))
		st = lac_fail_os(err, "%s: not written", path);
	if (st != LAC_OK)
		unlink(temp);
	return st;
}

enum lac_status lac_report_files_write(const char *dir, const struct lac_doc *d,
				       struct lac_err *err)
{
	char path[PATH_MAX], temp[PATH_MAX];

	LAC_TRY(lac_doc_finish(d, err));
	for (size_t i = 0; lac_renderers[i]; i++) {
		const char *name = lac_renderers[i]->name;

		if (snprintf(path, sizeof(path), "%s/report.%s", dir,
			     extension(name)) >= (int)sizeof(path) ||
		    snprintf(temp, sizeof(temp), "%s/.report.%s", dir,
			     extension(name)) >= (int)sizeof(temp))
			return lac_fail(err, LAC_USAGE,
					"--into: the name is too long");
		LAC_TRY(write_one(path, temp, lac_renderers[i], d, err));
	}
	return LAC_OK;
}

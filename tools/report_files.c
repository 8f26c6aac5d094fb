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
	struct stat st;

	if (mkdir(dir, 0777) && errno == ENOENT)
		return lac_fail_os(err, "%s: cannot be made; --into makes one "
					"directory, not those above it",
				   dir);
	if (stat(dir, &st))
		return lac_fail_os(err, "%s: cannot be made", dir);
	if (!S_ISDIR(st.st_mode)) {
		errno = ENOTDIR;
		return lac_fail_os(err, "%s", dir);
	}
	if (access(dir, W_OK | X_OK))
		return lac_fail_os(err, "%s: cannot be written to", dir);
	return LAC_OK;
}

static const char *extension(const char *format)
{
	if (!strcmp(format, "text"))
		return "txt";
	return strcmp(format, "markdown") ? format : "md";
}

#define FORMATS_MAX 16

/* One format's file: written as temp, then renamed to path. */
struct place {
	char path[PATH_MAX], temp[PATH_MAX];
};

static enum lac_status name_place(const char *dir, const char *format,
				  struct place *p, struct lac_err *err)
{
	if (snprintf(p->path, sizeof(p->path), "%s/report.%s", dir,
		     extension(format)) >= (int)sizeof(p->path) ||
	    snprintf(p->temp, sizeof(p->temp), "%s/.report.%s", dir,
		     extension(format)) >= (int)sizeof(p->temp))
		return lac_fail(err, LAC_USAGE, "--into: the name is too long");
	return LAC_OK;
}

static enum lac_status write_one(const struct place *p,
				 const struct lac_renderer *r,
				 const struct lac_doc *d, struct lac_err *err)
{
	struct lac_render_options o = { .width = 80,
					.ascii = true,
					.brief = !strcmp(r->name, "mail") };
	FILE *out = fopen(p->temp, "we");
	enum lac_status st;
	struct stat old;
	bool bad;

	if (!out)
		return lac_fail_os(err, "%s: cannot be written", p->temp);
	st = r->render(d, &o, out, err);
	bad = ferror(out);
	if ((fclose(out) || bad) && st == LAC_OK)
		st = lac_fail_os(err, "%s: not written", p->path);
	if (st == LAC_OK && !stat(p->path, &old) && S_ISDIR(old.st_mode)) {
		errno = EISDIR;
		st = lac_fail_os(err, "%s: not written", p->path);
	}
	return st;
}

/* Each is written before the first takes its place: all of them, or none. */
enum lac_status lac_report_files_write(const char *dir, const struct lac_doc *d,
				       struct lac_err *err)
{
	struct place places[FORMATS_MAX];
	enum lac_status st = LAC_OK;
	size_t n = 0;

	LAC_TRY(lac_doc_finish(d, err));
	for (; st == LAC_OK && n < FORMATS_MAX && lac_renderers[n]; n++) {
		st = name_place(dir, lac_renderers[n]->name, &places[n], err);
		if (st != LAC_OK)
			break;
		st = write_one(&places[n], lac_renderers[n], d, err);
	}
	for (size_t i = 0; i < n && st == LAC_OK; i++)
		if (rename(places[i].temp, places[i].path))
			st = lac_fail_os(err, "%s: not written",
					 places[i].path);
	for (size_t i = 0; i < n && st != LAC_OK; i++)
		unlink(places[i].temp);
	return st;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff_dirs.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diff/merge.h"

struct names {
	const char **list;
	size_t n, cap;
};

struct pairing {
	const char *old_path, *new_path;
	struct lac_arena *arena;
	struct names only_old, only_new, both, skipped, why;
	struct lac_diff_part *parts;
	uint32_t nparts;
};

enum lac_status lac_dirs_asked(const char *old_path, const char *new_path,
			       bool *ret, struct lac_err *err)
{
	struct stat a, b;

	*ret = false;
	/* whoever reads it says why there is none of standard input */
	if ((!strcmp(old_path, "-") && access(old_path, F_OK)) ||
	    (!strcmp(new_path, "-") && access(new_path, F_OK)))
		return LAC_OK;
	if (stat(old_path, &a))
		return lac_fail_os(err, "%s", old_path);
	if (stat(new_path, &b))
		return lac_fail_os(err, "%s", new_path);
	if (S_ISDIR(a.st_mode) != S_ISDIR(b.st_mode))
		return lac_fail(err, LAC_USAGE,
				"%s is a directory and %s is not: give two "
				"files or two directories",
				S_ISDIR(a.st_mode) ? old_path : new_path,
				S_ISDIR(a.st_mode) ? new_path : old_path);
	*ret = S_ISDIR(a.st_mode);
	return LAC_OK;
}

static enum lac_status names_add(struct names *to, const char *name,
				 struct lac_arena *arena, struct lac_err *err)
{
	if (to->n == to->cap) {
		size_t cap = to->cap ? 2 * to->cap : 64;
		const char **more =
			lac_arena_zalloc(arena, cap, sizeof(*more));

		if (!more)
			return lac_fail_memory(err);
		if (to->n)
			memcpy(more, to->list, to->n * sizeof(*more));
		to->list = more;
		to->cap = cap;
	}
	to->list[to->n] = lac_arena_strdup(arena, name);
	if (!to->list[to->n])
		return lac_fail_memory(err);
	to->n++;
	return LAC_OK;
}

static bool is_elf(const char *path)
{
	FILE *f = fopen(path, "rbe");
	char magic[4] = "";
	bool elf;

	if (!f)
		return true; /* let the reader say what is wrong with it */
	elf = fread(magic, 1, 4, f) == 4 && !memcmp(magic, "\177ELF", 4);
	fclose(f);
	return elf;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The ELF files below a directory, by their path from there. */
static enum lac_status list_elf(const char *dir, struct lac_arena *arena,
				struct names *ret, struct lac_err *err)
{
	char *roots[] = {(char *)(uintptr_t)dir, NULL};
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	enum lac_status st = LAC_OK;
	size_t skip = strlen(dir);
	FTSENT *e;

	if (!fts)
		return lac_fail_os(err, "%s", dir);
	while (skip && dir[skip - 1] == '/')
		skip--;
	while (st == LAC_OK && (e = fts_read(fts))) {
		if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR) {
			errno = e->fts_errno;
			st = lac_fail_os(err, "%s", e->fts_path);
		} else if (e->fts_info == FTS_F && is_elf(e->fts_path)) {
			const char *name = e->fts_path + skip;

			while (*name == '/')
				name++;
			st = names_add(ret, name, arena, err);
		}
	}
	fts_close(fts);
	if (st == LAC_OK && ret->n)
		qsort(ret->list, ret->n, sizeof(*ret->list), by_name);
	return st;
}

static enum lac_status split(struct pairing *p, const struct names *a,
			     const struct names *b, struct lac_err *err)
{
	for (size_t i = 0, j = 0; i < a->n || j < b->n;) {
		int c = i == a->n   ? 1
			: j == b->n ? -1
				    : strcmp(a->list[i], b->list[j]);
		struct names *to = c < 0   ? &p->only_old
				   : c > 0 ? &p->only_new
					   : &p->both;

		LAC_TRY(names_add(to, c > 0 ? b->list[j] : a->list[i],
				  p->arena, err));
		i += c <= 0;
		j += c >= 0;
	}
	return LAC_OK;
}

static enum lac_status compare_all(struct pairing *p, lac_compare_fn compare,
				   const struct lac_diff_options *o,
				   struct lac_err *err)
{
	for (size_t i = 0; i < p->both.n; i++) {
		const char *name = p->both.list[i];
		const char *a = lac_arena_printf(p->arena, "%s/%s",
						 p->old_path, name);
		const char *b = lac_arena_printf(p->arena, "%s/%s",
						 p->new_path, name);
		struct lac_diff *d;
		enum lac_status st;

		if (!a || !b)
			return lac_fail_memory(err);
		st = compare(a, b, o, &d, err);
		if (st == LAC_OK) {
			p->parts[p->nparts++] = (struct lac_diff_part){name, d};
			continue;
		}
		/* an object of assembly has no types: no reason to give up */
		if (st != LAC_NOT_FOUND)
			return st;
		LAC_TRY(names_add(&p->skipped, name, p->arena, err));
		LAC_TRY(names_add(&p->why, err->msg, p->arena, err));
	}
	return LAC_OK;
}

static struct lac_diff_files files(const struct names *n,
				   const struct names *why)
{
	return (struct lac_diff_files){n->n, n->list, why ? why->list : NULL};
}

static enum lac_status nothing(const struct pairing *p, struct lac_err *err)
{
	if (p->skipped.n)
		return lac_fail(err, LAC_NOT_FOUND,
				"%s, %s: no pair of files has debug info; the "
				"first: %s", p->old_path, p->new_path,
				p->why.list[0]);
	return lac_fail(err, LAC_NOT_FOUND,
			"%s, %s: no ELF file of the same name is in both; "
			"compressed modules must be unpacked first",
			p->old_path, p->new_path);
}

enum lac_status lac_dirs_compare(const char *old_path, const char *new_path,
				 lac_compare_fn compare,
				 const struct lac_diff_options *o,
				 struct lac_arena *arena,
				 struct lac_diff_report *report,
				 struct lac_diff **ret, struct lac_err *err)
{
	struct pairing p = {
		.old_path = old_path, .new_path = new_path, .arena = arena};
	struct names a = {0}, b = {0};
	enum lac_status st;

	LAC_TRY(list_elf(old_path, arena, &a, err));
	LAC_TRY(list_elf(new_path, arena, &b, err));
	LAC_TRY(split(&p, &a, &b, err));
	p.parts = lac_arena_zalloc(arena, p.both.n, sizeof(*p.parts));
	if (!p.parts)
		return lac_fail_memory(err);
	st = compare_all(&p, compare, o, err);
	if (st == LAC_OK && !p.nparts)
		st = nothing(&p, err);
	if (st != LAC_OK) {
		for (uint32_t i = 0; i < p.nparts; i++)
			lac_diff_destroy(p.parts[i].diff);
		return st;
	}
	LAC_TRY(lac_diff_merge(p.parts, p.nparts, old_path, new_path, o->cpus,
			       ret, err));
	report->compared = p.nparts;
	report->only_old = files(&p.only_old, NULL);
	report->only_new = files(&p.only_new, NULL);
	report->skipped = files(&p.skipped, &p.why);
	return LAC_OK;
}

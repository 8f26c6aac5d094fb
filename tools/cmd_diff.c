/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_diff.c - what changed between two builds, and because of what. */
#include <string.h>

#include "commands.h"
#include "diff/slabinfo.h"
#include "diff_dirs.h"
#include "diff_report.h"
#include "load.h"
#include "number.h"
#include "size.h"
#include "textfile.h"

static struct {
	char *type, *decl, *ignore, *only, *slabinfo, *side, *ram, *min_bytes,
		*top, *cpus, *line_size;
	int all;
} given;

static const struct poptOption options[] = {
	{"type", 't', POPT_ARG_STRING, &given.type, 0,
	 "records whose name matches; 'struct NAME', 'enum NAME' as well",
	 "GLOB"},
	{"decl", 'd', POPT_ARG_STRING, &given.decl, 0,
	 "records declared in a file that matches", "GLOB"},
	{"ignore", 0, POPT_ARG_STRING, &given.ignore, 0,
	 "leave out what FILE lists, one 'PATTERN: REASON' a line", "FILE"},
	{"min-bytes", 0, POPT_ARG_STRING, &given.min_bytes, 0,
	 "records whose size changed by at least N bytes", "N"},
	{"only", 0, POPT_ARG_STRING, &given.only, 0,
	 "size, layout, enum, or several with commas", "LIST"},
	{"all", 'a', POPT_ARG_NONE, &given.all, 0,
	 "show also what inner types explain", NULL},
	{"top", 0, POPT_ARG_STRING, &given.top, 0,
	 "show N records in full and N causes, 20 by default; 0: every one", "N"},
	{"slabinfo", 0, POPT_ARG_STRING, &given.slabinfo, 0,
	 "weigh by the live objects in a copy of /proc/slabinfo", "FILE"},
	{"slabinfo-side", 0, POPT_ARG_STRING, &given.side, 0,
	 "the build that it was taken on, old or new, if its sizes do not say",
	 "SIDE"},
	{"ram", 0, POPT_ARG_STRING, &given.ram, 0,
	 "memory for the cost of struct page, 1T by default", "SIZE"},
	{"cpus", 0, POPT_ARG_STRING, &given.cpus, 0,
	 "processors, for SLUB's slab orders: as --slabinfo has them, else 16", "N"},
	{"line-size", 'c', POPT_ARG_STRING, &given.line_size, 0,
	 "bytes of a cache line: 64 by default", "BYTES"},
	LAC_LOAD_OPTIONS,
	POPT_TABLEEND};

static enum lac_status parse(struct lac_diff_filter *f,
			     struct lac_diff_options *o,
			     struct lac_diff_report *r, struct lac_err *err)
{
	uint64_t cpus = 16, top = 20;

	f->type_glob = o->type_glob = given.type;
	f->decl_glob = o->decl_glob = given.decl;
	if (given.only)
		LAC_TRY(lac_only_parse(given.only, &f->only, err));
	if (given.min_bytes)
		LAC_TRY(lac_size_parse("--min-bytes", given.min_bytes,
				       &f->min_bytes, err));
	if (given.ram)
		LAC_TRY(lac_size_parse("--ram", given.ram, &r->ram_bytes,
				       err));
	if (r->ram_bytes > (1ull << 52))
		return lac_fail(err, LAC_USAGE,
				"--ram %s: at most 4096T", given.ram);
	LAC_TRY(lac_number_parse("--cpus", given.cpus, 1, 1 << 20, &cpus, err));
	LAC_TRY(lac_number_parse("--top", given.top, 0, INT32_MAX, &top, err));
	LAC_TRY(lac_line_size_check(given.line_size, &o->line_size, err));
	o->cpus = (uint32_t)cpus;
	r->cpus = o->cpus;
	r->line_size = o->line_size;
	r->all = given.all;
	r->top = (uint32_t)top;
	return LAC_OK;
}

static enum lac_status read_ignore(struct lac_arena *arena,
				   struct lac_ignore_list *list,
				   struct lac_err *err)
{
	struct lac_text t;

	LAC_TRY(lac_text_read(given.ignore, arena, &t, err));
	return lac_ignore_parse(given.ignore, t.text, t.size, arena, list,
				err);
}

static enum lac_status slab_side(enum lac_slab_side *ret, struct lac_err *err)
{
	if (given.side && !given.slabinfo)
		return lac_fail(err, LAC_USAGE,
				"--slabinfo-side is of no use without "
				"--slabinfo");
	if (!given.side)
		*ret = LAC_SLAB_SIDE_UNKNOWN;
	else if (!strcmp(given.side, "old"))
		*ret = LAC_SLAB_SIDE_OLD;
	else if (!strcmp(given.side, "new"))
		*ret = LAC_SLAB_SIDE_NEW;
	else
		return lac_fail(err, LAC_USAGE,
				"--slabinfo-side %s: old or new", given.side);
	return LAC_OK;
}

static enum lac_status read_slabinfo(struct lac_arena *arena,
				     struct lac_slabinfo *info,
				     struct lac_diff_options *o,
				     struct lac_diff_report *r,
				     struct lac_err *err)
{
	struct lac_text t;

	LAC_TRY(lac_text_read(given.slabinfo, arena, &t, err));
	LAC_TRY(lac_slabinfo_parse(given.slabinfo, t.text, t.size, arena, info,
				   err));
	if (!given.cpus)
		o->cpus = lac_slabinfo_cpus(info, o->cpus, &r->cpus_agree);
	r->cpus = o->cpus;
	r->slabinfo = info;
	return LAC_OK;
}

static enum lac_status compare(const char *old_path, const char *new_path,
			       const struct lac_diff_options *o,
			       struct lac_diff **ret, struct lac_err *err)
{
	LAC_CLEANUP_GRAPH struct lac_graph *a = NULL;
	LAC_CLEANUP_GRAPH struct lac_graph *b = NULL;

	LAC_TRY(lac_load_pair(old_path, new_path, &a, &b, err));
	return lac_diff_compute(a, b, o, ret, err);
}

/* A name that neither build has is a slip, not "no differences". */
static enum lac_status any_selected(const struct lac_diff *d,
				    struct lac_err *err)
{
	bool btf = d->old_side.format == LAC_FORMAT_BTF &&
		   d->new_side.format == LAC_FORMAT_BTF;

	if (d->nselected || (!given.type && !given.decl))
		return LAC_OK;
	return lac_fail(err, LAC_NOT_FOUND,
			"%s, %s: no type matches%s%s%s%s%s%s%s",
			d->old_side.path, d->new_side.path,
			given.type ? " --type '" : "",
			given.type ? given.type : "", given.type ? "'" : "",
			given.decl ? " --decl '" : "",
			given.decl ? given.decl : "", given.decl ? "'" : "",
			given.decl && btf ? " (BTF names no declaring files)"
					  : "; 'lacuna list' shows what a "
					    "file has");
}

static bool differs(const struct lac_diff_report *r)
{
	return r->diff->nrecords || r->diff->old_unidentified ||
	       r->diff->new_unidentified || r->only_old.n || r->only_new.n;
}

static enum lac_status run(struct lac_run *r, struct lac_err *err)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	LAC_CLEANUP_DIFF struct lac_diff *d = NULL;
	struct lac_diff_filter filter = {0};
	struct lac_diff_options o = {0};
	struct lac_diff_report report = {0};
	struct lac_ignore_list ignore;
	struct lac_slabinfo info;
	enum lac_slab_side side;

	if (!arena)
		return lac_fail_memory(err);
	LAC_TRY(parse(&filter, &o, &report, err));
	if (given.ignore) {
		LAC_TRY(read_ignore(arena, &ignore, err));
		filter.ignore = &ignore;
		report.ignore = &ignore;
	}
	LAC_TRY(slab_side(&side, err));
	if (given.slabinfo)
		LAC_TRY(read_slabinfo(arena, &info, &o, &report, err));
	LAC_TRY(lac_dirs_asked(r->args[0], r->args[1], &report.dirs, err));
	if (report.dirs)
		LAC_TRY(lac_dirs_compare(r->args[0], r->args[1], compare, &o,
					 arena, &report, &d, err));
	else
		LAC_TRY(compare(r->args[0], r->args[1], &o, &d, err));
	if (given.slabinfo)
		LAC_TRY(lac_diff_weigh(d, &info, side, o.cpus,
				       &report.weighing, err));
	LAC_TRY(lac_diff_filter(d, &filter, o.cpus, err));
	LAC_TRY(any_selected(d, err));
	report.diff = d;
	lac_diff_data(r->doc, &report);
	lac_diff_views(r->doc, &report);
	if (differs(&report))
		r->verdict = LAC_EXIT_FOUND;
	return LAC_OK;
}

const struct lac_cmd lac_cmd_diff = {
	.name = "diff",
	.args = "OLD NEW",
	.summary = "what changed between two builds, and because of what",
	.help = "OLD and NEW are files with debug information, or two "
		"directories that are\ncompared file by file.\n"
		"Exit status: 0 no differences; 1 differences; 2 usage; 3 "
		"could not do it.",
	.min_args = 2,
	.max_args = 2,
	.options = options,
	.run = run,
	.untrusted = true,
};

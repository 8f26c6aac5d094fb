/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff_run.h"

#include <string.h>

#include "cmd.h"
#include "diff/slabinfo.h"
#include "diff_dirs.h"
#include "load.h"
#include "named.h"
#include "number.h"
#include "size.h"
#include "textfile.h"

static struct {
	char **type, **decl, **ignore, **only, **cause;
	char *slabinfo, *side, *ram, *min_bytes, *top, *cpus, *line_size;
	int all;
} given;

#define DIFF_OPTIONS(SHORT)                                                    \
	LAC_GROUP("which records:"),                                           \
	{"type", SHORT('t'), POPT_ARG_ARGV, &given.type, 0,                    \
	 "records whose name matches; 'struct NAME', 'enum NAME' as well; "    \
	 "may be given again", "GLOB"},                                        \
	{"decl", SHORT('d'), POPT_ARG_ARGV, &given.decl, 0,                    \
	 "records declared in a file that matches; may be given again",        \
	 "GLOB"},                                                              \
	{"ignore", 0, POPT_ARG_ARGV, &given.ignore, 0,                         \
	 "leave out what FILE lists, one 'PATTERN: REASON' a line; may be "    \
	 "given again", "FILE"},                                               \
	{"min-bytes", 0, POPT_ARG_STRING, &given.min_bytes, 0,                 \
	 "records whose size changed by at least N bytes", "N"},               \
	{"only", 0, POPT_ARG_ARGV, &given.only, 0,                             \
	 "size, layout, lines, enum, or several with commas; may be given "    \
	 "again", "LIST"},                                                     \
	{"cause", 0, POPT_ARG_ARGV, &given.cause, 0,                           \
	 "records that changed because of a type that matches; may be given "  \
	 "again", "GLOB"},                                                     \
	LAC_GROUP("how much is shown:"),                                       \
	{"all", SHORT('a'), POPT_ARG_NONE, &given.all, 0,                      \
	 "show also what inner types explain", NULL},                          \
	{"top", 0, POPT_ARG_STRING, &given.top, 0,                             \
	 "N rows of each table, N records in full; 20 by default, 0: all; "     \
	 "JSON and CSV have all", "N"},                                        \
	LAC_GROUP("what it costs:"),                                           \
	{"slabinfo", 0, POPT_ARG_STRING, &given.slabinfo, 0,                   \
	 "weigh by the live objects in a copy of /proc/slabinfo", "FILE"},     \
	{"slabinfo-side", 0, POPT_ARG_STRING, &given.side, 0,                  \
	 "the build that it was taken on, old or new, if its sizes do not say", \
	 "SIDE"},                                                              \
	{"ram", 0, POPT_ARG_STRING, &given.ram, 0,                             \
	 "memory for the cost of struct page, 1T by default", "SIZE"},         \
	{"cpus", 0, POPT_ARG_STRING, &given.cpus, 0,                           \
	 "processors, for SLUB's slab orders: as --slabinfo has them, else 16", "N"}, \
	{"line-size", SHORT('c'), POPT_ARG_STRING, &given.line_size, 0,        \
	 "bytes of a cache line; by default those of the machine", "BYTES"}

#define SHORT(letter) letter
#define NO_SHORT(letter) 0

const struct poptOption lac_diff_option_table[] = {
	DIFF_OPTIONS(SHORT),
	LAC_LOAD_OPTIONS,
	POPT_TABLEEND
};

const struct poptOption lac_diff_long_option_table[] = {
	DIFF_OPTIONS(NO_SHORT),
	LAC_LOAD_OPTIONS,
	POPT_TABLEEND
};

static enum lac_status parse(struct lac_diff_filter *f,
			     struct lac_diff_options *o,
			     struct lac_diff_report *r, struct lac_err *err)
{
	uint64_t cpus = 16, top = 20;

	f->type_globs = o->type_globs = given.type;
	f->decl_globs = o->decl_globs = given.decl;
	f->cause_globs = given.cause;
	for (char **only = given.only; only && *only; only++) {
		unsigned more = 0;

		LAC_TRY(lac_only_parse(*only, &more, err));
		f->only |= more;
	}
	r->asked = (struct lac_diff_asked){
		.type = given.type,
		.decl = given.decl,
		.cause = given.cause,
		.only = given.only,
		.min_bytes = given.min_bytes,
		.ignore = given.ignore,
	};
	if (given.min_bytes)
		LAC_TRY(lac_size_parse("--min-bytes", given.min_bytes,
				       &f->min_bytes, err));
	r->asked.min_bytes_value = f->min_bytes;
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
	/* who asks for these asks for what is explained, too */
	r->all = given.all || given.cause || f->only & LAC_ONLY_LINES;
	r->top = (uint32_t)top;
	return LAC_OK;
}

/* The rules of all the files, as one list. */
static enum lac_status read_ignore(struct lac_arena *arena,
				   struct lac_ignore_list *list,
				   struct lac_err *err)
{
	for (char **path = given.ignore; *path; path++) {
		struct lac_ignore_list more;
		struct lac_text t;

		LAC_TRY(lac_text_read(*path, arena, &t, err));
		LAC_TRY(lac_ignore_parse(*path, t.text, t.size, arena, &more,
					 err));
		LAC_TRY(lac_ignore_join(list, &more, arena, err));
	}
	return LAC_OK;
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
	r->slabinfo = o->slabinfo = info;
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

/* The same, with what the builds say of themselves. */
static enum lac_status compare_files(const char *old_path,
				     const char *new_path,
				     const struct lac_diff_options *o,
				     struct lac_diff_job *job,
				     struct lac_err *err)
{
	LAC_CLEANUP_GRAPH struct lac_graph *a = NULL;
	LAC_CLEANUP_GRAPH struct lac_graph *b = NULL;

	LAC_TRY(lac_load_pair(old_path, new_path, &a, &b, err));
	LAC_TRY(lac_build_facts_read(a, job->arena, &job->facts[0], err));
	LAC_TRY(lac_build_facts_read(b, job->arena, &job->facts[1], err));
	job->report.facts = job->facts;
	return lac_diff_compute(a, b, o, &job->diff, err);
}

/* A name that neither build has is a slip, not "no differences". */
static enum lac_status any_selected(const struct lac_diff *d,
				    const bool *found, struct lac_err *err)
{
	bool btf = d->old_side.format == LAC_FORMAT_BTF &&
		   d->new_side.format == LAC_FORMAT_BTF;
	size_t i = 0;

	while (given.type && given.type[i] && found[i])
		i++;
	if (given.type ? !given.type[i] : d->nselected || !given.decl)
		return LAC_OK;
	return lac_fail(err, LAC_NOT_FOUND,
			"%s, %s: no type matches%s%s%s%s%s%s%s%s",
			d->old_side.path, d->new_side.path,
			given.type ? " --type '" : "",
			given.type ? given.type[i] : "", given.type ? "'" : "",
			given.decl ? " --decl '" : "",
			given.decl ? given.decl[0] : "", given.decl ? "'" : "",
			given.decl && given.decl[1] ? " or another" : "",
			given.decl && btf ? " (BTF names no declaring files)"
					  : "; 'lacuna list' shows what a "
					    "file has");
}

/* Nothing compared is not the same as no difference. */
static enum lac_status any_compared(const struct lac_diff *d,
				    struct lac_err *err)
{
	const struct lac_diff_side *sides[] = { &d->old_side, &d->new_side };

	for (size_t i = 0; i < 2; i++)
		if (!sides[i]->nrecords && !sides[i]->nenums)
			return lac_fail(
				err, LAC_NOT_FOUND,
				"%s: it has no records and no enumerations, so "
				"there is nothing to compare; compilers leave "
				"out types that nothing uses: with -g "
				"-fno-eliminate-unused-debug-types they are "
				"kept", sides[i]->path);
	return LAC_OK;
}

/* So many are asked for one by one: each is shown in full. */
#define FEW 5

/*
 * Who names a type wants to see it, also if an inner type explains it all.
 */
static bool named(const struct lac_diff *d)
{
	for (char **t = given.type; t && *t; t++)
		if (!lac_is_pattern(*t))
			return true;
	return (given.type || given.decl) && d->nrecords <= FEW;
}

static bool differs(const struct lac_diff *d, const struct lac_diff_report *r)
{
	return d->nrecords || d->old_unidentified || d->new_unidentified ||
	       r->only_old.n || r->only_new.n;
}

bool lac_diff_job_differs(const struct lac_diff_job *job)
{
	return differs(job->report.diff, &job->report);
}

bool lac_diff_job_differs_at_all(const struct lac_diff_job *job)
{
	return differs(job->report.whole, &job->report);
}

bool lac_diff_asked_any(const struct lac_diff_asked *a)
{
	return a->type || a->decl || a->cause || a->only || a->min_bytes ||
	       a->ignore;
}

/* The filters work in place: what they leave out is kept beside. */
static enum lac_status keep_whole(struct lac_diff_job *job, struct lac_err *err)
{
	const struct lac_diff *d = job->diff;
	struct lac_diff *w = &job->whole;

	*w = *d;
	if (!lac_diff_asked_any(&job->report.asked))
		return LAC_OK;
	w->records = lac_arena_zalloc(d->arena, d->nrecords,
				      sizeof(*w->records));
	w->causes = lac_arena_zalloc(d->arena, d->ncauses, sizeof(*w->causes));
	if (!w->records || !w->causes)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < d->nrecords; i++)
		w->records[i] = (struct lac_record_diff){
			.pairing = d->records[i].pairing,
			.old_shape = d->records[i].old_shape,
			.new_shape = d->records[i].new_shape,
		};
	for (uint32_t i = 0; i < d->ncauses; i++)
		w->causes[i] = d->causes[i];
	return LAC_OK;
}

static enum lac_status execute(const char *old_path, const char *new_path,
			       struct lac_diff_job *job, struct lac_err *err)
{
	struct lac_diff_filter filter = {0};
	struct lac_diff_options o = {0};
	struct lac_diff_report *r = &job->report;
	enum lac_slab_side side = LAC_SLAB_SIDE_UNKNOWN;
	size_t ntypes = 0;

	LAC_TRY(parse(&filter, &o, r, err));
	while (given.type && given.type[ntypes])
		ntypes++;
	o.type_found = lac_arena_zalloc(job->arena, ntypes + 1,
					sizeof(*o.type_found));
	if (!o.type_found)
		return lac_fail_memory(err);
	if (given.ignore) {
		LAC_TRY(read_ignore(job->arena, &job->ignore, err));
		filter.ignore = &job->ignore;
		r->ignore = &job->ignore;
	}
	LAC_TRY(slab_side(&side, err));
	if (given.slabinfo)
		LAC_TRY(read_slabinfo(job->arena, &job->slabinfo, &o, r, err));
	LAC_TRY(lac_dirs_asked(old_path, new_path, &r->dirs, err));
	if (r->dirs) {
		lac_load_many();
		LAC_TRY(lac_dirs_compare(old_path, new_path, compare, &o,
					 job->arena, r, &job->diff, err));
	} else {
		LAC_TRY(compare_files(old_path, new_path, &o, job, err));
	}
	LAC_TRY(any_compared(job->diff, err));
	if (given.slabinfo)
		LAC_TRY(lac_diff_weigh(job->diff, &job->slabinfo, side, o.cpus,
				       &r->weighing, err));
	LAC_TRY(keep_whole(job, err));
	LAC_TRY(lac_diff_filter(job->diff, &filter, o.cpus, err));
	LAC_TRY(any_selected(job->diff, o.type_found, err));
	r->diff = job->diff;
	r->whole = &job->whole;
	r->all |= named(job->diff);
	r->line_size = job->diff->line_size;
	return LAC_OK;
}

enum lac_status lac_diff_job_run(const char *old_path, const char *new_path,
				 struct lac_diff_job *job, struct lac_err *err)
{
	enum lac_status st;

	*job = (struct lac_diff_job){ .arena = lac_arena_create() };
	if (!job->arena)
		return lac_fail_memory(err);
	st = execute(old_path, new_path, job, err);
	if (st != LAC_OK)
		lac_diff_job_end(job);
	return st;
}

void lac_diff_job_end(struct lac_diff_job *job)
{
	lac_diff_destroy(job->diff);
	lac_arena_destroy(job->arena);
	*job = (struct lac_diff_job){ 0 };
}

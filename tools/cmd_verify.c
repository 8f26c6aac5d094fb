/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_verify.c - every record against what the installed pahole says. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "commands.h"
#include "dbginfo/index.h"
#include "layout/pahole.h"
#include "load.h"
#include "pipe.h"
#include "record_json.h"

#define OUTPUT_MAX ((size_t)2 << 30)
#define PATIENCE_S 900

static struct {
	int strict;
} given;

static const struct poptOption options[] = {
	{ "strict", 0, POPT_ARG_NONE, &given.strict, 0,
	  "differences of a known kind count as differences, too", NULL },
	LAC_LOAD_OPTIONS,
	POPT_TABLEEND
};

/* A name that one of our records goes by. */
struct name {
	const char *name;
	lac_record_id record;
};

struct verifier {
	struct lac_doc *d;
	const struct lac_graph *g;
	struct lac_arena *arena;
	struct lac_layout_options layout;
	struct name *names;
	size_t nnames;
	bool *seen; /* by record: pahole has it */
	json_t *differences, *known;
	/* repeated: printed again by pahole, for another unit */
	uint64_t compared, agreed, repeated;
	/* records with a difference, and with nothing but known defects */
	uint64_t differing, excused;
};

static int by_name(const void *a, const void *b)
{
	const struct name *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c ? c : (x->record > y->record) - (x->record < y->record);
}

static enum lac_status collect_names(struct verifier *v, struct lac_err *err)
{
	const struct lac_graph *g = v->g;

	v->names = lac_arena_zalloc(v->arena,
				    3 * (size_t)g->nrecords + g->naliases,
				    sizeof(*v->names));
	v->seen = lac_arena_zalloc(v->arena, g->nrecords, sizeof(*v->seen));
	if (!v->names || !v->seen)
		return lac_fail_memory(err);
	for (lac_record_id id = 0; id < g->nrecords; id++) {
		const struct lac_record *r = &g->records[id];
		const char *last;

		if (lac_record_left_out(g, r))
			continue;
		if (r->name)
			v->names[v->nnames++] = (struct name){ r->name, id };
		/* pahole does not know of scopes */
		last = r->name ? lac_name_last_part(r->name) : NULL;
		if (last != r->name)
			v->names[v->nnames++] = (struct name){ last, id };
		if (r->typedef_name)
			v->names[v->nnames++] =
				(struct name){ r->typedef_name, id };
	}
	for (uint32_t i = 0; i < g->naliases; i++)
		if (!lac_record_left_out(g, &g->records[g->aliases[i].record]))
			v->names[v->nnames++] = (struct name){
				g->aliases[i].name, g->aliases[i].record };
	if (v->nnames)
		qsort(v->names, v->nnames, sizeof(*v->names), by_name);
	return LAC_OK;
}

static size_t first_of(const struct verifier *v, const char *name)
{
	size_t low = 0, high = v->nnames;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (strcmp(v->names[mid].name, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The record of ours that agrees, or the one that comes nearest. */
struct match {
	lac_record_id record; /* LAC_NONE if there is none of the name */
	struct lac_pahole_record ours;
	struct lac_pahole_difference *list;
	uint32_t n;
};

static enum lac_status match_record(struct verifier *v,
				    const struct lac_pahole_record *theirs,
				    struct lac_arena *scratch,
				    struct match *best, struct lac_err *err)
{
	best->record = LAC_NONE;
	for (size_t i = first_of(v, theirs->name);
	     i < v->nnames && !strcmp(v->names[i].name, theirs->name); i++) {
		lac_record_id id = v->names[i].record;
		struct match m = { .record = id };
		struct lac_layout l;

		if (strcmp(lac_record_kind_name(v->g->records[id].kind),
			   theirs->kind) != 0)
			continue;
		LAC_TRY(lac_layout_compute(v->g, id, &v->layout, scratch, &l,
					   err));
		LAC_TRY(lac_pahole_flatten(&l, scratch, &m.ours, err));
		LAC_TRY(lac_pahole_compare(&m.ours, theirs, scratch, &m.list,
					   &m.n, err));
		if (best->record == LAC_NONE || m.n < best->n)
			*best = m;
		if (!m.n)
			break;
	}
	return LAC_OK;
}

static json_t *difference(struct verifier *v,
			  const struct lac_pahole_record *theirs,
			  const struct lac_pahole_difference *what,
			  const char *because)
{
	json_t *o = json_object();

	lac_doc_set(v->d, o, "name", lac_doc_string(theirs->name));
	lac_doc_set(v->d, o, "kind", lac_doc_string(theirs->kind));
	lac_doc_set(v->d, o, "what", lac_doc_string(what->what));
	lac_doc_set(v->d, o, "member", lac_doc_string(what->member));
	lac_doc_set(v->d, o, "lacuna", lac_doc_string(what->ours));
	lac_doc_set(v->d, o, "pahole", lac_doc_string(what->theirs));
	if (because)
		lac_doc_set(v->d, o, "because", lac_doc_string(because));
	return o;
}

static enum lac_status verify_record(struct verifier *v,
				     const struct lac_pahole_record *theirs,
				     struct lac_err *err)
{
	static const struct lac_pahole_difference missing = {
		.what = "record", .ours = "", .theirs = "listed"
	};
	LAC_CLEANUP_ARENA struct lac_arena *scratch = lac_arena_create();
	struct match m;
	uint32_t open = 0;

	if (!scratch)
		return lac_fail_memory(err);
	LAC_TRY(match_record(v, theirs, scratch, &m, err));
	if (m.record != LAC_NONE && !m.n && v->seen[m.record]) {
		v->repeated++;
		return LAC_OK;
	}
	v->compared++;
	if (m.record == LAC_NONE) {
		v->differing++;
		lac_doc_append(v->d, v->differences,
			       difference(v, theirs, &missing, NULL));
		return LAC_OK;
	}
	v->seen[m.record] = true;
	for (uint32_t i = 0; i < m.n; i++) {
		const char *because =
			lac_pahole_defect(&m.ours, theirs, &m.list[i]);

		lac_doc_append(v->d, because ? v->known : v->differences,
			       difference(v, theirs, &m.list[i], because));
		open += !because;
	}
	v->agreed += !m.n;
	v->differing += open > 0;
	v->excused += m.n && !open;
	return LAC_OK;
}

#define FEW 8u /* names in a text */

/* What pahole leaves out: it is said, since nothing confirms these. */
static void list_unseen(struct verifier *v)
{
	json_t *unseen = json_array();
	const char *names = "";
	size_t n, few;

	for (lac_record_id id = 0; id < v->g->nrecords; id++)
		if (!v->seen[id] && lac_record_name(&v->g->records[id]))
			lac_doc_append(v->d, unseen,
				       lac_doc_string(lac_record_name(
					       &v->g->records[id])));
	lac_doc_set(v->d, v->d->data, "not_in_pahole", unseen);
	n = json_array_size(unseen);
	few = n < FEW ? n : FEW;
	for (size_t i = 0; i < few && names; i++)
		names = lac_arena_printf(
			v->arena, "%s%s%s", names, i ? ", " : "",
			json_string_value(json_array_get(unseen, i)));
	if (n)
		lac_doc_paragraph(v->d,
				  "%zu %s not in pahole's output and not "
				  "compared: %s%s.",
				  n, lac_plural(n, "record is", "records are"),
				  names ? names : "",
				  n > few ? ", ... (-o json names all)" : "");
}

static const struct lac_column columns[] = {
	{ .key = "name", .title = "record" },
	{ .key = "what", .title = "what" },
	{ .key = "member", .title = "member" },
	{ .key = "lacuna", .title = "lacuna" },
	{ .key = "pahole", .title = "pahole" },
};

static const struct lac_column known_columns[] = {
	{ .key = "name", .title = "record" },
	{ .key = "what", .title = "what" },
	{ .key = "lacuna", .title = "lacuna" },
	{ .key = "pahole", .title = "pahole" },
	{ .key = "because", .title = "because" },
};

static const struct lac_column summary_columns[] = {
	{ .key = "compared", .title = "compared", .unit = LAC_UNIT_COUNT },
	{ .key = "agreed", .title = "agree", .unit = LAC_UNIT_COUNT },
	{ .key = "excused", .title = "differ by defects of pahole alone",
	  .unit = LAC_UNIT_COUNT },
	{ .key = "differing", .title = "differ", .unit = LAC_UNIT_COUNT },
};

/* The counts as a row: CSV has nothing else where all agree. */
static void summarise(struct verifier *v)
{
	json_t *rows = json_array(), *row = json_object();

	lac_doc_set(v->d, row, "compared", lac_json_size(v->compared));
	lac_doc_set(v->d, row, "agreed", lac_json_size(v->agreed));
	lac_doc_set(v->d, row, "excused", lac_json_size(v->excused));
	lac_doc_set(v->d, row, "differing", lac_json_size(v->differing));
	lac_doc_set(v->d, row, "differences",
		    lac_json_size(json_array_size(v->differences)));
	lac_doc_set(v->d, row, "pahole_defects",
		    lac_json_size(json_array_size(v->known)));
	lac_doc_append(v->d, rows, row);
	lac_doc_set(v->d, v->d->data, "summary", rows);
	lac_doc_table(v->d, "summary", "Records", summary_columns,
		      sizeof(summary_columns) / sizeof(summary_columns[0]),
		      rows);
	lac_doc_graphic(v->d);
}

static void report(struct verifier *v)
{
	size_t n = json_array_size(v->differences);
	size_t known = json_array_size(v->known);

	lac_doc_set(v->d, v->d->data, "compared", lac_json_size(v->compared));
	lac_doc_set(v->d, v->d->data, "agreed", lac_json_size(v->agreed));
	lac_doc_set(v->d, v->d->data, "excused", lac_json_size(v->excused));
	lac_doc_set(v->d, v->d->data, "differing", lac_json_size(v->differing));
	lac_doc_set(v->d, v->d->data, "repeated", lac_json_size(v->repeated));
	lac_doc_paragraph(v->d,
			  "%" PRIu64 " record%s compared with pahole: %" PRIu64
			  " %s, %" PRIu64 " %s only where pahole "
			  "contradicts itself or the file, %" PRIu64 " %s.",
			  v->compared, lac_s(v->compared), v->agreed,
			  lac_plural(v->agreed, "agrees", "agree"), v->excused,
			  lac_plural(v->excused, "differs", "differ"),
			  v->differing,
			  lac_plural(v->differing, "differs", "differ"));
	if (n || known)
		lac_doc_paragraph(v->d,
				  "Of single figures, %zu %s, and %zu more "
				  "%s of pahole that %s proved.",
				  n, lac_plural(n, "differs", "differ"), known,
				  lac_plural(known, "is a defect",
					     "are defects"),
				  lac_plural(known, "is", "are"));
	summarise(v);
	if (n)
		lac_doc_table(v->d, "differences", "Differences", columns,
			      sizeof(columns) / sizeof(columns[0]),
			      v->differences);
	if (known)
		lac_doc_table(v->d, "pahole_defects", "Defects of pahole",
			      known_columns,
			      sizeof(known_columns) / sizeof(known_columns[0]),
			      v->known);
	list_unseen(v);
}

/* What went wrong about a file, with its name. */
static enum lac_status of_file(const char *path, enum lac_status st,
			       struct lac_err *err)
{
	if (st == LAC_OK || st == LAC_NO_MEMORY || strstr(err->msg, path))
		return st;
	return lac_err_context(err, st, "%s", path);
}

static enum lac_status ask_pahole(const char *path, enum lac_format format,
				  struct lac_arena *arena,
				  struct lac_pahole_text *ret,
				  struct lac_err *err)
{
	/* never -j: its threads write into each other's lines */
	const char *const argv[] = {
		"pahole",
		"-F",
		format == LAC_FORMAT_BTF ? "btf" : "dwarf",
		"--anon_include",
		"--show_private_classes",
		path,
		NULL,
	};
	char *text = NULL;
	enum lac_status st =
		lac_pipe_read(argv, OUTPUT_MAX, PATIENCE_S, &text, err);

	if (st == LAC_NOT_FOUND)
		return lac_fail(err, LAC_NOT_FOUND,
				"pahole is not installed; it is in the package "
				"dwarves");
	if (st == LAC_OK)
		st = lac_pahole_parse(text ? text : "", arena, ret, err);
	free(text);
	return of_file(path, st, err);
}

static enum lac_status run(struct lac_run *r, struct lac_err *err)
{
	LAC_CLEANUP_GRAPH struct lac_graph *g = NULL;
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct verifier v = {
		.d = r->doc,
		.arena = arena,
		.differences = json_array(),
		.known = json_array(),
	};
	struct lac_pahole_text theirs;

	lac_doc_set(r->doc, r->doc->data, "differences", v.differences);
	lac_doc_set(r->doc, r->doc->data, "pahole_defects", v.known);
	if (!arena)
		return lac_fail_memory(err);
	LAC_TRY(lac_load(r->args[0], NULL, &g, err));
	v.g = g;
	v.layout.rules = lac_rules_create(g, arena);
	if (!v.layout.rules)
		return lac_fail_memory(err);
	LAC_TRY(collect_names(&v, err));
	LAC_TRY(ask_pahole(r->args[0], g->format, arena, &theirs, err));
	if (!theirs.nrecords)
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: pahole finds no record in it; there is "
				"nothing to compare with",
				r->args[0]);
	for (uint32_t i = 0; i < theirs.nrecords; i++)
		LAC_TRY(of_file(r->args[0],
				verify_record(&v, &theirs.records[i], err),
				err));
	report(&v);
	lac_load_incomplete(r->doc, g);
	if (json_array_size(v.differences) ||
	    (given.strict && json_array_size(v.known)))
		r->verdict = LAC_EXIT_FOUND;
	return LAC_OK;
}

const struct lac_cmd lac_cmd_verify = {
	.name = "verify",
	.args = "FILE",
	.summary = "every record against the installed pahole",
	.help = "Sizes, places and sizes of members, holes and padding. "
		"Exit status 1 if\nanything differs for which there is no "
		"proof that pahole is wrong.\n",
	.min_args = 1,
	.max_args = 1,
	.files = 1,
	.options = options,
	.run = run,
	.untrusted = true,
	.execs = true,
};

/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_data.c - the JSON of a diff. */
#include <string.h>

#include "diff_data.h"
#include "json_number.h"

/* by_name: something was selected by type or file. */
static json_t *side_json(struct lac_doc *doc, const struct lac_diff_side *s,
			 bool by_name, const struct lac_build_facts *facts)
{
	json_t *j = json_object();

	lac_doc_set(doc, j, "build",
		    facts ? lac_build_facts_data(doc, facts) : json_null());

	lac_doc_set(doc, j, "path", lac_doc_string(s->path));
	lac_doc_set(doc, j, "format",
		    json_string(s->format == LAC_FORMAT_BTF ? "btf" : "dwarf"));
	lac_doc_set(doc, j, "version", lac_doc_string(s->version));
	lac_doc_set(doc, j, "missing", lac_doc_string(s->missing));
	lac_doc_set(doc, j, "tells_alignment", json_boolean(s->tells_alignment));
	lac_doc_set(doc, j, "records", count(s->nrecords));
	lac_doc_set(doc, j, "enums", count(s->nenums));
	lac_doc_set(doc, j, "selected",
		    by_name ? count(s->nselected) : json_null());
	return j;
}

static json_t *cause_json(struct lac_doc *doc, const struct lac_cause *c)
{
	json_t *j = json_object();
	bool texts = !strcmp(c->what, "type");

	lac_doc_set(doc, j, "name", lac_doc_string(c->name));
	lac_doc_set(doc, j, "change", json_string(c->what));
	lac_doc_set(doc, j, "old", texts ? lac_doc_string(c->old_text)
					 : lac_json_size(c->old_value));
	lac_doc_set(doc, j, "new", texts ? lac_doc_string(c->new_text)
					 : lac_json_size(c->new_value));
	lac_doc_set(doc, j, "held_by",
		    c->held_by == LAC_NONE ? json_null() : count(c->held_by));
	if (c->held_by == LAC_NONE)
		lac_doc_set(doc, j, "held_by_status",
			    json_string("not counted"));
	lac_doc_set(doc, j, "records", count(c->records));
	lac_doc_set(doc, j, "alone", count(c->alone));
	lac_doc_set(doc, j, "lines_more", count(c->lines_more));
	lac_doc_set(doc, j, "lines_less", count(c->lines_less));
	lac_doc_set(doc, j, "crossings_more", count(c->crossings_more));
	lac_doc_set(doc, j, "crossings_less", count(c->crossings_less));
	lac_doc_set(doc, j, "order_more", count(c->order_more));
	lac_doc_set(doc, j, "order_less", count(c->order_less));
	return j;
}

static void summary(struct lac_doc *doc, const struct lac_diff *d,
		    uint32_t cpus)
{
	uint32_t n[4] = {0}, explained = 0, sized = 0;
	struct lac_cause all = {0}; /* as if one type had caused it all */
	json_t *j = json_object();

	for (uint32_t i = 0; i < d->nrecords; i++) {
		const struct lac_record_diff *r = &d->records[i];

		n[r->pairing]++;
		explained += r->explained;
		if (!r->old_shape || !r->new_shape)
			continue;
		sized += r->old_shape->size != r->new_shape->size;
		lac_cause_count(&all, r, cpus);
	}
	lac_doc_set(doc, doc->data, "summary", j);
	lac_doc_set(doc, j, "changed", count(n[LAC_PAIR_CHANGED]));
	lac_doc_set(doc, j, "explained", count(explained));
	lac_doc_set(doc, j, "size_changed", count(sized));
	lac_doc_set(doc, j, "lines_more", count(all.lines_more));
	lac_doc_set(doc, j, "lines_less", count(all.lines_less));
	lac_doc_set(doc, j, "crossings_more", count(all.crossings_more));
	lac_doc_set(doc, j, "crossings_less", count(all.crossings_less));
	lac_doc_set(doc, j, "order_more", count(all.order_more));
	lac_doc_set(doc, j, "order_less", count(all.order_less));
	lac_doc_set(doc, j, "added", count(n[LAC_PAIR_ADDED]));
	lac_doc_set(doc, j, "removed", count(n[LAC_PAIR_REMOVED]));
	lac_doc_set(doc, j, "renamed", count(n[LAC_PAIR_RENAMED]));
	lac_doc_set(doc, j, "old_unidentified", count(d->old_unidentified));
	lac_doc_set(doc, j, "new_unidentified", count(d->new_unidentified));
}

/* What an option was given: as one text; given again, also one by one. */
static void asked(struct lac_doc *doc, json_t *j, const char *key,
		  const char *list_key, char *const *values)
{
	const char *text = values ? "" : NULL;
	json_t *list = json_array();

	for (char *const *v = values; v && *v; v++) {
		lac_doc_append(doc, list, lac_doc_string(*v));
		if (text)
			text = lac_arena_printf(doc->arena, "%s%s%s", text,
						*text ? "," : "", *v);
	}
	lac_doc_set(doc, j, key, lac_doc_string(text));
	if (list_key && json_array_size(list) > 1)
		lac_doc_set(doc, j, list_key, list);
	else
		json_decref(list);
}

/* What was asked for, and how much differs before that. */
static void selection(struct lac_doc *doc, const struct lac_diff_report *r)
{
	const struct lac_diff_asked *a = &r->asked;
	json_t *j = json_object();

	lac_doc_set(doc, doc->data, "unfiltered", j);
	lac_doc_set(doc, j, "records", count(r->whole->nrecords));
	lac_doc_set(doc, j, "old_unidentified",
		    count(r->whole->old_unidentified));
	lac_doc_set(doc, j, "new_unidentified",
		    count(r->whole->new_unidentified));
	j = lac_diff_asked_any(a) ? json_object() : json_null();
	lac_doc_set(doc, doc->data, "filter", j);
	if (json_is_null(j))
		return;
	asked(doc, j, "type", "types", a->type);
	asked(doc, j, "decl", "decls", a->decl);
	asked(doc, j, "cause", "causes", a->cause);
	asked(doc, j, "only", NULL, a->only);
	lac_doc_set(doc, j, "min_bytes",
		    a->min_bytes ? count(a->min_bytes_value) : json_null());
	asked(doc, j, "ignore", "ignores", a->ignore);
}

static void note(struct lac_doc *doc, json_t *notes, const char *text)
{
	lac_doc_append(doc, notes, json_string(text));
}

static void notes(struct lac_doc *doc, const struct lac_diff *d)
{
	const struct lac_diff_side *a = &d->old_side, *b = &d->new_side;
	json_t *list = json_array();

	lac_doc_set(doc, doc->data, "notes", list);
	if (a->format != b->format)
		note(doc, list,
		     "DWARF against BTF: BTF has no declared alignment and no "
		     "declaring file, one anonymous struct for all that are "
		     "alike, and an array of arrays as one array, so changes "
		     "of these are not looked for, nor of packing, and records "
		     "that moved between files cannot be told from others of "
		     "their name.");
	else if (a->format == LAC_FORMAT_BTF)
		note(doc, list,
		     "BTF has no declared alignment: an alignment is inferred "
		     "from offsets and size, or unknown.");
	if (a->missing || b->missing)
		lac_doc_append(doc, list,
			       json_sprintf("Part of the debug info was not "
					    "found or is malformed, so records "
					    "may be missing: "
					    "%s",
					    a->missing ? a->missing
						       : b->missing));
	if (d->old_unidentified || d->new_unidentified)
		lac_doc_append(
			doc, list,
			json_sprintf("Anonymous types that nothing holds or "
				     "names differ, and nothing says which "
				     "became which: %u only in the old build, "
				     "%u only in the new one.",
				     d->old_unidentified,
				     d->new_unidentified));
}

static void ignored(struct lac_doc *doc, const struct lac_ignore_list *l)
{
	json_t *list = json_array();

	lac_doc_set(doc, doc->data, "ignored", list);
	for (uint32_t i = 0; l && i < l->n; i++) {
		json_t *j = json_object();

		lac_doc_append(doc, list, j);
		lac_doc_set(doc, j, "file", lac_doc_string(l->rules[i].path));
		lac_doc_set(doc, j, "line", count(l->rules[i].line));
		lac_doc_set(doc, j, "kind", lac_doc_string(l->rules[i].kind));
		lac_doc_set(doc, j, "pattern",
			    lac_doc_string(l->rules[i].pattern));
		lac_doc_set(doc, j, "reason", lac_doc_string(l->rules[i].reason));
		lac_doc_set(doc, j, "records", count(l->rules[i].used));
	}
}

static json_t *names_json(struct lac_doc *doc, const struct lac_diff_files *f)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->n; i++) {
		json_t *j = json_object();

		lac_doc_append(doc, list, j);
		lac_doc_set(doc, j, "file", lac_doc_string(f->names[i]));
		if (f->why)
			lac_doc_set(doc, j, "status", lac_doc_string(f->why[i]));
	}
	return list;
}

/* The caches that neither build has a record for. */
static json_t *without(struct lac_doc *doc, const struct lac_slab_weighing *w)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < w->nwithout; i++) {
		const struct lac_slab_cache *c = w->without[i];
		json_t *j = json_object();

		lac_doc_append(doc, list, j);
		lac_doc_set(doc, j, "cache", lac_doc_string(c->name));
		lac_doc_set(doc, j, "objects", count(c->active));
		lac_doc_set(doc, j, "object_bytes", count(c->object_bytes));
		lac_doc_set(doc, j, "bytes",
			    count(c->active * c->object_bytes));
	}
	return list;
}

static void slabinfo(struct lac_doc *doc, const struct lac_diff_report *r)
{
	static const char *const sides[] = {
		[LAC_SLAB_SIDE_OLD] = "old",
		[LAC_SLAB_SIDE_NEW] = "new",
	};
	const struct lac_slab_weighing *w = &r->weighing;
	json_t *j = json_object(), *list = json_array();

	lac_doc_set(doc, doc->data, "slabinfo", j);
	lac_doc_set(doc, j, "path", lac_doc_string(r->slabinfo->path));
	lac_doc_set(doc, j, "side", sides[w->side] ? json_string(sides[w->side])
						   : json_null());
	lac_doc_set(doc, j, "like_old", count(w->like_old));
	lac_doc_set(doc, j, "like_new", count(w->like_new));
	lac_doc_set(doc, j, "like_neither", count(w->like_neither));
	lac_doc_set(doc, j, "caches", count(r->slabinfo->n));
	lac_doc_set(doc, j, "weighed", count(w->nweighed));
	lac_doc_set(doc, j, "cpus_agree",
		    r->cpus_agree ? count(r->cpus_agree) : json_null());
	lac_doc_set(doc, j, "bytes", count(w->bytes));
	lac_doc_set(doc, j, "weighed_bytes", count(w->weighed_bytes));
	lac_doc_set(doc, j, "without_record", without(doc, w));
	lac_doc_set(doc, j, "without_record_bytes", count(w->without_bytes));
	lac_doc_set(doc, j, "misfits", list);
	for (uint32_t i = 0; i < w->nmisfits; i++)
		lac_doc_append(doc, list, lac_doc_string(w->misfits[i]));
}

static void files(struct lac_doc *doc, const struct lac_diff_report *r)
{
	json_t *j = json_object();

	lac_doc_set(doc, doc->data, "files", j);
	lac_doc_set(doc, j, "compared", count(r->compared));
	lac_doc_set(doc, j, "only_old", names_json(doc, &r->only_old));
	lac_doc_set(doc, j, "only_new", names_json(doc, &r->only_new));
	lac_doc_set(doc, j, "skipped", names_json(doc, &r->skipped));
}

void lac_diff_data(struct lac_doc *doc, const struct lac_diff_report *r)
{
	const struct lac_diff *d = r->diff;
	bool by_name = r->asked.type || r->asked.decl;
	json_t *list;

	lac_doc_set(doc, doc->data, "old",
		    side_json(doc, &d->old_side, by_name, r->facts));
	lac_doc_set(doc, doc->data, "new",
		    side_json(doc, &d->new_side, by_name,
			      r->facts ? r->facts + 1 : NULL));
	if (r->dirs)
		files(doc, r);
	notes(doc, d);
	summary(doc, d, r->cpus);
	selection(doc, r);
	list = json_array();
	lac_doc_set(doc, doc->data, "causes", list);
	for (uint32_t i = 0; i < d->ncauses; i++)
		lac_doc_append(doc, list, cause_json(doc, &d->causes[i]));
	lac_doc_set(doc, doc->data, "cpus", count(r->cpus));
	if (d->nkernel)
		lac_diff_kernel_data(doc, r);
	list = json_array();
	lac_doc_set(doc, doc->data, "records", list);
	for (uint32_t i = 0; i < d->nrecords; i++)
		lac_doc_append(doc, list, lac_diff_record_data(doc, r, &d->records[i]));
	if (r->slabinfo)
		slabinfo(doc, r);
	if (r->ignore)
		ignored(doc, r->ignore);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_kernel_views.c - struct page, the allocator, and live objects. */
#include <inttypes.h>

#include "base/words.h"
#include "diff_views.h"

static const struct lac_column live_columns[] = {
	{"title", "Record", LAC_UNIT_NONE, 0, NULL, NULL},
	{"live.objects", "Objects", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"live.old_slot", "Slot", LAC_UNIT_BYTES, 0, NULL, NULL},
	{"live.new_slot", "New slot", LAC_UNIT_BYTES, 0, NULL, NULL},
	{"live.bytes", "Objects' bytes", LAC_UNIT_BYTES, 0, NULL, NULL},
	{"live.old_slab.objects", "In a slab", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"live.new_slab.objects", "New count", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"live.old_slab.order", "Order", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"live.new_slab.order", "New order", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"live.slab_bytes", "Slabs' bytes", LAC_UNIT_BYTES, 0, NULL, NULL},
	/* the last: left out where none is an estimate */
	{"live.slot_is", "Slot is", LAC_UNIT_NONE, 0, NULL, NULL},
};

static const struct lac_column kernel_columns[] = {
	{"name", "Record", LAC_UNIT_NONE, 0, NULL, NULL},
	{"figure", "Figure", LAC_UNIT_NONE, 0, NULL, NULL},
	{"old", "Old", LAC_UNIT_NONE, 0, NULL, NULL},
	{"new", "New", LAC_UNIT_NONE, 0, NULL, NULL},
};

static void kernel_figure(struct lac_doc *doc, json_t *rows,
			  const json_t *row, const char *key,
			  const char *title)
{
	json_t *was = json_object_get(json_object_get(row, "before"), key);
	json_t *is = json_object_get(json_object_get(row, "after"), key);
	json_t *j;

	if ((!was || json_is_null(was)) && (!is || json_is_null(is)))
		return;
	j = json_object();
	lac_doc_set(doc, j, "name",
		    json_incref(json_object_get(row, "name")));
	lac_doc_set(doc, j, "figure", lac_doc_string(title));
	lac_doc_set(doc, j, "old", was ? json_incref(was) : json_null());
	lac_doc_set(doc, j, "new", is ? json_incref(is) : json_null());
	lac_doc_append(doc, rows, j);
}

/* Each figure that a record has in one of the builds. */
static const json_t *kernel_rows(struct lac_doc *doc)
{
	static const char *const figures[][2] = {
		{"size", "size, bytes"},
		{"align", "alignment, bytes"},
		{"variant", "layout"},
		{"pair_aligned", "pair on 16 bytes"},
		{"lock_type", "type of the lock"},
		{"lock_size", "size of the lock, bytes"},
	};
	const json_t *all = json_object_get(doc->data, "kernel");
	json_t *rows = lac_doc_rows(doc);

	for (size_t i = 0; i < json_array_size(all); i++)
		for (size_t k = 0; k < sizeof(figures) / sizeof(*figures); k++)
			kernel_figure(doc, rows, json_array_get(all, i),
				      figures[k][0], figures[k][1]);
	return rows;
}

void lac_diff_kernel_views(struct lac_doc *doc, const struct lac_diff_report *r)
{
	const json_t *m = json_object_get(doc->data, "page_memory");

	if (!r->diff->nkernel)
		return;
	lac_doc_heading(doc, 2, "struct page and the allocator");
	lac_doc_table(doc, "kernel",
		      "Before and after; the pair is {freelist, counters}, of "
		      "a processor {freelist, tid}",
		      COLUMNS(kernel_columns), kernel_rows(doc));
	if (m && (r->ram_bytes ||
		  json_integer_value(json_object_get(m, "delta")))) {
		json_int_t ram =
			json_integer_value(json_object_get(m, "ram"));
		json_int_t old =
			json_integer_value(json_object_get(m, "old"));
		json_int_t new =
			json_integer_value(json_object_get(m, "new"));

		lac_doc_paragraph(
			doc,
			"struct page for %.4g GiB of memory: %.4g GiB before, "
			"%.4g GiB after (%+.4g GiB).",
			(double)ram / (1 << 30), (double)old / (1 << 30),
			(double)new / (1 << 30),
			(double)(new - old) / (1 << 30));
	}
}

/* A record that changed need not change what an object takes. */
static void same_slots(struct lac_doc *doc, const struct lac_diff_report *r)
{
	const char *names = "";

	for (uint32_t i = 0; i < r->diff->nrecords && names; i++) {
		const struct lac_live *l = &r->diff->records[i].live;

		if (l->cache && l->old_slot == l->new_slot)
			names = lac_arena_printf(doc->arena, "%s%s%s (%" PRIu64
						 "%s)", names,
						 *names ? ", " : "", l->cache,
						 l->new_slot,
						 l->estimate ? ", an estimate"
							     : "");
	}
	if (!names || *names)
		lac_doc_paragraph(doc,
				  "Left out, as an object takes as many bytes "
				  "as before, though its record changed: %s.",
				  names ? names : "");
}

/* What the table cannot have, so that no one takes it for the whole. */
static void without_record(struct lac_doc *doc,
			   const struct lac_diff_report *r)
{
	const struct lac_slab_weighing *w = &r->weighing;
	const char *names = "";
	uint32_t few = w->nwithout < 8 ? w->nwithout : 8;

	for (uint32_t i = 0; i < few && names; i++)
		names = lac_arena_printf(
			doc->arena, "%s%s%s (%" PRIu64 ")", names,
			i ? ", " : "", w->without[i]->name,
			w->without[i]->active * w->without[i]->object_bytes);
	lac_doc_paragraph(doc,
			  "Of the %u cache%s of the file, whose objects in use "
			  "take %" PRIu64 " bytes, %u with %" PRIu64
			  " bytes hold records that differ, and %u with %" PRIu64
			  " bytes are left out, as neither build has a record "
			  "that %s called after.",
			  r->slabinfo->n, lac_s(r->slabinfo->n), w->bytes,
			  w->nweighed, w->weighed_bytes, w->nwithout,
			  w->without_bytes, lac_plural(w->nwithout, "it is",
						       "they are"));
	if (!few || !names)
		return;
	if (few < w->nwithout)
		names = lac_arena_printf(doc->arena, "%s and %u more", names,
					 w->nwithout - few);
	lac_doc_paragraph(doc, "Without a record, with the bytes of their "
			  "objects in use: %s.", names ? names : "");
}

/* Said as what they are. */
static void guesses(struct lac_doc *doc, const struct lac_diff_report *r)
{
	const char *names = "";

	for (uint32_t i = 0; i < r->diff->nrecords && names; i++) {
		const struct lac_record_diff *rec = &r->diff->records[i];

		if (rec->live.cache && rec->live.guess)
			names = lac_arena_printf(doc->arena, "%s%s%s is %s",
						 names, *names ? ", " : "",
						 rec->live.cache,
						 rec->new_shape->name);
	}
	if (!names || *names)
		lac_doc_paragraph(doc,
				  "Guesses, by names that Linux gives its "
				  "caches and objects of the size that the "
				  "record asks for: %s.", names ? names : "");
}

static bool any_estimate(const struct lac_diff *d)
{
	for (uint32_t i = 0; i < d->nrecords; i++)
		if (d->records[i].live.cache && d->records[i].live.estimate)
			return true;
	return false;
}

/* How the file was read: no figure of it is worth more than this. */
static void live_basis(struct lac_doc *doc, const struct lac_diff_report *r)
{
	const struct lac_slab_weighing *w = &r->weighing;
	const char *names = "";

	if (w->side != LAC_SLAB_SIDE_UNKNOWN)
		lac_doc_paragraph(
			doc,
			"%s counts the objects of the %s build: the sizes in "
			"%u of its caches are like the old build's, in %u "
			"like the new one's, in %u like neither's. Both builds are worked out for "
			"these objects in full slabs, by SLUB's rule for %u "
			"processor%s.",
			r->slabinfo->path,
			w->side == LAC_SLAB_SIDE_OLD ? "old" : "new",
			w->like_old, w->like_new, w->like_neither, r->cpus,
			lac_s(r->cpus));
	if (r->cpus_agree)
		lac_doc_paragraph(doc,
				  "With so many processors the rule cuts the "
				  "slabs of %u of the file's %u cache%s as "
				  "they are there.",
				  r->cpus_agree, r->slabinfo->n,
				  lac_s(r->slabinfo->n));
	for (uint32_t i = 0; i < w->nmisfits && names; i++)
		names = lac_arena_printf(doc->arena, "%s%s%s", names,
					 i ? ", " : "", w->misfits[i]);
	if (w->nmisfits && names)
		lac_doc_paragraph(doc,
				  "Left out, as their objects are not of the "
				  "size of the record that they are called "
				  "after: %s.", names);
	same_slots(doc, r);
	guesses(doc, r);
	if (any_estimate(r->diff))
		lac_doc_paragraph(doc,
				  "Where the slot is an estimate, an object "
				  "takes more than its record by no known "
				  "rule, or the record ends in a flexible "
				  "array: as much is added to the record of "
				  "the other build, aligned to a line if the "
				  "objects of the file are.");
	without_record(doc, r);
}

void lac_diff_live_views(struct lac_doc *doc, const struct lac_diff_report *r)
{
	json_t *list;

	if (!r->slabinfo)
		return;
	list = lac_doc_rows(doc);
	for (uint32_t i = 0; i < r->diff->nrecords; i++)
		if (r->diff->records[i].live.cache &&
		    r->diff->records[i].live.old_slot !=
			    r->diff->records[i].live.new_slot)
			lac_doc_append(doc, list,
				       json_incref(lac_diff_row(doc, i)));
	lac_doc_heading(doc, 2, "Live objects");
	live_basis(doc, r);
	if (!json_array_size(list)) {
		lac_doc_paragraph(doc, "No cache of the slabinfo holds a "
				       "record whose slot changed.");
		return;
	}
	lac_doc_table(doc, "live",
		      "Objects in use; the bytes of a slot; objects in use "
		      "times its change; objects in a slab and its order; the "
		      "change of all slabs' bytes",
		      live_columns,
		      sizeof(live_columns) / sizeof(live_columns[0]) -
			      !any_estimate(r->diff),
		      lac_diff_top(doc, r, list));
	lac_diff_top_rest(doc, r, list, "record");
}

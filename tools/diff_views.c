/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_views.c - a diff for people: causes, the kernel's own, the records. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff_figure.h"
#include "diff_report.h"

#define COLUMNS(c) (c), sizeof(c) / sizeof(*(c))

static const struct lac_column cause_columns[] = {
	{"name", "Type", LAC_UNIT_NONE, 0, NULL, NULL},
	{"change", "Change", LAC_UNIT_NONE, 0, NULL, NULL},
	{"old", "Old", LAC_UNIT_NONE, 0, NULL, NULL},
	{"new", "New", LAC_UNIT_NONE, 0, NULL, NULL},
	{"held_by", "Held by", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"records", "Changed", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"alone", "Alone", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"lines_more", "Lines +", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"lines_less", "Lines -", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"crossings_more", "Cross +", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"crossings_less", "Cross -", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"order_more", "Order +", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"order_less", "Order -", LAC_UNIT_COUNT, 0, NULL, NULL},
};

static const struct lac_column record_columns[] = {
	{"label", "Record", LAC_UNIT_NONE, 0, NULL, NULL},
	{"before.size", "Old", LAC_UNIT_BYTES, 0, NULL, NULL},
	{"after.size", "New", LAC_UNIT_BYTES, 0, NULL, NULL},
	{"before.lines", "Lines", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"after.lines", "New", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"before.straddlers", "Cross", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"after.straddlers", "New", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"embedded_by", "Held by", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"cause_text", "Because of", LAC_UNIT_NONE, 0, NULL, NULL},
};

static const struct lac_column live_columns[] = {
	{"label", "Record", LAC_UNIT_NONE, 0, NULL, NULL},
	{"live.objects", "Objects", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"live.old_slot", "Slot", LAC_UNIT_BYTES, 0, NULL, NULL},
	{"live.new_slot", "New", LAC_UNIT_BYTES, 0, NULL, NULL},
	{"live.bytes", "Objects' bytes", LAC_UNIT_BYTES, 0, NULL, NULL},
	{"live.old_slab.objects", "In a slab", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"live.new_slab.objects", "New", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"live.old_slab.order", "Order", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"live.new_slab.order", "New", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"live.slab_bytes", "Slabs' bytes", LAC_UNIT_BYTES, 0, NULL, NULL},
};

static const struct lac_column kernel_columns[] = {
	{"name", "Record", LAC_UNIT_NONE, 0, NULL, NULL},
	{"before.size", "Old", LAC_UNIT_BYTES, 0, NULL, NULL},
	{"after.size", "New", LAC_UNIT_BYTES, 0, NULL, NULL},
	{"before.align", "Align", LAC_UNIT_BYTES, 0, NULL, NULL},
	{"after.align", "New", LAC_UNIT_BYTES, 0, NULL, NULL},
	{"before.variant", "Variant", LAC_UNIT_NONE, 0, NULL, NULL},
	{"after.variant", "New", LAC_UNIT_NONE, 0, NULL, NULL},
	{"before.pair_aligned", "Pair on 16", LAC_UNIT_NONE, 0, NULL, NULL},
	{"after.pair_aligned", "New", LAC_UNIT_NONE, 0, NULL, NULL},
	{"before.lock_type", "Lock", LAC_UNIT_NONE, 0, NULL, NULL},
	{"before.lock_size", "Size", LAC_UNIT_BYTES, 0, NULL, NULL},
	{"after.lock_type", "New lock", LAC_UNIT_NONE, 0, NULL, NULL},
	{"after.lock_size", "Size", LAC_UNIT_BYTES, 0, NULL, NULL},
};

static const struct lac_column single_columns[] = {
	{"label", "Record", LAC_UNIT_NONE, 0, NULL, NULL},
	{"change", "Change", LAC_UNIT_NONE, 0, NULL, NULL},
	{"size", "Size", LAC_UNIT_BYTES, 0, NULL, NULL},
	{"decl", "Declared", LAC_UNIT_NONE, 0, NULL, NULL},
};

static const struct lac_column file_columns[] = {
	{"file", "File", LAC_UNIT_NONE, 0, NULL, NULL},
	{"status", "Why", LAC_UNIT_NONE, 0, NULL, NULL},
};

static bool single(const struct lac_record_diff *r)
{
	return !r->old_shape || !r->new_shape;
}

/* The record's object in the data, which is in the diff's order. */
static json_t *row_of(struct lac_doc *doc, uint32_t i)
{
	return json_array_get(json_object_get(doc->data, "records"), i);
}

static json_int_t figure(const json_t *row, const char *key)
{
	return json_integer_value(json_object_get(row, key));
}

/* "324 take more lines and 3 fewer, ..." of a cause or the summary, or "". */
static const char *effects(struct lac_arena *arena, const json_t *row)
{
	static const struct {
		const char *more, *less;	/* keys */
		const char *rise, *fall, *also; /* "324 RISE and 3 ALSO" */
	} kinds[] = {
		{"lines_more", "lines_less", "take more lines",
		 "take fewer lines", "fewer"},
		{"crossings_more", "crossings_less",
		 "have more members across a line",
		 "have fewer members across a line", "fewer"},
		{"order_more", "order_less", "would have slabs of a higher order",
		 "would have slabs of a lower order", "of a lower one"},
	};
	const char *text = "";

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds) && text; i++) {
		json_int_t more = figure(row, kinds[i].more);
		json_int_t less = figure(row, kinds[i].less);

		if (!more && !less)
			continue;
		text = lac_arena_printf(arena, "%s%s%" JSON_INTEGER_FORMAT " %s",
					text, *text ? ", " : "",
					more ? more : less,
					more ? kinds[i].rise : kinds[i].fall);
		if (text && more && less)
			text = lac_arena_printf(
				arena, "%s and %" JSON_INTEGER_FORMAT " %s",
				text, less, kinds[i].also);
	}
	return text;
}

/* "--type 'g*' --only size"; NULL: out of memory. */
static const char *asked_text(struct lac_arena *arena,
			      const struct lac_diff_asked *a)
{
	const struct {
		const char *option, *value;
	} given[] = {
		{"type", a->type},	     {"decl", a->decl},
		{"cause", a->cause},	     {"only", a->only},
		{"min-bytes", a->min_bytes}, {"ignore", a->ignore},
	};
	const char *text = "";

	for (size_t i = 0; i < sizeof(given) / sizeof(*given) && text; i++)
		if (given[i].value)
			text = lac_arena_printf(arena, "%s%s--%s '%s'", text,
						*text ? " " : "",
						given[i].option,
						given[i].value);
	return text;
}

/* What is left of the differences, by which options: no one need ask. */
static void selection(struct lac_doc *doc, const struct lac_diff_report *r)
{
	const struct lac_diff *w = r->whole;
	const char *text = asked_text(doc->arena, &r->asked);
	const char *kept = r->diff->nrecords
				   ? lac_arena_printf(doc->arena, "%u are",
						      r->diff->nrecords)
				   : "none is";

	if (w->nrecords)
		lac_doc_paragraph(doc,
				  "Of %u record%s that differ%s in all, %s "
				  "selected by %s.", w->nrecords,
				  w->nrecords == 1 ? "" : "s",
				  w->nrecords == 1 ? "s" : "", kept ? kept : "",
				  text ? text : "");
	else
		lac_doc_paragraph(doc,
				  "No record that has a name or a place "
				  "differs; anonymous types that nothing holds "
				  "do, in all, before what %s selects.",
				  text ? text : "");
}

static void summary(struct lac_doc *doc, const struct lac_diff_report *r)
{
	bool all = !lac_diff_asked_any(&r->asked) ||
		   !(r->whole->nrecords || r->whole->old_unidentified ||
		     r->whole->new_unidentified);
	const struct lac_diff *d = r->diff;
	const json_t *s = json_object_get(doc->data, "summary");
	json_int_t n = figure(s, "changed"), added = figure(s, "added"),
		   removed = figure(s, "removed"),
		   renamed = figure(s, "renamed");
	const char *text = effects(doc->arena, s);

	if (r->dirs)
		lac_doc_paragraph(doc, "%u files compared.", r->compared);
	if (!all)
		selection(doc, r);
	if (!n && !added && !removed && !renamed) {
		if (!all)
			return;
		lac_doc_paragraph(doc,
				  "No difference in %u records and %u "
				  "enumerations%s.",
				  d->new_side.nrecords, d->new_side.nenums,
				  d->old_unidentified || d->new_unidentified
					  ? ", but in anonymous types that "
					    "nothing holds"
					  : "");
		return;
	}
	lac_doc_paragraph(
		doc,
		"%" JSON_INTEGER_FORMAT " changed, %" JSON_INTEGER_FORMAT
		" of them in size, and %" JSON_INTEGER_FORMAT " only because "
		"of an inner type; %" JSON_INTEGER_FORMAT " added, %"
		JSON_INTEGER_FORMAT " removed, %" JSON_INTEGER_FORMAT
		" renamed (a guess, by structure).%s%s%s",
		n, figure(s, "size_changed"), figure(s, "explained"), added,
		removed, renamed, text && *text ? " Of those that changed, " : "",
		text ? text : "", text && *text ? "." : "");
}

static void notes(struct lac_doc *doc)
{
	const json_t *list = json_object_get(doc->data, "notes");

	for (size_t i = 0; i < json_array_size(list); i++)
		lac_doc_paragraph(doc, "Note: %s",
				  json_string_value(json_array_get(list, i)));
}

static void file_table(struct lac_doc *doc, const char *key, const char *title)
{
	const json_t *list = json_object_get(
		json_object_get(doc->data, "files"), key);

	if (json_array_size(list))
		lac_doc_table(doc, key, title, file_columns,
			      strcmp(key, "skipped") ? 1 : 2, list);
}

/* A type can be a page long: its beginning must do in a table. */
#define TEXT_MAX 40

static void clip(struct lac_doc *doc, json_t *row, const char *key)
{
	const char *text = json_string_value(json_object_get(row, key));
	char cut[TEXT_MAX + 4];
	size_t n = TEXT_MAX;

	if (!text || strlen(text) <= TEXT_MAX)
		return;
	while (n && ((unsigned char)text[n] & 0xc0) == 0x80)
		n--; /* not within a character */
	snprintf(cut, sizeof(cut), "%.*s...", (int)n, text);
	lac_doc_set(doc, row, key, json_string(cut));
}

/* The first, with texts that fit a table. */
static const json_t *cause_rows(struct lac_doc *doc, const json_t *all,
				size_t n)
{
	json_t *rows = lac_doc_rows(doc);

	for (size_t i = 0; i < n; i++) {
		json_t *row = json_copy(json_array_get(all, i));

		if (row) {
			clip(doc, row, "old");
			clip(doc, row, "new");
		}
		lac_doc_append(doc, rows, row);
	}
	return rows;
}

/* The first of them as a sentence, which can be pasted into a mail. */
static void in_words(struct lac_doc *doc, const struct lac_cause *c,
		     const json_t *row)
{
	const char *text = effects(doc->arena, row);
	const char *change =
		!strcmp(c->what, "type") ||
				c->old_value == LAC_SIZE_UNKNOWN ||
				c->new_value == LAC_SIZE_UNKNOWN
			? lac_arena_printf(doc->arena, "another %s", c->what)
			: lac_arena_printf(doc->arena,
					   "%s%" PRIu64 " -> %" PRIu64
					   " bytes",
					   strcmp(c->what, "size") ? "aligned "
								   : "",
					   c->old_value, c->new_value);

	lac_doc_paragraph(doc, "%s, %s: %u record%s%s%s.", c->name,
			  change ? change : "", c->records,
			  c->records == 1 ? " changes" : "s change",
			  text && *text ? "; " : "", text ? text : "");
}

static void causes(struct lac_doc *doc, const struct lac_diff_report *r)
{
	const json_t *all = json_object_get(doc->data, "causes");
	size_t n = json_array_size(all);
	size_t shown = r->top && r->top < n ? r->top : n;

	if (!n)
		return;
	lac_doc_heading(doc, 2, "Root causes");
	for (uint32_t i = 0; i < n && i < 3; i++)
		in_words(doc, &r->diff->causes[i], json_array_get(all, i));
	lac_doc_table(doc, "causes",
		      "Inner types that changed: records that hold one, at any "
		      "depth; those that changed because of it, and by it "
		      "alone; how many of these gained or lost lines, members "
		      "across a line, and an order of their slabs",
		      COLUMNS(cause_columns), cause_rows(doc, all, shown));
	lac_doc_table_full(doc, all);
	if (n <= 3) /* the words have said it */
		lac_doc_detail(doc);
	if (shown < n)
		lac_doc_paragraph(doc, "%zu more causes follow; --top N shows "
				       "N of them, --top 0 each.",
				  n - shown);
}

static void kernel(struct lac_doc *doc, const struct lac_diff_report *r)
{
	const json_t *m = json_object_get(doc->data, "page_memory");

	if (!r->diff->nkernel)
		return;
	lac_doc_heading(doc, 2, "struct page and the allocator");
	lac_doc_table(doc, "kernel",
		      "Before and after; the pair is {freelist, counters}, of "
		      "a processor {freelist, tid}",
		      COLUMNS(kernel_columns),
		      json_object_get(doc->data, "kernel"));
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
			"like the new one's. Both builds are worked out for "
			"these objects in full slabs, by SLUB's rule for %u "
			"processors.",
			r->slabinfo->path,
			w->side == LAC_SLAB_SIDE_OLD ? "old" : "new",
			w->like_old, w->like_new, r->cpus);
	if (r->cpus_agree)
		lac_doc_paragraph(doc,
				  "With so many processors the rule gives %u "
				  "of the %u caches the slabs that they have "
				  "in the file.",
				  r->cpus_agree, r->slabinfo->n);
	for (uint32_t i = 0; i < w->nmisfits && names; i++)
		names = lac_arena_printf(doc->arena, "%s%s%s", names,
					 i ? ", " : "", w->misfits[i]);
	if (w->nmisfits && names)
		lac_doc_paragraph(doc,
				  "Left out, as their objects are not of the "
				  "size of the record that they are called "
				  "after: %s.", names);
}

static void live_table(struct lac_doc *doc, const struct lac_diff_report *r)
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
				       json_incref(row_of(doc, i)));
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
		      COLUMNS(live_columns), list);
}

static bool listed(const struct lac_record_diff *r, bool all)
{
	return !single(r) && (all || !r->explained);
}

static void record_table(struct lac_doc *doc, const struct lac_diff_report *r)
{
	json_t *list = lac_doc_rows(doc);

	for (uint32_t i = 0; i < r->diff->nrecords; i++)
		if (listed(&r->diff->records[i], r->all))
			lac_doc_append(doc, list,
				       json_incref(row_of(doc, i)));
	if (!json_array_size(list))
		return;
	lac_doc_heading(doc, 2, "Changed records");
	lac_doc_table(doc, "records",
		      r->all ? "By cost: bytes, lines, members across a line"
			     : "Records with changes of their own, by cost: bytes, "
			       "lines, members across a line (--all lists those "
			       "that an inner type explains, too)",
		      COLUMNS(record_columns), list);
}

/* What no "-" and "+" lines can say. */
static void remarks(struct lac_doc *doc, const struct lac_record_diff *r,
		    bool all)
{
	if (r->pairing == LAC_PAIR_RENAMED)
		lac_doc_paragraph(doc, "Renamed from %s: a guess, by its "
				       "structure.", r->old_shape->label);
	for (uint32_t i = 0; i < r->nchanges; i++) {
		const struct lac_change *c = &r->changes[i];

		if (c->inherited && !all)
			continue;
		if (c->class == LAC_CHANGE_MEMBER_RENAMED)
			lac_doc_paragraph(doc, "%s is called %s now: a guess, "
					       "by its place and type.",
					  c->old_text, c->new_text);
		else if (c->class == LAC_CHANGE_LINE_CROSSING)
			lac_doc_paragraph(doc, "%s: %s", c->member,
					  c->new_value > c->old_value
						  ? "crosses a line now."
						  : "crosses fewer lines now.");
		else if (c->class == LAC_CHANGE_PACKED ||
			 c->class == LAC_CHANGE_KIND)
			lac_doc_paragraph(doc, "%s: %s before, %s now.",
					  lac_change_class_name(c->class),
					  c->old_text, c->new_text);
	}
}

#define BRIEF 5u

static void details(struct lac_doc *doc, const struct lac_diff_report *r)
{
	uint32_t shown = 0, more = 0;
	const char *headline;
	size_t from;

	for (uint32_t i = 0; i < r->diff->nrecords; i++) {
		const struct lac_record_diff *rec = &r->diff->records[i];

		if (!listed(rec, r->all))
			continue;
		if (r->top && shown == r->top) {
			more++;
			continue;
		}
		/* a few are what a brief document is for */
		from = shown++ < BRIEF ? SIZE_MAX : doc->nviews;
		headline = lac_diff_headline(doc->arena, r, rec);
		lac_doc_heading(doc, 3, "%s", headline ? headline : "");
		remarks(doc, rec, r->all);
		lac_diff_listing(doc, rec, r->all);
		lac_diff_figure(doc, rec, r->line_size);
		lac_doc_detail_since(doc, from);
	}
	if (more)
		lac_doc_paragraph(doc, "%u more are only in the table; --top 0 "
				       "shows each.", more);
}

static void single_table(struct lac_doc *doc, const struct lac_diff_report *r)
{
	json_t *list = lac_doc_rows(doc);

	for (uint32_t i = 0; i < r->diff->nrecords; i++)
		if (single(&r->diff->records[i]))
			lac_doc_append(doc, list,
				       json_incref(row_of(doc, i)));
	if (!json_array_size(list))
		return;
	lac_doc_heading(doc, 2, "Added and removed");
	lac_doc_table(doc, "single", "In one of the builds only",
		      COLUMNS(single_columns), list);
	lac_doc_detail_since(doc, doc->nviews - 2);
}

static void ignored(struct lac_doc *doc, const struct lac_diff_report *r)
{
	for (uint32_t i = 0; r->ignore && i < r->ignore->n; i++) {
		const struct lac_ignore_rule *rule = &r->ignore->rules[i];

		if (rule->used)
			lac_doc_paragraph(doc, "Ignored: %u by '%s' (%s).",
					  rule->used, rule->pattern,
					  rule->reason);
		else
			lac_doc_paragraph(doc, "Ignored: nothing by '%s', "
					       "%s:%u; the rule can go.",
					  rule->pattern, r->ignore->path,
					  rule->line);
	}
}

void lac_diff_head(struct lac_doc *doc, const struct lac_diff_report *r)
{
	const struct lac_diff *d = r->diff;

	lac_doc_heading(doc, 1, "%s -> %s", d->old_side.path,
			d->new_side.path);
	if (r->facts) {
		lac_build_facts_show(doc, "Old: ", &r->facts[0]);
		lac_build_facts_show(doc, "New: ", &r->facts[1]);
		lac_doc_paragraph(doc, "Cache lines of %u bytes%s.",
				  r->line_size,
				  d->nkernel ? lac_arena_printf(
						       doc->arena,
						       "; slab orders for %u "
						       "processors and pages "
						       "of 4096 bytes%s",
						       r->cpus,
						       lac_kmalloc_known(d)
							       ? "; kmalloc's "
								 "buckets as "
								 "on x86-64"
							       : "")
					     : "");
	}
	summary(doc, r);
	notes(doc);
}

void lac_diff_body(struct lac_doc *doc, const struct lac_diff_report *r)
{
	if (r->dirs) {
		file_table(doc, "only_old", "Only in the old directory");
		file_table(doc, "only_new", "Only in the new directory");
		file_table(doc, "skipped", "Not compared");
	}
	causes(doc, r);
	kernel(doc, r);
	live_table(doc, r);
	record_table(doc, r);
	details(doc, r);
	single_table(doc, r);
	ignored(doc, r);
}

void lac_diff_views(struct lac_doc *doc, const struct lac_diff_report *r)
{
	lac_diff_head(doc, r);
	lac_diff_body(doc, r);
}

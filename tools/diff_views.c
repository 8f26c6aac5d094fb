/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_views.c - a diff for people: what was compared, and the causes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "base/words.h"
#include "diff_views.h"

/* For people: what two columns have beside each other is one, of 72. */
static const struct lac_column cause_columns[] = {
	{"name", "Type", LAC_UNIT_NONE, 0, NULL, NULL},
	{"old", "Old", LAC_UNIT_NONE, 0, NULL, NULL},
	{"new", "New", LAC_UNIT_NONE, 0, NULL, NULL},
	{"held_by", "Held by", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"records", "Changed", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"alone", "Alone", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"lines", "Lines", LAC_UNIT_NONE, 0, NULL, NULL},
	{"crossings", "Cross", LAC_UNIT_NONE, 0, NULL, NULL},
	{"order", "Order", LAC_UNIT_NONE, 0, NULL, NULL},
};

/* For programs. */
static const struct lac_column all_cause_columns[] = {
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

/* A row a figure, as few of the records have the same ones. */
static const struct lac_column file_columns[] = {
	{"file", "File", LAC_UNIT_NONE, 0, NULL, NULL},
	{"status", "Why", LAC_UNIT_NONE, 0, NULL, NULL},
};

json_t *lac_diff_row(struct lac_doc *doc, uint32_t i)
{
	return json_array_get(json_object_get(doc->data, "records"), i);
}

static json_int_t figure(const json_t *row, const char *key)
{
	return json_integer_value(json_object_get(row, key));
}

/* "324 take more lines and 3 fewer, ..." of a cause or the summary, or "". */
static const char *effects(struct lac_arena *arena, const json_t *row,
			   bool allocator)
{
	static const struct {
		const char *more, *less;	/* keys */
		const char *one, *many;		/* verbs */
		const char *rise, *fall, *also; /* "324 RISE and 3 ALSO" */
	} kinds[] = {
		{"lines_more", "lines_less", "takes", "take", "more lines",
		 "fewer lines", "fewer"},
		{"crossings_more", "crossings_less", "has", "have",
		 "more members across a line", "fewer members across a line",
		 "fewer"},
		{"order_more", "order_less", "would have", "would have",
		 "slabs of a higher order", "slabs of a lower order",
		 "of a lower one"},
	};
	const char *text = "";

	for (size_t i = 0; i < (allocator ? 3 : 2) && text; i++) {
		json_int_t more = figure(row, kinds[i].more);
		json_int_t less = figure(row, kinds[i].less);
		json_int_t n = more ? more : less;

		if (!n)
			continue;
		text = lac_arena_printf(arena,
					"%s%s%" JSON_INTEGER_FORMAT " %s %s",
					text, *text ? ", " : "", n,
					lac_plural((uint64_t)n, kinds[i].one,
						   kinds[i].many),
					more ? kinds[i].rise : kinds[i].fall);
		if (text && more && less)
			text = lac_arena_printf(
				arena, "%s and %" JSON_INTEGER_FORMAT " %s",
				text, less, kinds[i].also);
	}
	return text;
}

/* Options that select types, whether they differ, and those that do not. */
enum asked_part { ASKED_BY_NAME = 1, ASKED_BY_CHANGE = 2 };

/* "--type 'g*' --only size"; NULL: out of memory. */
static const char *asked_text(struct lac_arena *arena,
			      const struct lac_diff_asked *a, unsigned parts)
{
	char *min_bytes[] = {(char *)(uintptr_t)a->min_bytes, NULL};
	const struct {
		const char *option;
		char *const *values;
	} given[] = {
		{"type", a->type},	 {"decl", a->decl},
		{"cause", a->cause},	 {"only", a->only},
		{"min-bytes", min_bytes}, {"ignore", a->ignore},
	};
	size_t from = parts & ASKED_BY_NAME ? 0 : 2;
	size_t to = parts & ASKED_BY_CHANGE ? sizeof(given) / sizeof(*given) : 2;
	const char *text = "";

	for (size_t i = from; i < to; i++)
		for (char *const *v = given[i].values; v && *v && text; v++)
			text = lac_arena_printf(arena, "%s%s--%s '%s'", text,
						*text ? " " : "",
						given[i].option, *v);
	return text;
}

/* "2 records and 1 enumeration" that were compared. */
static const char *compared(struct lac_doc *doc, const struct lac_diff *d)
{
	return lac_arena_printf(doc->arena,
				"%u record%s and %u enumeration%s",
				d->new_side.nrecords, lac_s(d->new_side.nrecords),
				d->new_side.nenums, lac_s(d->new_side.nenums));
}

/* How many types go by the names that were asked for. */
static uint32_t selected_types(const struct lac_diff *d)
{
	return d->new_side.nselected ? d->new_side.nselected
				     : d->old_side.nselected;
}

/* What the options would have selected from, where nothing differs. */
static const char *of_nothing(struct lac_doc *doc,
			      const struct lac_diff_report *r)
{
	const char *names = asked_text(doc->arena, &r->asked, ASKED_BY_NAME);
	const char *changes = asked_text(doc->arena, &r->asked,
					 ASKED_BY_CHANGE);
	const char *text = "";

	if (names && *names)
		text = lac_arena_printf(doc->arena,
					", of which %s selects %u", names,
					selected_types(r->diff));
	if (text && changes && *changes)
		text = lac_arena_printf(doc->arena,
					"%s, and none for %s to select from",
					text, changes);
	return text ? text : "";
}

/* What is left of the differences, by which options: no one need ask. */
static void selection(struct lac_doc *doc, const struct lac_diff_report *r)
{
	const struct lac_diff *w = r->whole;
	const char *text = asked_text(doc->arena, &r->asked,
				      ASKED_BY_NAME | ASKED_BY_CHANGE);
	const char *names = asked_text(doc->arena, &r->asked, ASKED_BY_NAME);
	const char *of = compared(doc, w), *looked = "";
	const char *kept = r->diff->nrecords
				   ? lac_arena_printf(
					     doc->arena, "%u %s",
					     r->diff->nrecords,
					     lac_plural(r->diff->nrecords,
							"is", "are"))
				   : "none is";

	if (!r->diff->nrecords && names && *names)
		looked = lac_arena_printf(doc->arena,
					  " %s selects %u of %s, changed or "
					  "not.",
					  text && !strcmp(names, text)
						  ? "It"
						  : names,
					  selected_types(r->diff),
					  of ? of : "");
	if (w->nrecords)
		lac_doc_paragraph(doc,
				  "Of %u record%s that differ%s in all, %s "
				  "selected by %s.%s", w->nrecords,
				  lac_s(w->nrecords),
				  lac_plural(w->nrecords, "s", ""), kept ? kept : "",
				  text ? text : "", looked ? looked : "");
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
	const char *text = effects(doc->arena, s, d->has_allocator), *of;

	if (r->dirs)
		lac_doc_paragraph(doc, "%u file%s compared.", r->compared,
				  lac_s(r->compared));
	if (!all)
		selection(doc, r);
	if (!n && !added && !removed && !renamed) {
		if (!all)
			return;
		of = compared(doc, d);
		lac_doc_paragraph(doc, "No difference in %s%s%s.", of ? of : "",
				  d->old_unidentified || d->new_unidentified
					  ? ", but in anonymous types that "
					    "nothing holds"
					  : "",
				  of_nothing(doc, r));
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

/* "+163 -32" of KEY_more and KEY_less, or "0", at KEY of the row. */
static void merge(struct lac_doc *doc, json_t *row, const char *key)
{
	char more_key[32], less_key[32], text[64];
	json_int_t more, less;

	snprintf(more_key, sizeof(more_key), "%s_more", key);
	snprintf(less_key, sizeof(less_key), "%s_less", key);
	more = figure(row, more_key);
	less = figure(row, less_key);
	if (more && less)
		snprintf(text, sizeof(text), "+%" JSON_INTEGER_FORMAT " -%"
			 JSON_INTEGER_FORMAT, more, less);
	else if (more || less)
		snprintf(text, sizeof(text), "%c%" JSON_INTEGER_FORMAT,
			 more ? '+' : '-', more ? more : less);
	else
		snprintf(text, sizeof(text), "0");
	lac_doc_set(doc, row, key, json_string(text));
}

/* Of a size there are bytes, of a type its texts: only this needs a word. */
static void name_change(struct lac_doc *doc, json_t *row)
{
	const char *name = json_string_value(json_object_get(row, "name"));
	const char *what = json_string_value(json_object_get(row, "change"));

	if (name && what && !strcmp(what, "align"))
		lac_doc_set(doc, row, "name",
			    json_sprintf("%s, aligned", name));
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
			name_change(doc, row);
			merge(doc, row, "lines");
			merge(doc, row, "crossings");
			merge(doc, row, "order");
		}
		lac_doc_append(doc, rows, row);
	}
	return rows;
}

const json_t *lac_diff_top(struct lac_doc *doc,
			   const struct lac_diff_report *r, json_t *list)
{
	json_t *rows;

	if (!r->top || json_array_size(list) <= r->top)
		return list;
	rows = lac_doc_rows(doc);
	for (size_t i = 0; i < r->top; i++)
		lac_doc_append(doc, rows,
			       json_incref(json_array_get(list, i)));
	return rows;
}

void lac_diff_top_rest(struct lac_doc *doc, const struct lac_diff_report *r,
		       const json_t *list, const char *what)
{
	size_t n = json_array_size(list);

	if (!r->top || n <= r->top)
		return;
	lac_doc_table_full(doc, list);
	n -= r->top;
	lac_doc_paragraph(doc, "and %zu more %s%s; --top N shows N of them, "
			       "--top 0 each; -o json and -o csv have all.",
			  n, what, lac_s(n));
}

/* The first of them as a sentence, which can be pasted into a mail. */
static void in_words(struct lac_doc *doc, const struct lac_diff_report *r,
		     const struct lac_cause *c, const json_t *row)
{
	const char *text = effects(doc->arena, row, r->diff->has_allocator);
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

	lac_doc_paragraph(doc, "%s, %s: %u %s%s%s.", c->name,
			  change ? change : "", c->records,
			  lac_plural(c->records, "record changes",
				     "records change"),
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
		in_words(doc, r, &r->diff->causes[i], json_array_get(all, i));
	lac_doc_table(doc, "causes",
		      "Inner types that changed: records that hold one, at any "
		      "depth; those that changed because of it, and by it "
		      "alone; how many of these gained or lost lines, members "
		      "across a line, and an order of their slabs",
		      COLUMNS(cause_columns), cause_rows(doc, all, shown));
	lac_doc_table_full(doc, all);
	lac_doc_table_full_columns(doc, COLUMNS(all_cause_columns));
	if (n <= 3) /* the words have said it */
		lac_doc_detail(doc);
	if (shown < n)
		lac_doc_paragraph(doc, "%zu more %s; --top N shows "
				       "N of them, --top 0 each.",
				  n - shown,
				  lac_plural(n - shown, "cause follows",
					     "causes follow"));
}

static void ignored(struct lac_doc *doc, const struct lac_diff_report *r)
{
	for (uint32_t i = 0; r->ignore && i < r->ignore->n; i++) {
		const struct lac_ignore_rule *rule = &r->ignore->rules[i];
		const char *pattern =
			lac_quote_brief(rule->pattern, doc->arena);
		const char *reason = lac_quote_brief(rule->reason, doc->arena);

		if (!pattern || !reason)
			doc->broken = true;
		else if (rule->used)
			lac_doc_paragraph(doc, "Ignored: %u by '%s' (%s).",
					  rule->used, pattern, reason);
		else
			lac_doc_paragraph(doc, "Ignored: nothing by '%s', "
					       "%s:%u; the rule can go.",
					  pattern, rule->path,
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
		lac_doc_paragraph(doc, "Cache lines of %u bytes%s%s.",
				  r->line_size,
				  d->line_assumed ? " (assumed: the machine "
						    "does not fix it)" : "",
				  d->has_allocator ? lac_arena_printf(
						       doc->arena,
						       "; slab orders for %u "
						       "processor%s and pages "
						       "of 4096 bytes%s",
						       r->cpus,
						       lac_s(r->cpus),
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
	lac_diff_kernel_views(doc, r);
	lac_diff_live_views(doc, r);
	lac_diff_record_views(doc, r);
	ignored(doc, r);
}

void lac_diff_views(struct lac_doc *doc, const struct lac_diff_report *r)
{
	lac_diff_head(doc, r);
	lac_diff_body(doc, r);
}

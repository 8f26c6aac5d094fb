/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_record_views.c - the records that differ: a table, and each in full. */
#include "base/words.h"
#include "diff_figure.h"
#include "diff_views.h"

static const struct lac_column record_columns[] = {
	{"title", "Record", LAC_UNIT_NONE, 0, NULL, NULL},
	{"before.size", "Size", LAC_UNIT_BYTES, 0, NULL, NULL},
	{"after.size", "New size", LAC_UNIT_BYTES, 0, NULL, NULL},
	{"before.lines", "Lines", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"after.lines", "New lines", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"before.straddlers", "Cross", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"after.straddlers", "New cross", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"embedded_by", "Held by", LAC_UNIT_COUNT, 0, NULL, NULL},
	{"cause_text", "Because of", LAC_UNIT_NONE, 0, NULL, NULL},
};

static const struct lac_column single_columns[] = {
	{"label", "Record", LAC_UNIT_NONE, 0, NULL, NULL},
	{"change", "Change", LAC_UNIT_NONE, 0, NULL, NULL},
	{"size", "Size", LAC_UNIT_BYTES, 0, NULL, NULL},
	{"decl", "Declared", LAC_UNIT_NONE, 0, NULL, NULL},
};

static bool single(const struct lac_record_diff *r)
{
	return !r->old_shape || !r->new_shape;
}

static bool listed(const struct lac_record_diff *r, bool all)
{
	return !single(r) && (all || !r->explained);
}

/* Nothing is in the table: that is not to look like nothing. */
static void hidden(struct lac_doc *doc, const struct lac_diff_report *r)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->diff->nrecords; i++)
		n += !single(&r->diff->records[i]);
	if (n)
		lac_doc_paragraph(doc,
				  "%u %s only because of an inner type; --all "
				  "lists %s, --type NAME shows one in full.",
				  n, lac_plural(n, "record changes",
						"records change"),
				  lac_plural(n, "it", "them"));
}

static void record_table(struct lac_doc *doc, const struct lac_diff_report *r)
{
	json_t *list = lac_doc_rows(doc);

	for (uint32_t i = 0; i < r->diff->nrecords; i++)
		if (listed(&r->diff->records[i], r->all))
			lac_doc_append(doc, list,
				       json_incref(lac_diff_row(doc, i)));
	if (!json_array_size(list)) {
		hidden(doc, r);
		return;
	}
	lac_doc_heading(doc, 2, "Changed records");
	lac_doc_table(doc, "records",
		      r->all ? "By cost: bytes, lines, members across a line"
			     : "Records with changes of their own, by cost: bytes, "
			       "lines, members across a line (--all lists those "
			       "that an inner type explains, too)",
		      COLUMNS(record_columns), lac_diff_top(doc, r, list));
	lac_diff_top_rest(doc, r, list, "record");
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
		else if (c->class == LAC_CHANGE_PACKED ||
			 c->class == LAC_CHANGE_KIND)
			lac_doc_paragraph(doc, "%s: %s before, %s now.",
					  lac_change_class_name(c->class),
					  c->old_text, c->new_text);
	}
}

/* A brief document has the first in full; of many, the table says enough. */
#define BRIEF 5u
#define MANY 20u

static uint32_t count_listed(const struct lac_diff_report *r)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->diff->nrecords; i++)
		n += listed(&r->diff->records[i], r->all);
	return n;
}

static void details(struct lac_doc *doc, const struct lac_diff_report *r)
{
	uint32_t n = count_listed(r), shown = 0;
	const char *headline;
	size_t from;

	for (uint32_t i = 0; i < r->diff->nrecords; i++) {
		const struct lac_record_diff *rec = &r->diff->records[i];

		if (!listed(rec, r->all))
			continue;
		if (r->top && shown == r->top)
			break; /* the table has said how many more */
		from = n <= MANY && shown < BRIEF ? SIZE_MAX : doc->nviews;
		shown++;
		headline = lac_diff_headline(doc->arena, r, rec);
		lac_doc_heading(doc, 3, "%s", headline ? headline : "");
		remarks(doc, rec, r->all);
		lac_diff_crossings(doc, rec);
		lac_diff_listing(doc, r->diff, rec, r->all);
		lac_diff_figure(doc, rec, r->line_size);
		lac_doc_detail_since(doc, from);
	}
}

static void single_table(struct lac_doc *doc, const struct lac_diff_report *r)
{
	json_t *list = lac_doc_rows(doc);
	size_t from;

	for (uint32_t i = 0; i < r->diff->nrecords; i++)
		if (single(&r->diff->records[i]))
			lac_doc_append(doc, list,
				       json_incref(lac_diff_row(doc, i)));
	if (!json_array_size(list))
		return;
	from = doc->nviews;
	lac_doc_heading(doc, 2, "Added and removed");
	lac_doc_table(doc, "single", "In one of the builds only",
		      COLUMNS(single_columns), lac_diff_top(doc, r, list));
	lac_diff_top_rest(doc, r, list, "record");
	lac_doc_detail_since(doc, from);
}

void lac_diff_record_views(struct lac_doc *doc, const struct lac_diff_report *r)
{
	record_table(doc, r);
	details(doc, r);
	single_table(doc, r);
}

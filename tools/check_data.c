/* SPDX-License-Identifier: BSD-2-Clause */
/* check_data.c - findings as data, as a text, as JUnit XML. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "check_report.h"
#include "render/xml.h"

static const struct {
	const char *key, *text;
} kinds[LAC_KINDS] = {
	[LAC_KIND_GREW] = {"grew", "grew"},
	[LAC_KIND_HOLES] = {"more-holes", "with more holes"},
	[LAC_KIND_OTHER] = {"other", "changed otherwise"},
	[LAC_KIND_GONE] = {"gone", "gone"},
};

static uint32_t count_kind(const struct lac_check *c,
			   enum lac_finding_kind kind)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->nfindings; i++)
		n += c->findings[i].kind == kind;
	return n;
}

/* "2 grew, 1 gone", and what is of no such kind where there are both. */
static const char *kinds_text(struct lac_arena *arena,
			      const struct lac_check *c)
{
	uint32_t rest = c->nfailed;
	const char *text = "";

	for (int k = LAC_KIND_GREW; k < LAC_KINDS && text; k++) {
		uint32_t n = count_kind(c, (enum lac_finding_kind)k);

		rest -= n;
		if (n)
			text = lac_arena_printf(arena, "%s%s%u %s", text,
						*text ? ", " : "", n,
						kinds[k].text);
	}
	if (text && *text && rest)
		text = lac_arena_printf(arena, "%s, %u rule%s broken or not "
					       "decided", text, rest,
					rest == 1 ? "" : "s");
	return text;
}

static json_t *finding_json(struct lac_doc *doc, const struct lac_finding *f)
{
	json_t *j = json_object();

	lac_doc_set(doc, j, "status",
		    json_string(lac_finding_status_name(f->status)));
	lac_doc_set(doc, j, "kind", lac_doc_string(kinds[f->kind].key));
	lac_doc_set(doc, j, "file", lac_doc_string(f->file));
	lac_doc_set(doc, j, "line", json_integer(f->line));
	lac_doc_set(doc, j, "column", json_integer(f->column));
	lac_doc_set(doc, j, "rule", lac_doc_string(f->subject));
	lac_doc_set(doc, j, "wanted", lac_doc_string(f->wanted));
	lac_doc_set(doc, j, "found", lac_doc_string(f->found));
	lac_doc_set(doc, j, "decl_file", lac_doc_string(f->decl_file));
	lac_doc_set(doc, j, "decl_line",
		    f->decl_line ? json_integer(f->decl_line) : json_null());
	return j;
}

static json_t *findings_json(struct lac_doc *doc, const struct lac_check *c,
			     bool failed)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < c->nfindings; i++) {
		const struct lac_finding *f = &c->findings[i];

		if (failed ? lac_finding_fails(f->status)
			   : f->status == LAC_FINDING_BETTER)
			lac_doc_append(doc, list, finding_json(doc, f));
	}
	return list;
}

const char *lac_check_sentence(struct lac_arena *arena,
			       const struct lac_finding *f)
{
	return lac_arena_printf(arena, "%s: wanted %s, found %s%s", f->subject,
				f->wanted, f->found,
				f->status == LAC_FINDING_UNDECIDED
					? ", so it cannot be decided"
					: "");
}

void lac_check_data(struct lac_doc *doc, const struct lac_check *c,
		    const char *path)
{
	json_t *by_kind = json_object();

	lac_doc_set(doc, doc->data, "file", lac_doc_string(path));
	lac_doc_set(doc, doc->data, "types", json_integer(c->types));
	lac_doc_set(doc, doc->data, "checked", json_integer(c->nfindings));
	lac_doc_set(doc, doc->data, "failed", json_integer(c->nfailed));
	for (int k = LAC_KIND_GREW; k < LAC_KINDS; k++)
		lac_doc_set(doc, by_kind, kinds[k].key,
			    json_integer(count_kind(c,
						    (enum lac_finding_kind)k)));
	lac_doc_set(doc, doc->data, "failed_kinds", by_kind);
	lac_doc_set(doc, doc->data, "better", json_integer(c->nbetter));
	lac_doc_set(doc, doc->data, "findings", findings_json(doc, c, true));
	lac_doc_set(doc, doc->data, "improvements",
		    findings_json(doc, c, false));
}

static const char *verb(enum lac_finding_status s)
{
	switch (s) {
	case LAC_FINDING_UNDECIDED:
		return "cannot be decided";
	case LAC_FINDING_NO_MATCH:
		return "no match";
	case LAC_FINDING_BETTER:
		return "holds, but is not as recorded";
	default:
		return "broken";
	}
}

static const char *line_text(struct lac_arena *arena,
			     const struct lac_finding *f)
{
	const char *subject = lac_quote_brief(f->subject, arena);
	const char *wanted = lac_quote_brief(f->wanted, arena);
	const char *found = lac_quote_brief(f->found, arena);

	if (!subject || !wanted || !found)
		return NULL;
	if (!f->decl_file)
		return lac_arena_printf(arena, "%s:%u:%u: %s: %s: %s; found %s",
					f->file, f->line, f->column, subject,
					wanted, verb(f->status), found);
	return lac_arena_printf(
		arena, "%s:%u:%u: %s: %s: %s; found %s (declared at %s:%u)",
		f->file, f->line, f->column, subject, wanted, verb(f->status),
		found, f->decl_file, f->decl_line);
}

/* Which of the findings a list is of. */
enum list { FAILED, GONE, BETTER };

static enum list list_of(const struct lac_finding *f)
{
	return f->kind == LAC_KIND_GONE		? GONE
	       : lac_finding_fails(f->status) ? FAILED
						: BETTER;
}

static void list(struct lac_doc *doc, const struct lac_check *c,
		 enum list which)
{
	struct lac_listing *l = lac_doc_listing(doc, "");

	for (uint32_t i = 0; i < c->nfindings; i++) {
		const struct lac_finding *f = &c->findings[i];
		const char *text;

		if (f->status == LAC_FINDING_HOLDS || list_of(f) != which)
			continue;
		text = line_text(doc->arena, f);
		if (text)
			lac_listing_line(doc, l, 0, text, NULL);
		else
			doc->broken = true;
	}
}

static const struct lac_column columns[] = {
	{ .key = "status", .title = "status" },
	{ .key = "file", .title = "rules" },
	{ .key = "line", .title = "line", .unit = LAC_UNIT_NONE },
	{ .key = "column", .title = "column", .unit = LAC_UNIT_NONE },
	{ .key = "rule", .title = "rule" },
	{ .key = "wanted", .title = "wanted" },
	{ .key = "found", .title = "found" },
	{ .key = "decl_file", .title = "declared in" },
	{ .key = "decl_line", .title = "at line" },
};

/* The same findings as rows, for CSV and for pages with tables. */
static void table(struct lac_doc *doc)
{
	static const char *const keys[] = { "findings", "improvements" };
	json_t *rows = lac_doc_rows(doc), *f;
	size_t k;

	for (size_t i = 0; i < 2; i++)
		json_array_foreach(json_object_get(doc->data, keys[i]), k, f)
			lac_doc_append(doc, rows, json_incref(f));
	lac_doc_table(doc, "findings", NULL, columns,
		      sizeof(columns) / sizeof(columns[0]), rows);
	lac_doc_table_bare(doc);
	lac_doc_graphic(doc);
}

void lac_check_views(struct lac_doc *doc, const struct lac_check *c,
		     const char *path)
{
	const char *by_kind = kinds_text(doc->arena, c);
	uint32_t gone = count_kind(c, LAC_KIND_GONE);

	lac_doc_paragraph(doc, "%s: %u checked, %u failed%s%s.", path,
			  c->nfindings, c->nfailed,
			  by_kind && *by_kind ? ": " : "",
			  by_kind ? by_kind : "");
	if (c->nfailed > gone)
		list(doc, c, FAILED);
	if (gone) {
		lac_doc_paragraph(doc, "Gone, or of another name, since the "
				       "baseline was recorded:");
		list(doc, c, GONE);
	}
	table(doc);
	if (!c->nbetter)
		return;
	lac_doc_paragraph(doc, "%u changed for no worse since the baseline was "
			       "recorded; record it anew with --record, so "
			       "that what was gained is kept.", c->nbetter);
	list(doc, c, BETTER);
}

/* A rule has one name, whether it holds or not: CI follows it by that. */
static enum lac_status test_case(struct lac_xml *x, const struct lac_finding *f,
				 struct lac_err *err)
{
	const char *text = line_text(x->arena, f);
	const char *sentence = lac_check_sentence(x->arena, f);

	if (!text || !sentence)
		return lac_fail_memory(err);
	lac_xml_start(x, "testcase");
	lac_xml_attr(x, "classname", "%s", f->file);
	lac_xml_attr(x, "name", "%s: %s", f->subject, f->wanted);
	if (f->status == LAC_FINDING_BETTER)
		lac_xml_element(x, "system-out", NULL, text);
	if (lac_finding_fails(f->status)) {
		lac_xml_start(x, "failure");
		lac_xml_attr(x, "type", "%s",
			     lac_finding_status_name(f->status));
		lac_xml_attr(x, "message", "%s", sentence);
		lac_xml_text(x, text);
		lac_xml_end_void(x);
	}
	lac_xml_end_void(x);
	return LAC_OK;
}

static enum lac_status write_junit(struct lac_xml *x, const struct lac_check *c,
				   struct lac_err *err)
{
	lac_xml_raw(x, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	lac_xml_indent(x);
	lac_xml_start(x, "testsuite");
	lac_xml_attr(x, "name", "lacuna check");
	lac_xml_attr(x, "tests", "%u", c->nfindings);
	lac_xml_attr(x, "failures", "%u", c->nfailed);
	lac_xml_attr(x, "errors", "0");
	for (uint32_t i = 0; i < c->nfindings; i++)
		LAC_TRY(test_case(x, &c->findings[i], err));
	lac_xml_end_void(x);
	return LAC_OK;
}

enum lac_status lac_check_junit(const struct lac_check *c, char **ret,
				size_t *size, struct lac_err *err)
{
	struct lac_err second;
	enum lac_status st, closed = LAC_OK;
	struct lac_xml x = { .out = NULL };
	char *text = NULL;
	FILE *out = open_memstream(&text, size);

	if (!out)
		return lac_fail_memory(err);
	st = lac_xml_open(out, &x, err);
	if (st == LAC_OK) {
		st = write_junit(&x, c, err);
		closed = lac_xml_close(&x, st == LAC_OK ? err : &second);
	}
	if (fclose(out) && st == LAC_OK && closed == LAC_OK)
		st = lac_fail_memory(err);
	if (st == LAC_OK && closed == LAC_OK) {
		*ret = text;
		return LAC_OK;
	}
	free(text);
	return st == LAC_OK ? closed : st;
}

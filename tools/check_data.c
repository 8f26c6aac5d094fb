/* SPDX-License-Identifier: BSD-2-Clause */
/* check_data.c - findings as data, as a text, as JUnit XML. */
#include <libxml/xmlwriter.h>
#include <stdlib.h>
#include <string.h>

#include "check_report.h"

static json_t *finding_json(struct lac_doc *doc, const struct lac_finding *f)
{
	json_t *j = json_object();

	lac_doc_set(doc, j, "status",
		    json_string(lac_finding_status_name(f->status)));
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

void lac_check_data(struct lac_doc *doc, const struct lac_check *c,
		    const char *path)
{
	lac_doc_set(doc, doc->data, "file", lac_doc_string(path));
	lac_doc_set(doc, doc->data, "types", json_integer(c->types));
	lac_doc_set(doc, doc->data, "checked", json_integer(c->nfindings));
	lac_doc_set(doc, doc->data, "failed", json_integer(c->nfailed));
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
	if (!f->decl_file)
		return lac_arena_printf(arena, "%s:%u:%u: %s: %s: %s; found %s",
					f->file, f->line, f->column,
					f->subject, f->wanted, verb(f->status),
					f->found);
	return lac_arena_printf(
		arena, "%s:%u:%u: %s: %s: %s; found %s (declared at %s:%u)",
		f->file, f->line, f->column, f->subject, f->wanted,
		verb(f->status), f->found, f->decl_file, f->decl_line);
}

static void list(struct lac_doc *doc, const struct lac_check *c, bool failed)
{
	struct lac_listing *l = lac_doc_listing(doc, "");

	for (uint32_t i = 0; i < c->nfindings; i++) {
		const struct lac_finding *f = &c->findings[i];
		const char *text;

		if (failed ? !lac_finding_fails(f->status)
			   : f->status != LAC_FINDING_BETTER)
			continue;
		text = line_text(doc->arena, f);
		if (text)
			lac_listing_line(doc, l, 0, text, NULL);
		else
			doc->broken = true;
	}
}

void lac_check_views(struct lac_doc *doc, const struct lac_check *c,
		     const char *path)
{
	lac_doc_paragraph(doc, "%s: %u checked, %u failed.", path,
			  c->nfindings, c->nfailed);
	if (c->nfailed)
		list(doc, c, true);
	if (!c->nbetter)
		return;
	lac_doc_paragraph(doc, "%u changed for no worse since the baseline was "
			       "recorded; record it anew with --record, so "
			       "that what was gained is kept.", c->nbetter);
	list(doc, c, false);
}

/* A rule has one name, whether it holds or not: CI follows it by that. */
static int test_case(xmlTextWriterPtr w, const struct lac_finding *f)
{
	struct lac_arena *arena = lac_arena_create();
	const char *text = arena ? line_text(arena, f) : NULL;
	const char *name = text ? lac_arena_printf(arena, "%s: %s", f->subject,
						   f->wanted)
				: NULL;
	int rc = -1;

	if (name) {
		xmlTextWriterStartElement(w, BAD_CAST "testcase");
		xmlTextWriterWriteAttribute(w, BAD_CAST "classname",
					    BAD_CAST f->file);
		xmlTextWriterWriteAttribute(w, BAD_CAST "name", BAD_CAST name);
		if (f->status == LAC_FINDING_BETTER)
			xmlTextWriterWriteElement(w, BAD_CAST "system-out",
						  BAD_CAST text);
		if (lac_finding_fails(f->status)) {
			xmlTextWriterStartElement(w, BAD_CAST "failure");
			xmlTextWriterWriteAttribute(
				w, BAD_CAST "type",
				BAD_CAST lac_finding_status_name(f->status));
			xmlTextWriterWriteAttribute(w, BAD_CAST "message",
						    BAD_CAST f->found);
			xmlTextWriterWriteString(w, BAD_CAST text);
			xmlTextWriterEndElement(w);
		}
		rc = xmlTextWriterEndElement(w);
	}
	lac_arena_destroy(arena);
	return rc;
}

static int write_junit(xmlTextWriterPtr w, const struct lac_check *c)
{
	xmlTextWriterSetIndent(w, 1);
	xmlTextWriterStartDocument(w, NULL, "UTF-8", NULL);
	xmlTextWriterStartElement(w, BAD_CAST "testsuite");
	xmlTextWriterWriteAttribute(w, BAD_CAST "name",
				    BAD_CAST "lacuna check");
	xmlTextWriterWriteFormatAttribute(w, BAD_CAST "tests", "%u",
					  c->nfindings);
	xmlTextWriterWriteFormatAttribute(w, BAD_CAST "failures", "%u",
					  c->nfailed);
	xmlTextWriterWriteAttribute(w, BAD_CAST "errors", BAD_CAST "0");
	for (uint32_t i = 0; i < c->nfindings; i++)
		if (test_case(w, &c->findings[i]) < 0)
			return -1;
	return xmlTextWriterEndDocument(w);
}

enum lac_status lac_check_junit(const struct lac_check *c, char **ret,
				size_t *size, struct lac_err *err)
{
	xmlBufferPtr b = xmlBufferCreate();
	xmlTextWriterPtr w = b ? xmlNewTextWriterMemory(b, 0) : NULL;
	int rc = w ? write_junit(w, c) : -1;

	xmlFreeTextWriter(w); /* flushes into the buffer */
	*ret = rc < 0 ? NULL : strdup((const char *)xmlBufferContent(b));
	xmlBufferFree(b);
	if (!*ret)
		return lac_fail_memory(err);
	*size = strlen(*ret);
	return LAC_OK;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* markdown.c - as GitHub and GitLab show it. */
#include <stdlib.h>
#include <string.h>

#include "render/brief.h"
#include "render/cell.h"
#include "render/figure.h"
#include "render/formats.h"
#include "render/glyph.h"
#include "render/plain.h"

struct page {
	FILE *out;
	struct lac_arena *arena;
};

/* Clean, and without meaning to a Markdown reader. */
static const char *escaped(struct page *p, const char *text)
{
	char *clean = lac_glyph_clean(p->arena, text, false), *out, *to;
	const char *start = clean;

	if (!clean)
		return NULL;
	/* "&lt;" is the longest replacement */
	to = out = lac_arena_zalloc(p->arena, strlen(clean) + 1, 4);
	for (; to && *clean; clean++) {
		if (*clean == '<') {
			to = stpcpy(to, "&lt;");
			continue;
		}
		if (strchr("\\`*_[]|~&$>", *clean) ||
		    (clean == start && strchr("#+-=", *clean)))
			*to++ = '\\';
		*to++ = *clean;
		/* "1. " would begin a list */
		if ((clean[1] == '.' || clean[1] == ')') && clean - start < 9 &&
		    strspn(start, "0123456789") == (size_t)(clean - start) + 1)
			*to++ = '\\';
	}
	return out;
}

static enum lac_status put_escaped(struct page *p, const char *before,
				   const char *text, const char *after,
				   struct lac_err *err)
{
	const char *s = escaped(p, text);

	if (!s)
		return lac_fail_memory(err);
	fprintf(p->out, "%s%s%s", before, s, after);
	return LAC_OK;
}

static enum lac_status put_table(struct page *p, const struct lac_table *t,
				 struct lac_err *err)
{
	if (t->caption && *t->caption)
		LAC_TRY(put_escaped(p, "**", t->caption, "**\n\n", err));
	if (!lac_table_nrows(t)) {
		fputs("(none)\n", p->out);
		return LAC_OK;
	}
	for (size_t c = 0; c < t->ncolumns; c++)
		LAC_TRY(put_escaped(p, "| ", t->columns[c].title, " ", err));
	fputs("|\n", p->out);
	for (size_t c = 0; c < t->ncolumns; c++)
		fputs(lac_table_is_number(t, c) ? "| ---: " : "| --- ", p->out);
	fputs("|\n", p->out);
	for (size_t r = 0; r < lac_table_nrows(t); r++) {
		for (size_t c = 0; c < t->ncolumns; c++) {
			struct lac_cell cell;

			LAC_TRY(lac_table_cell(p->arena, t, r, c, &cell, err));
			LAC_TRY(put_escaped(p, cell.absent ? "| *" : "| ",
					    cell.text, cell.absent ? "* " : " ",
					    err));
		}
		fputs("|\n", p->out);
	}
	return LAC_OK;
}

/* A fence is longer than any run of backticks inside it. */
static void put_fenced(struct page *p, const char *language, const char *text)
{
	size_t fence = 3;

	for (const char *s = text; (s = strchr(s, '`'));) {
		size_t run = strspn(s, "`");

		fence = run >= fence ? run + 1 : fence;
		s += run;
	}
	for (size_t i = 0; i < fence; i++)
		fputc('`', p->out);
	fprintf(p->out, "%s\n%s", language, text);
	for (size_t i = 0; i < fence; i++)
		fputc('`', p->out);
	fputc('\n', p->out);
}

static enum lac_status put_plain(struct page *p, const struct lac_view *v,
				 struct lac_err *err)
{
	bool listing = v->kind == LAC_VIEW_LISTING;
	struct lac_plain plain = { .arena = p->arena };
	char *text;

	LAC_TRY(lac_plain_drawn(&plain, v, &text, err));
	put_fenced(p, listing ? v->listing.language : "text", text);
	free(text);
	return LAC_OK;
}

static enum lac_status put_view(struct page *p, const struct lac_view *v,
				struct lac_err *err)
{
	static const char *const marks[] = { "# ", "## ", "### " };

	switch (v->kind) {
	case LAC_VIEW_HEADING:
		return put_escaped(p, marks[v->level - 1], v->text, "\n", err);
	case LAC_VIEW_PARAGRAPH:
		return put_escaped(p, "", v->text, "\n", err);
	case LAC_VIEW_TABLE:
		return put_table(p, &v->table, err);
	case LAC_VIEW_FIGURE:
	case LAC_VIEW_LISTING:
		return put_plain(p, v, err);
	}
	return LAC_OK;
}

static enum lac_status open_details(struct page *p, const struct lac_view *v,
				    struct lac_err *err)
{
	const char *summary = "Details";
	char *clean;

	if (v->kind == LAC_VIEW_HEADING)
		summary = v->text;
	else if (v->kind == LAC_VIEW_TABLE && v->table.caption)
		summary = v->table.caption;
	else if (v->kind == LAC_VIEW_FIGURE && *v->figure.caption)
		summary = v->figure.caption;
	clean = lac_glyph_clean(p->arena, summary, false);
	if (!clean)
		return lac_fail_memory(err);
	/* a block of HTML: Markdown's escapes have no meaning here */
	fputs("<details>\n<summary>", p->out);
	for (; *clean; clean++)
		if (*clean == '<')
			fputs("&lt;", p->out);
		else if (*clean == '&')
			fputs("&amp;", p->out);
		else
			fputc(*clean, p->out);
	fputs("</summary>\n\n", p->out);
	return LAC_OK;
}

static enum lac_status render_markdown(const struct lac_doc *doc,
				       const struct lac_render_options *o,
				       FILE *out, struct lac_err *err)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct page p = { .out = out, .arena = arena };
	bool folded = false, first = true, chapter;
	const char *note;

	if (!arena)
		return lac_fail_memory(err);
	note = lac_brief_note(o->brief, false, doc, arena);
	if (!note)
		return lac_fail_memory(err);
	for (size_t i = 0; i < doc->nviews; i++) {
		const struct lac_view *v = &doc->views[i];

		if (v->graphic || lac_brief_hides(o->brief, false, doc, i))
			continue;
		/* a chapter is folded by itself, so that its name shows */
		chapter = v->kind == LAC_VIEW_HEADING && v->level <= 2;
		if (folded && (!v->detail || chapter))
			fputs("\n</details>\n", out);
		if (!first)
			fputc('\n', out);
		first = false;
		if (v->detail && (!folded || chapter))
			LAC_TRY(open_details(&p, v, err));
		folded = v->detail;
		LAC_TRY(put_view(&p, v, err));
	}
	if (folded)
		fputs("\n</details>\n", out);
	if (*note)
		LAC_TRY(put_escaped(&p, "\n", note, "\n", err));
	return LAC_OK;
}

const struct lac_renderer lac_renderer_markdown = {
	.name = "markdown",
	.summary = "tables and folded details, as GitHub and GitLab show them",
	.render = render_markdown,
};

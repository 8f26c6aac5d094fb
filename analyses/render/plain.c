/* SPDX-License-Identifier: BSD-2-Clause */
#include "render/plain.h"

#include <stdlib.h>
#include <string.h>

#include "render/brief.h"
#include "render/figure.h"
#include "render/glyph.h"

const char *lac_plain_on(const struct lac_plain *p, enum lac_plain_style s)
{
	if (!p->colour || s == LAC_STYLE_NONE)
		return "";
	return s == LAC_STYLE_BOLD ? "\033[1m" : "\033[2m";
}

const char *lac_plain_off(const struct lac_plain *p, enum lac_plain_style s)
{
	return p->colour && s != LAC_STYLE_NONE ? "\033[0m" : "";
}

/* Bytes of text to put on a line of the given columns: up to a blank. */
static size_t line_length(const char *text, size_t columns)
{
	size_t fit = lac_glyph_fit(text, columns), n = fit;

	if (!text[fit] || text[fit] == ' ')
		return fit;
	while (n && text[n - 1] != ' ')
		n--;
	while (n && text[n - 1] == ' ')
		n--;
	return n ? n : fit; /* a word that is longer than a line is cut */
}

enum lac_status lac_plain_wrap(struct lac_plain *p, const char *text,
			       const char *first, const char *rest,
			       enum lac_plain_style style, struct lac_err *err)
{
	const char *start = first;
	char *clean = lac_glyph_clean(p->arena, text, p->ascii);
	size_t width = p->width ? p->width : LAC_PLAIN_PROSE;

	if (!clean)
		return lac_fail_memory(err);
	do {
		size_t taken = lac_glyph_columns(start);
		size_t n = line_length(clean, width > taken ? width - taken
							    : 1);
		size_t shown = n;

		while (shown && clean[shown - 1] == ' ')
			shown--;
		fprintf(p->out, "%s%s%.*s%s\n", start, lac_plain_on(p, style),
			(int)shown, clean, lac_plain_off(p, style));
		clean += n;
		clean += strspn(clean, " ");
		start = rest;
	} while (*clean);
	return LAC_OK;
}

static enum lac_status heading(struct lac_plain *p, const struct lac_view *v,
			       struct lac_err *err)
{
	size_t n = lac_glyph_columns(v->text);
	size_t width = p->width ? p->width : LAC_PLAIN_PROSE;

	LAC_TRY(lac_plain_wrap(p, v->text, "", "", LAC_STYLE_BOLD, err));
	if (v->level > 2 || p->colour)
		return LAC_OK;
	for (n = n < width ? n : width; n; n--)
		fputc(v->level == 1 ? '=' : '-', p->out);
	fputc('\n', p->out);
	return LAC_OK;
}

/* Line by line, without the blanks at their ends. */
static void put_trimmed(FILE *out, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n"), shown = n;

		while (shown && strchr(" \t", text[shown - 1]))
			shown--;
		fwrite(text, 1, shown, out);
		fputc('\n', out);
		text += n + (text[n] == '\n');
	}
}

enum lac_status lac_plain_drawn(const struct lac_plain *like,
				const struct lac_view *v, char **ret,
				struct lac_err *err)
{
	struct lac_plain p = *like;
	char *text = NULL;
	size_t size = 0;
	enum lac_status st;
	bool bad;

	p.out = open_memstream(&text, &size);
	if (!p.out)
		return lac_fail_memory(err);
	st = v->kind == LAC_VIEW_LISTING
		     ? lac_plain_listing(&p, &v->listing, err)
		     : lac_plain_figure(&p, &v->figure, err);
	bad = ferror(p.out) != 0;
	if ((fclose(p.out) || bad) && st == LAC_OK)
		st = lac_fail_memory(err);
	if (st == LAC_OK)
		*ret = text;
	else
		free(text);
	return st;
}

/* What is drawn with blanks leaves some at the ends of its lines. */
static enum lac_status put_drawn(struct lac_plain *p, const struct lac_view *v,
				 struct lac_err *err)
{
	char *text;

	LAC_TRY(lac_plain_drawn(p, v, &text, err));
	put_trimmed(p->out, text);
	free(text);
	return LAC_OK;
}

static enum lac_status view(struct lac_plain *p, const struct lac_view *v,
			    struct lac_err *err)
{
	switch (v->kind) {
	case LAC_VIEW_HEADING:
		return heading(p, v, err);
	case LAC_VIEW_PARAGRAPH:
		return lac_plain_wrap(p, v->text, "", "", LAC_STYLE_NONE, err);
	case LAC_VIEW_TABLE:
		return lac_plain_table(p, &v->table, err);
	case LAC_VIEW_LISTING:
	case LAC_VIEW_FIGURE:
		return put_drawn(p, v, err);
	}
	return LAC_OK;
}

enum lac_status lac_plain_document(struct lac_plain *p,
				   const struct lac_doc *doc,
				   struct lac_err *err)
{
	const char *note = lac_brief_note(p->brief, false, doc, p->arena);
	bool first = true;

	if (!note)
		return lac_fail_memory(err);
	for (size_t i = 0; i < doc->nviews; i++) {
		if (doc->views[i].graphic ||
		    (p->at_home && doc->views[i].travels) ||
		    lac_brief_hides(p->brief, false, doc, i))
			continue;
		if (!first)
			fputc('\n', p->out);
		first = false;
		LAC_TRY(view(p, &doc->views[i], err));
	}
	if (*note) {
		fputc('\n', p->out);
		return lac_plain_wrap(p, note, "", "", LAC_STYLE_DIM, err);
	}
	return LAC_OK;
}

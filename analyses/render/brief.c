/* SPDX-License-Identifier: BSD-2-Clause */
#include "render/brief.h"

#include <string.h>

bool lac_brief_hides(bool brief, bool graphics, const struct lac_doc *doc,
		     size_t i)
{
	const struct lac_view *v = &doc->views[i], *next;

	if (!brief || v->detail || v->kind != LAC_VIEW_HEADING)
		return brief && v->detail;
	/* a document may end with a heading that says all */
	for (next = v + 1; next < doc->views + doc->nviews; next++) {
		if (next->kind == LAC_VIEW_HEADING && next->level <= v->level)
			return next > v + 1;
		if (next->kind != LAC_VIEW_HEADING && !next->detail &&
		    (graphics || !next->graphic))
			return false;
	}
	return next > v + 1;
}

/* "3 tables" onto the list in text. */
static const char *count(struct lac_arena *arena, const char *text, size_t n,
			 const char *what)
{
	if (!n || !text)
		return text;
	return lac_arena_printf(arena, "%s%s%zu %s%s", text,
				*text ? ", " : "", n, what, n > 1 ? "s" : "");
}

const char *lac_brief_note(bool brief, bool graphics,
			   const struct lac_doc *doc, struct lac_arena *arena)
{
	size_t n[LAC_VIEW_FIGURE + 1] = { 0 };
	const char *text = "";

	for (size_t i = 0; i < doc->nviews; i++) {
		const struct lac_view *v = &doc->views[i];

		if (lac_brief_hides(brief, graphics, doc, i) &&
		    (graphics || !v->graphic))
			n[v->kind]++;
	}
	text = count(arena, text, n[LAC_VIEW_TABLE], "table");
	text = count(arena, text, n[LAC_VIEW_FIGURE], "figure");
	text = count(arena, text, n[LAC_VIEW_LISTING], "listing");
	text = count(arena, text, n[LAC_VIEW_PARAGRAPH], "paragraph");
	if (!text || !*text)
		return text;
	return lac_arena_printf(arena, "Left out for brevity: %s; --full has "
				       "all.",
				text);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * html.c - the document as one page that needs nothing else: styles, figures
 * and data are in it, and its policy lets it load nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "render/brief.h"
#include "render/cell.h"
#include "render/figure.h"
#include "render/formats.h"
#include "render/plain.h"

static const char policy[] = "default-src 'none'; style-src 'unsafe-inline'; "
			     "script-src 'unsafe-inline'";

static const char style[] =
	"\nhtml{background:var(--lac-bg);color:var(--lac-fg);"
	"color-scheme:light dark;font:16px/1.5 system-ui,'DejaVu Sans',"
	"sans-serif;-webkit-text-size-adjust:100%}\n"
	"body{max-width:84rem;margin:0 auto;padding:1rem}\n"
	"h1{font-size:1.6rem;line-height:1.25;overflow-wrap:anywhere}"
	"h2{font-size:1.25rem;margin-top:2.2rem;"
	"border-bottom:1px solid var(--lac-rule)}"
	"h3{font-size:1.05rem;margin-top:1.6rem}\n"
	"p{max-width:44rem;overflow-wrap:break-word}\n"
	"a{color:var(--lac-accent)}\n"
	".skip{position:absolute;left:-99rem}.skip:focus{left:1rem}\n"
	"nav ul{columns:16rem;padding-left:1.2rem}\n"
	"figure{margin:1.2rem 0}\n"
	"figcaption{font-weight:600;margin-bottom:.4rem}\n"
	/* a shadow at the side where more is: the first two cover it */
	".scroll{overflow-x:auto;max-width:100%;background:"
	"linear-gradient(to right,var(--under,var(--lac-bg)) 40%,transparent) "
	"left no-repeat local,"
	"linear-gradient(to left,var(--under,var(--lac-bg)) 40%,transparent) "
	"right no-repeat local,"
	"linear-gradient(to right,var(--lac-rule),transparent) left "
	"no-repeat scroll,"
	"linear-gradient(to left,var(--lac-rule),transparent) right "
	"no-repeat scroll;"
	"background-size:2.5rem 100%,2.5rem 100%,.8rem 100%,.8rem 100%}\n"
	".code{--under:var(--lac-gap);background-color:var(--lac-gap)}\n"
	":focus-visible{outline:2px solid var(--lac-accent);"
	"outline-offset:2px}\n"
	".scroll svg{display:block;min-width:620px;width:100%;"
	"max-width:60rem;height:auto}\n"
	"table{border-collapse:collapse;font-size:.9rem;"
	"font-variant-numeric:tabular-nums}\n"
	"th,td{padding:.25rem .5rem;text-align:left;vertical-align:top;"
	"border-bottom:1px solid var(--lac-rule)}\n"
	"thead th{border-bottom:2px solid var(--lac-rule);"
	"vertical-align:bottom}\n"
	"tbody th{font-weight:400}\n"
	"th:first-child{position:sticky;left:0;background:var(--lac-bg);"
	"overflow-wrap:break-word}\n"
	"tbody tr:hover{background:var(--lac-gap)}\n"
	".n{text-align:right;white-space:nowrap}thead .n{white-space:normal}\n"
	".absent{color:var(--lac-dim);font-style:italic}\n"
	"pre{margin:0;padding:.8rem;"
	"font:13px/1.45 ui-monospace,'DejaVu Sans Mono',monospace;tab-size:8;"
	"width:max-content;min-width:100%;box-sizing:border-box}\n"
	"details{margin:1.2rem 0;border-left:3px solid var(--lac-rule);"
	"padding-left:1rem}\n"
	"summary{cursor:pointer;font-weight:600}\n"
	"@media (max-width:40rem){table{font-size:.8rem}"
	"th,td{padding:.25rem .4rem}"
	"th:first-child{max-width:38vw}h1{font-size:1.3rem}"
	/* sixty characters of code on a phone */
	"pre{padding:.4rem;font-size:clamp(9px,2.4vw,13px)}"
	"details{padding-left:.6rem}}\n"
	"@media print{html{font-size:10pt}body{max-width:none;padding:0}"
	"nav,.skip{display:none}"
	".scroll{overflow:visible;background:none}"
	".scroll svg{min-width:0;max-width:100%}"
	"figure,tr{break-inside:avoid}h2,h3{break-after:avoid}"
	"thead{display:table-header-group}"
	"pre{white-space:pre-wrap;width:auto}"
	"a{color:inherit;text-decoration:none}}\n";

/* What is folded away is printed, too.  No '<' and no '&' in here. */
static const char script[] =
	"\naddEventListener('beforeprint',function(){"
	"document.querySelectorAll('details:not([open])').forEach("
	"function(d){d.open=true;d.dataset.folded='yes'})});\n"
	"addEventListener('afterprint',function(){"
	"document.querySelectorAll('details[data-folded]').forEach("
	"function(d){d.open=false;delete d.dataset.folded})});\n";

static void scroll_region(struct lac_xml *x, const char *class,
			  const char *label)
{
	lac_xml_start(x, "div");
	lac_xml_attr(x, "class", "%s", class);
	/* so that the keyboard can move it, too */
	lac_xml_attr(x, "tabindex", "0");
	lac_xml_attr(x, "role", "region");
	lac_xml_attr(x, "aria-label", "%s", label);
}

/* A long name or path may break at its parts. */
static void put_breakable(struct lac_xml *x, const char *text)
{
	for (size_t n; strlen(text) > 12; text += n) {
		char *part;

		n = strcspn(text, "_/.");
		n += text[n] != '\0';
		if (!text[n])
			break;
		part = lac_arena_strndup(x->arena, text, n);
		x->failed |= !part;
		lac_xml_text(x, part ? part : "");
		lac_xml_start(x, "wbr");
		lac_xml_end_void(x);
	}
	lac_xml_text(x, text);
}

static enum lac_status put_rows(struct lac_xml *x, const struct lac_table *t,
				const bool *number, struct lac_err *err)
{
	for (size_t r = 0; r < lac_table_nrows(t); r++) {
		lac_xml_start(x, "tr");
		for (size_t c = 0; c < t->ncolumns; c++) {
			struct lac_cell cell;

			LAC_TRY(lac_table_cell(x->arena, t, r, c, &cell, err));
			lac_xml_start(x, c ? "td" : "th");
			if (!c)
				lac_xml_attr(x, "scope", "row");
			if (number[c] || cell.absent)
				lac_xml_attr(x, "class", "%s%s",
					     number[c] ? "n" : "",
					     cell.absent ? " absent" : "");
			put_breakable(x, cell.text);
			lac_xml_end(x);
		}
		lac_xml_end(x);
	}
	return LAC_OK;
}

static enum lac_status put_table(struct lac_xml *x, const struct lac_table *t,
				 struct lac_err *err)
{
	const char *caption = t->caption ? t->caption : "";
	bool *number = lac_arena_zalloc(x->arena, t->ncolumns, sizeof(*number));

	if (!number)
		return lac_fail_memory(err);
	lac_xml_start(x, "figure");
	if (*caption)
		lac_xml_element(x, "figcaption", NULL, caption);
	if (!lac_table_nrows(t)) {
		lac_xml_element(x, "p", "absent", "(none)");
		lac_xml_end(x);
		return LAC_OK;
	}
	scroll_region(x, "scroll", *caption ? caption : t->key);
	lac_xml_start(x, "table");
	lac_xml_start(x, "thead");
	lac_xml_start(x, "tr");
	for (size_t c = 0; c < t->ncolumns; c++) {
		number[c] = lac_table_is_number(t, c);
		lac_xml_start(x, "th");
		lac_xml_attr(x, "scope", "col");
		if (number[c])
			lac_xml_attr(x, "class", "n");
		lac_xml_text(x, t->columns[c].title);
		lac_xml_end(x);
	}
	lac_xml_end(x);
	lac_xml_end(x);
	lac_xml_start(x, "tbody");
	LAC_TRY(put_rows(x, t, number, err));
	lac_xml_end(x);
	lac_xml_end(x);
	lac_xml_end(x);
	lac_xml_end(x);
	return LAC_OK;
}

static enum lac_status put_listing(struct lac_xml *x, const struct lac_view *v,
				   struct lac_err *err)
{
	struct lac_plain plain = { .arena = x->arena, .tabs = true };
	char *text;

	LAC_TRY(lac_plain_drawn(&plain, v, &text, err));
	scroll_region(x, "scroll code", "Listing");
	lac_xml_start(x, "pre");
	lac_xml_start(x, "code");
	lac_xml_lines(x, text);
	lac_xml_end(x);
	lac_xml_end(x);
	lac_xml_end(x);
	free(text);
	return LAC_OK;
}

static enum lac_status put_figure(struct lac_xml *x,
				  const struct lac_figure *f, size_t n,
				  struct lac_err *err)
{
	char id[32];

	snprintf(id, sizeof(id), "figure%zu", n);
	lac_xml_start(x, "figure");
	lac_xml_element(x, "figcaption", NULL, f->caption);
	scroll_region(x, "scroll", *f->caption ? f->caption : f->key);
	LAC_TRY(lac_figure_svg(x, f, id, false, err));
	lac_xml_end(x);
	lac_xml_end(x);
	return LAC_OK;
}

static enum lac_status put_view(struct lac_xml *x, const struct lac_view *v,
				size_t n, struct lac_err *err)
{
	static const char *const levels[] = { "h1", "h2", "h3" };

	switch (v->kind) {
	case LAC_VIEW_HEADING:
		lac_xml_start(x, levels[v->level - 1]);
		lac_xml_attr(x, "id", "s%zu", n);
		lac_xml_text(x, v->text);
		lac_xml_end(x);
		return LAC_OK;
	case LAC_VIEW_PARAGRAPH:
		lac_xml_element(x, "p", NULL, v->text);
		return LAC_OK;
	case LAC_VIEW_LISTING:
		return put_listing(x, v, err);
	case LAC_VIEW_TABLE:
		return put_table(x, &v->table, err);
	case LAC_VIEW_FIGURE:
		return put_figure(x, &v->figure, n, err);
	}
	return LAC_OK;
}

/* Folded views keep their heading in sight. */
static void open_details(struct lac_xml *x, const struct lac_view *v)
{
	const char *summary = "Details";

	if (v->kind == LAC_VIEW_HEADING)
		summary = v->text;
	else if (v->kind == LAC_VIEW_TABLE && v->table.caption &&
		 *v->table.caption)
		summary = v->table.caption;
	else if (v->kind == LAC_VIEW_FIGURE && *v->figure.caption)
		summary = v->figure.caption;
	lac_xml_start(x, "details");
	lac_xml_element(x, "summary", NULL, summary);
}

static void put_contents(struct lac_xml *x, const struct lac_doc *doc,
			 bool brief)
{
	size_t n = 0;

	for (size_t i = 0; i < doc->nviews; i++)
		n += doc->views[i].kind == LAC_VIEW_HEADING &&
		     doc->views[i].level == 2;
	if (n < 3)
		return;
	lac_xml_start(x, "nav");
	lac_xml_attr(x, "aria-label", "Contents");
	lac_xml_start(x, "ul");
	for (size_t i = 0; i < doc->nviews; i++) {
		const struct lac_view *v = &doc->views[i];

		if (v->kind != LAC_VIEW_HEADING || v->level != 2 ||
		    lac_brief_hides(brief, true, doc, i))
			continue;
		lac_xml_start(x, "li");
		lac_xml_start(x, "a");
		lac_xml_attr(x, "href", "#s%zu", i);
		lac_xml_text(x, v->text);
		lac_xml_end(x);
		lac_xml_end(x);
	}
	lac_xml_end(x);
	lac_xml_end(x);
}

static void put_meta(struct lac_xml *x, const char *kind, const char *name,
		     const char *content)
{
	lac_xml_start(x, "meta");
	lac_xml_attr(x, kind, "%s", name);
	if (content)
		lac_xml_attr(x, "content", "%s", content);
	lac_xml_end_void(x);
}

static void put_head(struct lac_xml *x, const struct lac_doc *doc)
{
	const char *command = json_string_value(
		json_object_get(doc->data, "command"));

	lac_xml_start(x, "head");
	put_meta(x, "charset", "utf-8", NULL);
	put_meta(x, "http-equiv", "Content-Security-Policy", policy);
	put_meta(x, "name", "viewport", "width=device-width, initial-scale=1");
	put_meta(x, "name", "color-scheme", "light dark");
	lac_xml_start(x, "title");
	if (doc->nviews && doc->views[0].kind == LAC_VIEW_HEADING)
		lac_xml_text(x, doc->views[0].text);
	else
		lac_xml_textf(x, "lacuna %s", command ? command : "");
	lac_xml_end(x);
	lac_xml_start(x, "style");
	lac_figure_style(x);
	lac_xml_raw(x, style);
	lac_xml_end(x);
	lac_xml_start(x, "script");
	lac_xml_raw(x, script);
	lac_xml_end(x);
	lac_xml_end(x);
}

/* At the end: what a brief page leaves out. */
static enum lac_status put_note(struct lac_xml *x, const struct lac_doc *doc,
				bool brief, struct lac_err *err)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	const char *note = arena ? lac_brief_note(brief, true, doc, arena)
				 : NULL;

	if (!note)
		return lac_fail_memory(err);
	if (*note)
		lac_xml_element(x, "p", NULL, note);
	return LAC_OK;
}

static enum lac_status put_body(struct lac_xml *x, const struct lac_doc *doc,
				bool brief, struct lac_err *err)
{
	bool folded = false, chapter;

	lac_xml_start(x, "body");
	lac_xml_start(x, "a");
	lac_xml_attr(x, "class", "skip");
	lac_xml_attr(x, "href", "#main");
	lac_xml_text(x, "Skip to the contents");
	lac_xml_end(x);
	lac_xml_start(x, "main");
	lac_xml_attr(x, "id", "main");
	for (size_t i = 0; i < doc->nviews; i++) {
		const struct lac_view *v = &doc->views[i];

		if (lac_brief_hides(brief, true, doc, i))
			continue;
		/* a chapter is folded by itself, so that its name shows */
		chapter = v->kind == LAC_VIEW_HEADING && v->level <= 2;
		if (folded && (!v->detail || chapter))
			lac_xml_end(x);
		if (v->detail && (!folded || chapter))
			open_details(x, v);
		folded = v->detail;
		if (!i && v->kind != LAC_VIEW_HEADING)
			put_contents(x, doc, brief);
		LAC_TRY(put_view(x, v, i, err));
		if (!i && v->kind == LAC_VIEW_HEADING)
			put_contents(x, doc, brief);
	}
	if (folded)
		lac_xml_end(x);
	LAC_TRY(put_note(x, doc, brief, err));
	lac_xml_end(x);
	lac_xml_end(x);
	return LAC_OK;
}

static enum lac_status render_html(const struct lac_doc *doc,
				   const struct lac_render_options *o,
				   FILE *out, struct lac_err *err)
{
	struct lac_err second;
	struct lac_xml x;
	enum lac_status st, closed;

	LAC_TRY(lac_xml_open(out, &x, err));
	lac_xml_raw(&x, "<!DOCTYPE html>\n");
	lac_xml_start(&x, "html");
	lac_xml_attr(&x, "lang", "en");
	put_head(&x, doc);
	st = put_body(&x, doc, o->brief, err);
	if (st == LAC_OK) {
		lac_xml_end(&x);
		lac_xml_raw(&x, "\n");
	}
	/* the first fault is the one to tell */
	closed = lac_xml_close(&x, st == LAC_OK ? err : &second);
	return st == LAC_OK ? closed : st;
}

const struct lac_renderer lac_renderer_html = {
	.name = "html",
	.summary = "one self-contained page, for a browser or a phone",
	.render = render_html,
};

/* SPDX-License-Identifier: BSD-2-Clause */
#include "render/svg_figure.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "render/figure.h"
#include "render/glyph.h"

void lac_svg_rect(struct lac_svg *s, double x, double y, double w, double h,
		  const char *class, const char *fmt, ...)
{
	va_list ap;
	char *tip = NULL;

	lac_xml_start(s->x, "rect");
	lac_xml_attr(s->x, "x", "%.1f", x);
	lac_xml_attr(s->x, "y", "%.1f", y);
	lac_xml_attr(s->x, "width", "%.1f", w);
	lac_xml_attr(s->x, "height", "%.1f", h);
	lac_xml_attr(s->x, "class", "%s", class);
	va_start(ap, fmt);
	if (fmt && vasprintf(&tip, fmt, ap) >= 0) {
		lac_xml_element(s->x, "title", NULL, tip);
		free(tip);
	}
	va_end(ap);
	lac_xml_end(s->x);
}

void lac_svg_pattern(struct lac_svg *s, double x, double y, double w, double h,
		     const char *pattern)
{
	lac_xml_start(s->x, "rect");
	lac_xml_attr(s->x, "x", "%.1f", x);
	lac_xml_attr(s->x, "y", "%.1f", y);
	lac_xml_attr(s->x, "width", "%.1f", w);
	lac_xml_attr(s->x, "height", "%.1f", h);
	lac_xml_attr(s->x, "fill", "url(#%s-%s)", s->id, pattern);
	lac_xml_attr(s->x, "pointer-events", "none");
	lac_xml_end(s->x);
}

void lac_svg_line(struct lac_svg *s, double x1, double y1, double x2,
		  double y2, const char *class)
{
	lac_xml_start(s->x, "line");
	lac_xml_attr(s->x, "x1", "%.1f", x1);
	lac_xml_attr(s->x, "y1", "%.1f", y1);
	lac_xml_attr(s->x, "x2", "%.1f", x2);
	lac_xml_attr(s->x, "y2", "%.1f", y2);
	lac_xml_attr(s->x, "class", "%s", class);
	lac_xml_end(s->x);
}

void lac_svg_text(struct lac_svg *s, double x, double y, const char *anchor,
		  const char *class, const char *fmt, ...)
{
	va_list ap;
	char *text = NULL;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	s->x->failed |= !text;
	if (!text)
		return;
	lac_xml_start(s->x, "text");
	lac_xml_attr(s->x, "x", "%.1f", x);
	lac_xml_attr(s->x, "y", "%.1f", y);
	if (strcmp(anchor, "start") != 0)
		lac_xml_attr(s->x, "text-anchor", "%s", anchor);
	if (*class)
		lac_xml_attr(s->x, "class", "%s", class);
	lac_xml_text(s->x, text);
	lac_xml_end(s->x);
	free(text);
}

void lac_svg_label(struct lac_svg *s, double x, double y, double w,
		   const char *text)
{
	if ((double)lac_glyph_columns(text) * LAC_SVG_CHAR <= w)
		lac_svg_text(s, x + w / 2, y, "middle", "", "%s", text);
}

/* Bytes of a clean text that go on a line of so many characters. */
static size_t line_bytes(const char *clean, size_t room)
{
	size_t n = lac_glyph_fit(clean, room), k = n;

	while (clean[n] && k && clean[k] != ' ')
		k--;
	return clean[n] && k ? k : n;
}

size_t lac_svg_paragraph(struct lac_svg *s, double x, double width,
			 const char *class, const char *text)
{
	char *clean = lac_glyph_clean(s->arena, text, false);
	size_t room = (size_t)(width / LAC_SVG_CHAR), lines = 0;

	if (!clean) {
		s->x->failed = true;
		return 0;
	}
	for (; *clean; lines++) {
		size_t n = line_bytes(clean, room);

		if (class) {
			lac_svg_text(s, x, s->y + 12, "start", class, "%.*s",
				     (int)n, clean);
			s->y += LAC_SVG_LINE;
		}
		clean += n;
		clean += strspn(clean, " ");
	}
	return lines;
}

/* Lines at an angle, or dots, for the tints and the holes. */
static void pattern(struct lac_svg *s, const char *name, double size,
		    const char *d, double opacity)
{
	lac_xml_start(s->x, "pattern");
	lac_xml_attr(s->x, "id", "%s-%s", s->id, name);
	lac_xml_attr(s->x, "width", "%.0f", size);
	lac_xml_attr(s->x, "height", "%.0f", size);
	lac_xml_attr(s->x, "patternUnits", "userSpaceOnUse");
	lac_xml_start(s->x, "path");
	lac_xml_attr(s->x, "d", "%s", d);
	lac_xml_attr(s->x, "class", "pat");
	lac_xml_attr(s->x, "opacity", "%.2f", opacity);
	lac_xml_end(s->x);
	lac_xml_end(s->x);
}

static void definitions(struct lac_svg *s)
{
	lac_xml_start(s->x, "defs");
	pattern(s, "p1", 9, "M0 9L9 0", .22);
	pattern(s, "p2", 9, "M0 0L9 9", .22);
	pattern(s, "p3", 8, "M3.5 4h1", .5);
	pattern(s, "hole", 6, "M0 6L6 0M-1 1L1 -1M5 7L7 5", .55);
	pattern(s, "padding", 6, "M2.5 3h1", .6);
	pattern(s, "unknown", 8, "M0 8L8 0M0 0L8 8", .25);
	lac_xml_end(s->x);
}

/* The checked data of any kind. */
struct contents {
	enum lac_figure_kind kind;
	union {
		struct lac_fig_line_map line_map;
		struct lac_fig_array_map array_map;
		struct lac_fig_intervals intervals;
		struct lac_fig_chain chain;
	};
};

static enum lac_status read_contents(struct lac_arena *a,
				     const struct lac_figure *f,
				     struct contents *c, struct lac_err *err)
{
	c->kind = f->kind;
	switch (f->kind) {
	case LAC_FIGURE_LINE_MAP:
		return lac_fig_read_line_map(a, f, &c->line_map, err);
	case LAC_FIGURE_ARRAY_MAP:
		return lac_fig_read_array_map(a, f, &c->array_map, err);
	case LAC_FIGURE_INTERVALS:
		return lac_fig_read_intervals(a, f, &c->intervals, err);
	case LAC_FIGURE_CHAIN:
		return lac_fig_read_chain(a, f, &c->chain, err);
	}
	return lac_fail(err, LAC_UNSUPPORTED, "figure %s: unknown kind",
			f->key);
}

static void draw(struct lac_svg *s, const struct contents *c)
{
	switch (c->kind) {
	case LAC_FIGURE_LINE_MAP:
		lac_svg_line_map(s, &c->line_map);
		break;
	case LAC_FIGURE_ARRAY_MAP:
		lac_svg_array_map(s, &c->array_map);
		break;
	case LAC_FIGURE_INTERVALS:
		lac_svg_intervals(s, &c->intervals);
		break;
	case LAC_FIGURE_CHAIN:
		lac_svg_chain(s, &c->chain);
		break;
	}
}

/* The height is known only when all is drawn: draw it once for nothing. */
static enum lac_status measure(struct lac_arena *arena,
			       const struct contents *c, double *height,
			       struct lac_err *err)
{
	struct lac_svg s = { .arena = arena, .id = "" };
	struct lac_xml x;

	LAC_TRY(lac_xml_open(NULL, &x, err));
	s.x = &x;
	lac_xml_start(&x, "svg");
	draw(&s, c);
	*height = s.y;
	return lac_xml_close(&x, err);
}

enum lac_status lac_figure_svg(struct lac_xml *x, const struct lac_figure *f,
			       const char *id, bool alone, struct lac_err *err)
{
	struct lac_svg s = { .x = x, .arena = x->arena, .id = id };
	struct contents c;
	double height = 0;

	LAC_TRY(read_contents(x->arena, f, &c, err));
	LAC_TRY(measure(x->arena, &c, &height, err));
	lac_xml_start(x, "svg");
	lac_xml_attr(x, "xmlns", "http://www.w3.org/2000/svg");
	lac_xml_attr(x, "id", "%s", id);
	lac_xml_attr(x, "class", "lac-f");
	lac_xml_attr(x, "viewBox", "0 0 %.0f %.0f", LAC_SVG_WIDTH, height + 8);
	lac_xml_attr(x, "role", "img");
	lac_xml_attr(x, "aria-labelledby", "%s-title %s-desc", id, id);
	lac_xml_start(x, "title");
	lac_xml_attr(x, "id", "%s-title", id);
	lac_xml_text(x, *f->caption ? f->caption : f->key);
	lac_xml_end(x);
	lac_xml_start(x, "desc");
	lac_xml_attr(x, "id", "%s-desc", id);
	lac_xml_text(x, f->description);
	lac_xml_end(x);
	if (alone)
		lac_svg_style(x);
	definitions(&s);
	if (alone)
		lac_svg_rect(&s, 0, 0, LAC_SVG_WIDTH, height + 8, "page",
			     NULL);
	draw(&s, &c);
	lac_xml_end(x);
	return LAC_OK;
}

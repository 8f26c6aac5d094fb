/* SPDX-License-Identifier: BSD-2-Clause */
/* svg_charts.c - values with intervals, and the chain of evidence. */
#include <math.h>
#include <string.h>

#include "render/glyph.h"
#include "render/svg_figure.h"

#define LEFT 150.0
#define RIGHT 90.0
#define PLOT (LAC_SVG_WIDTH - LEFT - RIGHT)
#define STEP 17.0

static double place(const struct lac_fig_intervals *r, double v)
{
	double from = r->logarithmic ? log(r->min) : r->min;
	double to = r->logarithmic ? log(r->max) : r->max;
	double at = ((r->logarithmic ? log(v) : v) - from) / (to - from);

	return LEFT + 8 + (at > 0 ? at < 1 ? at : 1 : 0) * (PLOT - 16);
}

/* A group has a tint and a shape, so that it can be told without colour. */
static void put_shape(struct lac_svg *s, double x, double y, size_t group)
{
	static const char *const shapes[] = {
		"M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0",
		"M-4 -4h8v8h-8z",
		"M0 -5.5L5 4H-5z",
		"M0 -5.5L5.5 0L0 5.5L-5.5 0z",
	};

	lac_xml_start(s->x, "path");
	lac_xml_attr(s->x, "d", "%s", shapes[group % 4]);
	lac_xml_attr(s->x, "transform", "translate(%.1f %.1f)", x, y);
	lac_xml_attr(s->x, "class", "box m%zu", group % 8);
	lac_xml_end(s->x);
}

static const char *clip(struct lac_svg *s, const char *text, size_t columns)
{
	char *clean = lac_glyph_clean(s->arena, text, false);
	size_t n;

	if (!clean || lac_glyph_columns(clean) <= columns)
		return clean ? clean : "";
	n = lac_glyph_fit(clean, columns - 1);
	clean = lac_arena_printf(s->arena, "%.*s\xe2\x80\xa6", (int)n, clean);
	return clean ? clean : "";
}

static void put_point(struct lac_svg *s, const struct lac_fig_intervals *r,
		      const struct lac_fig_point *p)
{
	double y = s->y + STEP / 2;

	if (!p->has_value) {
		lac_svg_text(s, LEFT + 10, y + 4, "start", "d", "%s: %s",
			     clip(s, p->group, 30), clip(s, p->status, 30));
		return;
	}
	lac_svg_line(s, place(r, p->low), y, place(r, p->high), y, "edge");
	lac_svg_line(s, place(r, p->low), y - 4, place(r, p->low), y + 4,
		     "edge");
	lac_svg_line(s, place(r, p->high), y - 4, place(r, p->high), y + 4,
		     "edge");
	put_shape(s, place(r, p->value), y, p->group_index);
	lac_svg_text(s, LEFT + PLOT + 8, y + 4, "start", "", "%.*f",
		     r->decimals, p->value);
}

static void put_axis(struct lac_svg *s, const struct lac_fig_intervals *r)
{
	double from = r->logarithmic ? log(r->min) : r->min;
	double to = r->logarithmic ? log(r->max) : r->max;

	lac_svg_line(s, LEFT, s->y, LEFT + PLOT, s->y, "rule");
	for (int i = 0; i <= 4; i++) {
		double v = from + (to - from) * i / 4;

		v = r->logarithmic ? exp(v) : v;
		lac_svg_line(s, place(r, v), s->y, place(r, v), s->y + 4,
			     "rule");
		lac_svg_text(s, place(r, v), s->y + 16, "middle", "d", "%.*f",
			     r->decimals, v);
	}
	s->y += 24;
	lac_svg_text(s, LEFT + PLOT / 2, s->y + 10, "middle", "d", "%s%s",
		     clip(s, r->value_title, 70),
		     r->logarithmic ? " (logarithmic)" : "");
	s->y += 20;
}

static void put_groups(struct lac_svg *s, const struct lac_fig_intervals *r)
{
	double x = LEFT;

	for (size_t i = 0; i < r->ngroups; i++) {
		const char *name = clip(s, r->groups[i], 30);
		const double w = 24 + (double)lac_glyph_columns(name) * LAC_SVG_CHAR;

		if (!r->group_used[i])
			continue;
		if (x + w > LAC_SVG_WIDTH && x > LEFT) {
			x = LEFT;
			s->y += 18;
		}
		put_shape(s, x + 6, s->y + 6, i);
		lac_svg_text(s, x + 16, s->y + 10.5, "start", "", "%s", name);
		x += w + 10;
	}
	s->y += 24;
}

void lac_svg_intervals(struct lac_svg *s, const struct lac_fig_intervals *r)
{
	double top;

	s->y = 8;
	put_groups(s, r);
	if (r->has_reference && *r->reference_title)
		s->y += LAC_SVG_LINE; /* its title stands here */
	top = s->y;
	for (size_t i = 0; i < r->ncategories; i++) {
		const struct lac_fig_category *c = &r->categories[i];

		lac_svg_line(s, LEFT, s->y, LEFT + PLOT, s->y, "rule");
		lac_svg_text(s, LEFT - 10, s->y + 4 + STEP / 2, "end", "b",
			     "%s", clip(s, c->label, 20));
		for (size_t k = 0; k < c->npoints; k++, s->y += STEP)
			put_point(s, r, &c->points[k]);
		s->y += c->npoints ? 6 : STEP;
	}
	if (r->has_reference && (!r->logarithmic || r->reference > 0)) {
		double x = place(r, r->reference);

		lac_svg_line(s, x, top - 2, x, s->y, "ref");
		if (*r->reference_title)
			lac_svg_text(s, x, top - 5, "middle", "d", "%s",
				     clip(s, r->reference_title, 40));
	}
	put_axis(s, r);
}

static void put_state(struct lac_svg *s, double y, enum lac_fig_state state)
{
	static const char *const words[] = { "holds", "fails", "unknown" };
	static const char *const marks[] = { "\xe2\x9c\x93", "\xe2\x9c\x97",
					     "?" };
	static const char *const classes[] = { "b ok", "b w", "b d" };

	lac_svg_text(s, 20, y, "start", classes[state], "%s %s", marks[state],
		     words[state]);
}

void lac_svg_chain(struct lac_svg *s, const struct lac_fig_chain *c)
{
	s->y = 6;
	for (size_t i = 0; i < c->nsteps; i++) {
		const struct lac_fig_step *step = &c->steps[i];
		const double w = LAC_SVG_WIDTH - 130;
		size_t lines = lac_svg_paragraph(s, 0, w, NULL, step->label) +
			       lac_svg_paragraph(s, 0, w, NULL, step->detail);
		double top = s->y, h = 20 + LAC_SVG_LINE * (double)lines;

		if (i) {
			lac_svg_line(s, 46, top, 46, top + 16, "edge");
			lac_xml_start(s->x, "path");
			lac_xml_attr(s->x, "d", "M41 %.1fl5 8l5 -8z", top + 12);
			lac_xml_attr(s->x, "class", "dot");
			lac_xml_end(s->x);
			top += 22;
		}
		lac_svg_rect(s, 8, top, LAC_SVG_WIDTH - 16, h, "step", NULL);
		put_state(s, top + 22, step->state);
		s->y = top + 10;
		lac_svg_paragraph(s, 110, w, "b", step->label);
		lac_svg_paragraph(s, 110, w, "", step->detail);
		s->y = top + h;
	}
}

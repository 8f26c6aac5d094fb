/* SPDX-License-Identifier: BSD-2-Clause */
/* svg_figure.h - what the drawings of the figures share; not for others. */
#ifndef LAC_SVG_FIGURE_H
#define LAC_SVG_FIGURE_H

#include "render/figure_data.h"
#include "render/xml.h"

/* Everything is drawn in a page of this width, as high as it needs. */
#define LAC_SVG_WIDTH 760.0
/* About what a character takes: fonts differ, so labels get some more room. */
#define LAC_SVG_CHAR 6.8
#define LAC_SVG_ROW 28.0
#define LAC_SVG_LINE 17.0 /* of text */

struct lac_svg {
	struct lac_xml *x;
	struct lac_arena *arena;
	const char *id; /* patterns are "ID-NAME" */
	double y;	/* where the next thing goes; after all, the height */
};

void lac_svg_rect(struct lac_svg *s, double x, double y, double w, double h,
		  const char *class, const char *fmt, ...) LAC_PRINTF(7, 8);
/* A rectangle filled with one of the patterns of the <defs>. */
void lac_svg_pattern(struct lac_svg *s, double x, double y, double w, double h,
		     const char *pattern);
void lac_svg_line(struct lac_svg *s, double x1, double y1, double x2,
		  double y2, const char *class);
/* anchor: "start", "middle" or "end". */
void lac_svg_text(struct lac_svg *s, double x, double y, const char *anchor,
		  const char *class, const char *fmt, ...) LAC_PRINTF(6, 7);
/* The same only if it fits a width. */
void lac_svg_label(struct lac_svg *s, double x, double y, double w,
		   const char *text);
/*
 * A text over as many lines as it takes; moves s->y on.  With class NULL it is
 * only measured.  Returns the number of lines.
 */
size_t lac_svg_paragraph(struct lac_svg *s, double x, double width,
			 const char *class, const char *text);

/* <style>, of a figure in a file of its own. */
void lac_svg_style(struct lac_xml *x);

void lac_svg_line_map(struct lac_svg *s, const struct lac_fig_line_map *m);
void lac_svg_array_map(struct lac_svg *s, const struct lac_fig_array_map *m);
void lac_svg_intervals(struct lac_svg *s, const struct lac_fig_intervals *r);
void lac_svg_chain(struct lac_svg *s, const struct lac_fig_chain *c);

#endif

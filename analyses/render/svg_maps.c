/* SPDX-License-Identifier: BSD-2-Clause */
/* svg_maps.c - bytes over cache lines, drawn to scale: a bit is a bit. */
#include <string.h>

#include "render/glyph.h"
#include "render/svg_figure.h"

#define LEFT 76.0 /* offsets stand left of the rows */
#define RIGHT 12.0
#define MAX_ROWS 64u
#define MAP_WIDTH (LAC_SVG_WIDTH - LEFT - RIGHT)
#define BOX 20.0 /* height of a byte's box in a row of LAC_SVG_ROW */
#define HEAT 6.0 /* the most of a bar below it */

/* Bytes a row: a line, or half, a quarter ... of a very long one. */
static uint64_t row_bytes(uint64_t line)
{
	while (line > 64)
		line /= 2;
	return line;
}

/* A run of bits is cut at row borders; draws each part. */
struct part {
	uint64_t row;
	double x, w;
	bool first, last;
};

static bool next_part(uint64_t *at, uint64_t end, uint64_t per_row,
		      struct part *p)
{
	uint64_t bits = per_row * 8, stop;

	if (*at >= end)
		return false;
	p->row = *at / bits;
	stop = (p->row + 1) * bits;
	p->last = end <= stop;
	stop = p->last ? end : stop;
	p->x = LEFT + (double)(*at % bits) * MAP_WIDTH / (double)bits;
	p->w = (double)(stop - *at) * MAP_WIDTH / (double)bits;
	*at = stop;
	return p->row < MAX_ROWS;
}

static void tint(char *class, size_t size, char *pattern, size_t n)
{
	snprintf(class, size, "box m%zu", n % 8);
	snprintf(pattern, 3, "p%zu", (n + n / 8) % 4);
}

static const char *span_name(const struct lac_fig_span *s)
{
	static const char *const names[] = { "", "hole", "padding",
					     "unknown" };

	if (s->kind == LAC_FIG_MEMBER)
		return *s->label ? s->label : "(anonymous)";
	return names[s->kind];
}

static void put_span(struct lac_svg *s, const struct lac_fig_line_map *all,
		     const struct lac_fig_map *m,
		     const struct lac_fig_span *span, size_t n)
{
	uint64_t at = m->first_byte * 8 + span->bit_offset;
	uint64_t end = at + span->bit_size, per_row = row_bytes(all->line_size);
	const char *name = span_name(span);
	char class[16], pattern[16];
	struct part p;

	while (next_part(&at, end, per_row, &p)) {
		double y = s->y + (double)p.row * LAC_SVG_ROW;

		if (span->kind == LAC_FIG_MEMBER) {
			tint(class, sizeof(class), pattern, n);
		} else {
			snprintf(class, sizeof(class), "gap");
			snprintf(pattern, sizeof(pattern), "%s", name);
		}
		lac_svg_rect(s, p.x, y, p.w, BOX, class,
			     "%s: offset %llu, %llu bits%s", name,
			     (unsigned long long)span->bit_offset / 8,
			     (unsigned long long)span->bit_size,
			     span->straddles ? "; straddles a line" : "");
		if (strcmp(pattern, "p0") != 0)
			lac_svg_pattern(s, p.x, y, p.w, BOX, pattern);
		if (all->heat_title && span->has_heat && all->heat_max > 0)
			/* below the box, where it hides no name */
			lac_svg_rect(s, p.x, y + BOX + 1, p.w,
				     span->heat / all->heat_max * HEAT, "heat",
				     "%s: %s", all->heat_title,
				     lac_fig_heat(s->arena, span->heat));
		if (span->straddles)
			lac_svg_rect(s, p.x + 1, y + 1, p.w > 2 ? p.w - 2 : p.w,
				     BOX - 2, "cross", NULL);
		if (span->changed)
			lac_svg_rect(s, p.x + 2, y + 2, p.w > 4 ? p.w - 4 : p.w,
				     BOX - 4, "changed", NULL);
		lac_svg_label(s, p.x, y + 14.5, p.w - 12, name);
	}
}

static void put_offsets(struct lac_svg *s, uint64_t line, uint64_t rows)
{
	uint64_t per_row = row_bytes(line);

	for (uint64_t r = 0; r < rows; r++) {
		double y = s->y + (double)r * LAC_SVG_ROW;
		bool begins = r * per_row % line == 0;

		lac_svg_text(s, LEFT - 8, y + 14.5, "end", "d", "%llu",
			     (unsigned long long)(r * per_row));
		lac_svg_line(s, LEFT, y - 4, LEFT, y + BOX + 4,
			     begins ? "edge" : "rule");
		lac_svg_line(s, LEFT + MAP_WIDTH, y - 4, LEFT + MAP_WIDTH,
			     y + BOX + 4,
			     (r + 1) * per_row % line == 0 ? "edge" : "rule");
	}
}

/* A swatch and a text for each member, in two columns. */
static void put_legend(struct lac_svg *s, const struct lac_fig_line_map *all,
		       const struct lac_fig_map *m, uint64_t shown_bits)
{
	size_t n = 0, column = 0;
	const double half = (LAC_SVG_WIDTH - LEFT) / 2;
	char class[16], pattern[16], heat[48];

	for (size_t i = 0; i < m->nspans; i++) {
		const struct lac_fig_span *span = &m->spans[i];
		double x = LEFT + (double)column * half;
		size_t room = (size_t)((half - 190) / LAC_SVG_CHAR);
		const char *name = span_name(span);
		char *clean = lac_glyph_clean(s->arena, name, false);

		if (span->kind != LAC_FIG_MEMBER)
			continue;
		if (m->first_byte * 8 + span->bit_offset >= shown_bits || !clean)
			break;
		tint(class, sizeof(class), pattern, n++);
		lac_svg_rect(s, x, s->y, 16, 12, class, NULL);
		if (strcmp(pattern, "p0") != 0)
			lac_svg_pattern(s, x, s->y, 16, 12, pattern);
		heat[0] = '\0';
		if (all->heat_title && span->has_heat)
			snprintf(heat, sizeof(heat), ", heat %s",
				 lac_fig_heat(s->arena, span->heat));
		lac_svg_text(s, x + 22, s->y + 10.5, "start",
			     span->straddles ? "w" : "", "%.*s%s at %llu%s%s",
			     (int)lac_glyph_fit(clean, room), clean,
			     lac_glyph_columns(clean) > room ? "\xe2\x80\xa6"
							     : "",
			     (unsigned long long)span->bit_offset / 8,
			     span->straddles ? ", straddles" : "", heat);
		column ^= 1;
		if (!column)
			s->y += 18;
	}
	s->y += column ? 24 : 6;
}

static void put_map(struct lac_svg *s, const struct lac_fig_line_map *all,
		    const struct lac_fig_map *m)
{
	uint64_t per_row = row_bytes(all->line_size), members = 0;
	uint64_t end = m->first_byte + m->size;
	uint64_t rows = end / per_row + (end % per_row != 0);
	uint64_t shown = rows < MAX_ROWS ? rows : MAX_ROWS;

	if (*m->title)
		lac_svg_paragraph(s, 8, LAC_SVG_WIDTH - 16, "b", m->title);
	s->y += 8;
	put_offsets(s, all->line_size, shown);
	for (size_t i = 0; i < m->nspans; i++) {
		if ((m->first_byte * 8 + m->spans[i].bit_offset) >=
		    shown * per_row * 8)
			break;
		put_span(s, all, m, &m->spans[i], members);
		members += m->spans[i].kind == LAC_FIG_MEMBER;
	}
	s->y += (double)shown * LAC_SVG_ROW + 4;
	if (rows > shown) {
		lac_svg_text(s, LEFT, s->y + 12, "start", "d",
			     "and %llu rows more",
			     (unsigned long long)(rows - shown));
		s->y += 20;
	}
	put_legend(s, all, m, shown * per_row * 8);
}

/* What the hatchings and outlines mean, of those that are there. */
static void put_key(struct lac_svg *s, const struct lac_fig_line_map *m)
{
	static const char *const gaps[] = { "hole", "padding", "unknown" };
	bool there[4] = { false }, crosses = false, changed = false;
	double x = LEFT;

	for (size_t i = 0; i < m->nmaps; i++)
		for (size_t k = 0; k < m->maps[i].nspans; k++) {
			there[m->maps[i].spans[k].kind] = true;
			crosses |= m->maps[i].spans[k].straddles;
			changed |= m->maps[i].spans[k].changed;
		}
	for (size_t i = 0; i < 3; i++) {
		if (!there[i + 1])
			continue;
		lac_svg_rect(s, x, s->y, 16, 12, "gap", NULL);
		lac_svg_pattern(s, x, s->y, 16, 12, gaps[i]);
		lac_svg_text(s, x + 22, s->y + 10.5, "start", "d", "%s",
			     gaps[i]);
		x += 90;
	}
	if (crosses) {
		lac_svg_rect(s, x + 1, s->y + 1, 14, 10, "cross", NULL);
		lac_svg_text(s, x + 22, s->y + 10.5, "start", "d",
			     "crosses a line");
		x += 130;
	}
	if (changed) {
		lac_svg_rect(s, x + 1, s->y + 1, 14, 10, "changed", NULL);
		lac_svg_text(s, x + 22, s->y + 10.5, "start", "d", "changed");
		x += 90;
	}
	s->y += x > LEFT ? 20 : 0;
	if (m->heat_title) {
		char *heat = lac_arena_printf(s->arena,
					      "below a member: %s, at "
					      "most %s",
					      m->heat_title,
					      lac_fig_heat(s->arena,
							   m->heat_max));

		s->x->failed |= !heat;
		lac_svg_rect(s, LEFT, s->y + 3, 16, HEAT, "heat", NULL);
		lac_svg_paragraph(s, LEFT + 22, MAP_WIDTH - 22, "d",
				  heat ? heat : "");
	}
}

void lac_svg_line_map(struct lac_svg *s, const struct lac_fig_line_map *m)
{
	s->y = 6;
	for (size_t i = 0; i < m->nmaps; i++)
		put_map(s, m, &m->maps[i]);
	put_key(s, m);
}

static void put_element(struct lac_svg *s, uint64_t line,
			const struct lac_fig_array *a, uint64_t n, bool crosses)
{
	uint64_t at = (a->first_byte + n * a->element_size) * 8;
	uint64_t end = at + a->element_size * 8, start = at;
	char class[16], name[24];
	struct part p;

	snprintf(class, sizeof(class), "box m%d", n % 2 ? 6 : 0);
	snprintf(name, sizeof(name), "%llu", (unsigned long long)n);
	while (next_part(&at, end, row_bytes(line), &p)) {
		double y = s->y + (double)p.row * LAC_SVG_ROW;

		lac_svg_rect(s, p.x, y, p.w, BOX, class, "element %s%s", name,
			     crosses ? ", crosses a line" : "");
	}
	for (size_t i = 0; i < a->nmarks; i++) {
		const struct lac_fig_mark *k = &a->marks[i];

		at = start + k->byte_offset * 8;
		while (next_part(&at, start + (k->byte_offset + k->byte_size) *
						      8,
				 row_bytes(line), &p))
			lac_svg_rect(s, p.x,
				     s->y + (double)p.row * LAC_SVG_ROW, p.w,
				     BOX, "mark", "%s of element %s", k->label,
				     name);
	}
	at = start;
	while (next_part(&at, end, row_bytes(line), &p)) {
		double y = s->y + (double)p.row * LAC_SVG_ROW;

		if (crosses)
			lac_svg_rect(s, p.x + 1, y + 1, p.w > 2 ? p.w - 2 : p.w,
				     BOX - 2, "cross", NULL);
		if (p.w > 24)
			lac_svg_text(s, p.x + 6, y + 14.5, "start", "", "%s",
				     name);
	}
}

static void put_array(struct lac_svg *s, uint64_t line,
		      const struct lac_fig_array *a)
{
	uint64_t per_row = row_bytes(line), cross = 0;
	uint64_t end = a->first_byte + a->elements * a->element_size;
	uint64_t rows = end / per_row + (end % per_row != 0);
	uint64_t shown = rows < MAX_ROWS ? rows : MAX_ROWS;

	lac_svg_paragraph(s, 8, LAC_SVG_WIDTH - 16, "b", a->title);
	s->y += 8;
	put_offsets(s, line, shown);
	for (uint64_t i = 0; i < a->elements; i++) {
		uint64_t first = a->first_byte + i * a->element_size;
		bool crosses = first / line !=
			       (first + a->element_size - 1) / line;

		cross += crosses;
		if (first < shown * per_row)
			put_element(s, line, a, i, crosses);
	}
	s->y += (double)shown * LAC_SVG_ROW + 2;
	lac_svg_text(s, LEFT, s->y + 12, "start", cross ? "w" : "d",
		     "%llu of %llu elements cross a line",
		     (unsigned long long)cross,
		     (unsigned long long)a->elements);
	s->y += 20;
	for (size_t i = 0; i < a->nmarks; i++) {
		lac_svg_rect(s, LEFT, s->y + 2, 16, 12, "mark", NULL);
		lac_svg_text(s, LEFT + 22, s->y + 12.5, "start", "d", "%s",
			     a->marks[i].label);
		s->y += 18;
	}
	s->y += 8;
}

void lac_svg_array_map(struct lac_svg *s, const struct lac_fig_array_map *m)
{
	s->y = 6;
	for (size_t i = 0; i < m->narrays; i++)
		put_array(s, m->line_size, &m->arrays[i]);
}

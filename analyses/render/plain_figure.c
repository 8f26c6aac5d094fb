/* SPDX-License-Identifier: BSD-2-Clause */
/* plain_figure.c - figures in characters; one a byte, one row a line. */
#include <math.h>
#include <string.h>

#include "render/figure.h"
#include "render/figure_data.h"
#include "render/glyph.h"

#define MAX_ROWS 64u /* of one map; what follows is counted, not drawn */

static size_t page_width(const struct lac_plain *p)
{
	return p->width && p->width < LAC_PLAIN_PROSE ? p->width
						      : LAC_PLAIN_PROSE;
}

static char letter(size_t n)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789";

	return letters[n % (sizeof(letters) - 1)];
}

static int digits(uint64_t n)
{
	int d = 1;

	for (; n >= 10; n /= 10)
		d++;
	return d;
}

/* Bytes a row: a line, or the largest part of it that fits. */
static uint64_t row_bytes(const struct lac_plain *p, uint64_t line,
			  int offset_digits)
{
	uint64_t n = line;

	while (n > 8 && n + (uint64_t)offset_digits + 3 > page_width(p))
		n /= 2;
	return n;
}

/*
 * A row: its first byte, then one character for each of n bytes.  A row that
 * continues the line above begins with ':'.
 */
static void put_row(struct lac_plain *p, int width, uint64_t first, bool begins,
		    const char *bytes, size_t n)
{
	while (n && bytes[n - 1] == ' ')
		n--;
	fprintf(p->out, "%*llu %c%.*s\n", width, (unsigned long long)first,
		begins ? '|' : ':', (int)n, bytes);
}

static enum lac_status put_rest(struct lac_plain *p, uint64_t bytes,
				struct lac_err *err)
{
	char note[48];

	snprintf(note, sizeof(note), "and %llu bytes more",
		 (unsigned long long)bytes);
	return lac_plain_wrap(p, note, "  ", "  ", LAC_STYLE_NONE, err);
}

static char span_char(const struct lac_fig_map *m, size_t i)
{
	size_t members = 0;

	switch (m->spans[i].kind) {
	case LAC_FIG_HOLE:
		return '.';
	case LAC_FIG_PADDING:
		return '_';
	case LAC_FIG_UNKNOWN:
		return '?';
	case LAC_FIG_MEMBER:
		break;
	}
	for (size_t k = 0; k < i; k++)
		members += m->spans[k].kind == LAC_FIG_MEMBER;
	return letter(members);
}

/* The characters of bytes [from, from + n) of a line grid; from >= phase. */
static void fill_row(const struct lac_fig_map *m, uint64_t from, size_t n,
		     char *row)
{
	memset(row, ' ', n);
	for (size_t i = 0; i < m->nspans; i++) {
		const struct lac_fig_span *s = &m->spans[i];
		uint64_t first = m->first_byte + s->bit_offset / 8;
		uint64_t last = m->first_byte +
				(s->bit_offset + s->bit_size - 1) / 8;

		if (last < from || first >= from + n)
			continue;
		first = first < from ? from : first;
		last = last >= from + n ? from + n - 1 : last;
		/* a byte of several spans shows the first */
		for (uint64_t b = first; b <= last; b++)
			if (row[b - from] == ' ')
				row[b - from] = span_char(m, i);
	}
}

/*
 * Under the bytes of a row how hot each is: 1 to 9 parts of the most, '.' for
 * what was counted and is next to nothing.  Nothing where none is hot.
 */
static void put_heat(struct lac_plain *p, const struct lac_fig_line_map *all,
		     const struct lac_fig_map *m, int width, uint64_t from,
		     size_t n)
{
	char row[4096];
	bool hot = false;

	if (!all->heat_title || !(all->heat_max > 0))
		return;
	memset(row, ' ', n);
	for (size_t i = 0; i < m->nspans; i++) {
		const struct lac_fig_span *s = &m->spans[i];
		uint64_t first = m->first_byte + s->bit_offset / 8;
		uint64_t last = m->first_byte +
				(s->bit_offset + s->bit_size - 1) / 8;
		int level;

		if (!s->has_heat || last < from || first >= from + n)
			continue;
		level = (int)(s->heat / all->heat_max * 9 + 0.5);
		first = first < from ? from : first;
		last = last >= from + n ? from + n - 1 : last;
		for (uint64_t b = first; b <= last; b++)
			if (row[b - from] == ' ')
				row[b - from] =
					level > 0 ? (char)('0' + level) : '.';
		hot = true;
	}
	while (n && row[n - 1] == ' ')
		n--;
	if (hot)
		fprintf(p->out, "%*s %.*s\n", width + 1, "", (int)n, row);
}

static enum lac_status put_legend(struct lac_plain *p,
				  const struct lac_fig_line_map *all,
				  const struct lac_fig_map *m, uint64_t drawn,
				  struct lac_err *err)
{
	const char *line = "";

	for (size_t i = 0; i < m->nspans && line; i++) {
		const struct lac_fig_span *s = &m->spans[i];
		const char *heat = "";

		if (s->kind != LAC_FIG_MEMBER ||
		    m->first_byte + s->bit_offset / 8 >= drawn)
			continue;
		if (all->heat_title && s->has_heat)
			heat = lac_arena_printf(p->arena, " (%s)",
						lac_fig_heat(p->arena,
							     s->heat));
		line = lac_arena_printf(
			p->arena, "%s%s%c=%s%s%s%s", line, *line ? ", " : "",
			span_char(m, i), *s->label ? s->label : "(anonymous)",
			s->straddles ? " (straddles)" : "",
			s->changed ? " (changed)" : "", heat ? heat : "");
	}
	if (!line)
		return lac_fail_memory(err);
	if (*line)
		LAC_TRY(lac_plain_wrap(p, line, "  ", "  ", LAC_STYLE_NONE,
				       err));
	return LAC_OK;
}

static enum lac_status put_map(struct lac_plain *p,
			       const struct lac_fig_line_map *all,
			       const struct lac_fig_map *m,
			       struct lac_err *err)
{
	uint64_t end = m->first_byte + m->size, at, rows = 0;
	int width = digits(end);
	uint64_t step = row_bytes(p, all->line_size, width);
	char row[4096];

	if (*m->title)
		LAC_TRY(lac_plain_wrap(p, m->title, "", "", LAC_STYLE_NONE,
				       err));
	for (at = 0; at < end && rows < MAX_ROWS; at += step, rows++) {
		fill_row(m, at, (size_t)step, row);
		put_row(p, width, at, at % all->line_size == 0, row,
			(size_t)step);
		put_heat(p, all, m, width, at, (size_t)step);
	}
	if (at < end)
		LAC_TRY(put_rest(p, end - at, err));
	return put_legend(p, all, m, at, err);
}

static enum lac_status line_map(struct lac_plain *p,
				const struct lac_figure *f,
				struct lac_err *err)
{
	struct lac_fig_line_map all;
	bool hole = false, padding = false, unknown = false;
	char note[160];

	LAC_TRY(lac_fig_read_line_map(p->arena, f, &all, err));
	for (size_t i = 0; i < all.nmaps; i++) {
		LAC_TRY(put_map(p, &all, &all.maps[i], err));
		for (size_t k = 0; k < all.maps[i].nspans; k++) {
			hole |= all.maps[i].spans[k].kind == LAC_FIG_HOLE;
			padding |= all.maps[i].spans[k].kind == LAC_FIG_PADDING;
			unknown |= all.maps[i].spans[k].kind == LAC_FIG_UNKNOWN;
		}
	}
	if (all.heat_title) {
		char *title = lac_arena_printf(
			p->arena,
			"in brackets: %s; under the bytes: 9 for the most, %s, "
			"down to 1, and . for next to none",
			all.heat_title, lac_fig_heat(p->arena, all.heat_max));

		if (!title)
			return lac_fail_memory(err);
		LAC_TRY(lac_plain_wrap(p, title, "  ", "  ", LAC_STYLE_NONE,
				       err));
	}
	snprintf(note, sizeof(note), "a | begins a line of %llu bytes%s%s%s",
		 (unsigned long long)all.line_size, hole ? "; . hole" : "",
		 padding ? "; _ padding" : "", unknown ? "; ? unknown" : "");
	return lac_plain_wrap(p, note, "  ", "  ", LAC_STYLE_DIM, err);
}

static bool is_marked(const struct lac_fig_array *a, uint64_t byte)
{
	for (size_t i = 0; i < a->nmarks; i++)
		if (byte >= a->marks[i].byte_offset &&
		    byte - a->marks[i].byte_offset < a->marks[i].byte_size)
			return true;
	return false;
}

static enum lac_status put_array(struct lac_plain *p, uint64_t line,
				 const struct lac_fig_array *a,
				 struct lac_err *err)
{
	uint64_t bytes = a->element_size * a->elements;
	uint64_t end = a->first_byte + bytes, at, rows = 0, cross = 0;
	int width = digits(end);
	uint64_t step = row_bytes(p, line, width);
	char row[4096], note[160];

	LAC_TRY(lac_plain_wrap(p, a->title, "", "", LAC_STYLE_NONE, err));
	for (at = 0; at < end && rows < MAX_ROWS; at += step, rows++) {
		for (uint64_t b = 0; b < step; b++) {
			uint64_t byte = at + b - a->first_byte;

			row[b] = ' ';
			if (at + b >= a->first_byte && at + b < end)
				row[b] = is_marked(a, byte % a->element_size)
						 ? '*'
						 : letter(byte /
							  a->element_size);
		}
		put_row(p, width, at, at % line == 0, row, (size_t)step);
	}
	for (uint64_t i = 0; i < a->elements; i++) {
		uint64_t first = a->first_byte + i * a->element_size;

		cross += first / line !=
			 (first + a->element_size - 1) / line;
	}
	if (at < end)
		LAC_TRY(put_rest(p, end - at, err));
	snprintf(note, sizeof(note), "%llu of %llu elements cross a line",
		 (unsigned long long)cross, (unsigned long long)a->elements);
	LAC_TRY(lac_plain_wrap(p, note, "  ", "  ", LAC_STYLE_NONE, err));
	for (size_t i = 0; i < a->nmarks; i++)
		LAC_TRY(lac_plain_wrap(p, a->marks[i].label, "  * ", "    ",
				       LAC_STYLE_NONE, err));
	return LAC_OK;
}

static enum lac_status array_map(struct lac_plain *p,
				 const struct lac_figure *f,
				 struct lac_err *err)
{
	struct lac_fig_array_map m;

	LAC_TRY(lac_fig_read_array_map(p->arena, f, &m, err));
	for (size_t i = 0; i < m.narrays; i++)
		LAC_TRY(put_array(p, m.line_size, &m.arrays[i], err));
	return LAC_OK;
}

static size_t place(const struct lac_fig_intervals *r, double v, size_t cells)
{
	double from = r->logarithmic ? log(r->min) : r->min;
	double to = r->logarithmic ? log(r->max) : r->max;
	double at = ((r->logarithmic ? log(v) : v) - from) / (to - from);

	/* also where the range is beyond what a double can hold */
	if (!(at > 0))
		at = 0;
	return (size_t)((at < 1 ? at : 1) * (double)(cells - 1) + 0.5);
}

static void draw_point(const struct lac_fig_intervals *r,
		       const struct lac_fig_point *pt, char *bar, size_t cells)
{
	memset(bar, ' ', cells);
	bar[cells] = '\0';
	if (r->has_reference && (!r->logarithmic || r->reference > 0))
		bar[place(r, r->reference, cells)] = ':';
	if (!pt->has_value)
		return;
	for (size_t i = place(r, pt->low, cells);
	     i <= place(r, pt->high, cells); i++)
		bar[i] = '-';
	bar[place(r, pt->value, cells)] = 'o';
}

/* A value, or why there is none, in at most VALUE_COLUMNS. */
#define VALUE_COLUMNS 12

static void value_text(const struct lac_fig_intervals *r,
		       const struct lac_fig_point *pt, const char *status,
		       char *buf, size_t size)
{
	if (!pt->has_value)
		snprintf(buf, size, "%.*s",
			 (int)lac_glyph_fit(status, VALUE_COLUMNS), status);
	else if (snprintf(buf, size, "%.*f", r->decimals, pt->value) >
		 VALUE_COLUMNS)
		snprintf(buf, size, "%.5g", pt->value);
}

static enum lac_status put_point(struct lac_plain *p,
				 const struct lac_fig_intervals *r,
				 const struct lac_fig_point *pt, size_t name,
				 struct lac_err *err)
{
	char *group = lac_glyph_clean(p->arena, pt->group, p->ascii);
	char *status = lac_glyph_clean(p->arena, pt->status, p->ascii);
	size_t taken = name + 7 + VALUE_COLUMNS, shown, pad;
	char bar[128], value[64];

	if (!group || !status)
		return lac_fail_memory(err);
	value_text(r, pt, status, value, sizeof(value));
	shown = lac_glyph_columns(group) > name ? lac_glyph_fit(group, name)
						: strlen(group);
	pad = name - (lac_glyph_columns(group) -
		      lac_glyph_columns(group + shown));
	fprintf(p->out, "  %.*s%*s ", (int)shown, group, (int)pad, "");
	if (page_width(p) > taken + 8) {
		size_t room = page_width(p) - taken;

		draw_point(r, pt, bar, room < 100 ? room : 100);
		fprintf(p->out, "|%s| ", bar);
	}
	fprintf(p->out, "%s\n", value);
	return LAC_OK;
}

static enum lac_status intervals(struct lac_plain *p,
				 const struct lac_figure *f,
				 struct lac_err *err)
{
	struct lac_fig_intervals r;
	char note[200];
	size_t name = 1;

	LAC_TRY(lac_fig_read_intervals(p->arena, f, &r, err));
	for (size_t i = 0; i < r.ngroups; i++)
		if (lac_glyph_columns(r.groups[i]) > name)
			name = lac_glyph_columns(r.groups[i]);
	if (name > page_width(p) / 4)
		name = page_width(p) / 4;
	for (size_t i = 0; i < r.ncategories; i++) {
		LAC_TRY(lac_plain_wrap(p, r.categories[i].label, "", "",
				       LAC_STYLE_NONE, err));
		for (size_t k = 0; k < r.categories[i].npoints; k++)
			LAC_TRY(put_point(p, &r, &r.categories[i].points[k],
					  name, err));
	}
	snprintf(note, sizeof(note), "%s; from %.*f to %.*f%s; o value, - its "
		 "interval%s%s", r.value_title, r.decimals, r.min, r.decimals,
		 r.max, r.logarithmic ? ", logarithmic" : "",
		 r.has_reference ? ", : " : "",
		 r.has_reference ? r.reference_title : "");
	return lac_plain_wrap(p, note, "  ", "  ", LAC_STYLE_DIM, err);
}

static enum lac_status chain(struct lac_plain *p, const struct lac_figure *f,
			     struct lac_err *err)
{
	static const char *const marks[] = { "[holds]   ", "[fails]   ",
					     "[unknown] " };
	struct lac_fig_chain c;

	LAC_TRY(lac_fig_read_chain(p->arena, f, &c, err));
	for (size_t i = 0; i < c.nsteps; i++) {
		if (i)
			fputs("    |\n    v\n", p->out);
		LAC_TRY(lac_plain_wrap(p, c.steps[i].label,
				       marks[c.steps[i].state], "          ",
				       LAC_STYLE_BOLD, err));
		if (*c.steps[i].detail)
			LAC_TRY(lac_plain_wrap(p, c.steps[i].detail,
					       "          ", "          ",
					       LAC_STYLE_NONE, err));
	}
	return LAC_OK;
}

enum lac_status lac_plain_figure(struct lac_plain *p,
				 const struct lac_figure *f,
				 struct lac_err *err)
{
	if (*f->caption)
		LAC_TRY(lac_plain_wrap(p, f->caption, "", "", LAC_STYLE_BOLD,
				       err));
	switch (f->kind) {
	case LAC_FIGURE_LINE_MAP:
		return line_map(p, f, err);
	case LAC_FIGURE_ARRAY_MAP:
		return array_map(p, f, err);
	case LAC_FIGURE_INTERVALS:
		return intervals(p, f, err);
	case LAC_FIGURE_CHAIN:
		return chain(p, f, err);
	}
	return LAC_OK;
}

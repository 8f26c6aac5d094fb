/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plain_table.c - tables in characters.  One that is wider than the page is
 * first made narrower (titles, then texts, over several lines) and then split
 * into tables of fewer columns, each of which begins with the columns that
 * name the row.
 */
#include <string.h>

#include "render/glyph.h"
#include "render/plain_share.h"

#define KEY_MAX 28u  /* names of rows are not broken up to here in a split */
#define TEXT_MIN 12u /* texts are not wrapped narrower than this, if possible */

static size_t max(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Columns that the first bytes of s take. */
static size_t part_columns(const char *s, size_t bytes)
{
	return lac_glyph_columns(s) - lac_glyph_columns(s + bytes);
}

static size_t longest_word(const char *s)
{
	size_t longest = 0;

	while (*s) {
		size_t n = strcspn(s, " ");

		longest = max(longest, part_columns(s, n));
		s += n;
		s += strspn(s, " ");
	}
	return longest;
}

/*
 * A cell breaks after a blank or a comma, and a name or a path that is longer
 * than the line also after these.
 */
static const char inner_breaks[] = "_/.:;-|=";

static size_t longest_piece(const char *s)
{
	size_t longest = 0;

	while (*s) {
		size_t n = strcspn(s, " ,_/.:;-|=");

		n += s[n] && s[n] != ' ';
		longest = max(longest, part_columns(s, n));
		s += n;
		s += strspn(s, " ");
	}
	return longest;
}

/* What the texts of each column can be narrowed to. */
static void find_least(struct lac_grid *g)
{
	for (size_t r = 0; r < g->nrows; r++)
		for (size_t c = 0; c < g->ncolumns; c++)
			g->columns[c].least =
				max(g->columns[c].least,
				    longest_piece(lac_grid_at(g, r, c)->text));
}

static bool same_key(const struct lac_grid *g, size_t a, size_t b, size_t nkeys)
{
	for (size_t c = 0; c < nkeys; c++)
		if (strcmp(lac_grid_at(g, a, c)->text, lac_grid_at(g, b, c)->text) != 0)
			return false;
	return true;
}

#define KEYS_MAX 3u
#define ROWS_COMPARED 1000u

/* The columns that name a row: as many as tell each from the next ones. */
static size_t key_columns(const struct lac_grid *g)
{
	size_t n = g->nrows < ROWS_COMPARED ? g->nrows : ROWS_COMPARED;
	size_t k = 1;

	for (bool unique = false; k < KEYS_MAX && k + 1 < g->ncolumns; k++) {
		unique = true;
		for (size_t a = 0; a < n && unique; a++)
			for (size_t b = a + 1; b < n && unique; b++)
				unique = !same_key(g, a, b, k);
		if (unique)
			return k;
	}
	return k;
}

/*
 * Where to break a name within from..to, or from: not right before its last
 * letters ("seqcount_spinlock_", "t") if it can be helped.
 */
static size_t inner_break(const char *text, size_t from, size_t to)
{
	size_t last = from;

	for (size_t i = to; i > from; i--) {
		if (!strchr(inner_breaks, text[i - 1]))
			continue;
		if (strcspn(text + i, " ,") > 2)
			return i;
		if (last == from)
			last = i;
	}
	return last;
}

/* The part of *s that goes on this line of a cell; moves *s on. */
static const char *next_part(const char **s, size_t width, size_t *bytes)
{
	const char *text = *s;
	size_t n = lac_glyph_fit(text, width), k = n;

	if (text[n] && text[n] != ' ') {
		while (k && text[k - 1] != ' ' && text[k - 1] != ',')
			k--;
		/* a line that is mostly empty is worse than a broken name */
		if (k * 2 < n) {
			size_t inner = inner_break(text, k, n);

			k = inner > k ? inner : k;
		}
		n = k ? k : n;
	}
	*s = text + n + strspn(text + n, " ");
	while (n && text[n - 1] == ' ')
		n--;
	*bytes = n;
	return text;
}

/* Titles may take several lines; a cell of numbers stays whole. */
static void narrow_titles(struct lac_grid *g)
{
	for (size_t c = 0; c < g->ncolumns; c++) {
		struct lac_grid_column *col = &g->columns[c];

		col->width = longest_word(col->title);
		for (size_t r = 0; r < g->nrows; r++)
			col->width = max(col->width,
					 lac_grid_at(g, r, c)->columns);
	}
}

static size_t title_lines(const struct lac_grid_column *col)
{
	const char *rest = col->title;
	size_t lines = 0, bytes;

	for (; *rest; lines++)
		next_part(&rest, col->width, &bytes);
	return lines;
}

/* Give what room is left to the titles that take the most lines. */
static void widen_titles(struct lac_grid *g, size_t width)
{
	while (lac_grid_width(g, 0, g->ncolumns) < width) {
		struct lac_grid_column *tallest = &g->columns[0];

		for (size_t c = 1; c < g->ncolumns; c++)
			if (title_lines(&g->columns[c]) > title_lines(tallest))
				tallest = &g->columns[c];
		if (title_lines(tallest) < 2)
			return;
		tallest->width++;
	}
}

/* Take from the widest column of text until the table fits or none is left. */
static void narrow_texts(struct lac_grid *g, size_t first, size_t last,
			 size_t width)
{
	while (lac_grid_width(g, 0, g->ncolumns) > width) {
		struct lac_grid_column *widest = NULL;

		for (size_t c = first; c < last; c++) {
			struct lac_grid_column *col = &g->columns[c];

			if (!col->number &&
			    col->width > max(TEXT_MIN, col->least) &&
			    (!widest || col->width > widest->width))
				widest = col;
		}
		if (!widest)
			return;
		widest->width--;
	}
}

static void put_blanks(FILE *out, size_t n)
{
	while (n--)
		putc_unlocked(' ', out);
}

/*
 * One row of texts over as many lines as the tallest cell takes.  No blanks
 * are left at the ends of lines.
 */
static void put_row(struct lac_plain *p, const struct lac_grid *g,
		    const char **rest, const struct lac_grid_cell *cells,
		    size_t from, size_t to, enum lac_plain_style style)
{
	bool more = true;

	while (more) {
		size_t pending = 0;

		more = false;
		for (size_t c = 0; c < to; c++) {
			const struct lac_grid_column *col = &g->columns[c];
			size_t bytes, shown, pad;
			const char *part;
			enum lac_plain_style s = style;

			if (c < from && c >= g->nkeys)
				continue;
			part = next_part(&rest[c], col->width, &bytes);
			shown = part_columns(part, bytes);
			pad = col->width > shown ? col->width - shown : 0;
			if (col->number)
				pending += pad;
			if (cells && cells[c].absent)
				s = LAC_STYLE_DIM;
			if (bytes) {
				put_blanks(p->out, pending);
				fputs_unlocked(lac_plain_on(p, s), p->out);
				fwrite_unlocked(part, 1, bytes, p->out);
				fputs_unlocked(lac_plain_off(p, s), p->out);
				pending = 0;
			}
			pending += LAC_GRID_GAP + (col->number ? 0 : pad);
			more |= *rest[c] != '\0';
		}
		putc_unlocked('\n', p->out);
	}
}

static void put_head(struct lac_plain *p, struct lac_grid *g,
		     const char **rest, size_t from, size_t to)
{
	for (size_t c = 0; c < g->ncolumns; c++)
		rest[c] = g->columns[c].title;
	put_row(p, g, rest, NULL, from, to, LAC_STYLE_BOLD);
	for (size_t c = 0; c < to; c++) {
		if (c < from && c >= g->nkeys)
			continue;
		for (size_t n = g->columns[c].width; n; n--)
			putc_unlocked('-', p->out);
		put_blanks(p->out, c + 1 < to ? LAC_GRID_GAP : 0);
	}
	putc_unlocked('\n', p->out);
}

/* Every row on one line. */
static enum lac_status put_lines(struct lac_grid *g, struct lac_grid_lines *l,
				 size_t first, size_t n, struct lac_err *err)
{
	lac_grid_lines_open(l, g);
	for (size_t r = first; r < first + n; r++)
		LAC_TRY(lac_grid_line_put(l, r, err));
	return LAC_OK;
}

/* Those rows on one that fit. */
static enum lac_status put_kept(struct lac_grid *g, struct lac_grid_lines *l,
				const char **rest, size_t from, size_t to,
				struct lac_err *err)
{
	bool whole = from == 0 && to == g->ncolumns;

	lac_grid_lines_open(l, g);
	for (size_t r = 0; r < g->nrows; r++) {
		if (whole && lac_grid_line_fits(g, r)) {
			LAC_TRY(lac_grid_line_put(l, r, err));
			lac_grid_lines_flush(l);
			continue;
		}
		for (size_t c = 0; c < g->ncolumns; c++)
			rest[c] = lac_grid_at(g, r, c)->text;
		put_row(g->p, g, rest, lac_grid_at(g, r, 0), from, to,
			LAC_STYLE_NONE);
	}
	return LAC_OK;
}

static enum lac_status put_part(struct lac_plain *p, struct lac_grid *g,
				const char **rest, size_t from, size_t to,
				struct lac_err *err)
{
	struct lac_grid_lines l = { 0 };
	enum lac_status st;

	put_head(p, g, rest, from, to);
	if (!g->cells)
		return lac_grid_share(g, put_lines, err);
	st = put_kept(g, &l, rest, from, to, err);
	lac_grid_lines_close(&l);
	return st;
}

/* Make room for the keys and at least one column beside them. */
static void cut_to_page(struct lac_grid *g, size_t width)
{
	size_t half = width / 2, room;

	for (size_t c = 0; c < g->nkeys; c++) {
		struct lac_grid_column *col = &g->columns[c];
		size_t full = longest_word(col->title);

		for (size_t r = 0; r < g->nrows; r++)
			full = max(full, lac_grid_at(g, r, c)->columns);
		col->width = max(col->width, full < KEY_MAX ? full : KEY_MAX);
	}
	while (g->nkeys > 1 && lac_grid_width(g, 0, g->nkeys) > half)
		g->nkeys--;
	if (g->ncolumns > 1 && g->columns[0].width > half && g->nkeys == 1)
		g->columns[0].width = half;
	room = width - lac_grid_width(g, 0, g->nkeys);
	if (g->ncolumns == 1)
		room = width;
	else
		room -= LAC_GRID_GAP;
	for (size_t c = g->ncolumns == 1 ? 0 : g->nkeys; c < g->ncolumns; c++)
		if (g->columns[c].width > room)
			g->columns[c].width = room;
}

/* What a part of a split table leaves free goes to its texts. */
static void use_room(struct lac_grid *g, size_t from, size_t to, size_t width)
{
	for (size_t c = from; c < to; c++) {
		struct lac_grid_column *col = &g->columns[c];
		size_t room = width - lac_grid_width(g, from, to), full = 0;

		if (col->number)
			continue;
		for (size_t r = 0; r < g->nrows; r++)
			full = max(full, lac_grid_at(g, r, c)->columns);
		if (full > col->width)
			col->width += full - col->width < room
					      ? full - col->width
					      : room;
	}
}

static enum lac_status put_grid(struct lac_plain *p, struct lac_grid *g,
				const char **rest, struct lac_err *err)
{
	size_t width = p->width, from = 0, to;

	if (!width || lac_grid_width(g, 0, g->ncolumns) <= width)
		return put_part(p, g, rest, 0, g->ncolumns, err);
	LAC_TRY(lac_grid_keep(g, err));
	find_least(g);
	narrow_titles(g);
	narrow_texts(g, 0, g->ncolumns, width);
	widen_titles(g, width);
	if (lac_grid_width(g, 0, g->ncolumns) <= width)
		return put_part(p, g, rest, 0, g->ncolumns, err);
	g->nkeys = key_columns(g);
	cut_to_page(g, width);
	for (from = g->nkeys; from < g->ncolumns; from = to) {
		to = from + 1;
		while (to < g->ncolumns && lac_grid_width(g, from, to + 1) <= width)
			to++;
		if (lac_grid_width(g, from, to) < width)
			use_room(g, from, to, width);
		if (from > g->nkeys)
			putc_unlocked('\n', p->out);
		LAC_TRY(put_part(p, g, rest, from, to, err));
	}
	return g->ncolumns == 1 ? put_part(p, g, rest, 0, 1, err) : LAC_OK;
}

enum lac_status lac_plain_table(struct lac_plain *p, const struct lac_table *t,
				struct lac_err *err)
{
	struct lac_grid g;
	const char **rest;

	if (t->caption && *t->caption)
		LAC_TRY(lac_plain_wrap(p, t->caption, "", "", LAC_STYLE_BOLD,
				       err));
	if (!lac_table_nrows(t) || !t->ncolumns) {
		fputs("(none)\n", p->out);
		return LAC_OK;
	}
	LAC_TRY(lac_grid_open(&g, p, t, err));
	rest = lac_arena_zalloc(p->arena, g.ncolumns, sizeof(*rest));
	if (!rest)
		return lac_fail_memory(err);
	return put_grid(p, &g, rest, err);
}

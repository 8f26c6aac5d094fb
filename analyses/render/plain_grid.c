/* SPDX-License-Identifier: BSD-2-Clause */
#include "render/plain_grid.h"

#include <string.h>

#include "render/glyph.h"
#include "render/plain_share.h"

enum lac_status lac_grid_take(struct lac_grid *g, struct lac_grid_column *col,
			      const char *text, struct lac_err *err)
{
	struct lac_grid_cell *cell = &col->cell;
	size_t plain = lac_glyph_plain(text);

	cell->text = text;
	cell->bytes = cell->columns = (uint32_t)plain;
	if (text[plain]) {
		cell->text = lac_glyph_clean(g->p->arena, text, g->p->ascii);
		if (!cell->text)
			return lac_fail_memory(err);
		cell->bytes = (uint32_t)strlen(cell->text);
		cell->columns = (uint32_t)lac_glyph_columns(cell->text);
	}
	col->last = text;
	return LAC_OK;
}

enum lac_status lac_grid_make(struct lac_grid *g, size_t row,
			      struct lac_grid_column *col, const char **text,
			      struct lac_err *err)
{
	size_t column = (size_t)(col - g->columns);
	struct lac_cell cell;

	LAC_TRY(lac_table_cell(g->p->arena, g->t, row, column, &cell, err));
	col->cell.absent = cell.absent;
	col->cell.number = cell.number;
	*text = cell.text;
	return LAC_OK;
}

static void widen(struct lac_grid_column *col, size_t columns, size_t bytes)
{
	if (col->width < columns)
		col->width = columns;
	if (col->extra < bytes - columns)
		col->extra = bytes - columns;
}

/* Between two integers, those with bits apart, there is none that is wider. */
static inline void measure_integer(struct lac_grid_column *col, int64_t v)
{
	unsigned i = col->bits && v % 8;
	char room[LAC_CELL_ROOM], *end = room + sizeof(room);
	size_t n;

	if (v >= col->low[i] && v <= col->high[i])
		return;
	if (v < col->low[i])
		col->low[i] = v;
	if (v > col->high[i])
		col->high[i] = v;
	n = (size_t)(end - lac_cell_integer(end, v, col->bits));
	widen(col, n, n);
	col->number = true;
}

/* The cell that was read last. */
static void measure_cell(struct lac_grid_column *col)
{
	const struct lac_grid_cell *cell = &col->cell;

	col->number |= cell->number;
	col->text |= !cell->number && !cell->absent && cell->bytes;
	widen(col, cell->columns, cell->bytes);
}

static enum lac_status measure(struct lac_grid *g, struct lac_grid_lines *none,
			       size_t first, size_t n, struct lac_err *err)
{
	struct lac_grid_column *end = g->columns + g->ncolumns;
	int64_t v;

	(void)none;
	for (size_t r = first; r < first + n; r++) {
		struct lac_row values = lac_grid_row(g, r);

		lac_table_look_ahead(g->t, r);
		for (struct lac_grid_column *c = g->columns; c < end; c++) {
			if (lac_grid_integer(c, values, &v)) {
				measure_integer(c, v);
				continue;
			}
			LAC_TRY(lac_grid_read(g, r, values, c, err));
			measure_cell(c);
		}
	}
	return LAC_OK;
}

static enum lac_status open_columns(struct lac_grid *g, struct lac_err *err)
{
	for (size_t c = 0; c < g->ncolumns; c++) {
		struct lac_grid_column *col = &g->columns[c];

		col->title = lac_glyph_clean(g->p->arena,
					     g->t->columns[c].title,
					     g->p->ascii);
		if (!col->title)
			return lac_fail_memory(err);
		col->width = lac_glyph_columns(col->title);
		col->digits = g->t->values &&
			      lac_unit_is_digits(g->t->columns[c].unit);
		col->bits = g->t->columns[c].unit == LAC_UNIT_BITS;
		col->place = g->t->places ? g->t->places[c] : 0;
		col->high[0] = col->high[1] = -1; /* below low: none yet */
	}
	return LAC_OK;
}

/* A text makes the column one of texts, whatever else is in it. */
static void settle(struct lac_grid *g)
{
	for (size_t c = 0; c < g->ncolumns; c++) {
		struct lac_grid_column *col = &g->columns[c];

		col->number &= !col->text;
		col->digits &= col->number && !g->cells;
	}
}

enum lac_status lac_grid_open(struct lac_grid *g, struct lac_plain *p,
			      const struct lac_table *t, struct lac_err *err)
{
	*g = (struct lac_grid){
		.p = p, .t = t, .nkeys = 1, .ncolumns = t->ncolumns,
		.nrows = lac_table_nrows(t),
	};
	g->columns = lac_arena_zalloc(p->arena, g->ncolumns,
				      sizeof(*g->columns));
	if (!g->columns)
		return lac_fail_memory(err);
	LAC_TRY(open_columns(g, err));
	if (!t->values)
		return lac_grid_keep(g, err);
	LAC_TRY(lac_grid_share(g, measure, err));
	settle(g);
	return LAC_OK;
}

enum lac_status lac_grid_keep(struct lac_grid *g, struct lac_err *err)
{
	struct lac_grid_cell *cells;

	if (g->cells)
		return LAC_OK;
	cells = lac_arena_zalloc(g->p->arena, g->nrows * g->ncolumns,
				 sizeof(*cells));
	if (!cells)
		return lac_fail_memory(err);
	g->cells = cells;
	for (size_t r = 0; r < g->nrows; r++)
		for (size_t c = 0; c < g->ncolumns; c++) {
			struct lac_grid_column *col = &g->columns[c];

			LAC_TRY(lac_grid_read(g, r, lac_grid_row(g, r), col,
					      err));
			measure_cell(col);
			*cells++ = col->cell;
		}
	settle(g);
	return LAC_OK;
}

size_t lac_grid_width(const struct lac_grid *g, size_t from, size_t to)
{
	size_t sum = 0;

	for (size_t c = 0; c < to; c++)
		if (c >= from || c < g->nkeys)
			sum += g->columns[c].width + LAC_GRID_GAP;
	return sum ? sum - LAC_GRID_GAP : 0;
}

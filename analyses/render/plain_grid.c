/* SPDX-License-Identifier: BSD-2-Clause */
#include "render/plain_grid.h"

#include <string.h>

#include "render/glyph.h"

/* In some columns the same few texts, which stay where they are, come again. */
static enum lac_status take_text(struct lac_grid *g, struct lac_grid_column *col,
				 const char *text, struct lac_grid_cell *ret,
				 struct lac_err *err)
{
	if (text == col->last) {
		*ret = col->last_cell;
		return LAC_OK;
	}
	ret->bytes = (uint32_t)lac_glyph_plain(text);
	ret->columns = ret->bytes;
	ret->text = text;
	if (text[ret->bytes]) {
		ret->text = lac_glyph_clean(g->p->arena, text, g->p->ascii);
		if (!ret->text)
			return lac_fail_memory(err);
		ret->bytes = (uint32_t)strlen(ret->text);
		ret->columns = (uint32_t)lac_glyph_columns(ret->text);
	}
	col->last = text;
	col->last_cell = *ret;
	return LAC_OK;
}

static inline void set_integer(const struct lac_grid_column *col, char *room,
			       int64_t v, struct lac_grid_cell *ret)
{
	ret->text = lac_cell_integer(room, v, col->bits);
	ret->bytes = ret->columns =
		(uint32_t)(room + LAC_CELL_ROOM - 1 - ret->text);
}

static enum lac_status read_cell(struct lac_grid *g, size_t row, size_t column,
				 struct lac_grid_cell *ret, bool *number,
				 struct lac_err *err)
{
	struct lac_cell cell;

	LAC_TRY(lac_table_cell(g->p->arena, g->t, row, column, &cell, err));
	LAC_TRY(take_text(g, &g->columns[column], cell.text, ret, err));
	ret->absent = cell.absent;
	*number = cell.number;
	return LAC_OK;
}

/*
 * What most cells of a long table are: an integer that is shown as its digits.
 * NULL for any other.
 */
static inline const int64_t *integer_at(const struct lac_grid *g,
					const struct lac_bare *row,
					size_t column)
{
	const struct lac_bare *f;

	if (!g->columns[column].digits)
		return NULL;
	f = row + g->t->places[column];
	return f->kind == LAC_BARE_INTEGER ? &f->integer : NULL;
}

static const struct lac_bare *bare_row(const struct lac_grid *g, size_t row)
{
	return g->t->values ? lac_rows_at(g->t->values, row) : NULL;
}

/*
 * The least and the greatest integers of a column, those with bits apart: no
 * other is wider.
 */
struct extremes {
	int64_t least[2], most[2];
	bool any[2];
};

static inline void take_extreme(struct extremes *e, int64_t v, bool bits)
{
	unsigned i = bits && v % 8;

	e->least[i] = e->any[i] && e->least[i] < v ? e->least[i] : v;
	e->most[i] = e->any[i] && e->most[i] > v ? e->most[i] : v;
	e->any[i] = true;
}

static void widen(struct lac_grid_column *col, const struct lac_grid_cell *cell)
{
	if (col->width < cell->columns)
		col->width = cell->columns;
}

static void widen_for(struct lac_grid_column *col, const struct extremes *e)
{
	char room[LAC_CELL_ROOM];
	struct lac_grid_cell cell;

	for (unsigned i = 0; i < 2; i++) {
		if (!e->any[i])
			continue;
		col->number = true;
		set_integer(col, room, e->least[i], &cell);
		widen(col, &cell);
		set_integer(col, room, e->most[i], &cell);
		widen(col, &cell);
	}
}

/* One cell that is no such integer. */
static enum lac_status measure_cell(struct lac_grid *g, size_t row,
				    size_t column, struct lac_grid_cell *cell,
				    struct lac_err *err)
{
	struct lac_grid_column *col = &g->columns[column];
	bool number;

	LAC_TRY(read_cell(g, row, column, cell, &number, err));
	col->number |= number;
	col->text |= !number && !cell->absent && cell->bytes;
	widen(col, cell);
	return LAC_OK;
}

static enum lac_status measure(struct lac_grid *g, struct lac_err *err)
{
	struct extremes *e = lac_arena_zalloc(g->p->arena, g->ncolumns,
					      sizeof(*e));
	struct lac_grid_cell cell;

	if (!e)
		return lac_fail_memory(err);
	for (size_t r = 0; r < g->nrows; r++) {
		const struct lac_bare *row = bare_row(g, r);

		lac_table_look_ahead(g->t, r);
		for (size_t c = 0; c < g->ncolumns; c++) {
			const int64_t *v = integer_at(g, row, c);

			if (v)
				take_extreme(&e[c], *v, g->columns[c].bits);
			else
				LAC_TRY(measure_cell(g, r, c, &cell, err));
		}
	}
	for (size_t c = 0; c < g->ncolumns; c++)
		widen_for(&g->columns[c], &e[c]);
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
			      g->t->places[c] < g->t->values->nkeys &&
			      lac_unit_is_digits(g->t->columns[c].unit);
		col->bits = g->t->columns[c].unit == LAC_UNIT_BITS;
	}
	return LAC_OK;
}

/* A text makes the column one of texts, whatever else is in it. */
static void settle(struct lac_grid *g)
{
	for (size_t c = 0; c < g->ncolumns; c++)
		g->columns[c].number &= !g->columns[c].text;
}

enum lac_status lac_grid_open(struct lac_grid *g, struct lac_plain *p,
			      const struct lac_table *t, struct lac_err *err)
{
	struct lac_grid_row *row = &g->row;

	*g = (struct lac_grid){
		.p = p, .t = t, .nkeys = 1, .ncolumns = t->ncolumns,
		.nrows = lac_table_nrows(t),
	};
	g->columns = lac_arena_zalloc(p->arena, g->ncolumns,
				      sizeof(*g->columns));
	row->cells = lac_arena_zalloc(p->arena, g->ncolumns,
				      sizeof(*row->cells));
	row->rooms = lac_arena_zalloc(p->arena, g->ncolumns,
				      sizeof(*row->rooms));
	if (!g->columns || !row->cells || !row->rooms)
		return lac_fail_memory(err);
	LAC_TRY(open_columns(g, err));
	if (!t->values)
		return lac_grid_keep(g, err);
	LAC_TRY(measure(g, err));
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
	for (size_t r = 0; r < g->nrows; r++)
		for (size_t c = 0; c < g->ncolumns; c++)
			LAC_TRY(measure_cell(g, r, c,
					     &cells[r * g->ncolumns + c], err));
	g->cells = cells;
	settle(g);
	return LAC_OK;
}

enum lac_status lac_grid_cells(struct lac_grid *g, size_t row,
			       const struct lac_grid_cell **ret,
			       struct lac_err *err)
{
	const struct lac_bare *bare = bare_row(g, row);
	bool number;

	if (g->cells) {
		*ret = lac_grid_at(g, row, 0);
		return LAC_OK;
	}
	lac_table_look_ahead(g->t, row);
	for (size_t c = 0; c < g->ncolumns; c++) {
		struct lac_grid_cell *cell = &g->row.cells[c];
		const int64_t *v = integer_at(g, bare, c);

		if (!v) {
			LAC_TRY(read_cell(g, row, c, cell, &number, err));
			continue;
		}
		set_integer(&g->columns[c], g->row.rooms[c], *v, cell);
		cell->absent = false;
	}
	*ret = g->row.cells;
	return LAC_OK;
}

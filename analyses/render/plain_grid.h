/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plain_grid.h - the cells of a table as texts that can be printed, and how
 * wide its columns are.
 *
 * The cells of bare values are read again from these each time a row is asked
 * for: thousands of rows that are printed as they are need not be kept.
 */
#ifndef LAC_PLAIN_GRID_H
#define LAC_PLAIN_GRID_H

#include "render/cell.h"
#include "render/plain.h"

struct lac_grid_cell {
	const char *text; /* clean */
	uint32_t bytes, columns;
	bool absent;
};

struct lac_grid_column {
	const char *title;
	bool number;  /* every cell is a number, or has none; and one is */
	bool text;    /* some cell is neither */
	size_t width; /* as shown */
	size_t least; /* of the longest piece of a text that does not break */
	bool digits, bits; /* how bare integers are shown, if digits */
	const char *last;  /* the text that was taken last, and its cell */
	struct lac_grid_cell last_cell;
};

/* What one row of the table is read into. */
struct lac_grid_row {
	struct lac_grid_cell *cells;
	char (*rooms)[LAC_CELL_ROOM];
};

struct lac_grid {
	struct lac_plain *p;
	const struct lac_table *t;
	size_t ncolumns, nrows, nkeys;
	struct lac_grid_column *columns;
	struct lac_grid_cell *cells; /* row by row; NULL: they are read anew */
	struct lac_grid_row row;
};

/* Columns as wide as their cells and titles.  All of it is in p's arena. */
LAC_MUST_CHECK enum lac_status lac_grid_open(struct lac_grid *g,
					     struct lac_plain *p,
					     const struct lac_table *t,
					     struct lac_err *err);

/* From now on lac_grid_at() may be asked. */
LAC_MUST_CHECK enum lac_status lac_grid_keep(struct lac_grid *g,
					     struct lac_err *err);

/* The cells of a row: valid until the next one is asked for. */
LAC_MUST_CHECK enum lac_status
lac_grid_cells(struct lac_grid *g, size_t row,
	       const struct lac_grid_cell **ret, struct lac_err *err);

static inline const struct lac_grid_cell *lac_grid_at(const struct lac_grid *g,
						      size_t row, size_t column)
{
	return &g->cells[row * g->ncolumns + column];
}

#endif

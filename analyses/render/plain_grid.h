/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plain_grid.h - the cells of a table as texts that can be printed, and how
 * wide its columns are.
 *
 * The cells of bare values are read again from these when they are printed:
 * thousands of rows that are printed as they are need not be kept.
 */
#ifndef LAC_PLAIN_GRID_H
#define LAC_PLAIN_GRID_H

#include "render/cell.h"
#include "render/plain.h"

#define LAC_GRID_GAP 2u /* columns between two of the table */

struct lac_grid_cell {
	const char *text; /* clean */
	uint32_t bytes, columns;
	bool absent, number;
};

struct lac_grid_column {
	const char *title;
	bool number;  /* every cell is a number, or has none; and one is */
	bool text;    /* some cell is neither */
	size_t width; /* as shown */
	size_t least; /* of the longest piece of a text that does not break */
	size_t extra; /* the most bytes that a cell has beyond its columns */
	/* integers are printed from the bare values, in BITS or as they are */
	bool digits, bits;
	size_t place; /* of the bare values in their row */
	int64_t low[2], high[2]; /* of them so far; with bits: [1] */
	const char *last; /* the text that was read last, and its cell */
	struct lac_grid_cell cell;
};

struct lac_grid {
	struct lac_plain *p;
	const struct lac_table *t;
	size_t ncolumns, nrows, nkeys;
	struct lac_grid_column *columns;
	struct lac_grid_cell *cells; /* row by row; NULL: they are read anew */
};

/* Columns as wide as their cells and titles.  All of it is in p's arena. */
LAC_MUST_CHECK enum lac_status lac_grid_open(struct lac_grid *g,
					     struct lac_plain *p,
					     const struct lac_table *t,
					     struct lac_err *err);

/* From now on lac_grid_at() may be asked, and no column prints digits. */
LAC_MUST_CHECK enum lac_status lac_grid_keep(struct lac_grid *g,
					     struct lac_err *err);

/* Columns that from..to and, before them, the keys take on a line. */
size_t lac_grid_width(const struct lac_grid *g, size_t from, size_t to);

static inline const struct lac_grid_cell *lac_grid_at(const struct lac_grid *g,
						      size_t row, size_t column)
{
	return &g->cells[row * g->ncolumns + column];
}

/* The bare values of a row: no such in a table that has none. */
static inline struct lac_row lac_grid_row(const struct lac_grid *g, size_t row)
{
	return g->t->values ? lac_rows_at(g->t->values, row) :
			      (struct lac_row){ 0 };
}

/* Is that cell an integer that is printed from its bare value? */
static inline bool lac_grid_integer(const struct lac_grid_column *col,
				    struct lac_row values, int64_t *ret)
{
	struct lac_bare f;

	if (!col->digits)
		return false;
	f = lac_row_field(values, col->place);
	*ret = f.value.integer;
	return f.kind == LAC_BARE_INTEGER;
}

/* lac_grid_read() of what is no bare text, and of a text itself. */
LAC_MUST_CHECK enum lac_status
lac_grid_make(struct lac_grid *g, size_t row, struct lac_grid_column *col,
	      const char **text, struct lac_err *err);
LAC_MUST_CHECK enum lac_status lac_grid_take(struct lac_grid *g,
					     struct lac_grid_column *col,
					     const char *text,
					     struct lac_err *err);

/* Any cell, as the column's, where it stays until another is read. */
LAC_MUST_CHECK static inline enum lac_status
lac_grid_read(struct lac_grid *g, size_t row, struct lac_row values,
	      struct lac_grid_column *col, struct lac_err *err)
{
	struct lac_bare f = { .kind = LAC_BARE_INTEGER };
	const char *text;

	if (values.values)
		f = lac_row_field(values, col->place);
	if (f.kind == LAC_BARE_INTEGER) {
		LAC_TRY(lac_grid_make(g, row, col, &text, err));
	} else {
		text = lac_table_text(g->t, values, f);
		col->cell.absent = f.kind == LAC_BARE_NULL;
		col->cell.number = false;
	}
	/* in some the same few texts, which stay where they are, come again */
	return text == col->last ? LAC_OK : lac_grid_take(g, col, text, err);
}

#endif

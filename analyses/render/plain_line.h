/* SPDX-License-Identifier: BSD-2-Clause */
/* plain_line.h - rows of a grid whose every cell has room on one line. */
#ifndef LAC_PLAIN_LINE_H
#define LAC_PLAIN_LINE_H

#include "render/plain_grid.h"

struct lac_grid_lines {
	struct lac_grid *g;
	char *text; /* those that have been put and not flushed */
	size_t n, cap;
	size_t row_bytes; /* the most that one takes */
	size_t blank_bytes; /* of them, up to where nothing is filled up */
	const char *on, *off; /* what stands around a cell that is absent */
	size_t on_bytes, off_bytes;
};

/*
 * The grid's columns have their widths.  To be closed, and flushed before that.
 * Without an output of the grid's, all of them are kept.
 */
void lac_grid_lines_open(struct lac_grid_lines *l, struct lac_grid *g);
void lac_grid_lines_close(struct lac_grid_lines *l); /* of zeroes: no-op */

/* Of a grid that is not kept, every row is one. */
bool lac_grid_line_fits(const struct lac_grid *g, size_t row);

/* Put such a row, without blanks at its end. */
LAC_MUST_CHECK enum lac_status lac_grid_line_put(struct lac_grid_lines *l,
						 size_t row,
						 struct lac_err *err);

void lac_grid_lines_flush(struct lac_grid_lines *l);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* plain_line.h - rows of a grid whose every cell has room on one line. */
#ifndef LAC_PLAIN_LINE_H
#define LAC_PLAIN_LINE_H

#include "render/plain_grid.h"

struct lac_grid_line {
	struct lac_grid *g;
	char *text; /* blanks, and room for any row */
	const char *on, *off; /* what stands around a cell that is absent */
	size_t on_bytes, off_bytes;
};

/* All of it is in the arena of the grid, whose columns have their widths. */
LAC_MUST_CHECK enum lac_status lac_grid_line_open(struct lac_grid_line *l,
					     struct lac_grid *g,
					     struct lac_err *err);

/* Of a grid that is not kept, every row is one. */
bool lac_grid_line_fits(const struct lac_grid *g, size_t row);

/* Put such a row, without blanks at its end. */
LAC_MUST_CHECK enum lac_status lac_grid_line_put(struct lac_grid_line *l, size_t row,
					    struct lac_err *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* plain_share.h - the rows of a grid that is not kept, shared by threads. */
#ifndef LAC_PLAIN_SHARE_H
#define LAC_PLAIN_SHARE_H

#include "render/plain_line.h"

/* To be done on n rows from first on; lines that it puts may stay in l. */
typedef enum lac_status lac_grid_work(struct lac_grid *g,
				      struct lac_grid_lines *l, size_t first,
				      size_t n, struct lac_err *err);

/*
 * Have it done on all rows, a share of them by each thread, which has a grid of
 * its own.  The widest of the columns there are the grid's then, and the lines
 * are put in the order of the rows.
 */
LAC_MUST_CHECK enum lac_status lac_grid_share(struct lac_grid *g,
					      lac_grid_work *work,
					      struct lac_err *err);

#endif

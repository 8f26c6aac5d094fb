/* SPDX-License-Identifier: BSD-2-Clause */
#include "render/plain_line.h"

#include <string.h>

enum lac_status lac_grid_line_open(struct lac_grid_line *l, struct lac_grid *g,
			      struct lac_err *err)
{
	size_t bytes = lac_grid_width(g, 0, g->ncolumns) + LAC_GRID_GAP;

	*l = (struct lac_grid_line){
		.g = g,
		.on = lac_plain_on(g->p, LAC_STYLE_DIM),
		.off = lac_plain_off(g->p, LAC_STYLE_DIM),
	};
	l->on_bytes = strlen(l->on);
	l->off_bytes = strlen(l->off);
	for (size_t c = 0; c < g->ncolumns; c++)
		bytes += g->columns[c].extra + l->on_bytes + l->off_bytes;
	l->text = lac_arena_zalloc(g->p->arena, bytes, 1);
	if (!l->text)
		return lac_fail_memory(err);
	memset(l->text, ' ', bytes);
	return LAC_OK;
}

bool lac_grid_line_fits(const struct lac_grid *g, size_t row)
{
	for (size_t c = 0; g->cells && c < g->ncolumns; c++)
		if (lac_grid_at(g, row, c)->columns > g->columns[c].width)
			return false;
	return true;
}

static char *put_text(const struct lac_grid_line *l,
		      const struct lac_grid_cell *cell, char *to)
{
	if (!cell->absent)
		return mempcpy(to, cell->text, cell->bytes);
	to = mempcpy(to, l->on, l->on_bytes);
	to = mempcpy(to, cell->text, cell->bytes);
	return mempcpy(to, l->off, l->off_bytes);
}

enum lac_status lac_grid_line_put(struct lac_grid_line *l, size_t row,
				  struct lac_err *err)
{
	struct lac_grid *g = l->g;
	struct lac_row values = { 0 };
	char *to = l->text, *end = to;
	int64_t v;

	if (!g->cells) {
		lac_table_look_ahead(g->t, row);
		values = lac_grid_row(g, row);
	}
	for (size_t c = 0; c < g->ncolumns; c++) {
		struct lac_grid_column *col = &g->columns[c];
		const struct lac_grid_cell *cell = &col->cell;
		size_t pad;

		if (lac_grid_integer(col, values, &v)) {
			end = to + col->width;
			lac_cell_integer(end, v, col->bits);
			to = end + LAC_GRID_GAP;
			continue;
		}
		if (values.values)
			LAC_TRY(lac_grid_read(g, row, values, col, err));
		else
			cell = lac_grid_at(g, row, c);
		pad = col->width - cell->columns;
		if (col->number)
			to += pad;
		if (cell->bytes)
			to = end = put_text(l, cell, to);
		to += LAC_GRID_GAP + (col->number ? 0 : pad);
	}
	while (end > l->text && end[-1] == ' ')
		end--;
	*end++ = '\n';
	fwrite_unlocked(l->text, 1, (size_t)(end - l->text), g->p->out);
	memset(l->text, ' ', (size_t)(end - l->text));
	return LAC_OK;
}

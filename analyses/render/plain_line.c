/* SPDX-License-Identifier: BSD-2-Clause */
#include "render/plain_line.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_LEAST ((size_t)64 * 1024)

void lac_grid_lines_open(struct lac_grid_lines *l, struct lac_grid *g)
{
	*l = (struct lac_grid_lines){
		.g = g,
		.on = lac_plain_on(g->p, LAC_STYLE_DIM),
		.off = lac_plain_off(g->p, LAC_STYLE_DIM),
	};
	l->on_bytes = strlen(l->on);
	l->off_bytes = strlen(l->off);
	for (size_t c = 0; c < g->ncolumns; c++) {
		const struct lac_grid_column *col = &g->columns[c];

		l->blank_bytes = l->row_bytes;
		l->row_bytes += col->width + col->extra + LAC_GRID_GAP +
				l->on_bytes + l->off_bytes;
		if (col->number)
			l->blank_bytes = l->row_bytes;
	}
	l->row_bytes++; /* its end */
}

void lac_grid_lines_close(struct lac_grid_lines *l)
{
	free(l->text);
	*l = (struct lac_grid_lines){ 0 };
}

void lac_grid_lines_flush(struct lac_grid_lines *l)
{
	if (l->n)
		fwrite_unlocked(l->text, 1, l->n, l->g->p->out);
	l->n = 0;
}

static bool make_room(struct lac_grid_lines *l)
{
	size_t cap = l->cap ? 2 * l->cap : ROOM_LEAST;
	char *text;

	if (l->cap - l->n >= l->row_bytes)
		return true;
	if (l->g->p->out)
		lac_grid_lines_flush(l);
	if (l->cap - l->n >= l->row_bytes)
		return true;
	if (cap - l->n < l->row_bytes)
		cap = l->n + l->row_bytes;
	text = realloc(l->text, cap);
	if (!text)
		return false;
	l->text = text;
	l->cap = cap;
	return true;
}

bool lac_grid_line_fits(const struct lac_grid *g, size_t row)
{
	for (size_t c = 0; g->cells && c < g->ncolumns; c++)
		if (lac_grid_at(g, row, c)->columns > g->columns[c].width)
			return false;
	return true;
}

static char *put_text(const struct lac_grid_lines *l,
		      const struct lac_grid_cell *cell, char *to)
{
	if (!cell->absent)
		return mempcpy(to, cell->text, cell->bytes);
	to = mempcpy(to, l->on, l->on_bytes);
	to = mempcpy(to, cell->text, cell->bytes);
	return mempcpy(to, l->off, l->off_bytes);
}

enum lac_status lac_grid_line_put(struct lac_grid_lines *l, size_t row,
				  struct lac_err *err)
{
	struct lac_grid *g = l->g;
	struct lac_row values = { 0 };
	char *start, *to, *end;
	int64_t v;

	if (!make_room(l))
		return lac_fail_memory(err);
	start = to = end = l->text + l->n;
	memset(start, ' ', l->blank_bytes);
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
	while (end > start && end[-1] == ' ')
		end--;
	*end++ = '\n';
	l->n += (size_t)(end - start);
	return LAC_OK;
}

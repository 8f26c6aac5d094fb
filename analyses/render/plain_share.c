/* SPDX-License-Identifier: BSD-2-Clause */
#include "render/plain_share.h"

#include <string.h>

#include "base/threads.h"

#define ROWS_LEAST 2000u /* that are worth a thread */

struct share {
	lac_grid_work *work;
	struct lac_grid g;
	struct lac_plain p;
	struct lac_grid_lines lines;
	size_t first, n;
	enum lac_status st;
	struct lac_err err;
};

/* The caller's has the arena, the columns and the output of the whole. */
static enum lac_status open_share(struct share *s, const struct lac_grid *g,
				  struct lac_err *err)
{
	s->g = *g;
	s->g.p = &s->p;
	s->p = *g->p;
	if (!s->first)
		return LAC_OK;
	s->p.out = NULL;
	s->p.arena = lac_arena_create();
	s->g.columns = s->p.arena ? lac_arena_zalloc(s->p.arena, g->ncolumns,
						     sizeof(*g->columns))
				  : NULL;
	if (!s->g.columns)
		return lac_fail_memory(err);
	memcpy(s->g.columns, g->columns, g->ncolumns * sizeof(*g->columns));
	return LAC_OK;
}

static void run(void *item)
{
	struct share *s = item;

	s->st = s->work(&s->g, &s->lines, s->first, s->n, &s->err);
}

/* The first fault in the order of the rows, as one thread would meet it. */
static enum lac_status first_fault(const struct share *s, unsigned n,
				   struct lac_err *err)
{
	for (unsigned i = 0; i < n; i++)
		if (s[i].st != LAC_OK) {
			*err = s[i].err;
			return s[i].st;
		}
	return LAC_OK;
}

static void merge(struct lac_grid *g, const struct lac_grid *one)
{
	for (size_t c = 0; c < g->ncolumns; c++) {
		struct lac_grid_column *all = &g->columns[c];
		const struct lac_grid_column *col = &one->columns[c];

		all->number |= col->number;
		all->text |= col->text;
		if (all->width < col->width)
			all->width = col->width;
		if (all->extra < col->extra)
			all->extra = col->extra;
	}
}

enum lac_status lac_grid_share(struct lac_grid *g, lac_grid_work *work,
			       struct lac_err *err)
{
	struct share s[LAC_THREADS_MAX] = { 0 };
	size_t most = g->nrows / ROWS_LEAST + 1;
	unsigned n = most > 1 ? lac_threads_count(g->p->threads) : 1;
	enum lac_status st = LAC_OK;

	if (n > most)
		n = (unsigned)most;
	for (unsigned i = 0; i < n && st == LAC_OK; i++) {
		s[i].work = work;
		s[i].first = g->nrows * i / n;
		s[i].n = g->nrows * (i + 1) / n - s[i].first;
		st = open_share(&s[i], g, err);
	}
	if (st == LAC_OK) {
		lac_threads_run(s, n, sizeof(*s), run);
		st = first_fault(s, n, err);
	}
	for (unsigned i = 0; i < n; i++) {
		if (st == LAC_OK) {
			s[i].p.out = g->p->out;
			lac_grid_lines_flush(&s[i].lines);
			merge(g, &s[i].g);
		}
		lac_grid_lines_close(&s[i].lines);
		if (i && s[i].p.arena)
			lac_arena_adopt(g->p->arena, s[i].p.arena);
	}
	return st;
}

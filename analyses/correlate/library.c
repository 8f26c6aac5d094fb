/* SPDX-License-Identifier: BSD-2-Clause */
#include "correlate/library.h"

enum { PAGE_BYTES = 4096 };

/* "GNU C17 12.2.0" of "GNU C17 12.2.0 -mcx16 -O2 ...". */
static const char *compiler_of(const char *producer, struct lac_arena *arena)
{
	size_t n = 0;

	while (producer[n] && !(producer[n] == ' ' && producer[n + 1] == '-'))
		n++;
	return lac_arena_strndup(arena, producer, n);
}

static enum lac_status read_variant(const struct lac_simulation *s,
				    const char *dir, struct lac_arena *arena,
				    struct lac_library *l, int v,
				    struct lac_err *err)
{
	const struct lac_array_count *a = s->page_array;
	const char *only[] = { a->type, a->view, NULL };
	struct lac_graph_options o = { .no_cache = true, .only = only };
	LAC_CLEANUP_GRAPH struct lac_graph *g = NULL;
	const char *path = lac_arena_printf(arena, "%s/%s", dir, s->program);

	if (!path)
		return lac_fail_memory(err);
	if (!a->type || !a->view)
		return LAC_OK; /* nothing to join with */
	LAC_TRY(lac_graph_read(path, &o, &g, err));
	LAC_TRY(lac_descriptor_read(g, a->type, a->view, a->stride,
				    (unsigned)a->period, arena, &l->page[v],
				    err));
	for (uint32_t i = 0; i < g->nunits && !l->producer; i++)
		if (g->units[i].producer)
			l->producer =
				compiler_of(g->units[i].producer, arena);
	l->has[v] = true;
	return LAC_OK;
}

enum lac_status lac_library_read(const struct lac_bench *b, const char *dir,
				 struct lac_arena *arena,
				 struct lac_library *ret, struct lac_err *err)
{
	struct lac_library l = { 0 };

	for (int v = 0; v < LAC_NCELLS; v++) {
		for (size_t i = 0; i < b->nresults; i++) {
			if (!b->results[i].has_simulation[v])
				continue;
			LAC_TRY(read_variant(&b->results[i].simulation[v], dir,
					     arena, &l, v, err));
			break;
		}
	}
	*ret = l;
	return LAC_OK;
}

enum lac_status lac_library_predict(const struct lac_library *l,
				    const struct lac_bench_result *r,
				    enum lac_cell variant,
				    struct lac_prediction *ret,
				    struct lac_err *err)
{
	const struct lac_simulation *s = &r->simulation[variant];
	struct lac_pattern p = { .test = r->cell.test,
				 .class_size = s->class_size,
				 .n = s->n,
				 .order = s->order,
				 .objects_per_slab = s->objects_per_slab,
				 .line_bytes = s->line_bytes,
				 .page_bytes = PAGE_BYTES };

	if (!l->has[variant])
		return lac_fail(err, LAC_UNSUPPORTED, "no layout");
	return lac_predict(&l->page[variant], &p, ret, err);
}

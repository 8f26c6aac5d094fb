/* SPDX-License-Identifier: BSD-2-Clause */
/* trace_heat.c - the misses of a traced type over its cache lines. */
#include "trace_doc.h"

#include <string.h>

#include "layout/layout.h"
#include "record_figure.h"

/* More than can be looked at is not drawn. */
#define MOST_BYTES 4096u

/* The counts of what begins in the span, per object of the type. */
static void heat_span(struct lac_doc *d, json_t *s,
		      const struct lac_traced_type *t)
{
	uint64_t from = (uint64_t)json_integer_value(
		json_object_get(s, "bit_offset"));
	uint64_t to = from + (uint64_t)json_integer_value(
				     json_object_get(s, "bit_size"));
	uint64_t sum = 0;
	bool any = false;

	for (size_t i = 0; i < t->nmembers; i++) {
		uint64_t at = t->members[i].offset * 8;

		if (at < from || at >= to)
			continue;
		sum += t->members[i].counts.l1_misses;
		any = true;
	}
	if (any)
		lac_doc_set(d, s, "heat", json_integer((json_int_t)sum));
}

/* The record of the type that the counts are of; LAC_NONE: not one. */
static lac_record_id find(const struct lac_graph *g,
			  const struct lac_traced_type *t,
			  struct lac_arena *arena)
{
	struct lac_err ignored;
	const lac_record_id *ids;
	lac_record_id found = LAC_NONE;
	size_t n;

	if (lac_graph_find(g, t->name, arena, &ids, &n, &ignored) != LAC_OK)
		return LAC_NONE;
	for (size_t i = 0; i < n; i++) {
		if (g->records[ids[i]].size != t->size)
			continue;
		/* two layouts of that size: which it was nobody knows */
		if (found != LAC_NONE)
			return LAC_NONE;
		found = ids[i];
	}
	return found;
}

enum lac_status lac_trace_heat(struct lac_doc *d, const struct lac_graph *g,
			       const struct lac_traced *t,
			       const struct lac_traced_type *type,
			       struct lac_err *err)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct lac_layout_options o = { .line_size = (uint32_t)t->line_bytes };
	struct lac_layout l;
	lac_record_id id;
	json_t *map, *s, *figures;
	const char *key, *caption;
	size_t i;

	if (!arena)
		return lac_fail_memory(err);
	id = type->nmembers ? find(g, type, arena) : LAC_NONE;
	if (id == LAC_NONE || !type->size || type->size > MOST_BYTES)
		return LAC_OK;
	LAC_TRY(lac_layout_compute(g, id, &o, arena, &l, err));
	map = lac_record_map(&l, NULL, "", arena);
	if (!map)
		return lac_fail_memory(err);
	json_array_foreach(json_object_get(map, "spans"), i, s)
		heat_span(d, s, type);
	if (!json_object_get(d->data, "figures"))
		lac_doc_set(d, d->data, "figures", json_object());
	figures = json_object_get(d->data, "figures");
	key = lac_arena_printf(d->arena, "heat%zu",
			       json_object_size(figures) + 1);
	caption = lac_arena_printf(d->arena,
				   "%s over its cache lines, and its L1 misses",
				   type->name);
	if (!key || !caption) {
		json_decref(map);
		return lac_fail_memory(err);
	}
	lac_doc_set(d, figures, key,
		    json_pack("{s:I, s:s, s:[o]}", "line_size",
			      (json_int_t)t->line_bytes, "heat_title",
			      "simulated L1 misses", "maps", map));
	lac_doc_figure(d, LAC_FIGURE_LINE_MAP, key, caption,
		       "The members over the lines of an element that begins "
		       "at one, with the misses of accesses that begin in "
		       "each.",
		       json_object_get(figures, key));
	return LAC_OK;
}

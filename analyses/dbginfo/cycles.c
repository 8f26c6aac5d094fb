/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cycles.c - records that contain themselves by value, which only a damaged
 * input has.  Depth first; a record that reaches one that is on the way to it
 * is on a cycle (Tarjan, Depth-First Search and Linear Graph Algorithms, 1972).
 */
#include <stdlib.h>

#include "dbginfo/cycles.h"

#define DEPTH_MAX 1000u /* records nested deeper are left alone */
#define DONE UINT32_MAX

struct walk {
	const struct lac_graph *g;
	struct lac_record *records;
	uint32_t *depth; /* by record: 0 not seen, its depth from 1, or DONE */
};

static lac_record_id record_in(const struct lac_graph *g, lac_type_id id)
{
	const struct lac_type *t = &g->types[lac_type_strip(g, id)];

	while (t->kind == LAC_TYPE_ARRAY && t->array.count)
		t = &g->types[lac_type_strip(g, t->target)];
	return t->kind == LAC_TYPE_RECORD ? t->record : LAC_NONE;
}

/* The least depth on the way here that the record reaches. */
static uint32_t visit(struct walk *w, lac_record_id id, uint32_t depth)
{
	struct lac_record *r = &w->records[id];
	uint32_t least = DONE;

	if (depth > DEPTH_MAX)
		return DONE;
	w->depth[id] = depth;
	for (uint32_t i = 0; i < r->nmembers; i++) {
		lac_record_id in = record_in(w->g, r->members[i].type);
		uint32_t reached;

		if (in == LAC_NONE)
			continue;
		reached = w->depth[in] ? w->depth[in]
				       : visit(w, in, depth + 1);
		if (reached < least)
			least = reached;
	}
	w->depth[id] = DONE;
	if (least <= depth)
		r->damage = "it contains itself";
	return least < depth ? least : DONE;
}

enum lac_status lac_cycles_mark(const struct lac_graph *g,
				struct lac_record *records,
				struct lac_err *err)
{
	struct walk w = { .g = g, .records = records };

	w.depth = calloc((size_t)g->nrecords + 1, sizeof(*w.depth));
	if (!w.depth)
		return lac_fail_memory(err);
	for (lac_record_id i = 0; i < g->nrecords; i++)
		if (!w.depth[i])
			visit(&w, i, 1);
	free(w.depth);
	return LAC_OK;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* embed.c - the records that hold a record by value, up to the outermost. */
#include "diff/internal.h"

/* Far beyond a kernel (about a million); a hostile graph asks for more. */
#define MAX_STEPS (1u << 26)

struct embedding {
	const struct side *s;
	uint32_t *first;   /* by record: where its holders start; nrecords + 1 */
	uint32_t *holders; /* records that hold it directly */
	uint32_t *stamp, *queue;
	uint32_t round;
	uint64_t steps;
};

static lac_record_id held_record(const struct lac_graph *g, lac_type_id id)
{
	for (uint32_t i = 0; i <= g->ntypes; i++) {
		const struct lac_type *t;

		id = lac_type_strip(g, id);
		t = &g->types[id];
		if (t->kind == LAC_TYPE_RECORD)
			return t->record;
		if (t->kind != LAC_TYPE_ARRAY)
			return LAC_NONE;
		id = t->target;
	}
	return LAC_NONE;
}

enum lac_status lac_embedding_create(const struct side *s,
				     struct lac_arena *scratch,
				     struct embedding **ret,
				     struct lac_err *err)
{
	const struct lac_graph *g = s->g;
	struct embedding *e = lac_arena_zalloc(scratch, 1, sizeof(*e));
	uint32_t total = 0;

	if (!e)
		return lac_fail_memory(err);
	e->s = s;
	e->first = lac_arena_zalloc(scratch, g->nrecords + 2u,
				    sizeof(*e->first));
	e->stamp = lac_arena_zalloc(scratch, g->nrecords, sizeof(*e->stamp));
	e->queue = lac_arena_zalloc(scratch, g->nrecords, sizeof(*e->queue));
	if (!e->first || !e->stamp || !e->queue)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < g->nrecords; i++)
		for (uint32_t m = 0; m < g->records[i].nmembers; m++) {
			lac_record_id in = held_record(
				g, g->records[i].members[m].type);

			if (in != LAC_NONE) {
				e->first[in + 2]++;
				total++;
			}
		}
	for (uint32_t i = 2; i < g->nrecords + 2u; i++)
		e->first[i] += e->first[i - 1];
	e->holders = lac_arena_zalloc(scratch, total, sizeof(*e->holders));
	if (!e->holders)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < g->nrecords; i++)
		for (uint32_t m = 0; m < g->records[i].nmembers; m++) {
			lac_record_id in = held_record(
				g, g->records[i].members[m].type);

			if (in != LAC_NONE)
				e->holders[e->first[in + 1]++] = i;
		}
	*ret = e;
	return LAC_OK;
}

uint32_t lac_embedding_count(struct embedding *e, lac_record_id id,
			     lac_record_id *first, uint32_t cap)
{
	uint32_t head = 0, tail = 0, n = 0;

	if (e->steps > MAX_STEPS)
		return LAC_NONE;
	e->round++;
	e->queue[tail++] = id;
	e->stamp[id] = e->round;
	while (head < tail) {
		lac_record_id at = e->queue[head++];

		for (uint32_t i = e->first[at]; i < e->first[at + 1]; i++) {
			lac_record_id by = e->holders[i];

			e->steps++;
			if (e->stamp[by] == e->round)
				continue;
			e->stamp[by] = e->round;
			e->queue[tail++] = by;
			/* anonymous ones are part of their holder */
			if (lac_shaper_inlines(e->s->shaper, by))
				continue;
			if (n < cap)
				first[n] = by;
			n++;
		}
	}
	return n;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* check.c - the invariants of graph.h, for what a file can get wrong. */
#include <stdlib.h>

#include "dbginfo/graph.h"

static enum lac_status bad(const struct lac_graph *g, const char *what,
			   uint32_t id, struct lac_err *err)
{
	return lac_fail(err, LAC_BAD_INPUT, "%s: %s (%u)", g->path, what, id);
}

static enum lac_status check_type(const struct lac_graph *g, lac_type_id id,
				  struct lac_err *err)
{
	const struct lac_type *t = &g->types[id];

	if (t->target >= g->ntypes)
		return bad(g, "a type's target does not resolve", id, err);
	if ((t->kind == LAC_TYPE_VOID) != (id == 0))
		return bad(g, "void is not type 0 alone", id, err);
	switch (t->kind) {
	case LAC_TYPE_RECORD:
		if (t->record != LAC_NONE &&
		    (t->record >= g->nrecords ||
		     g->types[g->records[t->record].type].record != t->record))
			return bad(g, "a record type without its record", id,
				   err);
		break;
	case LAC_TYPE_MEMBER_POINTER:
		if (t->record != LAC_NONE && t->record >= g->nrecords)
			return bad(g, "a member pointer's class", id, err);
		break;
	case LAC_TYPE_ENUM:
		if (t->enumeration != LAC_NONE &&
		    t->enumeration >= g->nenumerations)
			return bad(g, "an enumeration does not resolve", id,
				   err);
		break;
	case LAC_TYPE_FUNCTION:
		for (uint32_t i = 0; i < t->function.nparams; i++)
			if (t->function.params[i] >= g->ntypes)
				return bad(g, "a parameter's type", id, err);
		break;
	default:
		break;
	}
	return LAC_OK;
}

/* Chains end: from any type, its targets reach 0 or a type without one. */
static enum lac_status check_chains(const struct lac_graph *g,
				    struct lac_err *err)
{
	unsigned char *state = calloc(g->ntypes, 1); /* 1: on the way, 2: ends */
	enum lac_status st = LAC_OK;

	if (!state)
		return lac_fail_memory(err);
	for (lac_type_id i = 0; i < g->ntypes && st == LAC_OK; i++) {
		lac_type_id at = i;

		while (at && !state[at]) {
			state[at] = 1;
			at = g->types[at].target;
		}
		if (at && state[at] == 1)
			st = bad(g, "a chain of types does not end", i, err);
		for (at = i; at && state[at] == 1; at = g->types[at].target)
			state[at] = 2;
	}
	free(state);
	return st;
}

static enum lac_status check_member(const struct lac_graph *g,
				    const struct lac_record *r, uint32_t i,
				    lac_record_id id, struct lac_err *err)
{
	const struct lac_member *m = &r->members[i];
	const struct lac_member *before = i ? m - 1 : NULL;

	if (m->type >= g->ntypes)
		return bad(g, "a member's type does not resolve", id, err);
	if (m->certainty == LAC_DYNAMIC)
		return LAC_OK;
	if (before && before->certainty == LAC_DYNAMIC)
		return bad(g, "a dynamic member does not come last", id, err);
	if (before && before->bit_offset > m->bit_offset)
		return bad(g, "members are not in order", id, err);
	if (r->size == LAC_SIZE_UNKNOWN || r->size > UINT64_MAX / 8)
		return LAC_OK;
	if (m->bit_offset > r->size * 8 ||
	    (m->bit_size != LAC_SIZE_UNKNOWN &&
	     m->bit_size > r->size * 8 - m->bit_offset))
		return bad(g, "a member ends behind its record", id, err);
	return LAC_OK;
}

static enum lac_status check_record(const struct lac_graph *g,
				    lac_record_id id, struct lac_err *err)
{
	const struct lac_record *r = &g->records[id];

	if (r->type >= g->ntypes ||
	    g->types[r->type].kind != LAC_TYPE_RECORD ||
	    g->types[r->type].record != id)
		return bad(g, "a record without its type", id, err);
	if (r->parent != LAC_NONE && r->parent >= g->nrecords)
		return bad(g, "a record's parent does not resolve", id, err);
	for (uint32_t i = 0; i < r->nunits; i++)
		if (r->units[i] >= g->nunits ||
		    (i && r->units[i - 1] >= r->units[i]))
			return bad(g, "a record's units", id, err);
	for (uint32_t i = 0; i < r->nmembers; i++)
		LAC_TRY(check_member(g, r, i, id, err));
	return LAC_OK;
}

enum lac_status lac_graph_check(const struct lac_graph *g, struct lac_err *err)
{
	if (!g->ntypes)
		return bad(g, "no types at all", 0, err);
	for (lac_type_id i = 0; i < g->ntypes; i++)
		LAC_TRY(check_type(g, i, err));
	LAC_TRY(check_chains(g, err));
	for (lac_record_id i = 0; i < g->nrecords; i++)
		LAC_TRY(check_record(g, i, err));
	for (uint32_t i = 0; i < g->nenumerations; i++)
		if (g->enumerations[i].type >= g->ntypes)
			return bad(g, "an enumeration's type", i, err);
	for (uint32_t i = 0; i < g->naliases; i++)
		if (g->aliases[i].record >= g->nrecords)
			return bad(g, "an alias does not resolve", i, err);
	return LAC_OK;
}

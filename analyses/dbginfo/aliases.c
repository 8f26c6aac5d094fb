/* SPDX-License-Identifier: BSD-2-Clause */
/* aliases.c - the typedefs that lead to a record, by name. */
#include <stdlib.h>
#include <string.h>

#include "dbginfo/aliases.h"

static int compare_alias(const void *x, const void *y)
{
	const struct lac_alias *a = x, *b = y;
	int c = strcmp(a->name, b->name);

	return c ? c : a->record < b->record ? -1 : a->record > b->record;
}

enum lac_status lac_aliases_collect(struct lac_graph *g,
				    const lac_type_id *typedefs, uint32_t n,
				    struct lac_err *err)
{
	struct lac_alias *aliases;
	uint32_t found = 0, kept = 0;

	aliases = lac_arena_zalloc(g->arena, n, sizeof(*aliases));
	if (!aliases)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < n; i++) {
		lac_type_id id = typedefs[i];
		const struct lac_type *t = &g->types[lac_type_strip(g, id)];

		if (g->types[id].name && t->kind == LAC_TYPE_RECORD &&
		    t->record != LAC_NONE)
			aliases[found++] = (struct lac_alias){ g->types[id].name,
							   t->record };
	}
	if (found)
		qsort(aliases, found, sizeof(*aliases), compare_alias);
	for (uint32_t i = 0; i < found; i++)
		if (!kept || compare_alias(&aliases[kept - 1], &aliases[i]))
			aliases[kept++] = aliases[i];
	g->aliases = aliases;
	g->naliases = kept;
	return LAC_OK;
}

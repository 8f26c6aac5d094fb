/* SPDX-License-Identifier: BSD-2-Clause */
/* named.h - records by name or pattern, and what else a name may stand for. */
#ifndef LAC_NAMED_H
#define LAC_NAMED_H

#include "dbginfo/graph.h"

/* It has a character that a shell pattern gives a meaning to. */
bool lac_is_pattern(const char *name);

/*
 * As lac_graph_find(); where that has nothing, every record that the pattern
 * matches.
 */
LAC_MUST_CHECK enum lac_status
lac_named_find(const struct lac_graph *g, const char *name,
	       struct lac_arena *scratch, const lac_record_id **ids, size_t *n,
	       struct lac_err *err);

/* LAC_NOT_FOUND: what the name is instead, or which ones are near. */
LAC_MUST_CHECK enum lac_status lac_not_a_record(const struct lac_graph *g,
						const char *name,
						struct lac_err *err);

#endif

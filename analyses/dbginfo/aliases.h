/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef LAC_ALIASES_H
#define LAC_ALIASES_H

#include "dbginfo/graph.h"

/*
 * Give g, which has its types and records, its aliases: those of n typedefs, by
 * id, that lead to a record.
 */
LAC_MUST_CHECK enum lac_status lac_aliases_collect(struct lac_graph *g,
						   const lac_type_id *typedefs,
						   uint32_t n,
						   struct lac_err *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* declare.h - C declarators, built from the inside out. */
#ifndef LAC_DECLARE_H
#define LAC_DECLARE_H

#include "dbginfo/graph.h"

/*
 * The declaration of `name` (NULL or "" for an abstract one) as type id:
 * "int (*fp)(void)[2]" never, "int (*(*fp)(void))[2]" yes.  In scratch; NULL
 * when out of memory.  An anonymous record shows as "struct {...}".
 */
const char *lac_type_declare(const struct lac_graph *g, lac_type_id id,
			     const char *name, struct lac_arena *scratch);

#endif

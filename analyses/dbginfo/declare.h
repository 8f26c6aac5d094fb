/* SPDX-License-Identifier: BSD-2-Clause */
/* declare.h - C declarators, built from the inside out. */
#ifndef LAC_DECLARE_H
#define LAC_DECLARE_H

#include "dbginfo/graph.h"

/*
 * How many characters the parameters of one type's functions may take.  Beyond
 * that, and for those nested deepest, the text has a comment in their place:
 * functions that take functions share types, which spelled out are 2^n texts.
 */
#define LAC_PARAMETERS_MAX 4096u

/*
 * The declaration of `name` (NULL or "" for an abstract one) as type id:
 * "int (*fp)(void)[2]" never, "int (*(*fp)(void))[2]" yes.  In scratch; NULL
 * when out of memory.  An anonymous record shows as "struct {...}", parameters
 * that are too long as "int (*fp)()" with a comment of three dots in the ().
 */
const char *lac_type_declare(const struct lac_graph *g, lac_type_id id,
			     const char *name, struct lac_arena *scratch);

/* The same; *cut says whether any parameters are too long. */
const char *lac_type_declare_cut(const struct lac_graph *g, lac_type_id id,
				 const char *name, struct lac_arena *scratch,
				 bool *cut);

#endif

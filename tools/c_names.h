/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * c_names.h - types of a graph as C that compiles: declarators in which every
 * tag, typedef and enumerator has one meaning, whatever several units meant by
 * it.
 */
#ifndef LAC_C_NAMES_H
#define LAC_C_NAMES_H

#include "dbginfo/graph.h"

struct lac_c_names;

/* Lives in the arena, except for its tables: lac_c_names_destroy(). */
LAC_MUST_CHECK enum lac_status lac_c_names_create(const struct lac_graph *g,
						  struct lac_arena *arena,
						  struct lac_c_names **ret,
						  struct lac_err *err);
void lac_c_names_destroy(struct lac_c_names *n); /* NULL is a no-op */

/*
 * The names to use, the second meaning of one as NAME__2 and so on; NULL when
 * out of memory.
 */
const char *lac_c_record_tag(struct lac_c_names *n, lac_type_id id);
const char *lac_c_typedef_name(struct lac_c_names *n, lac_type_id id);
const char *lac_c_enum_tag(struct lac_c_names *n, lac_type_id id);
const char *lac_c_enumerator(struct lac_c_names *n, lac_type_id enumeration,
			     const char *name);

/*
 * The declaration of `inner` (a declarator so far: a name, "" or more) as type
 * id.  zero_length: an array without a bound is written as [0].
 * LAC_UNSUPPORTED for what C does not have, and for a type that takes more than
 * LAC_C_TYPE_MAX characters: functions that take functions share types, which
 * spelled out are 2^n texts.
 */
#define LAC_C_TYPE_MAX 65536u

LAC_MUST_CHECK enum lac_status lac_c_declare(struct lac_c_names *n,
					     lac_type_id id, const char *inner,
					     bool zero_length, const char **ret,
					     struct lac_err *err);

/* An integer type of that many bytes. */
const char *lac_c_integer(uint64_t size, bool is_signed);

/*
 * Whether C gives the enumeration this size: 4 or 8 bytes by its values, less
 * with the packed attribute, *packed.
 */
bool lac_c_enum_fits(const struct lac_enumeration *e, bool *packed);

/* LAC_UNSUPPORTED unless it is an identifier. */
LAC_MUST_CHECK enum lac_status lac_c_identifier(const char *name,
						struct lac_err *err);

#endif

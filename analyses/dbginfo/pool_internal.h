/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pool_internal.h - what is equal is found by a hash of its content.  Of no use
 * outside of pool*.c and freeze.c.
 */
#ifndef LAC_POOL_INTERNAL_H
#define LAC_POOL_INTERNAL_H

#include "dbginfo/pool.h"

/* Interned strings are equal if their addresses are. */
static inline uint64_t mix_name(uint64_t h, const char *name)
{
	return lac_mix_in(h, (uint64_t)(uintptr_t)name);
}

/*
 * The slot of an id of that hash for which equal() holds, or the free one
 * where it belongs.  NULL when out of memory.
 */
static inline struct lac_table_slot *
table_find(struct lac_pool *p, struct lac_table *t, uint32_t hash,
	   bool (*equal)(const struct lac_pool *p, uint32_t id,
			 const void *key),
	   const void *key)
{
	if (!lac_table_grow(t))
		return NULL;
	for (uint32_t at = hash;; at++) {
		struct lac_table_slot *s = &t->slots[at & (t->cap - 1)];

		if (s->id == LAC_NONE ||
		    (s->hash == hash && equal(p, s->id, key)))
			return s;
	}
}

static inline void table_fill(struct lac_table *t, struct lac_table_slot *s,
		       uint32_t hash, uint32_t id)
{
	s->hash = hash;
	s->id = id;
	t->n++;
}

/* Declared, and of a size nevertheless. */
static inline bool lac_is_opaque_enum(const struct lac_type *t)
{
	return t->kind == LAC_TYPE_ENUM && t->enumeration == LAC_NONE &&
	       t->name && t->size != LAC_SIZE_UNKNOWN;
}

/*
 * Such enumerations become what the file defines elsewhere by that name and of
 * that size, and what is made of them goes with them.  *p may become another
 * pool, and what head points to be of that; both as they were on failure.
 */
LAC_MUST_CHECK enum lac_status lac_pool_settle(struct lac_pool **p,
					       struct lac_graph *head,
					       struct lac_err *err);

/* A type that is known to be new. */
LAC_MUST_CHECK enum lac_status lac_pool_append(struct lac_pool *p,
					       const struct lac_type *t,
					       bool by_value, lac_type_id *ret,
					       struct lac_err *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* table.h - arrays and hash tables that grow by doubling. */
#ifndef LAC_TABLE_H
#define LAC_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What lac_make_room() does when an array is full. */
bool lac_array_double(void **array, uint32_t *cap, size_t size);

/*
 * Make room in *array, which holds n elements of size bytes and has space for
 * *cap, for one more.  False when out of memory; nothing has changed then.
 */
static inline bool lac_make_room(void **array, uint32_t n, uint32_t *cap,
				 size_t size)
{
	return n < *cap || lac_array_double(array, cap, size);
}

/* Of ids, by the hash of what they stand for.  All zeros is an empty one. */
struct lac_table {
	struct lac_table_slot {
		uint32_t hash, id; /* LAC_NONE if free */
	} *slots;
	uint32_t cap, n; /* cap: a power of two, or 0; n: by who fills a slot */
};

/* What lac_table_grow() does when one is too full; false: out of memory. */
bool lac_table_double(struct lac_table *t);

/* At least one more slot than used; likewise. */
static inline bool lac_table_grow(struct lac_table *t)
{
	return t->n < t->cap - t->cap / 4 || lac_table_double(t);
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef LAC_SIZES_H
#define LAC_SIZES_H

#include "dbginfo/graph.h"

/*
 * Bytes of an array of such elements: what the input told, or worked out;
 * LAC_SIZE_UNKNOWN also of what is too large to count.
 */
static inline uint64_t lac_array_size(const struct lac_type *t,
				      uint64_t element)
{
	uint64_t size;

	if (t->size != LAC_SIZE_UNKNOWN)
		return t->size;
	if (t->array.count == 0)
		return 0;
	if (element == LAC_SIZE_UNKNOWN ||
	    __builtin_mul_overflow(element, t->array.count, &size))
		return LAC_SIZE_UNKNOWN;
	return size;
}

#endif

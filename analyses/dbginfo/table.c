/* SPDX-License-Identifier: BSD-2-Clause */
#include "dbginfo/table.h"

#include <stdlib.h>
#include <string.h>

#include "dbginfo/graph.h"

bool lac_array_double(void **array, uint32_t *cap, size_t size)
{
	uint32_t want = *cap ? 2 * *cap : 256;
	void *p;

	if (want <= *cap || want >= LAC_NONE)
		return false;
	p = reallocarray(*array, want, size);
	if (!p)
		return false;
	*array = p;
	*cap = want;
	return true;
}

bool lac_table_double(struct lac_table *t)
{
	uint32_t cap = t->cap ? 2 * t->cap : 1024;
	struct lac_table_slot *slots =
		cap > t->cap ? malloc(cap * sizeof(*slots)) : NULL;

	if (!slots)
		return false;
	memset(slots, 0xff, cap * sizeof(*slots)); /* LAC_NONE */
	for (uint32_t i = 0; i < t->cap; i++) {
		uint32_t at = t->slots[i].hash;

		if (t->slots[i].id == LAC_NONE)
			continue;
		while (slots[at & (cap - 1)].id != LAC_NONE)
			at++;
		slots[at & (cap - 1)] = t->slots[i];
	}
	free(t->slots);
	t->slots = slots;
	t->cap = cap;
	return true;
}

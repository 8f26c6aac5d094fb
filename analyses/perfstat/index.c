/* SPDX-License-Identifier: BSD-2-Clause */
/* index.c - events by their key: an open hash, half empty at least. */
#include <stdint.h>
#include <string.h>

#include "perfstat/reader.h"

/* FNV-1a, 64 bits (Fowler, Noll, Vo), with a border between the two texts. */
static size_t hash(const char *where, const char *name)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *where; where++)
		h = (h ^ (unsigned char)*where) * 0x100000001b3u;
	h = (h ^ 0xff) * 0x100000001b3u;
	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 0x100000001b3u;
	return (size_t)(h ^ h >> 32);
}

/* Where the key is or would go; cap is a power of two, with room. */
static size_t slot_of(const struct lac_perfstat_index *x, const char *where,
		      const char *name)
{
	size_t i = hash(where, name) & (x->cap - 1);

	while (x->slots[i].name && (strcmp(x->slots[i].name, name) ||
				    strcmp(x->slots[i].where, where)))
		i = (i + 1) & (x->cap - 1);
	return i;
}

size_t lac_perfstat_index_find(const struct lac_perfstat_index *x,
			       const char *where, const char *name)
{
	size_t i = x->cap ? slot_of(x, where, name) : 0;

	return x->cap && x->slots[i].name ? x->slots[i].number : SIZE_MAX;
}

static bool widen(struct lac_perfstat_index *x, struct lac_arena *a)
{
	struct lac_perfstat_index wide = { .cap = x->cap ? 2 * x->cap : 32 };

	wide.slots = lac_arena_zalloc(a, wide.cap, sizeof(*wide.slots));
	if (!wide.slots)
		return false;
	for (size_t i = 0; i < x->cap; i++) {
		const struct lac_perfstat_slot *s = &x->slots[i];

		if (s->name)
			wide.slots[slot_of(&wide, s->where, s->name)] = *s;
	}
	wide.used = x->used;
	*x = wide;
	return true;
}

bool lac_perfstat_index_add(struct lac_perfstat_index *x, struct lac_arena *a,
			    const char *where, const char *name, size_t number)
{
	if (2 * x->used >= x->cap && !widen(x, a))
		return false;
	x->slots[slot_of(x, where, name)] = (struct lac_perfstat_slot){
		.where = where, .name = name, .number = number
	};
	x->used++;
	return true;
}

void lac_perfstat_index_clear(struct lac_perfstat_index *x)
{
	if (x->used)
		memset(x->slots, 0, x->cap * sizeof(*x->slots));
	x->used = 0;
}

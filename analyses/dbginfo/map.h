/* SPDX-License-Identifier: BSD-2-Clause */
/* map.h - from a 64-bit key to a 32-bit value; open addressing. */
#ifndef LAC_MAP_H
#define LAC_MAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * Invariant: n < cap, so that a search ends.  A key of UINT64_MAX is free: it
 * is never found, though it was put.
 */
struct lac_map {
	struct lac_map_slot {
		uint64_t key;
		uint32_t value;
	} *slots;
	uint32_t cap, n; /* cap is a power of two, or 0 */
};

static inline uint64_t lac_mix(uint64_t x)
{
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
	return x ^ x >> 32;
}

/* A hash that goes on. */
static inline uint64_t lac_mix_in(uint64_t h, uint64_t v)
{
	h = (h + v) * 0x9e3779b97f4a7c15u; /* 2^64 by the golden ratio */
	return h ^ h >> 32;
}

static inline uint32_t *lac_map_get(const struct lac_map *m, uint64_t key)
{
	if (!m->cap)
		return NULL;
	for (uint64_t i = lac_mix(key);; i++) {
		struct lac_map_slot *s = &m->slots[i & (m->cap - 1)];

		if (s->key == UINT64_MAX) /* first: it may be what is sought */
			return NULL;
		if (s->key == key)
			return &s->value;
	}
}

/* Room for n in all; false when out of memory. */
static inline bool lac_map_reserve(struct lac_map *m, uint32_t n)
{
	uint64_t cap = 256;

	while (cap - cap / 4 <= n)
		cap *= 2;
	if (m->cap || cap > UINT32_MAX)
		return true; /* it grows */
	m->slots = malloc(cap * sizeof(*m->slots));
	if (!m->slots)
		return false;
	for (uint64_t i = 0; i < cap; i++)
		m->slots[i].key = UINT64_MAX;
	m->cap = (uint32_t)cap;
	return true;
}

/* Make room for one more; false when out of memory. */
static inline bool lac_map_grow(struct lac_map *m)
{
	uint32_t cap = m->cap ? 2 * m->cap : 256;
	struct lac_map_slot *slots;

	if (m->cap && m->n < m->cap - m->cap / 4)
		return true;
	if (cap < m->cap)
		return false;
	slots = malloc(cap * sizeof(*slots));
	if (!slots)
		return false;
	for (uint32_t i = 0; i < cap; i++)
		slots[i].key = UINT64_MAX;
	for (uint32_t i = 0; i < m->cap; i++) {
		uint64_t at = lac_mix(m->slots[i].key);

		if (m->slots[i].key == UINT64_MAX)
			continue;
		while (slots[at & (cap - 1)].key != UINT64_MAX)
			at++;
		slots[at & (cap - 1)] = m->slots[i];
	}
	free(m->slots);
	m->slots = slots;
	m->cap = cap;
	return true;
}

/* Set or replace; false when out of memory. */
static inline bool lac_map_put(struct lac_map *m, uint64_t key, uint32_t value)
{
	uint64_t at = lac_mix(key);

	if (!lac_map_grow(m))
		return false;
	for (;; at++) {
		struct lac_map_slot *s = &m->slots[at & (m->cap - 1)];

		if (s->key == key || s->key == UINT64_MAX) {
			m->n += s->key == UINT64_MAX;
			s->key = key;
			s->value = value;
			return true;
		}
	}
}

static inline void lac_map_free(struct lac_map *m)
{
	free(m->slots);
	*m = (struct lac_map){ 0 };
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
#include "dbginfo/names.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define WORD sizeof(uint64_t)
#define ONES 0x0101010101010101u

static inline uint64_t mix_in(uint64_t h, uint64_t v)
{
	h = (h + v) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 32;
}

/* Eight bytes at a time, those behind the end of the string left out. */
static inline uint32_t hash_of(const struct lac_names *names, uint32_t offset)
{
	const char *s = names->text + offset, *end = names->text + names->size;
	uint64_t h = 0, v, zero;

	for (;; s += WORD) {
		if (__builtin_expect((size_t)(end - s) >= WORD, 1)) {
			memcpy(&v, s, WORD);
		} else {
			v = 0;
			memcpy(&v, s, (size_t)(end - s));
		}
		v = le64toh(v);
		/* the lowest bit is in the first byte that is zero */
		zero = (v - ONES) & ~v & ONES << 7;
		if (zero)
			break;
		h = mix_in(h, v);
	}
	return (uint32_t)mix_in(h, v & ((zero & -zero) - 1));
}

static bool grow(struct lac_names *names)
{
	uint32_t cap = names->cap * 2;
	uint64_t *slots = cap ? calloc(cap, sizeof(*slots)) : NULL;

	if (!slots)
		return false;
	for (uint32_t i = 0; i < names->cap; i++) {
		uint32_t at = (uint32_t)(names->slots[i] >> 32);

		if (!names->slots[i])
			continue;
		while (slots[at & (cap - 1)])
			at++;
		slots[at & (cap - 1)] = names->slots[i];
	}
	free(names->slots);
	names->slots = slots;
	names->cap = cap;
	return true;
}

bool lac_names_init(struct lac_names *names, const char *text, uint32_t size)
{
	uint32_t cap = 256;

	/* names are longer than that, and not all of them are asked for */
	while (cap < size / 16)
		cap *= 2;
	*names = (struct lac_names){ .text = text, .size = size, .cap = cap };
	names->known = calloc((size_t)size / 64 + 1, sizeof(*names->known));
	names->slots = calloc(cap, sizeof(*names->slots));
	if (names->known && names->slots)
		return true;
	lac_names_free(names);
	return false;
}

void lac_names_free(struct lac_names *names)
{
	free(names->known);
	free(names->slots);
	*names = (struct lac_names){ 0 };
}

bool lac_names_find(struct lac_names *names, uint32_t offset, const char **ret)
{
	const char *s = names->text + offset;
	uint32_t hash, at;

	if (!*s) {
		*ret = NULL;
		return true;
	}
	if (names->n >= names->cap / 4 * 3 && !grow(names))
		return false;
	hash = hash_of(names, offset);
	for (at = hash;; at++) {
		uint64_t *slot = &names->slots[at & (names->cap - 1)];
		const char *other = names->text + (uint32_t)*slot;

		if (!*slot) {
			*slot = (uint64_t)hash << 32 | offset;
			names->n++;
			names->known[offset / 64] |= (uint64_t)1 << offset % 64;
			*ret = s;
			return true;
		}
		if (*slot >> 32 == hash && !strcmp(other, s)) {
			*ret = other;
			return true;
		}
	}
}

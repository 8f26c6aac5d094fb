/* SPDX-License-Identifier: BSD-2-Clause */
#include "dbginfo/names.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "dbginfo/map.h"

#define WORD sizeof(uint64_t)
#define ONES 0x0101010101010101u

/* Its lowest bit is in the first byte that is zero; 0 if there is none. */
static inline uint64_t first_zero(uint64_t v)
{
	return (v - ONES) & ~v & ONES << 7;
}

/* Eight of the bytes left, or what there is; the first is the lowest. */
static inline uint64_t word_at(const char *s, size_t left)
{
	uint64_t v = 0;

	memcpy(&v, s, left < WORD ? left : WORD);
	return le64toh(v);
}

/*
 * Two words at a time, for the sake of the branch that tells short from long;
 * what is behind the end of the string is left out.  *end is where that is.
 */
static inline uint32_t hash_of(const struct lac_names *names, uint32_t offset,
			       uint32_t *end)
{
	const char *s = names->text + offset;
	size_t left = names->size - offset;
	uint64_t h = names->seed, v, w, zero, after;

	for (;; s += 2 * WORD, left -= 2 * WORD) {
		if (__builtin_expect(left >= 2 * WORD, 1)) {
			v = word_at(s, WORD);
			w = word_at(s + WORD, WORD);
		} else {
			v = word_at(s, left);
			w = left > WORD ? word_at(s + WORD, left - WORD) : 0;
		}
		zero = first_zero(v);
		after = first_zero(w);
		/* all bits where there is no zero: 0 - 1 */
		v &= (zero & -zero) - 1;
		w &= ((after & -after) - 1) & -(uint64_t)!zero;
		h = lac_mix_in(lac_mix_in(h, v), w);
		if (zero | after) {
			*end = (uint32_t)(s - names->text) +
			       (zero ? (uint32_t)__builtin_ctzll(zero) / 8 :
				       8 + (uint32_t)__builtin_ctzll(after) / 8);
			return (uint32_t)h;
		}
	}
}

/* What the author of a file cannot know: else all strings may have one hash. */
static uint64_t random_seed(void)
{
	const void *bytes = (const void *)getauxval(AT_RANDOM);
	uint64_t seed = 0;

	if (bytes)
		memcpy(&seed, bytes, sizeof(seed));
	return seed;
}

static uint8_t mark_of(uint32_t hash)
{
	return (uint8_t)(hash >> 24 | 1);
}

static bool make_table(struct lac_names *names, uint32_t cap)
{
	names->slots = malloc(cap * sizeof(*names->slots));
	/* not malloc(), which compilers take for calloc() with what follows */
	names->marks = reallocarray(NULL, cap, sizeof(*names->marks));
	names->cap = cap;
	if (!cap || !names->slots || !names->marks)
		return false;
	/* by writing: see lac_rules_create() */
	memset(names->marks, 0, cap * sizeof(*names->marks));
	return true;
}

static bool grow(struct lac_names *names)
{
	struct lac_names more = *names;
	uint32_t mask = names->cap * 2 - 1;

	if (!make_table(&more, names->cap * 2)) {
		free(more.slots);
		free(more.marks);
		return false;
	}
	for (uint32_t i = 0; i < names->cap; i++) {
		uint32_t hash, at, end;

		if (!names->marks[i])
			continue;
		hash = at = hash_of(names, names->slots[i], &end);
		while (more.marks[at & mask])
			at++;
		more.slots[at & mask] = names->slots[i];
		more.marks[at & mask] = mark_of(hash);
	}
	free(names->slots);
	free(names->marks);
	*names = more;
	return true;
}

/* Names are longer than that, and not all of them are asked for. */
static uint32_t cap_for(uint32_t size)
{
	uint32_t cap = 256;

	while (cap < size / 24)
		cap *= 2;
	return cap;
}

bool lac_names_init(struct lac_names *names, const char *text, uint32_t size)
{
	*names = (struct lac_names){ .text = text, .size = size,
				     .seed = random_seed() };
	names->known = calloc((size_t)size / 64 + 1, sizeof(*names->known));
	if (make_table(names, cap_for(size)) && names->known)
		return true;
	lac_names_free(names);
	return false;
}

void lac_names_free(struct lac_names *names)
{
	free(names->known);
	free(names->slots);
	free(names->marks);
	*names = (struct lac_names){ 0 };
}

/*
 * The offset of the first string that is equal to the one there, which is the
 * first itself if none was known; *end is where it ends.  False when out of
 * memory.
 */
static inline bool take(struct lac_names *names, uint32_t offset,
			uint32_t *first, uint32_t *end)
{
	uint32_t hash, at;
	uint8_t mark;

	if (names->n >= names->cap / 8 * 7 && !grow(names))
		return false;
	hash = hash_of(names, offset, end);
	mark = mark_of(hash);
	for (at = hash & (names->cap - 1); names->marks[at];
	     at = (at + 1) & (names->cap - 1))
		if (names->marks[at] == mark &&
		    !strcmp(names->text + names->slots[at],
			    names->text + offset)) {
			*first = names->slots[at];
			return true;
		}
	names->slots[at] = offset;
	names->marks[at] = mark;
	names->n++;
	*first = offset;
	return true;
}

bool lac_names_find(struct lac_names *names, uint32_t offset, const char **ret)
{
	uint32_t first, end;

	if (!names->text[offset]) {
		*ret = NULL;
		return true;
	}
	if (!take(names, offset, &first, &end))
		return false;
	if (first == offset)
		names->known[offset / 64] |= (uint64_t)1 << offset % 64;
	*ret = names->text + first;
	return true;
}

bool lac_names_differ(const char *text, uint32_t size)
{
	struct lac_names names = { .text = text, .size = size,
				   .seed = random_seed() };
	uint32_t first = 0, at = 0, end = 0;
	bool differ = make_table(&names, cap_for(size));

	for (; differ && at < size; at = end + 1)
		if (text[at])
			differ = take(&names, at, &first, &end) && first == at;
		else
			end = at;
	lac_names_free(&names);
	return differ;
}

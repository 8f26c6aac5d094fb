/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * names.h - the strings of a section as interned names, where they lie: what is
 * equal is one, although nothing is copied.
 */
#ifndef LAC_NAMES_H
#define LAC_NAMES_H

#include <stdbool.h>
#include <stdint.h>

struct lac_names {
	const char *text; /* the caller's; its last byte is '\0' */
	uint32_t size;	  /* bytes */
	uint64_t seed;	  /* of their hashes */
	/* a bit for each byte: the string that starts there stands for itself */
	uint64_t *known;
	uint32_t *slots; /* offsets by the hash of their strings */
	uint8_t *marks;	 /* by slot: more of that hash; 0 if it is free */
	uint32_t cap, n; /* cap: a power of two */
};

/* The text begins with an empty string.  False when out of memory. */
bool lac_names_init(struct lac_names *names, const char *text, uint32_t size);
void lac_names_free(struct lac_names *names);

/* Each of its strings is there only once; false also when out of memory. */
bool lac_names_differ(const char *text, uint32_t size);

/* What lac_name_at() does for one that is not known. */
bool lac_names_find(struct lac_names *names, uint32_t offset, const char **ret);

/*
 * The string at that offset, less than size; NULL for an empty one.  False when
 * out of memory.
 */
static inline bool lac_name_at(struct lac_names *names, uint32_t offset,
			       const char **ret)
{
	if (names->known[offset / 64] >> offset % 64 & 1) {
		*ret = names->text + offset;
		return true;
	}
	return lac_names_find(names, offset, ret);
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * store_format.h - a graph as bytes: arrays of fixed-size elements that refer
 * to each other by index and to strings by offset, in the machine's byte order.
 *
 * A head (struct lac_image_head, then a checksum for each block, filled up to a
 * whole block) is in front of the blocks.  Sections start at multiples of 8.
 */
#ifndef LAC_STORE_FORMAT_H
#define LAC_STORE_FORMAT_H

#include "dbginfo/store.h"

#define LAC_IMAGE_MAGIC 0x31667267616e7563u /* also tells the byte order */
#define LAC_IMAGE_FORMAT 1u
#define LAC_IMAGE_BLOCK 4096u /* bytes */

enum lac_image_section {
	LAC_IN_STRINGS,	 /* each ended by '\0'; offset 0 stands for NULL */
	LAC_IN_TYPES,
	LAC_IN_PARAMS,	 /* of functions: types */
	LAC_IN_RECORDS,
	LAC_IN_MEMBERS,
	LAC_IN_LISTS,	 /* of units; records that have the same share one */
	LAC_IN_UNITS_OF, /* the lists: differences, 7 bits a byte */
	LAC_IN_ENUMS,
	LAC_IN_VALUES,
	LAC_IN_ALIASES,	 /* as in the graph: by name */
	LAC_IN_ALIASES_OF, /* indices of aliases, by record */
	LAC_IN_UNITS,
	LAC_IN_WHOLE,	 /* names of the graph's index: in strcmp order */
	LAC_IN_LAST,
	LAC_IN_SECTIONS
};

struct lac_image_type {
	uint64_t size, count;
	uint32_t name, target, declared_align, align;
	uint32_t ref; /* record, enumeration, or the first parameter */
	uint32_t nparams;
	uint8_t kind, encoding, record_kind, align_source;
	uint8_t flexible, variadic, spare[2];
};

struct lac_image_record {
	uint64_t size;
	uint32_t name, typedef_name, decl_file, decl_line, damage;
	uint32_t declared_align, type, parent;
	uint32_t member, nmembers, list, alias, naliases;
	uint32_t kind;
};

struct lac_image_member {
	uint64_t bit_offset, bit_size, discriminant;
	uint32_t name, type, declared_align;
	uint8_t role, certainty, has_discriminant, spare;
};

struct lac_image_list {
	uint32_t at, bytes, n, spare;
};

struct lac_image_enum {
	uint64_t size;
	uint32_t name, type, decl_file, decl_line, value, nvalues;
	uint32_t is_signed, spare;
};

struct lac_image_value {
	int64_t value;
	uint32_t name, spare;
};

struct lac_image_name { /* of a record: an alias, or in the index */
	uint32_t name, record;
};

struct lac_image_unit {
	uint32_t name, producer;
};

struct lac_image_head {
	uint64_t magic;
	uint64_t sum; /* of the whole head, with 0 here */
	struct lac_store_key key;
	uint32_t format; /* LAC_IMAGE_FORMAT */
	uint32_t nblocks;
	uint32_t graph_format, machine;
	uint32_t version; /* a string, as in the sections */
	uint8_t tells_alignment, pointer_size, big_endian, spare;
	struct {
		uint64_t at; /* bytes behind the head */
		uint64_t n;  /* elements */
	} sections[LAC_IN_SECTIONS];
};

static inline unsigned lac_image_element(enum lac_image_section s)
{
	static const uint8_t sizes[LAC_IN_SECTIONS] = {
		[LAC_IN_STRINGS] = 1,
		[LAC_IN_TYPES] = sizeof(struct lac_image_type),
		[LAC_IN_PARAMS] = sizeof(uint32_t),
		[LAC_IN_RECORDS] = sizeof(struct lac_image_record),
		[LAC_IN_MEMBERS] = sizeof(struct lac_image_member),
		[LAC_IN_LISTS] = sizeof(struct lac_image_list),
		[LAC_IN_UNITS_OF] = 1,
		[LAC_IN_ENUMS] = sizeof(struct lac_image_enum),
		[LAC_IN_VALUES] = sizeof(struct lac_image_value),
		[LAC_IN_ALIASES] = sizeof(struct lac_image_name),
		[LAC_IN_ALIASES_OF] = sizeof(uint32_t),
		[LAC_IN_UNITS] = sizeof(struct lac_image_unit),
		[LAC_IN_WHOLE] = sizeof(struct lac_image_name),
		[LAC_IN_LAST] = sizeof(struct lac_image_name),
	};

	return sizes[s];
}

/* Bytes of the head of an entry with that many blocks. */
static inline uint64_t lac_image_head_bytes(uint32_t nblocks)
{
	uint64_t n = sizeof(struct lac_image_head) +
		     (uint64_t)nblocks * sizeof(uint64_t);

	return (n + LAC_IMAGE_BLOCK - 1) / LAC_IMAGE_BLOCK * LAC_IMAGE_BLOCK;
}

/*
 * n bytes at p, a multiple of 32; seed tells blocks of equal bytes apart.
 * Any change within one word changes it, any other but one in 2^64.
 */
uint64_t lac_image_sum(const void *p, size_t n, uint64_t seed);

/* -- reading -------------------------------------------------------------- */

/* An entry, of which blocks are read and verified when they are first used. */
struct lac_image {
	int fd;
	const struct lac_image_head *head;
	const uint64_t *sums;
	uint64_t head_bytes;
	unsigned char *data; /* of the blocks; zero where not yet read */
	uint8_t *have;	     /* by block */
	bool bad;	     /* something was not as it must be */
};

/* The head, in arena; fd stays the caller's.  As lac_store_probe(). */
LAC_MUST_CHECK enum lac_status lac_image_open(int fd,
					      const struct lac_store_key *key,
					      struct lac_arena *arena,
					      struct lac_image *ret,
					      struct lac_err *err);

/* Make room for the blocks, in arena. */
LAC_MUST_CHECK enum lac_status lac_image_ready(struct lac_image *m,
					       struct lac_arena *arena,
					       struct lac_err *err);

/* Elements of a section; NULL, and bad, if they are not all there. */
const void *lac_image_at(struct lac_image *m, enum lac_image_section s,
			 uint64_t first, uint64_t n);

/* "" and bad if it does not end within the section; NULL for offset 0. */
const char *lac_image_string(struct lac_image *m, uint32_t offset);

static inline uint64_t lac_image_count(const struct lac_image *m,
				       enum lac_image_section s)
{
	return m->head->sections[s].n;
}

#endif

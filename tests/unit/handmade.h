/* SPDX-License-Identifier: BSD-2-Clause */
/* handmade.h - type graphs built by hand, for tests that read no file. */
#ifndef HANDMADE_H
#define HANDMADE_H

#include <stdlib.h>
#include <string.h>

#include "dbginfo/graph.h"
#include "dbginfo/index.h"

enum { HM_TYPES = 512, HM_RECORDS = 128, HM_MEMBERS = 2048 };

struct handmade {
	struct lac_graph graph;
	struct lac_type types[HM_TYPES];
	struct lac_record records[HM_RECORDS];
	struct lac_member members[HM_MEMBERS];
	struct lac_unit unit;
	uint32_t unit_id;
	uint32_t nmembers;
};

/* The base types that every handmade graph has. */
enum {
	HM_VOID,
	HM_CHAR,    /* 1 byte */
	HM_SHORT,   /* 2 */
	HM_INT,	    /* 4 */
	HM_LONG,    /* 8 */
	HM_INT128,  /* 16 */
	HM_POINTER, /* 8, to void */
	HM_FIRST,   /* the next free id */
};

static inline struct handmade *hm_create(void)
{
	struct handmade *h = calloc(1, sizeof(*h));
	static const struct {
		const char *name;
		uint64_t size;
	} base[] = {
		[HM_CHAR] = { "char", 1 },
		[HM_SHORT] = { "short int", 2 },
		[HM_INT] = { "int", 4 },
		[HM_LONG] = { "long int", 8 },
		[HM_INT128] = { "__int128", 16 },
	};

	if (!h)
		abort();
	for (int i = HM_CHAR; i <= HM_INT128; i++)
		h->types[i] = (struct lac_type){
			.kind = LAC_TYPE_BASE,
			.encoding = LAC_ENC_SIGNED,
			.name = base[i].name,
			.size = base[i].size,
		};
	h->types[HM_POINTER] =
		(struct lac_type){ .kind = LAC_TYPE_POINTER, .size = 8 };
	h->unit.name = "handmade.c";
	h->graph = (struct lac_graph){
		.arena = lac_arena_create(),
		.path = "handmade",
		.debug_path = "handmade",
		.format = LAC_FORMAT_DWARF,
		.target = { .machine = 62, .pointer_size = 8 },
		.tells_alignment = true,
		.ntypes = HM_FIRST,
		.types = h->types,
		.records = h->records,
		.nunits = 1,
		.units = &h->unit,
	};
	return h;
}

static inline lac_type_id hm_array(struct handmade *h, lac_type_id element,
				   uint64_t count)
{
	lac_type_id id = h->graph.ntypes++;

	h->types[id] = (struct lac_type){
		.kind = LAC_TYPE_ARRAY,
		.size = h->types[element].size * count,
		.target = element,
		.array = { .count = count },
	};
	return id;
}

/* Starts a record; the members that follow are its own. */
static inline lac_record_id hm_record(struct handmade *h,
				      enum lac_record_kind kind,
				      const char *name, uint64_t size)
{
	lac_record_id id = h->graph.nrecords++;
	lac_type_id type = h->graph.ntypes++;

	h->types[type] = (struct lac_type){
		.kind = LAC_TYPE_RECORD,
		.name = name,
		.size = size,
		.record = id,
		.record_kind = kind,
	};
	h->records[id] = (struct lac_record){
		.name = name,
		.kind = kind,
		.size = size,
		.type = type,
		.parent = LAC_NONE,
		.members = &h->members[h->nmembers],
		.nunits = 1,
		.units = &h->unit_id,
	};
	return id;
}

static inline struct lac_member *hm_bits(struct handmade *h, const char *name,
					 lac_type_id type, uint64_t bit_offset,
					 uint64_t bit_size)
{
	struct lac_member *m = &h->members[h->nmembers++];

	*m = (struct lac_member){
		.name = name,
		.type = type,
		.bit_offset = bit_offset,
		.bit_size = bit_size,
	};
	h->records[h->graph.nrecords - 1].nmembers++;
	return m;
}

static inline struct lac_member *hm_member(struct handmade *h, const char *name,
					   lac_type_id type,
					   uint64_t byte_offset)
{
	uint64_t size = lac_type_size(&h->graph, type);

	return hm_bits(h, name, type, byte_offset * 8,
		       size == LAC_SIZE_UNKNOWN ? size : size * 8);
}

static inline struct lac_member *hm_field(struct handmade *h, const char *name,
					  lac_type_id type, uint64_t bit_offset,
					  uint64_t bit_size)
{
	struct lac_member *m = hm_bits(h, name, type, bit_offset, bit_size);

	m->role = LAC_MEMBER_BITFIELD;
	return m;
}

static inline lac_type_id hm_type(const struct handmade *h, lac_record_id id)
{
	return h->records[id].type;
}

/* Once the records are there, and again when there are more. */
static inline const struct lac_graph *hm_finish(struct handmade *h)
{
	struct lac_err err;

	if (lac_index_build(&h->graph, &err) != LAC_OK)
		abort();
	return &h->graph;
}

static inline void hm_destroy(struct handmade *h)
{
	lac_arena_destroy(h->graph.arena);
	free(h);
}

#endif

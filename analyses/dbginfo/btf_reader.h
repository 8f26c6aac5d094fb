/* SPDX-License-Identifier: BSD-2-Clause */
/* btf_reader.h - what the parts of btf_graph.c share. */
#ifndef LAC_BTF_READER_H
#define LAC_BTF_READER_H

#include "dbginfo/btf_place.h"
#include "dbginfo/graph.h"
#include "dbginfo/map.h"

#define LAC_BTF_BUSY UINT8_MAX /* chain or nest while it is found out */

/* Of a type of the graph. */
struct lac_btf_facts {
	/*
	 * A hash of what it says, down to records and enumerations, which go by
	 * their names; once these are taken, theirs is of all that they say.
	 */
	uint64_t print;
	/*
	 * The record or enumeration it is made of, or 0; LAC_NONE of a record
	 * that it only declares, which no member is made of.
	 */
	lac_type_id inner;
	uint8_t chain; /* types to where it ends; 0 before that is known */
	uint8_t nest; /* of a record: of how many in each other; 0 likewise */
};

struct lac_btf_reader {
	struct lac_btf_place from;
	struct lac_graph *g; /* to be */
	const char *text;    /* its strings, which may not be there yet */
	unsigned char *kinds; /* by id of BTF; bytes may change, this does not */
	/* by id of BTF: the graph's, LAC_NONE if it is not in it */
	lac_type_id *now;
	struct lac_type *types;
	struct lac_record *records;
	struct lac_enumeration *enumerations;
	/* what is not used of these, and how many there are */
	struct lac_member *members;
	struct lac_enumerator *values;
	lac_type_id *params;
	uint64_t members_left, values_left, params_left;
	/* types of the graph, in BTF's order; the roots: typedefs, records */
	lac_type_id *typedefs, *forwards, *enums, *roots;
	uint32_t ntypedefs, nforwards, nenums, nroots;
	struct lac_map typedef_names; /* a nameless record's type -> in text */
	struct lac_btf_facts *facts; /* by type of the graph */
	struct lac_map contents; /* print -> record or enumeration */
};

/* The graph's type for one of BTF; false if it has none. */
static inline bool lac_btf_ref(const struct lac_btf_reader *r, uint32_t id,
			       lac_type_id *ret)
{
	if (id >= r->from.n)
		return false;
	*ret = r->now[id];
	return *ret != LAC_NONE;
}

/* NULL for an empty one; false if no string begins there. */
static inline bool lac_btf_name(const struct lac_btf_reader *r, uint32_t at,
				const char **ret)
{
	const char *s = r->from.strings + at;

	/* the end of another string is no place of its own */
	if (at >= r->from.strings_size || (at && s[-1]))
		return false;
	*ret = *s ? r->text + at : NULL;
	return true;
}

/*
 * In the order in which they are called; false for what is not for here.  What
 * each type is: kinds, now, and room for all that is filled in; and the size of
 * a pointer, if the graph does not have it yet.
 */
bool lac_btf_survey(struct lac_btf_reader *r);

/*
 * Enumerations, and records with their members, once all types have a size and
 * an end.
 */
bool lac_btf_take_records(struct lac_btf_reader *r);

#endif

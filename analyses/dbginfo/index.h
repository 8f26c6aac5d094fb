/* SPDX-License-Identifier: BSD-2-Clause */
/* index.h - what a finished graph keeps to answer quickly. */
#ifndef LAC_INDEX_H
#define LAC_INDEX_H

#include <pthread.h>

#include "base/near.h"
#include "dbginfo/graph.h"

/*
 * By which maps have records of that name: equal names are equal pointers, and
 * structs and classes are alike.
 */
static inline uint64_t lac_name_key(const char *name, enum lac_record_kind kind)
{
	return (uint64_t)(uintptr_t)name << 1 | (kind == LAC_UNION);
}

struct lac_name {
	const char *name; /* whole, or its last part for a qualified one */
	lac_record_id record;
};

/*
 * Of lac_graph.index; names in strcmp order, then by record.  Names and
 * alignments are worked out when someone asks for one, which most never do:
 * lac_index_names(), lac_index_aligned().
 */
struct lac_graph_index {
	pthread_mutex_t lock; /* of what is being worked out */
	bool named, aligned;  /* it is there */
	uint32_t nwhole, nlast;
	struct lac_name *whole, *last;
	uint32_t *align;	       /* by type: lac_type_align() */
	unsigned char *align_source; /* enum lac_certainty */
};

/* Without names and room for alignments; NULL when out of memory. */
struct lac_graph_index *lac_index_create(struct lac_arena *arena);

LAC_MUST_CHECK enum lac_status lac_index_build(struct lac_graph *g,
					       struct lac_err *err);

/* The index with its names, from the records and aliases of g. */
LAC_MUST_CHECK enum lac_status
lac_index_names(const struct lac_graph *g, const struct lac_graph_index **ret,
		struct lac_err *err);

/* The index with its alignments. */
const struct lac_graph_index *lac_index_aligned(const struct lac_graph *g);

/* "page" of "struct page": what lac_graph_find() looks for. */
const char *lac_name_asked(const char *name);

#endif

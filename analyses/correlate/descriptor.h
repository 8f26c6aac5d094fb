/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * descriptor.h - what the debug information of a program says of the elements
 * of one of its arrays: which member lies at which byte.
 */
#ifndef LAC_DESCRIPTOR_H
#define LAC_DESCRIPTOR_H

#include "bench/protocol.h"
#include "dbginfo/graph.h"

/* A member without members of its own, of one element. */
struct lac_field {
	const char *name;  /* the last part: "freelist" */
	unsigned element;  /* of the view: 0, or the parity where it has two */
	uint64_t offset;   /* bytes from the start of the view */
	uint64_t size;
	bool whole; /* no other member lies over it */
};

struct lac_descriptor {
	const char *view;   /* its name: "page", "page_couple" */
	uint64_t stride;    /* bytes from one element to the next */
	unsigned period;    /* elements of the view */
	uint32_t align;	    /* of the record, bytes; 0 if unknown */
	size_t nfields;
	const struct lac_field *fields; /* of the view, by offset */
	/*
	 * Of one element as the record `type` has it: what a view leaves out,
	 * such as the pointer of a tail page to its head.
	 */
	size_t nelement_fields;
	const struct lac_field *element_fields;
};

/*
 * The view called `view` of `period` elements, each a `type` of `stride` bytes,
 * as the graph has them.  Lives in the arena.  LAC_NOT_FOUND if there is no
 * record of that name, LAC_BAD_INPUT if a size cannot be what the stride says.
 */
LAC_MUST_CHECK enum lac_status
lac_descriptor_read(const struct lac_graph *g, const char *type,
		    const char *view, uint64_t stride, unsigned period,
		    struct lac_arena *arena, struct lac_descriptor *ret,
		    struct lac_err *err);

/*
 * The field at a byte of the view, NULL where none lies.  Where members of a
 * union lie over each other the one that the allocator uses is meant: the first
 * of `preferred` (ended by NULL) among them, else the first.
 */
const struct lac_field *lac_descriptor_field(const struct lac_descriptor *d,
					     uint64_t offset,
					     const char *const *preferred);

/* The names that SLUB uses of a descriptor, over all eras; ended by NULL. */
extern const char *const lac_slub_members[];

/* Counts of one member, over all elements. */
struct lac_member_count {
	const char *name; /* "" for bytes that no member covers */
	uint64_t accesses, l1_misses, l2_misses, llc_misses;
};

/*
 * Join the counts by offset with the fields: one row for each member that was
 * counted, most misses first.  The rows sum up to the counts given.
 */
LAC_MUST_CHECK enum lac_status
lac_attribute(const struct lac_descriptor *d, const struct lac_array_count *a,
	      const char *const *preferred, struct lac_arena *arena,
	      struct lac_member_count **rows, size_t *n, struct lac_err *err);

#endif

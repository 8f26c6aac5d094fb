/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * traced.h - what lacuna-trace.o counted in a program (fixtures/trace/README.md)
 * joined with the members that the program's debug information has at each byte.
 */
#ifndef LAC_TRACED_H
#define LAC_TRACED_H

#include <jansson.h>

#include "dbginfo/graph.h"

/* Simulated.  llc only with one CPU, hitm and sharing only with several. */
struct lac_traced_counts {
	uint64_t accesses, straddles, l1_misses, l2_misses, llc_misses;
	uint64_t hitm, true_sharing, false_sharing;
};

struct lac_traced_member {
	/*
	 * A path such as "lock.owner" or "slot[].key"; "a|b" where several
	 * members lie over each other.  NULL where there is none to name.
	 */
	const char *name;
	uint64_t offset, size; /* bytes; size 0 where name is NULL */
	struct lac_traced_counts counts;
};

/* Two members between which a line moved though no byte was shared. */
struct lac_traced_pair {
	size_t member, other; /* indices into the type's members */
	bool neighbours;      /* of different elements of the array */
	uint64_t false_sharing;
};

/* All registered arrays of one type. */
struct lac_traced_type {
	const char *name;
	uint64_t size;	    /* bytes of an element */
	uint64_t narrays, elements;
	const char *status; /* "known", or why the members are not */
	struct lac_traced_counts counts;
	size_t nmembers;
	struct lac_traced_member *members; /* most L1 misses first */
	size_t npairs;
	struct lac_traced_pair *pairs; /* most frequent first */
};

struct lac_traced {
	uint64_t cpus, line_bytes;
	const char *geometry; /* "westmere-ex: L1 32K/8, L2 256K/8, ..." */
	struct lac_traced_counts total;
	/* the total less all types: stack, and what was not registered */
	struct lac_traced_counts rest;
	size_t ntypes;
	struct lac_traced_type *types; /* most L1 misses first */
};

/*
 * The names of the types in a trace, ended by NULL, each once.  LAC_BAD_INPUT
 * if json is not a trace; name is the program's, for the message.
 */
LAC_MUST_CHECK enum lac_status
lac_traced_names(const json_t *json, const char *name, struct lac_arena *arena,
		 const char *const **ret, struct lac_err *err);

/*
 * The whole trace, with members from g.  A type that g does not have, or has in
 * another size, keeps its counts by offset under the status that says so.
 * Everything in *ret lives in the arena.
 */
LAC_MUST_CHECK enum lac_status
lac_traced_join(const json_t *json, const char *name,
		const struct lac_graph *g, struct lac_arena *arena,
		struct lac_traced *ret, struct lac_err *err);

/*
 * The members at a byte of a record, as one path; NULL where none lies.  offset
 * and size are those of the first.  *broken is set when out of memory.
 */
const char *lac_traced_path(const struct lac_graph *g, lac_record_id id,
			    uint64_t byte, struct lac_arena *arena,
			    uint64_t *offset, uint64_t *size, bool *broken);

#endif

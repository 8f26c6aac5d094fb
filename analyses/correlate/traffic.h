/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * traffic.h - what several virtual CPUs did to each other's lines in a
 * simulation of the allocator library, by struct and member.
 */
#ifndef LAC_TRAFFIC_H
#define LAC_TRAFFIC_H

#include "bench/protocol.h"
#include "dbginfo/graph.h"

/* Totals of the run.  Simulated. */
struct lac_traffic_counts {
	uint64_t accesses, l1_misses, l2_misses;
	uint64_t hitm, true_sharing, false_sharing;
};

struct lac_traffic_member {
	const char *structure; /* "page", or "objects" and "queues" */
	const char *member;    /* NULL: what has no members */
	struct lac_traffic_counts counts;
};

/* Two members between which a line moved though no byte was shared. */
struct lac_traffic_pair {
	const char *structure, *member, *other;
	bool neighbours; /* of different elements of the array */
	uint64_t false_sharing;
};

struct lac_traffic {
	uint64_t ops, cpus, tasks, lock_waits, task_switches;
	struct lac_traffic_counts total; /* = the sum over the members */
	size_t nmembers;
	struct lac_traffic_member *members; /* most HITM first */
	size_t npairs;
	struct lac_traffic_pair *pairs; /* most frequent first */
};

/*
 * What a simulation with several CPUs printed, with the members of the graph,
 * which is that of its program.  Everything lives in the arena.  LAC_BAD_INPUT
 * if it is not such a simulation, LAC_UNSUPPORTED for more than 512 members or
 * 4096 pairs of them.
 */
LAC_MUST_CHECK enum lac_status lac_traffic_read(const json_t *json,
						const struct lac_graph *g,
						struct lac_arena *arena,
						struct lac_traffic *ret,
						struct lac_err *err);

#endif

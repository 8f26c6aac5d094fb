/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * protocol.h - what the builds of the allocator library are called, take and
 * print (fixtures/slab/PROTOCOL.md).  One process prints one line of JSON.
 */
#ifndef LAC_PROTOCOL_H
#define LAC_PROTOCOL_H

#include <jansson.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "bench/process.h"
#include "perfctr/perfctr.h"
#include "stats/stats.h"

/* A variant is a cell of the 2 x 2 design. */
extern const char *const lac_variant_names[LAC_NCELLS];
/* LAC_USAGE with the names that there are. */
LAC_MUST_CHECK enum lac_status lac_variant_parse(const char *name,
						 enum lac_cell *ret,
						 struct lac_err *err);

/* The alloc/free loops; "bulk" is the first of 2013 and "pair" the second. */
extern const char *const lac_test_names[]; /* ended by NULL */
LAC_MUST_CHECK enum lac_status lac_test_parse(const char *name,
					      const char **ret,
					      struct lac_err *err);

/* The classes of the 2013 table, and what a program accepts. */
extern const unsigned lac_bench_sizes[];
extern const size_t lac_bench_nsizes;
enum { LAC_SIZE_MIN = 1, LAC_SIZE_MAX = 8192 };

/* The era of the programs whose names have none. */
#define LAC_ERA_DEFAULT "v3.13"

/* What one process is asked to do. */
struct lac_job {
	const char *test; /* one of lac_test_names */
	unsigned size;	  /* bytes of an object */
	uint64_t n;
	bool write;
	unsigned cpus;	 /* threads, or virtual CPUs; 0: one, or as the test has */
	const char *era; /* NULL: the programs' own */
	uint64_t seed;
	/* Times: */
	unsigned blocks, warmup;
	uint64_t ops_per_block;
	const struct lac_counter_event *events;
	size_t nevents;
	/* Simulation: a preset, or a geometry with its line size; NULL: theirs. */
	const char *preset, *cache;
	unsigned line_bytes; /* 0: theirs */
	bool adjacent;	     /* with a prefetcher of the adjacent line */
	const char *dtlb;    /* "64/4": with a data TLB; NULL: none */
	unsigned rounds, warmup_rounds;
	const char *const *extra; /* further arguments, ended by NULL; or NULL */
};

/* The command lines.  Texts live in the arena; false when out of memory. */
bool lac_job_time_command(const struct lac_job *j, const char *dir,
			  enum lac_cell variant, unsigned build,
			  struct lac_arena *arena, struct lac_process *ret);
bool lac_job_sim_command(const struct lac_job *j, const char *dir,
			 enum lac_cell variant, struct lac_arena *arena,
			 struct lac_process *ret);

/*
 * How many placement builds of a variant dir holds, counted from .0 up.  era:
 * as in a job; each era has builds of its own.
 */
unsigned lac_count_builds(const char *dir, enum lac_cell variant,
			  const char *era);

/* The statistics of a process that the verdict rests on. */
enum lac_time_stat {
	LAC_CPU_Q10,
	LAC_CPU_MEDIAN, /* the one that is shown */
	LAC_WALL_MEDIAN,
	LAC_NTIMES,
};
extern const char *const lac_time_stat_names[LAC_NTIMES]; /* of keys */
extern const char *const lac_time_stat_titles[LAC_NTIMES]; /* in words */

/* A counter of a process, per operation. */
struct lac_count {
	const char *name;
	enum lac_counter_status status;
	double value; /* meaningless unless measured or scaled */
	double running; /* share of the time in which it was counted */
	bool user_only;
};

/* What one process measured; everything else lives in the arena. */
struct lac_sample {
	enum lac_cell variant;
	unsigned build, blocks, zero_blocks;
	double time_ns[LAC_NTIMES]; /* per operation; NAN if there is none */
	double ops;		    /* timed ones */
	size_t ncounts;
	struct lac_count *counts;
	const json_t *statistics; /* owned by json */
	json_t *json;		  /* what it printed; to be given back */
};

/* LAC_BAD_INPUT if the program printed anything else. */
LAC_MUST_CHECK enum lac_status lac_sample_parse(const struct lac_process *p,
						struct lac_arena *arena,
						struct lac_sample *ret,
						struct lac_err *err);

/* Counts at one byte of the view of an array's element. */
struct lac_offset_count {
	uint64_t offset, accesses, l1_misses, l2_misses, llc_misses;
};

struct lac_array_count {
	const char *name;
	const char *type, *view; /* names in the program's DWARF, or NULL */
	uint64_t stride, period; /* bytes; elements that a view spans */
	uint64_t accesses, lines_touched, lines_footprint;
	uint64_t l1_misses, l2_misses, llc_misses;
	size_t noffsets;
	const struct lac_offset_count *offsets;
};

/* What one simulation counted: totals, to be divided by ops. */
struct lac_simulation {
	const char *program; /* its file name */
	const char *preset;  /* NULL: a geometry of the user's */
	const char *geometry; /* "L1 32K/8, L2 256K/8, L3 30M/24, line 64" */
	unsigned line_bytes;
	unsigned cpus; /* above 1: llc_misses are not known, and all 0 */
	uint64_t l1_bytes;
	uint64_t size, class_size, n, ops, order, objects_per_slab, page_stride;
	uint64_t accesses, straddles, l1_misses, l2_misses, llc_misses;
	bool has_prefetches, has_dtlb; /* were they simulated? */
	uint64_t prefetches, dtlb_misses;
	/* Several CPUs only: lines that moved (cachesim/coherent.h). */
	uint64_t hitm, true_sharing, false_sharing;
	size_t narrays;
	const struct lac_array_count *arrays;
	const struct lac_array_count *page_array; /* one of them; never NULL */
	const json_t *statistics;
	json_t *json; /* what it printed; to be given back */
};

LAC_MUST_CHECK enum lac_status
lac_simulation_parse(const struct lac_process *p, struct lac_arena *arena,
		     struct lac_simulation *ret, struct lac_err *err);

/* A statistic of the allocator by its name; NAN if it is not there. */
double lac_statistic_value(const json_t *statistics, const char *name);

#endif

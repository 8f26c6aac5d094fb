/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tracer.h - from the accesses of traced code to counts.
 *
 * There is one tracer a process: the calls that the compiler puts into traced
 * code carry no context.  Start it, register regions, run the code, read.
 *
 * Addresses.  Memory whose misses are to be counted lies in windows of 2^44
 * bytes, from their start, so that equal runs see equal addresses.  With
 * options.any_address everything else is simulated as well: its pages are
 * numbered in the order of first touch.  Otherwise it is counted as "other".
 */
#ifndef LAC_CACHESIM_TRACER_H
#define LAC_CACHESIM_TRACER_H

#include "cachesim/cachesim.h"
#include "cachesim/region.h"

enum { LAC_WINDOW_SHIFT = 44, LAC_WINDOWS = 8, LAC_WINDOW_LINE_BITS = 28 };

enum lac_event { LAC_READ, LAC_WRITE, LAC_RMW, LAC_EVENTS };

/* Probes as they come: line << 1 | write.  Owned by the caller. */
struct lac_trace_record {
	uint32_t *probe;
	size_t n, room;
	uint64_t lost; /* that did not fit */
};

struct lac_trace_options {
	struct lac_cache_geometry geometry;
	bool misses_only; /* do not count accesses by offset: faster */
	bool any_address;
	unsigned int cpus; /* 1 .. 128; above 1: coherent private caches */
	uint64_t quantum;  /* cycles a virtual CPU may be ahead */
	struct lac_trace_record *record; /* one CPU only; NULL: no record */
};

struct lac_trace_counts {
	uint64_t events[LAC_EVENTS];
	uint64_t other; /* of the events, those outside of all windows */
	uint64_t straddles;
};

/* What only several CPUs have. */
struct lac_coherence_counts {
	uint64_t hitm_reads, hitm_writes, upgrades, invalidations;
	uint64_t true_sharing, false_sharing, lock_waits, last_clock;
	uint64_t task_switches; /* of tasks that share a CPU */
};

/* Prepares; nothing is counted yet.  LAC_USAGE if one is started already. */
enum lac_status lac_tracer_start(const struct lac_trace_options *o,
				 struct lac_err *err);
void lac_tracer_stop(void);

/* Bytes in use from the start of a window; id 1 .. 7. */
enum lac_status lac_tracer_window(unsigned int id, uint64_t bytes,
				  struct lac_err *err);

/* Regions do not overlap.  Names are copied by reference. */
enum lac_status lac_tracer_region(const struct lac_region_spec *spec,
				  struct lac_err *err);

/* Accesses go to the caches from now on (on), or nowhere. */
void lac_tracer_enable(bool on);
/*
 * Another thread than the one that started the trace ran traced code while it
 * was on: it is off since then, and its counts say nothing.
 */
bool lac_tracer_disturbed(void);
/* Counts start at 0; what is cached stays. */
void lac_tracer_reset(void);
/* Lines are touched anew. */
void lac_tracer_next_round(void);

struct lac_trace_counts lac_tracer_counts(void);
struct lac_cachesim_counts lac_tracer_cache_counts(void);
struct lac_coherence_counts lac_tracer_coherence(void);
/*
 * In order of registration; NULL at the end.  Its cells hold what was counted until
 * this call.
 */
const struct lac_region *lac_tracer_region_at(size_t i);

/*
 * Run body(cpu, arg) on the first cpus virtual CPUs until all have returned.
 * Between the accesses of traced code, and only there, another CPU may go on.
 * LAC_USAGE with a message if there are not so many, or if all of them wait for
 * each other.
 */
enum lac_status lac_tracer_run_cpus(unsigned int cpus,
				    void (*body)(unsigned int cpu, void *arg),
				    void *arg,
				    void (*switched)(unsigned int cpu),
				    struct lac_err *err);

/*
 * The same for more tasks than CPUs, up to LAC_TASKS_MAX: task i is on CPU i
 * modulo cpus, which goes to the next of its tasks when one waits for a channel
 * (lac_trace_wait()) or ends.  switched is told of CPUs.
 */
enum { LAC_TASKS_MAX = 1024 };
enum lac_status lac_tracer_run_tasks(unsigned int tasks, unsigned int cpus,
				     void (*body)(unsigned int task, void *arg),
				     void *arg,
				     void (*switched)(unsigned int cpu),
				     struct lac_err *err);

#endif

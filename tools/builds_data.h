/* SPDX-License-Identifier: BSD-2-Clause */
/* builds_data.h - what the counters and the diff say together. */
#ifndef LAC_BUILDS_DATA_H
#define LAC_BUILDS_DATA_H

#include "diff_run.h"
#include "perfstat_pair.h"

enum lac_beside_verdict {
	LAC_BESIDE_OTHER_PROGRAMS, /* the outputs are of different commands */
	LAC_BESIDE_SAME_LAYOUT,	   /* no record differs */
	LAC_BESIDE_NOT_ALL_READ,   /* none that was read does */
	LAC_BESIDE_SAME_COUNTS,	   /* no counter is resolved */
	LAC_BESIDE_NOT_COUNTED,	   /* nothing that a layout acts on */
	LAC_BESIDE_NOT_SHOWN,	   /* that was counted, and is not resolved */
	LAC_BESIDE_COMPATIBLE,	   /* both differ: not refuted, not shown */
};

/* What an event tells of a layout. */
enum lac_event_sort {
	LAC_EVENT_TIME,	   /* elapsed, task-clock, cycles */
	LAC_EVENT_CACHE,   /* references and misses on the data side */
	LAC_EVENT_WAITING, /* context switches, migrations */
	LAC_EVENT_WORK,	   /* instructions, branches */
	LAC_EVENT_OTHER,
};
enum lac_event_sort lac_event_sort(const char *name);

struct lac_beside_count {
	uint32_t records; /* that differ in what follows */
	uint32_t resized, relined, recrossed;
};

/* What is judged on is all that differs, whatever the options select. */
struct lac_beside {
	enum lac_beside_verdict verdict;
	struct lac_beside_count all, selected;
	size_t cache_events, cache_resolved; /* with a ratio; of them */
	const struct lac_perfstat_row *elapsed, *waiting; /* resolved, or NULL */
};

void lac_beside_judge(const struct lac_diff_job *job,
		      const struct lac_perfstat_pair *pair,
		      struct lac_beside *ret);
const char *lac_beside_verdict_name(enum lac_beside_verdict v);

/* Size, lines or straddlers differ. */
bool lac_beside_differs(const struct lac_record_diff *r);

/* "beside" into the data: verdict, counts, "may" and "may_not" as sentences. */
void lac_beside_data(struct lac_doc *d, const struct lac_diff_job *job,
		     const struct lac_perfstat_pair *pair,
		     const struct lac_beside *b);

#endif

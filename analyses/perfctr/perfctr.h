/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perfctr.h - counters of the processor and of the kernel, by
 * perf_event_open(2), for the calling thread.
 *
 * An event that cannot be counted is not an error of the set: it keeps a status
 * that says why, and the others are counted.  No status but MEASURED and SCALED
 * comes with a value; an absent counter is never 0.
 */
#ifndef LAC_PERFCTR_H
#define LAC_PERFCTR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

struct perf_event_attr; /* <linux/perf_event.h> */

enum lac_counter_status {
	LAC_COUNTER_MEASURED,
	LAC_COUNTER_SCALED,	   /* multiplexed: raw * enabled / running */
	LAC_COUNTER_UNSUPPORTED,   /* this machine or kernel has no such event */
	LAC_COUNTER_NOT_PERMITTED, /* kernel.perf_event_paranoid, seccomp */
	LAC_COUNTER_NOT_COUNTED,   /* there, but never got a counter */
};

struct lac_counter_event {
	char name[64]; /* as in reports: "llc_misses" */
	uint32_t type; /* as in struct perf_event_attr */
	uint64_t config, config1, config2;
	/*
	 * Events of one group are counted at the same times, so that their
	 * ratio is meaningful.  Groups are numbers below 16.
	 */
	unsigned group;
	/* It happens in the kernel: without its permission there is no value,
	   where user-only counting would give a 0. */
	bool kernel_side;
};

struct lac_counter_value {
	const char *name; /* of the event, as long as the set is open */
	enum lac_counter_status status;
	double value;	  /* 0 and meaningless unless measured or scaled */
	uint64_t raw;	  /* before scaling */
	uint64_t enabled_ns, running_ns;
	bool user_only;	  /* the kernel's share was not permitted */
};

/* The seam: what the set asks of the operating system.  0 or -1 and errno. */
struct lac_perf_os {
	void *context; /* handed to each */
	int (*open)(void *context, struct perf_event_attr *attr, int group_fd);
	int (*ioctl)(void *context, int fd, unsigned long request,
		     unsigned long flags);
	ssize_t (*read)(void *context, int fd, void *buf, size_t size);
	int (*close)(void *context, int fd);
};
extern const struct lac_perf_os lac_perf_os_linux;

/* Cycles, instructions, data cache misses, branch misses. */
extern const struct lac_counter_event lac_counter_hardware[];
extern const size_t lac_counter_nhardware;
/* task-clock (ns), page faults, context switches, migrations. */
extern const struct lac_counter_event lac_counter_software[];
extern const size_t lac_counter_nsoftware;

struct lac_perfctr;

struct lac_perfctr_options {
	/* Threads started later are counted too; groups are then given up. */
	bool inherit;
	const struct lac_perf_os *os; /* NULL: the running kernel */
};

enum { LAC_PERFCTR_MAX = 64 }; /* events of a set */

/*
 * Open every event, stopped, for the calling thread on whatever processor it
 * runs.  Events are copied.  o may be NULL.  Fails only for lack of memory or
 * more than LAC_PERFCTR_MAX events; *ret is then untouched.
 */
LAC_MUST_CHECK enum lac_status
lac_perfctr_open(const struct lac_counter_event *events, size_t nevents,
		 const struct lac_perfctr_options *o, struct lac_perfctr **ret,
		 struct lac_err *err);
void lac_perfctr_close(struct lac_perfctr *p); /* NULL is a no-op */

size_t lac_perfctr_count(const struct lac_perfctr *p);

/* Set to zero and count; count no longer.  Nothing is counted outside. */
void lac_perfctr_start(struct lac_perfctr *p);
void lac_perfctr_stop(struct lac_perfctr *p);

/*
 * One value for each event, in their order.  A set that was opened and never
 * started has no value yet (LAC_COUNTER_NOT_COUNTED).
 */
void lac_perfctr_read(const struct lac_perfctr *p,
		      struct lac_counter_value *values);

/* "measured", "scaled", "unsupported", "not permitted", "not counted". */
const char *lac_counter_status_name(enum lac_counter_status s);
/* false if there is no such name. */
bool lac_counter_status_parse(const char *name, enum lac_counter_status *ret);

/*
 * NAME=TYPE:CONFIG:CONFIG1:CONFIG2:GROUP:KERNEL in hexadecimal, KERNEL 1 if it
 * is kernel_side: how an event travels to the process that counts it.
 * Formatting cuts nothing: LAC_EVENT_TEXT is enough.
 */
enum { LAC_EVENT_TEXT = 64 + 7 * 18 };
void lac_counter_event_format(const struct lac_counter_event *e,
			      char text[LAC_EVENT_TEXT]);
LAC_MUST_CHECK enum lac_status
lac_counter_event_parse(const char *text, struct lac_counter_event *ret,
			struct lac_err *err);

/*
 * What libpfm4 knows by that name: "PERF_COUNT_HW_CACHE_MISSES",
 * "L1-DCACHE-LOAD-MISSES", "skx::MEM_LOAD_RETIRED:L1_MISS".  LAC_USAGE if it
 * knows none.  Only this function needs -lpfm.
 */
LAC_MUST_CHECK enum lac_status
lac_counter_event_find(const char *name, struct lac_counter_event *ret,
		       struct lac_err *err);

#endif

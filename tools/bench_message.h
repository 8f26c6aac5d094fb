/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench_message.h - senders and receivers that pass allocated messages: threads
 * under a raw and under a sleeping list_lock, as perf stat would print the two,
 * and tasks on virtual CPUs, whose lines are counted.
 */
#ifndef LAC_BENCH_MESSAGE_H
#define LAC_BENCH_MESSAGE_H

#include <popt.h>

#include "bench/bench.h"
#include "report/doc.h"

/* To be included in a command's table: --groups, --fds, --loops, --repeat. */
extern const struct poptOption lac_message_option_table[];

/* LAC_USAGE if one of them is given: for what is not the message test. */
LAC_MUST_CHECK enum lac_status lac_message_unasked(struct lac_err *err);

/* What the traffic is. */
struct lac_traffic_options {
	uint64_t bytes, groups, fds, loops, repeat;
};

/*
 * Runs and reports, with the variants (the base alone by threads), the era and
 * the caches of o.  size NULL: the default.  LAC_USAGE with the valid range for
 * what is impossible.
 */
LAC_MUST_CHECK enum lac_status
lac_message_bench(struct lac_doc *d, const struct lac_bench_options *o,
		  const char *size, bool no_time, struct lac_err *err);

/*
 * The simulated half: "simulated" into the message object, and its views after
 * those that there are.  *cut: ^C came; the variants that were complete are shown.
 * LAC_INTERRUPTED, and nothing is added, if none was.
 */
LAC_MUST_CHECK enum lac_status
lac_traffic_bench(struct lac_doc *d, json_t *message,
		  const struct lac_bench_options *o,
		  const struct lac_traffic_options *t, const char *dir,
		  bool *cut, struct lac_err *err);

#endif

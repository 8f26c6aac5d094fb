/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench_message.h - senders and receivers that pass allocated messages, under
 * a raw and under a sleeping list_lock, as perf stat would print the two.
 */
#ifndef LAC_BENCH_MESSAGE_H
#define LAC_BENCH_MESSAGE_H

#include <popt.h>

#include "report/doc.h"

/* To be included in a command's table: --groups, --fds, --loops, --repeat. */
extern const struct poptOption lac_message_option_table[];

/* LAC_USAGE if one of them is given: for what is not the message test. */
LAC_MUST_CHECK enum lac_status lac_message_unasked(struct lac_err *err);

/*
 * Runs and reports.  size, variant and era are NULL for the defaults.
 * LAC_USAGE with the valid range for what is impossible.
 */
LAC_MUST_CHECK enum lac_status
lac_message_bench(struct lac_doc *d, const char *size, const char *variant,
		  const char *era, struct lac_err *err);

#endif

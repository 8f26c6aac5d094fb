/* SPDX-License-Identifier: BSD-2-Clause */
/* trace_run.h - run a program that lacuna-trace.o is linked into. */
#ifndef LAC_TRACE_RUN_H
#define LAC_TRACE_RUN_H

#include <jansson.h>

#include "base/arena.h"
#include "base/err.h"

/*
 * What lacuna-trace.o is told, as it takes it from the environment; NULL leaves
 * a variable as it is.
 */
struct lac_trace_settings {
	const char *cpus, *preset, *cache, *line, *quantum;
};

/*
 * Where the program is: args[0] if it has a slash, else sought through PATH.
 * *ret lives in the arena.
 */
LAC_MUST_CHECK enum lac_status lac_trace_find(const char *name,
					      struct lac_arena *arena,
					      const char **ret,
					      struct lac_err *err);

/*
 * Run it with args (ended by NULL) to its end, with our input; what it prints
 * goes to standard error, which it shares with us.  *ret, the counts, is the
 * caller's to json_decref().  LAC_BAD_INPUT if it ended with anything but 0,
 * or left no counts.
 */
LAC_MUST_CHECK enum lac_status
lac_trace_run(const char *path, const char *const *args,
	      const struct lac_trace_settings *s, struct lac_arena *arena,
	      json_t **ret, struct lac_err *err);

#endif

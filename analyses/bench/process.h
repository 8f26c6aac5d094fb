/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process.h - run programs, a few at a time, and keep what they print.  None
 * outlives the caller: not a failure, not an interruption, not its death.
 */
#ifndef LAC_PROCESS_H
#define LAC_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum { LAC_ARGS_MAX = 256 };

struct lac_process {
	/* In: an absolute path or one with a slash, arguments, NULL. */
	const char *argv[LAC_ARGS_MAX];
	/* Out, if done: what it printed, terminated; to be freed. */
	bool done;
	char *output;
	size_t output_size;
	double elapsed_s; /* from its start to its end, wall time */
};

struct lac_process_options {
	unsigned parallel; /* at most so many at a time; 0: one */
	double timeout_s;  /* of each; 0: none */
	/* Set from outside to stop: LAC_INTERRUPTED.  NULL: never. */
	const volatile sig_atomic_t *stop;
	void (*ended)(void *context, size_t nended); /* may be NULL */
	void *context;
};

/*
 * Run all of them, in order of their start.  The first that ends with anything
 * but 0 fails the lot, with what it wrote to standard error: status 2 is
 * LAC_USAGE, anything else LAC_OS or LAC_UNSUPPORTED.  Those still running are
 * then killed; what is done stays done, also on failure.
 */
LAC_MUST_CHECK enum lac_status
lac_process_run(struct lac_process *p, size_t n,
		const struct lac_process_options *o, struct lac_err *err);

/* Free the outputs; they are NULL afterwards. */
void lac_process_free(struct lac_process *p, size_t n);

/* Append an argument, which must outlive the run; LAC_ARGS_MAX - 1 at most. */
void lac_process_arg(struct lac_process *p, const char *arg);

/* Seconds of a clock that never goes back. */
double lac_seconds(void);

#endif

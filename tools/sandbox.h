/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sandbox.h - a process that parses files that may be malformed on purpose
 * keeps only the rights to read, to compute, and to write to what is already
 * open: no network, no new writable file, no other program.
 */
#ifndef LAC_SANDBOX_H
#define LAC_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/*
 * For the calling process, for good.  execs leaves it the right to run other
 * programs, which inherit the rest.  Memory is limited to three quarters of the
 * machine's, at least 2 and at most 8 GiB, or LACUNA_MEMORY.
 *
 * LACUNA_NO_SANDBOX=1 leaves everything as it is, for debuggers; so do builds
 * with sanitizers, whose run time needs more rights than these.
 */
LAC_MUST_CHECK enum lac_status lac_sandbox_enter(bool execs,
						 struct lac_err *err);

/* The least of the limits on the memory of a process in the sandbox. */
struct lac_memory_limit {
	uint64_t bytes;  /* 0: there is none */
	const char *how; /* it is raised: "LACUNA_MEMORY", "ulimit -v" */
};

LAC_MUST_CHECK enum lac_status lac_sandbox_memory(struct lac_memory_limit *ret,
						  struct lac_err *err);

#endif

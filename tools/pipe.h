/* SPDX-License-Identifier: BSD-2-Clause */
/* pipe.h - run another program, without a shell, and keep what it says. */
#ifndef LAC_PIPE_H
#define LAC_PIPE_H

#include <stddef.h>

#include "base/err.h"

/*
 * Run argv[0], found through PATH, with its input closed, and read what it
 * writes to standard output until it ends: *text, with '\0' behind it, is the
 * caller's to free().  A status other than 0 is LAC_BAD_INPUT with the last
 * line of its messages; LAC_NOT_FOUND if there is no such program; LAC_OS if it
 * says more than limit bytes, or nothing for patience_s seconds: it is then
 * killed.
 */
LAC_MUST_CHECK enum lac_status lac_pipe_read(const char *const *argv,
					     size_t limit, int patience_s,
					     char **text, struct lac_err *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* frame.h - one run of a command, from its arguments to rendered bytes. */
#ifndef LAC_FRAME_H
#define LAC_FRAME_H

#include "options.h"

/*
 * Run cmd and render its document into *fd, a file in memory that is the
 * caller's to close, also after a failure where it is not -1.  A command with
 * `untrusted` does both in a child; what kills the child is LAC_BAD_INPUT.
 * private_fd is closed in the child; -1 for none.
 */
LAC_MUST_CHECK enum lac_status lac_frame_run(const struct lac_cmd *cmd,
					     struct lac_run *r,
					     const struct lac_globals *g,
					     int private_fd, int *fd,
					     struct lac_err *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* child.h - work on untrusted files, in a process without rights. */
#ifndef LAC_CHILD_H
#define LAC_CHILD_H

#include <sys/stat.h>
#include <sys/types.h>

#include "cmd.h"
#include "debuginfod.h"

/* What a child hands back, in memory that both see. */
struct lac_outcome {
	bool done;
	enum lac_status status;
	enum lac_exit verdict;
	bool damaged; /* a kept graph was: the file itself was read */
	struct lac_err err;
	struct lac_wanted wanted; /* debug files that are on no disk */
};

#define LAC_CHILD_FILES 2 /* that messages name, and changes are seen of */

struct lac_child {
	/* Runs in the sandbox (sandbox.h); fills what it knows of *o. */
	enum lac_status (*work)(void *context, struct lac_outcome *o);
	void *context;
	bool execs;	   /* it starts other programs */
	int private_fd;	   /* closed in the child; -1 for none */
	const char **files; /* for messages */
	size_t nfiles;
	struct lac_outcome outcome; /* set; what a child says, not more */
	/* lac_child_start()'s own */
	struct lac_outcome *shared;
	pid_t pid;
	struct stat seen[LAC_CHILD_FILES]; /* st_nlink 0: not there */
};

/* Run it in a child; ended by lac_child_wait(). */
LAC_MUST_CHECK enum lac_status lac_child_start(struct lac_child *c,
					       struct lac_err *err);

/*
 * Its status and message; a child that dies, has no memory left, or finds a file
 * malformed that changed meanwhile is an error that names the files.
 * A child that is not waited for dies with its parent.
 */
LAC_MUST_CHECK enum lac_status lac_child_wait(struct lac_child *c,
					      struct lac_err *err);

#endif

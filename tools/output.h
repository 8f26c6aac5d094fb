/* SPDX-License-Identifier: BSD-2-Clause */
/* output.h - where a result goes: whole, or not at all. */
#ifndef LAC_OUTPUT_H
#define LAC_OUTPUT_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/newfile.h"

struct lac_output {
	int fd;
	char *path; /* of the file to be; NULL for a stream */
	int dir;    /* that it is in; -1 for a stream */
	struct lac_newfile file; /* the one that is written */
};

#define LAC_OUTPUT_NONE { .fd = -1, .dir = -1, .file.fd = -1 }

/*
 * Open descriptors 0 to 2 that the caller left closed, so that no file of ours
 * takes their place, and take note if standard output was.  First in main().
 */
void lac_output_guard(void);

/*
 * LAC_USAGE if what goes to path, which option names, would destroy input; "-"
 * is standard input.  With input NULL, any ELF file: what is found by the way,
 * such as a separate debug file, is an input, too.
 */
LAC_MUST_CHECK enum lac_status lac_output_spare(const char *option,
						const char *path,
						const char *input,
						struct lac_err *err);

/*
 * path NULL is standard output.  A regular file has its name when
 * it is whole (base/newfile.h); a device or a pipe is written directly.  Called before the work,
 * so that a place that cannot be written to is known early.
 */
LAC_MUST_CHECK enum lac_status lac_output_open(const char *path,
					       struct lac_output *ret,
					       struct lac_err *err);

/*
 * All that fd, a file, holds.  *gone is set where the reader of a pipe has
 * left, which other programs do not speak about either.  The output is closed
 * in any case.
 */
LAC_MUST_CHECK enum lac_status lac_output_commit(struct lac_output *o, int fd,
						 bool *gone,
						 struct lac_err *err);
/* Leave no trace; after commit, or on LAC_OUTPUT_NONE, a no-op. */
void lac_output_abandon(struct lac_output *o);

/*
 * On a signal that ends the program, what is being written goes, the child
 * ends, and the program dies by that signal.
 */
void lac_output_on_signals(void);
/* In a child: signals do what they do by themselves. */
void lac_output_off_signals(void);
/* What goes on a signal, if it has a name; its name is as it was made with. */
void lac_output_watch(const struct lac_newfile *f);
void lac_output_forget(const struct lac_newfile *f);
/* The child that ends with us; 0 for none. */
void lac_output_set_child(pid_t pid);

#endif

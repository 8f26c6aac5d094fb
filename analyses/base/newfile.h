/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * newfile.h - a file that has no name until it is whole, so that nothing is
 * left of it, however the program ends.  Where the file system cannot do that,
 * it has a name of its own until it is put in its place.
 */
#ifndef LAC_NEWFILE_H
#define LAC_NEWFILE_H

#include "base/err.h"

#define LAC_NEWFILE_NAME_MAX 64

struct lac_newfile {
	int dir, fd; /* dir is the caller's, and stays open */
	char made[LAC_NEWFILE_NAME_MAX]; /* its name until then; "": none */
};

/*
 * For writing, in the directory that dir is open on (O_PATH will do), with mode
 * 0600.  A name that is needed starts with the prefix.  shown: what a message
 * calls the file.  LAC_OS.
 */
LAC_MUST_CHECK enum lac_status
lac_newfile_create(int dir, const char *prefix, const char *shown,
		   struct lac_newfile *ret, struct lac_err *err);

/* Give it its name in dir, instead of what has that name.  fd stays open. */
LAC_MUST_CHECK enum lac_status
lac_newfile_place(struct lac_newfile *f, const char *prefix, const char *name,
		  const char *shown, struct lac_err *err);

/* Close it; it is gone, unless it is in its place.  No-op the second time. */
void lac_newfile_close(struct lac_newfile *f);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* archive.h - the members of an ar archive, thin ones too. */
#ifndef LAC_ARCHIVE_H
#define LAC_ARCHIVE_H

#include "object/object.h"

bool lac_archive_is(const void *data, size_t size);

struct lac_archive {
	const char *path;
	const unsigned char *data;
	size_t size, at; /* bytes; where the next member starts */
	bool thin;
	const unsigned char *names; /* of long names, or NULL */
	size_t names_size;
};

/* data is the caller's and outlives it. */
void lac_archive_init(struct lac_archive *a, const char *path, const void *data,
		      size_t size);

/*
 * The next member that is an ELF file.  *ret is its own; NULL behind the last.
 */
LAC_MUST_CHECK enum lac_status lac_archive_next(struct lac_archive *a,
						struct lac_object **ret,
						struct lac_err *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* textfile.h - small files that people write. */
#ifndef LAC_TEXTFILE_H
#define LAC_TEXTFILE_H

#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"

struct lac_text {
	const char *text; /* terminated, but may hold zero bytes */
	size_t size;
};

/*
 * The whole file, "-" for standard input, without a byte order mark of UTF-8
 * before it; in the arena.
 */
LAC_MUST_CHECK enum lac_status lac_text_read(const char *path,
					     struct lac_arena *arena,
					     struct lac_text *ret,
					     struct lac_err *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* textfile.h - small files that people write, and sizes that they type. */
#ifndef LAC_TEXTFILE_H
#define LAC_TEXTFILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

struct lac_text {
	const char *text; /* terminated, but may hold zero bytes */
	size_t size;
};

/* The whole file, "-" for standard input; in the arena. */
LAC_MUST_CHECK enum lac_status lac_text_read(const char *path,
					     struct lac_arena *arena,
					     struct lac_text *ret,
					     struct lac_err *err);

/* "64", "4K", "1T" (powers of 1024), "0x40": bytes. */
LAC_MUST_CHECK enum lac_status lac_size_parse(const char *option,
					      const char *text, uint64_t *ret,
					      struct lac_err *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* size.h - sizes as people write them. */
#ifndef LAC_SIZE_H
#define LAC_SIZE_H

#include <stdint.h>

#include "base/err.h"

/*
 * "64", "64K", "1G", "2TiB": a number and K, M, G or T, powers of 1024, in
 * bytes.  what is the option, for the message.  LAC_USAGE for anything else,
 * for 0 and for more than 2^63.
 */
LAC_MUST_CHECK enum lac_status lac_size_parse(const char *what,
					      const char *text, uint64_t *ret,
					      struct lac_err *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* words.h - a count and the words around it. */
#ifndef LAC_WORDS_H
#define LAC_WORDS_H

#include <stdint.h>

/* The word that goes with a count: lac_plural(n, "takes", "take"). */
static inline const char *lac_plural(uint64_t n, const char *one,
				     const char *many)
{
	return n == 1 ? one : many;
}

/* The ending of a noun: "record%s" and lac_s(n). */
static inline const char *lac_s(uint64_t n)
{
	return lac_plural(n, "", "s");
}

#endif

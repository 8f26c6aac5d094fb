/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * quote.h - what a message quotes of a file: short, on one line, and visible.
 */
#ifndef LAC_QUOTE_H
#define LAC_QUOTE_H

#include <stddef.h>

#include "base/arena.h"

#define LAC_QUOTE_MAX 60u /* bytes of the original that are shown */

struct lac_quote {
	char text[4 * LAC_QUOTE_MAX + sizeof("...")];
};

/*
 * "struct page", or its first bytes and "..."; never half of a character of
 * UTF-8.  What is no printing character is shown as "\x1b".  For the arguments
 * of one call: lac_fail(err, st, "%s", lac_quote(name).text).
 */
struct lac_quote lac_quote(const char *s);
/* The same of n bytes, zero bytes included. */
struct lac_quote lac_quote_bytes(const char *s, size_t n);

#define LAC_BRIEF_MAX 1000u /* bytes, longer than names are */

/*
 * For the text of a report: s, or if it is longer than names are, its first
 * bytes and "..."; in the arena.  NULL is out of memory.
 */
const char *lac_quote_brief(const char *s, struct lac_arena *arena);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* near.h - the names that are most like one that was not found. */
#ifndef LAC_NEAR_H
#define LAC_NEAR_H

#include <stddef.h>

#define LAC_NEAR_MAX 3u /* names to suggest */

/* Begin with want set, the rest zero; the names must live as long. */
struct lac_near {
	const char *want;
	const char *names[LAC_NEAR_MAX]; /* nearest first */
	unsigned scores[LAC_NEAR_MAX], n;
};

/* Take the name if it is near, and nearer than another. */
void lac_near_offer(struct lac_near *near, const char *name);
/* "; did you mean a, b?", or "" if none is near.  size is at least 1. */
void lac_near_text(const struct lac_near *near, char *out, size_t size);

/* "c<x::y>" of "a::b::c<x::y>". */
const char *lac_name_last_part(const char *name);

#endif

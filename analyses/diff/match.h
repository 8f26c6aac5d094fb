/* SPDX-License-Identifier: BSD-2-Clause */
/* match.h - which of the possible pairs to take first. */
#ifndef LAC_DIFF_MATCH_H
#define LAC_DIFF_MATCH_H

#include <stdint.h>

/* A possible pair: place a on the old side, b on the new one. */
struct lac_match {
	uint32_t score, a, b;
};

/*
 * For qsort(): the best score first.  Ties go by the sum and the distance of
 * the places, which stay when the builds are exchanged: diff(B, A) has to
 * mirror diff(A, B).
 */
int lac_match_order(const void *pa, const void *pb);

#endif

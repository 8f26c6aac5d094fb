/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_order.h - members of two builds of a record in one order. */
#ifndef LAC_DIFF_ORDER_H
#define LAC_DIFF_ORDER_H

#include "diff/diff.h"

/*
 * Where what is gone was: behind[i] is, for field i of the old build, the field
 * of the new one that it goes behind: of those that were declared before it and
 * have stayed in their places among the others, the one with the greatest
 * offset, mostly its old neighbour; LAC_NONE: before all.
 * Room for all fields is the caller's, and left as it is if none is gone; false
 * when out of memory.
 */
bool lac_diff_order(const struct lac_record_diff *r, uint32_t *behind);

#endif

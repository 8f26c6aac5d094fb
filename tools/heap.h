/* SPDX-License-Identifier: BSD-2-Clause */
/* heap.h - memory for what a whole file holds. */
#ifndef LAC_HEAP_H
#define LAC_HEAP_H

#include <stdbool.h>

/*
 * Much memory will be wanted from now on, by a process that ends soon.  Any
 * thread may call it, and again.  at_once: so much, that a thread of its own
 * gets some of it ready meanwhile.
 */
void lac_heap_widen(bool at_once);

#endif

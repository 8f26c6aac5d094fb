/* SPDX-License-Identifier: BSD-2-Clause */
/* heap.h - memory for what a whole file holds. */
#ifndef LAC_HEAP_H
#define LAC_HEAP_H

/*
 * Much memory will be wanted from now on, by a process that ends soon.  Any
 * thread may call it, and again.
 */
void lac_heap_widen(void);

#endif

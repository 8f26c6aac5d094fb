/* SPDX-License-Identifier: BSD-2-Clause */
/* threads.h - the same work on several items at once. */
#ifndef LAC_THREADS_H
#define LAC_THREADS_H

#include <stddef.h>

#define LAC_THREADS_MAX 64u

/* So many as were asked for or, of 0, as there are processors; 1 to the most. */
unsigned lac_threads_count(unsigned asked);

/*
 * Have work() done on each of n items (up to LAC_THREADS_MAX) of that size, the
 * first by the caller and every other by a thread of its own; those that no
 * thread could be had for by the caller, too, one after the other.
 */
void lac_threads_run(void *items, unsigned n, size_t size,
		     void (*work)(void *item));

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trace.h - what traced code may call.
 *
 * Loads, stores and atomics of files that are compiled with -fsanitize=thread
 * arrive by themselves.  Assembly does not, and locks should not: a model with
 * several CPUs must not simulate spinning.
 */
#ifndef LAC_TRACE_H
#define LAC_TRACE_H

/*
 * A read-modify-write of so many bytes at p.  Directly before the instruction:
 * another virtual CPU may run inside the call, so nothing may be read between
 * the call and what it stands for.
 */
void lac_trace_rmw(const volatile void *p, unsigned int bytes);

/*
 * A lock word, 0 free and 1 taken, and a lock bit.  Taking and dropping are one
 * event each.  If it is taken, the virtual CPU waits in a queue and is handed the
 * lock, which is one more event: the line moves to the new owner.
 */
void lac_trace_lock(int *word);
void lac_trace_unlock(int *word);

/*
 * Drop the lock, wait until somebody wakes the channel, take the lock again; no
 * wake-up is lost in between.  Waking wakes all.  Several CPUs only: with one there
 * is nobody to wait for, and waiting does nothing.
 */
void lac_trace_wait(int *lock, const void *channel);
void lac_trace_wake(const void *channel);

void lac_trace_bit_lock(unsigned long *word, unsigned long bit);
void lac_trace_bit_unlock(unsigned long *word, unsigned long bit);

#endif

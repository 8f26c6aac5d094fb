/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * coro.h - coroutines with stacks of their own, in one thread; x86-64 System V.
 *
 * A switch saves the callee-saved registers and changes the stack pointer: some
 * 10 ns where swapcontext() makes two system calls.  MXCSR and the x87 control
 * word are not saved: nobody here changes them.  No shadow stack.
 */
#ifndef LAC_CACHESIM_CORO_H
#define LAC_CACHESIM_CORO_H

#include <stdbool.h>
#include <stddef.h>

struct lac_coro {
	void *sp; /* where it goes on */
	void *map; /* of its stack, with a guard page below; NULL: the thread's */
	size_t map_bytes;
	void *fake; /* the address sanitizer's */
};

/* entry() runs on the first switch and must never return.  False: no memory. */
bool lac_coro_init(struct lac_coro *c, void (*entry)(void), size_t stack_bytes);
void lac_coro_deinit(struct lac_coro *c);

/* Goes on in `to`; comes back when somebody switches to `from`. */
void lac_coro_switch(struct lac_coro *from, struct lac_coro *to);

/* The first thing that entry() calls. */
void lac_coro_entered(void);

#endif

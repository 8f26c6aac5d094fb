/* SPDX-License-Identifier: BSD-2-Clause */
#include "cachesim/coro.h"

#include <stdint.h>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#define ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASAN 1
#endif
#endif
#ifdef ASAN
#include <sanitizer/common_interface_defs.h>
#endif

enum { GUARD_BYTES = 4096 };

#ifndef __x86_64__
#error "a switch for this machine has to be written"
#endif

void lac_coro_jump(void **save_sp, void *to_sp);

__asm__(".pushsection .text\n"
	".globl lac_coro_jump\n"
	".hidden lac_coro_jump\n"
	".type lac_coro_jump, @function\n"
	"lac_coro_jump:\n"
	"	push %rbp\n"
	"	push %rbx\n"
	"	push %r12\n"
	"	push %r13\n"
	"	push %r14\n"
	"	push %r15\n"
	"	mov %rsp, (%rdi)\n"
	"	mov %rsi, %rsp\n"
	"	pop %r15\n"
	"	pop %r14\n"
	"	pop %r13\n"
	"	pop %r12\n"
	"	pop %rbx\n"
	"	pop %rbp\n"
	"	ret\n"
	".size lac_coro_jump, .-lac_coro_jump\n"
	".popsection\n");

bool lac_coro_init(struct lac_coro *c, void (*entry)(void), size_t stack_bytes)
{
	size_t bytes = stack_bytes + GUARD_BYTES;
	char *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	uintptr_t *sp;

	if (map == MAP_FAILED)
		return false;
	if (mprotect(map, GUARD_BYTES, PROT_NONE) != 0) {
		munmap(map, bytes);
		return false;
	}
	sp = (uintptr_t *)(void *)(map + bytes - 64);
	*--sp = 0; /* entry's return address; aligns its stack */
	*--sp = (uintptr_t)entry;
	for (int i = 0; i < 6; i++)
		*--sp = 0;
	*c = (struct lac_coro){ .sp = sp, .map = map, .map_bytes = bytes };
	return true;
}

void lac_coro_deinit(struct lac_coro *c)
{
	if (c->map)
		munmap(c->map, c->map_bytes);
	c->map = NULL;
}

#ifdef ASAN
/* The thread's own stack, learnt when it is first left. */
static __thread const void *thread_bottom;
static __thread size_t thread_bytes;
static __thread bool thread_left;

void lac_coro_entered(void)
{
	const void *bottom;
	size_t bytes;

	__sanitizer_finish_switch_fiber(NULL, &bottom, &bytes);
	if (!thread_left) {
		thread_bottom = bottom;
		thread_bytes = bytes;
		thread_left = true;
	}
}

void lac_coro_switch(struct lac_coro *from, struct lac_coro *to)
{
	const void *bottom = thread_bottom;
	size_t bytes = thread_bytes;

	if (to->map) {
		bottom = (char *)to->map + GUARD_BYTES;
		bytes = to->map_bytes - GUARD_BYTES;
	}
	__sanitizer_start_switch_fiber(&from->fake, bottom, bytes);
	lac_coro_jump(&from->sp, to->sp);
	__sanitizer_finish_switch_fiber(from->fake, NULL, NULL);
}
#else
void lac_coro_entered(void)
{
}

void lac_coro_switch(struct lac_coro *from, struct lac_coro *to)
{
	lac_coro_jump(&from->sp, to->sp);
}
#endif

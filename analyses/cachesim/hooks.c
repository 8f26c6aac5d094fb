/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hooks.c - the entry points that gcc and clang call from code compiled with
 * -fsanitize=thread; link without that flag, or the race detector's own come in.
 *
 * The event comes before the operation; a read-modify-write is one event; a
 * compare-exchange that fails is still one.  What the compilers do not announce:
 * assembly, spills, gcc's inlined memcpy and memset (clang 15 and later call
 * __tsan_memcpy and its like).
 *
 * Left out when this file is itself built for the race detector.
 */
#if defined(__SANITIZE_THREAD__)
#define LAC_NO_HOOKS
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LAC_NO_HOOKS
#endif
#endif

#include "cachesim/trace.h"

#ifndef LAC_NO_HOOKS
#include <string.h>

#include "cachesim/tracer_internal.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define AT(p) ((uint64_t)(uintptr_t)(p))
#define SEQ __ATOMIC_SEQ_CST

#define PLAIN(n)                                                               \
	void __tsan_read##n(void *p)                                           \
	{                                                                      \
		lac_tracer_event(AT(p), n, LAC_READ);                          \
	}                                                                      \
	void __tsan_write##n(void *p)                                          \
	{                                                                      \
		lac_tracer_event(AT(p), n, LAC_WRITE);                         \
	}                                                                      \
	void __tsan_read_write##n(void *p)                                     \
	{                                                                      \
		lac_tracer_event(AT(p), n, LAC_RMW);                           \
	}                                                                      \
	void __tsan_unaligned_read##n(void *p)                                 \
	{                                                                      \
		lac_tracer_event(AT(p), n, LAC_READ);                          \
	}                                                                      \
	void __tsan_unaligned_write##n(void *p)                                \
	{                                                                      \
		lac_tracer_event(AT(p), n, LAC_WRITE);                         \
	}                                                                      \
	void __tsan_unaligned_read_write##n(void *p)                           \
	{                                                                      \
		lac_tracer_event(AT(p), n, LAC_RMW);                           \
	}                                                                      \
	void __tsan_volatile_read##n(void *p)                                  \
	{                                                                      \
		lac_tracer_event(AT(p), n, LAC_READ);                          \
	}                                                                      \
	void __tsan_volatile_write##n(void *p)                                 \
	{                                                                      \
		lac_tracer_event(AT(p), n, LAC_WRITE);                         \
	}                                                                      \
	void __tsan_unaligned_volatile_read##n(void *p)                        \
	{                                                                      \
		lac_tracer_event(AT(p), n, LAC_READ);                          \
	}                                                                      \
	void __tsan_unaligned_volatile_write##n(void *p)                       \
	{                                                                      \
		lac_tracer_event(AT(p), n, LAC_WRITE);                         \
	}
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

/* Of any size: one event, as many probes as lines. */
static void range(const volatile void *p, size_t n, enum lac_event kind)
{
	while (n) {
		unsigned int part = n > 1u << 30 ? 1u << 30 : (unsigned int)n;

		lac_tracer_now.rest(AT(p), part, kind);
		p = (const volatile char *)p + part;
		n -= part;
	}
}
void __tsan_read_range(void *p, unsigned long n)
{
	range(p, n, LAC_READ);
}
void __tsan_write_range(void *p, unsigned long n)
{
	range(p, n, LAC_WRITE);
}
void *__tsan_memcpy(void *to, const void *from, size_t n)
{
	range(from, n, LAC_READ);
	range(to, n, LAC_WRITE);
	return memcpy(to, from, n);
}
void *__tsan_memmove(void *to, const void *from, size_t n)
{
	range(from, n, LAC_READ);
	range(to, n, LAC_WRITE);
	return memmove(to, from, n);
}
void *__tsan_memset(void *to, int byte, size_t n)
{
	range(to, n, LAC_WRITE);
	return memset(to, byte, n);
}

void __tsan_init(void)
{
}
void __tsan_func_entry(void *pc)
{
	(void)pc;
	lac_tracer_entered();
}
void __tsan_func_exit(void)
{
}
void __tsan_vptr_update(void **p, void *v)
{
	(void)v;
	lac_tracer_event(AT(p), 8, LAC_WRITE);
}
void __tsan_vptr_read(void **p)
{
	lac_tracer_event(AT(p), 8, LAC_READ);
}
void __tsan_atomic_thread_fence(int mo)
{
	(void)mo;
	__atomic_thread_fence(SEQ);
}
void __tsan_atomic_signal_fence(int mo)
{
	(void)mo;
}

#define RMW(bits, T, op)                                                       \
	T __tsan_atomic##bits##_##op(volatile T *p, T v, int mo)               \
	{                                                                      \
		(void)mo;                                                      \
		lac_tracer_event(AT(p), bits / 8, LAC_RMW);                    \
		return __atomic_##op(p, v, SEQ);                               \
	}
/* gcc calls _strong and _weak, clang calls _val */
#define CAS(bits, T, name)                                                     \
	int __tsan_atomic##bits##_compare_exchange_##name(                     \
		volatile T *p, T *old, T v, int mo, int fail_mo)               \
	{                                                                      \
		(void)mo, (void)fail_mo;                                       \
		lac_tracer_event(AT(p), bits / 8, LAC_RMW);                    \
		return __atomic_compare_exchange_n(p, old, v, 0, SEQ, SEQ);    \
	}
#define ATOMIC(bits, T)                                                        \
	T __tsan_atomic##bits##_load(const volatile T *p, int mo)              \
	{                                                                      \
		(void)mo;                                                      \
		lac_tracer_event(AT(p), bits / 8, LAC_READ);                   \
		return __atomic_load_n(p, SEQ);                                \
	}                                                                      \
	void __tsan_atomic##bits##_store(volatile T *p, T v, int mo)           \
	{                                                                      \
		lac_tracer_event(AT(p), bits / 8, LAC_WRITE);                  \
		if (mo == SEQ)                                                 \
			__atomic_store_n(p, v, SEQ);                           \
		else /* needs no barrier, for which others had to wait */      \
			__atomic_store_n(p, v, __ATOMIC_RELEASE);              \
	}                                                                      \
	T __tsan_atomic##bits##_exchange(volatile T *p, T v, int mo)           \
	{                                                                      \
		(void)mo;                                                      \
		lac_tracer_event(AT(p), bits / 8, LAC_RMW);                    \
		return __atomic_exchange_n(p, v, SEQ);                         \
	}                                                                      \
	RMW(bits, T, fetch_add)                                                \
	RMW(bits, T, fetch_sub)                                                \
	RMW(bits, T, fetch_and)                                                \
	RMW(bits, T, fetch_or)                                                 \
	RMW(bits, T, fetch_xor)                                                \
	RMW(bits, T, fetch_nand)                                               \
	CAS(bits, T, strong)                                                   \
	CAS(bits, T, weak)                                                     \
	T __tsan_atomic##bits##_compare_exchange_val(                          \
		volatile T *p, T old, T v, int mo, int fail_mo)                \
	{                                                                      \
		(void)mo, (void)fail_mo;                                       \
		lac_tracer_event(AT(p), bits / 8, LAC_RMW);                    \
		__atomic_compare_exchange_n(p, &old, v, 0, SEQ, SEQ);          \
		return old;                                                    \
	}
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

/*
 * 16 bytes: only the __sync form is inlined as cmpxchg16b by both compilers; gcc
 * makes a library call of __atomic_*.
 */
#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_16
static lac_u128 cas16(volatile lac_u128 *p, lac_u128 old, lac_u128 v)
{
	return __sync_val_compare_and_swap(p, old, v);
}
lac_u128 __tsan_atomic128_load(const volatile lac_u128 *p, int mo)
{
	(void)mo;
	lac_tracer_event(AT(p), 16, LAC_READ);
	return cas16((volatile lac_u128 *)(uintptr_t)p, 0, 0);
}
void __tsan_atomic128_store(volatile lac_u128 *p, lac_u128 v, int mo)
{
	lac_u128 old = *p, seen;

	(void)mo;
	lac_tracer_event(AT(p), 16, LAC_WRITE);
	while ((seen = cas16(p, old, v)) != old)
		old = seen;
}
lac_u128 __tsan_atomic128_compare_exchange_val(volatile lac_u128 *p,
					       lac_u128 old, lac_u128 v, int mo,
					       int fail_mo)
{
	(void)mo, (void)fail_mo;
	lac_tracer_event(AT(p), 16, LAC_RMW);
	return cas16(p, old, v);
}
int __tsan_atomic128_compare_exchange_strong(volatile lac_u128 *p,
					     lac_u128 *old, lac_u128 v, int mo,
					     int fail_mo)
{
	lac_u128 seen = __tsan_atomic128_compare_exchange_val(p, *old, v, mo,
							      fail_mo);
	int ok = seen == *old;

	*old = seen;
	return ok;
}
int __tsan_atomic128_compare_exchange_weak(volatile lac_u128 *p, lac_u128 *old,
					   lac_u128 v, int mo, int fail_mo)
{
	return __tsan_atomic128_compare_exchange_strong(p, old, v, mo, fail_mo);
}
#endif

/* ---- announced by hand --------------------------------------------------------- */

void lac_trace_rmw(const volatile void *p, unsigned int bytes)
{
	if (bytes == 16)
		lac_tracer_event(AT(p), 16, LAC_RMW);
	else if (bytes == 8)
		lac_tracer_event(AT(p), 8, LAC_RMW);
	else
		lac_tracer_now.rest(AT(p), bytes, LAC_RMW);
}

void lac_trace_lock(int *word)
{
	struct lac_machine *m = lac_tracer_now.machine;

	lac_tracer_event(AT(word), sizeof(*word), LAC_RMW);
	if (!*word || !m) {
		*word = 1;
		return;
	}
	lac_machine_wait(m, word, false);
	lac_tracer_event(AT(word), sizeof(*word), LAC_RMW);
}

void lac_trace_unlock(int *word)
{
	struct lac_machine *m = lac_tracer_now.machine;

	lac_tracer_event(AT(word), sizeof(*word), LAC_WRITE);
	if (!m || !lac_machine_hand_over(m, word))
		*word = 0;
}

void lac_trace_wait(int *lock, const void *channel)
{
	struct lac_machine *m = lac_tracer_now.machine;

	if (!m)
		return;
	lac_tracer_event(AT(lock), sizeof(*lock), LAC_WRITE);
	if (!lac_machine_hand_over(m, lock))
		*lock = 0;
	/* nobody ran since the lock was dropped */
	lac_machine_wait(m, channel, true);
	lac_trace_lock(lock);
}

void lac_trace_wake(const void *channel)
{
	struct lac_machine *m = lac_tracer_now.machine;

	while (m && lac_machine_hand_over(m, channel))
		;
}

void lac_trace_bit_lock(unsigned long *word, unsigned long bit)
{
	struct lac_machine *m = lac_tracer_now.machine;

	lac_tracer_event(AT(word), sizeof(*word), LAC_RMW);
	if (!(*word & bit) || !m) {
		*word |= bit;
		return;
	}
	lac_machine_wait(m, word, false);
	lac_tracer_event(AT(word), sizeof(*word), LAC_RMW);
}

void lac_trace_bit_unlock(unsigned long *word, unsigned long bit)
{
	struct lac_machine *m = lac_tracer_now.machine;

	lac_tracer_event(AT(word), sizeof(*word), LAC_RMW);
	if (!m || !lac_machine_hand_over(m, word))
		*word &= ~bit;
}
#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* arena.h - everything decoded from one input lives and dies together. */
#ifndef LAC_ARENA_H
#define LAC_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct lac_arena;

/* NULL when out of memory. */
struct lac_arena *lac_arena_create(void);
void lac_arena_destroy(struct lac_arena *a); /* NULL is a no-op */

/*
 * Zeroed storage for n objects of the given size, aligned for any type and
 * valid until the arena is destroyed.  n or size may be 0: the pointer is then
 * valid but may not be read through.  NULL when out of memory or when n * size
 * overflows.  One arena serves one thread at a time.
 */
void *lac_arena_zalloc(struct lac_arena *a, size_t n, size_t size);

/*
 * The same, not zeroed and as memory of its own: for what is large, is filled
 * anyway, or that other threads should not wait for.
 */
void *lac_arena_alloc(struct lac_arena *a, size_t n, size_t size);

/* Copies into the arena, terminated with '\0'; NULL when out of memory. */
char *lac_arena_strndup(struct lac_arena *a, const char *s, size_t n);
char *lac_arena_strdup(struct lac_arena *a, const char *s);
char *lac_arena_printf(struct lac_arena *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Memory from elsewhere that is to live as long: end(what) is called when the
 * arena is destroyed, the last one first.  False when out of memory: what is
 * then still the caller's.
 */
bool lac_arena_own(struct lac_arena *a, void *what, void (*end)(void *));

/* Everything that `from` holds is from now on owned by `to`; `from` is gone. */
void lac_arena_adopt(struct lac_arena *to, struct lac_arena *from);

/* Bytes handed out, for tests and statistics. */
size_t lac_arena_used(const struct lac_arena *a);

static inline void lac_arena_cleanup(struct lac_arena **a)
{
	lac_arena_destroy(*a);
}
#define LAC_CLEANUP_ARENA __attribute__((cleanup(lac_arena_cleanup)))

#endif

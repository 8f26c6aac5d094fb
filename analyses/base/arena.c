/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * calloc gives untouched pages for a large chunk, so zeroing is mostly free.
 * The first ones are small: many arenas live shortly and hold little.
 */
#define FIRST_CHUNK ((size_t)16 * 1024)
#define CHUNK_SIZE ((size_t)256 * 1024)

struct chunk {
	struct chunk *next;
	size_t used, cap;
	_Alignas(max_align_t) unsigned char mem[];
};

struct owned {
	struct owned *next;
	void *what;
	void (*end)(void *);
};

struct lac_arena {
	struct chunk *head; /* the one that is being filled; NULL at first */
	size_t used;
	size_t next; /* bytes of the next chunk; 0 for the first */
	struct owned *owned; /* the last one first */
};

struct lac_arena *lac_arena_create(void)
{
	return calloc(1, sizeof(struct lac_arena));
}

void lac_arena_destroy(struct lac_arena *a)
{
	if (!a)
		return;
	for (struct owned *o = a->owned; o; o = o->next)
		o->end(o->what);
	for (struct chunk *c = a->head, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	free(a);
}

static void *arena_take(struct lac_arena *a, size_t n, size_t align)
{
	struct chunk *c = a->head;
	size_t at = c ? (c->used + align - 1) & ~(align - 1) : 0;

	if (!c || at > c->cap || c->cap - at < n) {
		size_t usual = a->next ? a->next : FIRST_CHUNK;
		size_t cap = n > usual / 4 ? n : usual;

		c = calloc(1, sizeof(*c) + cap);
		if (!c)
			return NULL;
		c->cap = cap;
		at = 0;
		if (cap == usual && usual < CHUNK_SIZE)
			a->next = 2 * usual;
		if (cap != usual && a->head) { /* keep filling the old */
			c->next = a->head->next;
			a->head->next = c;
		} else {
			c->next = a->head;
			a->head = c;
		}
	}
	c->used = at + n;
	a->used += n;
	return c->mem + at;
}

void *lac_arena_zalloc(struct lac_arena *a, size_t n, size_t size)
{
	size_t want;

	if (__builtin_mul_overflow(n, size, &want) || want > PTRDIFF_MAX / 2)
		return NULL;
	return arena_take(a, want, _Alignof(max_align_t));
}

char *lac_arena_strndup(struct lac_arena *a, const char *s, size_t n)
{
	char *p = n < PTRDIFF_MAX / 2 ? arena_take(a, n + 1, 1) : NULL;

	if (p)
		memcpy(p, s, n);
	return p;
}

char *lac_arena_strdup(struct lac_arena *a, const char *s)
{
	return lac_arena_strndup(a, s, strlen(s));
}

char *lac_arena_printf(struct lac_arena *a, const char *fmt, ...)
{
	va_list ap, again;
	char few[128], *p = NULL;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(few, sizeof(few), fmt, ap);
	if (n >= 0 && (size_t)n < sizeof(few))
		p = lac_arena_strndup(a, few, (size_t)n);
	else if (n >= 0 && (p = arena_take(a, (size_t)n + 1, 1)))
		vsnprintf(p, (size_t)n + 1, fmt, again);
	va_end(again);
	va_end(ap);
	return p;
}

bool lac_arena_own(struct lac_arena *a, void *what, void (*end)(void *))
{
	struct owned *o = lac_arena_zalloc(a, 1, sizeof(*o));

	if (!o)
		return false;
	*o = (struct owned){ a->owned, what, end };
	a->owned = o;
	return true;
}

void *lac_arena_alloc(struct lac_arena *a, size_t n, size_t size)
{
	void *p = reallocarray(NULL, n ? n : 1, size ? size : 1);

	if (p && !lac_arena_own(a, p, free)) {
		free(p);
		p = NULL;
	}
	return p;
}

void lac_arena_adopt(struct lac_arena *to, struct lac_arena *from)
{
	struct owned **first = &from->owned;
	struct chunk **last;

	while (*first)
		first = &(*first)->next;
	*first = to->owned;
	to->owned = from->owned;
	if (from->head) {
		/* behind the head, so that `to` goes on filling its own */
		last = to->head ? &to->head->next : &to->head;
		struct chunk *rest = *last;

		*last = from->head;
		while (*last)
			last = &(*last)->next;
		*last = rest;
	}
	to->used += from->used;
	free(from);
}

size_t lac_arena_used(const struct lac_arena *a)
{
	return a->used;
}

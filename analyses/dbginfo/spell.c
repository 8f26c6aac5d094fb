/* SPDX-License-Identifier: BSD-2-Clause */
#include "dbginfo/spell.h"

#include <stdlib.h>
#include <string.h>

/* n more bytes at both ends, and the text in the middle. */
static bool make_room(struct lac_spell *s, size_t n)
{
	size_t len = s->to - s->from, cap, from;
	char *mem;

	if (__builtin_add_overflow(n, len, &cap) ||
	    __builtin_add_overflow(cap, 32, &cap) ||
	    __builtin_mul_overflow(cap, 3, &cap))
		return false;
	mem = malloc(cap);
	if (!mem)
		return false;
	from = (cap - len) / 2;
	if (len)
		memcpy(mem + from, s->mem + s->from, len);
	free(s->mem);
	*s = (struct lac_spell){ mem, from, from + len, cap };
	return true;
}

static bool pay(struct lac_spell_budget *b, size_t n)
{
	if (b->st == LAC_OK && n > b->left)
		b->st = LAC_UNSUPPORTED;
	if (b->st != LAC_OK)
		return false;
	b->left -= n;
	return true;
}

static void put_after(struct lac_spell *s, const char *text, size_t n,
		      struct lac_spell_budget *b)
{
	if (!n || b->st != LAC_OK)
		return;
	if (s->cap - s->to < n && !make_room(s, n)) {
		b->st = LAC_NO_MEMORY;
		return;
	}
	memcpy(s->mem + s->to, text, n);
	s->to += n;
}

void lac_spell_before(struct lac_spell *s, const char *text,
		      struct lac_spell_budget *b)
{
	size_t n = strlen(text);

	if (!n || !pay(b, n))
		return;
	if (s->from < n && !make_room(s, n)) {
		b->st = LAC_NO_MEMORY;
		return;
	}
	s->from -= n;
	memcpy(s->mem + s->from, text, n);
}

void lac_spell_after(struct lac_spell *s, const char *text,
		     struct lac_spell_budget *b)
{
	size_t n = strlen(text);

	if (pay(b, n))
		put_after(s, text, n, b);
}

void lac_spell_join(struct lac_spell *s, const struct lac_spell *behind,
		    struct lac_spell_budget *b)
{
	if (!lac_spell_empty(behind))
		put_after(s, behind->mem + behind->from,
			  behind->to - behind->from, b);
}

void lac_spell_step(struct lac_spell_budget *b)
{
	(void)pay(b, 1);
}

const char *lac_spell_text(const struct lac_spell *s, struct lac_arena *a)
{
	return lac_arena_strndup(a, s->mem ? s->mem + s->from : "",
				 s->to - s->from);
}

void lac_spell_end(struct lac_spell *s)
{
	free(s->mem);
	*s = (struct lac_spell){ 0 };
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * spell.h - a declarator in the making: text that grows at both ends around a
 * name, in time linear in what is put.
 *
 * Types share parts, and a type of n parts may have 2^n characters: who spells
 * what a file says sets a limit to all that is put.
 */
#ifndef LAC_SPELL_H
#define LAC_SPELL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"

struct lac_spell_budget {
	size_t left;	   /* characters */
	enum lac_status st; /* LAC_UNSUPPORTED: used up; LAC_NO_MEMORY */
};

/* Zeroed, it is the empty text; ended by lac_spell_end(). */
struct lac_spell {
	char *mem;
	size_t from, to, cap; /* the text is mem[from] to mem[to - 1] */
};

static inline bool lac_spell_empty(const struct lac_spell *s)
{
	return s->from == s->to;
}

/*
 * Put text in front or behind; the budget pays for it.  Does nothing once the
 * budget's status is not LAC_OK, and sets it when this is too much.
 */
void lac_spell_before(struct lac_spell *s, const char *text,
		      struct lac_spell_budget *b);
void lac_spell_after(struct lac_spell *s, const char *text,
		     struct lac_spell_budget *b);

/* Put what another text is, and is paid for, behind. */
void lac_spell_join(struct lac_spell *s, const struct lac_spell *behind,
		    struct lac_spell_budget *b);

/* A step that may put nothing costs one character, too. */
void lac_spell_step(struct lac_spell_budget *b);

/* The text, in the arena; NULL when out of memory. */
const char *lac_spell_text(const struct lac_spell *s, struct lac_arena *a);

void lac_spell_end(struct lac_spell *s);
#define LAC_CLEANUP_SPELL __attribute__((cleanup(lac_spell_end)))

#endif

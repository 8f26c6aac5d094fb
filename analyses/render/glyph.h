/* SPDX-License-Identifier: BSD-2-Clause */
/* glyph.h - characters: how wide they are, and which are safe to print. */
#ifndef LAC_GLYPH_H
#define LAC_GLYPH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* Bytes from s on that are printable ASCII: nearly all text is, to its end. */
size_t lac_glyph_plain(const char *s);

/* Columns that s, which is clean, takes on a terminal; a tab counts as 1. */
size_t lac_glyph_columns(const char *s);

/*
 * The length in bytes of the longest start of s that takes no more than
 * columns; at least one character unless s is empty.
 */
size_t lac_glyph_fit(const char *s, size_t columns);

/*
 * A copy that is safe to print and is UTF-8: control characters, terminal
 * escapes and characters that change the direction of writing come out as
 * "\x1b"; newlines and tabs as blanks.  With ascii, what lies beyond ASCII is
 * spelt ("x" for a multiplication sign) or becomes '?'.  NULL when out of
 * memory.
 */
char *lac_glyph_clean(struct lac_arena *arena, const char *s, bool ascii);

#define LAC_GLYPH_BYTES 8

/* The next character of *s, made clean like that, into out: its bytes. */
size_t lac_glyph_next(const char **s, bool ascii, char out[LAC_GLYPH_BYTES]);

#endif

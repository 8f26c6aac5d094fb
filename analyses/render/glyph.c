/* SPDX-License-Identifier: BSD-2-Clause */
#include "render/glyph.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BAD 0xfffdu

static bool is_plain(char c)
{
	return (unsigned char)(c - 0x20) < 0x5f;
}

/* Are these eight? */
static bool are_plain(const char *s)
{
	const uint64_t every = 0x0101010101010101;
	uint64_t w;

	memcpy(&w, s, sizeof(w));
	/* the top bit of each that is below 0x20, or above 0x7e */
	return !(((w - every * 0x20) | (w + every) | w) & every * 0x80);
}

size_t lac_glyph_plain(const char *s)
{
	size_t n = 0, all = strlen(s);

	while (n + 8 <= all && are_plain(s + n))
		n += 8;
	if (n && n + 8 > all && are_plain(s + all - 8))
		return all;
	while (is_plain(s[n]))
		n++;
	return n;
}

/* The next code point, or BAD and one byte where it is not UTF-8. */
static uint32_t next_code(const char **at)
{
	const unsigned char *s = (const unsigned char *)*at;
	unsigned more = s[0] < 0x80 ? 0 : s[0] < 0xc2 ? 4 : s[0] < 0xe0 ? 1
			: s[0] < 0xf0 ? 2 : s[0] < 0xf5 ? 3 : 4;
	static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };
	uint32_t c;

	if (more == 4) {
		++*at;
		return BAD;
	}
	c = more ? s[0] & (0x3fu >> more) : s[0];
	for (unsigned i = 1; i <= more; i++) {
		if ((s[i] & 0xc0) != 0x80) {
			++*at;
			return BAD;
		}
		c = c << 6 | (s[i] & 0x3fu);
	}
	if (c < least[more] || (c >= 0xd800 && c <= 0xdfff) || c > 0x10ffff) {
		++*at;
		return BAD;
	}
	*at += more + 1;
	return c;
}

static bool in(uint32_t c, uint32_t low, uint32_t high)
{
	return c >= low && c <= high;
}

/* By block, after East Asian Width: close enough for names and prose. */
static size_t code_columns(uint32_t c)
{
	if (in(c, 0x300, 0x36f) || in(c, 0x200b, 0x200f) ||
	    in(c, 0x20d0, 0x20ff) || in(c, 0xfe00, 0xfe0f))
		return 0;
	if (in(c, 0x1100, 0x115f) || in(c, 0x2e80, 0xa4cf) ||
	    in(c, 0xac00, 0xd7a3) || in(c, 0xf900, 0xfaff) ||
	    in(c, 0xfe30, 0xfe6f) || in(c, 0xff00, 0xff60) ||
	    in(c, 0xffe0, 0xffe6) || in(c, 0x1f300, 0x1faff) ||
	    in(c, 0x20000, 0x3fffd))
		return 2;
	return 1;
}

size_t lac_glyph_columns(const char *s)
{
	size_t n = lac_glyph_plain(s);

	for (s += n; *s;)
		n += code_columns(next_code(&s));
	return n;
}

size_t lac_glyph_fit(const char *s, size_t columns)
{
	size_t n = lac_glyph_plain(s);
	const char *at, *fits;

	if (n > columns)
		return columns ? columns : 1;
	at = fits = s + n;
	while (*at) {
		n += code_columns(next_code(&at));
		if (n > columns && fits > s)
			break;
		fits = at;
		if (n > columns)
			break;
	}
	return (size_t)(fits - s);
}

/* Invisible, or able to make the line read as something else. */
static bool is_unsafe(uint32_t c)
{
	return c < 0x20 || in(c, 0x7f, 0x9f) ||
	       in(c, 0xfffe, 0xffff) || in(c, 0x202a, 0x202e) ||
	       in(c, 0x2066, 0x2069) || c == 0x061c || c == 0xfeff ||
	       in(c, 0x200b, 0x200f) || c == 0x2028 || c == 0x2029;
}

static const char *spelt(uint32_t c)
{
	static const struct {
		uint32_t code;
		const char *ascii;
	} table[] = {
		{ 0xa0, " " },	    { 0xb1, "+-" },   { 0xb5, "u" },
		{ 0xb7, "*" },	    { 0xd7, "x" },    { 0x3bc, "u" },
		{ 0x2010, "-" },    { 0x2011, "-" },  { 0x2012, "-" },
		{ 0x2013, "-" },    { 0x2014, "--" }, { 0x2018, "'" },
		{ 0x2019, "'" },    { 0x201c, "\"" }, { 0x201d, "\"" },
		{ 0x2022, "*" },    { 0x2026, "..." }, { 0x2190, "<-" },
		{ 0x2192, "->" },   { 0x2212, "-" },  { 0x2248, "~" },
		{ 0x2260, "!=" },   { 0x2264, "<=" }, { 0x2265, ">=" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (table[i].code == c)
			return table[i].ascii;
	return "?";
}

size_t lac_glyph_next(const char **s, bool ascii, char out[LAC_GLYPH_BYTES])
{
	const char *from = *s;
	uint32_t c = next_code(s);

	if (c == '\n' || c == '\t') {
		out[0] = ' ';
		return 1;
	}
	if (is_unsafe(c))
		return (size_t)sprintf(out, c < 0x100 ? "\\x%02x" : "\\u%04x",
				       c);
	if (ascii && c >= 0x80)
		return (size_t)(stpcpy(out, spelt(c)) - out);
	if (c == BAD)
		return (size_t)(stpcpy(out, "\xef\xbf\xbd") - out);
	return (size_t)((char *)mempcpy(out, from, (size_t)(*s - from)) - out);
}

char *lac_glyph_clean(struct lac_arena *arena, const char *s, bool ascii)
{
	/* "\x1b" and "\u202e" are the longest replacements of a code point */
	size_t plain = lac_glyph_plain(s);
	char *out, *p;

	if (!s[plain])
		return lac_arena_strndup(arena, s, plain);
	out = p = lac_arena_zalloc(arena, strlen(s) + 1, 6);
	while (p && *s) {
		char one[LAC_GLYPH_BYTES];

		p = mempcpy(p, one, lac_glyph_next(&s, ascii, one));
	}
	return out;
}

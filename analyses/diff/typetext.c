/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * typetext.c - gcc says "long unsigned int" where clang says "unsigned long".
 * One spelling of C's integer types, so that two compilers' builds compare.
 */
#include <ctype.h>
#include <string.h>

#include "diff/shape.h"

struct words {
	bool is_signed, is_unsigned, is_short, is_char, is_int;
	unsigned longs, n;
};

static bool take_word(struct words *w, const char *s, size_t n)
{
	static const char *const names[] = {"signed", "unsigned", "short",
					    "char",   "int",	  "long"};
	size_t i;

	for (i = 0; i < 6; i++)
		if (strlen(names[i]) == n && !memcmp(names[i], s, n))
			break;
	switch (i) {
	case 0:
		w->is_signed = true;
		break;
	case 1:
		w->is_unsigned = true;
		break;
	case 2:
		w->is_short = true;
		break;
	case 3:
		w->is_char = true;
		break;
	case 4:
		w->is_int = true;
		break;
	case 5:
		w->longs++;
		break;
	default:
		return false;
	}
	w->n++;
	return true;
}

static const char *spelling(const struct words *w)
{
	static const char *const plain[] = {"int", "long", "long long"};
	static const char *const un[] = {"unsigned int", "unsigned long",
					 "unsigned long long"};
	unsigned longs = w->longs > 2 ? 2 : w->longs;

	if (w->is_char)
		return w->is_unsigned ? "unsigned char"
				      : w->is_signed ? "signed char" : "char";
	if (w->is_short)
		return w->is_unsigned ? "unsigned short" : "short";
	return w->is_unsigned ? un[longs] : plain[longs];
}

static size_t word_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '$')
		n++;
	return n;
}

/* "long double", "unsigned __int128": the words before are not a type. */
static bool is_other(const char *s, size_t n)
{
	return (n == 6 && !memcmp(s, "double", 6)) ||
	       (n == 8 && !memcmp(s, "__int128", 8));
}

/* How much of text is one integer type; 0 if it does not begin with one. */
static size_t integer_type(const char *text, struct words *w)
{
	const char *s = text;
	const char *end = text;

	for (;;) {
		size_t n = word_length(s);

		if (n && is_other(s, n) && w->n)
			return 0;
		if (!n || !take_word(w, s, n))
			break;
		end = s += n;
		while (*s == ' ')
			s++;
	}
	return (size_t)(end - text);
}

const char *lac_type_text_normal(const char *text, struct lac_arena *arena)
{
	/* a spelling is at most "unsigned " and " int" longer than its source */
	size_t cap = 3 * strlen(text) + 16;
	static const char gnu128[] = "__int128 unsigned";
	char *out, *o;

	if (!strstr(text, "long") && !strstr(text, "short") &&
	    !strstr(text, "signed"))
		return text;
	out = o = lac_arena_zalloc(arena, cap, 1);
	if (!out)
		return NULL;
	while (*text) {
		size_t n = word_length(text);
		struct words w = {0};
		size_t len = n ? integer_type(text, &w) : 0;

		if (!strncmp(text, gnu128, strlen(gnu128)) &&
		    !word_length(text + strlen(gnu128))) {
			o = stpcpy(o, "unsigned __int128");
			text += strlen(gnu128);
		} else if (len) {
			const char *s = spelling(&w);
			size_t sn = strlen(s);

			memcpy(o, s, sn);
			o += sn;
			text += len;
		} else if (n) {
			memcpy(o, text, n);
			o += n;
			text += n;
		} else {
			*o++ = *text++;
		}
	}
	*o = '\0';
	return out;
}

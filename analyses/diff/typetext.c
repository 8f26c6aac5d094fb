/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * typetext.c - gcc says "long unsigned int" where clang says "unsigned long".
 * One spelling of C's integer types, so that two compilers' builds compare.
 */
#include <ctype.h>
#include <string.h>

#include "dbginfo/declare.h"
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

/* -- types that are too long to spell ------------------------------------- */

#define DIGEST_DEPTH 4096 /* twice as deep as any graph that is read */
#define BUSY 1

struct digest {
	const struct lac_graph *g;
	uint64_t *memo; /* by type; 0: not known yet, BUSY: on the way */
	struct lac_arena *arena;
	bool no_memory;
};

/* FNV-1a, 64 bits (Fowler, Noll, Vo; RFC 9923). */
static uint64_t hash_bytes(uint64_t h, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * UINT64_C(0x100000001b3);
	return h;
}

static uint64_t hash_number(uint64_t h, uint64_t v)
{
	return hash_bytes(h, &v, sizeof(v));
}

static uint64_t hash_text(uint64_t h, const char *text)
{
	return hash_bytes(h, text, strlen(text) + 1);
}

/* A type that has a name, by what that is in either compiler's spelling. */
static uint64_t leaf(struct digest *d, lac_type_id id, uint64_t h)
{
	const char *text = lac_type_declare(d->g, id, NULL, d->arena);

	if (text)
		text = lac_type_text_normal(text, d->arena);
	d->no_memory |= !text;
	return text ? hash_text(h, text) : h;
}

static uint64_t digest(struct digest *d, lac_type_id id, unsigned depth)
{
	const struct lac_type *t = &d->g->types[id];
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	if (depth > DIGEST_DEPTH)
		return BUSY;
	if (d->memo[id])
		return d->memo[id];
	d->memo[id] = BUSY;
	h = hash_number(h, t->kind);
	switch (t->kind) {
	case LAC_TYPE_FUNCTION:
		h = hash_number(h, t->function.nparams);
		h = hash_number(h, t->function.variadic);
		for (uint32_t i = 0; i < t->function.nparams; i++)
			h = hash_number(h, digest(d, t->function.params[i],
						  depth + 1));
		break;
	case LAC_TYPE_ARRAY:
		h = hash_number(h, t->array.flexible);
		h = hash_number(h, t->array.count);
		break;
	case LAC_TYPE_VECTOR:
		h = hash_number(h, t->size);
		break;
	case LAC_TYPE_MEMBER_POINTER:
		h = hash_text(h, t->name ? t->name : "");
		break;
	case LAC_TYPE_CONST:
	case LAC_TYPE_VOLATILE:
	case LAC_TYPE_RESTRICT:
	case LAC_TYPE_ATOMIC:
	case LAC_TYPE_POINTER:
	case LAC_TYPE_REFERENCE:
	case LAC_TYPE_RVALUE_REFERENCE:
		break;
	default:
		return d->memo[id] = leaf(d, id, h) | 2;
	}
	h = hash_number(h, digest(d, t->target, depth + 1));
	return d->memo[id] = h | 2; /* not BUSY */
}

const char *lac_type_text_digest(const struct lac_graph *g, lac_type_id id,
				 const char *text, uint64_t *memo,
				 struct lac_arena *arena)
{
	struct digest d = { .g = g, .memo = memo, .arena = arena };
	uint64_t h = digest(&d, id, 0);

	return d.no_memory ? NULL
			   : lac_arena_printf(arena,
					      "%s /* too long to spell out, "
					      "digest %016llx */",
					      text, (unsigned long long)h);
}

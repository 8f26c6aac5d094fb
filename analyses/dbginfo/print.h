/* SPDX-License-Identifier: BSD-2-Clause */
/* print.h - fingerprints: 128 bits that values are mixed into, in order. */
#ifndef LAC_PRINT_H
#define LAC_PRINT_H

#include "dbginfo/raw.h"

struct lac_print { /* 128 bits */
	uint64_t a, b;
};

static inline bool lac_print_same(const struct lac_print *x,
				  const struct lac_print *y)
{
	return x->a == y->a && x->b == y->b;
}

/* For a table. */
static inline uint32_t lac_print_hash(const struct lac_print *h)
{
	return (uint32_t)(h->a ^ h->b >> 32);
}

static inline uint64_t rotate(uint64_t x, int n)
{
	return x << n | x >> (64 - n);
}

/* Two lanes with different multipliers; odd constants of splitmix64 and xxh. */
static inline void mix(struct lac_print *h, uint64_t v)
{
	h->a = rotate((h->a ^ v) * 0xbf58476d1ce4e5b9u, 29) + h->b;
	h->b = rotate((h->b + v) * 0x9e3779b185ebca87u, 33) ^ h->a;
}

/* Lane a alone tells u, and with u known lane b tells k. */
static inline void mix_pair(struct lac_print *h, uint64_t k, uint64_t u)
{
	h->a = rotate((h->a ^ u) * 0xbf58476d1ce4e5b9u, 29) + h->b;
	h->b = rotate((h->b + u + rotate(k, 32)) * 0x9e3779b185ebca87u, 33) ^
	       h->a;
}

static inline void mix_print(struct lac_print *h, struct lac_print v)
{
	mix_pair(h, v.b, v.a);
}

static inline void mix_bytes(struct lac_print *h, const unsigned char *p,
			     uint64_t n)
{
	uint64_t word;

	mix(h, n);
	for (; n >= 8; n -= 8, p += 8) {
		memcpy(&word, p, 8);
		mix(h, word);
	}
	word = 0;
	if (n) {
		memcpy(&word, p, n);
		mix(h, word);
	}
}

/* key: what the value is of */
static inline void mix_value(struct lac_print *h, uint64_t key,
			     const struct lac_value *v)
{
	mix_pair(h, key << 8 | v->class, v->u);
	if (v->class == VALUE_BLOCK || v->class == VALUE_STRING)
		mix_bytes(h, v->p, v->n);
}

#endif

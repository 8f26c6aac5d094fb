/* SPDX-License-Identifier: BSD-2-Clause */
/* rng.h - seeded random numbers: the same seed gives the same run anywhere. */
#ifndef LAC_RNG_H
#define LAC_RNG_H

#include <stdint.h>

/*
 * splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
 * Generators, OOPSLA 2014).  Any seed is a good seed, 0 included.
 */
struct lac_rng {
	uint64_t state;
};

static inline uint64_t lac_rng_next(struct lac_rng *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* Uniform in [0, n), n > 0; the bias is below n / 2^64. */
static inline uint64_t lac_rng_below(struct lac_rng *r, uint64_t n)
{
	__extension__ typedef unsigned __int128 wide;

	return (uint64_t)(((wide)lac_rng_next(r) * n) >> 64);
}

/* Uniform in [0, 1). */
static inline double lac_rng_unit(struct lac_rng *r)
{
	return (double)(lac_rng_next(r) >> 11) * 0x1p-53;
}

#endif

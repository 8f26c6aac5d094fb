/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * access.h - an access to one row of a level, in plain C and in AVX2, to be
 * inlined into the loops that are hot; internal to cachesim/.  Both do the same;
 * lac_level_access() in level.h says what.
 */
#ifndef LAC_CACHESIM_ACCESS_H
#define LAC_CACHESIM_ACCESS_H

#include <string.h>

#include "cachesim/level.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define LAC_HAVE_AVX2 1
#else
#define LAC_HAVE_AVX2 0
#endif

enum { LAC_LANES = 8 };

/* Can this CPU do what is made with LAC_AVX2? */
static inline bool lac_cpu_has_avx2(void)
{
#if LAC_HAVE_AVX2
	return __builtin_cpu_supports("avx2") &&
	       __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
#else
	return false;
#endif
}

#define LAC_INLINE static inline __attribute__((always_inline))

LAC_INLINE bool lac_access_plain(const struct lac_level *l, uint32_t *row,
				 uint32_t line, uint32_t dirty,
				 uint32_t *victim)
{
	uint32_t last = l->ways - 1, k;
	bool hit;

	for (k = 0; k < last && (row[k] & ~LAC_LINE_DIRTY) != line; k++)
		;
	hit = (row[k] & ~LAC_LINE_DIRTY) == line;
	*victim = row[k];
	if (hit)
		dirty |= row[k] & LAC_LINE_DIRTY;
	memmove(row + 1, row, k * sizeof(*row));
	row[0] = line | dirty;
	return hit;
}

/* The first two change places; what is the most recent one then. */
LAC_INLINE uint32_t lac_swap_plain(uint32_t *row, uint32_t dirty)
{
	uint32_t second = row[0];

	row[0] = row[1] | dirty;
	row[1] = second;
	return row[0];
}

#if LAC_HAVE_AVX2
/* BMI2 came to most with AVX2: shifts by any register. */
#define LAC_AVX2 __attribute__((target("avx2,bmi,bmi2")))

/* Row k moves lane k to the front and lanes 0 .. k-1 back by one. */
static const uint32_t lac_to_front[LAC_LANES][LAC_LANES]
	__attribute__((aligned(32))) = {
		{ 0, 1, 2, 3, 4, 5, 6, 7 }, { 1, 0, 2, 3, 4, 5, 6, 7 },
		{ 2, 0, 1, 3, 4, 5, 6, 7 }, { 3, 0, 1, 2, 4, 5, 6, 7 },
		{ 4, 0, 1, 2, 3, 5, 6, 7 }, { 5, 0, 1, 2, 3, 4, 6, 7 },
		{ 6, 0, 1, 2, 3, 4, 5, 7 }, { 7, 0, 1, 2, 3, 4, 5, 6 },
	};

/* The lanes of tags that are the line, as bits. */
LAC_AVX2 LAC_INLINE unsigned int lac_find8(__m256i tags, __m256i want)
{
	/* shifted, the dirty bit is gone from both */
	return (unsigned int)_mm256_movemask_ps(_mm256_castsi256_ps(
		_mm256_cmpeq_epi32(_mm256_slli_epi32(tags, 1), want)));
}

LAC_AVX2 LAC_INLINE __m256i lac_set_front8(__m256i tags, uint32_t first)
{
	return _mm256_blend_epi32(
		tags, _mm256_castsi128_si256(_mm_cvtsi32_si128((int)first)), 1);
}

/* Lane k to the front; the front lane is replaced by first. */
LAC_AVX2 LAC_INLINE __m256i lac_rotate8(__m256i tags, unsigned int k,
					uint32_t first)
{
	tags = _mm256_permutevar8x32_epi32(
		tags, _mm256_load_si256((const __m256i *)lac_to_front[k]));
	return lac_set_front8(tags, first);
}

/* A whole vector is stored, for that is what the next access loads. */
LAC_AVX2 LAC_INLINE uint32_t lac_swap_avx2(uint32_t *row, uint32_t dirty)
{
	__m256i v = _mm256_load_si256((const __m256i *)row);

	v = _mm256_blend_epi32(v, _mm256_shuffle_epi32(v, 0xe1), 3);
	v = _mm256_or_si256(v, _mm256_castsi128_si256(
				       _mm_cvtsi32_si128((int)dirty)));
	_mm256_store_si256((__m256i *)row, v);
	return (uint32_t)_mm_cvtsi128_si32(_mm256_castsi256_si128(v));
}

/* All vectors before the one that holds place k move back by one lane. */
LAC_AVX2 LAC_INLINE void lac_move_to_front(uint32_t *row, uint32_t k,
					   uint32_t first)
{
	for (; k >= LAC_LANES; k -= LAC_LANES, row += LAC_LANES) {
		__m256i v = _mm256_load_si256((const __m256i *)row);
		uint32_t carry = row[LAC_LANES - 1];

		_mm256_store_si256((__m256i *)row,
				   lac_rotate8(v, LAC_LANES - 1, first));
		first = carry;
	}
	_mm256_store_si256(
		(__m256i *)row,
		lac_rotate8(_mm256_load_si256((const __m256i *)row), k, first));
}

/* A row of one vector: what leaves or is found comes to lane 0 either way. */
LAC_AVX2 LAC_INLINE bool lac_access8_avx2(const struct lac_level *l,
					  uint32_t *row, uint32_t line,
					  uint32_t dirty, uint32_t *victim)
{
	__m256i tags = _mm256_load_si256((const __m256i *)row);
	unsigned int m = lac_find8(tags, _mm256_set1_epi32((int)(line << 1)));
	unsigned int k = (unsigned int)__builtin_ctz(m | l->last_way);
	uint32_t old;

	tags = _mm256_permutevar8x32_epi32(
		tags, _mm256_load_si256((const __m256i *)lac_to_front[k]));
	old = (uint32_t)_mm_cvtsi128_si32(_mm256_castsi256_si128(tags));
	dirty |= m ? old & LAC_LINE_DIRTY : 0;
	_mm256_store_si256((__m256i *)row, lac_set_front8(tags, line | dirty));
	*victim = old;
	return m != 0;
}

/*
 * What becomes of a vector if place k of its row comes to the front, by k less the
 * place of its lane 0: nothing if k lies before it; lane k comes to lane 0; or all
 * lanes move on, the last one to lane 0, for the next vector to take it from there.
 * The sign says that lane 0 is taken from the vector before.
 */
enum { LAC_BEFORE = 2 * LAC_LANES, LAC_MOVES = 5 * LAC_LANES };
#define LAC_STAY { 0, 1, 2, 3, 4, 5, 6, 7 }
#define LAC_PASS { 7 | 1u << 31, 0, 1, 2, 3, 4, 5, 6 }
#define LAC_EIGHT(x) x, x, x, x, x, x, x, x
static const uint32_t lac_moves[LAC_MOVES][LAC_LANES]
	__attribute__((aligned(32))) = {
		LAC_EIGHT(LAC_STAY),
		LAC_EIGHT(LAC_STAY),
		{ 0 | 1u << 31, 1, 2, 3, 4, 5, 6, 7 },
		{ 1 | 1u << 31, 0, 2, 3, 4, 5, 6, 7 },
		{ 2 | 1u << 31, 0, 1, 3, 4, 5, 6, 7 },
		{ 3 | 1u << 31, 0, 1, 2, 4, 5, 6, 7 },
		{ 4 | 1u << 31, 0, 1, 2, 3, 5, 6, 7 },
		{ 5 | 1u << 31, 0, 1, 2, 3, 4, 6, 7 },
		{ 6 | 1u << 31, 0, 1, 2, 3, 4, 5, 7 },
		LAC_PASS,
		LAC_EIGHT(LAC_PASS),
		LAC_EIGHT(LAC_PASS),
	};

/* Store a vector that was moved; its lane 0 is from's, if how says so. */
LAC_AVX2 LAC_INLINE void lac_move8(uint32_t *to, __m256i moved, __m256i from,
				   __m256i how)
{
	_mm256_store_si256((__m256i *)to,
			   _mm256_castps_si256(_mm256_blendv_ps(
				   _mm256_castsi256_ps(moved),
				   _mm256_castsi256_ps(from),
				   _mm256_castsi256_ps(how))));
}

/*
 * A row of two or three vectors.  Most are found in the first one; how deep the
 * others lie is hard to foresee, and no branch asks.
 */
LAC_AVX2 LAC_INLINE bool lac_access_few_avx2(const struct lac_level *l,
					     uint32_t *row, uint32_t line,
					     uint32_t dirty, uint32_t *victim,
					     bool three)
{
	const __m256i want = _mm256_set1_epi32((int)(line << 1));
	const __m256i *at = (const __m256i *)row, *move;
	__m256i a = _mm256_load_si256(at), b, c, how, from;
	unsigned int m = lac_find8(a, want);
	uint32_t k, old;

	if (__builtin_expect(m != 0, 1)) {
		k = (uint32_t)__builtin_ctz(m);
		dirty |= row[k] & LAC_LINE_DIRTY;
		*victim = 0;
		_mm256_store_si256((__m256i *)row,
				   lac_rotate8(a, k, line | dirty));
		return true;
	}
	b = _mm256_load_si256(at + 1);
	c = three ? _mm256_load_si256(at + 2) : b;
	m = lac_find8(b, want) << LAC_LANES;
	if (three)
		m |= lac_find8(c, want) << 2 * LAC_LANES;
	k = (uint32_t)__builtin_ctz(m | l->last_way);
	old = row[k];
	*victim = old;
	dirty |= m ? old & LAC_LINE_DIRTY : 0;
	move = (const __m256i *)lac_moves[LAC_BEFORE + k];
	from = _mm256_castsi128_si256(_mm_cvtsi32_si128((int)(line | dirty)));
	how = _mm256_load_si256(move);
	a = _mm256_permutevar8x32_epi32(a, how);
	lac_move8(row, a, from, how);
	how = _mm256_load_si256(move - LAC_LANES);
	b = _mm256_permutevar8x32_epi32(b, how);
	lac_move8(row + LAC_LANES, b, a, how);
	if (three) {
		how = _mm256_load_si256(move - 2 * LAC_LANES);
		c = _mm256_permutevar8x32_epi32(c, how);
		lac_move8(row + 2 * LAC_LANES, c, b, how);
	}
	return m != 0;
}

LAC_AVX2 LAC_INLINE bool lac_access_avx2(const struct lac_level *l,
					 uint32_t *row, uint32_t line,
					 uint32_t dirty, uint32_t *victim)
{
	__m256i want = _mm256_set1_epi32((int)(line << 1));
	uint32_t k = l->ways - 1;
	bool hit = false;

	if (l->row_words == LAC_LANES)
		return lac_access8_avx2(l, row, line, dirty, victim);
	if (l->row_words == 2 * LAC_LANES)
		return lac_access_few_avx2(l, row, line, dirty, victim,
					   false);
	if (l->row_words == 3 * LAC_LANES)
		return lac_access_few_avx2(l, row, line, dirty, victim,
					   true);
	for (uint32_t at = 0; at < l->row_words; at += LAC_LANES) {
		unsigned int m = lac_find8(
			_mm256_load_si256((const __m256i *)(row + at)), want);

		if (m) {
			k = at + (uint32_t)__builtin_ctz(m);
			hit = true;
			break;
		}
	}
	*victim = row[k];
	if (hit)
		dirty |= row[k] & LAC_LINE_DIRTY;
	lac_move_to_front(row, k, line | dirty);
	return hit;
}
#endif

#endif

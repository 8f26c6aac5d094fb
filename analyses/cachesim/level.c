/* SPDX-License-Identifier: BSD-2-Clause */
#include "cachesim/level.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define HAVE_AVX2 1
#else
#define HAVE_AVX2 0
#endif

enum { LANES = 8 };

enum lac_status lac_level_init(struct lac_level *l, uint32_t sets, uint32_t ways,
			       struct lac_err *err)
{
	uint32_t words = (ways + LANES - 1) / LANES * LANES;
	uint32_t *row = aligned_alloc(32, (size_t)sets * words * sizeof(*row));

	if (!row)
		return lac_fail_memory(err);
	for (size_t i = 0; i < (size_t)sets * words; i++)
		row[i] = LAC_LINE_NONE;
	*l = (struct lac_level){
		.row = row,
		.sets = sets,
		.ways = ways,
		.row_words = words,
		.mask = sets & (sets - 1) ? 0 : sets - 1,
		.inverse = ~0ull / sets + 1,
	};
#if HAVE_AVX2
	l->avx2 = __builtin_cpu_supports("avx2");
#endif
	return LAC_OK;
}

void lac_level_deinit(struct lac_level *l)
{
	free(l->row);
	l->row = NULL;
}

static bool access_plain(struct lac_level *l, uint32_t *row, uint32_t line,
			 uint32_t dirty, uint32_t *victim)
{
	uint32_t last = l->ways - 1, k;
	bool hit;

	for (k = 0; k < last && (row[k] & ~LAC_LINE_DIRTY) != line; k++)
		;
	hit = (row[k] & ~LAC_LINE_DIRTY) == line;
	if (hit)
		dirty |= row[k] & LAC_LINE_DIRTY;
	else
		*victim = row[k];
	memmove(row + 1, row, k * sizeof(*row));
	row[0] = line | dirty;
	return hit;
}

#if HAVE_AVX2
/* Row k moves lane k to the front and lanes 0 .. k-1 back by one. */
static const uint32_t to_front[LANES][LANES] __attribute__((aligned(32))) = {
	{ 0, 1, 2, 3, 4, 5, 6, 7 }, { 1, 0, 2, 3, 4, 5, 6, 7 },
	{ 2, 0, 1, 3, 4, 5, 6, 7 }, { 3, 0, 1, 2, 4, 5, 6, 7 },
	{ 4, 0, 1, 2, 3, 5, 6, 7 }, { 5, 0, 1, 2, 3, 4, 6, 7 },
	{ 6, 0, 1, 2, 3, 4, 5, 7 }, { 7, 0, 1, 2, 3, 4, 5, 6 },
};

#define AVX2 static inline __attribute__((target("avx2"), always_inline))

AVX2 unsigned int find8(__m256i tags, __m256i want)
{
	__m256i plain = _mm256_and_si256(tags, _mm256_set1_epi32(0x7fffffff));

	return (unsigned int)_mm256_movemask_ps(
		_mm256_castsi256_ps(_mm256_cmpeq_epi32(plain, want)));
}

/* Lane k to the front; the front lane is replaced by first. */
AVX2 __m256i rotate8(__m256i tags, unsigned int k, uint32_t first)
{
	tags = _mm256_permutevar8x32_epi32(
		tags, _mm256_load_si256((const __m256i *)to_front[k]));
	return _mm256_blend_epi32(tags, _mm256_set1_epi32((int)first), 1);
}

/* All vectors before the one that holds place k move back by one lane. */
__attribute__((target("avx2"))) static void
move_to_front(uint32_t *row, uint32_t k, uint32_t first)
{
	for (; k >= LANES; k -= LANES, row += LANES) {
		__m256i v = _mm256_load_si256((const __m256i *)row);
		uint32_t carry = row[LANES - 1];

		_mm256_store_si256((__m256i *)row, rotate8(v, LANES - 1, first));
		first = carry;
	}
	_mm256_store_si256(
		(__m256i *)row,
		rotate8(_mm256_load_si256((const __m256i *)row), k, first));
}

__attribute__((target("avx2"))) static bool
access_avx2(struct lac_level *l, uint32_t *row, uint32_t line, uint32_t dirty,
	    uint32_t *victim)
{
	__m256i want = _mm256_set1_epi32((int)line);
	uint32_t k = l->ways - 1;
	bool hit = false;

	for (uint32_t at = 0; at < l->row_words; at += LANES) {
		unsigned int m = find8(
			_mm256_load_si256((const __m256i *)(row + at)), want);

		if (m) {
			k = at + (uint32_t)__builtin_ctz(m);
			hit = true;
			break;
		}
	}
	if (hit)
		dirty |= row[k] & LAC_LINE_DIRTY;
	else
		*victim = row[k];
	move_to_front(row, k, line | dirty);
	return hit;
}
#endif

bool lac_level_access(struct lac_level *l, uint32_t line, uint32_t dirty,
		      uint32_t *victim)
{
	uint32_t *row = lac_level_row(l, line);

#if HAVE_AVX2
	if (__builtin_expect(l->avx2, 1))
		return access_avx2(l, row, line, dirty, victim);
#endif
	return access_plain(l, row, line, dirty, victim);
}

bool lac_level_holds(const struct lac_level *l, uint32_t line)
{
	const uint32_t *row = lac_level_row(l, line);

	for (uint32_t k = 0; k < l->ways; k++)
		if ((row[k] & ~LAC_LINE_DIRTY) == line)
			return true;
	return false;
}

uint32_t lac_level_insert_last(struct lac_level *l, uint32_t line)
{
	uint32_t *row = lac_level_row(l, line), k = l->ways - 1;
	uint32_t victim = row[k];

	/* behind the last line there is, so that empty ways stay last */
	while (k && row[k - 1] == LAC_LINE_NONE)
		k--;
	row[k] = line;
	return victim;
}

void lac_level_remove(struct lac_level *l, uint32_t line)
{
	uint32_t *row = lac_level_row(l, line), k = 0;

	while (k < l->ways && (row[k] & ~LAC_LINE_DIRTY) != line)
		k++;
	if (k == l->ways)
		return;
	memmove(row + k, row + k + 1, (l->ways - 1 - k) * sizeof(*row));
	row[l->ways - 1] = LAC_LINE_NONE;
}

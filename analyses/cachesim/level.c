/* SPDX-License-Identifier: BSD-2-Clause */
#include "cachesim/level.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cachesim/access.h"

#define HUGE_BYTES (2ul << 20)
/* What of a level is hardly ever in the L1 of the CPU that runs this. */
#define NEAR_BYTES (64ul << 10)

/* Large ones in large pages, for they are used at random. */
static uint32_t *rows_alloc(size_t bytes)
{
	size_t align = bytes > HUGE_BYTES / 2 ? HUGE_BYTES : 32;
	size_t whole = (bytes + align - 1) & -align;
	uint32_t *row = aligned_alloc(align, whole);

	if (row && align == HUGE_BYTES)
		madvise(row, whole, MADV_HUGEPAGE); /* or not */
	return row;
}

enum lac_status lac_level_init(struct lac_level *l, uint32_t sets, uint32_t ways,
			       struct lac_err *err)
{
	uint32_t words = (ways + LAC_LANES - 1) / LAC_LANES * LAC_LANES;
	uint32_t *row = rows_alloc((size_t)sets * words * sizeof(*row));

	if (!row)
		return lac_fail_memory(err);
	for (size_t i = 0; i < (size_t)sets * words; i++)
		row[i] = LAC_LINE_NONE;
	*l = (struct lac_level){
		.row = row,
		.sets = sets,
		.ways = ways,
		.last_way = 1u << (ways - 1),
		.row_words = words,
		.mask = sets & (sets - 1) ? 0 : sets - 1,
		.inverse = ~0ull / sets + 1,
		.avx2 = lac_cpu_has_avx2(),
		.large = (size_t)sets * words * sizeof(*row) > NEAR_BYTES,
	};
	return LAC_OK;
}

void lac_level_deinit(struct lac_level *l)
{
	free(l->row);
	l->row = NULL;
}

#if LAC_HAVE_AVX2
LAC_AVX2 static bool level_access_avx2(const struct lac_level *l, uint32_t *row,
				       uint32_t line, uint32_t dirty,
				       uint32_t *victim)
{
	return lac_access_avx2(l, row, line, dirty, victim);
}
#endif

bool lac_level_access(struct lac_level *l, uint32_t line, uint32_t dirty,
		      uint32_t *victim)
{
	uint32_t *row = lac_level_row(l, line);

#if LAC_HAVE_AVX2
	if (__builtin_expect(l->avx2, 1))
		return level_access_avx2(l, row, line, dirty, victim);
#endif
	return lac_access_plain(l, row, line, dirty, victim);
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

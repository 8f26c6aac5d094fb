/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * level.h - one level of cache; internal to cachesim/.
 *
 * A set is a row of 32-bit line numbers in order of recency: row[0] is the most
 * recent, row[ways - 1] the next victim; bit 31 marks a dirty line.  Invariant:
 * no line number but LAC_LINE_NONE (an empty way, never dirty) is in a row
 * twice, and empty ways are last.  Rows are padded to whole vectors; nothing
 * moves into the padding.
 */
#ifndef LAC_CACHESIM_LEVEL_H
#define LAC_CACHESIM_LEVEL_H

#include "cachesim/cachesim.h"

#define LAC_LINE_DIRTY 0x80000000u

__extension__ typedef unsigned __int128 lac_u128;

struct lac_level {
	uint32_t *row; /* sets * row_words, 32-byte aligned */
	uint32_t sets, ways, row_words;
	uint32_t last_way; /* 1 << (ways - 1) */
	uint32_t mask;	  /* sets - 1 if that is a power of two, else 0 */
	uint64_t inverse; /* 2^64 / sets, rounded up */
	bool avx2;
	bool large; /* than what is near to the CPU that simulates it */
};

/*
 * A probe that missed L1, where its line has taken the place of victim.  count:
 * where that is counted; misses of the other levels are counted apart from it, and
 * from each other.
 */
struct lac_miss {
	uint32_t line, victim;
	uint64_t *count;
};

/* A level is asked to give a line (demand), to take a dirty one, to hold one. */
struct lac_request {
	uint32_t line; /* dirty: to take */
	uint32_t demand;
	uint64_t *count; /* of a demand that misses */
};

/*
 * Misses that are told together.  Each is two requests, and each of these four:
 * a line that has to go, the line itself, and the same for its pair.  One more is
 * written before it is known whether it is any.
 */
enum { LAC_MISSES = 64, LAC_REQUESTS = 8 * LAC_MISSES + 2 };

struct lac_cachesim {
	struct lac_level level[LAC_CACHE_LEVELS];
	unsigned int levels;
	bool adjacent;
	struct lac_level tlb; /* row NULL: none */
	unsigned int tlb_shift; /* from line to page */
	/* the rest of a probe whose line is not L1's most recent of its set */
	unsigned int (*search)(struct lac_cachesim *c, uint32_t line,
			       uint32_t dirty);
	/* the rest of probes that missed L1; see lac_miss */
	void (*misses)(struct lac_cachesim *c, const struct lac_miss *m,
		       size_t n, size_t apart);
	void (*replay)(struct lac_cachesim *c, const uint32_t *probe, size_t n);
	struct lac_cachesim_counts n;
	struct lac_request request[2][LAC_REQUESTS];
	uint64_t nowhere[LAC_CACHE_LEVELS + 1]; /* counts that nobody reads */
};

enum lac_status lac_level_init(struct lac_level *l, uint32_t sets, uint32_t ways,
			       struct lac_err *err);
void lac_level_deinit(struct lac_level *l);

/*
 * line % sets by two multiplications, exact for 32-bit operands (D. Lemire, O.
 * Kaser, N. Kurz: Faster remainder by direct computation, 2019).
 */
static inline __attribute__((always_inline)) uint32_t *
lac_level_row(const struct lac_level *l, uint32_t line)
{
	uint32_t set;

	if (__builtin_expect(l->mask != 0, 1))
		set = line & l->mask;
	else
		set = (uint32_t)((lac_u128)(l->inverse * line) * l->sets >>
				 64);
	return l->row + (size_t)set * l->row_words;
}

/* The front of its row, where most are found, will be asked for soon. */
static inline __attribute__((always_inline)) void
lac_level_fetch(const struct lac_level *l, uint32_t line)
{
	__builtin_prefetch(lac_level_row(l, line), 1);
}

/*
 * Make line the most recent of its set, or'ed with dirty.  True if it was
 * there; else *victim is what left: a line, perhaps dirty, or LAC_LINE_NONE. (If it
 * was there, *victim means nothing.)
 */
bool lac_level_access(struct lac_level *l, uint32_t line, uint32_t dirty,
		      uint32_t *victim);

/* Is it there?  Changes nothing. */
bool lac_level_holds(const struct lac_level *l, uint32_t line);

/* Take a line out, if it is there. */
void lac_level_remove(struct lac_level *l, uint32_t line);

/* Put an absent line in as the next victim; what left is returned. */
uint32_t lac_level_insert_last(struct lac_level *l, uint32_t line);

/*
 * Stored only if it changes: the vector that is loaded next would have to wait
 * for the word.
 */
static inline __attribute__((always_inline)) void
lac_make_dirty(uint32_t *row, uint32_t dirty)
{
	if (dirty & ~*row)
		*row |= dirty;
}

void lac_cachesim_tlb(struct lac_cachesim *c, uint32_t line);

static inline __attribute__((always_inline)) unsigned int
lac_cachesim_touch(struct lac_cachesim *c, uint32_t line, uint32_t dirty)
{
	uint32_t *row = lac_level_row(&c->level[0], line);

	c->n.probes++;
	if (__builtin_expect(c->tlb.row != NULL, 0))
		lac_cachesim_tlb(c, line);
	if (__builtin_expect((row[0] & ~LAC_LINE_DIRTY) == line, 1)) {
		lac_make_dirty(row, dirty);
		return 0;
	}
	return c->search(c, line, dirty);
}

#endif

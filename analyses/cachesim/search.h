/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * search.h - a probe behind L1's most recent line, and a loop of probes; made
 * once for each instruction set, for nothing in it may be a call.  cachesim.c
 * includes it with
 *   ACCESS	the access to a row, from access.h
 *   MAKE(name)	the name of this instruction set's function
 *   TARGET	its attribute
 */

/* A line that left level i: if dirty, it moves on. */
TARGET LAC_INLINE void MAKE(leave)(struct lac_cachesim *c, unsigned int i,
				   uint32_t victim)
{
	while (victim & LAC_LINE_DIRTY) {
		struct lac_level *l;

		c->n.writebacks[i]++;
		if (++i == c->levels)
			return;
		victim &= ~LAC_LINE_DIRTY;
		l = &c->level[i];
		if (ACCESS(l, lac_level_row(l, victim), victim, LAC_LINE_DIRTY,
			   &victim))
			return;
	}
}

TARGET static void MAKE(prefetch_pair)(struct lac_cachesim *c, uint32_t line)
{
	uint32_t pair = line ^ 1, victim;
	struct lac_level *l = &c->level[2];

	if (pair == LAC_LINE_NONE || lac_level_holds(&c->level[1], pair))
		return;
	c->n.prefetches++;
	MAKE(leave)(c, 1, lac_level_insert_last(&c->level[1], pair));
	if (c->levels > 2 &&
	    !ACCESS(l, lac_level_row(l, pair), pair, 0, &victim))
		MAKE(leave)(c, 2, victim);
}

/* L1 has not got it. */
TARGET static unsigned int MAKE(search_on)(struct lac_cachesim *c,
					   uint32_t line, uint32_t victim)
{
	unsigned int i = 0;

	do {
		struct lac_level *l;

		c->n.misses[i]++;
		MAKE(leave)(c, i, victim);
		if (++i == c->levels)
			break;
		l = &c->level[i];
		if (ACCESS(l, lac_level_row(l, line), line, 0, &victim))
			break;
	} while (true);
	if (__builtin_expect(c->adjacent && i > 1, 0))
		MAKE(prefetch_pair)(c, line);
	return i;
}

TARGET static unsigned int MAKE(search)(struct lac_cachesim *c, uint32_t line,
					uint32_t dirty)
{
	struct lac_level *l = &c->level[0];
	uint32_t victim;

	if (ACCESS(l, lac_level_row(l, line), line, dirty, &victim))
		return 0;
	return MAKE(search_on)(c, line, victim);
}

TARGET static void MAKE(replay)(struct lac_cachesim *c, const uint32_t *probe,
				size_t n)
{
	struct lac_level *l = &c->level[0];

	c->n.probes += n;
	for (size_t i = 0; i < n; i++) {
		uint32_t line = probe[i] >> 1, dirty = probe[i] << 31, victim;
		uint32_t *row = lac_level_row(l, line);

		if (__builtin_expect(c->tlb.row != NULL, 0))
			lac_cachesim_tlb(c, line);
		if (__builtin_expect((row[0] & ~LAC_LINE_DIRTY) == line, 1)) {
			lac_make_dirty(row, dirty);
			continue;
		}
		if (!ACCESS(l, row, line, dirty, &victim))
			MAKE(search_on)(c, line, victim);
	}
}

#undef ACCESS
#undef MAKE
#undef TARGET

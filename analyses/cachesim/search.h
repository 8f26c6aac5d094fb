/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * search.h - a probe behind L1's most recent line, and a loop of probes; made
 * once for each instruction set, for nothing in it may be a call.  Misses go
 * from level to level together, so that each level is a short loop.  cachesim.c
 * includes it with
 *   ACCESS	the access to a row, from access.h
 *   MAKE(name)	the name of this instruction set's function
 *   TARGET	its attribute
 */

/* L2 missed on the line of r: its pair comes along.  Where to go on. */
TARGET static struct lac_request *MAKE(pair)(struct lac_cachesim *c,
					     struct lac_request *to,
					     struct lac_request r)
{
	uint32_t pair = r.line ^ 1, victim;

	if (pair == LAC_LINE_NONE || lac_level_holds(&c->level[1], pair))
		return to;
	c->n.prefetches++;
	victim = lac_level_insert_last(&c->level[1], pair);
	if (victim & LAC_LINE_DIRTY) {
		c->n.writebacks[1]++;
		*to++ = (struct lac_request){ victim, 0, r.count };
	}
	*to++ = (struct lac_request){ pair, 0, r.count };
	return to;
}

/*
 * All n that is asked of level i, in turn; what it asks of the next one, if it is
 * not the last, goes to to.  Whether it hits is hard to foresee: no branch asks.
 * words is the level's row_words, for a loop of its own.
 */
TARGET LAC_INLINE struct lac_request *
MAKE(ask)(struct lac_cachesim *c, unsigned int i, const struct lac_request *r,
	  size_t n, struct lac_request *to, size_t apart, uint32_t words,
	  bool last, bool adjacent)
{
	/* a copy, which no store can change */
	struct lac_level level = c->level[i], *l = &level;
	const struct lac_request *end = r + n;
	uint64_t writebacks = 0, misses = 0;

	level.row_words = words;
	for (const struct lac_request *p = r; level.large && p < end; p++)
		lac_level_fetch(l, p->line & ~LAC_LINE_DIRTY);
	for (; r < end; r++) {
		uint32_t line = r->line & ~LAC_LINE_DIRTY;
		uint32_t dirty = r->line & LAC_LINE_DIRTY, victim;
		bool hit = ACCESS(l, lac_level_row(l, line), line, dirty,
				  &victim);
		uint32_t out = hit ? 0 : victim >> 31;
		uint32_t missed = hit ? 0 : r->demand;
		uint64_t *count = r->count;

		*count += missed;
		writebacks += out;
		misses += missed;
		if (last)
			continue;
		*to = (struct lac_request){ victim, 0, count };
		to += out;
		*to = (struct lac_request){ line, 1, count + apart };
		to += missed;
		if (adjacent && missed)
			to = MAKE(pair)(c, to, *r);
	}
	c->n.writebacks[i] += writebacks;
	c->n.misses[i] += misses;
	return to;
}

TARGET LAC_INLINE struct lac_request *
MAKE(level)(struct lac_cachesim *c, unsigned int i, const struct lac_request *r,
	    size_t n, struct lac_request *to, size_t apart, bool last)
{
	uint32_t words = c->level[i].row_words;

	if (c->adjacent && i == 1)
		return MAKE(ask)(c, i, r, n, to, apart, words, last, true);
	switch (words) {
	case LAC_LANES:
		return MAKE(ask)(c, i, r, n, to, apart, LAC_LANES, last,
				 false);
	case 2 * LAC_LANES:
		return MAKE(ask)(c, i, r, n, to, apart, 2 * LAC_LANES, last,
				 false);
	case 3 * LAC_LANES:
		return MAKE(ask)(c, i, r, n, to, apart, 3 * LAC_LANES, last,
				 false);
	default:
		return MAKE(ask)(c, i, r, n, to, apart, words, last, false);
	}
}

TARGET static void MAKE(misses)(struct lac_cachesim *c,
				const struct lac_miss *m, size_t n,
				size_t apart)
{
	struct lac_request *first = c->request[0], *r = first;
	struct lac_request *second = c->request[1];

	c->n.misses[0] += n;
	for (const struct lac_miss *end = m + n; m < end; m++) {
		*r = (struct lac_request){ m->victim, 0, m->count };
		r += m->victim >> 31;
		++*m->count;
		*r++ = (struct lac_request){ m->line, 1, m->count + apart };
	}
	c->n.writebacks[0] += (size_t)(r - first) - n;
	n = (size_t)(r - first);
	if (c->levels == 2) {
		MAKE(level)(c, 1, first, n, second, apart, false);
	} else if (c->levels > 2) {
		r = MAKE(level)(c, 1, first, n, second, apart, false);
		MAKE(level)(c, 2, second, (size_t)(r - second), first, apart,
			    true);
	}
}

TARGET static unsigned int MAKE(search)(struct lac_cachesim *c, uint32_t line,
					uint32_t dirty)
{
	struct lac_level *l = &c->level[0];
	uint64_t count[LAC_CACHE_LEVELS + 1] = { 0 };
	struct lac_miss m = { .line = line, .count = count };

	if (ACCESS(l, lac_level_row(l, line), line, dirty, &m.victim))
		return 0;
	MAKE(misses)(c, &m, 1, 1);
	return (unsigned int)(count[0] + count[1] + count[2]);
}

TARGET static void MAKE(replay)(struct lac_cachesim *c, const uint32_t *probe,
				size_t n)
{
	struct lac_level *l = &c->level[0];
	struct lac_miss miss[LAC_MISSES];
	size_t k = 0;

	c->n.probes += n;
	for (size_t i = 0; i < n; i++) {
		uint32_t line = probe[i] >> 1, dirty = probe[i] << 31;
		uint32_t *row = lac_level_row(l, line);

		if (__builtin_expect(c->tlb.row != NULL, 0))
			lac_cachesim_tlb(c, line);
		if (__builtin_expect((row[0] & ~LAC_LINE_DIRTY) == line, 1)) {
			lac_make_dirty(row, dirty);
			continue;
		}
		miss[k].line = line;
		miss[k].count = c->nowhere;
		k += !ACCESS(l, row, line, dirty, &miss[k].victim);
		if (k == LAC_MISSES) {
			MAKE(misses)(c, miss, k, 0);
			k = 0;
		}
	}
	MAKE(misses)(c, miss, k, 0);
}

#undef ACCESS
#undef MAKE
#undef TARGET

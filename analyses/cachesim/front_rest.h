/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * front_rest.h - an access that is not on the line which its set used last;
 * made once for each instruction set.  front.c includes it with ACCESS, MAKE and
 * TARGET, as they are in search.h, and SWAP from access.h.
 */

/* On one line, with a row. */
TARGET LAC_INLINE void MAKE(find)(struct lac_tracer *t, uint64_t addr,
				  uint64_t start, enum lac_event kind,
				  uint32_t line, uint64_t *row,
				  bool misses_only)
{
	struct lac_front *f = front_at(t, addr & t->front_mask);
	struct lac_miss *m = t->next_miss;
	uint64_t *count = row;

	if (misses_only)
		row = t->nowhere;
	t->short_way[kind]++;
	if (f->start != start) {
		f->second_start = f->start;
		f->second_row = f->row;
	}
	f->row = row;
	f->start = start;
	row[addr - start]++;
	m->line = line;
	m->count = count + (addr - start) + t->line_bytes;
	m += !ACCESS(&t->cache->level[0], f->set, line,
		     kind == LAC_READ ? 0 : LAC_LINE_DIRTY, &m->victim);
	f->dirty = *f->set & LAC_LINE_DIRTY ? start : LAC_FRONT_NONE;
	t->next_miss = m;
	if (__builtin_expect(m == t->miss + LAC_MISSES, 0))
		lac_front_catch_up(t);
}

/* On the second line of its set: two lines that are used in turn. */
TARGET LAC_INLINE void MAKE(second)(struct lac_tracer *t, struct lac_front *f,
				    uint64_t at, enum lac_event kind)
{
	uint64_t start = f->second_start, *row = f->second_row;
	uint32_t first = SWAP(f->set, kind == LAC_READ ? 0 : LAC_LINE_DIRTY);

	f->second_start = f->start;
	f->second_row = f->row;
	f->start = start;
	f->dirty = first & LAC_LINE_DIRTY ? start : LAC_FRONT_NONE;
	f->row = row;
	t->short_way[kind]++;
	row[at]++;
}

/* Not on a line of the region that was there the last time, and of no other. */
TARGET static __attribute__((noinline)) void
MAKE(elsewhere)(uint64_t addr, unsigned int bytes, enum lac_event kind)
{
	struct lac_tracer *t = &lac_tracer_now;
	uint64_t start = addr & -t->line_bytes, *row = t->nowhere;
	uint32_t line = lac_tracer_line(t, addr);
	struct lac_region *r;

	if (line == LAC_LINE_NONE) {
		t->n.events[kind]++;
		t->n.other++;
		return;
	}
	r = lac_tracer_region_on(start);
	if (r) /* beside it, no line of it is touched */
		row = lac_region_has(r, addr) ? lac_region_row(r, start) : NULL;
	/* by the byte; on two lines; on a page whose number chooses the set */
	if (!row || addr - start + bytes > t->line_bytes ||
	    (((uint64_t)line << t->line_shift) ^ addr) & t->front_mask) {
		lac_tracer_any_event(addr, bytes, kind);
		return;
	}
	if (r && !t->misses_only)
		lac_region_touch_line(t, r, addr);
	MAKE(find)(t, addr, start, kind, line, row, t->misses_only);
}

TARGET LAC_INLINE void MAKE(usual)(uint64_t addr, unsigned int bytes,
				   enum lac_event kind, bool misses_only)
{
	struct lac_tracer *t = &lac_tracer_now;
	struct lac_front *f = front_at(t, addr & t->front_mask);
	uint64_t start = addr & t->line_mask;
	uint64_t at = addr - f->second_start;
	struct lac_region *r;

	if (at < t->line_bytes && at + bytes <= t->line_bytes) {
		MAKE(second)(t, f, at, kind);
		return;
	}
	r = t->by_place[lac_tracer_place(addr)];
	if (__builtin_expect(!r || start - r->base >= r->direct ||
			     addr - start + bytes > t->line_bytes, 0)) {
		MAKE(elsewhere)(addr, bytes, kind);
		return;
	}
	if (r->pointers && kind == LAC_READ && t->followed != start) {
		lac_front_follow(addr, bytes, kind);
		return;
	}
	/* the program is about to ask for it */
	__builtin_prefetch((const void *)(uintptr_t)addr);
	if (!misses_only)
		lac_region_touch_line(t, r, addr);
	MAKE(find)(t, addr, start, kind,
		   (uint32_t)(addr >> t->line_shift) + r->line_delta,
		   lac_region_inner_row(r, start), misses_only);
}

TARGET static void MAKE(rest)(uint64_t addr, unsigned int bytes,
			      enum lac_event kind)
{
	MAKE(usual)(addr, bytes, kind, false);
}

TARGET static void MAKE(rest_misses)(uint64_t addr, unsigned int bytes,
				     enum lac_event kind)
{
	MAKE(usual)(addr, bytes, kind, true);
}

#undef ACCESS
#undef SWAP
#undef MAKE
#undef TARGET

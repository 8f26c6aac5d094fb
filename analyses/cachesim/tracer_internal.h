/* SPDX-License-Identifier: BSD-2-Clause */
/* tracer_internal.h - the tracer and its hottest function. */
#ifndef LAC_CACHESIM_TRACER_INTERNAL_H
#define LAC_CACHESIM_TRACER_INTERNAL_H

#include "cachesim/level.h"
#include "cachesim/tracer.h"

enum { LAC_REGIONS_MAX = 256, LAC_PAGE_SHIFT = 12 };

struct lac_machine;

/* Pages outside of the windows, in the order in which they were met. */
struct lac_page_map {
	uint64_t *page;	  /* hash table: address >> 12, + 1; 0: free */
	uint32_t *number; /* its number */
	size_t room, used;
};

struct lac_tracer {
	bool on;
	bool misses_only, any_address;
	unsigned int line_shift;
	uint32_t round;
	uint64_t window_bytes[LAC_WINDOWS];
	struct lac_cachesim *cache; /* one CPU */
	struct lac_machine *machine; /* several */
	struct lac_region *by_window[LAC_WINDOWS]; /* the last one found there */
	struct lac_trace_counts n;
	struct lac_trace_record *record;
	struct lac_page_map map;
	struct lac_region *region[LAC_REGIONS_MAX]; /* as registered */
	struct lac_region *sorted[LAC_REGIONS_MAX]; /* by base */
	size_t nregions;
};

/*
 * The one global of the module: the compiler's calls bring no context.  Only
 * the thread that runs the traced code may use it.
 */
extern struct lac_tracer lac_tracer_now;

/* Line of an address outside of the windows, or LAC_LINE_NONE. */
uint32_t lac_tracer_other_line(uint64_t addr);
struct lac_region *lac_tracer_region_find(uint64_t addr);
/* Access of several CPUs' traced code. */
void lac_machine_event(struct lac_machine *m, uint64_t addr, uint32_t line,
		       unsigned int bytes, enum lac_event kind);
enum lac_status lac_machine_create(const struct lac_trace_options *o,
				   struct lac_machine **ret,
				   struct lac_err *err);
void lac_machine_destroy(struct lac_machine *m);
void lac_machine_reset(struct lac_machine *m);
struct lac_cachesim_counts lac_machine_cache_counts(const struct lac_machine *m);
struct lac_coherence_counts lac_machine_coherence(const struct lac_machine *m);
/* Wait until the word is handed over; false: there is nobody to wait for. */
void lac_machine_wait(struct lac_machine *m, const void *word);
bool lac_machine_hand_over(struct lac_machine *m, const void *word);

static inline __attribute__((always_inline)) struct lac_region *
lac_tracer_region_of(struct lac_tracer *t, uint64_t addr)
{
	struct lac_region *r =
		t->by_window[addr >> LAC_WINDOW_SHIFT & (LAC_WINDOWS - 1)];

	if (__builtin_expect(r && lac_region_has(r, addr), 1))
		return r;
	return lac_tracer_region_find(addr);
}

static inline __attribute__((always_inline)) void
lac_region_touch_line(struct lac_tracer *t, struct lac_region *r, uint64_t addr)
{
	uint64_t line = (addr >> t->line_shift) - (r->base >> t->line_shift);

	if (line == r->last_line && t->round == r->last_round)
		return;
	r->last_line = line;
	r->last_round = t->round;
	if (r->stamp[line] != t->round) {
		r->lines_footprint += !r->stamp[line];
		r->lines_touched++;
		r->stamp[line] = t->round;
	}
}

static inline void lac_trace_record_add(struct lac_trace_record *r,
					uint32_t line, enum lac_event kind)
{
	if (r->n < r->room)
		r->probe[r->n++] = line << 1 | (kind != LAC_READ);
	else
		r->lost++;
}

static inline __attribute__((always_inline)) struct lac_cell *
lac_tracer_cell(struct lac_tracer *t, uint64_t addr, bool touch)
{
	struct lac_region *r = lac_tracer_region_of(t, addr);

	if (!r)
		return NULL;
	if (touch)
		lac_region_touch_line(t, r, addr);
	return &r->cell[lac_region_offset(r, addr)];
}

/* The part of an access that lies on one line; first: it begins there. */
static inline __attribute__((always_inline)) void
lac_tracer_part(struct lac_tracer *t, uint64_t addr, uint32_t line,
		enum lac_event kind, bool first)
{
	struct lac_cell *c = NULL;
	unsigned int found;

	if (__builtin_expect(t->record != NULL, 0))
		lac_trace_record_add(t->record, line, kind);
	if (!t->misses_only) {
		c = lac_tracer_cell(t, addr, true);
		if (c)
			c->accesses += first;
	}
	found = lac_cachesim_touch(t->cache, line,
				   kind == LAC_READ ? 0 : LAC_LINE_DIRTY);
	if (__builtin_expect(found != 0, 0)) {
		if (t->misses_only)
			c = lac_tracer_cell(t, addr, false);
		for (unsigned int i = 0; c && i < found; i++)
			c->misses[i]++;
	}
}

/* An access of one CPU that goes on behind its first line. */
static inline void lac_tracer_straddle(struct lac_tracer *t, uint64_t start,
				       uint64_t end, uint32_t line,
				       enum lac_event kind)
{
	uint64_t addr = ((start >> t->line_shift) + 1) << t->line_shift;
	struct lac_cell *c = lac_tracer_cell(t, start, false);

	t->n.straddles++;
	if (c)
		c->straddles++;
	for (; addr < end; addr += 1ull << t->line_shift)
		lac_tracer_part(t, addr, ++line, kind, false);
}

static inline __attribute__((always_inline)) void
lac_tracer_event(uint64_t addr, unsigned int bytes, enum lac_event kind)
{
	struct lac_tracer *t = &lac_tracer_now;
	uint64_t id = addr >> LAC_WINDOW_SHIFT;
	uint64_t off = addr & ((1ull << LAC_WINDOW_SHIFT) - 1);
	uint64_t end = addr + bytes;
	uint32_t line;

	if (__builtin_expect(!t->on, 0))
		return;
	t->n.events[kind]++;
	if (__builtin_expect(id < LAC_WINDOWS && off < t->window_bytes[id], 1)) {
		line = (uint32_t)(id << LAC_WINDOW_LINE_BITS |
				  off >> t->line_shift);
	} else {
		line = lac_tracer_other_line(addr);
		t->n.other += line == LAC_LINE_NONE;
	}
	if (__builtin_expect(t->machine != NULL, 0)) {
		lac_machine_event(t->machine, addr, line, bytes, kind);
		return;
	}
	if (line == LAC_LINE_NONE)
		return;
	lac_tracer_part(t, addr, line, kind, true);
	if (__builtin_expect((addr ^ (end - 1)) >> t->line_shift != 0, 0))
		lac_tracer_straddle(t, addr, end, line, kind);
}

#endif

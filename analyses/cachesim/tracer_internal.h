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

/* Places, of 256 bytes each, whose region is remembered. */
enum { LAC_PLACES = 32 };

struct lac_tracer {
	/*
	 * The usual case: switched on, one CPU, no record, no TLB, the sets of
	 * L1 a power of two.  row, mask and words are L1's.
	 */
	bool fast;
	bool on;
	bool misses_only, any_address;
	bool strangers;	    /* another thread came: nothing counts any more */
	const char *thread; /* lac_tracer_here of the one that is watched */
	unsigned int line_shift;
	uint32_t mask, words;
	uint32_t *row;
	uint64_t window_bytes[LAC_WINDOWS];
	struct lac_cachesim *cache; /* one CPU */
	struct lac_machine *machine; /* several */
	struct lac_region *by_place[LAC_WINDOWS * LAC_PLACES];
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

/* Its address tells threads apart, at the cost of one addition. */
extern __thread char lac_tracer_here;
void lac_tracer_stranger(void);

/* Traced code enters a function; so does every thread that runs some. */
static inline void lac_tracer_entered(void)
{
	if (__builtin_expect(lac_tracer_now.thread != &lac_tracer_here, 0))
		lac_tracer_stranger();
}

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
/* Of the CPU that runs, in cycles. */
uint64_t lac_machine_clock(const struct lac_machine *m);
struct lac_coherence_counts lac_machine_coherence(const struct lac_machine *m);
/*
 * Wait until the word is handed over.  A channel: other tasks may have the CPU
 * in the meantime.
 */
void lac_machine_wait(struct lac_machine *m, const void *word, bool channel);
/* To the first that waits for it; false: nobody does. */
bool lac_machine_hand_over(struct lac_machine *m, const void *word);

static inline __attribute__((always_inline)) size_t
lac_tracer_place(uint64_t addr)
{
	return (addr >> LAC_WINDOW_SHIFT & (LAC_WINDOWS - 1)) * LAC_PLACES +
	       (addr >> 8 & (LAC_PLACES - 1));
}

static inline __attribute__((always_inline)) struct lac_region *
lac_tracer_region_of(struct lac_tracer *t, uint64_t addr)
{
	struct lac_region *r = t->by_place[lac_tracer_place(addr)];

	if (__builtin_expect(r && lac_region_has(r, addr), 1))
		return r;
	return lac_tracer_region_find(addr);
}

/* line: the number of addr's line, which is not that of another one. */
static inline __attribute__((always_inline)) void
lac_region_touch_line(struct lac_tracer *t, struct lac_region *r, uint64_t addr,
		      uint32_t line)
{
	uint64_t at, bit;

	if (line == r->last_line)
		return;
	r->last_line = line;
	at = (addr >> t->line_shift) - r->first_line;
	bit = 1ull << at % 64;
	if (r->touched[at / 64] & bit)
		return;
	r->touched[at / 64] |= bit;
	r->lines_touched++;
	r->lines_footprint += !(r->ever[at / 64] & bit);
	r->ever[at / 64] |= bit;
}

/* NULL: in no region. */
static inline __attribute__((always_inline)) struct lac_cell *
lac_tracer_cell(struct lac_tracer *t, uint64_t addr)
{
	struct lac_region *r = lac_tracer_region_of(t, addr);

	return r ? &r->cell[lac_region_offset(r, addr)] : NULL;
}

/* The same of an address whose line was touched. */
static inline __attribute__((always_inline)) struct lac_cell *
lac_tracer_touch(struct lac_tracer *t, uint64_t addr, uint32_t line)
{
	struct lac_region *r = lac_tracer_region_of(t, addr);

	if (__builtin_expect(!r, 0))
		return NULL;
	lac_region_touch_line(t, r, addr, line);
	return &r->cell[lac_region_offset(r, addr)];
}

/* The whole of an access, whatever it is. */
void lac_tracer_any_event(uint64_t addr, unsigned int bytes,
			  enum lac_event kind);
/*
 * The rest of one that is counted, in c unless that is NULL, but did not simply
 * find its line.
 */
void lac_tracer_rest(uint64_t addr, unsigned int bytes, enum lac_event kind,
		     uint32_t line, struct lac_cell *c);

/* Calls nothing but at its end, so that the usual access saves no register. */
static inline __attribute__((always_inline)) void
lac_tracer_event(uint64_t addr, unsigned int bytes, enum lac_event kind)
{
	struct lac_tracer *t = &lac_tracer_now;
	uint64_t id = addr >> LAC_WINDOW_SHIFT;
	uint64_t off = addr & ((1ull << LAC_WINDOW_SHIFT) - 1);
	struct lac_cell *c = NULL;
	uint32_t line, *row;

	if (__builtin_expect(!t->fast || id >= LAC_WINDOWS ||
			     off >= t->window_bytes[id], 0)) {
		lac_tracer_any_event(addr, bytes, kind);
		return;
	}
	line = (uint32_t)(id << LAC_WINDOW_LINE_BITS | off >> t->line_shift);
	if (!t->misses_only) {
		struct lac_region *r = t->by_place[lac_tracer_place(addr)];

		if (__builtin_expect(!r || !lac_region_has(r, addr), 0)) {
			lac_tracer_any_event(addr, bytes, kind);
			return;
		}
		lac_region_touch_line(t, r, addr, line);
		c = &r->cell[lac_region_offset(r, addr)];
		c->accesses++;
	}
	t->n.events[kind]++;
	row = t->row + (size_t)(line & t->mask) * t->words;
	if (__builtin_expect((addr ^ (addr + bytes - 1)) >> t->line_shift != 0,
			     0)) {
		lac_tracer_rest(addr, bytes, kind, line, c);
	} else if (__builtin_expect((row[0] & ~LAC_LINE_DIRTY) == line, 1)) {
		t->cache->n.probes++;
		if (kind != LAC_READ)
			lac_make_dirty(row, LAC_LINE_DIRTY);
	} else if ((row[1] & ~LAC_LINE_DIRTY) == line) {
		/* two that alternate; a single way is followed by padding */
		uint32_t second = row[1];

		t->cache->n.probes++;
		row[1] = row[0];
		row[0] = second | (kind != LAC_READ ? LAC_LINE_DIRTY : 0);
	} else {
		lac_tracer_rest(addr, bytes, kind, line, c);
	}
}

#endif

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

/* Places, of a line or two each, whose region is remembered. */
enum { LAC_PLACES = 64, LAC_PLACE_SHIFT = 6 };

/*
 * The most recent line of a set of L1: an access that is wholly on it only has
 * to be counted.  The front holds one of these a set, line_bytes apart, so that
 * the bits of an address that choose the set choose it.  Filled in front.c, and
 * emptied whenever something else may have changed the set, or what an access to
 * the line means.
 */
struct lac_front {
	uint64_t start; /* address of the line, or LAC_FRONT_NONE */
	uint64_t dirty; /* the same if it is dirty, else LAC_FRONT_NONE */
	uint64_t *row;	/* accesses by byte of the line */
	uint32_t *set;	/* of L1, for good */
	/* start and row of the one before it, which is second in the set */
	uint64_t second_start, *second_row;
};

/* Farther from any address than a line. */
#define LAC_FRONT_NONE (1ull << 63)

/* Accesses of 1, 2, 4, 8, 16 bytes have a short way. */
enum { LAC_SIZES = 5, LAC_LINE_BYTES_MAX = 256 };

struct lac_tracer {
	/* an empty one, and 0, unless lac_tracer_enable() finds it of use */
	const char *front;
	uint64_t front_mask;
	uint64_t room[LAC_SIZES]; /* the last byte where one of 2^i may begin */
	uint64_t short_way[LAC_EVENTS]; /* one probe each; in no other count */
	/* what an access that is not such a hit comes to */
	void (*rest)(uint64_t addr, unsigned int bytes, enum lac_event kind);
	bool on;
	bool misses_only, any_address;
	bool strangers;	    /* another thread came: nothing counts any more */
	const char *thread; /* lac_tracer_here of the one that is watched */
	unsigned int line_shift;
	uint64_t line_bytes, line_mask;
	uint64_t window_bytes[LAC_WINDOWS];
	struct lac_cachesim *cache; /* one CPU */
	struct lac_machine *machine; /* several */
	char *fronts; /* NULL: none, for the model cannot have one */
	size_t fronts_bytes;
	struct lac_miss miss[LAC_MISSES], *next_miss; /* that wait */
	uint64_t followed; /* line of pointers, the last one */
	struct lac_region *by_place[LAC_WINDOWS * LAC_PLACES];
	struct lac_trace_counts n;
	struct lac_trace_record *record;
	struct lac_page_map map;
	struct lac_region *region[LAC_REGIONS_MAX]; /* as registered */
	struct lac_region *sorted[LAC_REGIONS_MAX]; /* by base */
	size_t nregions;
	/* the row of what is not counted by place */
	uint64_t nowhere[LAC_ROW_PARTS * LAC_LINE_BYTES_MAX];
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
/* One that has bytes of the line at start; NULL: none has. */
struct lac_region *lac_tracer_region_on(uint64_t start);
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
	       (addr >> LAC_PLACE_SHIFT & (LAC_PLACES - 1));
}

static inline __attribute__((always_inline)) struct lac_region *
lac_tracer_region_of(struct lac_tracer *t, uint64_t addr)
{
	struct lac_region *r = t->by_place[lac_tracer_place(addr)];

	if (__builtin_expect(r && lac_region_has(r, addr), 1))
		return r;
	return lac_tracer_region_find(addr);
}

static inline __attribute__((always_inline)) void
lac_region_touch_line(struct lac_tracer *t, struct lac_region *r, uint64_t addr)
{
	uint64_t at = (addr >> t->line_shift) - r->first_line;
	uint64_t bit;

	if (__builtin_expect(r->touched[at / 64] >> at % 64 & 1, 1))
		return;
	bit = 1ull << at % 64;
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
lac_tracer_touch(struct lac_tracer *t, uint64_t addr)
{
	struct lac_region *r = lac_tracer_region_of(t, addr);

	if (__builtin_expect(!r, 0))
		return NULL;
	lac_region_touch_line(t, r, addr);
	return &r->cell[lac_region_offset(r, addr)];
}

/* The line of an address, or LAC_LINE_NONE. */
static inline __attribute__((always_inline)) uint32_t
lac_tracer_line(struct lac_tracer *t, uint64_t addr)
{
	uint64_t id = addr >> LAC_WINDOW_SHIFT;
	uint64_t off = addr & ((1ull << LAC_WINDOW_SHIFT) - 1);

	if (__builtin_expect(id < LAC_WINDOWS && off < t->window_bytes[id], 1))
		return (uint32_t)(id << LAC_WINDOW_LINE_BITS |
				  off >> t->line_shift);
	return lac_tracer_other_line(addr);
}

/* The whole of an access, whatever it is. */
void lac_tracer_any_event(uint64_t addr, unsigned int bytes,
			  enum lac_event kind);

/* front.c: no trace, or none of use */
extern const struct lac_front lac_front_none;
void lac_front_ignore(uint64_t addr, unsigned int bytes, enum lac_event kind);
/* The front of a model, if it can have one. */
enum lac_status lac_front_init(struct lac_tracer *t, struct lac_err *err);
void lac_front_empty(struct lac_tracer *t);
/* Use it from now on, or do not. */
void lac_front_use(struct lac_tracer *t, bool on);

/* All of the model sees what L1 has seen. */
void lac_front_catch_up(struct lac_tracer *t);

/* Something else than front.c probes a line. */
static inline void lac_front_drop(struct lac_tracer *t, uint32_t line)
{
	struct lac_front *f;

	if (!t->fronts)
		return;
	lac_front_catch_up(t);
	f = (struct lac_front *)(void *)(t->fronts +
					 ((line & t->cache->level[0].mask)
					  << t->line_shift));
	f->start = f->dirty = f->second_start = LAC_FRONT_NONE;
}

/*
 * An access of a power of two of bytes, up to 16.  Calls nothing but at its end,
 * so that the usual one saves no register.
 */
static inline __attribute__((always_inline)) void
lac_tracer_event(uint64_t addr, unsigned int bytes, enum lac_event kind)
{
	struct lac_tracer *t = &lac_tracer_now;
	const struct lac_front *f = (const struct lac_front *)(const void *)(
		t->front + (addr & t->front_mask));
	uint64_t at = addr - (kind == LAC_READ ? f->start : f->dirty);

	if (__builtin_expect(at > t->room[__builtin_ctz(bytes)], 0)) {
		t->rest(addr, bytes, kind);
		return;
	}
	t->short_way[kind]++;
	f->row[at]++;
}

#endif

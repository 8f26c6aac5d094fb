/* SPDX-License-Identifier: BSD-2-Clause */
#include "cachesim/tracer.h"

#include <stdlib.h>
#include <string.h>

#include "cachesim/tracer_internal.h"

/* No trace: accesses come to nothing. */
#define NO_TRACE                                                               \
	{ .front = (const char *)&lac_front_none, .rest = lac_front_ignore,    \
	  .next_miss = lac_tracer_now.miss }

struct lac_tracer lac_tracer_now = NO_TRACE;
__thread char lac_tracer_here;

enum lac_status lac_tracer_start(const struct lac_trace_options *o,
				 struct lac_err *err)
{
	struct lac_tracer *t = &lac_tracer_now;
	enum lac_status st;

	if (t->cache || t->machine)
		return lac_fail(err, LAC_USAGE, "a trace is already running");
	*t = (struct lac_tracer)NO_TRACE;
	t->misses_only = o->misses_only;
	t->any_address = o->any_address;
	t->record = o->record;
	t->thread = &lac_tracer_here;
	t->line_bytes = o->geometry.line_bytes;
	t->line_mask = -t->line_bytes;
	t->line_shift = (unsigned int)__builtin_ctz(o->geometry.line_bytes);
	for (unsigned int i = 0; i < LAC_SIZES; i++)
		t->room[i] = t->line_bytes - (1u << i);
	if (o->cpus > 1)
		st = lac_machine_create(o, &t->machine, err);
	else
		st = lac_cachesim_create(&o->geometry, &t->cache, err);
	if (st == LAC_OK)
		st = lac_front_init(t, err);
	if (st != LAC_OK)
		lac_tracer_stop();
	return st;
}

void lac_tracer_stop(void)
{
	struct lac_tracer *t = &lac_tracer_now;

	lac_cachesim_destroy(t->cache);
	lac_machine_destroy(t->machine);
	for (size_t i = 0; i < t->nregions; i++) {
		lac_region_deinit(t->region[i]);
		free(t->region[i]);
	}
	free(t->map.page);
	free(t->map.number);
	free(t->fronts);
	*t = (struct lac_tracer)NO_TRACE;
}

static void place_region(const struct lac_tracer *t, struct lac_region *r)
{
	uint64_t id = r->base >> LAC_WINDOW_SHIFT;
	uint64_t off = r->base & ((1ull << LAC_WINDOW_SHIFT) - 1);

	r->direct = 0;
	if (id < LAC_WINDOWS && off + r->bytes <= t->window_bytes[id])
		r->direct = r->inner;
	r->line_delta = (uint32_t)((id << LAC_WINDOW_LINE_BITS) -
				   (id << (LAC_WINDOW_SHIFT - t->line_shift)));
}

enum lac_status lac_tracer_window(unsigned int id, uint64_t bytes,
				  struct lac_err *err)
{
	struct lac_tracer *t = &lac_tracer_now;
	uint64_t most = 1ull << (LAC_WINDOW_LINE_BITS + t->line_shift);

	if (!id || id >= LAC_WINDOWS || bytes > most)
		return lac_fail(err, LAC_USAGE,
				"window %u of %llu bytes: windows are 1 to %d, "
				"up to %llu bytes at this line size", id,
				(unsigned long long)bytes, LAC_WINDOWS - 1,
				(unsigned long long)most);
	t->window_bytes[id] = bytes;
	for (size_t i = 0; i < t->nregions; i++)
		place_region(t, t->region[i]);
	return LAC_OK;
}

/* a lies before b, and perhaps on b's first line as well. */
static void neighbours(struct lac_region *a, struct lac_region *b)
{
	if (a->first_line + a->lines > b->first_line)
		a->last_shared = b->first_shared = true;
}

enum lac_status lac_tracer_region(const struct lac_region_spec *spec,
				  struct lac_err *err)
{
	struct lac_tracer *t = &lac_tracer_now;
	struct lac_region *r = calloc(1, sizeof(*r));
	enum lac_status st;
	size_t i;

	if (!r)
		return lac_fail_memory(err);
	st = lac_region_init(r, spec, 1u << t->line_shift, err);
	if (st == LAC_OK && t->nregions == LAC_REGIONS_MAX)
		st = lac_fail(err, LAC_USAGE, "more than %d regions",
			      LAC_REGIONS_MAX);
	for (i = 0; st == LAC_OK && i < t->nregions; i++)
		if (t->region[i]->base < r->base + r->bytes &&
		    r->base < t->region[i]->base + t->region[i]->bytes)
			st = lac_fail(err, LAC_USAGE,
				      "regions %s and %s overlap",
				      t->region[i]->spec.name, spec->name);
	if (st != LAC_OK) {
		lac_region_deinit(r);
		free(r);
		return st;
	}
	for (i = t->nregions; i && t->sorted[i - 1]->base > r->base; i--)
		t->sorted[i] = t->sorted[i - 1];
	t->sorted[i] = r;
	t->region[t->nregions++] = r;
	if (i)
		neighbours(t->sorted[i - 1], r);
	if (i + 1 < t->nregions)
		neighbours(r, t->sorted[i + 1]);
	place_region(t, r);
	lac_front_empty(t);
	return LAC_OK;
}

/* The last region that begins at or below addr. */
static struct lac_region *region_below(const struct lac_tracer *t,
				       uint64_t addr)
{
	size_t low = 0, high = t->nregions;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (t->sorted[mid]->base <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? t->sorted[low - 1] : NULL;
}

struct lac_region *lac_tracer_region_find(uint64_t addr)
{
	struct lac_tracer *t = &lac_tracer_now;
	struct lac_region *r = region_below(t, addr);

	if (!r || !lac_region_has(r, addr))
		return NULL;
	return t->by_place[lac_tracer_place(addr)] = r;
}

struct lac_region *lac_tracer_region_on(uint64_t start)
{
	struct lac_tracer *t = &lac_tracer_now;
	struct lac_region *r = region_below(t, start + t->line_bytes - 1);

	if (!r || r->base + r->bytes <= start)
		return NULL;
	return t->by_place[lac_tracer_place(start)] = r;
}

void lac_tracer_enable(bool on)
{
	struct lac_tracer *t = &lac_tracer_now;

	t->on = on && !t->strangers;
	lac_front_use(t, t->on);
}

/*
 * It has not touched anything yet: its accesses come after its first entry, and
 * then go nowhere, so that the tracer stays the watched thread's own.
 */
void lac_tracer_stranger(void)
{
	if (!lac_tracer_now.on)
		return;
	lac_tracer_now.strangers = true;
	lac_tracer_enable(false);
}

bool lac_tracer_disturbed(void)
{
	return lac_tracer_now.strangers;
}

/* ---- accesses ----------------------------------------------------------------- */

static void record(struct lac_trace_record *r, uint32_t line,
		   enum lac_event kind)
{
	if (r->n < r->room)
		r->probe[r->n++] = line << 1 | (kind != LAC_READ);
	else
		r->lost++;
}

/* One line's part of an access; c: where it counts, NULL: not known, or nowhere. */
static void probe(struct lac_tracer *t, uint64_t addr, uint32_t line,
		  enum lac_event kind, struct lac_cell *c)
{
	unsigned int found;

	lac_front_drop(t, line);
	found = lac_cachesim_touch(t->cache, line,
				   kind == LAC_READ ? 0 : LAC_LINE_DIRTY);
	if (!found)
		return;
	if (t->misses_only)
		c = lac_tracer_cell(t, addr);
	for (unsigned int i = 0; c && i < found; i++)
		c->misses[i]++;
}

static void straddle(struct lac_tracer *t, uint64_t start, uint64_t end,
		     uint32_t line, enum lac_event kind)
{
	uint64_t addr = ((start >> t->line_shift) + 1) << t->line_shift;
	struct lac_cell *c = lac_tracer_cell(t, start);

	t->n.straddles++;
	if (c)
		c->straddles++;
	for (; addr < end; addr += 1ull << t->line_shift) {
		line++;
		if (t->record)
			record(t->record, line, kind);
		c = t->misses_only ? NULL : lac_tracer_touch(t, addr);
		probe(t, addr, line, kind, c);
	}
}

void lac_tracer_any_event(uint64_t addr, unsigned int bytes,
			  enum lac_event kind)
{
	struct lac_tracer *t = &lac_tracer_now;
	struct lac_cell *c = NULL;
	uint32_t line;

	t->n.events[kind]++;
	line = lac_tracer_line(t, addr);
	t->n.other += line == LAC_LINE_NONE;
	if (t->machine) {
		lac_machine_event(t->machine, addr, line, bytes, kind);
		return;
	}
	if (line == LAC_LINE_NONE)
		return;
	if (t->record)
		record(t->record, line, kind);
	if (!t->misses_only) {
		c = lac_tracer_touch(t, addr);
		if (c)
			c->accesses++;
	}
	probe(t, addr, line, kind, c);
	if ((addr ^ (addr + bytes - 1)) >> t->line_shift != 0)
		straddle(t, addr, addr + bytes, line, kind);
}

void lac_tracer_reset(void)
{
	struct lac_tracer *t = &lac_tracer_now;

	lac_front_catch_up(t);
	memset(&t->n, 0, sizeof(t->n));
	memset(t->short_way, 0, sizeof(t->short_way));
	lac_front_empty(t);
	if (t->cache)
		lac_cachesim_reset_counts(t->cache);
	if (t->machine)
		lac_machine_reset(t->machine);
	for (size_t i = 0; i < t->nregions; i++)
		lac_region_reset(t->region[i]);
}

void lac_tracer_next_round(void)
{
	struct lac_tracer *t = &lac_tracer_now;

	lac_front_empty(t);
	for (size_t i = 0; i < t->nregions; i++)
		lac_region_next_round(t->region[i]);
}

struct lac_trace_counts lac_tracer_counts(void)
{
	struct lac_trace_counts n = lac_tracer_now.n;

	for (int i = 0; i < LAC_EVENTS; i++)
		n.events[i] += lac_tracer_now.short_way[i];
	return n;
}

struct lac_cachesim_counts lac_tracer_cache_counts(void)
{
	struct lac_tracer *t = &lac_tracer_now;
	struct lac_cachesim_counts n;

	if (t->machine)
		return lac_machine_cache_counts(t->machine);
	lac_front_catch_up(t);
	n = lac_cachesim_counts(t->cache);
	for (int i = 0; i < LAC_EVENTS; i++)
		n.probes += t->short_way[i];
	return n;
}

struct lac_coherence_counts lac_tracer_coherence(void)
{
	const struct lac_tracer *t = &lac_tracer_now;

	return t->machine ? lac_machine_coherence(t->machine)
			  : (struct lac_coherence_counts){ 0 };
}

const struct lac_region *lac_tracer_region_at(size_t i)
{
	if (i >= lac_tracer_now.nregions)
		return NULL;
	lac_front_catch_up(&lac_tracer_now);
	lac_region_settle(lac_tracer_now.region[i]);
	return lac_tracer_now.region[i];
}

/* ---- pages anywhere ----------------------------------------------------------- */

/* The window for what has none of its own. */
enum { OTHER_WINDOW = 6 };

static bool map_grow(struct lac_page_map *m)
{
	size_t room = m->room ? 2 * m->room : 1024;
	struct lac_page_map n = {
		.page = calloc(room, sizeof(*n.page)),
		.number = calloc(room, sizeof(*n.number)),
		.room = room,
		.used = m->used,
	};

	if (!n.page || !n.number) {
		free(n.page);
		free(n.number);
		return false;
	}
	for (size_t i = 0; i < m->room; i++) {
		size_t at = m->page[i] * 0x9e3779b97f4a7c15u >> 20;

		if (!m->page[i])
			continue;
		while (n.page[at & (room - 1)])
			at++;
		n.page[at & (room - 1)] = m->page[i];
		n.number[at & (room - 1)] = m->number[i];
	}
	free(m->page);
	free(m->number);
	*m = n;
	return true;
}

uint32_t lac_tracer_other_line(uint64_t addr)
{
	struct lac_tracer *t = &lac_tracer_now;
	struct lac_page_map *m = &t->map;
	uint64_t page = (addr >> LAC_PAGE_SHIFT) + 1;
	uint32_t in_page = (uint32_t)(addr & 4095) >> t->line_shift;
	size_t at = page * 0x9e3779b97f4a7c15u >> 20;

	if (!t->any_address || (2 * m->used >= m->room && !map_grow(m)))
		return LAC_LINE_NONE;
	while (m->page[at & (m->room - 1)] != page) {
		if (!m->page[at & (m->room - 1)]) {
			if (m->used >> (LAC_WINDOW_LINE_BITS + t->line_shift -
					LAC_PAGE_SHIFT))
				return LAC_LINE_NONE;
			m->page[at & (m->room - 1)] = page;
			m->number[at & (m->room - 1)] = (uint32_t)m->used++;
			break;
		}
		at++;
	}
	return (uint32_t)OTHER_WINDOW << LAC_WINDOW_LINE_BITS |
	       m->number[at & (m->room - 1)]
		       << (LAC_PAGE_SHIFT - t->line_shift) |
	       in_page;
}

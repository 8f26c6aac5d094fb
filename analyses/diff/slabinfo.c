/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff/slabinfo.h"

#include <stdlib.h>
#include <string.h>

#include "diff/internal.h"
#include "diff/scan.h"

#define PAGE_BYTES 4096u
/* Beyond any machine; keeps every product below from overflowing. */
#define MAX_COUNT (1ull << 40)

static enum lac_status number(struct lac_scan *s, uint64_t *ret,
			      const char *what, struct lac_err *err)
{
	uint64_t v = 0;
	unsigned digits = 0;
	char c;

	for (c = lac_scan_peek(s); c >= '0' && c <= '9';
	     c = s->at < s->size ? s->text[s->at] : '\0') {
		v = v * 10 + (uint64_t)(c - '0');
		if (v > MAX_COUNT)
			return lac_scan_fail(s, err, "%s is too large", what);
		digits++;
		s->at++;
	}
	if (!digits)
		return lac_scan_fail(s, err, "%s is missing: this is not a "
				     "/proc/slabinfo", what);
	*ret = v;
	return LAC_OK;
}

static enum lac_status parse_cache(struct lac_scan *s, struct lac_arena *arena,
				   struct lac_slab_cache *c,
				   struct lac_err *err)
{
	const char *rest;
	uint64_t ignored;

	c->name = lac_scan_word(s, "", arena);
	if (!c->name)
		return lac_fail_memory(err);
	LAC_TRY(number(s, &c->active, "the count of active objects", err));
	LAC_TRY(number(s, &c->total, "the count of objects", err));
	LAC_TRY(number(s, &c->object_bytes, "the object size", err));
	LAC_TRY(number(s, &c->per_slab, "objects per slab", err));
	LAC_TRY(number(s, &c->pages_per_slab, "pages per slab", err));
	if (!c->object_bytes || !c->per_slab || !c->pages_per_slab)
		return lac_scan_fail(s, err, "cache '%s' has objects of no "
				     "size", c->name);
	c->slabs = (c->total + c->per_slab - 1) / c->per_slab;
	rest = lac_scan_rest(s, arena);
	if (!rest)
		return lac_fail_memory(err);
	rest = strstr(rest, ": slabdata ");
	/* active slabs, then all of them */
	if (rest) {
		char *end;

		(void)strtoull(rest + 11, &end, 10);
		ignored = strtoull(end, NULL, 10);
		if (ignored && ignored <= MAX_COUNT)
			c->slabs = ignored;
	}
	return LAC_OK;
}

static bool is_header(struct lac_scan *s)
{
	return lac_scan_keyword(s, "slabinfo");
}

enum lac_status lac_slabinfo_parse(const char *path, const char *text,
				   size_t size, struct lac_arena *arena,
				   struct lac_slabinfo *ret,
				   struct lac_err *err)
{
	struct lac_slabinfo info = {0};
	struct lac_scan s;
	uint32_t lines = 0;

	lac_scan_start_input(&s, path, text, size);
	while (lac_scan_line(&s))
		lines++;
	info.caches = lac_arena_zalloc(arena, lines, sizeof(*info.caches));
	if (!info.caches)
		return lac_fail_memory(err);
	lac_scan_start_input(&s, path, text, size);
	while (lac_scan_line(&s))
		if (!is_header(&s))
			LAC_TRY(parse_cache(&s, arena,
					    &info.caches[info.n++], err));
	if (!info.n)
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: no cache in it; a copy of /proc/slabinfo "
				"is read by root only", path);
	*ret = info;
	return LAC_OK;
}

/* The length without the endings that say nothing. */
static size_t stem(const char *name)
{
	static const char *const endings[] = {"_cachep", "_cache", "_slab",
					      "_struct", "_t", NULL};
	size_t n = strlen(name);

	for (size_t i = 0; endings[i]; i++) {
		size_t e = strlen(endings[i]);

		if (n > e && !strcmp(name + n - e, endings[i]))
			return n - e;
	}
	return n;
}

static bool called_after(const char *cache, const char *record)
{
	size_t c = stem(cache), r = stem(record);

	if (!strcmp(cache, "filp") && !strcmp(record, "file"))
		return true;
	return c == r && !strncmp(cache, record, c);
}

/* Slots of `size` bytes are what objects of this record would get. */
static bool holds(uint64_t slot, uint64_t size)
{
	for (uint64_t align = 8; align <= 128; align *= 2) {
		uint64_t up = (size + align - 1) / align * align;

		if (slot == up || slot == (size + 8 + align - 1) / align * align)
			return true;
	}
	return false;
}

static uint64_t slot_of(uint64_t size, uint64_t known, uint64_t known_size)
{
	/* what the machine added to its own size is added to the other one */
	uint64_t align = 8;

	while (align < 128 && known % (align * 2) == 0 &&
	       (known_size + align - 1) / align * align != known)
		align *= 2;
	if ((known_size + align - 1) / align * align == known)
		return (size + align - 1) / align * align;
	return (size + 8 + 7) / 8 * 8;
}

static int64_t slab_bytes(const struct lac_slab_cache *c,
			  const struct lac_live *l, bool old_known)
{
	uint64_t read = c->slabs * c->pages_per_slab;
	const struct lac_slab_fit *other = old_known ? &l->new_fit
						     : &l->old_fit;
	uint64_t pages;

	if (!other->objects)
		return 0;
	pages = ((c->active + other->objects - 1) / other->objects)
		<< other->order;
	return ((int64_t)pages - (int64_t)read) * (int64_t)PAGE_BYTES *
	       (old_known ? 1 : -1);
}

static void weigh(struct lac_record_diff *r, const struct lac_slab_cache *c,
		  uint32_t cpus)
{
	uint64_t was = r->old_shape->size, is = r->new_shape->size;
	bool old_known = holds(c->object_bytes, was);
	struct lac_live *l = &r->live;
	struct lac_slab_fit seen = {.objects = (uint32_t)c->per_slab};

	if (!old_known && !holds(c->object_bytes, is))
		return;
	while (((uint64_t)1 << seen.order) < c->pages_per_slab)
		seen.order++;
	l->cache = c->name;
	l->objects = c->active;
	l->old_slot = old_known ? c->object_bytes
				: slot_of(was, c->object_bytes, is);
	l->new_slot = old_known ? slot_of(is, c->object_bytes, was)
				: c->object_bytes;
	l->old_fit = old_known ? seen : lac_slab_fit_for(l->old_slot, cpus);
	l->new_fit = old_known ? lac_slab_fit_for(l->new_slot, cpus) : seen;
	if (l->old_slot == l->new_slot)
		l->old_fit = l->new_fit = seen;
	l->bytes = (int64_t)c->active *
		   ((int64_t)l->new_slot - (int64_t)l->old_slot);
	l->slab_bytes = l->old_slot == l->new_slot
				? 0
				: slab_bytes(c, l, old_known);
}

static bool has_size(const struct lac_shape *s)
{
	return s && !s->is_enum && s->name && s->size != LAC_SIZE_UNKNOWN &&
	       s->size < MAX_COUNT / 1024;
}

void lac_diff_weigh(struct lac_diff *d, const struct lac_slabinfo *s,
		    uint32_t cpus)
{
	for (uint32_t i = 0; i < d->nrecords; i++) {
		struct lac_record_diff *r = &d->records[i];

		if (!has_size(r->old_shape) || !has_size(r->new_shape))
			continue;
		for (uint32_t k = 0; k < s->n && !r->live.cache; k++)
			if (called_after(s->caches[k].name,
					 r->new_shape->name))
				weigh(r, &s->caches[k], cpus);
	}
	lac_diff_rank(d);
}

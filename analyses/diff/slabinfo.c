/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff/slabinfo.h"

#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "diff/internal.h"
#include "diff/scan.h"

/* Beyond any machine; they keep every product from overflowing. */
#define MOST_OBJECTS (1ull << 36)
#define MOST_BYTES (1ull << 24)
#define MOST_PAGES (1ull << 12)

static enum lac_status number(struct lac_scan *s, uint64_t *ret, uint64_t most,
			      const char *what, struct lac_err *err)
{
	uint64_t v = 0;
	unsigned digits = 0;
	char c;

	for (c = lac_scan_peek(s); c >= '0' && c <= '9';
	     c = s->at < s->size ? s->text[s->at] : '\0') {
		v = v * 10 + (uint64_t)(c - '0');
		if (v > most)
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
	LAC_TRY(number(s, &c->active, MOST_OBJECTS,
		       "the count of active objects", err));
	LAC_TRY(number(s, &c->total, MOST_OBJECTS, "the count of objects",
		       err));
	LAC_TRY(number(s, &c->object_bytes, MOST_BYTES, "the object size",
		       err));
	LAC_TRY(number(s, &c->per_slab, MOST_BYTES, "objects per slab", err));
	LAC_TRY(number(s, &c->pages_per_slab, MOST_PAGES, "pages per slab",
		       err));
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
		const char *end;

		if (lac_digits_scan(rest + 11, 10, UINT64_MAX, &ignored,
				    &end) &&
		    lac_digits_scan(end + strspn(end, " "), 10, MOST_OBJECTS,
				    &ignored, &end) &&
		    ignored)
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
	struct lac_slabinfo info = {.path = path};
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

/* One of each class of the rule: it goes by the highest bit of the count. */
uint32_t lac_slabinfo_cpus(const struct lac_slabinfo *s, uint32_t fallback,
			   uint32_t *agree)
{
	uint32_t best = fallback, most = 0;

	for (uint32_t n = 0; n <= 14; n++) {
		uint32_t cpus = n ? 1u << (n - 1) : fallback;
		uint32_t right = 0;

		for (uint32_t i = 0; i < s->n; i++) {
			const struct lac_slab_cache *c = &s->caches[i];
			struct lac_slab_fit f =
				lac_slab_fit_for(c->object_bytes, cpus);

			right += f.objects == c->per_slab &&
				 (uint64_t)1 << f.order == c->pages_per_slab;
		}
		if (right > most) {
			best = cpus;
			most = right;
		}
	}
	*agree = most;
	return best;
}

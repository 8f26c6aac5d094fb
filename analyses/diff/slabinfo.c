/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff/slabinfo.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "diff/internal.h"
#include "diff/scan.h"

/* Beyond any machine; they keep every product from overflowing. */
#define MOST_OBJECTS (1ull << 36)
#define MOST_BYTES (1ull << 24)
#define MOST_PAGES (1ull << 12)
#define LARGEST_PAGE (1ull << 18) /* bytes, of any kernel's */

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

/*
 * " : tunables ... : slabdata ACTIVE SLABS SHARED", which may be absent; the
 * slabs are then as many as full ones would be.
 */
static enum lac_status parse_slabs(struct lac_scan *s, struct lac_slab_cache *c,
				   struct lac_err *err)
{
	static const char word[] = "slabdata";
	const char *from = s->text + s->at;
	const char *end = memchr(from, '\n', s->size - s->at);
	size_t n = end ? (size_t)(end - from) : s->size - s->at;
	const char *at = memmem(from, n, word, strlen(word));
	uint64_t active = 0;

	c->slabs = (c->total + c->per_slab - 1) / c->per_slab;
	if (!at)
		return LAC_OK;
	s->at = (size_t)(at - s->text) + strlen(word);
	LAC_TRY(number(s, &active, MOST_OBJECTS, "the count of active slabs",
		       err));
	LAC_TRY(number(s, &c->slabs, MOST_OBJECTS, "the count of slabs", err));
	if (active > c->slabs)
		return lac_scan_fail(s, err, "cache '%s' has %" PRIu64
				     " active slabs of %" PRIu64,
				     lac_quote(c->name).text, active,
				     c->slabs);
	if (c->total && !c->slabs)
		return lac_scan_fail(s, err, "cache '%s' has %" PRIu64
				     " objects in no slab",
				     lac_quote(c->name).text, c->total);
	return LAC_OK;
}

static enum lac_status parse_cache(struct lac_scan *s, struct lac_arena *arena,
				   struct lac_slab_cache *c,
				   struct lac_err *err)
{
	struct lac_scan start = *s;

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
		return lac_scan_fail(&start, err, "cache '%s' has %s",
				     lac_quote(c->name).text,
				     !c->object_bytes ? "objects of no size"
				     : !c->per_slab   ? "slabs of no objects"
						      : "slabs of no pages");
	if (c->active > c->total)
		return lac_scan_fail(&start, err, "cache '%s' has %" PRIu64
				     " active objects of %" PRIu64,
				     lac_quote(c->name).text, c->active,
				     c->total);
	if (c->per_slab * c->object_bytes > c->pages_per_slab * LARGEST_PAGE)
		return lac_scan_fail(&start, err,
				     "cache '%s' has more in a slab than its "
				     "pages hold, of any size",
				     lac_quote(c->name).text);
	return parse_slabs(s, c, err);
}

/* "slabinfo - version: 2.1": the columns of others are not these. */
static enum lac_status parse_version(struct lac_scan *s,
				     struct lac_arena *arena,
				     struct lac_err *err)
{
	struct lac_scan start;
	const char *version = "";

	lac_scan_take(s, '-');
	lac_scan_peek(s);
	start = *s;
	if (lac_scan_keyword(s, "version") && lac_scan_take(s, ':')) {
		lac_scan_peek(s);
		start = *s;
		version = lac_scan_word(s, "", arena);
		if (!version)
			return lac_fail_memory(err);
	}
	if (!strcmp(version, "2.0") || !strcmp(version, "2.1"))
		return LAC_OK;
	return lac_scan_fail(&start, err,
			     "version '%s': only 2.0 and 2.1 are known",
			     lac_quote(version).text);
}

enum lac_status lac_slabinfo_parse(const char *path, const char *text,
				   size_t size, struct lac_arena *arena,
				   struct lac_slabinfo *ret,
				   struct lac_err *err)
{
	struct lac_slabinfo info = {.path = path};
	struct lac_scan s;
	uint32_t lines = 0;

	LAC_TRY(lac_scan_start(&s, path, text, size, LAC_BAD_INPUT, err));
	while (lac_scan_line(&s))
		lines++;
	info.caches = lac_arena_zalloc(arena, lines, sizeof(*info.caches));
	if (!info.caches)
		return lac_fail_memory(err);
	lac_scan_rewind(&s);
	while (lac_scan_line(&s)) {
		if (lac_scan_keyword(&s, "slabinfo"))
			LAC_TRY(parse_version(&s, arena, err));
		else
			LAC_TRY(parse_cache(&s, arena,
					    &info.caches[info.n++], err));
	}
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

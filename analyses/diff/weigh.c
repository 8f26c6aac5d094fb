/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * weigh.c - which cache of a slabinfo holds which record, in which build it was
 * taken, and what the other build would take for as many objects.
 *
 * The object size of a cache is what kmem_cache_create() made of the record's
 * (calculate_alignment() in mm/slab_common.c, calculate_sizes() in mm/slub.c):
 * rounded up to an alignment, with a free pointer behind the object if it has a
 * constructor or is freed by RCU, and with red zones and owners if debugged.
 */
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "diff/internal.h"
#include "diff/slabinfo.h"

#define PAGE_BYTES 4096u
#define POINTER_BYTES 8u
#define LINE_BYTES 64u
/* Red zones and two owners with their stacks come to less. */
#define MOST_DEBUG 512u
#define LARGEST (1ull << 23) /* bytes; an object has to fit a slab */

/* How an object of the record's size came to take what it takes. */
struct slot {
	/* 0 it cannot, 1 with bytes of unknown use, 2 by a rule, 3 plainly */
	unsigned level;
	const char *rule;
	uint32_t align; /* 0: a line's, or what part of it holds the object */
	bool pointer;
	uint64_t extra; /* bytes; level 1 */
};

struct candidate {
	uint32_t cache, record;
	unsigned score; /* of the names */
};

struct weigher {
	struct lac_diff *d;
	const struct lac_slabinfo *s;
	uint32_t *by_stem; /* caches */
	uint32_t n;
	struct candidate *list;
	struct lac_arena *scratch;
};

static uint64_t up(uint64_t v, uint64_t align)
{
	return (v + align - 1) / align * align;
}

/* SLAB_HWCACHE_ALIGN: a line, or the part of it that still holds an object. */
static uint64_t line_part(uint64_t size)
{
	uint64_t align = LINE_BYTES;

	while (align > 8 && size <= align / 2)
		align /= 2;
	return align;
}

static uint64_t slot_bytes(const struct slot *s, const struct lac_shape *shape)
{
	uint64_t own = shape->align > 8 ? shape->align : 8;
	uint64_t align = s->align ? s->align : line_part(shape->size);

	if (align < own)
		align = own;
	if (s->level == 1)
		return up(shape->size, own) + s->extra;
	return up(up(shape->size, POINTER_BYTES) +
			  (s->pointer ? POINTER_BYTES : 0),
		  align);
}

static struct slot slot_of(uint64_t bytes, const struct lac_shape *shape)
{
	static const struct slot rules[] = {
		{3, "plain", 8, false, 0},
		{2, "line", 0, false, 0},
		{2, "free pointer", 8, true, 0},
		{2, "line, free pointer", 0, true, 0},
		{2, "align 16", 16, false, 0},
		{2, "align 16, free pointer", 16, true, 0},
		{2, "align 32", 32, false, 0},
		{2, "align 32, free pointer", 32, true, 0},
		{2, "align 64", 64, false, 0},
		{2, "align 64, free pointer", 64, true, 0},
		{2, "align 128", 128, false, 0},
		{2, "align 128, free pointer", 128, true, 0},
	};
	struct slot more = {1, "more", 8, false, 0};

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (slot_bytes(&rules[i], shape) == bytes)
			return rules[i];
	if (bytes < slot_bytes(&more, shape))
		return (struct slot){0};
	more.extra = bytes - slot_bytes(&more, shape);
	return more.extra <= MOST_DEBUG ? more : (struct slot){0};
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

/* The record that a cache is called after, but for its endings. */
static const char *cache_name(const struct lac_slab_cache *c)
{
	return strcmp(c->name, "filp") ? c->name : "file";
}

static int stem_order(const char *a, const char *b)
{
	size_t na = stem(a), nb = stem(b);
	int c = memcmp(a, b, na < nb ? na : nb);

	return c ? c : na < nb ? -1 : na > nb;
}

static int cache_order(const void *pa, const void *pb, void *ctx)
{
	const struct lac_slab_cache *c = ctx;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	int o = stem_order(cache_name(&c[a]), cache_name(&c[b]));

	return o ? o : a < b ? -1 : a > b;
}

static bool has_size(const struct lac_shape *s)
{
	return s && !s->is_enum && s->name && s->size != LAC_SIZE_UNKNOWN &&
	       s->size && s->size < LARGEST;
}

/* The first cache in order whose stem is not before the record's. */
static uint32_t first_cache(const struct weigher *w, const char *name)
{
	uint32_t from = 0, to = w->s->n;

	while (from < to) {
		uint32_t mid = from + (to - from) / 2;
		const char *c = cache_name(&w->s->caches[w->by_stem[mid]]);

		if (stem_order(c, name) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

/* With list NULL they are only counted. */
static uint64_t collect(struct weigher *w, struct candidate *list)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < w->d->nrecords; i++) {
		const struct lac_record_diff *r = &w->d->records[i];
		const char *name;

		if (!has_size(r->old_shape) || !has_size(r->new_shape))
			continue;
		name = r->new_shape->name;
		for (uint32_t k = first_cache(w, name); k < w->s->n; k++) {
			uint32_t c = w->by_stem[k];
			const char *cache = cache_name(&w->s->caches[c]);

			if (stem_order(cache, name))
				break;
			if (list)
				list[n] = (struct candidate){
					c, i, strcmp(cache, name) == 0};
			n++;
		}
	}
	return n;
}

static enum lac_status find_candidates(struct weigher *w, struct lac_err *err)
{
	uint64_t n;

	w->by_stem = lac_arena_zalloc(w->scratch, w->s->n, sizeof(uint32_t));
	if (!w->by_stem)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < w->s->n; i++)
		w->by_stem[i] = i;
	qsort_r(w->by_stem, w->s->n, sizeof(uint32_t), cache_order,
		w->s->caches);
	n = collect(w, NULL);
	if (n > 1u << 24)
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: caches of one name, again and again",
				w->s->path);
	w->n = (uint32_t)n;
	w->list = lac_arena_zalloc(w->scratch, n, sizeof(*w->list));
	if (!w->list)
		return lac_fail_memory(err);
	collect(w, w->list);
	return LAC_OK;
}

static unsigned level(const struct weigher *w, const struct candidate *c,
		      enum lac_slab_side side)
{
	const struct lac_record_diff *r = &w->d->records[c->record];

	return slot_of(w->s->caches[c->cache].object_bytes,
		       side == LAC_SLAB_SIDE_OLD ? r->old_shape
						 : r->new_shape).level;
}

/* How well a cache is the record's in that build, 0: not at all; name first. */
static unsigned fit(const struct weigher *w, const struct candidate *c,
		    enum lac_slab_side side)
{
	unsigned l = level(w, c, side);

	return l ? 4 * c->score + l : 0;
}

/* A rule makes one of the other; that some bytes more do is no evidence. */
#define BY_RULE 2u

/*
 * Each cache speaks once, for the build that has the record which fits it best;
 * not at all if both have one that fits as well.  That it is like a record takes
 * a rule.
 */
static enum lac_status vote(const struct weigher *w,
			    struct lac_slab_weighing *ret, struct lac_err *err)
{
	unsigned *was = lac_arena_zalloc(w->scratch, w->s->n, sizeof(*was));
	unsigned *is = lac_arena_zalloc(w->scratch, w->s->n, sizeof(*is));
	bool *named = lac_arena_zalloc(w->scratch, w->s->n, sizeof(*named));

	if (!was || !is || !named)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < w->n; i++) {
		const struct candidate *c = &w->list[i];
		unsigned a = fit(w, c, LAC_SLAB_SIDE_OLD);
		unsigned b = fit(w, c, LAC_SLAB_SIDE_NEW);

		named[c->cache] = true;
		if (a % 4 >= BY_RULE && was[c->cache] < a)
			was[c->cache] = a;
		if (b % 4 >= BY_RULE && is[c->cache] < b)
			is[c->cache] = b;
	}
	for (uint32_t i = 0; i < w->s->n; i++) {
		ret->like_old += was[i] > is[i];
		ret->like_new += is[i] > was[i];
		ret->like_neither += named[i] && !was[i] && !is[i];
	}
	return LAC_OK;
}

static enum lac_status decide(const struct weigher *w,
			      enum lac_slab_side asked,
			      struct lac_slab_weighing *ret,
			      struct lac_err *err)
{
	uint32_t a = ret->like_old, b = ret->like_new;

	if (asked != LAC_SLAB_SIDE_UNKNOWN || !w->n) {
		ret->side = asked;
		return LAC_OK;
	}
	if (ret->like_neither > a + b)
		return lac_fail(err, LAC_USAGE,
				"%s: taken on neither build, as it seems: the "
				"objects of %u cache%s are not of the size of "
				"the record in either, of %u like the old "
				"build's, of %u like the new one's; take the "
				"file on a machine that runs one of the two, "
				"or say --slabinfo-side old or new to weigh "
				"by what fits",
				w->s->path, ret->like_neither,
				lac_s(ret->like_neither), a, b);
	if (a / 3 >= b && a)
		ret->side = LAC_SLAB_SIDE_OLD;
	else if (b / 3 >= a && b)
		ret->side = LAC_SLAB_SIDE_NEW;
	else
		return lac_fail(err, LAC_USAGE,
				"%s: cannot tell which build it was taken on: "
				"the objects of %u cache%s are like the old "
				"build's records, of %u like the new one's, "
				"of %u like neither's; say --slabinfo-side "
				"old or new",
				w->s->path, a, lac_s(a), b, ret->like_neither);
	return LAC_OK;
}

static uint64_t slabs_bytes(uint64_t objects, const struct lac_slab_fit *f)
{
	if (!f->objects)
		return 0;
	return (((objects + f->objects - 1) / f->objects) << f->order) *
	       PAGE_BYTES;
}

static void weigh(struct lac_live *l, const struct lac_shape *was,
		  const struct lac_shape *is, const struct lac_slab_cache *c,
		  const struct slot *slot, uint32_t cpus)
{
	l->cache = c->name;
	l->objects = c->active;
	l->rule = slot->rule;
	l->extra = slot->extra;
	l->old_slot = slot_bytes(slot, was);
	l->new_slot = slot_bytes(slot, is);
	l->old_fit = lac_slab_fit_for(l->old_slot, cpus);
	l->new_fit = lac_slab_fit_for(l->new_slot, cpus);
	l->bytes = (int64_t)c->active *
		   ((int64_t)l->new_slot - (int64_t)l->old_slot);
	l->old_slabs_bytes = slabs_bytes(c->active, &l->old_fit);
	l->new_slabs_bytes = slabs_bytes(c->active, &l->new_fit);
	/* an object that fits no slab has no cache */
	l->slab_bytes = l->old_fit.objects && l->new_fit.objects
				? (int64_t)l->new_slabs_bytes -
					  (int64_t)l->old_slabs_bytes
				: 0;
	l->held_bytes = c->slabs * c->pages_per_slab * PAGE_BYTES;
}

static int best_first(const void *pa, const void *pb)
{
	const struct candidate *a = pa, *b = pb;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	if (a->cache != b->cache)
		return a->cache < b->cache ? -1 : 1;
	return a->record < b->record ? -1 : a->record > b->record;
}

/* A cache is one record's, and a record has one cache. */
static enum lac_status give(struct weigher *w, uint32_t cpus,
			    struct lac_slab_weighing *ret,
			    struct lac_err *err)
{
	bool *taken = lac_arena_zalloc(w->scratch, w->s->n, sizeof(*taken));
	bool *misfit = lac_arena_zalloc(w->scratch, w->s->n, sizeof(*misfit));
	bool old = ret->side == LAC_SLAB_SIDE_OLD;

	ret->misfits = lac_arena_zalloc(w->d->arena, w->s->n,
					sizeof(*ret->misfits));
	if (!taken || !misfit || !ret->misfits)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < w->n; i++) {
		struct candidate *c = &w->list[i];

		c->score = fit(w, c, ret->side);
	}
	qsort(w->list, w->n, sizeof(*w->list), best_first);
	for (uint32_t i = 0; i < w->n; i++) {
		const struct candidate *c = &w->list[i];
		const struct lac_slab_cache *cache = &w->s->caches[c->cache];
		struct lac_record_diff *r = &w->d->records[c->record];
		struct slot slot = slot_of(cache->object_bytes,
					   old ? r->old_shape : r->new_shape);

		if (!slot.level) {
			misfit[c->cache] = true;
		} else if (!taken[c->cache] && !r->live.cache) {
			taken[c->cache] = true;
			weigh(&r->live, r->old_shape, r->new_shape, cache,
			      &slot, cpus);
			ret->nweighed++;
		}
	}
	for (uint32_t i = 0; i < w->s->n; i++)
		if (misfit[i] && !taken[i])
			ret->misfits[ret->nmisfits++] = w->s->caches[i].name;
	return LAC_OK;
}

static enum lac_status check_pages(const struct lac_slabinfo *s,
				   struct lac_err *err)
{
	for (uint32_t i = 0; i < s->n; i++) {
		const struct lac_slab_cache *c = &s->caches[i];

		if (c->per_slab * c->object_bytes >
		    c->pages_per_slab * PAGE_BYTES)
			return lac_fail(err, LAC_UNSUPPORTED,
					"%s: the objects of cache '%s' do not "
					"fit its slabs with pages of %u bytes; "
					"other pages are not supported",
					s->path, c->name, PAGE_BYTES);
	}
	return LAC_OK;
}

enum lac_status lac_diff_weigh(struct lac_diff *d, const struct lac_slabinfo *s,
			       enum lac_slab_side asked, uint32_t cpus,
			       struct lac_slab_weighing *ret,
			       struct lac_err *err)
{
	LAC_CLEANUP_ARENA struct lac_arena *scratch = lac_arena_create();
	struct weigher w = {.d = d, .s = s, .scratch = scratch};
	struct lac_slab_weighing done = {0};

	if (!scratch)
		return lac_fail_memory(err);
	LAC_TRY(check_pages(s, err));
	LAC_TRY(find_candidates(&w, err));
	LAC_TRY(vote(&w, &done, err));
	LAC_TRY(decide(&w, asked, &done, err));
	if (w.n)
		LAC_TRY(give(&w, cpus, &done, err));
	lac_diff_rank(d);
	*ret = done;
	return LAC_OK;
}

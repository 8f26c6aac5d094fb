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
/* A rule makes one of the other; that some bytes more do is no evidence. */
#define BY_RULE 2u
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
	bool guess;	/* the name is another that such a cache may have */
};

struct weigher {
	struct lac_diff *d;
	const struct lac_slabinfo *s;
	struct lac_cache_names names;
	uint32_t nnamed, n; /* without and with guesses */
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
		return up(up(shape->size, own) + s->extra, align);
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
	/* whole lines are no accident; but what is padding in it, none knows */
	if (bytes % LINE_BYTES == 0)
		more.align = LINE_BYTES;
	return more.extra <= MOST_DEBUG ? more : (struct slot){0};
}

static bool has_size(const struct lac_shape *s)
{
	return s && !s->is_enum && s->name && s->size != LAC_SIZE_UNKNOWN &&
	       s->size && s->size < LARGEST;
}

static bool by_rule(const struct lac_slab_cache *c, const struct lac_shape *s)
{
	return slot_of(c->object_bytes, s).level >= BY_RULE;
}

void lac_slabinfo_mark(const struct lac_cache_names *names,
		       const struct lac_shape *s)
{
	struct lac_slab_cache *all = names->s->caches;
	const char *alias;
	char buf[256];
	uint32_t c;

	if (!has_size(s))
		return;
	for (uint32_t k = lac_cache_names_first(names, s->name);
	     lac_cache_names_at(names, k, s->name, &c); k++)
		all[c].record = LAC_CACHE_NAMED;
	for (unsigned i = 0;
	     (alias = lac_cache_alias(s->name, i, buf, sizeof(buf))); i++)
		for (uint32_t k = lac_cache_names_first(names, alias);
		     lac_cache_names_at(names, k, alias, &c); k++)
			if (!all[c].record && by_rule(&all[c], s))
				all[c].record = LAC_CACHE_GUESSED;
}

static void take(struct weigher *w, struct candidate *list, uint32_t record,
		 const char *called, bool guess, uint64_t *n)
{
	uint32_t c;

	for (uint32_t k = lac_cache_names_first(&w->names, called);
	     lac_cache_names_at(&w->names, k, called, &c); k++) {
		/* a guess is not taken where a record has the name */
		if (guess && w->s->caches[c].record != LAC_CACHE_GUESSED)
			continue;
		if (list)
			list[*n] = (struct candidate){
				c, record,
				!guess && strcmp(lac_cache_called(
						     &w->s->caches[c]),
						 called) == 0,
				guess};
		++*n;
	}
}

/* With list NULL they are only counted. */
static uint64_t collect(struct weigher *w, struct candidate *list, bool guess)
{
	const char *alias;
	uint64_t n = 0;
	char buf[256];

	for (uint32_t i = 0; i < w->d->nrecords; i++) {
		const struct lac_record_diff *r = &w->d->records[i];
		const char *name;

		if (!has_size(r->old_shape) || !has_size(r->new_shape))
			continue;
		name = r->new_shape->name;
		if (!guess)
			take(w, list, i, name, false, &n);
		for (unsigned k = 0; guess && (alias = lac_cache_alias(
						       name, k, buf,
						       sizeof(buf))); k++)
			take(w, list, i, alias, true, &n);
	}
	return n;
}

/* The guesses come last, behind the nnamed others. */
static enum lac_status find_candidates(struct weigher *w, struct lac_err *err)
{
	uint64_t n, guesses;

	LAC_TRY(lac_cache_names_sort(w->s, w->scratch, &w->names, err));
	n = collect(w, NULL, false);
	guesses = collect(w, NULL, true);
	if (n + guesses > 1u << 24)
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: caches of one name, again and again",
				w->s->path);
	w->nnamed = (uint32_t)n;
	w->n = (uint32_t)(n + guesses);
	w->list = lac_arena_zalloc(w->scratch, w->n, sizeof(*w->list));
	if (!w->list)
		return lac_fail_memory(err);
	collect(w, w->list, false);
	collect(w, w->list + n, true);
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

	if (c->guess)
		return l >= BY_RULE ? l : 0;
	return l ? 4 * c->score + l : 0;
}

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
	for (uint32_t i = 0; i < w->nnamed; i++) {
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

	if (asked != LAC_SLAB_SIDE_UNKNOWN || !w->nnamed) {
		ret->side = asked;
		return LAC_OK;
	}
	if (2 * ret->like_neither > a + b)
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

/* What lies behind such a record is not in its size. */
static bool is_open_ended(const struct lac_shape *s)
{
	const struct lac_field *last =
		s->nfields ? &s->fields[s->nfields - 1] : NULL;

	return last && last->ndims && !last->dims[0];
}

static void weigh(struct lac_live *l, const struct lac_shape *was,
		  const struct lac_shape *is, const struct lac_slab_cache *c,
		  const struct slot *slot, uint32_t cpus)
{
	l->cache = c->name;
	l->objects = c->active;
	l->rule = slot->rule;
	l->extra = slot->extra;
	l->estimate = slot->level < BY_RULE || is_open_ended(was) ||
		      is_open_ended(is);
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

/* What the objects in use take. */
static uint64_t cache_bytes(const struct lac_slab_cache *c)
{
	return c->active * c->object_bytes;
}

static int largest_first(const void *pa, const void *pb)
{
	const struct lac_slab_cache *a = *(void *const *)pa;
	const struct lac_slab_cache *b = *(void *const *)pb;
	uint64_t x = cache_bytes(a), y = cache_bytes(b);

	return x != y ? (x < y ? 1 : -1) : a < b ? -1 : a > b;
}

/* What no record is known for, and the sums. */
static enum lac_status leave_out(const struct weigher *w,
				 struct lac_slab_weighing *ret,
				 struct lac_err *err)
{
	ret->without = lac_arena_zalloc(w->d->arena, w->s->n,
					sizeof(*ret->without));
	if (!ret->without)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < w->s->n; i++) {
		const struct lac_slab_cache *c = &w->s->caches[i];

		ret->bytes += cache_bytes(c);
		if (c->record)
			continue;
		ret->without[ret->nwithout++] = c;
		ret->without_bytes += cache_bytes(c);
	}
	if (ret->nwithout)
		qsort(ret->without, ret->nwithout, sizeof(*ret->without),
		      largest_first);
	return LAC_OK;
}

static int best_first(const void *pa, const void *pb)
{
	const struct candidate *a = pa, *b = pb;

	if (a->guess != b->guess)
		return a->guess ? 1 : -1;
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

		if (c->guess && slot.level < BY_RULE)
			continue;
		if (!slot.level) {
			misfit[c->cache] = true;
		} else if (!taken[c->cache] && !r->live.cache) {
			taken[c->cache] = true;
			weigh(&r->live, r->old_shape, r->new_shape, cache,
			      &slot, cpus);
			r->live.guess = c->guess;
			ret->nweighed++;
			ret->weighed_bytes += cache_bytes(cache);
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
	LAC_TRY(leave_out(&w, &done, err));
	if (w.n && done.side != LAC_SLAB_SIDE_UNKNOWN)
		LAC_TRY(give(&w, cpus, &done, err));
	lac_diff_rank(d);
	*ret = done;
	return LAC_OK;
}

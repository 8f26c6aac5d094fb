/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff/kernel.h"

#include <string.h>

#include "diff/filter.h"
#include "diff/internal.h"

static const struct subject {
	const char *name, *pair; /* the pair's second half */
	const char *lock;
} subjects[] = {
	{"page", "counters", NULL},
	{"slab", "counters", NULL},
	{"kmem_cache", NULL, NULL},
	{"kmem_cache_cpu", "tid", "lock"},
	{"kmem_cache_node", NULL, "list_lock"},
};
#define NSUBJECTS (sizeof(subjects) / sizeof(*subjects))

/* The layout that most units have, should there be several. */
static const struct item *find(const struct side *s, const char *name)
{
	const struct item *best = NULL;

	for (uint32_t i = 0; i < s->nrecord_items; i++) {
		const struct item *it = &s->items[i];

		if (it->shape.kind != LAC_STRUCT || !it->shape.name ||
		    it->shape.by_typedef || strcmp(it->shape.name, name))
			continue;
		if (!best || s->g->records[it->id].nunits >
				     s->g->records[best->id].nunits)
			best = it;
	}
	return best;
}

static const struct lac_field *field(const struct lac_shape *s,
				     const char *path)
{
	for (uint32_t i = 0; path && i < s->nfields; i++)
		if (!strcmp(s->fields[i].path, path))
			return &s->fields[i];
	return NULL;
}

static const char *variant(uint64_t size, uint32_t align)
{
	if (!align)
		return size == 56 ? "packed" : "unknown";
	if (align >= 16)
		return "aligned";
	return size % 64 ? "packed" : "unaligned";
}

static enum lac_tristate aligned(uint64_t offset, uint32_t align)
{
	if (offset % 16)
		return LAC_NO;
	if (!align)
		return LAC_CANNOT_TELL;
	return align >= 16 ? LAC_YES : LAC_NO;
}

static enum lac_status fill(const struct side *s, const struct subject *sub,
			    struct lac_arena *arena,
			    struct lac_kernel_side *to, struct lac_err *err)
{
	const struct item *it = find(s, sub->name);
	const struct item *page = find(s, "page");
	const struct lac_field *first, *second, *lock;
	uint32_t align;

	if (!it)
		return LAC_OK;
	to->present = true;
	to->size = it->shape.size;
	to->align = it->shape.align;
	to->lines = it->shape.lines;
	first = sub->pair ? field(&it->shape, "freelist") : NULL;
	second = field(&it->shape, sub->pair);
	if (first && second) {
		to->has_pair = true;
		to->pair_offset = first->bit_offset / 8;
		if (!strcmp(sub->name, "kmem_cache_cpu"))
			align = 16;
		else if (!strcmp(sub->name, "slab") && page)
			align = page->shape.align;
		else
			align = it->shape.align;
		to->pair_aligned = aligned(to->pair_offset, align);
	}
	if (!strcmp(sub->name, "page"))
		to->variant = variant(to->size, to->align);
	lock = field(&it->shape, sub->lock);
	if (!lock)
		return LAC_OK;
	to->lock = sub->lock;
	to->lock_type = lac_arena_strdup(arena, lock->type);
	to->lock_size = lock->bit_size == LAC_SIZE_UNKNOWN
				? LAC_SIZE_UNKNOWN
				: lock->bit_size / 8;
	return to->lock_type ? LAC_OK : lac_fail_memory(err);
}

static bool selected(const struct work *w, const char *name)
{
	const struct item *x = find(&w->a, name), *y = find(&w->b, name);
	char *const *type = w->o.type_globs, *const *decl = w->o.decl_globs;

	return (x && lac_shape_selected(type, decl, &x->shape)) ||
	       (y && lac_shape_selected(type, decl, &y->shape));
}

enum lac_status lac_diff_kernel(struct work *w, struct lac_err *err)
{
	struct lac_diff *d = w->d;
	struct lac_kernel_row *rows;

	if (!find(&w->a, "page") && !find(&w->b, "page"))
		return LAC_OK;
	if (!find(&w->a, "kmem_cache") && !find(&w->b, "kmem_cache"))
		return LAC_OK;
	d->has_allocator = true;
	rows = lac_arena_zalloc(d->arena, NSUBJECTS, sizeof(*rows));
	if (!rows)
		return lac_fail_memory(err);
	for (size_t i = 0; i < NSUBJECTS; i++) {
		struct lac_kernel_row *r = &rows[d->nkernel];

		if (!selected(w, subjects[i].name))
			continue;
		LAC_TRY(fill(&w->a, &subjects[i], d->arena, &r->old_side,
			     err));
		LAC_TRY(fill(&w->b, &subjects[i], d->arena, &r->new_side,
			     err));
		r->name = subjects[i].name;
		d->nkernel++;
	}
	d->kernel = rows;
	return LAC_OK;
}

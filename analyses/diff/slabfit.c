/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slabfit.c - how SLUB cuts pages into objects.  calculate_order() of
 * mm/slub.c as it was from v3.13 to v6.1: the first order up to 3 that holds
 * enough objects for the number of processors and wastes at most 1/16 of the
 * slab, then 1/8, then 1/4; then with one object less; then one object a slab.
 */
#include <string.h>

#include "diff/diff.h"

#define PAGE_BYTES 4096u
#define MAX_ORDER 3u	  /* slub_max_order */
#define LARGEST_ORDER 10u /* MAX_ORDER - 1 of the page allocator */

static uint32_t fls(uint32_t v)
{
	return v ? 32u - (uint32_t)__builtin_clz(v) : 0;
}

/* The order at which n objects of this size fit. */
static uint32_t order_for(uint64_t bytes)
{
	uint32_t order = 0;

	while (order < 63 && ((uint64_t)PAGE_BYTES << order) < bytes)
		order++;
	return order;
}

static uint32_t slab_order(uint64_t size, uint32_t objects, uint32_t max,
			   uint32_t fraction)
{
	uint32_t order = order_for(size * objects);

	for (; order <= max; order++) {
		uint64_t slab = (uint64_t)PAGE_BYTES << order;

		if (slab % size <= slab / fraction)
			break;
	}
	return order;
}

struct lac_slab_fit lac_slab_fit_for(uint64_t size, uint32_t cpus)
{
	uint64_t most;
	uint32_t objects, order;

	if (!size || size > (uint64_t)PAGE_BYTES << LARGEST_ORDER)
		return (struct lac_slab_fit){0};
	size = (size + 7) / 8 * 8;
	objects = 4 * (fls(cpus ? cpus : 16) + 1);
	most = ((uint64_t)PAGE_BYTES << MAX_ORDER) / size;
	if (objects > most)
		objects = (uint32_t)most;
	for (; objects > 1; objects--)
		for (uint32_t fraction = 16; fraction >= 4; fraction /= 2) {
			order = slab_order(size, objects, MAX_ORDER, fraction);
			if (order <= MAX_ORDER)
				goto found;
		}
	order = slab_order(size, 1, MAX_ORDER, 1);
	if (order > MAX_ORDER)
		order = order_for(size);
found:
	return (struct lac_slab_fit){
		.order = order,
		.objects = (uint32_t)(((uint64_t)PAGE_BYTES << order) / size),
	};
}

static bool of_memory_map(const struct lac_shape *s)
{
	static const char *const views[] = { "page", "folio", "ptdesc",
					     "zpdesc", "netmem_desc" };

	for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++)
		if (!strcmp(s->name, views[i]))
			return true;
	if (strcmp(s->name, "slab"))
		return false;
	/* before v5.17 a struct slab was another thing, and allocated */
	for (uint32_t i = 0; i < s->nfields; i++)
		if (!strncmp(s->fields[i].path, "__page_", 7))
			return true;
	return false;
}

bool lac_may_be_allocated(const struct lac_record_diff *r)
{
	const struct lac_shape *s = r->new_shape ? r->new_shape : r->old_shape;

	return s->name && !s->by_typedef && !s->is_enum && !of_memory_map(s);
}

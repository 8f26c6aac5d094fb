/* SPDX-License-Identifier: BSD-2-Clause */
#include "cachesim/region.h"

#include <stdlib.h>
#include <string.h>

static size_t bitmap_words(const struct lac_region *r)
{
	return r->lines / 64 + 1;
}

enum lac_status lac_region_init(struct lac_region *r,
				const struct lac_region_spec *spec,
				uint32_t line_bytes, struct lac_err *err)
{
	uint64_t base = (uint64_t)(uintptr_t)spec->base;
	uint64_t view = (uint64_t)spec->stride * spec->period;
	struct lac_region n = { .spec = *spec, .base = base };

	n.bytes = spec->bytes ? spec->bytes : spec->stride * spec->count;
	if (spec->stride < 2 || view > 1u << 16 || !n.bytes ||
	    n.bytes > 1ull << 40 || spec->block & (spec->block - 1))
		return lac_fail(err, LAC_USAGE,
				"region %s: elements of 2 to 65536 bytes, up "
				"to 1 TiB, blocks a power of two", spec->name);
	n.view_bytes = (uint32_t)view;
	n.inverse = ~0ull / view + 1;
	n.block_mask = spec->block ? spec->block - 1 : ~0ull;
	n.first_line = base / line_bytes;
	n.lines = (base + n.bytes - 1) / line_bytes - n.first_line + 1;
	n.last_line = LAC_LINE_NONE;
	n.cell = calloc(n.view_bytes, sizeof(*n.cell));
	n.touched = calloc(bitmap_words(&n), sizeof(*n.touched));
	n.ever = calloc(bitmap_words(&n), sizeof(*n.ever));
	if (!n.cell || !n.touched || !n.ever) {
		lac_region_deinit(&n);
		return lac_fail_memory(err);
	}
	*r = n;
	return LAC_OK;
}

void lac_region_deinit(struct lac_region *r)
{
	free(r->cell);
	free(r->touched);
	free(r->ever);
	free(r->pair);
	r->cell = NULL;
	r->touched = r->ever = NULL;
	r->pair = NULL;
}

void lac_region_reset(struct lac_region *r)
{
	memset(r->cell, 0, r->view_bytes * sizeof(*r->cell));
	memset(r->ever, 0, bitmap_words(r) * sizeof(*r->ever));
	lac_region_next_round(r);
	r->lines_touched = r->lines_footprint = 0;
	r->npairs = 0;
}

void lac_region_next_round(struct lac_region *r)
{
	memset(r->touched, 0, bitmap_words(r) * sizeof(*r->touched));
	r->last_line = LAC_LINE_NONE;
}

struct lac_cell lac_region_total(const struct lac_region *r)
{
	struct lac_cell sum = { 0 };

	for (uint32_t i = 0; i < r->view_bytes; i++) {
		const struct lac_cell *c = &r->cell[i];

		sum.accesses += c->accesses;
		sum.straddles += c->straddles;
		for (int k = 0; k < LAC_CACHE_LEVELS; k++)
			sum.misses[k] += c->misses[k];
		sum.hitm += c->hitm;
		sum.true_sharing += c->true_sharing;
		sum.false_sharing += c->false_sharing;
	}
	return sum;
}

void lac_region_add_pair(struct lac_region *r, uint32_t offset,
			 uint32_t other_offset)
{
	size_t i = 0;

	while (i < r->npairs && (r->pair[i].offset != offset ||
				 r->pair[i].other_offset != other_offset))
		i++;
	if (i == r->npairs) {
		if (r->npairs == r->pairs_room) {
			size_t room = r->pairs_room ? 2 * r->pairs_room : 64;
			void *more = realloc(r->pair, room * sizeof(*r->pair));

			if (!more)
				return;
			r->pair = more;
			r->pairs_room = room;
		}
		r->pair[r->npairs++] = (struct lac_sharing_pair){
			offset, other_offset, 0
		};
	}
	r->pair[i].count++;
}

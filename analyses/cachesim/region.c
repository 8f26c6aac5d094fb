/* SPDX-License-Identifier: BSD-2-Clause */
#include "cachesim/region.h"

#include <stdlib.h>
#include <string.h>

/* Counts in all rows: 4 MiB. */
enum { ROWS_MAX = 1 << 19 };

static size_t bitmap_words(const struct lac_region *r)
{
	return r->lines / 64 + 1;
}

static size_t row_words(const struct lac_region *r)
{
	return (size_t)r->phase_bytes << r->row_shift;
}

static uint32_t line_bytes_of(const struct lac_region *r)
{
	return (uint32_t)row_words(r) / LAC_ROW_PARTS;
}

/* Row 0 .. phases - 1, and two more. */
static size_t rows_words(const struct lac_region *r)
{
	return (r->phases + 2) * row_words(r);
}

/*
 * Lines begin at multiples of their size, so that their offsets in a view differ
 * by multiples of what divides both: the power of two that divides view_bytes.
 * Where elements restart this only holds if a line begins there, too.
 */
static enum lac_status rows_init(struct lac_region *r, uint32_t line_bytes,
				 struct lac_err *err)
{
	uint32_t before = (uint32_t)(r->base % line_bytes);
	uint32_t phase = r->view_bytes & -r->view_bytes;

	if (phase > line_bytes)
		phase = line_bytes;
	r->first_start = r->base - before;
	r->span = r->lines * line_bytes;
	r->phase_bytes = phase;
	r->phases = r->view_bytes / phase;
	r->row_shift = (unsigned int)__builtin_ctz(LAC_ROW_PARTS * line_bytes /
						   phase);
	r->skew = -before & (phase - 1);
	if (rows_words(r) > ROWS_MAX ||
	    (r->spec.block && (before || r->spec.block < line_bytes)))
		return LAC_OK;
	r->row = calloc(rows_words(r), sizeof(*r->row));
	if (!r->row)
		return lac_fail_memory(err);
	r->row_of_0 = r->row - ((size_t)r->skew << r->row_shift);
	r->inner = r->bytes < line_bytes ? 0 : r->bytes - line_bytes + 1;
	return LAC_OK;
}

uint64_t *lac_region_edge(const struct lac_region *r, uint64_t start)
{
	uint64_t line = start / line_bytes_of(r) - r->first_line;
	bool last = line == r->lines - 1;

	if (!r->row || (!line && r->first_shared) || (last && r->last_shared))
		return NULL;
	return r->row + (r->phases + (line != 0)) * row_words(r);
}

/* What was counted at byte i of a row's lines. */
static void settle_byte(struct lac_region *r, const uint64_t *row, uint32_t i,
			uint32_t offset)
{
	struct lac_cell *c = &r->cell[offset];
	uint32_t line = line_bytes_of(r);

	c->accesses += row[i];
	for (uint32_t k = 0; k < LAC_CACHE_LEVELS; k++)
		c->misses[k] += row[(1 + k) * line + i];
}

/* A row of the line at start; what is not in the region is no one's. */
static void settle_edge(struct lac_region *r, const uint64_t *row,
			uint64_t start)
{
	for (uint32_t i = 0; i < line_bytes_of(r); i++)
		if (lac_region_has(r, start + i))
			settle_byte(r, row, i, lac_region_offset(r, start + i));
}

void lac_region_settle(struct lac_region *r)
{
	uint32_t line = line_bytes_of(r);
	const uint64_t *row = r->row;

	if (!row)
		return;
	for (uint32_t p = 0; p < r->phases; p++, row += row_words(r))
		for (uint32_t i = 0; i < line; i++)
			settle_byte(r, row, i,
				    (r->skew + p * r->phase_bytes + i) %
					    r->view_bytes);
	settle_edge(r, row, r->first_start);
	settle_edge(r, row + row_words(r), r->first_start + r->span - line);
	memset(r->row, 0, rows_words(r) * sizeof(*r->row));
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
	if (n.bytes <= view)
		n.view_mask = n.block_mask;
	else if (!(view & (view - 1)))
		n.view_mask = n.block_mask & (view - 1);
	n.pointers = view == sizeof(void *) && !spec->type;
	n.first_line = base / line_bytes;
	n.lines = (base + n.bytes - 1) / line_bytes - n.first_line + 1;
	n.cell = calloc(n.view_bytes, sizeof(*n.cell));
	n.touched = calloc(bitmap_words(&n), sizeof(*n.touched));
	n.ever = calloc(bitmap_words(&n), sizeof(*n.ever));
	if (!n.cell || !n.touched || !n.ever ||
	    rows_init(&n, line_bytes, err) != LAC_OK) {
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
	free(r->row);
	r->row = NULL;
	r->cell = NULL;
	r->touched = r->ever = NULL;
	r->pair = NULL;
}

void lac_region_reset(struct lac_region *r)
{
	memset(r->cell, 0, r->view_bytes * sizeof(*r->cell));
	if (r->row)
		memset(r->row, 0, rows_words(r) * sizeof(*r->row));
	memset(r->ever, 0, bitmap_words(r) * sizeof(*r->ever));
	lac_region_next_round(r);
	r->lines_touched = r->lines_footprint = 0;
	r->npairs = 0;
}

void lac_region_next_round(struct lac_region *r)
{
	memset(r->touched, 0, bitmap_words(r) * sizeof(*r->touched));
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

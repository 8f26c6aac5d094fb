/* SPDX-License-Identifier: BSD-2-Clause */
#include "dbginfo/unit_list.h"

#include <stdlib.h>

#include "dbginfo/graph.h"

enum lac_status lac_unit_list_add(struct lac_unit_list *l, uint32_t unit,
				  struct lac_err *err)
{
	uint32_t step = unit - l->last;

	if (!l->n) {
		l->first = l->last = unit;
		l->n = 1;
		return LAC_OK;
	}
	if (!step)
		return LAC_OK;
	if (l->cap - l->used < 5) {
		uint32_t cap = l->cap ? 2 * l->cap : 8;
		unsigned char *b = realloc(l->bytes, cap);

		if (!b)
			return lac_fail_memory(err);
		l->bytes = b;
		l->cap = cap;
	}
	for (; step >= 0x80; step >>= 7)
		l->bytes[l->used++] = (unsigned char)(step | 0x80);
	l->bytes[l->used++] = (unsigned char)step;
	l->last = unit;
	l->n++;
	return LAC_OK;
}

void lac_unit_next(struct lac_unit_walk *w)
{
	uint32_t step = 0;
	unsigned shift = 0;
	unsigned char b;

	if (w->at >= w->list->used) {
		w->unit = LAC_NONE;
		return;
	}
	do {
		b = w->list->bytes[w->at++];
		step |= (uint32_t)(b & 0x7f) << shift;
		shift += 7;
	} while (b & 0x80);
	w->unit += step;
}

struct lac_unit_walk lac_unit_walk(const struct lac_unit_list *l)
{
	return (struct lac_unit_walk){ l, 0, l->n ? l->first : LAC_NONE };
}

enum lac_status lac_unit_list_join(struct lac_unit_list *to,
				   struct lac_unit_list *from,
				   struct lac_err *err)
{
	struct lac_unit_list all = { 0 };
	struct lac_unit_walk x = lac_unit_walk(to), y = lac_unit_walk(from);
	enum lac_status st = LAC_OK;

	if (to->n) {
		while (st == LAC_OK &&
		       (x.unit != LAC_NONE || y.unit != LAC_NONE)) {
			uint32_t least = x.unit < y.unit ? x.unit : y.unit;

			st = lac_unit_list_add(&all, least, err);
			if (x.unit == least)
				lac_unit_next(&x);
			if (y.unit == least)
				lac_unit_next(&y);
		}
		free(from->bytes);
		*from = all;
	}
	free(to->bytes);
	*to = *from;
	*from = (struct lac_unit_list){ 0 };
	return st;
}

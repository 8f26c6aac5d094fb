/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff_figure.h"

#include <stdio.h>
#include <stdlib.h>

#include "diff/shape.h"

/* What covers bits: no inlined record, whose members stand for it. */
static bool is_leaf(const struct lac_field *f)
{
	return !f->inlined && f->bit_size && f->bit_size != LAC_SIZE_UNKNOWN &&
	       f->certainty != LAC_DYNAMIC;
}

static int by_offset(const void *pa, const void *pb)
{
	const struct lac_field *a = *(const struct lac_field *const *)pa;
	const struct lac_field *b = *(const struct lac_field *const *)pb;

	if (a->bit_offset != b->bit_offset)
		return a->bit_offset < b->bit_offset ? -1 : 1;
	if (a->bit_size != b->bit_size) /* the larger arm of a union */
		return a->bit_size > b->bit_size ? -1 : 1;
	return a->seq < b->seq ? -1 : a->seq > b->seq;
}

static bool crosses(const struct lac_field *f, uint64_t line_size)
{
	uint64_t line = line_size * 8;

	if (f->ndims) /* only whole elements count */
		return f->crossings;
	return f->bit_offset / line != (f->bit_offset + f->bit_size - 1) / line;
}

static void put_span(struct lac_doc *d, json_t *spans, const char *kind,
		     uint64_t from, uint64_t to, const struct lac_field *f,
		     uint64_t line_size)
{
	json_t *j;

	if (from >= to)
		return;
	j = json_pack("{s:s, s:I, s:I}", "kind", kind, "bit_offset",
		      (json_int_t)from, "bit_size", (json_int_t)(to - from));
	if (f)
		lac_doc_set(d, j, "label", lac_doc_string(f->path));
	if (f && crosses(f, line_size))
		lac_doc_set(d, j, "straddles", json_true());
	lac_doc_append(d, spans, j);
}

/* The arms of a union lie over each other: the largest one is drawn. */
static json_t *map(struct lac_doc *d, const struct lac_shape *s,
		   const char *title, uint64_t line_size)
{
	const struct lac_field **leaves =
		lac_arena_zalloc(d->arena, s->nfields, sizeof(*leaves));
	json_t *spans = json_array();
	uint64_t at = 0, end = s->size * 8;
	size_t n = 0;

	for (uint32_t i = 0; leaves && i < s->nfields; i++)
		if (is_leaf(&s->fields[i]))
			leaves[n++] = &s->fields[i];
	d->broken |= !leaves;
	if (n)
		qsort(leaves, n, sizeof(*leaves), by_offset);
	for (size_t i = 0; i < n; i++) {
		uint64_t from = leaves[i]->bit_offset;
		uint64_t to = from + leaves[i]->bit_size;

		to = to > end ? end : to;
		put_span(d, spans, "hole", at, from > end ? end : from, NULL,
			 0);
		put_span(d, spans, "member", from < at ? at : from, to,
			 leaves[i], line_size);
		at = to > at ? to : at;
	}
	put_span(d, spans, "padding", at, end, NULL, 0);
	return json_pack("{s:s, s:I, s:o}", "title", title, "size",
			 (json_int_t)s->size, "spans", spans);
}

static bool has_span(const json_t *spans, const json_t *like)
{
	const json_t *s;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)spans, i, s)
		if (json_equal((json_t *)(uintptr_t)s,
			       (json_t *)(uintptr_t)like))
			return true;
	return false;
}

/* Sets "changed" in each span of a that b does not have. */
static void mark_changes(struct lac_doc *d, json_t *a, const json_t *b)
{
	json_t *spans = json_object_get(a, "spans"), *s;
	size_t i;

	json_array_foreach(spans, i, s)
		if (!has_span(json_object_get(b, "spans"), s))
			lac_doc_set(d, s, "changed", json_true());
}

static json_t *both_maps(struct lac_doc *d, const struct lac_record_diff *r,
			 uint32_t line_size)
{
	json_t *a = map(d, r->old_shape, "before", line_size);
	json_t *b = map(d, r->new_shape, "after", line_size);
	json_t *before = json_deep_copy(a);

	mark_changes(d, a, b);
	mark_changes(d, b, before);
	json_decref(before);
	return json_pack("{s:I, s:[o, o]}", "line_size", (json_int_t)line_size,
			 "maps", a, b);
}

static bool can_draw(const struct lac_shape *s)
{
	/* more than can be looked at is not drawn either */
	return s && !s->is_enum && s->size <= 65536 && s->nfields <= 4096;
}

void lac_diff_figure(struct lac_doc *d, const struct lac_record_diff *r,
		     uint32_t line_size)
{
	const char *caption;
	char key[40];
	json_t *all;

	if (!can_draw(r->old_shape) || !can_draw(r->new_shape))
		return;
	all = json_object_get(d->data, "figures");
	if (!all) {
		lac_doc_set(d, d->data, "figures", json_object());
		all = json_object_get(d->data, "figures");
	}
	snprintf(key, sizeof(key), "map%zu", json_object_size(all) + 1);
	lac_doc_set(d, all, key, both_maps(d, r, line_size ? line_size : 64));
	caption = lac_arena_printf(d->arena, "%s before and after",
				   r->new_shape->label);
	lac_doc_figure(d, LAC_FIGURE_LINE_MAP, key, caption ? caption : key,
		       "The record over its cache lines, before and after; "
		       "what is not in both at the same place is outlined.",
		       json_object_get(all, key));
	lac_doc_graphic(d);
}

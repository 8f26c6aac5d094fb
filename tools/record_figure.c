/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/words.h"
#include "record_figure.h"

#include <string.h>

#include "dbginfo/declare.h"

static const char *member_label(const struct lac_layout *l, uint32_t member,
				struct lac_arena *scratch)
{
	const struct lac_record *r = &l->graph->records[l->record];
	const struct lac_member *m = &r->members[member];

	if (m->name && *m->name)
		return m->name;
	return lac_type_declare(l->graph, m->type, NULL, scratch);
}

static bool is_straddler(const struct lac_layout *l, uint32_t member)
{
	for (uint32_t i = 0; i < l->nstraddlers; i++)
		if (l->straddlers[i].member == member)
			return true;
	return false;
}

static json_t *span_json(const struct lac_layout *l, const struct lac_span *s,
			 struct lac_arena *scratch)
{
	static const char *const kinds[] = {
		[LAC_SPAN_MEMBER] = "member",
		[LAC_SPAN_HOLE] = "hole",
		[LAC_SPAN_PADDING] = "padding",
		[LAC_SPAN_UNKNOWN] = "unknown",
	};
	json_t *j = json_pack("{s:s, s:I, s:I}", "kind", kinds[s->kind],
			      "bit_offset", (json_int_t)s->bit_offset,
			      "bit_size", (json_int_t)s->bit_size);
	const char *label;
	int bad = 0;

	if (!j || s->kind != LAC_SPAN_MEMBER || s->member == LAC_NONE)
		return j;
	label = member_label(l, s->member, scratch);
	bad |= json_object_set_new(j, "label",
				   label ? lac_doc_string(label) : NULL);
	if (is_straddler(l, s->member))
		bad |= json_object_set_new(j, "straddles", json_true());
	if (bad) {
		json_decref(j);
		return NULL;
	}
	return j;
}

static bool put_span(json_t *spans, const struct lac_layout *l,
		     const struct lac_span *s, struct lac_arena *scratch)
{
	return !s->bit_size ||
	       !json_array_append_new(spans, span_json(l, s, scratch));
}

/*
 * A span of the record's own, cut where it has bits that nothing in it covers:
 * holes and padding of unnamed structs.  *k: where in t it begins.
 */
static bool put_pieces(json_t *spans, const struct lac_layout *l,
		       const struct lac_byte_map *t, uint32_t *k,
		       const struct lac_span *own, struct lac_arena *scratch)
{
	uint64_t end = own->bit_offset + own->bit_size;
	struct lac_span piece = *own;
	bool good = true;

	for (; good && *k < t->nspans; ++*k) {
		struct lac_span gap = t->spans[*k];
		uint64_t gap_end = gap.bit_offset + gap.bit_size;

		if (gap.bit_offset >= end)
			break;
		if (own->kind == LAC_SPAN_MEMBER &&
		    gap.kind != LAC_SPAN_MEMBER &&
		    gap_end > piece.bit_offset) {
			if (gap.bit_offset < piece.bit_offset)
				gap.bit_offset = piece.bit_offset;
			gap.bit_size = (gap_end < end ? gap_end : end) -
				       gap.bit_offset;
			piece.bit_size = gap.bit_offset - piece.bit_offset;
			good = put_span(spans, l, &piece, scratch) &&
			       put_span(spans, l, &gap, scratch);
			piece.bit_offset = gap.bit_offset + gap.bit_size;
		}
		if (gap_end > end)
			break;
	}
	piece.bit_size = end - piece.bit_offset;
	return good && put_span(spans, l, &piece, scratch);
}

json_t *lac_record_map(const struct lac_layout *l,
		       const struct lac_through *t, const char *title,
		       struct lac_arena *scratch)
{
	const struct lac_byte_map none = {0}, *gaps = t ? &t->map : &none;
	uint32_t k = 0;

	const struct lac_record *r = &l->graph->records[l->record];
	json_t *spans, *map;

	/* the figure's numbers are JSON integers */
	if (r->size > INT64_MAX / 16 || (!l->map.nspans && r->size))
		return json_null();
	spans = json_array();
	for (uint32_t i = 0; i < l->map.nspans; i++)
		if (!put_pieces(spans, l, gaps, &k, &l->map.spans[i],
				scratch)) {
			json_decref(spans);
			return NULL;
		}
	map = json_pack("{s:o, s:I, s:I, s:o}", "title", lac_doc_string(title),
			"size", (json_int_t)r->size, "first_byte",
			(json_int_t)l->first_byte, "spans", spans);
	return map;
}

/* The object in the data that holds all figures' data. */
static json_t *figures(struct lac_doc *d)
{
	json_t *all = json_object_get(d->data, "figures");

	if (all)
		return all;
	lac_doc_set(d, d->data, "figures", json_object());
	return json_object_get(d->data, "figures");
}

static void add(struct lac_doc *d, const struct lac_layout *l, json_t *maps,
		const char *caption, const char *description)
{
	json_t *all = figures(d), *data;
	char key[40];

	snprintf(key, sizeof(key), "map%zu", json_object_size(all) + 1);
	data = json_pack("{s:I, s:o}", "line_size", (json_int_t)l->line_size,
			 "maps", maps);
	lac_doc_set(d, all, key, data);
	lac_doc_figure(d, LAC_FIGURE_LINE_MAP, key, caption, description,
		       json_object_get(all, key));
}

void lac_record_figure(struct lac_doc *d, const struct lac_layout *l,
		       const struct lac_through *t, struct lac_arena *scratch)
{
	const char *name = lac_record_label(l->graph, l->record, scratch);
	json_t *map = lac_record_map(l, t, "", scratch);
	const struct lac_record *r = &l->graph->records[l->record];
	const char *caption, *description;

	if (json_is_null(map))
		return;
	caption = lac_arena_printf(scratch, "%s over its cache lines",
				   name ? name : "record");
	description = lac_arena_printf(
		scratch,
		"%s has %llu byte%s on %llu line%s of %u bytes: %u member%s, "
		"%u hole%s, %u across a line.",
		name ? name : "The record", (unsigned long long)r->size,
		lac_s(r->size), (unsigned long long)l->lines, lac_s(l->lines),
		l->line_size, r->nmembers, lac_s(r->nmembers), l->nholes,
		lac_s(l->nholes), l->nstraddlers);
	add(d, l, json_pack("[o]", map), caption, description);
}

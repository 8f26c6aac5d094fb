/* SPDX-License-Identifier: BSD-2-Clause */
#include "heat_map.h"

#include <inttypes.h>
#include <string.h>

#include "bench_figures.h"
#include "layout/array.h"

#define MOST_BYTES 4096u

/* The counts of a member by that name in a cell's list; NULL: none. */
static const json_t *counts_of(const json_t *members, const char *name)
{
	const json_t *m;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)members, i, m) {
		const char *s = json_string_value(json_object_get(m, "member"));

		if (s && !strcmp(s, name))
			return m;
	}
	return NULL;
}

/*
 * Whose each byte is: members that were counted first, as it is these that the
 * allocator uses where several lie over each other.
 */
static void own_bytes(const struct lac_field *fields, size_t n,
		      const json_t *members, size_t bytes, int *owner)
{
	for (size_t b = 0; b < bytes; b++)
		owner[b] = -1;
	for (int counted = 1; counted >= 0; counted--)
		for (size_t i = 0; i < n; i++) {
			const struct lac_field *f = &fields[i];

			if ((counts_of(members, f->name) != NULL) != counted)
				continue;
			for (uint64_t b = f->offset;
			     b < f->offset + f->size && b < bytes; b++)
				if (owner[b] < 0)
					owner[b] = (int)i;
		}
}

static json_t *span(struct lac_doc *d, const struct lac_field *f,
		    const json_t *members, size_t from, size_t to, bool last)
{
	const json_t *counts = f ? counts_of(members, f->name) : NULL;
	json_t *j = json_object();

	lac_doc_set(d, j, "kind",
		    json_string(f ? "member" : last ? "padding" : "hole"));
	lac_doc_set(d, j, "bit_offset", json_integer((json_int_t)from * 8));
	lac_doc_set(d, j, "bit_size",
		    json_integer((json_int_t)(to - from) * 8));
	if (f)
		lac_doc_set(d, j, "label", lac_doc_string(f->name));
	if (counts)
		lac_doc_set(d, j, "heat",
			    json_incref(json_object_get(counts, "l1_misses")));
	return j;
}

static json_t *map(struct lac_doc *d, const char *variant,
		   const struct lac_descriptor *page, const json_t *members)
{
	bool own = page->nelement_fields != 0;
	const struct lac_field *fields = own ? page->element_fields
					     : page->fields;
	size_t n = own ? page->nelement_fields : page->nfields;
	size_t bytes = page->stride, to;
	json_t *j = json_object(), *spans = json_array();
	int owner[MOST_BYTES];

	lac_doc_set(d, j, "title",
		    json_sprintf("struct page, %s, %zu bytes", variant, bytes));
	lac_doc_set(d, j, "size", json_integer((json_int_t)bytes));
	lac_doc_set(d, j, "spans", spans);
	own_bytes(fields, n, members, bytes, owner);
	for (size_t from = 0; from < bytes; from = to) {
		for (to = from + 1; to < bytes && owner[to] == owner[from];)
			to++;
		lac_doc_append(d, spans,
			       span(d, owner[from] < 0 ? NULL
						       : &fields[owner[from]],
				    members, from, to, to == bytes));
	}
	return j;
}

static const json_t *members_of(const struct lac_doc *d, const char *test,
				unsigned size, const char *variant)
{
	return lac_row_cell(lac_bench_cell_data(d, test, size, variant),
			    "page_array.members");
}

/* How many of the elements of the array begin at a line's border. */
static const char *begins(struct lac_doc *d, const struct lac_descriptor *page,
			  unsigned line_bytes)
{
	uint64_t period = lac_array_phases(page->stride, 0, page->stride,
					   line_bytes).period;

	return period == 1 ? "each"
			   : lac_arena_printf(d->arena, "one in %" PRIu64,
					      period);
}

void lac_heat_of_page(struct lac_doc *d, const struct lac_library *l,
		      const char *test, unsigned size, unsigned line_bytes)
{
	static const struct {
		enum lac_cell cell;
		const char *name;
	} shown[] = { { LAC_ALIGNED_CAS, "aligned-cas" },
		      { LAC_PACKED_LOCK, "packed-lock" } };
	json_t *data, *maps;
	const char *key = "page-heat";

	for (size_t i = 0; i < 2; i++)
		if (!l->has[shown[i].cell] ||
		    l->page[shown[i].cell].stride > MOST_BYTES ||
		    !members_of(d, test, size, shown[i].name))
			return;
	if (!json_object_get(d->data, "figures"))
		lac_doc_set(d, d->data, "figures", json_object());
	data = json_object();
	maps = json_array();
	lac_doc_set(d, json_object_get(d->data, "figures"), key, data);
	lac_doc_set(d, data, "line_size", json_integer(line_bytes));
	lac_doc_set(d, data, "heat_title",
		    json_string("simulated L1 misses per operation"));
	lac_doc_set(d, data, "maps", maps);
	for (size_t i = 0; i < 2; i++)
		lac_doc_append(d, maps,
			       map(d, shown[i].name, &l->page[shown[i].cell],
				   members_of(d, test, size, shown[i].name)));
	lac_doc_figure(d, LAC_FIGURE_LINE_MAP, key,
		       "Where struct page is missed, over its cache lines",
		       lac_arena_printf(
			       d->arena,
			       "The members of one descriptor over cache lines "
			       "of %u bytes, with the misses at each. What is "
			       "drawn begins at a border: so does, of aligned "
			       "descriptors, %s, and of packed ones %s.",
			       line_bytes,
			       begins(d, &l->page[LAC_ALIGNED_CAS], line_bytes),
			       begins(d, &l->page[LAC_PACKED_LOCK], line_bytes)),
		       data);
}

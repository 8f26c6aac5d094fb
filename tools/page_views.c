/* SPDX-License-Identifier: BSD-2-Clause */
/* page_views.c - the tables and the figure on the figures of `page`. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "build_facts.h"
#include "page_doc.h"
#include "record_json.h"

static const enum lac_page_layout SIDES[] = { LAC_PAGE_ALIGNED,
					      LAC_PAGE_PACKED };

static const struct lac_column build_columns[] = {
	{ .key = "build", .title = "build" },
	{ .key = "era", .title = "members as since" },
	{ .key = "size", .title = "size", .unit = LAC_UNIT_BYTES },
	{ .key = "align", .title = "align", .unit = LAC_UNIT_BYTES },
	{ .key = "align_source", .title = "align is" },
	{ .key = "hole_bits", .title = "in holes", .unit = LAC_UNIT_BITS },
	{ .key = "padding_bits", .title = "pad", .unit = LAC_UNIT_BITS },
	{ .key = "page_layout", .title = "layout" },
	{ .key = "update", .title = "update" },
};

static const struct lac_column pair_columns[] = {
	{ .key = "build", .title = "build" },
	{ .key = "pair.record", .title = "in struct" },
	{ .key = "pair.freelist.bit_offset",
	  .title = "freelist at",
	  .unit = LAC_UNIT_BITS },
	{ .key = "pair.counters.bit_offset",
	  .title = "counters at",
	  .unit = LAC_UNIT_BITS },
	{ .key = "pair.counters.bit_size",
	  .title = "counters size",
	  .unit = LAC_UNIT_BITS },
	{ .key = "pair.aligned", .title = "aligned in every element" },
	{ .key = "pair.aligned_fraction",
	  .title = "of elements, %",
	  .unit = LAC_UNIT_PERCENT },
};

static const struct lac_column layout_columns[] = {
	{ .key = "build", .title = "build" },
	{ .key = "layout", .title = "layout" },
	{ .key = "source", .title = "figures are" },
	{ .key = "size", .title = "size", .unit = LAC_UNIT_BYTES },
	{ .key = "align", .title = "align", .unit = LAC_UNIT_BYTES },
	{ .key = "hole_bits", .title = "in holes", .unit = LAC_UNIT_BITS },
	{ .key = "padding_bits", .title = "padding", .unit = LAC_UNIT_BITS },
	{ .key = "pair_aligned_fraction",
	  .title = "pair aligned, %",
	  .unit = LAC_UNIT_PERCENT },
};

static const struct lac_column memory_columns[] = {
	{ .key = "build", .title = "build" },
	{ .key = "ram", .title = "memory", .unit = LAC_UNIT_MEMORY },
	{ .key = "aligned",
	  .title = "memmap aligned",
	  .unit = LAC_UNIT_MEMORY },
	{ .key = "packed", .title = "packed", .unit = LAC_UNIT_MEMORY },
	{ .key = "saved", .title = "difference", .unit = LAC_UNIT_MEMORY },
};

static const struct lac_column line_columns[] = {
	{ .key = "build", .title = "build" },
	{ .key = "layout", .title = "layout" },
	{ .key = "line_size", .title = "line", .unit = LAC_UNIT_BYTES },
	{ .key = "lines_per_element",
	  .title = "dense run, lines each",
	  .unit = LAC_UNIT_RATIO,
	  .decimals = 4 },
	{ .key = "lines_per_touch",
	  .title = "isolated touch, lines",
	  .unit = LAC_UNIT_RATIO,
	  .decimals = 4 },
	{ .key = "straddling", .title = "straddling" },
	{ .key = "period", .title = "of" },
	{ .key = "straddling_fraction",
	  .title = "%",
	  .unit = LAC_UNIT_PERCENT,
	  .decimals = 1 },
};

static const struct lac_column kfree_columns[] = {
	{ .key = "build", .title = "build" },
	{ .key = "layout", .title = "layout" },
	{ .key = "fields", .title = "read by one free" },
	{ .key = "line_size", .title = "line", .unit = LAC_UNIT_BYTES },
	{ .key = "lines",
	  .title = "lines, mean",
	  .unit = LAC_UNIT_RATIO,
	  .decimals = 4 },
};

/* The arrays of the first build over lines: what the figures above count. */
static void array_figure(struct lac_doc *d, json_t *data,
			 const struct lac_page_subject *s, uint32_t line_size)
{
	const struct lac_page_build *b = s->build;
	json_t *f = json_object(), *arrays = json_array();

	lac_doc_set(d, f, "line_size", json_integer(line_size));
	lac_doc_set(d, f, "arrays", arrays);
	lac_doc_set(d, data, "array_map", f);
	for (size_t i = 0; i < 2; i++) {
		const struct lac_page_side *side = &b->sides[SIDES[i]];
		json_t *a, *marks = json_array(), *m = json_object();
		char title[64];

		/* where both are the same, one is enough */
		if (!side->known || !side->size ||
		    (b->alignment_is_free && side->computed)) {
			json_decref(marks);
			json_decref(m);
			continue;
		}
		a = json_object();
		snprintf(title, sizeof(title), "%s, %" PRIu64 " bytes (%s)",
			 lac_page_layout_name(SIDES[i]), side->size,
			 lac_page_source_name(side));
		lac_doc_set(d, a, "title", json_string(title));
		lac_doc_set(d, a, "element_size", lac_json_size(side->size));
		lac_doc_set(d, a, "elements", json_integer(8));
		lac_doc_set(d, a, "marks", marks);
		if (b->pair.found && !b->pair.floats) {
			lac_doc_set(d, m, "label",
				    json_string("freelist, counters"));
			lac_doc_set(
				d, m, "byte_offset",
				lac_json_size(b->pair.freelist.bit_offset / 8));
			lac_doc_set(d, m, "byte_size",
				    json_integer(2 * b->word));
			lac_doc_append(d, marks, m);
		} else {
			json_decref(m);
		}
		lac_doc_append(d, arrays, a);
	}
	if (json_array_size(arrays))
		lac_doc_figure(d, LAC_FIGURE_ARRAY_MAP, "array_map",
			       lac_arena_printf(d->arena,
						"Eight descriptors over cache "
						"lines of %u bytes",
						line_size),
			       line_size == 64
				       ? "Aligned descriptors fill a line "
					 "each; packed ones cross the border "
					 "of a line unless they happen to "
					 "begin or end at one."
				       : "Where descriptors cross the borders "
					 "of lines.",
			       f);
}

/* Without the first column, the build, where there is only one. */
#define TABLE_GROUPED(d, key, caption, columns, rows, one)                     \
	lac_doc_table(d, key, caption, (columns) + ((one) ? 1 : 0),            \
		      sizeof(columns) / sizeof((columns)[0]) -                 \
			      ((one) ? 1 : 0),                                 \
		      rows)
#define TABLE(d, key, caption, columns, rows)                                  \
	lac_doc_table(d, key, caption, columns,                                \
		      sizeof(columns) / sizeof((columns)[0]), rows)

static void headline(struct lac_doc *d, const struct lac_page_subject *s)
{
	const struct lac_page_build *b = s->build;
	const struct lac_layout *l = &b->layout;
	char align[64] = "alignment unknown";
	/* up to what it was built with: JSON has it all */
	const char *version = b->graph->version ? b->graph->version : "";

	if (l->align)
		snprintf(align, sizeof(align), "%" PRIu32 "-byte aligned (%s)",
			 l->align, lac_align_source_name(l->align_source));
	lac_doc_paragraph(d, "%s: struct page has %" PRIu64 " bytes, %s.%s%.*s",
			  s->label, b->graph->records[b->page].size, align,
			  *version ? " " : "", (int)strcspn(version, "("),
			  version);
}

static bool has_note(const json_t *builds, size_t i, const json_t *note)
{
	const json_t *notes =
		json_object_get(json_array_get(builds, i), "notes");
	const json_t *text;
	size_t k;

	json_array_foreach(notes, k, text)
		if (json_equal(text, note))
			return true;
	return false;
}

/* Each once, with the builds that it holds for unless it holds for all. */
static void notes(struct lac_doc *d, const json_t *builds,
		  const struct lac_page_subject *subjects, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const json_t *own =
			json_object_get(json_array_get(builds, i), "notes");
		const json_t *note;
		size_t k;

		json_array_foreach(own, k, note) {
			const char *whose = subjects[i].label;
			size_t others = 0;
			bool told = false;

			for (size_t b = 0; b < i && !told; b++)
				told = has_note(builds, b, note);
			for (size_t b = i + 1; b < n && !told && whose; b++) {
				if (!has_note(builds, b, note))
					continue;
				others++;
				whose = lac_arena_printf(d->arena, "%s, %s",
							 whose,
							 subjects[b].label);
			}
			if (told)
				continue;
			if (others + 1 == n || !whose)
				lac_doc_paragraph(d, "%s",
						  json_string_value(note));
			else
				lac_doc_paragraph(d, "%s: %s", whose,
						  json_string_value(note));
		}
	}
}

/*
 * What was read, for readers elsewhere; "facts" beside the figures.  The builds
 * of the library are described by the head of a report.
 */
static void sources(struct lac_doc *d, const json_t *builds,
		    const struct lac_page_subject *subjects, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		json_t *row = json_array_get(builds, i);
		struct lac_build_facts f;
		struct lac_err err;
		const char *who = "";

		if (subjects[i].named_update != LAC_UPDATE_UNKNOWN)
			continue;
		if (lac_build_facts_read(subjects[i].build->graph, d->arena, &f,
					 &err) != LAC_OK) {
			d->broken = true;
			return;
		}
		lac_doc_set(d, row, "facts", lac_build_facts_data(d, &f));
		if (n > 1)
			who = lac_arena_printf(d->arena, "%s: ",
					       subjects[i].label);
		lac_build_facts_show(d, who ? who : "", &f);
		lac_doc_travels(d);
	}
}

void lac_page_views(struct lac_doc *d, json_t *data,
		    const struct lac_page_subject *subjects, size_t n, bool one,
		    const struct lac_page_doc_options *o)
{
	const json_t *builds = json_object_get(data, "builds");
	size_t from;

	if (n == 1) {
		headline(d, &subjects[0]);
		lac_doc_paragraph(d, "%s",
				  json_string_value(json_object_get(
					  json_array_get(builds, 0),
					  "alignment_verdict")));
	}
	sources(d, builds, subjects, n);
	TABLE(d, "builds",
	      "struct page, and the version since which its members lie like "
	      "this",
	      build_columns, builds);
	TABLE(d, "pairs", "freelist and counters", pair_columns, builds);
	if (n > 1)
		lac_doc_detail(d);
	TABLE(d, "layouts", "Aligned against packed, the same members",
	      layout_columns, json_object_get(data, "layouts"));
	if (n > 1)
		lac_doc_detail(d);
	TABLE_GROUPED(d, "memory", "Memory of the page array", memory_columns,
		      json_object_get(data, "memory"), one);
	TABLE_GROUPED(d, "lines", "Cache lines of the page array", line_columns,
		      json_object_get(data, "lines"), one);
	if (json_array_size(json_object_get(data, "kfree"))) {
		TABLE_GROUPED(d, "kfree",
			      "Lines of the descriptor that one free reads",
			      kfree_columns, json_object_get(data, "kfree"),
			      one);
		lac_doc_detail(d);
	}
	array_figure(d, data, &subjects[0],
		     o->line_size ? o->line_size : 64);
	from = d->nviews;
	if (n > 1)
		lac_doc_heading(d, 3, "Notes on the builds");
	for (size_t i = 0; n > 1 && i < n; i++)
		lac_doc_paragraph(d, "%s: %s", subjects[i].label,
				  json_string_value(json_object_get(
					  json_array_get(builds, i),
					  "alignment_verdict")));
	notes(d, builds, subjects, n);
	/* several builds are compared: what is special of each is secondary */
	if (n > 1)
		lac_doc_detail_since(d, from);
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "page_doc.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "record_json.h"

#define GIB (1ull << 30)
/* What physical addresses of 36 bits reach (PAE). */
#define RAM_MAX_32 (64 * GIB)

static const enum lac_page_layout sides[] = { LAC_PAGE_ALIGNED,
					      LAC_PAGE_PACKED };

static json_t *known_size(uint64_t v)
{
	return v ? lac_json_size(v) : json_null();
}

static json_t *field(struct lac_doc *d, const struct lac_page_field *f)
{
	json_t *o;

	if (!f->found)
		return json_null();
	o = json_object();
	lac_doc_set(d, o, "bit_offset", lac_json_size(f->bit_offset));
	lac_doc_set(d, o, "bit_size", lac_json_size(f->bit_size));
	return o;
}

static const char *answer_name(enum lac_answer a)
{
	return a == LAC_ANSWER_YES  ? "yes"
	       : a == LAC_ANSWER_NO ? "no"
				    : "unknown";
}

static json_t *pair(struct lac_doc *d, const struct lac_page_pair *p)
{
	json_t *o = json_object();

	if (!p->found) {
		lac_doc_set(d, o, "status", json_string("not found"));
		return o;
	}
	lac_doc_set(d, o, "record", json_string(p->record));
	lac_doc_set(d, o, "freelist", field(d, &p->freelist));
	lac_doc_set(d, o, "counters", field(d, &p->counters));
	lac_doc_set(d, o, "floats", json_boolean(p->floats));
	lac_doc_set(d, o, "one_word", json_boolean(p->one_word));
	lac_doc_set(d, o, "aligned", json_string(answer_name(p->aligned)));
	lac_doc_set(d, o, "aligned_fraction",
		    p->aligned == LAC_ANSWER_UNKNOWN
			    ? json_null()
			    : json_real(p->aligned_fraction));
	return o;
}

static enum lac_page_update update_of(const struct lac_page_subject *s)
{
	return s->build->update != LAC_UPDATE_UNKNOWN ? s->build->update
						      : s->named_update;
}

static void note(struct lac_doc *d, json_t *notes, const char *fmt, ...)
	LAC_PRINTF(3, 4);
static void note(struct lac_doc *d, json_t *notes, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	lac_doc_append(d, notes, lac_doc_string(text));
}

/* As the tables have it. */
static const char *memory(struct lac_doc *d, uint64_t bytes)
{
	static const char units[] = "KMGT";
	const char *s;
	int i = 0;

	if (bytes < 1024 || bytes % 1024)
		s = lac_arena_printf(d->arena, "%" PRIu64 " bytes", bytes);
	else {
		for (bytes /= 1024; bytes % 1024 == 0 && i < 3; i++)
			bytes /= 1024;
		s = lac_arena_printf(d->arena, "%" PRIu64 " %ciB", bytes,
				     units[i]);
	}
	d->broken |= !s;
	return s ? s : "";
}

/* The one operation that needs both words on a boundary. */
static const char *double_swap(const struct lac_page_build *b)
{
	bool x86 = b->graph->target.machine == 62 ||
		   b->graph->target.machine == 3;

	return !x86	    ? "a compare and swap of both words"
	       : b->word < 8 ? "cmpxchg8b"
			     : "cmpxchg16b";
}

/*
 * The question that a reader of this page has: may the attribute go?  Answered
 * for struct page itself, and for the pair that lies in the same bytes.
 */
static const char *verdict(struct lac_doc *d, const struct lac_page_build *b)
{
	const struct lac_page_side *packed = &b->sides[LAC_PAGE_PACKED];
	const struct lac_page_pair *p = &b->pair;
	uint32_t both = 2 * b->word;
	bool swapped = p->found && !p->floats &&
		       p->counters.bit_size >= 8 * (uint64_t)b->word;
	double share = packed->known && p->found
			       ? lac_page_aligned_share(
					 packed->size,
					 p->freelist.bit_offset / 8, both)
			       : 0;
	const char *s;

	if (!packed->known)
		s = "May the alignment be dropped?  Unknown: the packed layout "
		    "cannot be worked out.";
	else if (b->slab_too_large)
		s = lac_arena_printf(
			d->arena,
			"The alignment may not be dropped in this build as it "
			"is: struct page would have %" PRIu64
			" bytes, and struct slab, which has to fit into it, "
			"%" PRIu64 ".", packed->size, b->slab_size);
	else if (b->kind == LAC_PAGE_PACKED)
		s = "There is no alignment to drop in this build: struct page "
		    "is packed.";
	else if (packed->align >= both)
		s = lac_arena_printf(d->arena,
				     "The alignment may not be dropped in this "
				     "build: a member of struct page asks for "
				     "%" PRIu32 " bytes itself.", packed->align);
	else if (!p->found && b->slab == LAC_NONE)
		s = lac_arena_printf(
			d->arena,
			"It cannot be told from this file whether the "
			"alignment may be dropped: the pair {freelist, "
			"counters}, which may need %" PRIu32 " bytes, is not "
			"in struct page, and since v5.17 it is in struct slab, "
			"which is private to mm/ and not in this file.  Give "
			"the kernel's vmlinux, or its mm/slub.o.", both);
	else if (!swapped)
		s = lac_arena_printf(
			d->arena,
			"The alignment may be dropped in this build: nothing "
			"in struct page needs %" PRIu32 " bytes%s.", both,
			p->floats ? ", and the pair {freelist, counters} finds "
				    "its boundary by itself"
				  : "");
	else if (share < 1)
		s = lac_arena_printf(
			d->arena,
			"The alignment may be dropped for struct page itself, "
			"in which nothing needs %" PRIu32
			" bytes; but %s needs the pair {freelist, counters} of "
			"struct %s on such a boundary, and packed it is on one "
			"in %.0f %% of the elements: without the alignment, "
			"that update has to take a lock.", both, double_swap(b),
			p->record, 100 * share);
	else
		s = lac_arena_printf(
			d->arena,
			"The alignment may be dropped for struct page itself, "
			"in which nothing needs %" PRIu32
			" bytes; %s needs the pair {freelist, counters} of "
			"struct %s on such a boundary, where it stays as long "
			"as the array begins on one%s.", both, double_swap(b),
			p->record,
			b->alignment_is_free ? ".  It would save nothing: the "
					       "size is the same either way"
					     : "");
	d->broken |= !s;
	return s ? s : "";
}

static void note_cost(struct lac_doc *d, json_t *notes,
		      const struct lac_page_build *b,
		      const struct lac_page_doc_options *o)
{
	const struct lac_page_side *a = &b->sides[LAC_PAGE_ALIGNED];
	const struct lac_page_side *p = &b->sides[LAC_PAGE_PACKED];

	if (!a->known || !p->known) {
		note(d, notes,
		     "The other layout cannot be worked out: the "
		     "rules of C do not give the one that was read.");
	} else if (b->alignment_is_free && b->filled_by) {
		note(d, notes,
		     "Alignment costs nothing in this build: %s fills the last "
		     "%" PRIu32 " bytes, and struct page has %" PRIu64
		     " bytes under either rule.",
		     b->filled_by, b->word, a->size);
	} else if (b->alignment_is_free) {
		note(d, notes,
		     "Alignment costs nothing in this build: struct page has "
		     "%" PRIu64 " bytes under either rule.",
		     a->size);
	} else {
		uint64_t saved = a->size - p->size;

		uint64_t ram = o->ram	     ? o->ram
			       : b->word < 8 ? RAM_MAX_32
					     : 1024 * GIB;
		uint64_t all = lac_page_memmap(ram, o->page_size, saved);

		note(d, notes,
		     "Aligned, a descriptor costs %" PRIu64
		     " bytes more than packed: %s of %s.",
		     saved, memory(d, all), memory(d, ram));
	}
	if (b->slab_too_large)
		note(d, notes,
		     "Packed, struct page would have %" PRIu64
		     " bytes and struct slab %" PRIu64
		     ", which has to fit into it: this build cannot be packed "
		     "as it is.",
		     p->size, b->slab_size);
}

static void note_pair(struct lac_doc *d, json_t *notes,
		      const struct lac_page_subject *s)
{
	const struct lac_page_build *b = s->build;
	const struct lac_page_pair *p = &b->pair;

	if (!p->found)
		note(d, notes,
		     "freelist and counters are neither in struct "
		     "page nor in struct slab.");
	else if (p->floats)
		note(d, notes,
		     "The pair floats: of the three words from byte %" PRIu64
		     " on it takes the two that begin at %s %" PRIu32
		     "-byte boundary, in even elements from byte %" PRIu64
		     ", in odd ones from byte %" PRIu64 ".",
		     p->freelist.bit_offset / 8,
		     2 * b->word == 8 ? "an" : "a", 2 * b->word,
		     lac_page_float_offset(b, 0), lac_page_float_offset(b, 1));
	else if (p->aligned == LAC_ANSWER_NO)
		note(d, notes,
		     "The pair is on %s %" PRIu32
		     "-byte boundary in %.0f %% of the elements of an array "
		     "only.",
		     2 * b->word == 8 ? "an" : "a", 2 * b->word,
		     100 * (p->aligned_fraction < 1 ? p->aligned_fraction : 0));
	if (b->update == LAC_UPDATE_UNKNOWN && s->named_update)
		note(d, notes,
		     "The update is known by the name of the build; "
		     "the layout allows either.");
	else if (b->update_reason)
		note(d, notes, "Update %s: %s.",
		     lac_page_update_name(b->update), b->update_reason);
}

static json_t *notes_of(struct lac_doc *d, const struct lac_page_subject *s,
			const struct lac_page_doc_options *o)
{
	const struct lac_page_build *b = s->build;
	json_t *notes = json_array();

	if (!b->graph->tells_alignment)
		note(d, notes,
		     "%s carries no alignment attribute: whether struct page "
		     "is %" PRIu32 "-byte aligned cannot be read from it.",
		     b->graph->format == LAC_FORMAT_BTF ? "BTF"
							: "This debug info",
		     2 * b->word);
	if (b->definitions > 1)
		note(d, notes,
		     "%" PRIu32 " definitions of struct page; this is the one "
		     "that most units have.",
		     b->definitions);
	note_pair(d, notes, s);
	note_cost(d, notes, b, o);
	if (b->word < 8 && o->ram > RAM_MAX_32)
		note(d, notes,
		     "%s is more than a 32-bit kernel can have (64 GiB): the "
		     "figures for it are arithmetic only.", memory(d, o->ram));
	if (b->graph->missing)
		note(d, notes, "Incomplete: %s", b->graph->missing);
	return notes;
}

static json_t *build_row(struct lac_doc *d, const struct lac_page_subject *s,
			 const struct lac_page_doc_options *o)
{
	const struct lac_page_build *b = s->build;
	const struct lac_layout *l = &b->layout;
	enum lac_page_update update = update_of(s);
	json_t *row = json_object();

	lac_doc_set(d, row, "build", lac_doc_string(s->label));
	lac_doc_set(d, row, "file", lac_doc_string(s->file));
	lac_doc_set(d, row, "version", lac_doc_string(b->graph->version));
	lac_doc_set(d, row, "format",
		    json_string(b->graph->format == LAC_FORMAT_BTF ? "btf"
								   : "dwarf"));
	lac_doc_set(d, row, "era", lac_doc_string(b->era));
	lac_doc_set(d, row, "size",
		    lac_json_size(b->graph->records[b->page].size));
	lac_doc_set(d, row, "align",
		    l->align ? json_integer(l->align) : json_null());
	lac_doc_set(d, row, "align_source",
		    json_string(lac_align_source_name(l->align_source)));
	lac_doc_set(d, row, "holes", json_integer(l->nholes));
	lac_doc_set(d, row, "hole_bits", lac_json_size(l->hole_bits));
	lac_doc_set(d, row, "padding_bits", lac_json_size(l->padding_bits));
	lac_doc_set(d, row, "nested_hole_bits",
		    lac_json_size(l->nested_hole_bits));
	lac_doc_set(d, row, "nested_padding_bits",
		    lac_json_size(l->nested_padding_bits));
	lac_doc_set(d, row, "page_layout",
		    json_string(lac_page_layout_name(b->kind)));
	lac_doc_set(d, row, "update",
		    json_string(lac_page_update_name(update)));
	lac_doc_set(d, row, "update_source",
		    b->update != LAC_UPDATE_UNKNOWN ? json_string("layout")
		    : s->named_update		    ? json_string("name")
						    : json_null());
	lac_doc_set(d, row, "variant",
		    lac_doc_string(lac_page_variant_name(b->kind, update)));
	lac_doc_set(d, row, "pair", pair(d, &b->pair));
	lac_doc_set(d, row, "alignment_is_free",
		    json_boolean(b->alignment_is_free));
	lac_doc_set(d, row, "filled_by", lac_doc_string(b->filled_by));
	lac_doc_set(d, row, "alignment_verdict",
		    lac_doc_string(verdict(d, b)));
	lac_doc_set(d, row, "notes", notes_of(d, s, o));
	return row;
}

const char *lac_page_source_name(const struct lac_page_side *side)
{
	return !side->known ? "unknown" : side->computed ? "computed" : "read";
}

/* How many elements have the pair on a boundary, under this side. */
static json_t *pair_share(const struct lac_page_build *b,
			  const struct lac_page_side *side)
{
	uint32_t both = 2 * b->word;

	if (!b->pair.found || !side->known)
		return json_null();
	if (b->pair.floats)
		return json_real(1);
	return json_real(lac_page_aligned_share(
		side->size, b->pair.freelist.bit_offset / 8, both));
}

static void layout_rows(struct lac_doc *d, json_t *rows,
			const struct lac_page_subject *s)
{
	for (size_t i = 0; i < 2; i++) {
		const struct lac_page_side *side = &s->build->sides[sides[i]];
		json_t *row = json_object();

		lac_doc_set(d, row, "build", lac_doc_string(s->label));
		lac_doc_set(d, row, "layout",
			    json_string(lac_page_layout_name(sides[i])));
		lac_doc_set(d, row, "source",
			    json_string(lac_page_source_name(side)));
		lac_doc_set(d, row, "size", known_size(side->size));
		lac_doc_set(d, row, "align", known_size(side->align));
		lac_doc_set(d, row, "hole_bits",
			    side->known ? lac_json_size(side->hole_bits)
					: json_null());
		lac_doc_set(d, row, "padding_bits",
			    side->known ? lac_json_size(side->padding_bits)
					: json_null());
		lac_doc_set(d, row, "pair_aligned_fraction",
			    pair_share(s->build, side));
		lac_doc_append(d, rows, row);
	}
}

static void memory_rows(struct lac_doc *d, json_t *rows,
			const struct lac_page_subject *s, const char *label,
			const struct lac_page_doc_options *o)
{
	static const uint64_t customary[] = { GIB, 64 * GIB, 1024 * GIB };
	static const uint64_t small[] = { GIB, 4 * GIB, RAM_MAX_32 };
	const uint64_t *ram = o->ram		       ? &o->ram
			      : s->build->word < 8 ? small
						   : customary;
	const struct lac_page_side *a = &s->build->sides[LAC_PAGE_ALIGNED];
	const struct lac_page_side *p = &s->build->sides[LAC_PAGE_PACKED];

	for (size_t i = 0; i < (o->ram ? 1 : 3); i++) {
		json_t *row = json_object();
		uint64_t aligned =
			lac_page_memmap(ram[i], o->page_size, a->size);
		uint64_t packed =
			lac_page_memmap(ram[i], o->page_size, p->size);

		lac_doc_set(d, row, "build", lac_doc_string(label));
		lac_doc_set(d, row, "ram", lac_json_size(ram[i]));
		lac_doc_set(d, row, "aligned", known_size(aligned));
		lac_doc_set(d, row, "packed", known_size(packed));
		lac_doc_set(d, row, "saved",
			    aligned && packed ? lac_json_size(aligned - packed)
					      : json_null());
		lac_doc_append(d, rows, row);
	}
}

static void line_rows(struct lac_doc *d, json_t *rows,
		      const struct lac_page_subject *s, const char *label,
		      uint32_t line_size)
{
	for (size_t i = 0; i < 2; i++) {
		const struct lac_page_side *side = &s->build->sides[sides[i]];
		struct lac_array_phases p;
		json_t *row;

		if (!side->known || !side->size)
			continue;
		row = json_object();
		p = lac_array_phases(side->size, 0, side->size, line_size);
		lac_doc_set(d, row, "build", lac_doc_string(label));
		lac_doc_set(d, row, "line_size", json_integer(line_size));
		lac_doc_set(d, row, "layout",
			    json_string(lac_page_layout_name(sides[i])));
		lac_doc_set(d, row, "size", lac_json_size(side->size));
		lac_doc_set(d, row, "lines_per_element",
			    json_real(p.lines_per_element));
		lac_doc_set(d, row, "lines_per_touch",
			    json_real(p.lines_per_touch));
		lac_doc_set(d, row, "straddling", lac_json_size(p.straddling));
		lac_doc_set(d, row, "period", lac_json_size(p.period));
		lac_doc_set(d, row, "straddling_fraction",
			    json_real(p.straddling_fraction));
		lac_doc_append(d, rows, row);
	}
}

/* What one kfree reads of the descriptor, as lines, under both layouts. */
static void kfree_rows(struct lac_doc *d, json_t *rows,
		       const struct lac_page_subject *s, const char *label,
		       uint32_t line_size)
{
	struct lac_page_field fields[4];
	const char *names[4];
	unsigned n = lac_page_kfree_fields(s->build, fields, names);
	uint64_t offsets[4], sizes[4];
	char list[256] = "";

	for (unsigned i = 0; i < n; i++) {
		offsets[i] = fields[i].bit_offset / 8;
		sizes[i] = fields[i].bit_size / 8;
		snprintf(list + strlen(list), sizeof(list) - strlen(list),
			 "%s%s", i ? ", " : "", names[i]);
	}
	for (size_t i = 0; n && i < 2; i++) {
		const struct lac_page_side *side = &s->build->sides[sides[i]];
		json_t *row;

		if (!side->known || !side->size)
			continue;
		row = json_object();
		lac_doc_set(d, row, "build", lac_doc_string(label));
		lac_doc_set(d, row, "line_size", json_integer(line_size));
		lac_doc_set(d, row, "layout",
			    json_string(lac_page_layout_name(sides[i])));
		lac_doc_set(d, row, "fields", json_string(list));
		lac_doc_set(d, row, "lines",
			    json_real(lac_array_field_lines(
				    side->size, offsets, sizes, n, line_size)));
		lac_doc_append(d, rows, row);
	}
}

/*
 * Builds whose descriptors have the same sizes and fields have the same
 * figures: they are given once, under all their names.
 */
static bool same_figures(const struct lac_page_build *a,
			 const struct lac_page_build *b)
{
	bool era = a->era == b->era ||
		   (a->era && b->era && !strcmp(a->era, b->era));

	for (size_t i = 0; i < 2; i++)
		if (a->sides[sides[i]].known != b->sides[sides[i]].known ||
		    a->sides[sides[i]].size != b->sides[sides[i]].size)
			return false;
	return era;
}

/* The first of each group, and the names of the group. */
static size_t group(struct lac_doc *d, const struct lac_page_subject *subjects,
		    size_t n, size_t i, const char **label)
{
	size_t members = 0;

	*label = subjects[i].label;
	for (size_t k = 0; k < n; k++) {
		if (!same_figures(subjects[i].build, subjects[k].build))
			continue;
		if (k < i)
			return 0;
		if (members++)
			*label = lac_arena_printf(d->arena, "%s, %s", *label,
						  subjects[k].label);
	}
	return members;
}

void lac_page_doc(struct lac_doc *d, json_t *data,
		  const struct lac_page_subject *subjects, size_t n,
		  const struct lac_page_doc_options *o)
{
	json_t *builds = json_array(), *layouts = json_array();
	json_t *memory = json_array(), *lines = json_array();
	json_t *kfree = json_array();
	size_t groups = 0;
	uint32_t sizes[3] = { 64, 128, o->line_size };
	bool third = o->line_size && o->line_size != 64 && o->line_size != 128;

	lac_doc_set(d, data, "page_size", lac_json_size(o->page_size));
	lac_doc_set(d, data, "builds", builds);
	lac_doc_set(d, data, "layouts", layouts);
	lac_doc_set(d, data, "memory", memory);
	lac_doc_set(d, data, "lines", lines);
	lac_doc_set(d, data, "kfree", kfree);
	for (size_t i = 0; i < n; i++) {
		const char *label;

		lac_doc_append(d, builds, build_row(d, &subjects[i], o));
		layout_rows(d, layouts, &subjects[i]);
		if (!group(d, subjects, n, i, &label))
			continue;
		groups++;
		memory_rows(d, memory, &subjects[i], label, o);
		for (size_t k = 0; k < (third ? 3 : 2); k++) {
			line_rows(d, lines, &subjects[i], label, sizes[k]);
			kfree_rows(d, kfree, &subjects[i], label, sizes[k]);
		}
	}
	if (n)
		lac_page_views(d, data, subjects, n, groups == 1, o);
}

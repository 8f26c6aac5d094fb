/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_data.c - the JSON of a diff. */
#include <stdio.h>
#include <string.h>

#include "diff_report.h"
#include "json_number.h"

#define PAGE_BYTES ((uint64_t)4096)

static json_t *count(uint64_t v)
{
	return json_integer((json_int_t)v);
}

static const char *kind_name(const struct lac_shape *s)
{
	return s->is_enum ? "enum" : lac_record_kind_name(s->kind);
}

static json_t *side_json(struct lac_doc *doc, const struct lac_diff_side *s,
			 const struct lac_build_facts *facts)
{
	json_t *j = json_object();

	lac_doc_set(doc, j, "build",
		    facts ? lac_build_facts_data(doc, facts) : json_null());

	lac_doc_set(doc, j, "path", lac_doc_string(s->path));
	lac_doc_set(doc, j, "format",
		    json_string(s->format == LAC_FORMAT_BTF ? "btf" : "dwarf"));
	lac_doc_set(doc, j, "version", lac_doc_string(s->version));
	lac_doc_set(doc, j, "missing", lac_doc_string(s->missing));
	lac_doc_set(doc, j, "tells_alignment", json_boolean(s->tells_alignment));
	lac_doc_set(doc, j, "records", count(s->nrecords));
	lac_doc_set(doc, j, "enums", count(s->nenums));
	return j;
}

static json_t *cause_json(struct lac_doc *doc, const struct lac_cause *c)
{
	json_t *j = json_object();
	bool texts = !strcmp(c->what, "type");

	lac_doc_set(doc, j, "name", lac_doc_string(c->name));
	lac_doc_set(doc, j, "change", json_string(c->what));
	lac_doc_set(doc, j, "old", texts ? lac_doc_string(c->old_text)
					 : lac_json_size(c->old_value));
	lac_doc_set(doc, j, "new", texts ? lac_doc_string(c->new_text)
					 : lac_json_size(c->new_value));
	lac_doc_set(doc, j, "held_by",
		    c->held_by == LAC_NONE ? json_null() : count(c->held_by));
	if (c->held_by == LAC_NONE)
		lac_doc_set(doc, j, "held_by_status",
			    json_string("not counted"));
	lac_doc_set(doc, j, "records", count(c->records));
	lac_doc_set(doc, j, "alone", count(c->alone));
	lac_doc_set(doc, j, "lines_more", count(c->lines_more));
	lac_doc_set(doc, j, "lines_less", count(c->lines_less));
	lac_doc_set(doc, j, "crossings_more", count(c->crossings_more));
	lac_doc_set(doc, j, "crossings_less", count(c->crossings_less));
	lac_doc_set(doc, j, "order_more", count(c->order_more));
	lac_doc_set(doc, j, "order_less", count(c->order_less));
	return j;
}

static json_t *decl_json(const struct lac_shape *s)
{
	if (!s->decl_file)
		return json_null();
	return s->decl_line ? json_sprintf("%s:%u", s->decl_file, s->decl_line)
			    : json_string(s->decl_file);
}

static json_t *shape_json(struct lac_doc *doc, const struct lac_shape *s)
{
	json_t *j;

	if (!s)
		return json_null();
	j = json_object();
	lac_doc_set(doc, j, "size", lac_json_size(s->size));
	lac_doc_set(doc, j, "decl", decl_json(s));
	if (s->is_enum) {
		lac_doc_set(doc, j, "values", count(s->nvalues));
		return j;
	}
	lac_doc_set(doc, j, "align",
		    s->align ? count(s->align) : json_null());
	lac_doc_set(doc, j, "align_source",
		    json_string(lac_align_source_name(s->align_source)));
	lac_doc_set(doc, j, "packed", json_string(lac_packed_name(s->packed)));
	lac_doc_set(doc, j, "lines", lac_json_size(s->lines));
	lac_doc_set(doc, j, "holes", count(s->nholes));
	lac_doc_set(doc, j, "hole_bits", lac_json_size(s->hole_bits));
	lac_doc_set(doc, j, "padding_bits", lac_json_size(s->padding_bits));
	lac_doc_set(doc, j, "straddlers", count(s->nstraddlers));
	return j;
}

static bool has_old(const struct lac_change *c)
{
	return c->class != LAC_CHANGE_MEMBER_ADDED &&
	       c->class != LAC_CHANGE_ENUMERATOR_ADDED;
}

static bool has_new(const struct lac_change *c)
{
	return c->class != LAC_CHANGE_MEMBER_REMOVED &&
	       c->class != LAC_CHANGE_ENUMERATOR_REMOVED;
}

static bool is_text(const struct lac_change *c)
{
	return !strcmp(lac_change_unit(c->class), "text");
}

/* An alignment of 0 is one that is not known. */
static json_t *value_json(const struct lac_change *c, uint64_t v)
{
	if (c->class == LAC_CHANGE_ALIGN && !v)
		return json_null();
	if (!strcmp(lac_change_unit(c->class), "value"))
		return json_integer((json_int_t)v);
	return lac_json_size(v);
}

static void change_details(struct lac_doc *doc, json_t *j,
			   const struct lac_change *c)
{
	bool one_sided = !has_old(c) || !has_new(c);

	if (c->class == LAC_CHANGE_HOLES) {
		lac_doc_set(doc, j, "old_bits", lac_json_size(c->old_bits));
		lac_doc_set(doc, j, "new_bits", lac_json_size(c->new_bits));
	} else if (c->class == LAC_CHANGE_MEMBER_ADDED) {
		lac_doc_set(doc, j, "bit_size", lac_json_size(c->new_bits));
		lac_doc_set(doc, j, "type", lac_doc_string(c->new_text));
	} else if (c->class == LAC_CHANGE_MEMBER_REMOVED) {
		lac_doc_set(doc, j, "bit_size", lac_json_size(c->old_bits));
		lac_doc_set(doc, j, "type", lac_doc_string(c->old_text));
	} else if (c->class == LAC_CHANGE_ARRAY_LENGTH) {
		lac_doc_set(doc, j, "old_type", lac_doc_string(c->old_text));
		lac_doc_set(doc, j, "new_type", lac_doc_string(c->new_text));
		lac_doc_set(doc, j, "old_bits", lac_json_size(c->old_bits));
		lac_doc_set(doc, j, "new_bits", lac_json_size(c->new_bits));
	}
	if (c->old_resolved || c->new_resolved) {
		lac_doc_set(doc, j, "old_resolved",
			    lac_doc_string(c->old_resolved));
		lac_doc_set(doc, j, "new_resolved",
			    lac_doc_string(c->new_resolved));
	}
	if (c->old_member && !one_sided)
		lac_doc_set(doc, j, "old_member", lac_doc_string(c->old_member));
	if (c->guess)
		lac_doc_set(doc, j, "guess", json_true());
}

/* An unnamed struct or union: its members have changes of their own. */
static bool of_container(const struct lac_record_diff *r,
			 const struct lac_change *c)
{
	if (c->new_field != LAC_NONE)
		return r->new_shape->fields[c->new_field].unnamed;
	return c->old_field != LAC_NONE &&
	       r->old_shape->fields[c->old_field].unnamed;
}

static json_t *change_json(struct lac_doc *doc,
			   const struct lac_record_diff *r,
			   const struct lac_change *c)
{
	json_t *j = json_object();

	lac_doc_set(doc, j, "class",
		    json_string(lac_change_class_name(c->class)));
	if (c->member)
		lac_doc_set(doc, j, "member", lac_doc_string(c->member));
	if (is_text(c)) {
		lac_doc_set(doc, j, "old", lac_doc_string(c->old_text));
		lac_doc_set(doc, j, "new", lac_doc_string(c->new_text));
	} else {
		lac_doc_set(doc, j, "old",
			    has_old(c) ? value_json(c, c->old_value)
				       : json_null());
		lac_doc_set(doc, j, "new",
			    has_new(c) ? value_json(c, c->new_value)
				       : json_null());
	}
	lac_doc_set(doc, j, "unit", json_string(lac_change_unit(c->class)));
	lac_doc_set(doc, j, "inherited", json_boolean(c->inherited));
	change_details(doc, j, c);
	if (of_container(r, c))
		lac_doc_set(doc, j, "unnamed", json_true());
	return j;
}

static json_t *fit_json(struct lac_doc *doc, const struct lac_slab_fit *f)
{
	json_t *j = json_object();

	lac_doc_set(doc, j, "order",
		    f->objects ? count(f->order) : json_null());
	lac_doc_set(doc, j, "objects",
		    f->objects ? count(f->objects) : json_null());
	/* of one slab */
	lac_doc_set(doc, j, "bytes", f->objects ? count(PAGE_BYTES << f->order)
						: json_null());
	if (!f->objects)
		lac_doc_set(doc, j, "status",
			    json_string("larger than a slab"));
	return j;
}

static json_t *live_json(struct lac_doc *doc, const struct lac_live *l)
{
	json_t *j;
	bool fits;

	if (!l->cache)
		return json_null();
	j = json_object();
	lac_doc_set(doc, j, "cache", lac_doc_string(l->cache));
	lac_doc_set(doc, j, "objects", count(l->objects));
	lac_doc_set(doc, j, "old_slot", count(l->old_slot));
	lac_doc_set(doc, j, "new_slot", count(l->new_slot));
	lac_doc_set(doc, j, "bytes", json_integer(l->bytes));
	lac_doc_set(doc, j, "slot_rule", json_string(l->rule));
	lac_doc_set(doc, j, "slot_extra", count(l->extra));
	lac_doc_set(doc, j, "old_slab",
		    fit_json(doc, &l->old_fit));
	lac_doc_set(doc, j, "new_slab",
		    fit_json(doc, &l->new_fit));
	fits = l->old_fit.objects && l->new_fit.objects;
	lac_doc_set(doc, j, "old_slabs_bytes",
		    l->old_fit.objects ? count(l->old_slabs_bytes)
				       : json_null());
	lac_doc_set(doc, j, "new_slabs_bytes",
		    l->new_fit.objects ? count(l->new_slabs_bytes)
				       : json_null());
	lac_doc_set(doc, j, "slab_bytes",
		    fits ? json_integer(l->slab_bytes) : json_null());
	if (!fits)
		lac_doc_set(doc, j, "slab_bytes_status",
			    json_string("larger than a slab"));
	lac_doc_set(doc, j, "held_bytes", count(l->held_bytes));
	return j;
}

/* The same for a table's cell. */
static void cause_text(struct lac_doc *doc, json_t *j,
		       const struct lac_diff *d,
		       const struct lac_record_diff *r)
{
	char text[128] = "";

	for (uint32_t i = 0; i < r->ncauses && i < 3; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "%s%s", i ? ", " : "",
			 d->causes[r->causes[i]].name);
	if (r->ncauses > 3 || r->more_causes)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 ", ...");
	lac_doc_set(doc, j, "cause_text", lac_doc_string(text));
}

static void causes_of(struct lac_doc *doc, json_t *j, const struct lac_diff *d,
		      const struct lac_record_diff *r)
{
	json_t *list = json_array();
	bool one = r->explained && r->ncauses == 1 && !r->more_causes;

	lac_doc_set(doc, j, "cause",
		    one ? lac_doc_string(d->causes[r->causes[0]].name)
			: json_null());
	lac_doc_set(doc, j, "explained", json_boolean(r->explained));
	lac_doc_set(doc, j, "causes", list);
	for (uint32_t i = 0; i < r->ncauses; i++)
		lac_doc_append(doc, list,
			       lac_doc_string(d->causes[r->causes[i]].name));
	cause_text(doc, j, d, r);
}

/* Also a typedef of an anonymous struct that got a tag, which is no guess. */
static bool other_name(const struct lac_record_diff *r)
{
	const struct lac_shape *a = r->old_shape, *b = r->new_shape;

	return a && b && a->name && b->name && strcmp(a->name, b->name) != 0;
}

/* What an object of its own would cost the kernel's allocator. */
static json_t *allocator_json(struct lac_doc *doc, const struct lac_shape *s,
			      const struct lac_diff_report *report)
{
	struct lac_slab_fit fit;
	uint64_t bucket = 0;
	json_t *j;

	if (!s || s->is_enum || !s->size || s->size == LAC_SIZE_UNKNOWN)
		return json_null();
	fit = lac_slab_fit_for((s->size + 7) / 8 * 8, report->cpus);
	if (lac_kmalloc_known(report->diff))
		bucket = lac_kmalloc_bucket(s->size);
	j = json_object();
	lac_doc_set(doc, j, "kmalloc", bucket ? count(bucket) : json_null());
	if (!bucket)
		lac_doc_set(doc, j, "kmalloc_status",
			    json_string(lac_kmalloc_known(report->diff)
						? "larger than a bucket"
						: "buckets of this machine not "
						  "known"));
	lac_doc_set(doc, j, "slab", fit_json(doc, &fit));
	return j;
}

static void headline_data(struct lac_doc *doc, json_t *j,
			  const struct lac_diff_report *report,
			  const struct lac_record_diff *r)
{
	lac_doc_set(doc, j, "headline",
		    lac_doc_string(lac_diff_headline(doc->arena, report, r)));
	if (!report->diff->has_allocator)
		return;
	lac_doc_set(doc, j, "allocator_before",
		    allocator_json(doc, r->old_shape, report));
	lac_doc_set(doc, j, "allocator_after",
		    allocator_json(doc, r->new_shape, report));
}

static json_t *record_json(struct lac_doc *doc,
			   const struct lac_diff_report *report,
			   const struct lac_record_diff *r)
{
	const struct lac_diff *d = report->diff;
	const struct lac_shape *s = r->new_shape ? r->new_shape : r->old_shape;
	json_t *j = json_object(), *list = json_array();

	lac_doc_set(doc, j, "name", lac_doc_string(s->name));
	lac_doc_set(doc, j, "label", lac_doc_string(s->label));
	lac_doc_set(doc, j, "title",
		    lac_doc_string(lac_diff_title(doc->arena, s)));
	lac_doc_set(doc, j, "kind", json_string(kind_name(s)));
	lac_doc_set(doc, j, "size", lac_json_size(s->size));
	lac_doc_set(doc, j, "decl", decl_json(s));
	lac_doc_set(doc, j, "change",
		    json_string(lac_pairing_name(r->pairing)));
	lac_doc_set(doc, j, "old_name",
		    other_name(r) ? lac_doc_string(r->old_shape->name)
				  : json_null());
	if (r->pairing == LAC_PAIR_RENAMED)
		lac_doc_set(doc, j, "guess", json_true());
	causes_of(doc, j, d, r);
	lac_doc_set(doc, j, "embedded_by",
		    r->embedded_by == LAC_NONE ? json_null()
					       : count(r->embedded_by));
	headline_data(doc, j, report, r);
	lac_doc_set(doc, j, "before", shape_json(doc, r->old_shape));
	lac_doc_set(doc, j, "after", shape_json(doc, r->new_shape));
	lac_doc_set(doc, j, "live", live_json(doc, &r->live));
	lac_doc_set(doc, j, "changes", list);
	for (uint32_t i = 0; i < r->nchanges; i++)
		lac_doc_append(doc, list, change_json(doc, r, &r->changes[i]));
	if (r->nfiles) {
		list = json_array();
		lac_doc_set(doc, j, "files", list);
		for (uint32_t i = 0; i < r->nfiles; i++)
			lac_doc_append(doc, list, lac_doc_string(r->files[i]));
	}
	return j;
}

static json_t *tristate(enum lac_tristate t)
{
	return t == LAC_CANNOT_TELL ? json_null() : json_boolean(t == LAC_YES);
}

static json_t *kernel_side(struct lac_doc *doc,
			   const struct lac_kernel_side *k)
{
	json_t *j;

	if (!k->present)
		return json_null();
	j = json_object();
	lac_doc_set(doc, j, "size", lac_json_size(k->size));
	lac_doc_set(doc, j, "align",
		    k->align ? count(k->align) : json_null());
	if (!k->align)
		lac_doc_set(doc, j, "align_status", json_string("not in BTF"));
	lac_doc_set(doc, j, "lines", lac_json_size(k->lines));
	if (k->variant)
		lac_doc_set(doc, j, "variant", json_string(k->variant));
	if (k->has_pair) {
		lac_doc_set(doc, j, "pair_offset", count(k->pair_offset));
		lac_doc_set(doc, j, "pair_aligned", tristate(k->pair_aligned));
		if (k->pair_aligned == LAC_CANNOT_TELL)
			lac_doc_set(doc, j, "status",
				    json_string("not in BTF"));
	}
	if (k->lock) {
		lac_doc_set(doc, j, "lock", json_string(k->lock));
		lac_doc_set(doc, j, "lock_type", lac_doc_string(k->lock_type));
		lac_doc_set(doc, j, "lock_size", lac_json_size(k->lock_size));
	}
	return j;
}

static const struct lac_kernel_row *kernel_row(const struct lac_diff *d,
					       const char *name)
{
	for (uint32_t i = 0; i < d->nkernel; i++)
		if (!strcmp(d->kernel[i].name, name))
			return &d->kernel[i];
	return NULL;
}

#define DEFAULT_RAM ((uint64_t)1 << 40)

/* What all struct pages of a machine take. */
static void page_memory(struct lac_doc *doc, const struct lac_diff_report *r)
{
	const struct lac_kernel_row *page = kernel_row(r->diff, "page");
	uint64_t ram = r->ram_bytes ? r->ram_bytes : DEFAULT_RAM;
	uint64_t pages = ram / PAGE_BYTES;
	json_t *j;

	if (!page || !page->old_side.present || !page->new_side.present ||
	    page->old_side.size > 65536 || page->new_side.size > 65536)
		return;
	j = json_object();
	lac_doc_set(doc, doc->data, "page_memory", j);
	lac_doc_set(doc, j, "ram", count(ram));
	lac_doc_set(doc, j, "page_size", count(PAGE_BYTES));
	lac_doc_set(doc, j, "old", count(pages * page->old_side.size));
	lac_doc_set(doc, j, "new", count(pages * page->new_side.size));
	lac_doc_set(doc, j, "delta",
		    json_integer((json_int_t)(pages * page->new_side.size) -
				 (json_int_t)(pages * page->old_side.size)));
}

static void kernel_data(struct lac_doc *doc, const struct lac_diff_report *r)
{
	json_t *list = json_array();

	lac_doc_set(doc, doc->data, "kernel", list);
	for (uint32_t i = 0; i < r->diff->nkernel; i++) {
		const struct lac_kernel_row *k = &r->diff->kernel[i];
		json_t *j = json_object();

		lac_doc_append(doc, list, j);
		lac_doc_set(doc, j, "name", json_string(k->name));
		lac_doc_set(doc, j, "before", kernel_side(doc, &k->old_side));
		lac_doc_set(doc, j, "after", kernel_side(doc, &k->new_side));
	}
	page_memory(doc, r);
}

static void summary(struct lac_doc *doc, const struct lac_diff *d,
		    uint32_t cpus)
{
	uint32_t n[4] = {0}, explained = 0, sized = 0;
	struct lac_cause all = {0}; /* as if one type had caused it all */
	json_t *j = json_object();

	for (uint32_t i = 0; i < d->nrecords; i++) {
		const struct lac_record_diff *r = &d->records[i];

		n[r->pairing]++;
		explained += r->explained;
		if (!r->old_shape || !r->new_shape)
			continue;
		sized += r->old_shape->size != r->new_shape->size;
		lac_cause_count(&all, r, cpus);
	}
	lac_doc_set(doc, doc->data, "summary", j);
	lac_doc_set(doc, j, "changed", count(n[LAC_PAIR_CHANGED]));
	lac_doc_set(doc, j, "explained", count(explained));
	lac_doc_set(doc, j, "size_changed", count(sized));
	lac_doc_set(doc, j, "lines_more", count(all.lines_more));
	lac_doc_set(doc, j, "lines_less", count(all.lines_less));
	lac_doc_set(doc, j, "crossings_more", count(all.crossings_more));
	lac_doc_set(doc, j, "crossings_less", count(all.crossings_less));
	lac_doc_set(doc, j, "order_more", count(all.order_more));
	lac_doc_set(doc, j, "order_less", count(all.order_less));
	lac_doc_set(doc, j, "added", count(n[LAC_PAIR_ADDED]));
	lac_doc_set(doc, j, "removed", count(n[LAC_PAIR_REMOVED]));
	lac_doc_set(doc, j, "renamed", count(n[LAC_PAIR_RENAMED]));
	lac_doc_set(doc, j, "old_unidentified", count(d->old_unidentified));
	lac_doc_set(doc, j, "new_unidentified", count(d->new_unidentified));
}

/* What was asked for, and how much differs before that. */
static void selection(struct lac_doc *doc, const struct lac_diff_report *r)
{
	const struct lac_diff_asked *a = &r->asked;
	json_t *j = json_object();

	lac_doc_set(doc, doc->data, "unfiltered", j);
	lac_doc_set(doc, j, "records", count(r->whole->nrecords));
	lac_doc_set(doc, j, "old_unidentified",
		    count(r->whole->old_unidentified));
	lac_doc_set(doc, j, "new_unidentified",
		    count(r->whole->new_unidentified));
	j = lac_diff_asked_any(a) ? json_object() : json_null();
	lac_doc_set(doc, doc->data, "filter", j);
	if (json_is_null(j))
		return;
	lac_doc_set(doc, j, "type", lac_doc_string(a->type));
	lac_doc_set(doc, j, "decl", lac_doc_string(a->decl));
	lac_doc_set(doc, j, "cause", lac_doc_string(a->cause));
	lac_doc_set(doc, j, "only", lac_doc_string(a->only));
	lac_doc_set(doc, j, "min_bytes",
		    a->min_bytes ? count(a->min_bytes_value) : json_null());
	lac_doc_set(doc, j, "ignore", lac_doc_string(a->ignore));
}

static void note(struct lac_doc *doc, json_t *notes, const char *text)
{
	lac_doc_append(doc, notes, json_string(text));
}

static void notes(struct lac_doc *doc, const struct lac_diff *d)
{
	const struct lac_diff_side *a = &d->old_side, *b = &d->new_side;
	json_t *list = json_array();

	lac_doc_set(doc, doc->data, "notes", list);
	if (a->format != b->format)
		note(doc, list,
		     "DWARF against BTF: BTF has no declared alignment and no "
		     "declaring file, one anonymous struct for all that are "
		     "alike, and an array of arrays as one array, so changes "
		     "of these are not looked for, nor of packing, and records "
		     "that moved between files cannot be told from others of "
		     "their name.");
	else if (a->format == LAC_FORMAT_BTF)
		note(doc, list,
		     "BTF has no declared alignment: an alignment is inferred "
		     "from offsets and size, or unknown.");
	if (a->missing || b->missing)
		lac_doc_append(doc, list,
			       json_sprintf("Part of the debug info was not "
					    "found or is malformed, so records "
					    "may be missing: "
					    "%s",
					    a->missing ? a->missing
						       : b->missing));
	if (d->old_unidentified || d->new_unidentified)
		lac_doc_append(
			doc, list,
			json_sprintf("Anonymous types that nothing holds or "
				     "names differ, and nothing says which "
				     "became which: %u only in the old build, "
				     "%u only in the new one.",
				     d->old_unidentified,
				     d->new_unidentified));
}

static void ignored(struct lac_doc *doc, const struct lac_ignore_list *l)
{
	json_t *list = json_array();

	lac_doc_set(doc, doc->data, "ignored", list);
	for (uint32_t i = 0; l && i < l->n; i++) {
		json_t *j = json_object();

		lac_doc_append(doc, list, j);
		lac_doc_set(doc, j, "line", count(l->rules[i].line));
		lac_doc_set(doc, j, "kind", lac_doc_string(l->rules[i].kind));
		lac_doc_set(doc, j, "pattern",
			    lac_doc_string(l->rules[i].pattern));
		lac_doc_set(doc, j, "reason", lac_doc_string(l->rules[i].reason));
		lac_doc_set(doc, j, "records", count(l->rules[i].used));
	}
}

static json_t *names_json(struct lac_doc *doc, const struct lac_diff_files *f)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->n; i++) {
		json_t *j = json_object();

		lac_doc_append(doc, list, j);
		lac_doc_set(doc, j, "file", lac_doc_string(f->names[i]));
		if (f->why)
			lac_doc_set(doc, j, "status", lac_doc_string(f->why[i]));
	}
	return list;
}

static void slabinfo(struct lac_doc *doc, const struct lac_diff_report *r)
{
	static const char *const sides[] = {
		[LAC_SLAB_SIDE_OLD] = "old",
		[LAC_SLAB_SIDE_NEW] = "new",
	};
	const struct lac_slab_weighing *w = &r->weighing;
	json_t *j = json_object(), *list = json_array();

	lac_doc_set(doc, doc->data, "slabinfo", j);
	lac_doc_set(doc, j, "path", lac_doc_string(r->slabinfo->path));
	lac_doc_set(doc, j, "side", sides[w->side] ? json_string(sides[w->side])
						   : json_null());
	lac_doc_set(doc, j, "like_old", count(w->like_old));
	lac_doc_set(doc, j, "like_new", count(w->like_new));
	lac_doc_set(doc, j, "like_neither", count(w->like_neither));
	lac_doc_set(doc, j, "caches", count(r->slabinfo->n));
	lac_doc_set(doc, j, "weighed", count(w->nweighed));
	lac_doc_set(doc, j, "cpus_agree",
		    r->cpus_agree ? count(r->cpus_agree) : json_null());
	lac_doc_set(doc, j, "misfits", list);
	for (uint32_t i = 0; i < w->nmisfits; i++)
		lac_doc_append(doc, list, lac_doc_string(w->misfits[i]));
}

static void files(struct lac_doc *doc, const struct lac_diff_report *r)
{
	json_t *j = json_object();

	lac_doc_set(doc, doc->data, "files", j);
	lac_doc_set(doc, j, "compared", count(r->compared));
	lac_doc_set(doc, j, "only_old", names_json(doc, &r->only_old));
	lac_doc_set(doc, j, "only_new", names_json(doc, &r->only_new));
	lac_doc_set(doc, j, "skipped", names_json(doc, &r->skipped));
}

void lac_diff_data(struct lac_doc *doc, const struct lac_diff_report *r)
{
	const struct lac_diff *d = r->diff;
	json_t *list;

	lac_doc_set(doc, doc->data, "old", side_json(doc, &d->old_side, r->facts));
	lac_doc_set(doc, doc->data, "new", side_json(doc, &d->new_side,
					     r->facts ? r->facts + 1 : NULL));
	if (r->dirs)
		files(doc, r);
	notes(doc, d);
	summary(doc, d, r->cpus);
	selection(doc, r);
	list = json_array();
	lac_doc_set(doc, doc->data, "causes", list);
	for (uint32_t i = 0; i < d->ncauses; i++)
		lac_doc_append(doc, list, cause_json(doc, &d->causes[i]));
	lac_doc_set(doc, doc->data, "cpus", count(r->cpus));
	if (d->nkernel)
		kernel_data(doc, r);
	list = json_array();
	lac_doc_set(doc, doc->data, "records", list);
	for (uint32_t i = 0; i < d->nrecords; i++)
		lac_doc_append(doc, list, record_json(doc, r, &d->records[i]));
	if (r->slabinfo)
		slabinfo(doc, r);
	if (r->ignore)
		ignored(doc, r->ignore);
}

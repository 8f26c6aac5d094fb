/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_record_data.c - the JSON of a record that differs. */
#include <stdio.h>
#include <string.h>

#include "diff/echo.h"
#include "diff_data.h"
#include "layout/array.h"
#include "json_number.h"

static const char *kind_name(const struct lac_shape *s)
{
	return s->is_enum ? "enum" : lac_record_kind_name(s->kind);
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
		return lac_json_enumerator((int64_t)v, c->is_signed);
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
			   const struct lac_change *c, const char *also)
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
	if (also)
		lac_doc_set(doc, j, "also", lac_doc_string(also));
	return j;
}

/* Of the members of a struct_group() each change once. */
static json_t *changes_json(struct lac_doc *doc,
			    const struct lac_record_diff *r)
{
	struct lac_record_echoes e;
	json_t *list = json_array();
	bool any = r->old_shape && r->new_shape && !r->new_shape->is_enum;
	struct lac_err err;

	if (any && lac_echoes_find(r, doc->arena, &e, &err) != LAC_OK) {
		doc->broken = true;
		return list;
	}
	for (uint32_t i = 0; i < r->nchanges; i++) {
		const struct lac_change *c = &r->changes[i];

		if (!any || !lac_change_is_echo(&e, c))
			lac_doc_append(doc, list,
				       change_json(doc, r, c,
						   any ? lac_change_also(&e, c)
						       : NULL));
	}
	return list;
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
	lac_doc_set(doc, j, "guess", json_boolean(l->guess));
	lac_doc_set(doc, j, "objects", count(l->objects));
	lac_doc_set(doc, j, "old_slot", count(l->old_slot));
	lac_doc_set(doc, j, "new_slot", count(l->new_slot));
	lac_doc_set(doc, j, "bytes", json_integer(l->bytes));
	lac_doc_set(doc, j, "slot_rule", json_string(l->rule));
	lac_doc_set(doc, j, "slot_extra", count(l->extra));
	lac_doc_set(doc, j, "slot_is",
		    json_string(l->estimate ? "estimate" : "by rule"));
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

/* Of an array that starts on a line. */
static json_t *element_json(const struct lac_shape *s,
			    const struct lac_diff_report *report)
{
	struct lac_array_phases a = lac_array_phases(s->size, 0, s->size,
						     report->line_size);

	return json_pack("{s:f, s:f, s:I, s:I}", "lines_dense",
			 a.lines_per_element, "lines_alone", a.lines_per_touch,
			 "straddling", (json_int_t)a.straddling, "period",
			 (json_int_t)a.period);
}

static void headline_data(struct lac_doc *doc, json_t *j,
			  const struct lac_diff_report *report,
			  const struct lac_record_diff *r)
{
	lac_doc_set(doc, j, "headline",
		    lac_doc_string(lac_diff_headline(doc->arena, report, r)));
	if (lac_is_page_descriptor(report, r)) {
		lac_doc_set(doc, j, "element_before",
			    element_json(r->old_shape, report));
		lac_doc_set(doc, j, "element_after",
			    element_json(r->new_shape, report));
	}
	if (!report->diff->has_allocator || !lac_may_be_allocated(r))
		return;
	lac_doc_set(doc, j, "allocator_before",
		    allocator_json(doc, r->old_shape, report));
	lac_doc_set(doc, j, "allocator_after",
		    allocator_json(doc, r->new_shape, report));
}

json_t *lac_diff_record_data(struct lac_doc *doc,
			     const struct lac_diff_report *report,
			     const struct lac_record_diff *r)
{
	const struct lac_diff *d = report->diff;
	const struct lac_shape *s = r->new_shape ? r->new_shape : r->old_shape;
	json_t *j = json_object(), *holders = json_array(), *list;

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
	lac_doc_set(doc, j, "holders", holders);
	for (uint32_t i = 0; i < r->nholders; i++)
		lac_doc_append(doc, holders, lac_doc_string(r->holders[i]));
	lac_doc_set(doc, j, "embedded_by",
		    r->embedded_by == LAC_NONE ? json_null()
					       : count(r->embedded_by));
	headline_data(doc, j, report, r);
	lac_doc_set(doc, j, "before", shape_json(doc, r->old_shape));
	lac_doc_set(doc, j, "after", shape_json(doc, r->new_shape));
	lac_doc_set(doc, j, "live", live_json(doc, &r->live));
	lac_doc_set(doc, j, "changes", changes_json(doc, r));
	if (r->nfiles) {
		list = json_array();
		lac_doc_set(doc, j, "files", list);
		for (uint32_t i = 0; i < r->nfiles; i++)
			lac_doc_append(doc, list, lac_doc_string(r->files[i]));
	}
	return j;
}

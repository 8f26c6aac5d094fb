/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * apply.c - old shape + changes = new shape.  Nothing in the product needs it;
 * that it can be written is what says that no change is lost.
 */
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"

struct patch {
	struct lac_shape shape;
	uint32_t nold;	/* fields of the old shape come first */
	bool *gone;
	struct lac_enumerator *values;
	uint32_t nvalues;
};

static void apply_value(struct patch *p, const struct lac_change *c)
{
	uint32_t i = 0;

	if (c->class == LAC_CHANGE_ENUMERATOR_ADDED) {
		p->values[p->nvalues++] = (struct lac_enumerator){
			c->member, (int64_t)c->new_value};
		return;
	}
	while (i < p->nvalues && (strcmp(p->values[i].name, c->member) ||
				  p->values[i].value != (int64_t)c->old_value))
		i++;
	if (i == p->nvalues)
		return;
	if (c->class == LAC_CHANGE_ENUMERATOR_VALUE)
		p->values[i].value = (int64_t)c->new_value;
	else
		p->values[i] = p->values[--p->nvalues];
}

static enum lac_packed packed_of(const char *name)
{
	enum lac_packed p = LAC_PACKED_NO;

	while (p < LAC_PACKED_INFERRED && strcmp(lac_packed_name(p), name))
		p++;
	return p;
}

static enum lac_record_kind kind_of(const char *name)
{
	enum lac_record_kind k = LAC_STRUCT;

	while (k < LAC_VARIANT && strcmp(lac_record_kind_name(k), name))
		k++;
	return k;
}

static void apply_field(struct patch *p, const struct lac_change *c,
			const struct lac_shape *new_shape)
{
	struct lac_field *f = c->old_field == LAC_NONE
				      ? NULL
				      : &p->shape.fields[c->old_field];

	switch (c->class) {
	case LAC_CHANGE_MEMBER_ADDED:
		p->shape.fields[p->shape.nfields++] =
			new_shape->fields[c->new_field];
		break;
	case LAC_CHANGE_MEMBER_REMOVED:
		p->gone[c->old_field] = true;
		break;
	case LAC_CHANGE_MEMBER_MOVED:
		f->bit_offset = c->new_value;
		break;
	case LAC_CHANGE_MEMBER_RETYPED:
		f->type = c->new_text;
		f->resolved = c->new_resolved;
		break;
	case LAC_CHANGE_MEMBER_RESIZED:
	case LAC_CHANGE_BIT_WIDTH:
		f->bit_size = c->new_value;
		break;
	case LAC_CHANGE_ARRAY_LENGTH:
		f->type = c->new_text;
		f->bit_size = c->new_bits;
		break;
	case LAC_CHANGE_MEMBER_ALIGNED:
		f->declared_align = (uint32_t)c->new_value;
		break;
	default:
		break;
	}
	/* an unnamed record is called by what it holds: no change of its own */
	if (f && c->class != LAC_CHANGE_MEMBER_REMOVED)
		f->path = c->member;
}

static void apply_change(struct patch *p, const struct lac_change *c,
			 const struct lac_shape *new_shape)
{
	switch (c->class) {
	case LAC_CHANGE_KIND:
		p->shape.kind = kind_of(c->new_text);
		break;
	case LAC_CHANGE_SIZE:
		p->shape.size = c->new_value;
		break;
	case LAC_CHANGE_ALIGN:
		p->shape.align = (uint32_t)c->new_value;
		break;
	case LAC_CHANGE_PACKED:
		p->shape.packed = packed_of(c->new_text);
		break;
	case LAC_CHANGE_ENUMERATOR_ADDED:
	case LAC_CHANGE_ENUMERATOR_REMOVED:
	case LAC_CHANGE_ENUMERATOR_VALUE:
		apply_value(p, c);
		break;
	case LAC_CHANGE_PADDING:
	case LAC_CHANGE_HOLES:
	case LAC_CHANGE_LINE_CROSSING:
		break; /* they follow from the rest */
	default:
		apply_field(p, c, new_shape);
	}
}

static int value_order(const void *pa, const void *pb)
{
	const struct lac_enumerator *a = pa, *b = pb;

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void settle(struct patch *p)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < p->shape.nfields; i++)
		if (i >= p->nold || !p->gone[i])
			p->shape.fields[kept++] = p->shape.fields[i];
	p->shape.nfields = kept;
	if (kept)
		qsort(p->shape.fields, kept, sizeof(*p->shape.fields),
		      lac_field_order);
	if (p->nvalues)
		qsort(p->values, p->nvalues, sizeof(*p->values), value_order);
	p->shape.values = p->values;
	p->shape.nvalues = p->nvalues;
	lac_shape_rehash(&p->shape);
}

enum lac_status lac_diff_apply(const struct lac_record_diff *r,
			       struct lac_arena *arena, struct lac_shape *ret,
			       struct lac_err *err)
{
	struct patch p;

	if (!r->old_shape || !r->new_shape)
		return lac_fail(err, LAC_USAGE,
				"what is in one build only has no changes");
	p = (struct patch){.shape = *r->old_shape,
			   .nold = r->old_shape->nfields,
			   .nvalues = r->old_shape->nvalues};
	p.shape.fields = lac_arena_zalloc(arena, p.nold + r->nchanges,
					  sizeof(*p.shape.fields));
	p.gone = lac_arena_zalloc(arena, p.nold, sizeof(*p.gone));
	p.values = lac_arena_zalloc(arena, p.nvalues + r->nchanges,
				    sizeof(*p.values));
	if (!p.shape.fields || !p.gone || !p.values)
		return lac_fail_memory(err);
	if (p.nold)
		memcpy(p.shape.fields, r->old_shape->fields,
		       p.nold * sizeof(*p.shape.fields));
	if (p.nvalues)
		memcpy(p.values, r->old_shape->values,
		       p.nvalues * sizeof(*p.values));
	for (uint32_t i = 0; i < r->nchanges; i++)
		apply_change(&p, &r->changes[i], r->new_shape);
	settle(&p);
	*ret = p.shape;
	return LAC_OK;
}

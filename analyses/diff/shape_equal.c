/* SPDX-License-Identifier: BSD-2-Clause */
/* shape_equal.c - when two shapes are one: an order, a hash, equality. */
#include <string.h>

#include "diff/shape.h"

int lac_field_order(const void *pa, const void *pb)
{
	const struct lac_field *a = pa, *b = pb;
	int c;

	if (a->bit_offset != b->bit_offset)
		return a->bit_offset < b->bit_offset ? -1 : 1;
	if (a->unnamed != b->unnamed)
		return a->unnamed ? -1 : 1;
	if (a->unnamed && a->bit_size != b->bit_size)
		return a->bit_size > b->bit_size ? -1 : 1;
	c = strcmp(a->unnamed ? a->type : a->path, b->unnamed ? b->type
							      : b->path);
	if (c)
		return c;
	return a->seq < b->seq ? -1 : a->seq > b->seq;
}

static uint64_t hash_bytes(uint64_t h, const void *p, size_t n)
{
	const unsigned char *c = p;

	for (size_t i = 0; i < n; i++)
		h = (h ^ c[i]) * 0x100000001b3u;
	return h;
}

static uint64_t hash_text(uint64_t h, const char *s)
{
	return s ? hash_bytes(h, s, strlen(s) + 1) : h * 31;
}

static uint64_t hash_u64(uint64_t h, uint64_t v)
{
	return hash_bytes(h, &v, sizeof(v));
}

void lac_shape_rehash(struct lac_shape *s)
{
	uint64_t h = 0xcbf29ce484222325u;

	h = hash_u64(h, s->is_enum);
	h = hash_u64(h, s->kind);
	h = hash_u64(h, s->size);
	for (uint32_t i = 0; i < s->nfields; i++) {
		const struct lac_field *f = &s->fields[i];

		/* an unnamed one is called by what it holds */
		h = hash_text(h, f->unnamed ? NULL : f->path);
		h = hash_text(h, f->type);
		h = hash_text(h, f->resolved);
		h = hash_u64(h, f->bit_offset);
		h = hash_u64(h, f->bit_size);
	}
	for (uint32_t i = 0; i < s->nvalues; i++) {
		h = hash_text(h, s->values[i].name);
		h = hash_u64(h, (uint64_t)s->values[i].value);
	}
	s->hash = h;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_field(const struct lac_field *a, const struct lac_field *b)
{
	return a->bit_offset == b->bit_offset && a->bit_size == b->bit_size &&
	       a->declared_align == b->declared_align &&
	       a->unnamed == b->unnamed &&
	       (a->unnamed || same_text(a->path, b->path)) &&
	       same_text(a->type, b->type) &&
	       same_text(a->resolved, b->resolved);
}

bool lac_shape_same_layout(const struct lac_shape *a, const struct lac_shape *b)
{
	if (a->hash != b->hash || a->is_enum != b->is_enum ||
	    a->kind != b->kind || a->size != b->size ||
	    !lac_aligns_equal(a->align, b->align) ||
	    a->packed != b->packed || a->nfields != b->nfields ||
	    a->nvalues != b->nvalues)
		return false;
	for (uint32_t i = 0; i < a->nfields; i++)
		if (!same_field(&a->fields[i], &b->fields[i]))
			return false;
	for (uint32_t i = 0; i < a->nvalues; i++)
		if (a->values[i].value != b->values[i].value ||
		    strcmp(a->values[i].name, b->values[i].name))
			return false;
	return true;
}

bool lac_field_in_union(const struct lac_shape *s, const struct lac_field *f)
{
	static const char *const qualifiers[] = { "const ", "volatile " };
	const char *type;

	if (f->parent == LAC_NONE)
		return s->kind == LAC_UNION;
	type = s->fields[f->parent].type;
	for (size_t i = 0; i < 2; i++)
		if (!strncmp(type, qualifiers[i], strlen(qualifiers[i])))
			type += strlen(qualifiers[i]);
	return !strncmp(type, "union", 5);
}

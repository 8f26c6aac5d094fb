/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/rows.h"

#include <stdlib.h>
#include <string.h>

#include "report/doc.h"

struct lac_bare lac_bare_text(const char *s)
{
	if (!s)
		return lac_bare_null();
	return (struct lac_bare){ .kind = LAC_BARE_TEXT, .text = s };
}

struct lac_bare lac_bare_size(uint64_t v)
{
	if (v > INT64_MAX)
		return lac_bare_null();
	return (struct lac_bare){ .kind = LAC_BARE_INTEGER,
				   .integer = (int64_t)v };
}

bool lac_rows_reserve(struct lac_rows *r, size_t n)
{
	struct lac_bare *fields;
	uint32_t *order;

	if (n <= r->cap)
		return true;
	if (n > UINT32_MAX)
		return false;
	/* each row is zeroed when it is added */
	fields = reallocarray(NULL, n, r->nkeys * sizeof(*fields));
	order = lac_arena_zalloc(r->arena, n, sizeof(*order));
	if (!fields || !lac_arena_own(r->arena, fields, free)) {
		free(fields);
		return false;
	}
	if (!order)
		return false;
	if (r->n) {
		memcpy(fields, r->fields, r->n * r->nkeys * sizeof(*fields));
		memcpy(order, r->order, r->n * sizeof(*order));
	}
	r->fields = fields;
	r->order = order;
	r->cap = n;
	return true;
}

struct lac_rows lac_rows_stretch(const struct lac_rows *r, size_t first,
				 size_t n)
{
	return (struct lac_rows){
		.keys = r->keys, .nkeys = r->nkeys, .cap = n,
		.fields = r->fields + first * r->nkeys,
		.order = r->order + first,
	};
}

struct lac_bare *lac_rows_add(struct lac_rows *r)
{
	struct lac_bare *f;

	if (r->n == r->cap && !r->arena) /* a stretch ends where it does */
		return NULL;
	if (r->n == r->cap && !lac_rows_reserve(r, r->cap ? 2 * r->cap : 64))
		return NULL;
	r->order[r->n] = (uint32_t)r->n;
	f = &r->fields[r->n++ * r->nkeys];
	return memset(f, 0, r->nkeys * sizeof(*f));
}

size_t lac_rows_key(const struct lac_rows *r, const char *key)
{
	size_t i = 0;

	while (i < r->nkeys && strcmp(r->keys[i], key))
		i++;
	return i;
}

json_t *lac_bare_json(const struct lac_bare *f)
{
	switch (f->kind) {
	case LAC_BARE_TEXT:
		return lac_doc_string(f->text);
	case LAC_BARE_INTEGER:
		return json_integer(f->integer);
	case LAC_BARE_NONE:
	case LAC_BARE_NULL:
		break;
	}
	return json_null();
}

json_t *lac_rows_object(const struct lac_rows *r, size_t row)
{
	const struct lac_bare *f = lac_rows_at(r, row);
	json_t *o = json_object();

	for (size_t i = 0; o && i < r->nkeys; i++)
		if (f[i].kind != LAC_BARE_NONE &&
		    json_object_set_new(o, r->keys[i], lac_bare_json(&f[i]))) {
			json_decref(o);
			o = NULL;
		}
	return o;
}

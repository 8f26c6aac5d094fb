/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/rows.h"

#include <string.h>

#include "report/doc.h"

struct lac_rows lac_rows_open(struct lac_arena *arena, const char *const *keys,
			      size_t nkeys)
{
	return (struct lac_rows){
		.keys = keys, .nkeys = nkeys, .arena = arena,
		.row_values = nkeys + nkeys / sizeof(union lac_bare_value) + 1,
	};
}

bool lac_rows_reserve(struct lac_rows *r, size_t n)
{
	union lac_bare_value *values;
	uint32_t *order;

	if (n <= r->cap)
		return true;
	if (n > UINT32_MAX)
		return false;
	/* each row is set, all of it, when it is added */
	values = lac_arena_alloc(r->arena, n, r->row_values * sizeof(*values));
	order = lac_arena_zalloc(r->arena, n, sizeof(*order));
	if (!values || !order)
		return false;
	if (r->n) {
		memcpy(values, r->values,
		       r->n * r->row_values * sizeof(*values));
		memcpy(order, r->order, r->n * sizeof(*order));
	}
	r->values = values;
	r->order = order;
	r->cap = n;
	return true;
}

struct lac_rows lac_rows_stretch(const struct lac_rows *r, size_t first,
				 size_t n)
{
	return (struct lac_rows){
		.keys = r->keys, .nkeys = r->nkeys, .cap = n,
		.values = r->values + first * r->row_values,
		.row_values = r->row_values, .order = r->order + first,
	};
}

bool lac_rows_add(struct lac_rows *r, const struct lac_bare *fields)
{
	union lac_bare_value *row;
	unsigned char *kinds;

	if (r->n == r->cap && !r->arena) /* a stretch ends where it does */
		return false;
	if (r->n == r->cap && !lac_rows_reserve(r, r->cap ? 2 * r->cap : 64))
		return false;
	row = r->values + r->n * r->row_values;
	kinds = (unsigned char *)(row + r->nkeys);
	row[r->row_values - 1].integer = LAC_BARE_NONE; /* eight of them */
	for (size_t i = 0; i < r->nkeys; i++) {
		row[i] = fields[i].value;
		kinds[i] = (unsigned char)fields[i].kind;
	}
	r->order[r->n] = (uint32_t)r->n;
	r->n++;
	return true;
}

size_t lac_rows_key(const struct lac_rows *r, const char *key)
{
	size_t i = 0;

	while (i < r->nkeys && strcmp(r->keys[i], key))
		i++;
	return i;
}

json_t *lac_bare_json(struct lac_bare f)
{
	switch (f.kind) {
	case LAC_BARE_TEXT:
		return lac_doc_string(f.value.text);
	case LAC_BARE_INTEGER:
		return json_integer(f.value.integer);
	case LAC_BARE_NONE:
	case LAC_BARE_NULL:
		break;
	}
	return json_null();
}

json_t *lac_rows_object(const struct lac_rows *r, size_t row)
{
	struct lac_row fields = lac_rows_at(r, row);
	json_t *o = json_object();

	for (size_t i = 0; o && i < r->nkeys; i++) {
		struct lac_bare f = lac_row_field(fields, i);

		if (f.kind != LAC_BARE_NONE &&
		    json_object_set_new(o, r->keys[i], lac_bare_json(f))) {
			json_decref(o);
			o = NULL;
		}
	}
	return o;
}

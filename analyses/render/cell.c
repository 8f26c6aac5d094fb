/* SPDX-License-Identifier: BSD-2-Clause */
#include "render/cell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const json_t *follow(const json_t *v)
{
	const json_t *inner = json_object_get(v, "value");

	return inner ? inner : v;
}

const json_t *lac_cell_value(const json_t *row, const char *key)
{
	return follow(lac_row_cell(row, key));
}

/* The object that holds the last part of a dotted key; *leaf is that part. */
static const json_t *parent_of(const json_t *row, const char *key,
			       const char **leaf)
{
	for (const char *dot; row && (dot = strchr(key, '.')); key = dot + 1)
		row = json_object_getn(row, key, (size_t)(dot - key));
	*leaf = key;
	return row;
}

const char *lac_cell_status(const json_t *row, const char *key)
{
	const json_t *cell = lac_row_cell(row, key), *parent;
	const char *leaf, *status;
	char own[128];

	if (json_is_object(cell))
		return json_string_value(json_object_get(cell, "status"));
	parent = parent_of(row, key, &leaf);
	snprintf(own, sizeof(own), "%s_status", leaf);
	status = json_string_value(json_object_get(parent, own));
	if (!status)
		status = json_string_value(json_object_get(parent, "status"));
	return status;
}

/* A magnitude of bytes, exactly: "14 GiB", "1.5 MiB", "1547 B". */
static char *memory_text(struct lac_arena *arena, json_int_t bytes)
{
	static const char *const units[] = { "TiB", "GiB", "MiB", "KiB" };
	unsigned long long n = bytes < 0 ? 0 - (unsigned long long)bytes
					 : (unsigned long long)bytes;
	const char *sign = bytes < 0 ? "-" : "";

	for (unsigned i = 0; i < 4; i++) {
		unsigned long long unit = 1ull << (40 - 10 * i);
		unsigned long long rest = n % unit;
		char digits[8];
		size_t len;

		/* three decimals are exact for multiples of unit / 8 only */
		if (n < unit || rest % (unit / 8))
			continue;
		if (!rest)
			return lac_arena_printf(arena, "%s%llu %s", sign,
						n / unit, units[i]);
		snprintf(digits, sizeof(digits), "%03llu",
			 rest / (unit / 8) * 125);
		for (len = strlen(digits); len > 1 && digits[len - 1] == '0';
		     len--)
			digits[len - 1] = '\0';
		return lac_arena_printf(arena, "%s%llu.%s %s", sign, n / unit,
					digits, units[i]);
	}
	return lac_arena_printf(arena, "%s%llu B", sign, n);
}

static char *real_text(struct lac_arena *arena, double v, int decimals)
{
	char *s = lac_arena_printf(arena, "%.*f", decimals < 0 ? 0 : decimals,
				   v);

	/* no "-0.00" */
	return s && s[0] == '-' && !s[strspn(s, "-0.")] ? s + 1 : s;
}

/* With its sign, unless it shows as 0. */
static const char *signed_text(struct lac_arena *arena, double v, int decimals)
{
	const char *s = real_text(arena, v, decimals);

	if (!s || *s == '-' || !s[strspn(s, "0.")])
		return s;
	return lac_arena_printf(arena, "+%s", s);
}

/* Most cells are one of these. */
static char *plain_integer(struct lac_arena *arena, json_int_t v, bool bits)
{
	char room[LAC_CELL_ROOM], *end = room + sizeof(room);
	char *start = lac_cell_integer(end, v, bits);

	return lac_arena_strndup(arena, start, (size_t)(end - start));
}

static const char *integer_text(struct lac_arena *arena, json_int_t v,
				enum lac_unit_kind unit, int decimals)
{
	if (unit == LAC_UNIT_MEMORY)
		return memory_text(arena, v);
	if (unit == LAC_UNIT_RATIO)
		return real_text(arena, (double)v, decimals);
	return plain_integer(arena, v, unit == LAC_UNIT_BITS);
}

/* More than asked for where a small ratio would have none of its digits left. */
static int ratio_decimals(double v, int decimals)
{
	enum { FINE = 3, DIGITS = 2, MOST = 15 };
	double limit = pow(10, DIGITS - 1 - decimals);

	if (decimals < FINE || !(v > 0) || v >= limit)
		return decimals;
	while (decimals < MOST && v < limit) {
		limit /= 10;
		decimals++;
	}
	return decimals;
}

static const char *number_text(struct lac_arena *arena, const json_t *v,
			       enum lac_unit_kind unit, int decimals)
{
	if (unit == LAC_UNIT_PERCENT)
		return real_text(arena, json_number_value(v) * 100, decimals);
	if (unit == LAC_UNIT_CHANGE)
		return signed_text(arena, json_number_value(v) * 100, decimals);
	if (json_is_integer(v))
		return integer_text(arena, json_integer_value(v), unit,
				    decimals);
	if (unit == LAC_UNIT_RATIO)
		decimals = ratio_decimals(json_real_value(v), decimals);
	return real_text(arena, json_real_value(v), decimals);
}

enum lac_status lac_number_format(struct lac_arena *arena, const json_t *value,
				  enum lac_unit_kind unit, int decimals,
				  const char **ret, struct lac_err *err)
{
	const char *s = number_text(arena, value, unit, decimals);

	if (s && (unit == LAC_UNIT_PERCENT || unit == LAC_UNIT_CHANGE))
		s = lac_arena_printf(arena, "%s %%", s);
	if (!s)
		return lac_fail_memory(err);
	*ret = s;
	return LAC_OK;
}

static const char *number_cell(struct lac_arena *arena, const json_t *row,
			       const struct lac_column *c, const json_t *v)
{
	bool percent = c->unit == LAC_UNIT_PERCENT ||
		       c->unit == LAC_UNIT_CHANGE;
	const char *tail = percent ? " %" : "";
	const char *s = number_text(arena, v, c->unit, c->decimals);
	const json_t *low = c->low ? lac_cell_value(row, c->low) : NULL;
	const json_t *high = c->high ? lac_cell_value(row, c->high) : NULL;
	const char *l, *h;

	if (!s)
		return NULL;
	if (!json_is_number(low) || !json_is_number(high))
		return *tail ? lac_arena_printf(arena, "%s%s", s, tail) : s;
	l = number_text(arena, low, c->unit, c->decimals);
	h = number_text(arena, high, c->unit, c->decimals);
	if (!l || !h)
		return NULL;
	return lac_arena_printf(arena, "%s [%s, %s]%s", s, l, h, tail);
}

/* Lists as their elements with commas, anything deeper as JSON. */
static const char *compound_cell(struct lac_arena *arena, const json_t *v,
				 const struct lac_column *c)
{
	const char *all = "";
	json_t *e;
	size_t i;

	if (json_is_object(v)) {
		char *text = json_dumps(v, JSON_COMPACT | JSON_ENCODE_ANY);

		all = text ? lac_arena_strdup(arena, text) : NULL;
		free(text);
		return all;
	}
	json_array_foreach(v, i, e) {
		const char *one;

		if (json_is_string(e))
			one = json_string_value(e);
		else if (json_is_number(e))
			one = number_text(arena, e, c->unit, c->decimals);
		else if (json_is_boolean(e))
			one = json_is_true(e) ? "yes" : "no";
		else if (json_is_null(e))
			one = "n/a";
		else
			one = compound_cell(arena, e, c);
		if (!one)
			return NULL;
		all = lac_arena_printf(arena, "%s%s%s", all, i ? ", " : "",
				       one);
		if (!all)
			return NULL;
	}
	return all;
}

enum lac_status lac_cell_format(struct lac_arena *arena, const json_t *row,
				const struct lac_column *column,
				struct lac_cell *ret, struct lac_err *err)
{
	const json_t *v = lac_cell_value(row, column->key);
	struct lac_cell cell = { .number = json_is_number(v) };

	if (!v) {
		cell.text = "";
	} else if (json_is_null(v)) {
		cell.absent = true;
		cell.text = lac_cell_status(row, column->key);
		if (!cell.text)
			cell.text = "n/a";
	} else if (cell.number) {
		cell.text = number_cell(arena, row, column, v);
	} else if (json_is_string(v)) {
		cell.text = json_string_value(v);
	} else if (json_is_boolean(v)) {
		cell.text = json_is_true(v) ? "yes" : "no";
	} else {
		cell.text = compound_cell(arena, v, column);
	}
	if (!cell.text)
		return lac_fail_memory(err);
	*ret = cell;
	return LAC_OK;
}

/* -- of a table ----------------------------------------------------------- */

static const char *field_number(struct lac_arena *arena, int64_t v,
				const struct lac_column *column)
{
	json_t *number;
	const char *text;

	if (column->unit != LAC_UNIT_PERCENT && column->unit != LAC_UNIT_CHANGE)
		return integer_text(arena, v, column->unit,
				    column->decimals);
	number = json_integer(v);
	text = number ? number_cell(arena, NULL, column, number) : NULL;
	json_decref(number);
	return text;
}

enum lac_status lac_table_cell(struct lac_arena *arena,
			       const struct lac_table *t, size_t row,
			       size_t column, struct lac_cell *ret,
			       struct lac_err *err)
{
	const struct lac_column *c = &t->columns[column];
	struct lac_row values;
	struct lac_bare f;
	struct lac_cell cell;

	if (!t->values)
		return lac_cell_format(arena, json_array_get(t->rows, row), c,
				       ret, err);
	values = lac_rows_at(t->values, row);
	f = lac_row_field(values, t->places[column]);
	cell.number = f.kind == LAC_BARE_INTEGER;
	cell.absent = f.kind == LAC_BARE_NULL;
	cell.text = cell.number ? field_number(arena, f.value.integer, c) :
				  lac_table_text(t, values, f);
	if (!cell.text)
		return lac_fail_memory(err);
	*ret = cell;
	return LAC_OK;
}

void lac_table_look_ahead(const struct lac_table *t, size_t row)
{
	enum { FIELDS = 12, TEXTS = 6, LINE = 64 }; /* rows ahead; bytes */
	const struct lac_rows *v = t->values;

	if (v && row + FIELDS < v->n) {
		const char *at =
			(const char *)lac_rows_at(v, row + FIELDS).values;

		for (size_t i = 0; i < v->row_values * sizeof(*v->values);
		     i += LINE)
			__builtin_prefetch(at + i);
	}
	if (v && row + TEXTS < v->n)
		__builtin_prefetch(lac_rows_at(v, row + TEXTS).values->text);
}

size_t lac_table_nrows(const struct lac_table *t)
{
	return t->values ? t->values->n : json_array_size(t->rows);
}

bool lac_table_is_number(const struct lac_table *t, size_t column)
{
	size_t n = lac_table_nrows(t);
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		enum lac_bare_kind kind = LAC_BARE_NONE;
		const json_t *v;

		if (t->values) {
			kind = lac_row_field(lac_rows_at(t->values, i),
					     t->places[column]).kind;
			any |= kind == LAC_BARE_INTEGER;
		} else {
			v = lac_cell_value(json_array_get(t->rows, i),
					   t->columns[column].key);
			if (v && !json_is_number(v) && !json_is_null(v))
				return false;
			any |= json_is_number(v);
		}
		if (kind == LAC_BARE_TEXT)
			return false;
	}
	return any;
}

json_t *lac_table_row(const struct lac_table *t, size_t row)
{
	return t->values ? lac_rows_object(t->values, row) :
			   json_incref(json_array_get(t->rows, row));
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rows.h - rows that all have the same keys, as bare values.
 *
 * A kernel's list has thousands of them, and as JSON objects they would cost
 * more than finding them.  What a program asks for becomes JSON from the very
 * same values.
 */
#ifndef LAC_ROWS_H
#define LAC_ROWS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum lac_bare_kind {
	LAC_BARE_NONE, /* the key is not in this row */
	LAC_BARE_NULL, /* its "status" says why */
	LAC_BARE_TEXT, /* any bytes; see lac_doc_string() */
	LAC_BARE_INTEGER,
};

union lac_bare_value {
	const char *text; /* not copied: as long as the document */
	int64_t integer;
};

struct lac_bare {
	enum lac_bare_kind kind;
	union lac_bare_value value;
};

struct lac_rows {
	const char *const *keys; /* constants, in the order of the JSON */
	size_t nkeys, n, cap;
	/*
	 * Row by row, as they were added, so many each: those of its keys, then
	 * the kinds of these in a byte each, and of one more, which is NONE.
	 */
	union lac_bare_value *values;
	size_t row_values;
	uint32_t *order; /* which one is shown where: the first n; may be set */
	struct lac_arena *arena;  /* the document's */
};

/* One of them. */
struct lac_row {
	const union lac_bare_value *values;
	const unsigned char *kinds;
};

/* NULL becomes null, and so does what no JSON integer holds. */
static inline struct lac_bare lac_bare_text(const char *s)
{
	return (struct lac_bare){ s ? LAC_BARE_TEXT : LAC_BARE_NULL,
				  { .text = s } };
}

static inline struct lac_bare lac_bare_size(uint64_t v)
{
	return (struct lac_bare){
		v > INT64_MAX ? LAC_BARE_NULL : LAC_BARE_INTEGER,
		{ .integer = (int64_t)v },
	};
}

static inline struct lac_bare lac_bare_null(void)
{
	return (struct lac_bare){ .kind = LAC_BARE_NULL };
}

/* No rows yet; they will be in the arena. */
struct lac_rows lac_rows_open(struct lac_arena *arena, const char *const *keys,
			      size_t nkeys);

/* Room for n rows in all; false: out of memory. */
bool lac_rows_reserve(struct lac_rows *r, size_t n);

/* One more row, of nkeys fields; false: out of memory. */
bool lac_rows_add(struct lac_rows *r, const struct lac_bare *fields);

/*
 * A stretch of room that has been reserved, from row first on, to be filled by
 * somebody on his own.  What he adds are the rows first, first + 1... of the
 * whole, which does not count them: its order and n are set when all are there.
 */
struct lac_rows lac_rows_stretch(const struct lac_rows *r, size_t first,
				 size_t n);

/* The row that is shown there. */
static inline struct lac_row lac_rows_at(const struct lac_rows *r, size_t row)
{
	const union lac_bare_value *values = r->values +
					     r->order[row] * r->row_values;

	return (struct lac_row){ values,
				 (const unsigned char *)(values + r->nkeys) };
}

/* What it has at a place; NONE at nkeys. */
static inline struct lac_bare lac_row_field(struct lac_row row, size_t place)
{
	return (struct lac_bare){ (enum lac_bare_kind)row.kinds[place],
				  row.values[place] };
}

/* The place of a key in each row, or nkeys. */
size_t lac_rows_key(const struct lac_rows *r, const char *key);

/* The caller's reference; NULL when out of memory. */
json_t *lac_bare_json(struct lac_bare f);
json_t *lac_rows_object(const struct lac_rows *r, size_t row);

#endif

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

struct lac_bare {
	enum lac_bare_kind kind;
	union {
		const char *text; /* not copied: as long as the document */
		int64_t integer;
	};
};

struct lac_rows {
	const char *const *keys; /* constants, in the order of the JSON */
	size_t nkeys, n, cap;
	struct lac_bare *fields; /* row by row, as they were added */
	uint32_t *order; /* which one is shown where: the first n; may be set */
	struct lac_arena *arena;  /* the document's */
};

/* NULL becomes null, and so does what no JSON integer holds. */
struct lac_bare lac_bare_text(const char *s);
struct lac_bare lac_bare_size(uint64_t v);
static inline struct lac_bare lac_bare_null(void)
{
	return (struct lac_bare){ .kind = LAC_BARE_NULL };
}

/* Room for n rows in all; false: out of memory. */
bool lac_rows_reserve(struct lac_rows *r, size_t n);

/* One more row: nkeys fields to be filled, all NONE; NULL: out of memory. */
struct lac_bare *lac_rows_add(struct lac_rows *r);

/*
 * A stretch of room that has been reserved, from row first on, to be filled by
 * somebody on his own.  What he adds are the rows first, first + 1... of the
 * whole, which does not count them: its order and n are set when all are there.
 */
struct lac_rows lac_rows_stretch(const struct lac_rows *r, size_t first,
				 size_t n);

/* The fields of the row that is shown there. */
static inline struct lac_bare *lac_rows_at(const struct lac_rows *r, size_t row)
{
	return &r->fields[r->order[row] * r->nkeys];
}

/* The place of a key in each row, or nkeys. */
size_t lac_rows_key(const struct lac_rows *r, const char *key);

/* The caller's reference; NULL when out of memory. */
json_t *lac_bare_json(const struct lac_bare *f);
json_t *lac_rows_object(const struct lac_rows *r, size_t row);

#endif

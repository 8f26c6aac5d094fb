/* SPDX-License-Identifier: BSD-2-Clause */
/* cell.h - one typed value of a table as the text that people read. */
#ifndef LAC_CELL_H
#define LAC_CELL_H

#include "base/digits.h"
#include "report/doc.h"

struct lac_cell {
	const char *text; /* "" when the key does not apply to this row */
	bool number;	  /* aligned to the right */
	bool absent;	  /* null: the text is the reason, or "n/a" */
};

/*
 * The text lives in the arena.  A key that is not in the row gives "" (it does
 * not apply); a null gives the status that stands beside it, never a 0.
 *
 * BYTES, COUNT: digits.  BITS: bytes, and "17b3" for 17 bytes and 3 bits.
 * MEMORY: exact, in the largest unit that needs no more than three decimals.
 * PERCENT: of a fraction.  Reals have the column's decimals.  An interval
 * follows its value: "1.05 [1.03, 1.07]".
 */
LAC_MUST_CHECK enum lac_status lac_cell_format(struct lac_arena *arena,
					       const json_t *row,
					       const struct lac_column *column,
					       struct lac_cell *ret,
					       struct lac_err *err);

/* What a bare value of that row that is no integer is shown as. */
static inline const char *lac_table_text(const struct lac_table *t,
					 struct lac_row row, struct lac_bare f)
{
	bool absent = f.kind == LAC_BARE_NULL;

	if (absent) /* as lac_cell_status() finds the reason */
		f = lac_row_field(row, t->status);
	if (f.kind == LAC_BARE_TEXT)
		return f.value.text;
	return absent ? "n/a" : "";
}

/* The same as lac_cell_format() of any table's row and column, by number. */
LAC_MUST_CHECK enum lac_status lac_table_cell(struct lac_arena *arena,
					      const struct lac_table *t,
					      size_t row, size_t column,
					      struct lac_cell *ret,
					      struct lac_err *err);

#define LAC_CELL_ROOM (LAC_DIGITS_MAX + 3) /* bytes: a sign, b and a digit */

/*
 * As lac_table_cell() shows an integer in BITS or (bits is false) as it is,
 * without a zero: it ends where end is, and as many bytes as it takes, up to
 * LAC_CELL_ROOM, are free before that.  Its first byte.
 */
static inline char *lac_cell_integer(char *end, int64_t v, bool bits)
{
	uint64_t n = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;

	if (bits) {
		if (n % 8) {
			*--end = (char)('0' + n % 8);
			*--end = 'b';
		}
		n /= 8;
	}
	end = lac_digits_put(end, n);
	if (v < 0)
		*--end = '-';
	return end;
}

/* Integers of the unit are shown as that. */
static inline bool lac_unit_is_digits(enum lac_unit_kind unit)
{
	return unit == LAC_UNIT_NONE || unit == LAC_UNIT_BYTES ||
	       unit == LAC_UNIT_BITS || unit == LAC_UNIT_NS ||
	       unit == LAC_UNIT_COUNT;
}

size_t lac_table_nrows(const struct lac_table *t);
/*
 * Rows are shown in another order than they lie in: each that is asked for in
 * turn has this called before it, to have what follows at hand.
 */
void lac_table_look_ahead(const struct lac_table *t, size_t row);
/* Every cell of the column is a number, or has none; and one is. */
bool lac_table_is_number(const struct lac_table *t, size_t column);
/* A row as an object: the caller's reference; NULL when out of memory. */
json_t *lac_table_row(const struct lac_table *t, size_t row);

/* The number of a bare value in a unit, without any interval. */
LAC_MUST_CHECK enum lac_status
lac_number_format(struct lac_arena *arena, const json_t *value,
		  enum lac_unit_kind unit, int decimals, const char **ret,
		  struct lac_err *err);

/*
 * The value of a cell: what stands at the key or, where that is an object with
 * a "value", that value.  NULL if the key is not there.
 */
const json_t *lac_cell_value(const json_t *row, const char *key);
/* Why it is null: the status beside it, or NULL where there is none. */
const char *lac_cell_status(const json_t *row, const char *key);

#endif

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

/* The same of a table's row and column, by their numbers. */
LAC_MUST_CHECK enum lac_status lac_table_cell(struct lac_arena *arena,
					      const struct lac_table *t,
					      size_t row, size_t column,
					      struct lac_cell *ret,
					      struct lac_err *err);

#define LAC_CELL_ROOM (LAC_DIGITS_MAX + 3) /* bytes: b, a digit and a zero */

/*
 * As lac_table_cell() shows an integer in BITS or (bits is false) as it is: the
 * text is at the end of the room, where its zero is the last byte.
 */
static inline char *lac_cell_integer(char room[LAC_CELL_ROOM], int64_t v,
				     bool bits)
{
	char *p = room + LAC_CELL_ROOM - 1;

	*p = '\0';
	if (!bits)
		return lac_digits_put(p, v);
	if (v % 8) {
		*--p = (char)('0' + (v < 0 ? -(v % 8) : v % 8));
		*--p = 'b';
	}
	p = lac_digits_put(p, v / 8);
	if (v < 0 && v > -8) /* a sign that v / 8 has lost */
		*--p = '-';
	return p;
}

/* Integers of the unit are shown as that. */
static inline bool lac_unit_is_digits(enum lac_unit_kind unit)
{
	return unit == LAC_UNIT_NONE || unit == LAC_UNIT_BYTES ||
	       unit == LAC_UNIT_BITS || unit == LAC_UNIT_NS ||
	       unit == LAC_UNIT_COUNT;
}

/* A bare value of a table that has such, by its place in the rows. */
static inline const struct lac_bare *
lac_table_field(const struct lac_table *t, size_t row, size_t place)
{
	static const struct lac_bare none = { .kind = LAC_BARE_NONE };

	return place == t->values->nkeys ?
		       &none : lac_rows_at(t->values, row) + place;
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

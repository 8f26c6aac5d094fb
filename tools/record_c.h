/* SPDX-License-Identifier: BSD-2-Clause */
/* record_c.h - a layout in the C form that pahole made customary. */
#ifndef LAC_RECORD_C_H
#define LAC_RECORD_C_H

#include "layout/layout.h"
#include "report/doc.h"

struct lac_record_c_options {
	bool expand;		 /* open the records among the members, too */
	bool hex;		 /* offsets and sizes */
	struct lac_rules *rules; /* of the layout's graph */
};

/*
 * Append the record to the document as a listing.  Members with offset and
 * size, holes, padding and cache-line borders, and the sums at the end.
 * LAC_UNSUPPORTED if it comes to more lines than anyone can read.
 */
LAC_MUST_CHECK enum lac_status
lac_record_c(struct lac_doc *d, const struct lac_layout *l,
	     const struct lac_record_c_options *o, struct lac_err *err);

/* "[3]" behind each other; "" for no array.  *element is what is below. */
const char *lac_array_suffix(const struct lac_graph *g, lac_type_id id,
			     struct lac_arena *scratch, lac_type_id *element);

/* " __attribute__((__packed__, __aligned__(N)))" or "". */
const char *lac_attributes(bool packed, uint32_t align,
			   struct lac_arena *scratch);

/*
 * Unnamed bit-fields that fill `bits` from bit `at` on; call with *done at 0
 * until it returns NULL.  No field is wider than unit_bits.
 */
const char *lac_fill_next(uint64_t at, uint64_t bits, uint64_t unit_bits,
			  uint64_t *done, struct lac_arena *scratch);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* relayout.h - the same members under another rule: what a build would have. */
#ifndef LAC_RELAYOUT_H
#define LAC_RELAYOUT_H

#include "layout/layout.h"

struct lac_relayout_rule {
	/*
	 * The record's alignment, in bytes: at least this, and no attribute of
	 * its own.  1 leaves what its members ask for.
	 */
	uint32_t align;
};

struct lac_relayout {
	uint64_t size;	/* bytes */
	uint32_t align; /* bytes */
	uint64_t hole_bits, padding_bits;
	const uint64_t *bit_offsets; /* of each member */
};

/*
 * Lay the members of a C struct or union out in their order by the System V
 * rules.  Members keep the alignments of their types and their own attributes.
 * LAC_UNSUPPORTED for a record whose own layout those rules do not give: the
 * answer would be a guess.  *ret in the arena.
 */
LAC_MUST_CHECK enum lac_status
lac_relayout(const struct lac_graph *g, lac_record_id id,
	     struct lac_rules *rules, struct lac_relayout_rule rule,
	     struct lac_arena *arena, struct lac_relayout *ret,
	     struct lac_err *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reorder.h - the same declarations in another order: what that would save.
 *
 * Only members that C lets trade places do.  What stays whole: a run of
 * bit-fields with the unnamed ones in it and a member beside it that shares a
 * unit with it, an unnamed struct or union, a struct that ends in a flexible
 * array and what stands behind it.  Nothing passes a member of no size, which
 * may be a mark; an array without a bound at the end stays there.
 */
#ifndef LAC_REORDER_H
#define LAC_REORDER_H

#include "layout/layout.h"

enum lac_reorder_status {
	LAC_REORDER_SMALLER,	 /* there is one, and this is it */
	LAC_REORDER_LEAST,	 /* no order is smaller: proven */
	LAC_REORDER_NONE_FOUND,	 /* a smaller one may exist */
	LAC_REORDER_UNSUPPORTED, /* see reason */
};

struct lac_reorder_move {
	uint32_t member; /* index as it was declared */
	uint32_t n;	 /* so many, from that on, go together */
	uint32_t behind; /* index likewise, LAC_NONE: it becomes the first */
};

struct lac_reorder {
	enum lac_reorder_status status;
	const char *reason; /* of UNSUPPORTED; else NULL */
	/*
	 * LAC_INFERRED where an alignment is (BTF tells none), and where an
	 * unnamed bit-field may take bits that seem to be free.
	 */
	enum lac_certainty certainty;
	/* What follows is of SMALLER alone. */
	bool least;	/* no order saves more: proven */
	uint64_t saves; /* bytes */
	/* as it would be read back: members by their new offsets */
	struct lac_record record;
	uint32_t nmoves;
	const struct lac_reorder_move *moves; /* in their new order */
};

/*
 * An order of the members of a C struct that makes it smaller, with few moves
 * and with the first member left first, where either costs no byte.  Offsets
 * and size are those of the System V rules, as lac_relayout() has them.  *ret
 * in the arena, untouched on failure.
 */
LAC_MUST_CHECK enum lac_status
lac_reorder(const struct lac_graph *g, lac_record_id id,
	    struct lac_rules *rules, struct lac_arena *arena,
	    struct lac_reorder *ret, struct lac_err *err);

/*
 * The graph with that record in the place of the one it was made of, for all
 * that shows a record of a graph; rules have to be made anew.  It shares all
 * else with g, which has to stay, and is not for lac_graph_destroy(); what
 * embeds the record is as it was.
 */
LAC_MUST_CHECK enum lac_status
lac_reorder_graph(const struct lac_graph *g, lac_record_id id,
		  const struct lac_reorder *reorder, struct lac_arena *arena,
		  struct lac_graph *ret, struct lac_err *err);

const char *lac_reorder_status_name(enum lac_reorder_status s);

#endif

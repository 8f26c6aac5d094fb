/* SPDX-License-Identifier: BSD-2-Clause */
/* record_reorder.h - what another order of the members would save, to show. */
#ifndef LAC_RECORD_REORDER_H
#define LAC_RECORD_REORDER_H

#include "layout/reorder.h"
#include "record_json.h"

/* A record in its new order, or why there is none. */
struct lac_reordered {
	struct lac_reorder found;
	const char *summary; /* one line about it */
	json_t *json;	     /* for the record's "reorder"; the caller's */
	/* If it is smaller, as if it had been read: */
	struct lac_graph graph;
	struct lac_rules *rules; /* of that */
	struct lac_layout layout;
};

/*
 * l is the record as it is, o how its members are told.  What *ret points to is
 * in the arena.
 */
LAC_MUST_CHECK enum lac_status
lac_record_reorder(struct lac_doc *d, const struct lac_layout *l,
		   const struct lac_record_json_options *o,
		   struct lac_arena *arena, struct lac_reordered *ret,
		   struct lac_err *err);

/* What such a saving does not say. */
extern const char lac_reorder_caveat[];

#endif

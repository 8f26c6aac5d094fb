/* SPDX-License-Identifier: BSD-2-Clause */
/* index.h - what a finished graph keeps to answer quickly. */
#ifndef LAC_INDEX_H
#define LAC_INDEX_H

#include "base/near.h"
#include "dbginfo/graph.h"

struct lac_name {
	const char *name; /* whole, or its last part for a qualified one */
	lac_record_id record;
};

/* Of lac_graph.index; names in strcmp order, then by record. */
struct lac_graph_index {
	uint32_t nwhole, nlast;
	struct lac_name *whole, *last;
	uint32_t *align;	       /* by type: lac_type_align() */
	unsigned char *align_source; /* enum lac_certainty */
};

LAC_MUST_CHECK enum lac_status lac_index_build(struct lac_graph *g,
					       struct lac_err *err);

/* Fill in the names of ix, from the records and aliases of g. */
LAC_MUST_CHECK enum lac_status lac_index_names(const struct lac_graph *g,
					       struct lac_graph_index *ix,
					       struct lac_err *err);

/* Fill in align and align_source, whose storage is there. */
void lac_align_compute(const struct lac_graph *g, struct lac_graph_index *ix);

/* "page" of "struct page": what lac_graph_find() looks for. */
const char *lac_name_asked(const char *name);

#endif

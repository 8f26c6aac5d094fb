/* SPDX-License-Identifier: BSD-2-Clause */
/* record_figure.h - layouts as the data of LAC_FIGURE_LINE_MAP. */
#ifndef LAC_RECORD_FIGURE_H
#define LAC_RECORD_FIGURE_H

#include "layout/layout.h"
#include "report/doc.h"

/*
 * One map; the caller's reference, NULL when out of memory.  A record whose
 * size is unknown has no map: json_null().
 * t: where its unnamed structs have holes and padding; or NULL, for those that
 * are the record's own alone.
 */
json_t *lac_record_map(const struct lac_layout *l,
		       const struct lac_through *t, const char *title,
		       struct lac_arena *scratch);

/*
 * Add a figure of one record to the document, its data under "figures"; nothing
 * if it has no map.
 */
void lac_record_figure(struct lac_doc *d, const struct lac_layout *l,
		       const struct lac_through *t, struct lac_arena *scratch);

#endif

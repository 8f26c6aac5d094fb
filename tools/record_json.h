/* SPDX-License-Identifier: BSD-2-Clause */
/* record_json.h - a layout as the JSON contract has it. */
#ifndef LAC_RECORD_JSON_H
#define LAC_RECORD_JSON_H

#include "layout/layout.h"
#include "report/doc.h"

/*
 * Everything about one record, for `show`; the caller's reference.
 * unit_names: lac_unit_names(), which all records share.
 */
json_t *lac_record_json(struct lac_doc *d, const struct lac_layout *l,
			const json_t *unit_names, struct lac_arena *scratch);

/* The names of a graph's units by index; the caller's reference. */
json_t *lac_unit_names(struct lac_doc *d, const struct lac_graph *g);

/* Its figures alone, for `list`. */
json_t *lac_record_row(struct lac_doc *d, const struct lac_layout *l);

/* Its name, or that of a typedef for it; NULL if it has neither. */
const char *lac_record_name(const struct lac_record *r);

/* A number of bytes or bits that may be unknown. */
json_t *lac_json_size(uint64_t v);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef LAC_DAMAGE_H
#define LAC_DAMAGE_H

#include "dbginfo/graph.h"

/* A record with a nameless member that is malformed is malformed. */
void lac_damage_spread(const struct lac_graph *g, struct lac_record *records);

/* With options.partial: the graph's malformed records are missing from it. */
LAC_MUST_CHECK enum lac_status lac_damage_note(struct lac_graph *g,
					       struct lac_err *err);

#endif

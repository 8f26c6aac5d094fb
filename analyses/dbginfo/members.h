/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef LAC_MEMBERS_H
#define LAC_MEMBERS_H

#include "dbginfo/graph.h"

/*
 * Complete what a record of a graph in the making says of its members, which
 * are still the reader's: sizes that their types tell, tail padding that the
 * next one uses, the record's end.  The graph's types are complete.
 */
void lac_members_complete(const struct lac_graph *g, struct lac_record *r);

#endif

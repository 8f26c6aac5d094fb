/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef LAC_CYCLES_H
#define LAC_CYCLES_H

#include "dbginfo/graph.h"

/* Sets the damage of every record that contains itself by value. */
LAC_MUST_CHECK enum lac_status lac_cycles_mark(const struct lac_graph *g,
					       struct lac_record *records,
					       struct lac_err *err);

#endif

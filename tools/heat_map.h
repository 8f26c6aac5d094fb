/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * heat_map.h - misses over the cache lines of a record: the line map of a
 * figure with a "heat" at the spans that counters name.
 */
#ifndef LAC_HEAT_MAP_H
#define LAC_HEAT_MAP_H

#include "bench_options.h"
#include "report/doc.h"

/*
 * Two variants of struct page after random frees of 256-byte objects, with the
 * simulated L1 misses an operation at each member, over lines of line_bytes, which
 * is what was simulated.  Adds nothing where the run has not simulated them.
 */
void lac_heat_of_page(struct lac_doc *d, const struct lac_library *l,
		      const char *test, unsigned size, unsigned line_bytes);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_era.h - what a struct page of the library lacks of a real one's. */
#ifndef LAC_BENCH_ERA_H
#define LAC_BENCH_ERA_H

#include "bench_options.h"
#include "report/doc.h"

/*
 * A sentence where figures of r do not hold for a kernel as distributions build
 * it: those of its era, or of another that they are compared with.  Else null;
 * NULL when out of memory.
 */
json_t *lac_bench_era_note(struct lac_doc *d, const struct lac_experiment *r);
/* A paragraph of what "era_note" of the settings says, if anything. */
void lac_bench_show_era_note(struct lac_doc *d);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * predict.h - lines of the page array that a kernel touches, worked out from
 * the layout alone: offsets and stride from the debug information, the slab's
 * order, and the pattern of the loop.  No cache is modelled.
 *
 * The rules (facts of SLUB, not of this run):
 * - slab k begins at descriptor k << order; slabs are filled one after another;
 * - an allocation and a free go through the head descriptor of the slab: its
 *   flags, freelist, counters, cache pointer and list links;
 * - making a slab of order > 0 writes every tail descriptor, and a free of an
 *   object that does not start in the first page reads that page's own: the
 *   flags and the pointer to the head;
 * - the pair loop gets the same object back every time: one slab is all.
 */
#ifndef LAC_PREDICT_H
#define LAC_PREDICT_H

#include "correlate/descriptor.h"

struct lac_pattern {
	const char *test; /* one of lac_test_names */
	uint64_t class_size, n, order, objects_per_slab;
	unsigned line_bytes, page_bytes;
};

struct lac_prediction {
	/* Distinct lines of a round, per operation: the footprint. */
	double lines;
	/*
	 * Lines of one free that finds nothing of the array in the cache, on
	 * the average over the objects: what random order costs.
	 */
	double lines_isolated;
	/* Share of the descriptors touched that lie on two lines. */
	double straddling;
};

/*
 * The array starts on a line border.  LAC_UNSUPPORTED for a pattern whose
 * descriptors do not follow from the loop: remote, fragmented.
 */
LAC_MUST_CHECK enum lac_status lac_predict(const struct lac_descriptor *d,
					   const struct lac_pattern *p,
					   struct lac_prediction *ret,
					   struct lac_err *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reference_2013.h - the table of 18 December 2013 that started the argument
 * (linux-mm, thread "re-shrink struct page when SLUB is on"): nanoseconds per
 * allocation and free, one run a cell, on an 80-core Westmere.  The column that
 * the mail heads "48" is the 56-byte, packed struct page with a spin lock: the
 * memory that the series saved says so (see the README).
 */
#ifndef LAC_REFERENCE_2013_H
#define LAC_REFERENCE_2013_H

#include <stddef.h>

struct lac_reference {
	unsigned size; /* bytes of an object */
	double bulk_aligned_cas_ns, bulk_packed_lock_ns;
	double pair_aligned_cas_ns, pair_packed_lock_ns;
};

extern const struct lac_reference lac_reference_2013[];
extern const size_t lac_nreference_2013;

/* "Westmere", GHz: to turn its times into cycles. */
#define LAC_REFERENCE_GHZ 2.4

/*
 * What a real 6.1 kernel does with 20 000 objects of 256 bytes that are freed in
 * random order: L1 misses of struct page[] a pair of kmalloc and kfree, counted
 * under an emulator with a 32K/8 L1 and a 256K/8 L2, aligned with cmpxchg16b
 * and packed with the lock.
 */
struct lac_reference_kernel {
	const char *version;
	const char *how; /* its configuration, and what counted */
	unsigned size;
	double aligned_cas_page_l1, packed_lock_page_l1;
};
extern const struct lac_reference_kernel lac_reference_kernel_random;

/* NULL for a size that was not measured. */
const struct lac_reference *lac_reference_find(unsigned size);

#endif

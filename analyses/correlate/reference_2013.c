/* SPDX-License-Identifier: BSD-2-Clause */
#include "correlate/reference_2013.h"

const struct lac_reference lac_reference_2013[] = {
	{ 8, 98.2, 105.7, 58.6, 43.0 },	   { 32, 123.7, 125.8, 59.3, 43.0 },
	{ 128, 293.9, 289.9, 59.4, 43.2 }, { 256, 572.4, 577.9, 57.4, 42.8 },
	{ 1024, 621.0, 639.3, 80.4, 43.0 }, { 4096, 733.3, 746.7, 76.0, 43.8 },
	{ 8192, 968.3, 948.6, 79.9, 43.0 },
};
const size_t lac_nreference_2013 =
	sizeof(lac_reference_2013) / sizeof(lac_reference_2013[0]);

const struct lac_reference_kernel lac_reference_kernel_random = {
	.version = "6.1.192",
	.how = "Debian's source, tinyconfig with SLUB and SMP and without "
	       "MEMCG, on one processor, packed by not selecting "
	       "HAVE_ALIGNED_STRUCT_PAGE; run by QEMU 7.2 as an interpreter, "
	       "with a plugin that models an L1 of 32K/8 and an L2 of 256K/8",
	.size = 256,
	.aligned_cas_page_l1 = 1.043,
	.packed_lock_page_l1 = 1.489,
};

const struct lac_reference *lac_reference_find(unsigned size)
{
	for (size_t i = 0; i < lac_nreference_2013; i++)
		if (lac_reference_2013[i].size == size)
			return &lac_reference_2013[i];
	return NULL;
}

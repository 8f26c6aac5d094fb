/* SPDX-License-Identifier: BSD-2-Clause */
/* fuzz_btf.c - any bytes as raw BTF. */
#include <stdlib.h>

#include "dbginfo/typeinfo.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lac_btf_input in = { .path = "fuzz", .data = data,
				    .size = size };
	struct lac_graph head = { .path = "fuzz", .debug_path = "fuzz",
				  .format = LAC_FORMAT_BTF };
	struct lac_graph *g = NULL;
	struct lac_pool *p;
	struct lac_err err;

	if (!lac_btf_is_raw(data, size))
		return 0;
	if (lac_pool_create(&p, &err) != LAC_OK)
		abort();
	if (lac_btf_read(&in, p, &head.target.pointer_size,
			 &head.target.big_endian, &err) != LAC_OK) {
		lac_pool_destroy(p);
		return 0;
	}
	if (lac_pool_freeze(p, &head, &g, &err) != LAC_OK)
		return 0;
	if (lac_graph_check(g, &err) != LAC_OK)
		abort();
	lac_graph_destroy(g);
	return 0;
}

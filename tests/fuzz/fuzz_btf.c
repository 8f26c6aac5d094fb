/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_btf.c - any bytes as raw BTF; or, behind four bytes with the size of the
 * first, as a base and split BTF that builds on it.
 */
#include <stdlib.h>
#include <string.h>

#include "dbginfo/typeinfo.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool take_base(struct lac_btf_input *in)
{
	const uint8_t *data = in->data;
	uint32_t size;

	if (in->size < sizeof(size))
		return false;
	memcpy(&size, data, sizeof(size));
	data += sizeof(size);
	in->size -= sizeof(size);
	if (size > in->size || !lac_btf_is_raw(data, size) ||
	    !lac_btf_is_raw(data + size, in->size - size))
		return false;
	in->base_path = "base";
	in->base = data;
	in->base_size = size;
	in->data = data + size;
	in->size -= size;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lac_btf_input in = { .path = "fuzz", .data = data,
				    .size = size };
	struct lac_graph head = { .path = "fuzz", .debug_path = "fuzz",
				  .format = LAC_FORMAT_BTF };
	struct lac_graph *g = NULL;
	struct lac_pool *p;
	struct lac_err err;

	if (!lac_btf_is_raw(data, size) && !take_base(&in))
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

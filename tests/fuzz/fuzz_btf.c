/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_btf.c - any bytes as raw BTF; or, behind four bytes with the size of the
 * first, as a base and split BTF that builds on it.
 */
#include <stdlib.h>
#include <string.h>

#include "../unit/graph_text.h"
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

/* Through a pool, or straight into a graph. */
static enum lac_status read_one_way(const struct lac_btf_input *in, bool pool,
				    struct lac_graph **ret)
{
	struct lac_graph head = { .path = "fuzz", .debug_path = "fuzz",
				  .format = LAC_FORMAT_BTF };
	struct lac_pool *p;
	struct lac_err err;
	enum lac_status st;

	*ret = NULL;
	if (lac_pool_create(&p, &err) != LAC_OK)
		abort();
	head.arena = p->arena;
	st = pool ? lac_btf_read(in, p, &head.target.pointer_size,
				 &head.target.big_endian, &err)
		  : lac_btf_graph(in, &head, &err);
	if (st != LAC_OK) {
		lac_pool_destroy(p);
		return st;
	}
	st = lac_pool_freeze(p, &head, ret, &err);
	if (st == LAC_OK && lac_graph_check(*ret, &err) != LAC_OK)
		abort();
	return st;
}

static void compare(const struct lac_graph *a, const struct lac_graph *b)
{
	char *x = graph_text_of(a, true), *y = graph_text_of(b, true);

	if (strcmp(x, y) != 0)
		abort();
	free(x);
	free(y);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lac_btf_input in = { .path = "fuzz", .data = data,
				    .size = size };
	struct lac_graph *g, *plain;

	if (!lac_btf_is_raw(data, size) && !take_base(&in))
		return 0;
	read_one_way(&in, true, &plain);
	/* a newer libbpf may refuse more than we have to */
	if (read_one_way(&in, false, &g) == LAC_OK && plain)
		compare(g, plain);
	lac_graph_destroy(g);
	lac_graph_destroy(plain);
	return 0;
}

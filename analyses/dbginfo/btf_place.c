/* SPDX-License-Identifier: BSD-2-Clause */
#include "dbginfo/btf_place.h"

#include <stdlib.h>
#include <string.h>

bool lac_btf_place_open(struct lac_btf_place *p, const void *data, size_t size)
{
	const unsigned char *from = data;
	struct btf_header h;
	uint64_t left;

	if (size < sizeof(h) || size > UINT32_MAX / 2)
		return false;
	memcpy(&h, data, sizeof(h));
	if (h.magic != BTF_MAGIC || h.version != BTF_VERSION || h.flags ||
	    h.hdr_len < sizeof(h) || h.hdr_len > size)
		return false;
	from += h.hdr_len;
	left = size - h.hdr_len;
	/* what is unusual, such as a hole between the two, is not for here */
	if ((uint64_t)h.type_off + h.type_len != h.str_off ||
	    (uint64_t)h.str_off + h.str_len != left ||
	    (uintptr_t)(from + h.type_off) % _Alignof(struct btf_type) ||
	    !h.str_len || from[h.str_off] || from[left - 1])
		return false;
	*p = (struct lac_btf_place){
		.types = from + h.type_off, .types_size = h.type_len,
		.strings = (const char *)from + h.str_off,
		.strings_size = h.str_len, .n = 1,
		.max = h.type_len / (uint32_t)sizeof(struct btf_type) + 1,
	};
	p->offsets = malloc(p->max * sizeof(*p->offsets));
	return p->offsets != NULL;
}

void lac_btf_place_close(struct lac_btf_place *p)
{
	free(p->offsets);
	*p = (struct lac_btf_place){ 0 };
}

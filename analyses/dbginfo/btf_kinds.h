/* SPDX-License-Identifier: BSD-2-Clause */
/* btf_kinds.h - what both readers of BTF make of its kinds. */
#ifndef LAC_BTF_KINDS_H
#define LAC_BTF_KINDS_H

#include <bpf/btf.h>

#include "dbginfo/graph.h"

/* Of an integer or a float. */
static inline enum lac_encoding lac_btf_encoding(const struct btf_type *b)
{
	uint8_t e;

	if (!btf_is_int(b))
		return LAC_ENC_FLOAT;
	e = btf_int_encoding(b);
	if (e & BTF_INT_BOOL)
		return LAC_ENC_BOOL;
	if (e & BTF_INT_CHAR)
		return e & BTF_INT_SIGNED ? LAC_ENC_SIGNED_CHAR :
					    LAC_ENC_UNSIGNED_CHAR;
	return e & BTF_INT_SIGNED ? LAC_ENC_SIGNED : LAC_ENC_UNSIGNED;
}

/* Of a typedef or a qualifier. */
static inline enum lac_type_kind lac_btf_modifier(unsigned kind)
{
	switch (kind) {
	case BTF_KIND_TYPEDEF: return LAC_TYPE_TYPEDEF;
	case BTF_KIND_CONST: return LAC_TYPE_CONST;
	case BTF_KIND_VOLATILE: return LAC_TYPE_VOLATILE;
	default: return LAC_TYPE_RESTRICT;
	}
}

/* Of one of an enumeration's; *name is an offset among the strings. */
static inline int64_t lac_btf_value(const struct btf_type *b, uint16_t i,
				    uint32_t *name)
{
	const struct btf_enum *e = &btf_enum(b)[i];

	if (btf_is_enum64(b)) {
		*name = btf_enum64(b)[i].name_off;
		return (int64_t)btf_enum64_value(&btf_enum64(b)[i]);
	}
	*name = e->name_off;
	/* of unsigned ones, the bits that it has */
	return btf_kflag(b) || b->size > 4 ? (int64_t)e->val
					   : (int64_t)(uint32_t)e->val;
}

#endif

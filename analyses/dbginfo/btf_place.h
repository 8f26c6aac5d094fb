/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf_place.h - BTF where it lies: no copy, and no second look.
 *
 * That is for sound BTF of the host's byte order only.  libbpf takes the rest,
 * has the last word on what is damaged, and is what this is tested against.
 */
#ifndef LAC_BTF_PLACE_H
#define LAC_BTF_PLACE_H

#include <bpf/btf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lac_btf_place {
	const unsigned char *types;
	uint32_t types_size;   /* bytes */
	const char *strings;   /* the first is empty, the last byte a zero */
	uint32_t strings_size; /* bytes */
	uint32_t *offsets;     /* of types, by id */
	uint32_t n, max;       /* types by now, void included; at the most */
	uint32_t at;	       /* of the next type */
	bool bad;	       /* the bytes there are no type */
};

/*
 * False: this is not for that way, or there is no memory; nothing to close
 * then.  The bytes have to stay.
 */
bool lac_btf_place_open(struct lac_btf_place *p, const void *data, size_t size);
void lac_btf_place_close(struct lac_btf_place *p); /* a zeroed one: a no-op */

/*
 * Bytes behind a type's first twelve; a lot for no kind of type.  By tables:
 * which kind comes next cannot be foretold.
 */
static inline uint32_t lac_btf_more(const struct btf_type *t)
{
	enum { LOT = INT32_MAX, KINDS = BTF_KIND_ENUM64 + 1 };
	static const uint32_t once[KINDS] = {
		[BTF_KIND_UNKN] = LOT,
		[BTF_KIND_INT] = sizeof(uint32_t),
		[BTF_KIND_ARRAY] = sizeof(struct btf_array),
		[BTF_KIND_VAR] = sizeof(struct btf_var),
		[BTF_KIND_DECL_TAG] = sizeof(struct btf_decl_tag),
	};
	static const uint8_t each[KINDS] = {
		[BTF_KIND_STRUCT] = sizeof(struct btf_member),
		[BTF_KIND_UNION] = sizeof(struct btf_member),
		[BTF_KIND_ENUM] = sizeof(struct btf_enum),
		[BTF_KIND_FUNC_PROTO] = sizeof(struct btf_param),
		[BTF_KIND_DATASEC] = sizeof(struct btf_var_secinfo),
		[BTF_KIND_ENUM64] = sizeof(struct btf_enum64),
	};
	unsigned kind = btf_kind(t);

	if (kind >= KINDS)
		return LOT;
	return once[kind] + each[kind] * (uint32_t)btf_vlen(t);
}

/* The next type, from 1 on; NULL behind the last, or if it is bad. */
static inline const struct btf_type *lac_btf_next(struct lac_btf_place *p)
{
	const struct btf_type *t;
	uint32_t left = p->types_size - p->at, more;

	if (!left)
		return NULL;
	t = (const struct btf_type *)(const void *)(p->types + p->at);
	if (left < sizeof(*t) || (more = lac_btf_more(t)) > left - sizeof(*t)) {
		p->bad = true;
		return NULL;
	}
	p->offsets[p->n++] = p->at;
	p->at += (uint32_t)sizeof(*t) + more;
	return t;
}

/* By id, from 1 and below n. */
static inline const struct btf_type *
lac_btf_type(const struct lac_btf_place *p, uint32_t id)
{
	return (const struct btf_type *)(const void *)(p->types +
						       p->offsets[id]);
}

#endif

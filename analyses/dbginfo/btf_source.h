/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf_source.h - where the types and strings of BTF lie: in the bytes as they
 * are, or as libbpf has taken them in.
 *
 * In place costs neither a copy nor a second look, but is for sound BTF of the
 * host's byte order only, each of whose strings is there once.  libbpf takes
 * the rest, and has the last word on what is damaged.  The types are the same:
 * libbpf is what the other way is tested against.
 */
#ifndef LAC_BTF_SOURCE_H
#define LAC_BTF_SOURCE_H

#include <bpf/btf.h>

#include "dbginfo/typeinfo.h"

struct lac_btf_part {
	const unsigned char *types;
	const char *strings; /* the last byte is a zero */
	uint32_t types_size, strings_size; /* bytes */
};

struct lac_btf_source {
	const struct lac_btf_input *in;
	struct btf *btf, *base; /* libbpf's; both NULL in place */
	struct lac_btf_part part[2]; /* the base's, empty if there is none */
	uint32_t *offsets; /* in place: of types, in their part */
	/* types by now, void included; of the base's; at the most */
	uint32_t n, first, max;
	uint32_t at; /* in place: of the next type, in its part */
	bool bad;    /* in place: the bytes there are no type */
	bool big_endian;
};

/*
 * Open in place.  false: this is not for that way; there is nothing to close
 * then.  The input has to stay.
 */
bool lac_btf_open_in_place(struct lac_btf_source *s,
			   const struct lac_btf_input *in);
LAC_MUST_CHECK enum lac_status
lac_btf_open_libbpf(struct lac_btf_source *s, const struct lac_btf_input *in,
		    struct lac_err *err);
void lac_btf_close(struct lac_btf_source *s); /* a zeroed one is a no-op */

/* Bytes of all strings, the base's included. */
bool lac_btf_strings_size(const struct lac_btf_source *s, uint32_t *ret);
/* All of them, as offsets of names go, to so many bytes. */
void lac_btf_strings_copy(const struct lac_btf_source *s, char *to);

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
static inline const struct btf_type *lac_btf_next(struct lac_btf_source *s)
{
	const struct lac_btf_part *part = &s->part[s->first != 0];
	const struct btf_type *t;
	uint32_t left, more;

	if (s->btf)
		return s->n < s->max ? btf__type_by_id(s->btf, s->n++) : NULL;
	if (!s->first && s->at == s->part[0].types_size) {
		s->first = s->n;
		s->at = 0;
		part = &s->part[1];
	}
	left = part->types_size - s->at;
	if (!left)
		return NULL;
	t = (const struct btf_type *)(const void *)(part->types + s->at);
	if (left < sizeof(*t) || (more = lac_btf_more(t)) > left - sizeof(*t)) {
		s->bad = true;
		return NULL;
	}
	s->offsets[s->n++] = s->at;
	s->at += (uint32_t)sizeof(*t) + more;
	return t;
}

/* By id, below n. */
static inline const struct btf_type *
lac_btf_type(const struct lac_btf_source *s, uint32_t id)
{
	static const struct btf_type nothing;

	if (s->btf)
		return btf__type_by_id(s->btf, id);
	if (!id)
		return &nothing;
	return (const struct btf_type *)(const void *)
		(s->part[id >= s->first].types + s->offsets[id]);
}

#endif

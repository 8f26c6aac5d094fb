/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf_records.c - records, the inner ones first, and enumerations.  Those that
 * say the same are one, which is found by a hash of what they say.
 */
#include "dbginfo/btf_reader.h"

#include "dbginfo/btf_kinds.h"
#include "dbginfo/members.h"
#include "dbginfo/pool.h"

#define NEST_MAX 60 /* records in each other */

static const uint32_t first_unit;

/* -- enumerations --------------------------------------------------------- */

static bool take_enum(struct lac_btf_reader *r, lac_type_id id)
{
	struct lac_type *t = &r->types[id];
	const struct btf_type *b = lac_btf_type(&r->from, t->enumeration);
	struct lac_enumeration *e = &r->enumerations[r->g->nenumerations];
	uint16_t n = btf_vlen(b);
	const uint32_t *known;
	uint64_t print;

	*e = (struct lac_enumeration){ .name = t->name, .size = t->size,
				       .is_signed = btf_kflag(b),
				       .type = id, .nvalues = n,
				       .values = r->values };
	if (n > r->values_left)
		return false;
	print = lac_mix_in((uintptr_t)e->name, e->size << 1 | e->is_signed);
	for (uint16_t i = 0; i < n; i++) {
		struct lac_enumerator *v = &r->values[i];
		uint32_t name;

		v->value = lac_btf_value(b, i, &name);
		if (!lac_btf_name(r, name, &v->name))
			return false;
		print = lac_mix_in(print + (uint64_t)v->value, name);
	}
	print >>= 1; /* no key of a map is all ones */
	r->facts[id].print = print;
	known = lac_map_get(&r->contents, print);
	if (known) {
		t->enumeration = *known;
		return *known < r->g->nenumerations &&
		       lac_pool_same_enum(&r->enumerations[*known], e);
	}
	r->values += n;
	r->values_left -= n;
	t->enumeration = r->g->nenumerations++;
	return lac_map_put(&r->contents, print, t->enumeration);
}

/* -- records -------------------------------------------------------------- */

static bool is_bitfield(const struct lac_btf_reader *r,
			const struct lac_member *m)
{
	switch (r->types[lac_type_strip(r->g, m->type)].kind) {
	case LAC_TYPE_RECORD:
	case LAC_TYPE_ARRAY: /* clang's _Atomic: see lac_pool_is_bitfield() */
		return m->bit_size % 8 || m->bit_offset % 8;
	default:
		return true;
	}
}

static bool take_record(struct lac_btf_reader *r, lac_type_id id,
			unsigned depth);

/* Of *nest, the deepest by now. */
static bool take_inner(struct lac_btf_reader *r, lac_type_id inner,
		       unsigned depth, uint8_t *nest)
{
	const struct lac_btf_facts *f = &r->facts[inner];

	if (r->types[inner].kind != LAC_TYPE_RECORD)
		return true;
	if (!f->nest && !take_record(r, inner, depth + 1))
		return false;
	if (f->nest > *nest)
		*nest = f->nest;
	return f->nest < NEST_MAX; /* LAC_BTF_BUSY: it is in itself */
}

static bool take_member(struct lac_btf_reader *r, const struct btf_member *b,
			bool has_bits, struct lac_member *m)
{
	*m = (struct lac_member){
		.bit_offset = has_bits ? BTF_MEMBER_BIT_OFFSET(b->offset) :
					 b->offset,
		.bit_size = has_bits ? BTF_MEMBER_BITFIELD_SIZE(b->offset) : 0,
	};
	if (!lac_btf_name(r, b->name_off, &m->name) ||
	    !lac_btf_ref(r, b->type, &m->type))
		return false;
	if (!m->bit_size)
		m->bit_size = LAC_SIZE_UNKNOWN; /* its type's */
	else if (is_bitfield(r, m))
		m->role = LAC_MEMBER_BITFIELD;
	return true;
}

/* But for the sizes of members, which depend on their types. */
static bool same_record(const struct lac_btf_reader *r,
			const struct lac_record *a, const struct lac_record *b)
{
	if (a->kind != b->kind || a->name != b->name ||
	    a->typedef_name != b->typedef_name || a->size != b->size ||
	    a->nmembers != b->nmembers)
		return false;
	for (uint32_t i = 0; i < a->nmembers; i++) {
		const struct lac_member *x = &a->members[i];
		const struct lac_member *y = &b->members[i];

		if (x->name != y->name || x->bit_offset != y->bit_offset ||
		    x->role != y->role ||
		    r->facts[x->type].print != r->facts[y->type].print)
			return false;
	}
	return true;
}

/* One that is not known becomes the graph's; its members may not. */
static bool put_record(struct lac_btf_reader *r, lac_type_id id,
		       struct lac_record *rec, uint64_t print)
{
	const uint32_t *known = lac_map_get(&r->contents, print);

	r->facts[id].print = print;
	if (known) {
		r->types[id].record = *known;
		return *known < r->g->nrecords &&
		       same_record(r, &r->records[*known], rec);
	}
	r->types[id].record = r->g->nrecords;
	lac_members_complete(r->g, rec);
	r->records[r->g->nrecords] = *rec;
	return !rec->damage &&
	       lac_map_put(&r->contents, print, r->g->nrecords++);
}

static bool take_record(struct lac_btf_reader *r, lac_type_id id,
			unsigned depth)
{
	const struct lac_type *t = &r->types[id];
	const struct btf_type *b = lac_btf_type(&r->from, t->record);
	const uint32_t *name = t->name ? NULL :
					 lac_map_get(&r->typedef_names, id);
	struct lac_btf_facts *f = &r->facts[id];
	struct lac_member *members = r->members;
	struct lac_record rec = {
		.kind = t->record_kind, .name = t->name, .size = t->size,
		.typedef_name = name ? r->text + *name : NULL, .type = id,
		.nmembers = btf_vlen(b), .members = members,
		.parent = LAC_NONE, .nunits = 1, .units = &first_unit,
	};
	uint64_t print = lac_mix_in((uintptr_t)rec.name, rec.size << 2 |
							 rec.kind << 1 | 1);
	uint8_t nest = 0;

	if (depth == NEST_MAX || rec.nmembers > r->members_left)
		return false;
	r->members += rec.nmembers;
	r->members_left -= rec.nmembers;
	f->nest = LAC_BTF_BUSY;
	print = lac_mix_in(print, (uintptr_t)rec.typedef_name);
	for (uint32_t i = 0; i < rec.nmembers; i++) {
		struct lac_member *m = &members[i];
		lac_type_id inner;

		if (!take_member(r, &btf_members(b)[i], btf_kflag(b), m) ||
		    (i && m[-1].bit_offset > m->bit_offset) ||
		    m->bit_offset > rec.size * 8) /* 32 bits of bytes */
			return false;
		inner = r->facts[m->type].inner;
		if (inner == LAC_NONE ||
		    (inner && !take_inner(r, inner, depth, &nest)))
			return false;
		print = lac_mix_in(print + r->facts[m->type].print,
				   (uintptr_t)m->name);
		print = lac_mix_in(print + r->facts[inner].print,
				   m->bit_offset << 8 ^ m->bit_size);
	}
	f->nest = nest + 1;
	return put_record(r, id, &rec, print >> 1);
}

/* In the order in which the pool has them: what a root is made of before it. */
bool lac_btf_take_records(struct lac_btf_reader *r)
{
	r->g->types = r->types;
	r->g->records = r->records;
	r->g->enumerations = r->enumerations;
	for (uint32_t i = 0; i < r->nenums; i++)
		if (!take_enum(r, r->enums[i]))
			return false;
	for (uint32_t i = 0; i < r->nroots; i++) {
		lac_type_id inner = r->facts[r->roots[i]].inner;

		if (inner && inner != LAC_NONE &&
		    r->types[inner].kind == LAC_TYPE_RECORD &&
		    !r->facts[inner].nest && !take_record(r, inner, 0))
			return false;
	}
	return true;
}

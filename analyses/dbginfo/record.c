/* SPDX-License-Identifier: BSD-2-Clause */
/* record.c - the entry of a struct, union or class and its members. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "dbginfo/build.h"

struct members {
	struct lac_member *v;
	uint32_t n, cap;
	bool variants; /* it has a variant part */
	lac_die_ref discriminant;
};

enum lac_record_kind lac_record_kind_of(uint16_t tag)
{
	return tag == DW_TAG_union_type ? LAC_UNION :
	       tag == DW_TAG_structure_type ? LAC_STRUCT : LAC_CLASS;
}

static enum lac_status add_member(struct members *ms,
				  const struct lac_member *m,
				  struct lac_err *err)
{
	if (ms->n == ms->cap) {
		uint32_t cap = ms->cap ? 2 * ms->cap : 16;
		void *v = reallocarray(ms->v, cap, sizeof(*ms->v));

		if (!v || cap < ms->cap)
			return lac_fail_memory(err);
		ms->v = v;
		ms->cap = cap;
	}
	ms->v[ms->n++] = *m;
	return LAC_OK;
}

/*
 * DWARF 2 to 4 count the bit offset from the most significant bit of the
 * storage unit, on every target; it is negative where a packed field leaves
 * its unit.  Later versions count as lac_member does.
 */
static bool bitfield_place(const struct lac_build *b, const struct lac_die *die,
			   lac_type_id type, uint64_t *ret)
{
	uint64_t start = 0, storage = die->byte_size;
	bool big_endian = b->big_endian;

	if (die->has & LAC_HAS_LOCATION &&
	    __builtin_mul_overflow(die->location, (uint64_t)8, &start))
		return false;
	if (die->has & LAC_HAS_DATA_BIT_OFFSET)
		return !__builtin_add_overflow(start, die->data_bit_offset,
					       ret);
	if (!(die->has & LAC_HAS_BIT_OFFSET)) {
		*ret = start;
		return true;
	}
	if (!(die->has & LAC_HAS_BYTE_SIZE))
		storage = lac_pool_size(b->p, type);
	if (storage > 1u << 16 || die->bit_size > 1u << 20)
		return false;
	if (big_endian)
		*ret = start + (uint64_t)die->bit_offset;
	else
		*ret = start + storage * 8 - die->bit_size -
		       (uint64_t)die->bit_offset;
	return *ret <= UINT64_MAX / 2; /* it wraps when in front of the start */
}

static enum lac_status plain_member(struct lac_build *b,
				    const struct lac_die *die,
				    struct lac_member *m, struct lac_err *err)
{
	bool ok = true;

	LAC_TRY(lac_pool_string(b->p, die->name, &m->name, err));
	LAC_TRY(lac_build_type(b, die->type, false, &m->type, err));
	m->declared_align = lac_die_align(die);
	m->bit_size = LAC_SIZE_UNKNOWN; /* the type's, when all are known */
	if (die->has & LAC_HAS_BIT_SIZE) {
		m->bit_size = die->bit_size;
		ok = bitfield_place(b, die, m->type, &m->bit_offset);
		if (lac_pool_is_bitfield(b->p, m))
			m->role = LAC_MEMBER_BITFIELD;
	} else if (die->has & LAC_HAS_DATA_BIT_OFFSET) {
		m->bit_offset = die->data_bit_offset;
	} else if (die->has & LAC_HAS_LOCATION) {
		ok = !__builtin_mul_overflow(die->location, (uint64_t)8,
					     &m->bit_offset);
	}
	if (die->has & LAC_HAS_DYNAMIC_LOCATION) {
		m->certainty = LAC_DYNAMIC;
	} else if (!ok) { /* damaged: its place is not known */
		m->certainty = LAC_UNKNOWN;
		m->bit_offset = 0;
	}
	return LAC_OK;
}

/* Where a bit-field of an integer type ends, or UINT64_MAX. */
static uint64_t bitfield_end(const struct members *ms)
{
	const struct lac_member *m = ms->n ? &ms->v[ms->n - 1] : NULL;
	uint64_t end;

	if (!m || m->role != LAC_MEMBER_BITFIELD ||
	    (m->certainty != LAC_KNOWN && m->certainty != LAC_INFERRED) ||
	    __builtin_add_overflow(m->bit_offset, m->bit_size, &end))
		return UINT64_MAX;
	return end;
}

/*
 * clang gives a bit-field as wide as its type no size in bits, and only the
 * byte that it starts in.  It shows where that byte belongs to the field before
 * it: then it starts where that one ends, as far as anyone can tell.
 */
static void find_wide_bitfield(const struct lac_build *b,
			       const struct members *ms, struct lac_member *m)
{
	uint64_t before = bitfield_end(ms), size = lac_pool_size(b->p, m->type);

	if (m->role != LAC_MEMBER_PLAIN || m->certainty != LAC_KNOWN ||
	    before == UINT64_MAX || m->bit_offset >= before ||
	    before - m->bit_offset >= 8 || !size || size > 64 ||
	    !lac_pool_is_integer(b->p, m->type))
		return;
	m->role = LAC_MEMBER_BITFIELD;
	m->certainty = LAC_INFERRED;
	m->bit_offset = before;
	m->bit_size = size * 8;
}

static bool is_vptr(const struct lac_die *die)
{
	return die->artificial && die->name &&
	       strncmp(die->name, "_vptr", 5) == 0;
}

static enum lac_status take_member(struct lac_build *b,
				   const struct lac_die *in,
				   const struct lac_die *die,
				   struct members *ms, struct lac_err *err)
{
	struct lac_member m = { .role = LAC_MEMBER_PLAIN };

	/* a static member: it is elsewhere */
	if (die->tag == DW_TAG_member && (die->external || die->declaration))
		return LAC_OK;
	LAC_TRY(plain_member(b, die, &m, err));
	if (die->tag == DW_TAG_inheritance) {
		m.role = LAC_MEMBER_BASE;
		if (die->virtuality) {
			m.role = LAC_MEMBER_VIRTUAL_BASE;
			m.certainty = LAC_DYNAMIC;
		}
	} else if (is_vptr(die)) {
		m.role = LAC_MEMBER_VPTR;
	}
	if (m.certainty == LAC_DYNAMIC)
		m.bit_offset = 0;
	if (in->tag != DW_TAG_union_type)
		find_wide_bitfield(b, ms, &m);
	return add_member(ms, &m, err);
}

static enum lac_status take_variant(struct lac_build *b,
				    const struct lac_die *variant,
				    struct members *ms, struct lac_err *err)
{
	struct lac_die child = { 0 };
	enum lac_status st = lac_die_child(b->d, variant, &child, err);

	while (st == LAC_OK) {
		struct lac_member m = { .role = LAC_MEMBER_VARIANT };

		if (child.tag == DW_TAG_member) {
			st = plain_member(b, &child, &m, err);
			m.role = LAC_MEMBER_VARIANT;
			m.has_discriminant = variant->has & LAC_HAS_VALUE;
			m.discriminant = m.has_discriminant ? variant->value :
							      0;
			if (st == LAC_OK)
				st = add_member(ms, &m, err);
		}
		if (st == LAC_OK)
			st = lac_die_next(b->d, &child, err);
	}
	lac_die_close(b->d, &child);
	return st == LAC_NOT_FOUND ? LAC_OK : st;
}

static enum lac_status take_variant_part(struct lac_build *b,
					 const struct lac_die *part,
					 struct members *ms,
					 struct lac_err *err)
{
	struct lac_die child = { 0 };
	enum lac_status st = lac_die_child(b->d, part, &child, err);

	ms->variants = true;
	while (st == LAC_OK) {
		if (child.tag == DW_TAG_variant) {
			st = take_variant(b, &child, ms, err);
		} else if (child.tag == DW_TAG_member) {
			struct lac_member m = { 0 };

			st = plain_member(b, &child, &m, err);
			m.role = LAC_MEMBER_DISCRIMINANT;
			if (st == LAC_OK)
				st = add_member(ms, &m, err);
		}
		if (st == LAC_OK)
			st = lac_die_next(b->d, &child, err);
	}
	lac_die_close(b->d, &child);
	return st == LAC_NOT_FOUND ? LAC_OK : st;
}

static enum lac_status take_members(struct lac_build *b,
				    const struct lac_die *die,
				    struct members *ms, struct lac_err *err)
{
	struct lac_die child = { 0 };
	enum lac_status st = lac_die_child(b->d, die, &child, err);

	while (st == LAC_OK) {
		if (child.tag == DW_TAG_member ||
		    child.tag == DW_TAG_inheritance)
			st = take_member(b, die, &child, ms, err);
		else if (child.tag == DW_TAG_variant_part)
			st = take_variant_part(b, &child, ms, err);
		if (st == LAC_OK)
			st = lac_die_next(b->d, &child, err);
	}
	lac_die_close(b->d, &child);
	return st == LAC_NOT_FOUND ? LAC_OK : st;
}

struct keyed {
	struct lac_member m;
	uint32_t at;
};

static int compare_member(const void *x, const void *y)
{
	const struct keyed *a = x, *b = y;
	bool da = a->m.certainty == LAC_DYNAMIC;
	bool db = b->m.certainty == LAC_DYNAMIC;

	if (da != db)
		return da ? 1 : -1;
	if (!da && a->m.bit_offset != b->m.bit_offset)
		return a->m.bit_offset < b->m.bit_offset ? -1 : 1;
	return a->at < b->at ? -1 : 1;
}

/* By offset, then as declared: Rust and vptrs come in another order. */
static enum lac_status sort_members(struct members *ms, struct lac_err *err)
{
	struct keyed *k;
	bool sorted = true;

	for (uint32_t i = 1; i < ms->n && sorted; i++)
		sorted = ms->v[i - 1].certainty != LAC_DYNAMIC &&
			 ms->v[i].certainty != LAC_DYNAMIC &&
			 ms->v[i - 1].bit_offset <= ms->v[i].bit_offset;
	if (sorted || ms->n < 2)
		return LAC_OK;
	k = reallocarray(NULL, ms->n, sizeof(*k));
	if (!k)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < ms->n; i++)
		k[i] = (struct keyed){ ms->v[i], i };
	qsort(k, ms->n, sizeof(*k), compare_member);
	for (uint32_t i = 0; i < ms->n; i++)
		ms->v[i] = k[i].m;
	free(k);
	return LAC_OK;
}

enum lac_status lac_build_record(struct lac_build *b, struct lac_die *die,
				 lac_type_id *ret, struct lac_err *err)
{
	struct members ms = { 0 };
	struct lac_note note;
	struct lac_record r = { .kind = lac_record_kind_of(die->tag),
				.parent = LAC_NONE };
	enum lac_status st;

	LAC_TRY(lac_note_get(b, die->ref, &note, err));
	LAC_TRY(lac_build_name(b, &note, die->name ? die->name : note.name,
			       &r.name, err));
	if (!r.name)
		LAC_TRY(lac_build_name(b, &note, note.typedef_name,
				       &r.typedef_name, err));
	r.size = die->has & LAC_HAS_BYTE_SIZE ? die->byte_size :
						LAC_SIZE_UNKNOWN;
	r.declared_align = lac_die_align(die);
	st = take_members(b, die, &ms, err);
	if (st == LAC_OK)
		st = sort_members(&ms, err);
	if (st == LAC_OK) {
		if (ms.variants)
			r.kind = LAC_VARIANT_ENUM;
		else if (note.payload)
			r.kind = LAC_VARIANT;
		r.members = ms.v;
		r.nmembers = ms.n;
		st = lac_pool_record(b->p, &r, ret, err);
	}
	free(ms.v);
	return st;
}

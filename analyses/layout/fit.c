/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fit.c - can C say this record?  The members are laid out again by the rules
 * of the System V ABIs (bit-fields: PCC_BITFIELD_TYPE_MATTERS), first as they
 * stand, then with the packed attribute, on the record or on single members.
 * The first way that gives the offsets that were read is how it was declared,
 * as far as anyone can tell.
 */
#include "dbginfo/producer.h"
#include "layout/internal.h"

/* More unnamed bits than this are an alignment that the input does not tell. */
#define FILL_BITS_MAX 512u

enum mode { NATURAL, PACKED, SINGLE_PACKED };

struct walk {
	struct lac_rules *rules;
	const struct lac_graph *g;
	const struct lac_record *r;
	enum mode mode;
	uint64_t pos;	      /* bits, where the next member may start */
	uint64_t end;	      /* bits, the furthest any member reaches */
	uint32_t plain_align; /* bytes, what types ask for without attributes */
	bool attributes;      /* some member has an alignment of its own */
	bool after_bitfield;  /* unnamed ones may follow it unseen */
	struct lac_fit *fit;
};

static uint32_t max32(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* The least alignment above `from` that brings pos to target; 0 if none. */
static uint32_t align_to_reach(uint64_t pos, uint64_t target, uint32_t from)
{
	for (uint64_t k = from; k <= (1u << 28); k *= 2)
		if (lac_round_up(pos, k * 8) == target)
			return (uint32_t)k;
	return 0;
}

static bool keeps_size(const struct walk *w, uint32_t align)
{
	return w->r->size % align == 0;
}

/*
 * C would put the member before its place: unnamed bits or a larger alignment
 * are in front of it.  false if neither says it.
 */
static bool push(struct walk *w, struct lac_ask *a, uint64_t target,
		 bool packed, struct lac_c_member *cm)
{
	uint64_t gap = target - w->pos;
	uint32_t k = 0;

	if (a->unit && !packed) {
		uint64_t unit_align = (uint64_t)a->align * 8;

		if (w->pos % unit_align &&
		    lac_round_up(w->pos, unit_align) == target) {
			cm->fill_bits = gap;
			cm->fill_to_unit = true;
			w->fit->fills++;
			return true;
		}
	}
	if (!a->unit &&
	    (!w->g->tells_alignment || packed || gap > FILL_BITS_MAX))
		k = align_to_reach(w->pos, target, a->align * 2);
	if (k && keeps_size(w, k) &&
	    !(w->r->declared_align && k > w->r->declared_align)) {
		cm->align = k;
		a->align = k;
		w->fit->guessed = true;
		w->fit->fills++;
		return true;
	}
	if (gap > FILL_BITS_MAX || lac_place(a, target, packed) != target)
		return false;
	w->fit->odd_room |= !a->unit && !w->after_bitfield;
	cm->fill_bits = gap;
	w->fit->fills++;
	return true;
}

/*
 * The member's own attribute.  In a packed record clang repeats there what its
 * type asks for, and does not heed it.
 */
static uint32_t own_align(const struct lac_member *m, uint64_t target,
			  bool packed)
{
	if (packed && m->declared_align &&
	    target % (m->declared_align * (uint64_t)8))
		return 0;
	return m->declared_align;
}

/* Room was left in front of a member: what for? */
static void note_hole(struct walk *w, const struct lac_member *m,
		      uint32_t align, uint64_t target, bool packed)
{
	if (w->after_bitfield)
		return;
	if (m->declared_align) {
		if (align > 1 && lac_round_up(w->pos, align * (uint64_t)4) !=
					 target)
			w->fit->proved = max32(w->fit->proved, align);
	} else if (!packed) {
		w->fit->evidence = true;
	}
}

/*
 * Lay out one member of a struct, whose type asks for that; false if it cannot
 * come where it is.
 */
static bool step(struct walk *w, const struct lac_member *m,
		 const struct lac_type_rule *type, struct lac_c_member *cm)
{
	uint64_t target = w->r->kind == LAC_UNION ? 0 : m->bit_offset;
	bool packed = w->mode == PACKED;
	uint32_t own = own_align(m, target, packed);
	struct lac_ask a = { .bit_size = m->bit_size };
	uint64_t at;

	if (m->bit_offset != target)
		return false;
	if (w->r->kind == LAC_UNION)
		w->pos = 0;
	if (m->role == LAC_MEMBER_BITFIELD) {
		uint64_t size = lac_type_size(w->g, m->type);

		if (size == LAC_SIZE_UNKNOWN || size == 0 || size > 64)
			return false;
		a.unit = size * 8;
	}
	cm->align = own;
	a.align = max32(packed ? 1 : type->align, own);
	w->attributes |= m->declared_align != 0;
	/* an attribute on a bit-field moves its start, packed or not */
	if (a.unit && own)
		w->pos = lac_round_up(w->pos, (uint64_t)own * 8);
	at = lac_place(&a, w->pos, packed);
	if (at > target && w->mode == SINGLE_PACKED) {
		packed = true;
		cm->packed = true;
		w->fit->any_packed = true;
		own = own_align(m, target, packed);
		cm->align = own;
		a.align = max32(own, 1);
		at = lac_place(&a, w->pos, packed);
	}
	if (at > target || (at < target && !push(w, &a, target, packed, cm)))
		return false;
	if (at == target && at > w->pos)
		note_hole(w, m, a.align, target, packed);
	w->after_bitfield = a.unit != 0;
	w->pos = target + m->bit_size;
	if (w->pos > w->end)
		w->end = w->pos;
	if (!a.unit || !packed)
		w->fit->align = max32(w->fit->align, a.align);
	if (!packed && !type->declared)
		w->plain_align = max32(w->plain_align, type->align);
	return true;
}

/* Room was left at the end that the record's own attribute does not ask for. */
static void note_padding(struct walk *w, uint64_t bytes)
{
	const struct lac_record *r = w->r;
	uint32_t align = w->fit->align;

	if (w->mode == PACKED || w->after_bitfield || r->size <= bytes ||
	    align < 2 || lac_round_up(bytes, align) != r->size ||
	    (r->declared_align &&
	     lac_round_up(bytes, r->declared_align) == r->size))
		return;
	if (!w->attributes)
		w->fit->evidence = true;
	else if (lac_round_up(bytes, align / 2) != r->size)
		w->fit->proved = max32(w->fit->proved, align);
}

/*
 * The attribute asks for less than the members.  It cannot be, if it is what
 * the record has; else the record is not packed only where that is seen.
 */
static bool may_exceed(const struct walk *w)
{
	return w->mode == NATURAL &&
	       lac_record_align_told(w->g, w->r) != LAC_ALIGN_TOLD_EXACTLY &&
	       (w->fit->evidence || w->fit->proved >= w->fit->align);
}

/* Whether the record's end is where C puts it. */
static bool finish(struct walk *w)
{
	const struct lac_record *r = w->r;
	uint64_t bytes = w->end / 8 + (w->end % 8 != 0);
	uint32_t from_members = w->fit->align;
	uint32_t k;
	bool fill;

	note_padding(w, bytes);
	if (r->declared_align && r->declared_align < w->fit->align &&
	    !may_exceed(w))
		return false;
	w->fit->forced_align = r->declared_align;
	w->fit->align = max32(w->fit->align, r->declared_align);
	w->fit->align_declared =
		r->declared_align || from_members > w->plain_align;
	if (lac_round_up(bytes, w->fit->align) == r->size)
		return true;
	if (r->size < bytes || r->size % w->fit->align)
		return false;
	fill = r->kind != LAC_UNION && r->size * 8 - w->end <= FILL_BITS_MAX;
	k = align_to_reach(bytes * 8, r->size * 8, w->fit->align * 2);
	if (fill && (w->g->tells_alignment || !k)) {
		w->fit->odd_room |= !w->after_bitfield;
		w->fit->fill_bits = r->size * 8 - w->end;
		w->fit->fills++;
		return true;
	}
	if (!k)
		return false;
	w->fit->forced_align = k;
	w->fit->guessed = true;
	w->fit->fills++;
	w->fit->align = k;
	return true;
}

/* In C a member has the size of its type, unless it is a bit-field. */
static bool is_c_member(const struct lac_member *m,
			const struct lac_type_rule *type)
{
	if (m->certainty == LAC_DYNAMIC || m->bit_size == LAC_SIZE_UNKNOWN)
		return false;
	if (m->role == LAC_MEMBER_BITFIELD)
		return true;
	return m->role == LAC_MEMBER_PLAIN &&
	       m->bit_size == type->size * 8;
}

/* A record cannot be aligned to more than its size and its places allow. */
static uint32_t bounded(uint32_t align, uint64_t bits)
{
	while (align > 1 && lac_round_up(bits, align * (uint64_t)8) != bits)
		align /= 2;
	return align;
}

/* lac_fit.sure_align and most_align, of some of the members. */
struct bounds {
	uint32_t sure, most;
};

/* And of one more. */
static inline struct bounds bound_by(struct bounds b,
				     const struct lac_record *r,
				     const struct lac_member *m,
				     const struct lac_type_rule *type,
				     bool any_packed)
{
	uint32_t align = max32(type->align, m->declared_align);
	uint32_t most = max32(type->most, m->declared_align);

	if (!type->sure && !any_packed) {
		most = bounded(most, r->size == LAC_SIZE_UNKNOWN
					     ? 0
					     : r->size * 8);
		if (m->certainty != LAC_DYNAMIC)
			most = bounded(most, m->bit_offset);
	}
	b.most = max32(b.most, most);
	if (type->sure || m->declared_align == align)
		b.sure = max32(b.sure, align);
	return b;
}

/*
 * The same for what most members are: in a record as it stands, no bit-field,
 * no attribute, where the alignment of its type has it.  From member i on; the
 * first that is another.
 */
static uint32_t walk_plainly(struct walk *w, uint32_t i,
			     struct lac_c_member *members)
{
	const struct lac_record *r = w->r;
	bool evidence = w->fit->evidence, after_bitfield = w->after_bitfield;
	uint32_t align = w->fit->align, plain_align = w->plain_align;
	struct bounds b = { w->fit->sure_align, w->fit->most_align };
	uint64_t pos = w->pos, end = w->end;

	for (; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		const struct lac_type_rule *type =
			lac_rules_type(w->rules, m->type);

		if (r->kind == LAC_UNION)
			pos = 0;
		if (m->role != LAC_MEMBER_PLAIN || m->declared_align ||
		    m->certainty == LAC_DYNAMIC ||
		    m->bit_size == LAC_SIZE_UNKNOWN ||
		    m->bit_size != type->size * 8 ||
		    m->bit_offset !=
			    lac_round_up(pos, (uint64_t)type->align * 8))
			break;
		evidence |= m->bit_offset > pos && !after_bitfield;
		after_bitfield = false;
		pos = m->bit_offset + m->bit_size;
		end = pos > end ? pos : end;
		align = max32(align, type->align);
		if (!type->declared)
			plain_align = max32(plain_align, type->align);
		b = bound_by(b, r, m, type, false);
		if (members)
			members[i] = (struct lac_c_member){ 0 };
	}
	w->fit->evidence = evidence;
	w->fit->align = align;
	w->fit->sure_align = b.sure;
	w->fit->most_align = b.most;
	w->pos = pos;
	w->end = end;
	w->plain_align = plain_align;
	w->after_bitfield = after_bitfield;
	return i;
}

/* *ret is whatever it came to, where it is not the way. */
static bool try_mode(struct lac_rules *rules, const struct lac_graph *g,
		     const struct lac_record *r, enum mode mode,
		     struct lac_c_member *members, struct lac_fit *ret)
{
	struct walk w = {
		.rules = rules,
		.g = g,
		.r = r,
		.mode = mode,
		.plain_align = 1,
		.fit = ret,
	};

	*ret = (struct lac_fit){
		.align = 1,
		.sure_align = 1,
		.most_align = 1,
		.packed = mode == PACKED,
		.any_packed = mode == PACKED,
	};
	if (r->size == LAC_SIZE_UNKNOWN)
		return false;
	for (uint32_t i = 0; i < r->nmembers; i++) {
		struct lac_c_member cm = { 0 };
		const struct lac_type_rule *type;
		const struct lac_member *m;
		bool fits;

		if (mode == NATURAL)
			i = walk_plainly(&w, i, members);
		if (i == r->nmembers)
			break;
		m = &r->members[i];
		type = lac_rules_type(rules, m->type);
		fits = is_c_member(m, type) && step(&w, m, type, &cm);
		if (members)
			members[i] = cm;
		if (!fits)
			return false;
		if (mode == NATURAL) { /* what bound_members() finds then */
			struct bounds b = { ret->sure_align, ret->most_align };

			b = bound_by(b, r, m, type, false);
			ret->sure_align = b.sure;
			ret->most_align = b.most;
		}
	}
	ret->fits = finish(&w);
	return ret->fits;
}

/*
 * For what C cannot say (bases, variants, members of unknown size): what the
 * members ask for, and whether they have it.
 */
static void ask_members(struct lac_rules *rules, const struct lac_record *r,
			struct lac_fit *ret)
{
	const struct lac_graph *g = lac_rules_graph(rules);
	uint64_t end = 0;

	*ret = (struct lac_fit){ .align = 1 };
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		const struct lac_type_rule *type;
		uint32_t align;
		bool declared;

		if (m->certainty == LAC_DYNAMIC)
			continue;
		type = lac_rules_type(rules, m->type);
		align = max32(type->align, m->declared_align);
		declared = type->declared || m->declared_align >= align;
		if (align > ret->align) {
			ret->align = align;
			ret->align_declared = declared;
		}
		if (m->role == LAC_MEMBER_BITFIELD)
			continue;
		if (m->bit_offset % ((uint64_t)align * 8))
			ret->any_packed = true;
		if (m->bit_offset > end &&
		    m->bit_offset == lac_round_up(end, (uint64_t)align * 8))
			ret->evidence = true;
		/* larger than its type: an _Atomic that DWARF 4 does not tell */
		if (m->bit_size == LAC_SIZE_UNKNOWN ||
		    m->bit_size / 8 > lac_type_size(g, m->type))
			ret->incomplete = true;
		else if (m->bit_offset + m->bit_size > end)
			end = m->bit_offset + m->bit_size;
	}
	if (r->declared_align) {
		ret->forced_align = r->declared_align;
		ret->align = max32(ret->align, r->declared_align);
		ret->align_declared = true;
	}
	if (r->size == LAC_SIZE_UNKNOWN)
		ret->incomplete = true;
	else if (r->size % ret->align)
		ret->any_packed = true;
	else if (r->size * 8 > end &&
		 r->size * 8 == lac_round_up(end, (uint64_t)ret->align * 8))
		ret->evidence = true;
}

/* What the members ask for: surely, and at most. */
static void bound_members(struct lac_rules *rules, const struct lac_record *r,
			  struct lac_fit *ret)
{
	struct bounds b = { 1, 1 };

	for (uint32_t i = 0; i < r->nmembers; i++)
		b = bound_by(b, r, &r->members[i],
			     lac_rules_type(rules, r->members[i].type),
			     ret->any_packed);
	ret->sure_align = b.sure;
	ret->most_align = b.most;
}

/* The attribute that the input tells is what counts. */
static void heed_attribute(const struct lac_graph *g,
			   const struct lac_record *r, struct lac_fit *ret)
{
	uint32_t asked = r->declared_align;

	if (asked && (lac_record_align_told(g, r) == LAC_ALIGN_TOLD_EXACTLY ||
		      ret->most_align <= asked))
		ret->align = asked;
	else if (!ret->fits && asked)
		ret->align = max32(asked, ret->proved);
	else if (!ret->fits && ret->any_packed)
		ret->align = r->size == LAC_SIZE_UNKNOWN
				     ? 1
				     : bounded(ret->align, r->size * 8);
}

/* It does not fit as it stands. */
static void fit_packed(struct lac_rules *rules, const struct lac_record *r,
		       struct lac_c_member *members, struct lac_fit *ret)
{
	const struct lac_graph *g = lac_rules_graph(rules);
	struct lac_fit packed, single;
	bool has_packed;

	has_packed = try_mode(rules, g, r, PACKED, NULL, &packed);
	if (try_mode(rules, g, r, SINGLE_PACKED, members, &single) &&
	    (!has_packed || single.fills < packed.fills)) {
		*ret = single;
		return;
	}
	if (has_packed && try_mode(rules, g, r, PACKED, members, ret))
		return;
	ask_members(rules, r, ret);
}

void lac_fit_record(struct lac_rules *rules, const struct lac_record *r,
		    struct lac_c_member *members, struct lac_fit *ret)
{
	if (!try_mode(rules, lac_rules_graph(rules), r, NATURAL, members, ret)) {
		fit_packed(rules, r, members, ret);
		bound_members(rules, r, ret);
	}
	heed_attribute(lac_rules_graph(rules), r, ret);
}

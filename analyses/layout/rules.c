/* SPDX-License-Identifier: BSD-2-Clause */
/* rules.c - what is known about each record, worked out once. */
#include <string.h>

#include "dbginfo/producer.h"
#include "layout/internal.h"

/* Records nested deeper than this by value come from a hostile file. */
#define DEPTH_MAX 400u

enum state { NOT_YET, IN_PROGRESS, DONE = LAC_FACTS_KNOWN };

/* The tag of an enum, as its variants have it. */
static void take_tag(struct lac_rules *rules, const struct lac_record *r)
{
	const struct lac_member *tag = NULL;

	for (uint32_t i = 0; i < r->nmembers; i++)
		if (r->members[i].role == LAC_MEMBER_DISCRIMINANT)
			tag = &r->members[i];
	for (uint32_t i = 0; tag && i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		lac_record_id v = m->role == LAC_MEMBER_VARIANT
					  ? lac_type_record(rules->g, m->type,
							    NULL)
					  : LAC_NONE;
		uint64_t from, size;

		if (v == LAC_NONE || tag->bit_offset < m->bit_offset ||
		    tag->bit_size == LAC_SIZE_UNKNOWN)
			continue;
		from = tag->bit_offset - m->bit_offset;
		size = rules->g->records[v].size;
		if (size != LAC_SIZE_UNKNOWN && size <= UINT64_MAX / 8 &&
		    from <= size * 8 && tag->bit_size <= size * 8 - from)
			rules->tags[v] = (struct lac_bits){
				from, from + tag->bit_size};
	}
}

static bool find_tags(struct lac_rules *rules, struct lac_arena *arena)
{
	const struct lac_graph *g = rules->g;

	for (lac_record_id id = 0; id < g->nrecords; id++) {
		if (g->records[id].kind != LAC_VARIANT_ENUM)
			continue;
		if (!rules->tags)
			rules->tags = lac_arena_zalloc(arena, g->nrecords,
						       sizeof(*rules->tags));
		if (!rules->tags)
			return false;
		take_tag(rules, &g->records[id]);
	}
	return true;
}

struct lac_bits lac_rules_tag(const struct lac_rules *rules, lac_record_id id)
{
	return rules->tags ? rules->tags[id] : (struct lac_bits){0, 0};
}

struct lac_rules *lac_rules_create(const struct lac_graph *g,
				   struct lac_arena *arena)
{
	struct lac_rules *rules = lac_arena_zalloc(arena, 1, sizeof(*rules));

	if (!rules)
		return NULL;
	rules->g = g;
	/* each is zeroed when it is worked out */
	rules->facts = lac_arena_alloc(arena, g->nrecords,
				       sizeof(*rules->facts));
	rules->state = lac_arena_zalloc(arena, g->nrecords, 1);
	rules->types = lac_arena_alloc(arena, g->ntypes,
				       sizeof(*rules->types));
	if (!rules->facts || !rules->state || !rules->types ||
	    !find_tags(rules, arena))
		return NULL;
	/*
	 * By writing: a fresh page that is read first is the system's page of
	 * zeros, and changing that for another stops the other threads.
	 */
	memset(rules->types, 0, g->ntypes * sizeof(*rules->types));
	return rules;
}

lac_record_id lac_type_record(const struct lac_graph *g, lac_type_id id,
			      uint64_t *count)
{
	if (count)
		*count = 1;
	for (;;) {
		const struct lac_type *t;

		id = lac_type_strip(g, id);
		t = &g->types[id];
		if (t->kind == LAC_TYPE_RECORD)
			return t->record;
		if (t->kind != LAC_TYPE_ARRAY || !count)
			return LAC_NONE;
		if (__builtin_mul_overflow(*count, t->array.count, count))
			*count = UINT64_MAX;
		id = t->target;
	}
}

/* An _Atomic scalar or small struct is aligned so that it can be swapped. */
static uint32_t atomic_align(const struct lac_graph *g,
			     const struct lac_type *t, uint32_t inner)
{
	uint64_t size = t->size != LAC_SIZE_UNKNOWN && t->size
				? t->size
				: lac_type_size(g, t->target);

	if (size > inner && size <= 16 && !(size & (size - 1)))
		return (uint32_t)size;
	return inner;
}

static bool is_sure(enum lac_align_source s)
{
	return s == LAC_ALIGN_NATURAL || s == LAC_ALIGN_DECLARED ||
	       s == LAC_ALIGN_TOLD;
}

const struct lac_type_rule *lac_rules_ask(struct lac_rules *rules,
					  lac_type_id id)
{
	const struct lac_graph *g = rules->g;
	struct lac_type_rule rule = { .sure = true, .simple = true,
				      .size = lac_type_size(g, id) };
	enum lac_certainty source;
	bool atomic = false, final = true;
	lac_type_id atomic_id = 0, asked = id;
	struct lac_type_rule *ret;

	for (;; id = g->types[id].target) {
		const struct lac_type *t = &g->types[id];

		if (t->kind == LAC_TYPE_ATOMIC && !atomic) {
			atomic = true;
			atomic_id = id;
		}
		if (t->kind == LAC_TYPE_RECORD && t->record != LAC_NONE) {
			const struct lac_record_facts *f =
				lac_rules_facts(rules, t->record);

			/* not on the way through a record that holds itself */
			final = rules->state[t->record] == DONE;
			rule.simple = false;
			rule.align = f->rule_align;
			rule.most = f->align_most;
			rule.declared = f->align_source == LAC_ALIGN_DECLARED;
			rule.sure = is_sure(f->align_source);
			break;
		}
		rule.simple &= t->kind != LAC_TYPE_ARRAY && !t->declared_align;
		if (t->declared_align) {
			rule.align = t->declared_align;
			rule.declared = true;
			break;
		}
		if (!lac_is_modifier(t->kind) && t->kind != LAC_TYPE_ARRAY) {
			rule.align = lac_type_align(g, id, &source);
			break;
		}
	}
	rule.align = rule.align ? rule.align : 1;
	if (atomic)
		rule.align = atomic_align(g, &g->types[atomic_id], rule.align);
	if (rule.most < rule.align)
		rule.most = rule.align;
	ret = final ? &rules->types[asked] : &rules->passing;
	*ret = rule;
	return ret;
}

static uint64_t add_sat(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t mul_sat(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* The padding of a base is used again if the next member starts in it. */
static bool padding_reused(const struct lac_record *r, uint32_t i)
{
	return r->kind != LAC_UNION && i + 1 < r->nmembers &&
	       r->members[i].role == LAC_MEMBER_BASE &&
	       r->members[i + 1].certainty != LAC_DYNAMIC &&
	       r->members[i + 1].bit_offset <
		       r->members[i].bit_offset + r->members[i].bit_size;
}

/*
 * Members of a struct waste one beside the other; of a union an object holds
 * one at a time: the arm that wastes most stands for it.
 */
static void take_nested(const struct lac_record *r, uint64_t holes,
			uint64_t padding, struct lac_record_facts *f)
{
	bool alternatives = r->kind == LAC_UNION ||
			    r->kind == LAC_VARIANT_ENUM;

	if (!alternatives) {
		f->nested_hole_bits = add_sat(f->nested_hole_bits, holes);
		f->nested_padding_bits =
			add_sat(f->nested_padding_bits, padding);
	} else if (add_sat(holes, padding) >
		   add_sat(f->nested_hole_bits, f->nested_padding_bits)) {
		f->nested_hole_bits = holes;
		f->nested_padding_bits = padding;
	}
}

static void sum_nested(struct lac_rules *rules, const struct lac_record *r,
		       struct lac_record_facts *f)
{
	const struct lac_graph *g = rules->g;

	f->nested_apart = r->kind == LAC_UNION || r->kind == LAC_VARIANT_ENUM;
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		const struct lac_record_facts *n;
		uint64_t count, padding;
		lac_record_id inner;

		if (m->certainty == LAC_DYNAMIC)
			f->has_dynamic = true;
		if (lac_rules_type(rules, m->type)->simple)
			continue;
		inner = lac_type_record(g, m->type, &count);
		if (inner == LAC_NONE)
			continue;
		f->opened |= lac_member_transparent(g, m) != LAC_NONE;
		f->nested_apart |= m->bit_size == 0 ||
				   m->certainty == LAC_DYNAMIC;
		if (m->bit_size == 0)
			continue;
		n = lac_rules_facts(rules, inner);
		if ((r->members[i].role == LAC_MEMBER_BASE ||
		     r->members[i].role == LAC_MEMBER_VIRTUAL_BASE) &&
		    n->has_dynamic)
			f->has_dynamic = true;
		if (r->members[i].certainty == LAC_DYNAMIC)
			continue;
		padding = padding_reused(r, i)
				  ? 0
				  : lac_padding_left(m, g->records[inner].size,
						     n->padding_bits);
		take_nested(r,
			    mul_sat(count, add_sat(n->hole_bits,
						   n->nested_hole_bits)),
			    mul_sat(count, add_sat(padding,
						   n->nested_padding_bits)),
			    f);
	}
}

/* Only this alignment agrees with the size, if it was not raised. */
static bool is_only_one(const struct lac_record *r, const struct lac_fit *fit)
{
	return r->size != LAC_SIZE_UNKNOWN && !fit->incomplete &&
	       r->size % ((uint64_t)fit->align * 2) != 0;
}

/* The members' alignments are known, and something shows that they count. */
static bool is_certain(const struct lac_fit *fit)
{
	if (fit->sure_align < fit->align || fit->most_align > fit->align)
		return false;
	return fit->align == 1 || fit->evidence || fit->proved >= fit->align;
}

static enum lac_align_source align_source(const struct lac_graph *g,
					  const struct lac_record *r,
					  const struct lac_fit *fit)
{
	enum lac_align_told told = lac_record_align_told(g, r);

	if (r->declared_align && lac_record_align_always(g, r))
		return LAC_ALIGN_TOLD;
	/* clang's attribute is a lower bound, unless the record is packed */
	if (r->declared_align)
		return told == LAC_ALIGN_TOLD_EXACTLY ||
				       (fit->most_align <= r->declared_align &&
					!fit->incomplete)
			       ? LAC_ALIGN_DECLARED
			       : LAC_ALIGN_INFERRED;
	if (!fit->fits && fit->any_packed)
		return LAC_ALIGN_UNKNOWN;
	if (fit->guessed && g->tells_alignment)
		return fit->any_packed ? LAC_ALIGN_INFERRED : LAC_ALIGN_UNKNOWN;
	/* BTF, and what a member of an unknown type asks for */
	if (!g->tells_alignment || fit->incomplete)
		return is_only_one(r, fit) ? LAC_ALIGN_INFERRED
					   : LAC_ALIGN_UNKNOWN;
	/*
	 * Without a hole or padding that only alignment explains, the record
	 * may as well be packed: DWARF does not tell.
	 */
	if (fit->any_packed || told == LAC_ALIGN_TOLD_NEVER ||
	    !is_certain(fit) ||
	    (fit->odd_room && !lac_record_atomic_told(g, r)))
		return LAC_ALIGN_INFERRED;
	return fit->align_declared ? LAC_ALIGN_DECLARED : LAC_ALIGN_NATURAL;
}

static void work_out(struct lac_rules *rules, lac_record_id id,
		     struct lac_record_facts *f)
{
	const struct lac_record *r = &rules->g->records[id];
	struct lac_span_totals totals = { 0 };
	struct lac_fit fit;

	sum_nested(rules, r, f);
	if (r->size != LAC_SIZE_UNKNOWN)
		lac_spans_total(r, f->has_dynamic, lac_rules_tag(rules, id),
				&totals);
	f->nholes = totals.nholes;
	f->member_bits = totals.member_bits;
	f->hole_bits = totals.hole_bits;
	f->padding_bits = totals.padding_bits;
	f->unknown_bits = totals.unknown_bits;

	lac_fit_record(rules, r, NULL, &fit);
	f->rule_align = fit.align;
	f->align_source = (uint8_t)align_source(rules->g, r, &fit);
	f->align_most = fit.align;
	if (!is_sure(f->align_source) && fit.most_align > fit.align)
		f->align_most = fit.most_align;
	f->align = f->align_source == LAC_ALIGN_UNKNOWN ? 0 : fit.align;
	if (fit.any_packed)
		f->packed = LAC_PACKED_INFERRED;
}

const struct lac_record_facts *lac_rules_work_out(struct lac_rules *rules,
						  lac_record_id id)
{
	static const struct lac_record_facts none = { .rule_align = 1,
						       .align_most = 1 };

	if (rules->state[id] == DONE)
		return &rules->facts[id];
	if (rules->state[id] == IN_PROGRESS || rules->depth >= DEPTH_MAX)
		return &none;
	rules->state[id] = IN_PROGRESS;
	rules->facts[id] = (struct lac_record_facts){ 0 };
	rules->depth++;
	work_out(rules, id, &rules->facts[id]);
	rules->depth--;
	rules->state[id] = DONE;
	return &rules->facts[id];
}

enum lac_status lac_c_form_fit(const struct lac_graph *g, lac_record_id id,
			       struct lac_rules *rules, struct lac_arena *arena,
			       struct lac_c_form *ret, struct lac_err *err)
{
	const struct lac_record *r = &g->records[id];
	struct lac_c_member *members =
		lac_arena_zalloc(arena, r->nmembers, sizeof(*members));
	struct lac_fit fit;

	if (!members)
		return lac_fail_memory(err);
	lac_fit_record(rules, r, members, &fit);
	if (!fit.fits)
		for (uint32_t i = 0; i < r->nmembers; i++)
			members[i] = (struct lac_c_member){
				.align = r->members[i].declared_align,
			};
	*ret = (struct lac_c_form){
		.exact = fit.fits && r->kind != LAC_CLASS,
		.packed = fit.fits && fit.packed,
		.align = fit.forced_align,
		.fill_bits = fit.fits ? fit.fill_bits : 0,
		.members = members,
	};
	return LAC_OK;
}

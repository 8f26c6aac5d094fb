/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * through.c - a record as C code sees it: the members of unnamed structs and
 * unions are its own.
 */
#include <stdlib.h>
#include <string.h>

#include "layout/internal.h"

/* Beyond what any source has; a hostile graph can nest its way to more. */
#define MAX_MEMBERS (1u << 18)
#define MAX_DEPTH 256u

struct opener {
	const struct lac_graph *g;
	struct lac_member *members;
	uint32_t n, steps;
	bool leaves; /* named arms as arm() has them are opened, too */
	bool has_union, has_arms, too_many;
};

lac_record_id lac_member_transparent(const struct lac_graph *g,
				     const struct lac_member *m)
{
	const struct lac_type *t;

	if (m->name || m->role != LAC_MEMBER_PLAIN ||
	    m->certainty == LAC_DYNAMIC)
		return LAC_NONE;
	t = &g->types[lac_type_strip(g, m->type)];
	if (t->kind != LAC_TYPE_RECORD || t->record == LAC_NONE ||
	    g->records[t->record].damage)
		return LAC_NONE;
	return t->record;
}

static bool has_transparent(const struct lac_graph *g,
			    const struct lac_record *r)
{
	for (uint32_t i = 0; i < r->nmembers; i++)
		if (lac_member_transparent(g, &r->members[i]) != LAC_NONE)
			return true;
	return false;
}

/*
 * The record that a named member is, if an unnamed one lies beside it in a
 * union, as Linux's struct_group() has it: the bytes are those of both, so that
 * a hole of the one is used only if a member of the other is there.  beside:
 * of a union that has a transparent member.
 */
static lac_record_id arm(const struct lac_graph *g, const struct lac_member *m,
			 bool beside)
{
	const struct lac_type *t;

	if (!beside || !m->name || m->role != LAC_MEMBER_PLAIN ||
	    m->certainty == LAC_DYNAMIC)
		return LAC_NONE;
	t = &g->types[lac_type_strip(g, m->type)];
	if (t->kind != LAC_TYPE_RECORD || t->record == LAC_NONE ||
	    g->records[t->record].damage ||
	    g->records[t->record].size == LAC_SIZE_UNKNOWN)
		return LAC_NONE;
	return t->record;
}

/* Counts, and stores where there is room for it. */
static void open_record(struct opener *o, const struct lac_record *r,
			uint64_t base_bits, unsigned depth)
{
	bool beside = r->kind == LAC_UNION && has_transparent(o->g, r);

	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		lac_record_id in = lac_member_transparent(o->g, m);
		lac_record_id named = arm(o->g, m, beside);

		o->has_arms |= named != LAC_NONE;
		if (o->leaves && in == LAC_NONE)
			in = named;
		o->too_many = ++o->steps > MAX_MEMBERS || depth == MAX_DEPTH;
		if (o->too_many)
			break;
		if (in != LAC_NONE) {
			o->has_union |= o->g->records[in].kind == LAC_UNION;
			open_record(o, &o->g->records[in],
				    base_bits + m->bit_offset, depth + 1);
			if (o->too_many)
				break;
			continue;
		}
		if (o->members) {
			o->members[o->n] = *m;
			if (m->certainty != LAC_DYNAMIC)
				o->members[o->n].bit_offset += base_bits;
		}
		o->n++;
	}
}

static int member_order(const void *pa, const void *pb)
{
	const struct lac_member *a = pa, *b = pb;
	bool da = a->certainty == LAC_DYNAMIC, db = b->certainty == LAC_DYNAMIC;

	if (da != db)
		return da ? 1 : -1;
	if (!da && a->bit_offset != b->bit_offset)
		return a->bit_offset < b->bit_offset ? -1 : 1;
	return 0;
}

static enum lac_status open_all(const struct lac_graph *g, lac_record_id id,
				bool leaves, struct lac_arena *arena,
				struct lac_record *ret, bool *has_arms,
				struct lac_err *err)
{
	struct lac_record r = g->records[id];
	struct opener o = {.g = g, .leaves = leaves};

	if (has_transparent(g, &r)) {
		open_record(&o, &g->records[id], 0, 0);
		if (o.too_many)
			return lac_fail(err, LAC_BAD_INPUT,
					"%s: %s has more than %u members, or "
					"unnamed ones deeper than %u",
					g->path ? g->path : "the input",
					r.name ? r.name : "an unnamed record",
					MAX_MEMBERS, MAX_DEPTH);
		o.members = lac_arena_zalloc(arena, o.n, sizeof(*o.members));
		if (!o.members)
			return lac_fail_memory(err);
		o.n = o.steps = 0;
		open_record(&o, &g->records[id], 0, 0);
		if (o.n)
			qsort(o.members, o.n, sizeof(*o.members), member_order);
		r.members = o.members;
		r.nmembers = o.n;
		if (o.has_union)
			r.kind = LAC_UNION;
	}
	*has_arms = o.has_arms;
	*ret = r;
	return LAC_OK;
}

enum lac_status lac_record_through(const struct lac_graph *g, lac_record_id id,
				   struct lac_arena *arena,
				   struct lac_record *ret, struct lac_err *err)
{
	bool has_arms;

	return open_all(g, id, false, arena, ret, &has_arms, err);
}

static uint64_t add(uint64_t a, uint64_t b)
{
	return __builtin_add_overflow(a, b, &a) ? UINT64_MAX : a;
}

/*
 * Holes in the records that the members are, unnamed ones opened.  They are few
 * enough, or lac_record_through() had failed.
 */
static uint64_t inside(struct lac_rules *rules, const struct lac_record *r,
		       unsigned depth)
{
	const struct lac_graph *g = lac_rules_graph(rules);
	bool beside = r->kind == LAC_UNION && has_transparent(g, r);
	uint64_t sum = 0;

	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		lac_record_id in = lac_member_transparent(g, m);
		uint64_t count = 1, bits;

		if (in == LAC_NONE)
			in = arm(g, m, beside);
		if (in != LAC_NONE) {
			bits = depth == MAX_DEPTH
				       ? 0
				       : inside(rules, &g->records[in],
						depth + 1);
		} else {
			const struct lac_record_facts *f;

			in = lac_type_record(g, m->type, &count);
			if (in == LAC_NONE)
				continue;
			f = lac_rules_facts(rules, in);
			bits = add(f->hole_bits, f->nested_hole_bits);
			if (__builtin_mul_overflow(bits, count, &bits))
				bits = UINT64_MAX;
		}
		if (r->kind != LAC_UNION && r->kind != LAC_VARIANT_ENUM)
			sum = add(sum, bits);
		else if (bits > sum)
			sum = bits;
	}
	return sum;
}

static void take_totals(struct lac_through *t,
			const struct lac_span_totals *totals)
{
	t->nholes = totals->nholes;
	t->hole_bits = totals->hole_bits;
	t->padding_bits = totals->padding_bits;
	t->unknown_bits = totals->unknown_bits;
}

/* The figures of t->record. */
static enum lac_status repaint(const struct lac_layout *l,
			       const struct lac_rules *rules, bool dynamic,
			       struct lac_arena *arena, struct lac_through *t,
			       struct lac_err *err)
{
	const struct lac_bits tag = lac_rules_tag(rules, l->record);
	struct lac_straddler *straddlers;
	struct lac_span_totals totals;
	struct lac_span *spans;

	t->nstraddlers = lac_straddlers_find(l->graph, &t->record, l->line_size,
					     l->first_byte, NULL);
	if (l->figures_only) {
		lac_spans_total(&t->cover, dynamic, tag, &totals);
		take_totals(t, &totals);
		return LAC_OK;
	}
	lac_spans_paint(&t->cover, dynamic, tag, NULL, &totals);
	spans = lac_arena_zalloc(arena, totals.nspans, sizeof(*spans));
	straddlers = lac_arena_zalloc(arena, t->nstraddlers,
				      sizeof(*straddlers));
	if (!spans || !straddlers)
		return lac_fail_memory(err);
	lac_spans_paint(&t->cover, dynamic, tag, spans, &totals);
	lac_straddlers_find(l->graph, &t->record, l->line_size, l->first_byte,
			    straddlers);
	t->map.nspans = totals.nspans;
	t->map.spans = spans;
	t->straddlers = straddlers;
	take_totals(t, &totals);
	return LAC_OK;
}

enum lac_status lac_through_compute(const struct lac_layout *l,
				    struct lac_rules *rules,
				    struct lac_arena *arena,
				    struct lac_through *ret,
				    struct lac_err *err)
{
	const struct lac_record *own = &l->graph->records[l->record];
	const struct lac_record_facts *f = lac_rules_facts(rules, l->record);
	struct lac_through t = {
		.record = *own,
		.map = l->map,
		.nholes = l->nholes,
		.nstraddlers = l->nstraddlers,
		.straddlers = l->straddlers,
		.hole_bits = l->hole_bits,
		.padding_bits = l->padding_bits,
		.unknown_bits = l->unknown_bits,
	};

	bool has_arms = false;

	if (f->opened)
		LAC_TRY(open_all(l->graph, l->record, false, arena, &t.record,
				 &has_arms, err));
	t.cover = t.record;
	if (has_arms)
		LAC_TRY(open_all(l->graph, l->record, true, arena, &t.cover,
				 &has_arms, err));
	t.named_hole_bits = f->opened || f->nested_apart
				    ? inside(rules, own, 0)
				    : f->nested_hole_bits;
	if (t.record.members == own->members ||
	    own->size == LAC_SIZE_UNKNOWN) {
		*ret = t;
		return LAC_OK;
	}
	LAC_TRY(repaint(l, rules, f->has_dynamic, arena, &t, err));
	*ret = t;
	return LAC_OK;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * predict.c - an old record as it would be if nothing but its inner types had
 * changed.  Whatever the new build has beyond that is the record's own change.
 *
 * Members go by the rules of the System V ABIs.  Where those rules do not give
 * the old place, the least rule that does is taken: another alignment (packed,
 * or one that the format does not tell), or a gap of fixed width.  So with
 * inner types that did not change the prediction is the old layout itself.
 */
#include <stdlib.h>
#include <string.h>

#include "diff/internal.h"

#define MAX_DEPTH 256

struct plan {
	uint64_t *bit_offsets, *bit_sizes; /* by member */
	struct plan *inlined;		   /* by member */
	uint64_t size;			   /* bytes */
	uint32_t align;
};

struct pen {
	uint64_t was, is; /* bits: the end so far, then and now */
	uint64_t was_end, is_end;
	uint32_t was_align, is_align; /* bytes */
};

static uint64_t round_up(uint64_t v, uint64_t to)
{
	return to ? (v + to - 1) / to * to : v;
}

/* A size or place in bits that no sum below can overflow. */
static bool sane(uint64_t bits)
{
	return bits < UINT64_MAX / 16;
}

/* Where the rules put a member that comes at bit `at`. */
static uint64_t rule(const struct lac_graph *g, const struct lac_member *m,
		     uint64_t at, uint64_t bit_size, uint32_t align)
{
	uint64_t bits = (uint64_t)align * 8;
	uint64_t unit;

	if (m->role != LAC_MEMBER_BITFIELD)
		return round_up(at, bits);
	unit = lac_type_size(g, m->type);
	if (unit == LAC_SIZE_UNKNOWN || at % bits + bit_size > unit * 8)
		return round_up(at, bits);
	return at;
}

/* The alignment that explains a place; lines are the usual reason. */
static uint32_t explain_place(uint64_t from, uint64_t to)
{
	if (round_up(from, 512) == to)
		return from == to ? 1 : 64;
	for (uint32_t a = 1; a <= 4096; a *= 2)
		if (round_up(from, (uint64_t)a * 8) == to)
			return a;
	return 0;
}

static bool place(struct work *w, const struct lac_member *m, struct pen *p,
		  uint64_t is_size, uint32_t was_align, uint32_t is_align,
		  uint64_t *offset)
{
	const struct lac_graph *g = w->a.g;
	uint32_t a;

	if (m->bit_offset < p->was)
		return false;
	if (rule(g, m, p->was, m->bit_size, was_align) == m->bit_offset) {
		*offset = rule(g, m, p->is, is_size, is_align);
	} else {
		a = m->role == LAC_MEMBER_BITFIELD
			    ? 0
			    : explain_place(p->was, m->bit_offset);
		*offset = a ? round_up(p->is, (uint64_t)a * 8)
			    : p->is + (m->bit_offset - p->was);
		was_align = is_align = a ? a : 1;
	}
	if (was_align > p->was_align)
		p->was_align = was_align;
	if (is_align > p->is_align)
		p->is_align = is_align;
	return true;
}

static enum lac_status cannot(struct lac_err *err)
{
	return lac_fail(err, LAC_NOT_FOUND, "no rule gives the old layout");
}

static enum lac_status plan_record(struct work *w, lac_record_id id,
				   const struct mapped **to, unsigned depth,
				   struct plan *ret, struct lac_err *err);

/* What member i takes now: bits and alignment.  *next goes on behind it. */
static enum lac_status plan_member(struct work *w, const struct lac_record *r,
				   uint32_t i, const struct mapped **next,
				   unsigned depth, struct plan *plan,
				   uint32_t *is_align, struct lac_err *err)
{
	const struct lac_member *m = &r->members[i];
	lac_record_id in = lac_inlined_record(w->a.g, m->type, NULL);
	const struct mapped *to = (*next)++;

	plan->bit_sizes[i] = m->bit_size;
	if (in != LAC_NONE) {
		uint64_t was = w->a.g->records[in].size;

		LAC_TRY(plan_record(w, in, next, depth + 1, &plan->inlined[i],
				    err));
		if (was && was != LAC_SIZE_UNKNOWN &&
		    m->bit_size % (was * 8) == 0)
			plan->bit_sizes[i] = m->bit_size / (was * 8) *
					     plan->inlined[i].size * 8;
		*is_align = plan->inlined[i].align;
		return LAC_OK;
	}
	*is_align = lac_side_align(&w->a, m->type);
	if (!to->changed)
		return LAC_OK;
	/* its padding is used again, and by how much is not for us to say */
	if (m->role == LAC_MEMBER_BASE &&
	    m->bit_size != lac_type_size(w->a.g, m->type) * 8)
		return cannot(err);
	*is_align = to->align;
	if (m->role != LAC_MEMBER_BITFIELD && to->size != LAC_SIZE_UNKNOWN &&
	    sane(to->size) &&
	    m->bit_size == lac_type_size(w->a.g, m->type) * 8)
		plan->bit_sizes[i] = to->size * 8;
	return LAC_OK;
}

static void finish(struct work *w, const struct lac_record *r, struct pen *p,
		   struct plan *plan)
{
	uint32_t was = lac_side_align(&w->a, r->type);
	uint32_t is = p->is_align;
	uint32_t a;

	/* raised by more than its members */
	if (was > p->was_align && is < was)
		is = was;
	if (r->declared_align > is)
		is = r->declared_align;
	plan->align = is;
	if (round_up(p->was_end, (uint64_t)was * 8) == r->size * 8) {
		plan->size = round_up(p->is_end, (uint64_t)is * 8) / 8;
		return;
	}
	a = explain_place(p->was_end, r->size * 8);
	plan->size = a ? round_up(p->is_end, (uint64_t)a * 8) / 8
		       : (p->is_end + (r->size * 8 - p->was_end)) / 8;
	plan->align = a ? a : 1;
}

static enum lac_status plan_record(struct work *w, lac_record_id id,
				   const struct mapped **to, unsigned depth,
				   struct plan *ret, struct lac_err *err)
{
	const struct lac_record *r = &w->a.g->records[id];
	struct lac_arena *scratch = w->scratch;
	struct pen p = {.was_align = 1, .is_align = 1};
	struct plan plan = {0};

	plan.bit_offsets =
		lac_arena_zalloc(scratch, r->nmembers, sizeof(uint64_t));
	plan.bit_sizes =
		lac_arena_zalloc(scratch, r->nmembers, sizeof(uint64_t));
	plan.inlined =
		lac_arena_zalloc(scratch, r->nmembers, sizeof(struct plan));
	if (!plan.bit_offsets || !plan.bit_sizes || !plan.inlined)
		return lac_fail_memory(err);
	if (depth > MAX_DEPTH || r->size == LAC_SIZE_UNKNOWN ||
	    r->size > UINT64_MAX / 128)
		return cannot(err);
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		uint32_t was_align, is_align = 1;

		if (m->certainty == LAC_DYNAMIC || !sane(m->bit_size) ||
		    !sane(m->bit_offset))
			return cannot(err);
		LAC_TRY(plan_member(w, r, i, to, depth, &plan, &is_align,
				    err));
		was_align = lac_side_align(&w->a, m->type);
		if (m->declared_align > was_align)
			was_align = m->declared_align;
		if (m->declared_align > is_align)
			is_align = m->declared_align;
		if (r->kind == LAC_UNION)
			p.was = p.is = 0;
		if (!sane(plan.bit_sizes[i]) || !sane(p.is) ||
		    !place(w, m, &p, plan.bit_sizes[i], was_align, is_align,
			   &plan.bit_offsets[i]))
			return cannot(err);
		p.was = m->bit_offset + m->bit_size;
		p.is = plan.bit_offsets[i] + plan.bit_sizes[i];
		p.was_end = p.was > p.was_end ? p.was : p.was_end;
		p.is_end = p.is > p.is_end ? p.is : p.is_end;
	}
	if (p.was_end > r->size * 8)
		return cannot(err);
	finish(w, r, &p, &plan);
	*ret = plan;
	return LAC_OK;
}

/* The walk of shape.c once more, so that seq says which field is which. */
static void apply_plan(const struct lac_graph *g, lac_record_id id,
		       const struct plan *plan, uint64_t base_bit,
		       uint32_t *seq, struct lac_field *fields,
		       const uint32_t *by_seq)
{
	const struct lac_record *r = &g->records[id];

	for (uint32_t i = 0; i < r->nmembers; i++) {
		struct lac_field *f = &fields[by_seq[(*seq)++]];
		lac_record_id in =
			lac_inlined_record(g, r->members[i].type, NULL);

		f->bit_offset = base_bit + plan->bit_offsets[i];
		f->bit_size = plan->bit_sizes[i];
		if (in != LAC_NONE)
			apply_plan(g, in, &plan->inlined[i], f->bit_offset,
				   seq, fields, by_seq);
	}
}

enum lac_status lac_shape_predict(struct work *w, uint32_t item,
				  const struct mapped *to,
				  struct lac_shape *ret, struct lac_err *err)
{
	struct lac_shape shape = w->a.items[item].shape;
	lac_record_id id = w->a.items[item].id;
	uint32_t *by_seq, seq = 0;
	struct lac_field *fields;
	struct plan plan;

	LAC_TRY(plan_record(w, id, &to, 0, &plan, err));
	fields = lac_arena_zalloc(w->scratch, shape.nfields, sizeof(*fields));
	by_seq = lac_arena_zalloc(w->scratch, shape.nfields, sizeof(*by_seq));
	if (!fields || !by_seq)
		return lac_fail_memory(err);
	if (shape.nfields)
		memcpy(fields, shape.fields, shape.nfields * sizeof(*fields));
	for (uint32_t i = 0; i < shape.nfields; i++)
		by_seq[fields[i].seq] = i;
	apply_plan(w->a.g, id, &plan, 0, &seq, fields, by_seq);
	shape.fields = fields;
	shape.size = plan.size;
	if (shape.align && plan.align != lac_side_align(
						 &w->a,
						 w->a.g->records[id].type))
		shape.align = plan.align;
	*ret = shape;
	return LAC_OK;
}

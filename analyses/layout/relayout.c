/* SPDX-License-Identifier: BSD-2-Clause */
#include "layout/relayout.h"

#include "layout/internal.h"

struct pen {
	uint64_t pos, end; /* bits */
	uint32_t align;	   /* bytes */
	uint64_t covered;  /* bits of a struct that members cover */
};

struct lac_brick lac_brick_of(struct lac_rules *rules,
			      const struct lac_record *r, uint32_t i,
			      const struct lac_c_member *cm, bool packed)
{
	const struct lac_member *m = &r->members[i];
	bool field = m->role == LAC_MEMBER_BITFIELD;
	struct lac_brick p = {
		.ask = { .align = 1, .bit_size = m->bit_size },
		.own = cm->align,
		.fill_bits = cm->fill_bits,
		.fill_to_unit = cm->fill_to_unit,
		.packed = packed || cm->packed,
		.raises = !packed || !field,
	};

	if (!p.packed)
		p.ask.align = lac_rules_type(rules, m->type)->align;
	if (p.own > p.ask.align)
		p.ask.align = p.own;
	if (field)
		p.ask.unit =
			lac_type_size(lac_rules_graph(rules), m->type) * 8;
	return p;
}

/* The rules of fit.c, but going where they lead. */
static void lay_member(const struct lac_brick *brick, bool is_union,
		       struct pen *p, uint64_t *offset)
{
	if (is_union)
		p->pos = 0;
	*offset = lac_brick_lay(brick, &p->pos);
	p->covered += brick->ask.bit_size;
	if (p->pos > p->end)
		p->end = p->pos;
	if (brick->ask.align > p->align && brick->raises)
		p->align = brick->ask.align;
}

enum lac_status lac_relayout(const struct lac_graph *g, lac_record_id id,
			     struct lac_rules *rules,
			     struct lac_relayout_rule rule,
			     struct lac_arena *arena, struct lac_relayout *ret,
			     struct lac_err *err)
{
	const struct lac_record *r = &g->records[id];
	uint64_t *offsets =
		lac_arena_zalloc(arena, r->nmembers, sizeof(*offsets));
	struct pen p = { .align = 1 };
	struct lac_c_form form;
	uint64_t size;

	if (!offsets)
		return lac_fail_memory(err);
	LAC_TRY(lac_c_form_fit(g, id, rules, arena, &form, err));
	if (!form.exact)
		return lac_fail(err, LAC_UNSUPPORTED,
				"%s: no other layout can be worked out: the "
				"rules of C do not give the one it has",
				r->name ? r->name : "an anonymous record");
	for (uint32_t i = 0; i < r->nmembers; i++) {
		struct lac_brick brick = lac_brick_of(
			rules, r, i, &form.members[i], form.packed);

		lay_member(&brick, r->kind == LAC_UNION, &p, &offsets[i]);
	}
	p.end += form.fill_bits;
	if (rule.align > p.align)
		p.align = rule.align;
	if (r->kind == LAC_UNION)
		p.covered = p.end;
	size = lac_round_up(p.end, (uint64_t)p.align * 8);
	*ret = (struct lac_relayout){
		.size = size / 8,
		.align = p.align,
		.hole_bits = p.end - p.covered,
		.padding_bits = size - p.end,
		.bit_offsets = offsets,
	};
	return LAC_OK;
}

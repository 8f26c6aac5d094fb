/* SPDX-License-Identifier: BSD-2-Clause */
#include "layout/relayout.h"

#include "layout/internal.h"

struct pen {
	uint64_t pos, end; /* bits */
	uint32_t align;	   /* bytes */
	uint64_t covered;  /* bits of a struct that members cover */
};

/* The rules of fit.c, but going where they lead. */
static void lay_member(struct lac_rules *rules, const struct lac_record *r,
		       uint32_t i, const struct lac_c_member *cm, bool packed,
		       struct pen *p, uint64_t *offset)
{
	const struct lac_member *m = &r->members[i];
	uint32_t align = packed || cm->packed
				 ? 1
				 : lac_rules_type(rules, m->type)->align;
	uint64_t align_bits;

	if (cm->align > align)
		align = cm->align;
	align_bits = (uint64_t)align * 8;
	if (r->kind == LAC_UNION)
		p->pos = 0;
	p->pos += cm->fill_bits;
	if (m->role != LAC_MEMBER_BITFIELD) {
		p->pos = lac_round_up(p->pos, align_bits);
	} else if (!packed && !cm->packed) {
		uint64_t unit =
			lac_type_size(lac_rules_graph(rules), m->type) * 8;

		if (p->pos % align_bits + m->bit_size > unit)
			p->pos = lac_round_up(p->pos, align_bits);
	}
	*offset = p->pos;
	p->pos += m->bit_size;
	p->covered += m->bit_size;
	if (p->pos > p->end)
		p->end = p->pos;
	if (align > p->align && !(packed && m->role == LAC_MEMBER_BITFIELD))
		p->align = align;
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
	for (uint32_t i = 0; i < r->nmembers; i++)
		lay_member(rules, r, i, &form.members[i], form.packed, &p,
			   &offsets[i]);
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

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diff_graph.h - random pairs of builds.  A plan says what each record is made
 * of; laying it out by the rules of C gives a graph.  Changing a plan a little
 * and laying it out again gives the next build of the same source.
 */
#ifndef DIFF_GRAPH_H
#define DIFF_GRAPH_H

#include <stdio.h>

#include "base/rng.h"
#include "handmade.h"

enum { P_RECORDS = 8, P_MEMBERS = 10, P_VALUES = 6 };

enum p_kind { P_BASE, P_ARRAY, P_BITS, P_RECORD, P_ENUM, P_UNION, P_POINTER };

struct p_member {
	enum p_kind kind;
	unsigned name;	 /* unique in the record */
	lac_type_id base; /* HM_CHAR to HM_LONG */
	uint64_t count;	 /* array: elements; bits: width */
	unsigned inner;	 /* record: an earlier one; union: its second arm */
};

struct p_record {
	unsigned name;
	bool present, packed;
	uint32_t align; /* declared; 0 for none */
	unsigned n;
	struct p_member m[P_MEMBERS];
};

struct plan {
	struct p_record r[P_RECORDS];
	unsigned nvalues, value_names[P_VALUES];
	int64_t values[P_VALUES];
	unsigned next_name;
};

static inline void p_random_member(struct plan *p, struct p_member *m,
				   unsigned record, struct lac_rng *g)
{
	*m = (struct p_member){
		.kind = (enum p_kind)lac_rng_below(g, 7),
		.name = p->next_name++,
		.base = (lac_type_id)(HM_CHAR + lac_rng_below(g, 4)),
		.count = 1 + lac_rng_below(g, 9),
	};
	if (m->kind == P_RECORD && !record)
		m->kind = P_BASE;
	if (m->kind == P_RECORD)
		m->inner = (unsigned)lac_rng_below(g, record);
	else
		m->inner = (unsigned)(HM_CHAR + lac_rng_below(g, 4));
	if (m->kind == P_BITS) {
		m->base = HM_INT;
		m->count = 1 + lac_rng_below(g, 12);
	}
}

static inline void p_random(struct plan *p, struct lac_rng *g)
{
	*p = (struct plan){.nvalues = 3, .value_names = {0, 1, 2},
			   .values = {0, 1, 2}, .next_name = 10};
	for (unsigned i = 0; i < P_RECORDS; i++) {
		struct p_record *r = &p->r[i];

		r->present = true;
		r->name = p->next_name++;
		r->n = 3 + (unsigned)lac_rng_below(g, P_MEMBERS - 4);
		for (unsigned k = 0; k < r->n; k++)
			p_random_member(p, &r->m[k], i, g);
	}
}

/* One edit of the kind that people make. */
static inline void p_edit(struct plan *p, struct lac_rng *g)
{
	unsigned at = (unsigned)lac_rng_below(g, P_RECORDS);
	struct p_record *r = &p->r[at];
	unsigned k = r->n ? (unsigned)lac_rng_below(g, r->n) : 0;
	struct p_member *m = &r->m[k];

	switch (lac_rng_below(g, 10)) {
	case 0: /* insert */
		if (r->n == P_MEMBERS)
			break;
		memmove(m + 1, m, (r->n - k) * sizeof(*m));
		r->n++;
		p_random_member(p, m, at, g);
		break;
	case 1: /* remove */
		if (r->n < 2)
			break;
		memmove(m, m + 1, (r->n - k - 1) * sizeof(*m));
		r->n--;
		break;
	case 2: /* another type */
		m->base = (lac_type_id)(HM_CHAR + lac_rng_below(g, 4));
		if (m->kind == P_BITS)
			m->base = HM_INT;
		break;
	case 3: /* another length or width */
		m->count = 1 + lac_rng_below(g, 12);
		break;
	case 4: /* another place */
		if (r->n > 1) {
			struct p_member first = r->m[0];

			r->m[0] = *m;
			*m = first;
		}
		break;
	case 5: /* another name */
		m->name = p->next_name++;
		break;
	case 6:
		r->align = r->align ? 0 : 64;
		break;
	case 7:
		r->packed = !r->packed;
		break;
	case 8:
		r->present = at + 1 < P_RECORDS || !r->present;
		break;
	default:
		if (lac_rng_below(g, 2) && p->nvalues < P_VALUES) {
			p->value_names[p->nvalues] = p->next_name++;
			p->values[p->nvalues++] = -5;
		} else {
			p->values[0] += 3;
		}
	}
}

struct p_pen {
	uint64_t bit;
	uint32_t align;
};

static inline const char *p_name(struct handmade *h, const char *prefix,
				 unsigned n)
{
	return lac_arena_printf(h->graph.arena, "%s%u", prefix, n);
}

static inline uint64_t p_up(uint64_t v, uint64_t to)
{
	return (v + to - 1) / to * to;
}

struct p_where { /* of the records that were laid out */
	lac_type_id type[P_RECORDS];
	uint32_t align[P_RECORDS];
	lac_type_id enumeration;
};

static inline uint32_t p_scalar_align(lac_type_id t)
{
	return t == HM_CHAR ? 1 : t == HM_SHORT ? 2 : t == HM_INT ? 4 : 8;
}

/* The anonymous union of a member, before the record that holds it. */
static inline lac_type_id p_union(struct handmade *h, const struct p_member *m,
				  uint32_t *align)
{
	uint32_t a = p_scalar_align(m->base);
	uint32_t b = p_scalar_align((lac_type_id)m->inner);
	lac_record_id id;

	*align = a > b ? a : b;
	id = hm_record(h, LAC_UNION, NULL, *align);
	hm_member(h, p_name(h, "u", m->name), m->base, 0);
	hm_member(h, p_name(h, "v", m->name), (lac_type_id)m->inner, 0);
	return hm_type(h, id);
}

static inline lac_type_id p_type(struct handmade *h, const struct p_member *m,
				 const struct p_where *w, uint32_t *align)
{
	*align = p_scalar_align(m->base);
	switch (m->kind) {
	case P_ARRAY:
		return hm_array(h, m->base, m->count);
	case P_RECORD:
		*align = w->align[m->inner];
		return w->type[m->inner];
	case P_ENUM:
		*align = 4;
		return w->enumeration;
	case P_UNION:
		return p_union(h, m, align);
	case P_POINTER:
		*align = 8;
		return HM_POINTER;
	default:
		return m->base;
	}
}

static inline void p_lay(struct handmade *h, const struct p_record *r,
			 struct p_where *w, unsigned at)
{
	struct p_pen pen = {.align = 1};
	lac_type_id types[P_MEMBERS];
	uint32_t aligns[P_MEMBERS];
	lac_record_id id;

	for (unsigned k = 0; k < r->n; k++)
		types[k] = p_type(h, &r->m[k], w, &aligns[k]);
	id = hm_record(h, LAC_STRUCT, p_name(h, "r", r->name), 0);
	for (unsigned k = 0; k < r->n; k++) {
		const struct p_member *m = &r->m[k];
		uint64_t size = h->types[types[k]].size;
		uint32_t align = r->packed ? 1 : aligns[k];
		const char *name = m->kind == P_UNION
					   ? NULL
					   : p_name(h, "m", m->name);

		if (m->kind == P_BITS) {
			if (!r->packed && pen.bit % 32 + m->count > 32)
				pen.bit = p_up(pen.bit, 32);
			hm_field(h, name, types[k], pen.bit, m->count);
			pen.bit += m->count;
		} else {
			pen.bit = p_up(pen.bit, (uint64_t)align * 8);
			hm_member(h, name, types[k], pen.bit / 8);
			pen.bit += size * 8;
		}
		pen.align = align > pen.align ? align : pen.align;
	}
	if (r->align > pen.align)
		pen.align = r->align;
	h->records[id].declared_align = r->align;
	h->records[id].size = p_up(pen.bit, (uint64_t)pen.align * 8) / 8;
	h->records[id].decl_file = "plan.h";
	h->records[id].decl_line = at + 1;
	h->types[hm_type(h, id)].size = h->records[id].size;
	w->type[at] = hm_type(h, id);
	w->align[at] = pen.align;
}

static inline void p_enum(struct handmade *h, const struct plan *p,
			  struct p_where *w, struct lac_enumeration *e,
			  struct lac_enumerator *values)
{
	for (unsigned i = 0; i < p->nvalues; i++)
		values[i] = (struct lac_enumerator){
			p_name(h, "E", p->value_names[i]), p->values[i]};
	w->enumeration = h->graph.ntypes++;
	*e = (struct lac_enumeration){.name = "colour",
				      .size = 4,
				      .is_signed = true,
				      .type = w->enumeration,
				      .nvalues = p->nvalues,
				      .values = values,
				      .decl_file = "plan.h"};
	h->types[w->enumeration] = (struct lac_type){
		.kind = LAC_TYPE_ENUM, .name = "colour", .size = 4};
	h->graph.enumerations = e;
	h->graph.nenumerations = 1;
}

/* A record that is gone is still laid out where another one holds it. */
static inline struct handmade *p_build(const struct plan *p)
{
	struct handmade *h = hm_create();
	struct lac_enumerator *v =
		lac_arena_zalloc(h->graph.arena, P_VALUES, sizeof(*v));
	struct lac_enumeration *e =
		lac_arena_zalloc(h->graph.arena, 1, sizeof(*e));
	struct p_where w = {0};

	p_enum(h, p, &w, e, v);
	for (unsigned i = 0; i < P_RECORDS; i++)
		if (p->r[i].present || i + 1 < P_RECORDS)
			p_lay(h, &p->r[i], &w, i);
	hm_finish(h);
	return h;
}

#endif

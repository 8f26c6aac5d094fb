/* SPDX-License-Identifier: BSD-2-Clause */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/pahole_private.h"

enum lac_status lac_pahole_add(struct lac_pahole_members *m,
			       struct lac_pahole_member member,
			       struct lac_err *err)
{
	if (m->n == m->cap) {
		uint32_t cap = m->cap ? m->cap * 2 : 64;
		void *list = realloc(m->list, cap * sizeof(*m->list));

		if (!list)
			return lac_fail_memory(err);
		m->list = list;
		m->cap = cap;
	}
	m->list[m->n++] = member;
	return LAC_OK;
}

static int by_place(const void *a, const void *b)
{
	const struct lac_pahole_member *x = a, *y = b;

	if (x->bit_offset != y->bit_offset)
		return x->bit_offset < y->bit_offset ? -1 : 1;
	if (strcmp(x->name, y->name))
		return strcmp(x->name, y->name);
	return (x->bit_size > y->bit_size) - (x->bit_size < y->bit_size);
}

/* Move the collected members into the arena, in order. */
enum lac_status lac_pahole_keep(struct lac_pahole_members *m,
				struct lac_arena *arena,
				struct lac_pahole_record *r,
				struct lac_err *err)
{
	r->nmembers = m->n;
	r->members = lac_arena_zalloc(arena, m->n, sizeof(*r->members));
	if (!r->members)
		return lac_fail_memory(err);
	if (m->n) {
		memcpy(r->members, m->list, m->n * sizeof(*r->members));
		qsort(r->members, m->n, sizeof(*r->members), by_place);
	}
	m->n = 0;
	return LAC_OK;
}

int lac_pahole_order(const struct lac_pahole_member *a,
		     const struct lac_pahole_member *b)
{
	if (a->bit_offset != b->bit_offset)
		return a->bit_offset < b->bit_offset ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* pahole does not open a nameless record that is volatile. */
static bool is_volatile(const struct lac_graph *g, lac_type_id id)
{
	for (;; id = g->types[id].target)
		switch (g->types[id].kind) {
		case LAC_TYPE_VOLATILE:
			return true;
		case LAC_TYPE_CONST:
		case LAC_TYPE_RESTRICT:
		case LAC_TYPE_ARRAY:
			break;
		default:
			return false;
		}
}

/* Our own record as such a list: anonymous members opened, as pahole does. */
static enum lac_status flatten(const struct lac_graph *g, lac_record_id id,
			       uint64_t base, unsigned depth,
			       struct lac_pahole_members *m,
			       struct lac_err *err)
{
	const struct lac_record *r = &g->records[id];

	if (depth > LAC_PAHOLE_DEPTH)
		return lac_fail(err, LAC_BAD_INPUT,
				"records nested deeper than %u",
				LAC_PAHOLE_DEPTH);
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *mm = &r->members[i];
		struct lac_pahole_member flat = {
			.name = mm->name ? mm->name : "",
			.bit_offset = base + mm->bit_offset,
			.bit_size = mm->bit_size,
			.bitfield = mm->role == LAC_MEMBER_BITFIELD,
			.record = g->types[lac_type_strip(g, mm->type)].kind ==
				  LAC_TYPE_RECORD,
		};
		lac_record_id inner = lac_type_nameless(g, mm->type);

		if (mm->certainty == LAC_DYNAMIC)
			continue;
		if (mm->bit_size == LAC_SIZE_UNKNOWN) {
			flat.unsized = true;
			flat.bit_size = 0;
		}
		if (inner != LAC_NONE && !is_volatile(g, mm->type))
			LAC_TRY(flatten(g, inner, flat.bit_offset, depth + 1, m,
					err));
		LAC_TRY(lac_pahole_add(m, flat, err));
	}
	return LAC_OK;
}

enum lac_status lac_pahole_flatten(const struct lac_layout *l,
				   struct lac_arena *arena,
				   struct lac_pahole_record *ret,
				   struct lac_err *err)
{
	const struct lac_record *r = &l->graph->records[l->record];
	struct lac_pahole_record out = {
		.kind = lac_record_kind_name(r->kind),
		.name = r->name ? r->name : r->typedef_name,
		.has_size = r->size != LAC_SIZE_UNKNOWN,
		.size = r->size,
		.hole_bits = l->hole_bits,
		.padding_bits = l->padding_bits,
		.unknown_bits = l->unknown_bits,
	};
	struct lac_pahole_members m = { 0 };
	enum lac_status st = flatten(l->graph, l->record, 0, 0, &m, err);

	for (uint32_t i = 0; i < r->nmembers; i++)
		out.unplaced += r->members[i].certainty == LAC_DYNAMIC;
	if (st == LAC_OK)
		st = lac_pahole_keep(&m, arena, &out, err);
	free(m.list);
	if (st == LAC_OK)
		*ret = out;
	return st;
}

struct differences {
	struct lac_arena *arena;
	struct lac_pahole_difference *list;
	uint32_t n, cap;
};

static enum lac_status differ(struct differences *d, const char *what,
			      const char *member, const char *ours,
			      const char *theirs, struct lac_err *err)
{
	if (!ours || !theirs)
		return lac_fail_memory(err);
	if (d->n == d->cap) {
		uint32_t cap = d->cap ? d->cap * 2 : 8;
		struct lac_pahole_difference *list =
			lac_arena_zalloc(d->arena, cap, sizeof(*list));

		if (!list)
			return lac_fail_memory(err);
		if (d->n)
			memcpy(list, d->list, d->n * sizeof(*list));
		d->list = list;
		d->cap = cap;
	}
	d->list[d->n++] = (struct lac_pahole_difference){
		.what = what,
		.member = member,
		.ours = ours,
		.theirs = theirs,
	};
	return LAC_OK;
}

static const char *number(struct lac_arena *arena, uint64_t v)
{
	return lac_arena_printf(arena, "%" PRIu64, v);
}

static const char *place(struct lac_arena *arena,
			 const struct lac_pahole_member *m)
{
	return lac_arena_printf(arena, "bit %" PRIu64 ", %" PRIu64 " bits",
				m->bit_offset, m->bit_size);
}

static bool same_member(const struct lac_pahole_member *a,
			const struct lac_pahole_member *b)
{
	return a->bit_offset == b->bit_offset && !strcmp(a->name, b->name) &&
	       (a->unsized || b->unsized || a->bit_size == b->bit_size) &&
	       a->bitfield == b->bitfield;
}

/* A member that only one of the two has. */
static enum lac_status one_sided(struct differences *d,
				 const struct lac_pahole_member *m, bool ours,
				 struct lac_err *err)
{
	const char *at = place(d->arena, m);

	LAC_TRY(differ(d, "member", m->name, ours ? at : "", ours ? "" : at,
		       err));
	d->list[d->n - 1].bit_offset = m->bit_offset;
	d->list[d->n - 1].bit_size = m->bit_size;
	return LAC_OK;
}

/* Both lists are sorted by place and name: walk them side by side. */
static enum lac_status compare_members(struct differences *d,
				       const struct lac_pahole_record *ours,
				       const struct lac_pahole_record *theirs,
				       struct lac_err *err)
{
	uint32_t i = 0, k = 0;

	while (i < ours->nmembers || k < theirs->nmembers) {
		const struct lac_pahole_member *a = &ours->members[i];
		const struct lac_pahole_member *b = &theirs->members[k];
		int c;

		if (i == ours->nmembers || k == theirs->nmembers)
			c = i == ours->nmembers ? 1 : -1;
		else
			c = lac_pahole_order(a, b);
		if (c == 0 && !same_member(a, b))
			LAC_TRY(differ(d, "member", a->name, place(d->arena, a),
				       place(d->arena, b), err));
		else if (c < 0)
			LAC_TRY(one_sided(d, a, true, err));
		else if (c > 0)
			LAC_TRY(one_sided(d, b, false, err));
		i += c <= 0;
		k += c >= 0;
	}
	return LAC_OK;
}

enum lac_status lac_pahole_compare(const struct lac_pahole_record *ours,
				   const struct lac_pahole_record *theirs,
				   struct lac_arena *arena,
				   struct lac_pahole_difference **ret,
				   uint32_t *n, struct lac_err *err)
{
	struct differences d = { .arena = arena };

	if (theirs->unread)
		LAC_TRY(differ(&d, "unread", NULL, "", theirs->unread, err));
	if (theirs->has_size && ours->size != theirs->size)
		LAC_TRY(differ(&d, "size", NULL, number(arena, ours->size),
			       number(arena, theirs->size), err));
	LAC_TRY(compare_members(&d, ours, theirs, err));
	if (theirs->has_size && ours->hole_bits != theirs->hole_bits)
		LAC_TRY(differ(&d, "holes", NULL,
			       number(arena, ours->hole_bits),
			       number(arena, theirs->hole_bits), err));
	if (theirs->has_size && ours->padding_bits != theirs->padding_bits)
		LAC_TRY(differ(&d, "padding", NULL,
			       number(arena, ours->padding_bits),
			       number(arena, theirs->padding_bits), err));
	*ret = d.list;
	*n = d.n;
	return LAC_OK;
}

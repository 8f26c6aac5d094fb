/* SPDX-License-Identifier: BSD-2-Clause */
/* store_part.c - from names to the elements that are wanted of an entry. */
#include <stdlib.h>
#include <string.h>

#include "dbginfo/index.h"
#include "dbginfo/store_part.h"

/* -- sets ----------------------------------------------------------------- */

static bool set_init(struct lac_part *p, struct lac_part_set *s,
		     enum lac_image_section of, bool whole)
{
	uint64_t n = lac_image_count(p->m, of);

	s->of = of;
	s->all = (uint32_t)n;
	s->whole = whole;
	if (whole) {
		s->n = s->all;
		return true;
	}
	/* of large ones, only the pages that are used cost anything */
	s->mark = lac_arena_zalloc(p->arena, n, 1);
	s->now = lac_arena_zalloc(p->arena, n, sizeof(*s->now));
	return s->mark && s->now;
}

static bool set_add(struct lac_part *p, struct lac_part_set *s, uint32_t id)
{
	if (s->n == s->cap) {
		uint32_t cap = s->cap ? 2 * s->cap : 256;
		uint32_t *more = lac_arena_zalloc(p->arena, cap, sizeof(*more));

		if (!more)
			return false;
		if (s->n)
			memcpy(more, s->was, s->n * sizeof(*more));
		s->was = more;
		s->cap = cap;
	}
	s->was[s->n++] = id;
	return true;
}

static int ascending(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return a < b ? -1 : a > b;
}

void lac_part_sort(struct lac_part_set *s)
{
	if (s->n)
		qsort(s->was, s->n, sizeof(*s->was), ascending);
}

static void set_number(struct lac_part_set *s)
{
	lac_part_sort(s);
	for (uint32_t i = 0; i < s->n; i++)
		s->now[s->was[i]] = i;
}

uint32_t lac_part_now(struct lac_part *p, const struct lac_part_set *s,
		      uint32_t was)
{
	if (was == LAC_NONE)
		return LAC_NONE;
	if (was >= s->all || (!s->whole && !s->mark[was])) {
		p->m->bad = true;
		return 0;
	}
	return s->whole ? was : s->now[was];
}

/* -- marking -------------------------------------------------------------- */

static bool push(struct lac_part *p, bool record, uint32_t id)
{
	if (p->nwork == p->work_cap) {
		uint32_t cap = p->work_cap ? 2 * p->work_cap : 256;
		struct lac_part_work *more =
			lac_arena_zalloc(p->arena, cap, sizeof(*more));

		if (!more)
			return false;
		if (p->nwork)
			memcpy(more, p->work, p->nwork * sizeof(*more));
		p->work = more;
		p->work_cap = cap;
	}
	p->work[p->nwork++] = (struct lac_part_work){ record, id };
	return true;
}

static void mark(struct lac_part *p, struct lac_part_set *s, uint32_t id,
		 enum lac_part_depth depth)
{
	bool deeper = s == &p->types || s == &p->records, fresh;

	if (id == LAC_NONE || p->no_memory)
		return;
	if (id >= s->all) {
		p->m->bad = true;
		return;
	}
	if (s->mark[id] >= depth)
		return;
	fresh = !s->mark[id];
	s->mark[id] = (uint8_t)depth;
	if ((fresh && !set_add(p, s, id)) ||
	    (deeper && !push(p, s == &p->records, id)))
		p->no_memory = true;
}

static void look_into_type(struct lac_part *p, uint32_t id)
{
	const struct lac_image_type *t = lac_image_at(p->m, LAC_IN_TYPES, id,
						      1);
	enum lac_part_depth depth = p->types.mark[id];
	const uint32_t *params;

	if (!t)
		return;
	switch (t->kind) {
	case LAC_TYPE_POINTER:
	case LAC_TYPE_REFERENCE:
	case LAC_TYPE_RVALUE_REFERENCE:
	case LAC_TYPE_MEMBER_POINTER:
	case LAC_TYPE_FUNCTION:
		depth = LAC_PART_NAMED;
		break;
	default:
		break;
	}
	mark(p, &p->types, t->target, depth);
	if (t->kind == LAC_TYPE_RECORD || t->kind == LAC_TYPE_MEMBER_POINTER)
		mark(p, &p->records, t->ref, depth);
	if (t->kind == LAC_TYPE_ENUM)
		mark(p, &p->enums, t->ref, LAC_PART_WHOLE);
	if (t->kind != LAC_TYPE_FUNCTION)
		return;
	params = lac_image_at(p->m, LAC_IN_PARAMS, t->ref, t->nparams);
	for (uint32_t i = 0; params && i < t->nparams; i++)
		mark(p, &p->types, params[i], LAC_PART_NAMED);
}

uint32_t *lac_part_list(struct lac_part *p, uint32_t list, uint32_t *n)
{
	const struct lac_image_list *l = lac_image_at(p->m, LAC_IN_LISTS, list,
						      1);
	const unsigned char *b;
	uint64_t last = 0;
	uint32_t at = 0, *units;

	*n = 0;
	b = l ? lac_image_at(p->m, LAC_IN_UNITS_OF, l->at, l->bytes) : NULL;
	if (!b || l->n > l->bytes) {
		p->m->bad = true;
		return NULL;
	}
	*n = l->n;
	if (p->lists[list])
		return p->lists[list];
	units = lac_arena_zalloc(p->arena, l->n, sizeof(*units));
	if (!units) {
		p->no_memory = true;
		return NULL;
	}
	for (uint32_t i = 0; i < l->n; i++) {
		uint64_t step = 0;
		unsigned shift = 0;

		do {
			if (at == l->bytes || shift > 28) {
				p->m->bad = true;
				return NULL;
			}
			step |= (uint64_t)(b[at] & 0x7f) << shift;
			shift += 7;
		} while (b[at++] & 0x80);
		last += step;
		if (last >= p->units.all) {
			p->m->bad = true;
			return NULL;
		}
		units[i] = (uint32_t)last;
	}
	p->lists[list] = units;
	return units;
}

static void look_into_record(struct lac_part *p, uint32_t id)
{
	const struct lac_image_record *r = lac_image_at(p->m, LAC_IN_RECORDS,
							id, 1);
	const struct lac_image_member *members;

	if (!r)
		return;
	mark(p, &p->types, r->type, LAC_PART_NAMED);
	mark(p, &p->records, r->parent, LAC_PART_NAMED);
	if (!r->name)
		mark(p, &p->records, id, LAC_PART_WHOLE);
	if (p->records.mark[id] != LAC_PART_WHOLE)
		return;
	members = lac_image_at(p->m, LAC_IN_MEMBERS, r->member, r->nmembers);
	for (uint32_t i = 0; members && i < r->nmembers; i++)
		mark(p, &p->types, members[i].type, LAC_PART_WHOLE);
}

static void look_into_all(struct lac_part *p)
{
	while (p->nwork && !p->m->bad && !p->no_memory) {
		struct lac_part_work w = p->work[--p->nwork];

		if (w.record)
			look_into_record(p, w.id);
		else
			look_into_type(p, w.id);
	}
}

/* -- names ---------------------------------------------------------------- */

static const struct lac_image_name *name_at(struct lac_part *p,
					    enum lac_image_section s,
					    uint64_t i, const char **text)
{
	const struct lac_image_name *n = lac_image_at(p->m, s, i, 1);

	*text = n ? lac_image_string(p->m, n->name) : NULL;
	return *text ? n : NULL;
}

/* Mark the records that go by this name; how many. */
static unsigned choose_name(struct lac_part *p, enum lac_image_section s,
			    const char *name)
{
	uint64_t from = 0, all = lac_image_count(p->m, s), n = all;
	const struct lac_image_name *at;
	unsigned found = 0;
	const char *text;

	while (n) {
		uint64_t half = n / 2;

		if (!name_at(p, s, from + half, &text))
			return 0;
		if (strcmp(text, name) < 0) {
			from += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	for (; from < all && (at = name_at(p, s, from, &text)) &&
	       !strcmp(text, name); from++, found++)
		mark(p, &p->records, at->record, LAC_PART_WHOLE);
	return found;
}

static bool choose(struct lac_part *p, const char *const *only, bool may_lack)
{
	for (; *only; only++) {
		const char *name = lac_name_asked(*only);
		unsigned n = choose_name(p, LAC_IN_WHOLE, name) +
			     choose_name(p, LAC_IN_LAST,
					 lac_name_last_part(name));

		if (!n && !may_lack)
			return false;
	}
	return true;
}

enum lac_status lac_part_choose(struct lac_image *m, const char *const *only,
				bool may_lack, struct lac_arena *arena,
				struct lac_part *ret, struct lac_err *err)
{
	struct lac_part p = { .m = m, .arena = arena, .whole = !only };

	p.lists = lac_arena_zalloc(arena, lac_image_count(m, LAC_IN_LISTS),
				   sizeof(*p.lists));
	if (!p.lists || !set_init(&p, &p.types, LAC_IN_TYPES, !only) ||
	    !set_init(&p, &p.records, LAC_IN_RECORDS, !only) ||
	    !set_init(&p, &p.enums, LAC_IN_ENUMS, !only) ||
	    !set_init(&p, &p.units, LAC_IN_UNITS, true))
		return lac_fail_memory(err);
	if (only) {
		mark(&p, &p.types, 0, LAC_PART_NAMED); /* void */
		if (!choose(&p, only, may_lack) && !m->bad)
			return lac_fail(err, LAC_NOT_FOUND, "not kept");
		look_into_all(&p);
		set_number(&p.types);
		set_number(&p.records);
		set_number(&p.enums);
	}
	if (p.no_memory)
		return lac_fail_memory(err);
	if (m->bad)
		return lac_fail(err, LAC_BAD_INPUT, "the kept graph is damaged");
	*ret = p;
	return LAC_OK;
}

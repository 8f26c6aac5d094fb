/* SPDX-License-Identifier: BSD-2-Clause */
/* pool_record.c - the records and enumerations of a pool. */
#include <string.h>

#include "dbginfo/pool_internal.h"

static uint64_t hash_record(const struct lac_record *r)
{
	uint64_t h = mix_name(r->kind, r->name);

	h = mix_name(h, r->typedef_name);
	h = lac_mix_in(h, r->size);
	h = lac_mix_in(h, r->declared_align);
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];

		h = mix_name(h + m->bit_size, m->name);
		h = lac_mix_in(h + m->type, m->bit_offset);
	}
	return h;
}

static bool member_equal(const struct lac_member *a, const struct lac_member *b)
{
	return a->name == b->name && a->type == b->type && a->role == b->role &&
	       a->certainty == b->certainty && a->bit_offset == b->bit_offset &&
	       a->bit_size == b->bit_size &&
	       a->declared_align == b->declared_align &&
	       a->has_discriminant == b->has_discriminant &&
	       a->discriminant == b->discriminant;
}

static bool record_equal(const struct lac_pool *p, uint32_t id, const void *key)
{
	const struct lac_record *a = &p->records[id], *b = key;

	if (a->kind != b->kind || a->name != b->name ||
	    a->typedef_name != b->typedef_name || a->size != b->size ||
	    a->declared_align != b->declared_align ||
	    a->nmembers != b->nmembers)
		return false;
	for (uint32_t i = 0; i < a->nmembers; i++)
		if (!member_equal(&a->members[i], &b->members[i]))
			return false;
	return true;
}

static bool make_record_room(struct lac_pool *p)
{
	uint32_t cap = p->records_cap;

	if (p->nrecords < cap)
		return true;
	return lac_make_room((void **)&p->seen, p->nrecords, &cap,
			     sizeof(*p->seen)) &&
	       lac_make_room((void **)&p->records, p->nrecords,
			     &p->records_cap, sizeof(*p->records));
}

/* A copy that stays. */
static const void *copy_of(struct lac_pool *p, const void *from, uint32_t n,
			   size_t size)
{
	void *to = lac_arena_zalloc(p->arena, n, size);

	if (to && n)
		memcpy(to, from, n * size);
	return to;
}

enum lac_status lac_pool_record(struct lac_pool *p, const struct lac_record *r,
				lac_type_id *ret, struct lac_err *err)
{
	uint32_t hash = (uint32_t)hash_record(r);
	struct lac_table_slot *slot =
		table_find(p, &p->record_table, hash, record_equal, r);
	const struct lac_member *members;
	struct lac_type t = { .kind = LAC_TYPE_RECORD };
	struct lac_record *copy;

	if (!slot)
		return lac_fail_memory(err);
	if (slot->id != LAC_NONE) {
		*ret = p->records[slot->id].type;
		return LAC_OK;
	}
	members = copy_of(p, r->members, r->nmembers, sizeof(*members));
	if (!members || !make_record_room(p))
		return lac_fail_memory(err);
	p->seen[p->nrecords] = (struct lac_pool_seen){ 0 };
	copy = &p->records[p->nrecords];
	*copy = *r;
	copy->members = members;
	copy->parent = LAC_NONE;
	copy->decl_file = NULL;
	copy->decl_line = 0;
	t.name = r->name;
	t.size = r->size;
	t.declared_align = r->declared_align;
	t.record = p->nrecords;
	t.record_kind = r->kind;
	/* its record is new, so it is */
	LAC_TRY(lac_pool_append(p, &t, false, &copy->type, err));
	table_fill(&p->record_table, slot, hash, p->nrecords);
	*ret = p->records[p->nrecords++].type;
	return LAC_OK;
}

bool lac_pool_same_enum(const struct lac_enumeration *a,
			const struct lac_enumeration *b)
{
	if (a->name != b->name || a->size != b->size ||
	    a->is_signed != b->is_signed || a->nvalues != b->nvalues)
		return false;
	for (uint32_t i = 0; i < a->nvalues; i++)
		if (a->values[i].name != b->values[i].name ||
		    a->values[i].value != b->values[i].value)
			return false;
	return true;
}

static bool enum_equal(const struct lac_pool *p, uint32_t id, const void *key)
{
	return lac_pool_same_enum(&p->enumerations[id], key);
}

static bool make_enum_room(struct lac_pool *p)
{
	uint32_t cap = p->enumerations_cap;

	if (p->nenumerations < cap)
		return true;
	return lac_make_room((void **)&p->enum_placed, p->nenumerations, &cap,
			     sizeof(*p->enum_placed)) &&
	       lac_make_room((void **)&p->enumerations, p->nenumerations,
			     &p->enumerations_cap, sizeof(*p->enumerations));
}

enum lac_status lac_pool_enumeration(struct lac_pool *p,
				     const struct lac_enumeration *e,
				     lac_type_id *ret, struct lac_err *err)
{
	uint64_t h = lac_mix_in(mix_name(e->is_signed, e->name), e->size);
	struct lac_table_slot *slot;
	const struct lac_enumerator *values;
	struct lac_enumeration *copy;
	struct lac_type t = { .kind = LAC_TYPE_ENUM };

	for (uint32_t i = 0; i < e->nvalues; i++)
		h = mix_name(h + (uint64_t)e->values[i].value,
			     e->values[i].name);
	slot = table_find(p, &p->enum_table, (uint32_t)h, enum_equal, e);
	if (!slot)
		return lac_fail_memory(err);
	if (slot->id != LAC_NONE) {
		*ret = p->enumerations[slot->id].type;
		return LAC_OK;
	}
	values = copy_of(p, e->values, e->nvalues, sizeof(*values));
	if (!values || !make_enum_room(p))
		return lac_fail_memory(err);
	p->enum_placed[p->nenumerations] = false;
	copy = &p->enumerations[p->nenumerations];
	*copy = *e;
	copy->values = values;
	copy->decl_file = NULL;
	copy->decl_line = 0;
	t.name = e->name;
	t.size = e->size;
	t.enumeration = p->nenumerations;
	LAC_TRY(lac_pool_append(p, &t, false, &copy->type, err));
	table_fill(&p->enum_table, slot, (uint32_t)h, p->nenumerations);
	*ret = p->enumerations[p->nenumerations++].type;
	return LAC_OK;
}

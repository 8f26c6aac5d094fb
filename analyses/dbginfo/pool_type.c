/* SPDX-License-Identifier: BSD-2-Clause */
/* pool_type.c - the types of a pool that are no record or enumeration. */
#include <string.h>

#include "dbginfo/pool_internal.h"

struct type_key {
	const struct lac_type *t;
	bool by_value;
};

static uint64_t hash_type(const struct lac_type *t, bool by_value)
{
	uint64_t h = lac_mix_in((uint64_t)t->declared_align << 16 |
				    (uint64_t)t->encoding << 8 |
				    (uint64_t)t->kind << 1 | by_value,
			    t->target);

	h = mix_name(h, t->name);
	h = lac_mix_in(h, t->size);
	switch (t->kind) {
	case LAC_TYPE_ARRAY:
	case LAC_TYPE_VECTOR:
		h = lac_mix_in(h, t->array.count * 2 + t->array.flexible);
		break;
	case LAC_TYPE_FUNCTION:
		for (uint32_t i = 0; i < t->function.nparams; i++)
			h = lac_mix_in(h, t->function.params[i]);
		h = lac_mix_in(h, t->function.variadic);
		break;
	case LAC_TYPE_RECORD:
		h = lac_mix_in(h, (uint64_t)t->record << 3 | t->record_kind);
		break;
	case LAC_TYPE_MEMBER_POINTER:
		h = lac_mix_in(h, t->record);
		break;
	case LAC_TYPE_ENUM:
		h = lac_mix_in(h, t->enumeration);
		break;
	default:
		break;
	}
	return h;
}

static bool same_function(const struct lac_function_type *a,
			  const struct lac_function_type *b)
{
	return a->nparams == b->nparams && a->variadic == b->variadic &&
	       (a->nparams == 0 || memcmp(a->params, b->params,
					  a->nparams * sizeof(*a->params)) == 0);
}

static bool type_equal(const struct lac_pool *p, uint32_t id, const void *key)
{
	const struct type_key *k = key;
	const struct lac_type *a = &p->types[id], *b = k->t;

	if (a->kind != b->kind || a->encoding != b->encoding ||
	    a->name != b->name || a->size != b->size ||
	    a->declared_align != b->declared_align || a->target != b->target ||
	    p->by_value[id] != k->by_value)
		return false;
	switch (a->kind) {
	case LAC_TYPE_ARRAY:
	case LAC_TYPE_VECTOR:
		return a->array.count == b->array.count &&
		       a->array.flexible == b->array.flexible;
	case LAC_TYPE_FUNCTION:
		return same_function(&a->function, &b->function);
	case LAC_TYPE_RECORD:
		return a->record == b->record &&
		       a->record_kind == b->record_kind;
	case LAC_TYPE_MEMBER_POINTER:
		return a->record == b->record;
	case LAC_TYPE_ENUM:
		return a->enumeration == b->enumeration;
	default:
		return true;
	}
}

static bool make_type_room(struct lac_pool *p)
{
	uint32_t cap = p->types_cap, cap2 = cap, cap3 = cap;

	if (p->ntypes < cap)
		return true;
	return lac_make_room((void **)&p->by_value, p->ntypes, &cap,
			     sizeof(*p->by_value)) &&
	       lac_make_room((void **)&p->pointer, p->ntypes, &cap3,
			     sizeof(*p->pointer)) &&
	       lac_make_room((void **)&p->depth, p->ntypes, &cap2,
			     sizeof(*p->depth)) &&
	       lac_make_room((void **)&p->types, p->ntypes, &p->types_cap,
			     sizeof(*p->types));
}

/* One more than the deepest of its parts. */
static uint32_t depth_of(const struct lac_pool *p, const struct lac_type *t)
{
	uint32_t depth = p->ntypes ? p->depth[t->target] : 0;

	if (t->kind == LAC_TYPE_FUNCTION)
		for (uint32_t i = 0; i < t->function.nparams; i++)
			if (p->depth[t->function.params[i]] > depth)
				depth = p->depth[t->function.params[i]];
	if (t->kind == LAC_TYPE_RECORD && t->record != LAC_NONE) {
		const struct lac_record *r = &p->records[t->record];

		for (uint32_t i = 0; i < r->nmembers; i++)
			if (p->depth[r->members[i].type] > depth)
				depth = p->depth[r->members[i].type];
	}
	return depth + 1;
}

enum lac_status lac_pool_append(struct lac_pool *p, const struct lac_type *t,
				bool by_value, lac_type_id *ret,
				struct lac_err *err)
{
	uint32_t depth = depth_of(p, t);
	struct lac_type *copy;

	if (depth > LAC_TYPE_DEPTH_MAX)
		return lac_fail(err, LAC_BAD_INPUT,
				"types are nested too deeply");
	if (!make_type_room(p))
		return lac_fail_memory(err);
	p->depth[p->ntypes] = (uint16_t)depth;
	copy = &p->types[p->ntypes];
	*copy = *t;
	if (t->kind == LAC_TYPE_FUNCTION && t->function.nparams) {
		size_t n = t->function.nparams;
		lac_type_id *params =
			lac_arena_zalloc(p->arena, n, sizeof(*params));

		if (!params)
			return lac_fail_memory(err);
		memcpy(params, t->function.params, n * sizeof(*params));
		copy->function.params = params;
	}
	p->has_opaque |= lac_is_opaque_enum(t);
	p->by_value[p->ntypes] = by_value;
	p->pointer[p->ntypes] = 0;
	*ret = p->ntypes++;
	return LAC_OK;
}

static enum lac_status find_type(struct lac_pool *p, const struct lac_type *t,
				 bool by_value, lac_type_id *ret,
				 struct lac_err *err)
{
	struct type_key key = { t, by_value };
	uint32_t hash = (uint32_t)hash_type(t, by_value);
	struct lac_table_slot *slot =
		table_find(p, &p->type_table, hash, type_equal, &key);
	lac_type_id id;

	if (!slot)
		return lac_fail_memory(err);
	if (slot->id == LAC_NONE) {
		LAC_TRY(lac_pool_append(p, t, by_value, &id, err));
		table_fill(&p->type_table, slot, hash, id);
	}
	*ret = slot->id;
	return LAC_OK;
}

/*
 * Half of all types are pointers, most of which have no more to tell: the first
 * of them to a type is found through that, and is in no table.
 */
enum lac_status lac_pool_type(struct lac_pool *p, const struct lac_type *t,
			      bool by_value, lac_type_id *ret,
			      struct lac_err *err)
{
	lac_type_id target = t->target, id;

	if (t->kind != LAC_TYPE_POINTER || t->name || t->declared_align ||
	    t->encoding || by_value)
		return find_type(p, t, by_value, ret, err);
	id = p->pointer[target];
	if (!id) {
		LAC_TRY(lac_pool_append(p, t, false, &id, err));
		p->pointer[target] = id;
	} else if (p->types[id].size != t->size) {
		return find_type(p, t, false, ret, err);
	}
	*ret = id;
	return LAC_OK;
}

uint64_t lac_pool_size(const struct lac_pool *p, lac_type_id id)
{
	const struct lac_type *t = &p->types[id];

	/* an _Atomic may know better: atomic.c */
	while (t->size == LAC_SIZE_UNKNOWN && lac_is_modifier(t->kind))
		t = &p->types[t->target]; /* a lower id */
	return t->size;
}

static const struct lac_type *strip(const struct lac_pool *p, lac_type_id id)
{
	const struct lac_type *t = &p->types[id];

	while (lac_is_modifier(t->kind))
		t = &p->types[t->target];
	return t;
}

bool lac_pool_is_bitfield(const struct lac_pool *p, const struct lac_member *m)
{
	switch (strip(p, m->type)->kind) {
	case LAC_TYPE_RECORD:
	case LAC_TYPE_ARRAY:
	case LAC_TYPE_VECTOR:
		return m->bit_size % 8 || m->bit_offset % 8;
	default:
		return true;
	}
}

bool lac_pool_is_integer(const struct lac_pool *p, lac_type_id id)
{
	const struct lac_type *t = strip(p, id);

	return t->kind == LAC_TYPE_ENUM ||
	       (t->kind == LAC_TYPE_BASE && t->encoding != LAC_ENC_FLOAT &&
		t->encoding != LAC_ENC_COMPLEX);
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "dbginfo/pool.h"

#include <stdlib.h>
#include <string.h>

static uint64_t mix_in(uint64_t h, uint64_t v)
{
	h = (h + v) * 0x9e3779b97f4a7c15u; /* 2^64 by the golden ratio */
	return h ^ h >> 32;
}

/* Interned strings are equal if their addresses are. */
static uint64_t mix_name(uint64_t h, const char *name)
{
	return mix_in(h, (uint64_t)(uintptr_t)name);
}

/* -- tables --------------------------------------------------------------- */

/*
 * The slot of an id of that hash for which equal() holds, or the free one
 * where it belongs.  NULL when out of memory.
 */
static inline struct lac_table_slot *
table_find(struct lac_pool *p, struct lac_table *t, uint32_t hash,
	   bool (*equal)(const struct lac_pool *p, uint32_t id,
			 const void *key),
	   const void *key)
{
	if (!lac_table_grow(t))
		return NULL;
	for (uint32_t at = hash;; at++) {
		struct lac_table_slot *s = &t->slots[at & (t->cap - 1)];

		if (s->id == LAC_NONE ||
		    (s->hash == hash && equal(p, s->id, key)))
			return s;
	}
}

static void table_fill(struct lac_table *t, struct lac_table_slot *s,
		       uint32_t hash, uint32_t id)
{
	s->hash = hash;
	s->id = id;
	t->n++;
}

enum lac_status lac_pool_create(struct lac_pool **ret, struct lac_err *err)
{
	struct lac_pool *p = calloc(1, sizeof(*p));
	struct lac_type nothing = { .kind = LAC_TYPE_VOID };
	lac_type_id id;

	if (p)
		p->arena = lac_arena_create();
	if (!p || !p->arena) {
		free(p);
		return lac_fail_memory(err);
	}
	nothing.size = LAC_SIZE_UNKNOWN;
	if (lac_pool_type(p, &nothing, false, &id, err) != LAC_OK) {
		lac_pool_destroy(p);
		return LAC_NO_MEMORY;
	}
	*ret = p;
	return LAC_OK;
}

/* Room for n in all, and one: arrays that share a cap stay in step. */
static bool reserve(void *array, uint32_t n, size_t size)
{
	void *p, *was;

	memcpy(&was, array, sizeof(was));
	p = reallocarray(was, (size_t)n + 1, size);
	if (p)
		memcpy(array, &p, sizeof(p));
	return p != NULL;
}

enum lac_status lac_pool_reserve(struct lac_pool *p, uint32_t types,
				 uint32_t records, uint32_t enumerations,
				 uint32_t roots, struct lac_err *err)
{
	if (types < p->types_cap || records < p->records_cap ||
	    enumerations < p->enumerations_cap || roots < p->roots_cap)
		return LAC_OK; /* there is some */
	if (!reserve(&p->by_value, types, sizeof(*p->by_value)) ||
	    !reserve(&p->depth, types, sizeof(*p->depth)) ||
	    !reserve(&p->pointer, types, sizeof(*p->pointer)) ||
	    !reserve(&p->types, types, sizeof(*p->types)))
		return lac_fail_memory(err);
	p->types_cap = types + 1;
	if (!reserve(&p->seen, records, sizeof(*p->seen)) ||
	    !reserve(&p->records, records, sizeof(*p->records)))
		return lac_fail_memory(err);
	p->records_cap = records + 1;
	if (!reserve(&p->enumerations, enumerations, sizeof(*p->enumerations)))
		return lac_fail_memory(err);
	p->enumerations_cap = enumerations + 1;
	if (!reserve(&p->roots, roots, sizeof(*p->roots)))
		return lac_fail_memory(err);
	p->roots_cap = roots + 1;
	if (!lac_table_reserve(&p->record_table, records) ||
	    !lac_table_reserve(&p->enum_table, enumerations))
		return lac_fail_memory(err);
	return LAC_OK;
}

void lac_pool_destroy(struct lac_pool *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < p->nrecords; i++)
		free(p->seen[i].units.bytes);
	free(p->types);
	free(p->by_value);
	free(p->depth);
	free(p->pointer);
	free(p->records);
	free(p->seen);
	free(p->enumerations);
	free(p->units);
	free(p->strings);
	free(p->roots);
	free(p->string_table.slots);
	free(p->type_table.slots);
	free(p->record_table.slots);
	free(p->enum_table.slots);
	lac_arena_destroy(p->arena);
	free(p);
}

/* -- strings -------------------------------------------------------------- */

static bool string_equal(const struct lac_pool *p, uint32_t id, const void *key)
{
	return strcmp(p->strings[id], key) == 0;
}

enum lac_status lac_pool_string(struct lac_pool *p, const char *s,
				const char **ret, struct lac_err *err)
{
	struct lac_table_slot *slot;
	uint64_t h = 14695981039346656037u;
	const char *copy;

	if (!s) {
		*ret = NULL;
		return LAC_OK;
	}
	for (const char *c = s; *c; c++) /* FNV-1a */
		h = (h ^ (unsigned char)*c) * 1099511628211u;
	h = lac_mix(h);
	slot = table_find(p, &p->string_table, (uint32_t)h, string_equal, s);
	if (!slot)
		return lac_fail_memory(err);
	if (slot->id == LAC_NONE) {
		copy = lac_arena_strdup(p->arena, s);
		if (!copy ||
		    !lac_make_room((void **)&p->strings, p->nstrings,
				   &p->strings_cap, sizeof(*p->strings)))
			return lac_fail_memory(err);
		p->strings[p->nstrings] = copy;
		table_fill(&p->string_table, slot, (uint32_t)h, p->nstrings++);
	}
	*ret = p->strings[slot->id];
	return LAC_OK;
}

/* -- types ---------------------------------------------------------------- */

struct type_key {
	const struct lac_type *t;
	bool by_value;
};

static uint64_t hash_type(const struct lac_type *t, bool by_value)
{
	uint64_t h = mix_in((uint64_t)t->declared_align << 16 |
				    (uint64_t)t->encoding << 8 |
				    (uint64_t)t->kind << 1 | by_value,
			    t->target);

	h = mix_name(h, t->name);
	h = mix_in(h, t->size);
	switch (t->kind) {
	case LAC_TYPE_ARRAY:
	case LAC_TYPE_VECTOR:
		h = mix_in(h, t->array.count * 2 + t->array.flexible);
		break;
	case LAC_TYPE_FUNCTION:
		for (uint32_t i = 0; i < t->function.nparams; i++)
			h = mix_in(h, t->function.params[i]);
		h = mix_in(h, t->function.variadic);
		break;
	case LAC_TYPE_RECORD:
		h = mix_in(h, (uint64_t)t->record << 3 | t->record_kind);
		break;
	case LAC_TYPE_MEMBER_POINTER:
		h = mix_in(h, t->record);
		break;
	case LAC_TYPE_ENUM:
		h = mix_in(h, t->enumeration);
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

/* A type that is known to be new. */
static enum lac_status append_type(struct lac_pool *p, const struct lac_type *t,
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
		LAC_TRY(append_type(p, t, by_value, &id, err));
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
		LAC_TRY(append_type(p, t, false, &id, err));
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

/* -- records and enumerations --------------------------------------------- */

static uint64_t hash_record(const struct lac_record *r)
{
	uint64_t h = mix_name(r->kind, r->name);

	h = mix_name(h, r->typedef_name);
	h = mix_in(h, r->size);
	h = mix_in(h, r->declared_align);
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];

		h = mix_name(h + m->bit_size, m->name);
		h = mix_in(h + m->type, m->bit_offset);
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

/* n objects of that size for good: the pool's already (made), or copied. */
static const void *stay(struct lac_pool *p, const void *from, uint32_t n,
			size_t size, bool made)
{
	void *to;

	if (made)
		return from;
	to = lac_arena_zalloc(p->arena, n, size);
	if (to && n)
		memcpy(to, from, n * size);
	return to;
}

static enum lac_status put_record(struct lac_pool *p,
				  const struct lac_record *r, bool made,
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
	members = stay(p, r->members, r->nmembers, sizeof(*members), made);
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
	LAC_TRY(append_type(p, &t, false, &copy->type, err));
	table_fill(&p->record_table, slot, hash, p->nrecords);
	*ret = p->records[p->nrecords++].type;
	return LAC_OK;
}

enum lac_status lac_pool_record(struct lac_pool *p, const struct lac_record *r,
				lac_type_id *ret, struct lac_err *err)
{
	return put_record(p, r, false, ret, err);
}

enum lac_status lac_pool_record_made(struct lac_pool *p,
				     const struct lac_record *r,
				     lac_type_id *ret, struct lac_err *err)
{
	return put_record(p, r, true, ret, err);
}

static bool enum_equal(const struct lac_pool *p, uint32_t id, const void *key)
{
	const struct lac_enumeration *a = &p->enumerations[id], *b = key;

	if (a->name != b->name || a->size != b->size ||
	    a->is_signed != b->is_signed || a->nvalues != b->nvalues)
		return false;
	for (uint32_t i = 0; i < a->nvalues; i++)
		if (a->values[i].name != b->values[i].name ||
		    a->values[i].value != b->values[i].value)
			return false;
	return true;
}

static enum lac_status put_enumeration(struct lac_pool *p,
				       const struct lac_enumeration *e,
				       bool made, lac_type_id *ret,
				       struct lac_err *err)
{
	uint64_t h = mix_in(mix_name(e->is_signed, e->name), e->size);
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
	values = stay(p, e->values, e->nvalues, sizeof(*values), made);
	if (!values ||
	    !lac_make_room((void **)&p->enumerations, p->nenumerations,
			   &p->enumerations_cap, sizeof(*p->enumerations)))
		return lac_fail_memory(err);
	copy = &p->enumerations[p->nenumerations];
	*copy = *e;
	copy->values = values;
	copy->decl_file = NULL;
	copy->decl_line = 0;
	t.name = e->name;
	t.size = e->size;
	t.enumeration = p->nenumerations;
	LAC_TRY(append_type(p, &t, false, &copy->type, err));
	table_fill(&p->enum_table, slot, (uint32_t)h, p->nenumerations);
	*ret = p->enumerations[p->nenumerations++].type;
	return LAC_OK;
}

enum lac_status lac_pool_enumeration(struct lac_pool *p,
				     const struct lac_enumeration *e,
				     lac_type_id *ret, struct lac_err *err)
{
	return put_enumeration(p, e, false, ret, err);
}

enum lac_status lac_pool_enumeration_made(struct lac_pool *p,
					  const struct lac_enumeration *e,
					  lac_type_id *ret,
					  struct lac_err *err)
{
	return put_enumeration(p, e, true, ret, err);
}

/* -- units ---------------------------------------------------------------- */

enum lac_status lac_pool_unit(struct lac_pool *p, const char *name,
			      const char *producer, struct lac_err *err)
{
	struct lac_unit u = { 0 };

	LAC_TRY(lac_pool_string(p, name, &u.name, err));
	LAC_TRY(lac_pool_string(p, producer, &u.producer, err));
	if (!lac_make_room((void **)&p->units, p->nunits, &p->units_cap,
			   sizeof(*p->units)))
		return lac_fail_memory(err);
	p->units[p->nunits++] = u;
	return LAC_OK;
}

enum lac_status lac_unit_list_add(struct lac_unit_list *l, uint32_t unit,
				  struct lac_err *err)
{
	uint32_t step = unit - l->last;

	if (!l->n) {
		l->first = l->last = unit;
		l->n = 1;
		return LAC_OK;
	}
	if (!step)
		return LAC_OK;
	if (l->cap - l->used < 5) {
		uint32_t cap = l->cap ? 2 * l->cap : 8;
		unsigned char *b = realloc(l->bytes, cap);

		if (!b)
			return lac_fail_memory(err);
		l->bytes = b;
		l->cap = cap;
	}
	for (; step >= 0x80; step >>= 7)
		l->bytes[l->used++] = (unsigned char)(step | 0x80);
	l->bytes[l->used++] = (unsigned char)step;
	l->last = unit;
	l->n++;
	return LAC_OK;
}

void lac_unit_next(struct lac_unit_walk *w)
{
	uint32_t step = 0;
	unsigned shift = 0;
	unsigned char b;

	if (w->at >= w->list->used) {
		w->unit = LAC_NONE;
		return;
	}
	do {
		b = w->list->bytes[w->at++];
		step |= (uint32_t)(b & 0x7f) << shift;
		shift += 7;
	} while (b & 0x80);
	w->unit += step;
}

struct lac_unit_walk lac_unit_walk(const struct lac_unit_list *l)
{
	return (struct lac_unit_walk){ l, 0, l->n ? l->first : LAC_NONE };
}

/* -- roots ---------------------------------------------------------------- */

enum lac_status lac_pool_root(struct lac_pool *p, lac_type_id id,
			      const struct lac_pool_place *place,
			      struct lac_err *err)
{
	const struct lac_type *t = &p->types[id], *up;
	struct lac_enumeration *e;
	struct lac_record *r;

	if (!lac_make_room((void **)&p->roots, p->nroots, &p->roots_cap,
			   sizeof(*p->roots)))
		return lac_fail_memory(err);
	p->roots[p->nroots++] = id;
	if (t->kind == LAC_TYPE_ENUM && t->enumeration != LAC_NONE) {
		e = &p->enumerations[t->enumeration];
		if (!e->decl_file) {
			e->decl_file = place->file;
			e->decl_line = place->line;
		}
	}
	if (t->kind != LAC_TYPE_RECORD || t->record == LAC_NONE)
		return LAC_OK;
	if (p->seen[t->record].placed)
		return LAC_OK;
	p->seen[t->record].placed = true;
	r = &p->records[t->record];
	r->decl_file = place->file;
	r->decl_line = place->line;
	up = &p->types[place->parent];
	if (up->kind == LAC_TYPE_RECORD && up->record != t->record)
		r->parent = up->record;
	return LAC_OK;
}

enum lac_status lac_pool_add_unit_of(struct lac_pool *p, lac_type_id id,
				     uint32_t unit, struct lac_err *err)
{
	const struct lac_type *t = &p->types[id];

	if (t->kind != LAC_TYPE_RECORD || t->record == LAC_NONE)
		return LAC_OK;
	return lac_unit_list_add(&p->seen[t->record].units, unit, err);
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "dbginfo/pool.h"

#include <stdlib.h>
#include <string.h>

static uint64_t mix_in(uint64_t h, uint64_t v)
{
	return lac_mix(h * 31 + v + 0x9e3779b97f4a7c15u);
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
static struct lac_table_slot *
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

void lac_pool_destroy(struct lac_pool *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < p->nrecords; i++)
		free(p->records[i].units.bytes);
	free(p->types);
	free(p->by_value);
	free(p->depth);
	free(p->records);
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
	uint64_t h = mix_in(t->kind, t->encoding);

	h = mix_name(h, t->name);
	h = mix_in(h, t->size);
	h = mix_in(h, (uint64_t)t->declared_align << 1 | by_value);
	h = mix_in(h, t->target);
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
	uint32_t cap = p->types_cap, cap2 = cap;

	return lac_make_room((void **)&p->by_value, p->ntypes, &cap,
			     sizeof(*p->by_value)) &&
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
		const struct lac_record *r = &p->records[t->record].r;

		for (uint32_t i = 0; i < r->nmembers; i++)
			if (p->depth[r->members[i].type] > depth)
				depth = p->depth[r->members[i].type];
	}
	return depth + 1;
}

enum lac_status lac_pool_type(struct lac_pool *p, const struct lac_type *t,
			      bool by_value, lac_type_id *ret,
			      struct lac_err *err)
{
	struct type_key key = { t, by_value };
	uint32_t hash = (uint32_t)hash_type(t, by_value);
	struct lac_table_slot *slot =
		table_find(p, &p->type_table, hash, type_equal, &key);
	struct lac_type *copy;

	if (!slot)
		return lac_fail_memory(err);
	if (slot->id == LAC_NONE) {
		uint32_t depth = depth_of(p, t);

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
			lac_type_id *params = lac_arena_zalloc(
				p->arena, n, sizeof(*params));

			if (!params)
				return lac_fail_memory(err);
			memcpy(params, t->function.params, n * sizeof(*params));
			copy->function.params = params;
		}
		p->by_value[p->ntypes] = by_value;
		table_fill(&p->type_table, slot, hash, p->ntypes++);
	}
	*ret = slot->id;
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

		h = mix_name(h, m->name);
		h = mix_in(h, m->type);
		h = mix_in(h, m->bit_offset);
		h = mix_in(h, m->bit_size);
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
	const struct lac_record *a = &p->records[id].r, *b = key;

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

enum lac_status lac_pool_record(struct lac_pool *p, const struct lac_record *r,
				lac_type_id *ret, struct lac_err *err)
{
	uint32_t hash = (uint32_t)hash_record(r);
	struct lac_table_slot *slot =
		table_find(p, &p->record_table, hash, record_equal, r);
	struct lac_pool_record *copy;
	struct lac_member *members;
	struct lac_type t = { .kind = LAC_TYPE_RECORD };

	if (!slot)
		return lac_fail_memory(err);
	if (slot->id != LAC_NONE) {
		*ret = p->records[slot->id].r.type;
		return LAC_OK;
	}
	members = lac_arena_zalloc(p->arena, r->nmembers, sizeof(*members));
	if (!members || !lac_make_room((void **)&p->records, p->nrecords,
				       &p->records_cap, sizeof(*p->records)))
		return lac_fail_memory(err);
	if (r->nmembers)
		memcpy(members, r->members, r->nmembers * sizeof(*members));
	copy = &p->records[p->nrecords];
	*copy = (struct lac_pool_record){ .r = *r };
	copy->r.members = members;
	copy->r.parent = LAC_NONE;
	copy->r.decl_file = NULL;
	copy->r.decl_line = 0;
	t.name = r->name;
	t.size = r->size;
	t.declared_align = r->declared_align;
	t.record = p->nrecords;
	t.record_kind = r->kind;
	LAC_TRY(lac_pool_type(p, &t, false, &copy->r.type, err));
	table_fill(&p->record_table, slot, hash, p->nrecords);
	*ret = p->records[p->nrecords++].r.type;
	return LAC_OK;
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

enum lac_status lac_pool_enumeration(struct lac_pool *p,
				     const struct lac_enumeration *e,
				     lac_type_id *ret, struct lac_err *err)
{
	uint64_t h = mix_in(mix_name(e->is_signed, e->name), e->size);
	struct lac_table_slot *slot;
	struct lac_enumerator *values;
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
	values = lac_arena_zalloc(p->arena, e->nvalues, sizeof(*values));
	if (!values ||
	    !lac_make_room((void **)&p->enumerations, p->nenumerations,
			   &p->enumerations_cap, sizeof(*p->enumerations)))
		return lac_fail_memory(err);
	if (e->nvalues)
		memcpy(values, e->values, e->nvalues * sizeof(*values));
	copy = &p->enumerations[p->nenumerations];
	*copy = *e;
	copy->values = values;
	copy->decl_file = NULL;
	copy->decl_line = 0;
	t.name = e->name;
	t.size = e->size;
	t.enumeration = p->nenumerations;
	LAC_TRY(lac_pool_type(p, &t, false, &copy->type, err));
	table_fill(&p->enum_table, slot, (uint32_t)h, p->nenumerations);
	*ret = p->enumerations[p->nenumerations++].type;
	return LAC_OK;
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
	uint32_t step = l->n ? unit - l->last : unit;

	if (l->n && unit == l->last)
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
	struct lac_unit_walk w = { l, 0, 0 };

	lac_unit_next(&w);
	return w;
}

/* -- roots ---------------------------------------------------------------- */

enum lac_status lac_pool_root(struct lac_pool *p, lac_type_id id,
			      const struct lac_pool_place *place,
			      struct lac_err *err)
{
	const struct lac_type *t = &p->types[id], *up;
	struct lac_enumeration *e;
	struct lac_pool_record *r;

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
	r = &p->records[t->record];
	if (r->placed)
		return LAC_OK;
	r->placed = true;
	r->r.decl_file = place->file;
	r->r.decl_line = place->line;
	up = &p->types[place->parent];
	if (up->kind == LAC_TYPE_RECORD && up->record != t->record)
		r->r.parent = up->record;
	return LAC_OK;
}

enum lac_status lac_pool_add_unit_of(struct lac_pool *p, lac_type_id id,
				     uint32_t unit, struct lac_err *err)
{
	const struct lac_type *t = &p->types[id];

	if (t->kind != LAC_TYPE_RECORD || t->record == LAC_NONE)
		return LAC_OK;
	return lac_unit_list_add(&p->records[t->record].units, unit, err);
}

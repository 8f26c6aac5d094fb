/* SPDX-License-Identifier: BSD-2-Clause */
#include "dbginfo/pool_internal.h"

#include <stdlib.h>
#include <string.h>

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
		free(p->seen[i].units.bytes);
	free(p->types);
	free(p->by_value);
	free(p->depth);
	free(p->pointer);
	free(p->records);
	free(p->seen);
	free(p->enumerations);
	free(p->enum_placed);
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
		if (!p->enum_placed[t->enumeration]) {
			e->decl_file = place->file;
			e->decl_line = place->line;
		}
		p->enum_placed[t->enumeration] = true;
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

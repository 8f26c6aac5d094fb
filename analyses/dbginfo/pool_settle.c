/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pool_settle.c - C++ can declare an enumeration and its size, and so use it
 * where it is not defined (enum class e : int;).  Only when all is read is it
 * known whether another unit defines it.  Then what is made of it becomes what
 * is made of the definition: else a record would be there twice.
 */
#include <stdlib.h>

#include "dbginfo/pool_internal.h"

struct settle {
	const struct lac_pool *from;
	struct lac_pool *to;
	struct lac_map defined; /* by name and size: the first definition */
	lac_type_id *instead;	/* by type of from: what it is, mostly itself */
	lac_type_id *map;	/* by type of from: the type of to */
};

static uint64_t enum_key(const struct lac_type *t)
{
	return (uint64_t)(uintptr_t)t->name ^ t->size << 56;
}

/* Not by their ids, which depend on the threads: in the order of the file. */
static enum lac_status find_defined(struct settle *s, struct lac_err *err)
{
	for (uint32_t i = 0; i < s->from->nroots; i++) {
		lac_type_id id = s->from->roots[i];
		const struct lac_type *t = &s->from->types[id];

		if (t->kind != LAC_TYPE_ENUM || t->enumeration == LAC_NONE ||
		    !t->name || t->size > UINT8_MAX ||
		    lac_map_get(&s->defined, enum_key(t)))
			continue;
		if (!lac_map_put(&s->defined, enum_key(t), id))
			return lac_fail_memory(err);
	}
	return LAC_OK;
}

/* *any: some are no longer themselves. */
static enum lac_status find_instead(struct settle *s, bool *any,
				    struct lac_err *err)
{
	s->instead = calloc(s->from->ntypes, sizeof(*s->instead));
	if (!s->instead)
		return lac_fail_memory(err);
	for (lac_type_id i = 0; i < s->from->ntypes; i++) {
		const struct lac_type *t = &s->from->types[i];
		const uint32_t *id = NULL;

		if (lac_is_opaque_enum(t) && t->size <= UINT8_MAX)
			id = lac_map_get(&s->defined, enum_key(t));
		s->instead[i] = id ? *id : i;
		*any |= id != NULL;
	}
	return LAC_OK;
}

/* A root is placed where it was, if it is what it was. */
static enum lac_status put_root(struct settle *s, lac_type_id id,
				struct lac_err *err)
{
	const struct lac_pool *p = s->from;
	const struct lac_type *t = &p->types[id];
	struct lac_pool_place place = { 0 };
	const struct lac_record *r;

	if (s->instead[id] != id) /* the definition is a root as well */
		return LAC_OK;
	if (t->kind == LAC_TYPE_ENUM && t->enumeration != LAC_NONE) {
		place.file = p->enumerations[t->enumeration].decl_file;
		place.line = p->enumerations[t->enumeration].decl_line;
	}
	if (t->kind == LAC_TYPE_RECORD && t->record != LAC_NONE) {
		r = &p->records[t->record];
		place.file = r->decl_file;
		place.line = r->decl_line;
		if (r->parent != LAC_NONE)
			place.parent = s->map[p->records[r->parent].type];
	}
	LAC_TRY(lac_pool_string(s->to, place.file, &place.file, err));
	return lac_pool_root(s->to, s->map[id], &place, err);
}

static enum lac_status put_rest(struct settle *s, struct lac_err *err)
{
	const struct lac_pool *p = s->from;

	for (uint32_t i = 0; i < p->nunits; i++)
		LAC_TRY(lac_pool_unit(s->to, p->units[i].name,
				      p->units[i].producer, err));
	for (uint32_t i = 0; i < p->nroots; i++)
		LAC_TRY(put_root(s, p->roots[i], err));
	for (uint32_t i = 0; i < p->nrecords; i++) {
		lac_type_id id = s->map[p->records[i].type];

		LAC_TRY(lac_unit_list_join(
			&s->to->seen[s->to->types[id].record].units,
			&p->seen[i].units, err));
	}
	return LAC_OK;
}

static enum lac_status settle(struct settle *s, struct lac_graph *head,
			      struct lac_err *err)
{
	const char **texts[] = { &head->path, &head->debug_path,
				 &head->missing, &head->version };
	bool any = false;

	LAC_TRY(find_defined(s, err));
	LAC_TRY(find_instead(s, &any, err));
	if (!any)
		return LAC_OK;
	LAC_TRY(lac_pool_create(&s->to, err));
	LAC_TRY(lac_pool_merge(s->to, s->from, s->instead, &s->map, err));
	LAC_TRY(put_rest(s, err));
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		LAC_TRY(lac_pool_string(s->to, *texts[i], texts[i], err));
	return LAC_OK;
}

enum lac_status lac_pool_settle(struct lac_pool **p, struct lac_graph *head,
				struct lac_err *err)
{
	struct settle s = { .from = *p };
	struct lac_graph new_head = *head;
	enum lac_status st;

	if (!(*p)->has_opaque)
		return LAC_OK;
	st = settle(&s, &new_head, err);
	lac_map_free(&s.defined);
	free(s.instead);
	free(s.map);
	if (st != LAC_OK || !s.to) {
		lac_pool_destroy(s.to);
		return st;
	}
	lac_pool_destroy(*p);
	*p = s.to;
	*head = new_head;
	return LAC_OK;
}

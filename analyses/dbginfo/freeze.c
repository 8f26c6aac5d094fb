/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * freeze.c - from a pool to a graph: numbered, names resolved, sizes completed.
 *
 * Ids come from the order of the roots, so that they do not depend on the
 * order in which threads put types in.
 *
 * A pointee that is only named stands for the first record of that name.  A
 * member made of a type that is only declared here (-femit-struct-debug-
 * baseonly, a C++ class whose key function is elsewhere) is completed from
 * another unit, if every definition there has one size; otherwise its size
 * stays unknown.
 */
#include <stdlib.h>
#include <string.h>

#include "dbginfo/aliases.h"
#include "dbginfo/cycles.h"
#include "dbginfo/damage.h"
#include "dbginfo/index.h"
#include "dbginfo/members.h"
#include "dbginfo/pool_internal.h"
#include "dbginfo/sizes.h"

struct freeze {
	struct lac_pool *p;
	struct lac_graph *g;
	struct lac_map by_name; /* name and kind -> first record */
	struct lac_map enum_by_name; /* name -> first enumeration */
	bool *ambiguous; /* by pool record: others of its name differ in size */
	lac_type_id *order; /* the pool's types in the graph's order */
	uint32_t norder;
	/* the pool's ids -> the graph's; LAC_NONE if it is not in it */
	lac_type_id *remap;
	lac_type_id *marked; /* types that a pass has to come back to */
	lac_type_id *typedefs; /* the graph's, in ascending order */
	uint32_t ntypedefs;
	lac_record_id *record_remap;
	uint32_t *enum_remap;
	uint32_t *each_unit; /* 0, 1, 2 */
	/*
	 * By type of the graph: it is made of what comes later.  Only where
	 * some record is, too, there may be one that contains itself.
	 */
	bool *ahead;
	bool cycles;
	struct lac_type *types; /* the graph's */
	struct lac_record *records;
};

/* -- order ---------------------------------------------------------------- */

/* Its depth is bounded by LAC_TYPE_DEPTH_MAX. */
static void visit(struct freeze *f, lac_type_id id)
{
	const struct lac_type *t = &f->p->types[id];
	const struct lac_record *r;

	if (f->remap[id] != LAC_NONE)
		return;
	f->remap[id] = 0;
	visit(f, t->target);
	if (t->kind == LAC_TYPE_FUNCTION)
		for (uint32_t i = 0; i < t->function.nparams; i++)
			visit(f, t->function.params[i]);
	if (t->kind == LAC_TYPE_RECORD && t->record != LAC_NONE) {
		r = &f->p->records[t->record];
		for (uint32_t i = 0; i < r->nmembers; i++)
			visit(f, r->members[i].type);
	}
	f->order[f->norder++] = id;
}

static enum lac_status make_order(struct freeze *f, struct lac_err *err)
{
	struct lac_pool *p = f->p;
	uint32_t nrecords = 0, nenums = 0;

	f->remap = malloc(p->ntypes * sizeof(*f->remap));
	f->marked = malloc(p->ntypes * sizeof(*f->marked));
	f->typedefs = malloc(p->ntypes * sizeof(*f->typedefs));
	if (!f->remap || !f->marked || !f->typedefs)
		return lac_fail_memory(err);
	f->order = calloc(p->ntypes, sizeof(*f->order));
	f->record_remap = malloc(((size_t)p->nrecords + 1) *
				 sizeof(*f->record_remap));
	f->enum_remap = malloc(((size_t)p->nenumerations + 1) *
			       sizeof(*f->enum_remap));
	if (!f->order || !f->record_remap || !f->enum_remap)
		return lac_fail_memory(err);
	memset(f->remap, 0xff, p->ntypes * sizeof(*f->remap));
	memset(f->record_remap, 0xff, p->nrecords * sizeof(*f->record_remap));
	memset(f->enum_remap, 0xff, p->nenumerations * sizeof(*f->enum_remap));
	f->remap[0] = 0;
	f->order[f->norder++] = 0;
	for (uint32_t i = 0; i < p->nroots; i++)
		visit(f, p->roots[i]);
	for (uint32_t i = 0; i < f->norder; i++) {
		const struct lac_type *t = &p->types[f->order[i]];

		if (t->kind == LAC_TYPE_RECORD && t->record != LAC_NONE)
			f->record_remap[t->record] = nrecords++;
		if (t->kind == LAC_TYPE_ENUM && t->enumeration != LAC_NONE)
			f->enum_remap[t->enumeration] = nenums++;
	}
	f->g->nrecords = nrecords;
	f->g->nenumerations = nenums;
	return LAC_OK;
}

/* -- names ---------------------------------------------------------------- */

static enum lac_status collect_name(struct freeze *f, uint32_t record,
				    struct lac_err *err)
{
	const struct lac_record *r = &f->p->records[record];
	uint64_t key = lac_name_key(r->name, r->kind);
	const uint32_t *first;

	if (!r->name)
		return LAC_OK;
	first = lac_map_get(&f->by_name, key);
	if (first)
		f->ambiguous[*first] |= f->p->records[*first].size != r->size;
	else if (!lac_map_put(&f->by_name, key, record))
		return lac_fail_memory(err);
	return LAC_OK;
}

static enum lac_status collect_enum(struct freeze *f, uint32_t enumeration,
				    struct lac_err *err)
{
	const char *name = f->p->enumerations[enumeration].name;
	uint64_t key = (uint64_t)(uintptr_t)name;

	if (!name || lac_map_get(&f->enum_by_name, key) ||
	    lac_map_put(&f->enum_by_name, key, enumeration))
		return LAC_OK;
	return lac_fail_memory(err);
}

static enum lac_status collect_names(struct freeze *f, struct lac_err *err)
{
	struct lac_pool *p = f->p;

	f->ambiguous = calloc((size_t)p->nrecords + 1, sizeof(bool));
	if (!f->ambiguous || !lac_map_reserve(&f->by_name, p->nrecords))
		return lac_fail_memory(err);
	if (!lac_map_reserve(&f->enum_by_name, p->nenumerations))
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < f->norder; i++) {
		const struct lac_type *t = &p->types[f->order[i]];

		if (t->kind == LAC_TYPE_RECORD && t->record != LAC_NONE)
			LAC_TRY(collect_name(f, t->record, err));
		if (t->kind == LAC_TYPE_ENUM && t->enumeration != LAC_NONE)
			LAC_TRY(collect_enum(f, t->enumeration, err));
	}
	return LAC_OK;
}

/* Of one that is only named; that has a size of its own: see pool_settle.c. */
static uint32_t resolve_enum(const struct freeze *f, const struct lac_type *t)
{
	const uint32_t *first;

	if (t->enumeration != LAC_NONE || !t->name ||
	    t->size != LAC_SIZE_UNKNOWN)
		return LAC_NONE;
	first = lac_map_get(&f->enum_by_name, (uint64_t)(uintptr_t)t->name);
	return first ? f->p->enumerations[*first].type : LAC_NONE;
}

/* What a declaration, the pool's type id, declares: a type, or LAC_NONE. */
static inline lac_type_id resolve(const struct freeze *f,
				  const struct lac_type *t, lac_type_id id)
{
	const uint32_t *first;

	if (__builtin_expect(t->kind == LAC_TYPE_ENUM, 0))
		return resolve_enum(f, t);
	if (__builtin_expect(t->kind != LAC_TYPE_RECORD ||
			     t->record != LAC_NONE || !t->name, 1))
		return LAC_NONE;
	first = lac_map_get(&f->by_name, lac_name_key(t->name, t->record_kind));
	if (!first || (f->p->by_value[id] && f->ambiguous[*first]))
		return LAC_NONE;
	return f->p->records[*first].type;
}

static uint32_t record_named(const struct freeze *f, const char *name)
{
	const uint32_t *first = NULL;

	if (name)
		first = lac_map_get(&f->by_name, lac_name_key(name, LAC_CLASS));
	return first ? f->record_remap[*first] : LAC_NONE;
}

static void number_types(struct freeze *f)
{
	struct lac_pool *p = f->p;
	uint32_t n = 0, nresolved = 0;

	for (uint32_t i = 0; i < f->norder; i++) {
		lac_type_id id = f->order[i];

		if (resolve(f, &p->types[id], id) == LAC_NONE)
			f->remap[id] = n++;
		else
			f->marked[nresolved++] = id;
	}
	for (uint32_t i = 0; i < nresolved; i++) {
		lac_type_id id = f->marked[i];

		f->remap[id] = f->remap[resolve(f, &p->types[id], id)];
	}
	f->g->ntypes = n;
}

/*
 * A type's parts come before it; only a resolved declaration may point ahead,
 * to a record, whose size is its own.  So in ascending order every size below
 * is found complete.
 */
static void complete_size(struct freeze *f, lac_type_id id)
{
	struct lac_type *t = &f->types[id];
	uint64_t below = f->types[t->target].size;

	if (!lac_is_modifier(t->kind))
		t->size = lac_array_size(t, below);
	else if (t->kind != LAC_TYPE_ATOMIC ||
		 t->size == LAC_SIZE_UNKNOWN) /* atomic.c */
		t->size = below;
}

/* To be called in ascending order. */
static void complete(struct freeze *f, lac_type_id id)
{
	const struct lac_type *t = &f->types[id];

	if (t->kind == LAC_TYPE_TYPEDEF)
		f->typedefs[f->ntypedefs++] = id;
	else if (!lac_is_modifier(t->kind) && t->kind != LAC_TYPE_ARRAY &&
		 t->kind != LAC_TYPE_VECTOR)
		return;
	f->ahead[id] = t->target >= id || f->ahead[t->target];
	complete_size(f, id);
}

static enum lac_status copy_types(struct freeze *f, struct lac_err *err)
{
	struct lac_pool *p = f->p;
	struct lac_type *from = p->types;

	f->types = lac_arena_zalloc(p->arena, f->g->ntypes, sizeof(*f->types));
	f->ahead = calloc((size_t)f->g->ntypes + 1, sizeof(*f->ahead));
	if (!f->types || !f->ahead)
		return lac_fail_memory(err);
	f->g->types = f->types;
	for (uint32_t i = 0; i < p->ntypes; i++) {
		struct lac_type *t;

		if (f->remap[i] == LAC_NONE ||
		    resolve(f, &from[i], i) != LAC_NONE)
			continue;
		t = &f->types[f->remap[i]];
		*t = from[i];
		t->target = f->remap[t->target];
		switch (t->kind) {
		case LAC_TYPE_RECORD:
			if (t->record != LAC_NONE)
				t->record = f->record_remap[t->record];
			break;
		case LAC_TYPE_ENUM:
			if (t->enumeration != LAC_NONE)
				t->enumeration = f->enum_remap[t->enumeration];
			break;
		case LAC_TYPE_MEMBER_POINTER:
			t->record = record_named(f, t->name);
			break;
		case LAC_TYPE_FUNCTION:
			/* the pool's own copy, written nowhere else */
			for (uint32_t k = 0; k < t->function.nparams; k++) {
				lac_type_id *param = (lac_type_id *)(uintptr_t)
							     &t->function.params[k];
				*param = f->remap[*param];
			}
			break;
		default:
			break;
		}
	}
	for (lac_type_id i = 0; i < f->g->ntypes; i++)
		complete(f, i);
	return LAC_OK;
}

/* -- records -------------------------------------------------------------- */

/* Most records are in one unit: those share an array of all there are. */
static enum lac_status copy_units(struct freeze *f, const struct lac_unit_list *l,
				  struct lac_record *r, struct lac_err *err)
{
	struct lac_unit_walk w = lac_unit_walk(l);
	uint32_t *units;

	r->nunits = l->n;
	r->units = f->each_unit + l->first;
	if (l->n < 2)
		return LAC_OK;
	units = lac_arena_zalloc(f->p->arena, l->n, sizeof(*units));
	if (!units)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < l->n; i++, lac_unit_next(&w))
		units[i] = w.unit;
	r->units = units;
	return LAC_OK;
}

static enum lac_status list_units(struct freeze *f, struct lac_err *err)
{
	f->each_unit = lac_arena_zalloc(f->p->arena, f->p->nunits,
					sizeof(*f->each_unit));
	if (!f->each_unit)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < f->p->nunits; i++)
		f->each_unit[i] = i;
	return LAC_OK;
}

static enum lac_status copy_records(struct freeze *f, struct lac_err *err)
{
	struct lac_pool *p = f->p;

	LAC_TRY(list_units(f, err));
	f->records = lac_arena_zalloc(p->arena, f->g->nrecords,
				      sizeof(*f->records));
	if (!f->records)
		return lac_fail_memory(err);
	f->g->records = f->records;
	for (uint32_t i = 0; i < p->nrecords; i++) {
		struct lac_record *r;
		struct lac_member *m;

		if (f->record_remap[i] == LAC_NONE)
			continue;
		r = &f->records[f->record_remap[i]];
		*r = p->records[i];
		if (r->parent != LAC_NONE)
			r->parent = f->record_remap[r->parent];
		r->type = f->remap[r->type];
		m = (struct lac_member *)(uintptr_t)r->members;
		for (uint32_t k = 0; k < r->nmembers; k++) {
			m[k].type = f->remap[m[k].type];
			f->cycles |= m[k].type >= r->type || f->ahead[m[k].type];
		}
		LAC_TRY(copy_units(f, &p->seen[i].units, r, err));
	}
	for (uint32_t i = 0; i < f->g->nrecords; i++)
		lac_members_complete(f->g, &f->records[i]);
	if (f->cycles)
		LAC_TRY(lac_cycles_mark(f->g, f->records, err));
	lac_damage_spread(f->g, f->records);
	return LAC_OK;
}

/* -- the rest ------------------------------------------------------------- */

static enum lac_status copy_rest(struct freeze *f, struct lac_err *err)
{
	struct lac_pool *p = f->p;
	struct lac_graph *g = f->g;
	struct lac_enumeration *e =
		lac_arena_zalloc(p->arena, g->nenumerations, sizeof(*e));
	struct lac_unit *units =
		lac_arena_zalloc(p->arena, p->nunits, sizeof(*units));

	if (!e || !units)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < p->nenumerations; i++) {
		uint32_t to = f->enum_remap[i];

		if (to == LAC_NONE)
			continue;
		e[to] = p->enumerations[i];
		e[to].type = f->remap[e[to].type];
	}
	g->enumerations = e;
	if (p->nunits)
		memcpy(units, p->units, p->nunits * sizeof(*units));
	g->units = units;
	g->nunits = p->nunits;
	return LAC_OK;
}

static enum lac_status freeze(struct freeze *f, struct lac_err *err)
{
	LAC_TRY(make_order(f, err));
	LAC_TRY(collect_names(f, err));
	number_types(f);
	LAC_TRY(copy_types(f, err));
	LAC_TRY(copy_records(f, err));
	LAC_TRY(copy_rest(f, err));
	LAC_TRY(lac_aliases_collect(f->g, f->typedefs, f->ntypedefs, err));
	return f->g->partial ? lac_damage_note(f->g, err) : LAC_OK;
}

enum lac_status lac_pool_freeze(struct lac_pool *p, const struct lac_graph *head,
				struct lac_graph **ret, struct lac_err *err)
{
	struct lac_graph settled = *head;
	enum lac_status st = lac_pool_settle(&p, &settled, err);
	struct freeze f = { .p = p };

	f.g = lac_arena_zalloc(p->arena, 1, sizeof(*f.g));
	if (!f.g && st == LAC_OK)
		st = lac_fail_memory(err);
	if (st == LAC_OK) {
		*f.g = settled;
		f.g->arena = p->arena;
		st = head->types ? LAC_OK : freeze(&f, err);
	}
	if (st == LAC_OK)
		st = lac_index_build(f.g, err);
	lac_map_free(&f.by_name);
	lac_map_free(&f.enum_by_name);
	free(f.ambiguous);
	free(f.ahead);
	free(f.marked);
	free(f.typedefs);
	free(f.order);
	free(f.remap);
	free(f.record_remap);
	free(f.enum_remap);
	if (st == LAC_OK) {
		*ret = f.g;
		p->arena = NULL; /* the graph's now */
	}
	lac_pool_destroy(p);
	return st;
}

void lac_graph_destroy(struct lac_graph *g)
{
	if (g)
		lac_arena_destroy(g->arena);
}

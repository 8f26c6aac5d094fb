/* SPDX-License-Identifier: BSD-2-Clause */
/* store_read.c - from an entry, or a part of it, to a graph. */
#include <string.h>

#include "dbginfo/cycles.h"
#include "dbginfo/index.h"
#include "dbginfo/store_part.h"

struct thaw {
	struct lac_part part;
	struct lac_image image;
	struct lac_arena *arena;
	struct lac_graph *g;
	struct lac_record *records;
	/* by section: parts of it that were used, of which none is used twice */
	uint64_t used[LAC_IN_SECTIONS];
};

/* Element i of a set as it is in the entry; NULL and bad. */
static const void *element(struct thaw *t, const struct lac_part_set *s,
			   uint32_t i)
{
	return lac_image_at(&t->image, s->of, s->was ? s->was[i] : i, 1);
}

static bool is_whole(const struct thaw *t, uint32_t i)
{
	const struct lac_part_set *s = &t->part.records;

	return t->part.whole || s->mark[s->was[i]] == LAC_PART_WHOLE;
}

static lac_type_id type_now(struct thaw *t, uint32_t was)
{
	uint32_t now = lac_part_now(&t->part, &t->part.types, was);

	if (now == LAC_NONE)
		t->image.bad = true;
	return now;
}

/*
 * The n elements that belong to one type, record or enumeration; NULL and bad.
 * That they add up bounds the memory that an entry can ask for.
 */
static const void *own(struct thaw *t, enum lac_image_section s,
		       uint32_t first, uint32_t n)
{
	t->used[s] += n;
	if (t->used[s] > lac_image_count(&t->image, s))
		t->image.bad = true;
	return lac_image_at(&t->image, s, first, n);
}

/* Enumerations are bytes in an entry: only what has a meaning gets through. */
static bool has_meaning(unsigned value, unsigned last)
{
	return value <= last;
}

static bool thaw_params(struct thaw *t, const struct lac_image_type *from,
			struct lac_type *to)
{
	const uint32_t *params = own(t, LAC_IN_PARAMS, from->ref,
				     from->nparams);
	lac_type_id *now;

	if (!params)
		return false;
	now = lac_arena_zalloc(t->arena, from->nparams, sizeof(*now));
	if (!now) {
		t->part.no_memory = true;
		return false;
	}
	for (uint32_t i = 0; i < from->nparams; i++)
		now[i] = type_now(t, params[i]);
	to->function = (struct lac_function_type){
		.nparams = from->nparams,
		.params = now,
		.variadic = from->variadic,
	};
	return true;
}

static bool thaw_type(struct thaw *t, uint32_t i, struct lac_type *to,
		      struct lac_graph_index *ix)
{
	const struct lac_image_type *from = element(t, &t->part.types, i);

	if (!from || !has_meaning(from->kind, LAC_TYPE_UNSPECIFIED) ||
	    !has_meaning(from->encoding, LAC_ENC_OTHER) ||
	    !has_meaning(from->record_kind, LAC_VARIANT) ||
	    !has_meaning(from->align_source, LAC_DYNAMIC) ||
	    from->align & (from->align - 1))
		return false;
	*to = (struct lac_type){
		.kind = from->kind,
		.encoding = from->encoding,
		.name = lac_image_string(&t->image, from->name),
		.size = from->size,
		.declared_align = from->declared_align,
		.target = type_now(t, from->target),
		.record_kind = from->record_kind,
	};
	ix->align[i] = from->align;
	ix->align_source[i] = from->align_source;
	switch (to->kind) {
	case LAC_TYPE_ARRAY:
	case LAC_TYPE_VECTOR:
		to->array.count = from->count;
		to->array.flexible = from->flexible;
		return true;
	case LAC_TYPE_FUNCTION:
		return thaw_params(t, from, to);
	case LAC_TYPE_RECORD:
	case LAC_TYPE_MEMBER_POINTER:
		to->record = lac_part_now(&t->part, &t->part.records,
					  from->ref);
		return true;
	case LAC_TYPE_ENUM:
		to->enumeration = lac_part_now(&t->part, &t->part.enums,
					       from->ref);
		return true;
	default:
		return true;
	}
}

static bool thaw_members(struct thaw *t, const struct lac_image_record *from,
			 struct lac_record *to)
{
	const struct lac_image_member *m =
		own(t, LAC_IN_MEMBERS, from->member, from->nmembers);
	struct lac_member *members;

	if (!m)
		return false;
	members = lac_arena_zalloc(t->arena, from->nmembers, sizeof(*members));
	if (!members) {
		t->part.no_memory = true;
		return false;
	}
	for (uint32_t i = 0; i < from->nmembers; i++) {
		if (!has_meaning(m[i].role, LAC_MEMBER_VARIANT) ||
		    !has_meaning(m[i].certainty, LAC_DYNAMIC))
			return false;
		members[i] = (struct lac_member){
			.name = lac_image_string(&t->image, m[i].name),
			.type = type_now(t, m[i].type),
			.role = m[i].role,
			.certainty = m[i].certainty,
			.bit_offset = m[i].bit_offset,
			.bit_size = m[i].bit_size,
			.declared_align = m[i].declared_align,
			.has_discriminant = m[i].has_discriminant,
			.discriminant = m[i].discriminant,
		};
	}
	to->members = members;
	to->nmembers = from->nmembers;
	return true;
}

static bool thaw_record(struct thaw *t, uint32_t i, struct lac_record *to)
{
	const struct lac_image_record *from = element(t, &t->part.records, i);

	if (!from || !has_meaning(from->kind, LAC_VARIANT))
		return false;
	*to = (struct lac_record){
		.name = lac_image_string(&t->image, from->name),
		.typedef_name = lac_image_string(&t->image,
						 from->typedef_name),
		.kind = from->kind,
		.size = from->size,
		.declared_align = from->declared_align,
		.type = type_now(t, from->type),
		.decl_file = lac_image_string(&t->image, from->decl_file),
		.decl_line = from->decl_line,
		.parent = lac_part_now(&t->part, &t->part.records,
				       from->parent),
		.damage = lac_image_string(&t->image, from->damage),
	};
	if (!is_whole(t, i))
		return true;
	to->units = lac_part_list(&t->part, from->list, &to->nunits);
	return to->units && thaw_members(t, from, to);
}

static bool thaw_enum(struct thaw *t, uint32_t i, struct lac_enumeration *to)
{
	const struct lac_image_enum *from = element(t, &t->part.enums, i);
	const struct lac_image_value *v = NULL;
	struct lac_enumerator *values;

	if (from)
		v = own(t, LAC_IN_VALUES, from->value, from->nvalues);
	if (!v)
		return false;
	values = lac_arena_zalloc(t->arena, from->nvalues, sizeof(*values));
	if (!values) {
		t->part.no_memory = true;
		return false;
	}
	for (uint32_t k = 0; k < from->nvalues; k++)
		values[k] = (struct lac_enumerator){
			lac_image_string(&t->image, v[k].name),
			v[k].value,
		};
	*to = (struct lac_enumeration){
		.name = lac_image_string(&t->image, from->name),
		.size = from->size,
		.is_signed = from->is_signed,
		.type = type_now(t, from->type),
		.nvalues = from->nvalues,
		.values = values,
		.decl_file = lac_image_string(&t->image, from->decl_file),
		.decl_line = from->decl_line,
	};
	return true;
}

/* A name that the rest of the code takes for granted. */
static const char *needed_string(struct thaw *t, uint32_t offset)
{
	if (!offset)
		t->image.bad = true;
	return offset ? lac_image_string(&t->image, offset) : "";
}

static bool thaw_units(struct thaw *t, struct lac_unit *units)
{
	for (uint32_t i = 0; i < t->part.units.n; i++) {
		const struct lac_image_unit *u =
			element(t, &t->part.units, i);

		if (!u)
			return false;
		units[i] = (struct lac_unit){
			needed_string(t, u->name),
			lac_image_string(&t->image, u->producer),
		};
	}
	return true;
}

/* -- names ---------------------------------------------------------------- */

static bool thaw_alias(struct thaw *t, uint32_t was, struct lac_alias *to)
{
	const struct lac_image_name *from =
		lac_image_at(&t->image, LAC_IN_ALIASES, was, 1);

	if (!from)
		return false;
	to->name = needed_string(t, from->name);
	to->record = lac_part_now(&t->part, &t->part.records, from->record);
	return to->record != LAC_NONE;
}

/* Those of the records that are there: in the order that they had. */
static struct lac_alias *thaw_some_aliases(struct thaw *t)
{
	struct lac_part_set s = { .of = LAC_IN_ALIASES };
	struct lac_alias *to;
	uint64_t n = 0;

	for (uint32_t i = 0; i < t->part.records.n; i++) {
		const struct lac_image_record *r =
			element(t, &t->part.records, i);

		n += r ? r->naliases : 0;
		if (n > lac_image_count(&t->image, LAC_IN_ALIASES))
			t->image.bad = true;
	}
	if (t->image.bad)
		return NULL;
	s.was = lac_arena_zalloc(t->arena, n, sizeof(*s.was));
	to = lac_arena_zalloc(t->arena, n, sizeof(*to));
	if (!s.was || !to) {
		t->part.no_memory = true;
		return NULL;
	}
	for (uint32_t i = 0; i < t->part.records.n; i++) {
		const struct lac_image_record *r =
			element(t, &t->part.records, i);
		const uint32_t *of = r ? lac_image_at(&t->image,
						      LAC_IN_ALIASES_OF,
						      r->alias, r->naliases)
				       : NULL;

		if (!of)
			return NULL;
		memcpy(s.was + s.n, of, r->naliases * sizeof(*of));
		s.n += r->naliases;
	}
	lac_part_sort(&s);
	for (uint32_t i = 0; i < s.n; i++)
		if (!thaw_alias(t, s.was[i], &to[i]))
			return NULL;
	t->g->naliases = s.n;
	return to;
}

static struct lac_alias *thaw_all_aliases(struct thaw *t)
{
	uint32_t n = (uint32_t)lac_image_count(&t->image, LAC_IN_ALIASES);
	struct lac_alias *to = lac_arena_zalloc(t->arena, n, sizeof(*to));

	t->part.no_memory |= !to;
	for (uint32_t i = 0; to && i < n; i++)
		if (!thaw_alias(t, i, &to[i]))
			return NULL;
	t->g->naliases = n;
	return to;
}

static bool thaw_names(struct thaw *t, enum lac_image_section s,
		       struct lac_name **ret, uint32_t *n)
{
	uint32_t all = (uint32_t)lac_image_count(&t->image, s);
	const struct lac_image_name *from = lac_image_at(&t->image, s, 0, all);
	struct lac_name *to = lac_arena_zalloc(t->arena, all, sizeof(*to));

	t->part.no_memory |= !to;
	if (!from || !to)
		return false;
	for (uint32_t i = 0; i < all; i++) {
		to[i].name = needed_string(t, from[i].name);
		to[i].record = from[i].record;
		if (to[i].record >= t->g->nrecords)
			return false;
	}
	*ret = to;
	*n = all;
	return true;
}

/* -- the whole ------------------------------------------------------------ */

static bool thaw_tables(struct thaw *t, struct lac_graph_index *ix)
{
	struct lac_graph *g = t->g;
	struct lac_type *types;
	struct lac_enumeration *enums;
	struct lac_unit *units;

	g->ntypes = t->part.types.n;
	g->nrecords = t->part.records.n;
	g->nenumerations = t->part.enums.n;
	g->nunits = t->part.units.n;
	types = lac_arena_zalloc(t->arena, g->ntypes, sizeof(*types));
	t->records = lac_arena_zalloc(t->arena, g->nrecords,
				      sizeof(*t->records));
	enums = lac_arena_zalloc(t->arena, g->nenumerations, sizeof(*enums));
	units = lac_arena_zalloc(t->arena, g->nunits, sizeof(*units));
	ix->align = lac_arena_zalloc(t->arena, g->ntypes, sizeof(*ix->align));
	ix->align_source = lac_arena_zalloc(t->arena, g->ntypes, 1);
	if (!types || !t->records || !enums || !units || !ix->align ||
	    !ix->align_source) {
		t->part.no_memory = true;
		return false;
	}
	for (uint32_t i = 0; i < g->ntypes; i++)
		if (!thaw_type(t, i, &types[i], ix))
			return false;
	ix->aligned = true;
	for (uint32_t i = 0; i < g->nrecords; i++)
		if (!thaw_record(t, i, &t->records[i]))
			return false;
	for (uint32_t i = 0; i < g->nenumerations; i++)
		if (!thaw_enum(t, i, &enums[i]))
			return false;
	g->types = types;
	g->records = t->records;
	g->enumerations = enums;
	g->units = units;
	g->aliases = t->part.whole ? thaw_all_aliases(t) :
				     thaw_some_aliases(t);
	return g->aliases && thaw_units(t, units);
}

/* Of a part of a graph they are made when someone asks. */
static enum lac_status thaw_index(struct thaw *t, struct lac_graph_index *ix,
				  struct lac_err *err)
{
	if (!t->part.whole)
		return LAC_OK;
	ix->named = thaw_names(t, LAC_IN_WHOLE, &ix->whole, &ix->nwhole) &&
		    thaw_names(t, LAC_IN_LAST, &ix->last, &ix->nlast);
	if (ix->named)
		return LAC_OK;
	return t->part.no_memory ? lac_fail_memory(err) : LAC_BAD_INPUT;
}

static enum lac_status thaw(struct thaw *t, const char *path,
			    struct lac_err *err)
{
	const struct lac_image_head *h = t->image.head;
	struct lac_graph_index *ix = lac_index_create(t->arena);
	struct lac_graph *g = lac_arena_zalloc(t->arena, 1, sizeof(*g));

	if (!ix || !g)
		return lac_fail_memory(err);
	t->g = g;
	g->arena = t->arena;
	g->path = g->debug_path = lac_arena_strdup(t->arena, path);
	g->format = (enum lac_format)h->graph_format;
	g->target = (struct lac_target){
		.machine = (uint16_t)h->machine,
		.pointer_size = h->pointer_size,
		.big_endian = h->big_endian,
	};
	g->tells_alignment = h->tells_alignment;
	g->version = lac_image_string(&t->image, h->version);
	g->partial = h->key.partial;
	g->alone = true;
	if (!g->path)
		return lac_fail_memory(err);
	if (!has_meaning(h->graph_format, LAC_FORMAT_BTF) ||
	    !thaw_tables(t, ix))
		return t->part.no_memory ? lac_fail_memory(err) :
					   LAC_BAD_INPUT;
	LAC_TRY(thaw_index(t, ix, err));
	g->index = ix;
	if (t->image.bad)
		return LAC_BAD_INPUT;
	/* the rest of the code relies on it, and whoever wrote it may lie */
	LAC_TRY(lac_graph_check(g, err));
	return lac_cycles_mark(g, t->records, err);
}

static enum lac_status read_part(int fd, const char *path,
				 const struct lac_store_key *key,
				 const char *const *only, bool may_lack,
				 struct lac_graph **ret, struct lac_err *err)
{
	struct thaw t = { .arena = lac_arena_create() };
	enum lac_status st;

	if (!t.arena)
		return lac_fail_memory(err);
	st = lac_image_open(fd, key, t.arena, &t.image, err);
	if (st == LAC_OK)
		st = lac_image_ready(&t.image, t.arena, err);
	if (st == LAC_OK)
		st = lac_part_choose(&t.image, only, may_lack, t.arena,
				     &t.part, err);
	if (st == LAC_OK)
		st = thaw(&t, path, err);
	if (st == LAC_OK)
		*ret = t.g;
	else
		lac_arena_destroy(t.arena);
	return st;
}

/* Every name is found: else its near names are asked for, among all. */
static bool has_names(const struct lac_graph *g, const char *const *only,
		      struct lac_arena *scratch)
{
	const lac_record_id *ids;
	struct lac_err ignored;
	size_t n;

	for (; *only; only++)
		if (lac_graph_find(g, *only, scratch, &ids, &n, &ignored) !=
		    LAC_OK)
			return false;
	return true;
}

enum lac_status lac_store_read(int fd, const char *path,
			       const struct lac_store_key *key,
			       const struct lac_graph_options *o,
			       struct lac_graph **ret, struct lac_err *err)
{
	LAC_CLEANUP_GRAPH struct lac_graph *g = NULL;
	enum lac_status st = LAC_NOT_FOUND;

	if (o->only) {
		st = read_part(fd, path, key, o->only, o->may_lack, &g, err);
		if (st == LAC_OK && !o->may_lack &&
		    !has_names(g, o->only, g->arena)) {
			lac_graph_destroy(g);
			g = NULL;
			st = LAC_NOT_FOUND;
		}
	}
	if (st == LAC_NOT_FOUND)
		st = read_part(fd, path, key, NULL, false, &g, err);
	if (st != LAC_OK)
		return st == LAC_BAD_INPUT
			       ? lac_fail(err, st, "the kept graph is damaged")
			       : st;
	*ret = g;
	g = NULL;
	return LAC_OK;
}

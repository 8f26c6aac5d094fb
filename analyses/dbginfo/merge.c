/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * merge.c - one pool's types put into another.  A type's parts have lower ids
 * than itself, so that one pass in ascending order does.
 */
#include <stdlib.h>

#include "dbginfo/pool.h"

struct merge {
	struct lac_pool *to;
	const struct lac_pool *from;
	lac_type_id *map;
};

static enum lac_status merge_record(struct merge *m, uint32_t record,
				    lac_type_id *ret, struct lac_err *err)
{
	struct lac_record r = m->from->records[record];
	struct lac_member *members = calloc((size_t)r.nmembers + 1,
					    sizeof(*members));
	enum lac_status st = members ? LAC_OK : lac_fail_memory(err);

	for (uint32_t i = 0; i < r.nmembers && st == LAC_OK; i++) {
		members[i] = r.members[i];
		members[i].type = m->map[members[i].type];
		st = lac_pool_string(m->to, members[i].name, &members[i].name,
				     err);
	}
	r.members = members;
	if (st == LAC_OK)
		st = lac_pool_string(m->to, r.name, &r.name, err);
	if (st == LAC_OK)
		st = lac_pool_string(m->to, r.typedef_name, &r.typedef_name,
				     err);
	if (st == LAC_OK)
		st = lac_pool_record(m->to, &r, ret, err);
	free(members);
	return st;
}

static enum lac_status merge_enum(struct merge *m, uint32_t enumeration,
				  lac_type_id *ret, struct lac_err *err)
{
	struct lac_enumeration e = m->from->enumerations[enumeration];
	struct lac_enumerator *values = calloc((size_t)e.nvalues + 1,
					       sizeof(*values));
	enum lac_status st = values ? LAC_OK : lac_fail_memory(err);

	for (uint32_t i = 0; i < e.nvalues && st == LAC_OK; i++) {
		values[i] = e.values[i];
		st = lac_pool_string(m->to, values[i].name, &values[i].name,
				     err);
	}
	e.values = values;
	if (st == LAC_OK)
		st = lac_pool_string(m->to, e.name, &e.name, err);
	if (st == LAC_OK)
		st = lac_pool_enumeration(m->to, &e, ret, err);
	free(values);
	return st;
}

static enum lac_status merge_plain(struct merge *m, lac_type_id id,
				   lac_type_id *ret, struct lac_err *err)
{
	struct lac_type t = m->from->types[id];
	lac_type_id *params = NULL;
	enum lac_status st;

	LAC_TRY(lac_pool_string(m->to, t.name, &t.name, err));
	t.target = m->map[t.target];
	if (t.kind == LAC_TYPE_FUNCTION) {
		params = calloc((size_t)t.function.nparams + 1,
				sizeof(*params));
		if (!params)
			return lac_fail_memory(err);
		for (uint32_t i = 0; i < t.function.nparams; i++)
			params[i] = m->map[t.function.params[i]];
		t.function.params = params;
	}
	st = lac_pool_type(m->to, &t, m->from->by_value[id], ret, err);
	free(params);
	return st;
}

static enum lac_status merge_type(struct merge *m, lac_type_id id,
				  lac_type_id *ret, struct lac_err *err)
{
	const struct lac_type *t = &m->from->types[id];

	if (t->kind == LAC_TYPE_RECORD && t->record != LAC_NONE)
		return merge_record(m, t->record, ret, err);
	if (t->kind == LAC_TYPE_ENUM && t->enumeration != LAC_NONE)
		return merge_enum(m, t->enumeration, ret, err);
	return merge_plain(m, id, ret, err);
}

enum lac_status lac_pool_merge(struct lac_pool *to, const struct lac_pool *from,
			       const lac_type_id *instead, lac_type_id **map,
			       struct lac_err *err)
{
	struct merge m = { to, from, NULL };
	enum lac_status st = LAC_OK;

	m.map = calloc(from->ntypes, sizeof(*m.map));
	if (!m.map)
		return lac_fail_memory(err);
	for (lac_type_id i = 0; i < from->ntypes && st == LAC_OK; i++)
		st = merge_type(&m, instead ? instead[i] : i, &m.map[i], err);
	if (st == LAC_OK)
		*map = m.map;
	else
		free(m.map);
	return st;
}

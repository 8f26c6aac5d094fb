/* SPDX-License-Identifier: BSD-2-Clause */
#include "named.h"

#include <stdio.h>
#include <string.h>

#include "base/glob.h"
#include "dbginfo/declare.h"
#include "layout/layout.h"
#include "record_json.h"

bool lac_is_pattern(const char *name)
{
	return strpbrk(name, "*?[") != NULL;
}

/* The enumeration of that name, "enum" in front of it or not. */
static const struct lac_enumeration *enumeration(const struct lac_graph *g,
						 const char *name)
{
	const char *bare = strncmp(name, "enum ", 5) ? name : name + 5;

	for (uint32_t i = 0; i < g->nenumerations; i++)
		if (g->enumerations[i].name &&
		    !strcmp(g->enumerations[i].name, bare))
			return &g->enumerations[i];
	return NULL;
}

static const struct lac_type *plain_type(const struct lac_graph *g,
					 const char *name)
{
	for (uint32_t i = 1; i < g->ntypes; i++) {
		const struct lac_type *t = &g->types[i];

		if ((t->kind == LAC_TYPE_TYPEDEF || t->kind == LAC_TYPE_BASE) &&
		    t->name && !strcmp(t->name, name))
			return t;
	}
	return NULL;
}

static bool only_declared(const struct lac_graph *g, const char *name)
{
	static const char *const kinds[] = {"struct ", "union ", "class "};

	for (size_t i = 0; i < 3; i++)
		if (!strncmp(name, kinds[i], strlen(kinds[i]))) {
			name += strlen(kinds[i]);
			break;
		}
	for (uint32_t i = 1; i < g->ntypes; i++)
		if (g->types[i].kind == LAC_TYPE_RECORD &&
		    g->types[i].record == LAC_NONE && g->types[i].name &&
		    !strcmp(g->types[i].name, name))
			return true;
	return false;
}

static enum lac_status is_typedef(const struct lac_graph *g, const char *name,
				  const struct lac_type *t, struct lac_err *err)
{
	LAC_CLEANUP_ARENA struct lac_arena *a = lac_arena_create();
	const char *to = a && t->kind == LAC_TYPE_TYPEDEF
				 ? lac_type_declare(g, t->target, NULL, a)
				 : NULL;

	const char *end = to ? lac_type_declare(
				       g, lac_type_strip(g, t->target), NULL, a)
			     : NULL;
	bool more = end && strcmp(end, to) != 0;

	return lac_fail(err, LAC_NOT_FOUND,
			"%s: %s is no struct, union or class: it is a %s%s%s"
			"%s%s%s",
			g->path, name,
			t->kind == LAC_TYPE_TYPEDEF ? "typedef" : "base type",
			to ? " of " : "", to ? to : "", more ? " (" : "",
			more ? end : "", more ? ")" : "");
}

/* The graph has what members lead to, not what only a variable points to. */
static enum lac_status or_declared(struct lac_err *err)
{
	size_t n = strlen(err->msg);

	snprintf(err->msg + n, sizeof(err->msg) - n,
		 " (or it is only declared in this file)");
	return LAC_NOT_FOUND;
}

enum lac_status lac_not_a_record(const struct lac_graph *g, const char *name,
				 struct lac_err *err)
{
	LAC_CLEANUP_ARENA struct lac_arena *a = lac_arena_create();
	const struct lac_enumeration *e = enumeration(g, name);
	const struct lac_type *t = plain_type(g, name);
	const lac_record_id *ids;
	enum lac_status st;
	size_t n;

	if (!a)
		return lac_fail_memory(err);
	if (e)
		return lac_fail(err, LAC_NOT_FOUND,
				"%s: %s is no struct, union or class: it is "
				"an enumeration of %u values in %llu bytes; "
				"`lacuna show` has them",
				g->path, name, e->nvalues,
				(unsigned long long)e->size);
	if (only_declared(g, name))
		return lac_fail(err, LAC_NOT_FOUND,
				"%s: %s is only declared in this file, so it "
				"has no layout here",
				g->path, name);
	if (t)
		return is_typedef(g, name, t, err);
	if (lac_is_pattern(name))
		return lac_fail(err, LAC_NOT_FOUND,
				"%s: no record matches '%s'; `lacuna list` "
				"shows every record", g->path, name);
	st = lac_graph_find(g, name, a, &ids, &n, err);
	if (st == LAC_NOT_FOUND)
		return or_declared(err);
	/* it is there, but by another spelling than a pattern can match */
	return st != LAC_OK ? st
			    : lac_fail(err, LAC_NOT_FOUND,
				       "%s: no record matches '%s'; `lacuna "
				       "show` finds it by a part of its name",
				       g->path, name);
}

enum lac_status lac_named_find(const struct lac_graph *g, const char *name,
			       struct lac_arena *scratch,
			       const lac_record_id **ret, size_t *n,
			       struct lac_err *err)
{
	lac_record_id *ids;
	size_t found = 0;
	enum lac_status st = lac_graph_find(g, name, scratch, ret, n, err);

	if (st != LAC_NOT_FOUND)
		return st;
	if (!lac_is_pattern(name))
		return lac_not_a_record(g, name, err);
	ids = lac_arena_zalloc(scratch, g->nrecords, sizeof(*ids));
	if (!ids)
		return lac_fail_memory(err);
	for (lac_record_id id = 0; id < g->nrecords; id++) {
		const struct lac_record *r = &g->records[id];

		if (lac_glob_name(name, lac_record_kind_name(r->kind),
				  lac_record_name(r)))
			ids[found++] = id;
	}
	if (!found)
		return lac_not_a_record(g, name, err);
	*ret = ids;
	*n = found;
	return LAC_OK;
}

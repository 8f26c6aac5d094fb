/* SPDX-License-Identifier: BSD-2-Clause */
/* find.c - records by name. */
#include <stdlib.h>
#include <string.h>

#include "dbginfo/index.h"

static int compare_name(const void *x, const void *y)
{
	const struct lac_name *a = x, *b = y;
	int c = strcmp(a->name, b->name);

	return c ? c : a->record < b->record ? -1 : a->record > b->record;
}

static void add(struct lac_graph_index *ix, const char *name,
		lac_record_id record)
{
	const char *last = lac_name_last_part(name);

	ix->whole[ix->nwhole++] = (struct lac_name){ name, record };
	if (last != name)
		ix->last[ix->nlast++] = (struct lac_name){ last, record };
}

static enum lac_status make_names(const struct lac_graph *g,
				  struct lac_graph_index *ix,
				  struct lac_err *err)
{
	size_t n = (size_t)g->nrecords * 2 + g->naliases;

	ix->whole = lac_arena_zalloc(g->arena, n, sizeof(*ix->whole));
	ix->last = lac_arena_zalloc(g->arena, n, sizeof(*ix->last));
	if (!ix->whole || !ix->last)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < g->nrecords; i++) {
		if (g->records[i].name)
			add(ix, g->records[i].name, i);
		if (g->records[i].typedef_name)
			add(ix, g->records[i].typedef_name, i);
	}
	for (uint32_t i = 0; i < g->naliases; i++)
		add(ix, g->aliases[i].name, g->aliases[i].record);
	if (ix->nwhole)
		qsort(ix->whole, ix->nwhole, sizeof(*ix->whole), compare_name);
	if (ix->nlast)
		qsort(ix->last, ix->nlast, sizeof(*ix->last), compare_name);
	ix->named = true;
	return LAC_OK;
}

enum lac_status lac_index_names(const struct lac_graph *g,
				const struct lac_graph_index **ret,
				struct lac_err *err)
{
	struct lac_graph_index *ix = g->index;
	enum lac_status st = LAC_OK;

	pthread_mutex_lock(&ix->lock);
	if (!ix->named)
		st = make_names(g, ix, err);
	pthread_mutex_unlock(&ix->lock);
	if (st == LAC_OK)
		*ret = ix;
	return st;
}

struct lac_graph_index *lac_index_create(struct lac_arena *arena)
{
	struct lac_graph_index *ix = lac_arena_zalloc(arena, 1, sizeof(*ix));

	if (ix)
		ix->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	return ix;
}

enum lac_status lac_index_build(struct lac_graph *g, struct lac_err *err)
{
	struct lac_graph_index *ix = lac_index_create(g->arena);

	if (!ix)
		return lac_fail_memory(err);
	ix->align = lac_arena_zalloc(g->arena, g->ntypes, sizeof(*ix->align));
	ix->align_source = lac_arena_zalloc(g->arena, g->ntypes, 1);
	if (!ix->align || !ix->align_source)
		return lac_fail_memory(err);
	g->index = ix;
	return LAC_OK;
}

/* -- what was asked for --------------------------------------------------- */

struct query {
	const char *name;
	bool any_kind;
	enum lac_record_kind kind;
};

static struct query parse(const char *name)
{
	static const struct {
		const char *word;
		enum lac_record_kind kind;
	} kinds[] = {
		{ "struct", LAC_STRUCT }, { "union", LAC_UNION },
		{ "class", LAC_CLASS },	  { "enum", LAC_VARIANT_ENUM },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t n = strlen(kinds[i].word);

		if (strncmp(name, kinds[i].word, n) == 0 && name[n] == ' ')
			return (struct query){ name + n + 1, false,
					       kinds[i].kind };
	}
	return (struct query){ name, true, LAC_STRUCT };
}

const char *lac_name_asked(const char *name)
{
	return parse(name).name;
}

/* A class may be asked for as a struct: it is the same type in C++. */
static enum lac_record_kind plain_kind(enum lac_record_kind k)
{
	return k == LAC_CLASS || k == LAC_VARIANT ? LAC_STRUCT : k;
}

static bool kind_matches(const struct query *q, enum lac_record_kind k)
{
	return q->any_kind || plain_kind(q->kind) == plain_kind(k);
}

/* "struct foo" asks for a tag: a typedef of that name is something else. */
static bool name_matches(const struct query *q, const struct lac_record *r)
{
	size_t have, want = strlen(q->name);

	if (q->any_kind)
		return true;
	if (!r->name)
		return false;
	have = strlen(r->name);
	return have >= want && strcmp(r->name + have - want, q->name) == 0;
}

static uint32_t lower_bound(const struct lac_name *v, uint32_t n,
			    const char *name)
{
	uint32_t from = 0;

	while (n) {
		uint32_t half = n / 2;

		if (strcmp(v[from + half].name, name) < 0) {
			from += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return from;
}

static bool ends_with_scope(const char *name, const char *tail)
{
	size_t n = strlen(name), t = strlen(tail);

	return n >= t + 2 && strcmp(name + n - t, tail) == 0 &&
	       memcmp(name + n - t - 2, "::", 2) == 0;
}

/* The record is known by that name, its last parts at least. */
static bool has_tail(const struct lac_graph *g, lac_record_id id,
		     const char *tail)
{
	const struct lac_record *r = &g->records[id];

	if (r->name && ends_with_scope(r->name, tail))
		return true;
	if (r->typedef_name && ends_with_scope(r->typedef_name, tail))
		return true;
	for (uint32_t i = 0; i < g->naliases; i++)
		if (g->aliases[i].record == id &&
		    ends_with_scope(g->aliases[i].name, tail))
			return true;
	return false;
}

static int compare_id(const void *x, const void *y)
{
	lac_record_id a = *(const lac_record_id *)x;
	lac_record_id b = *(const lac_record_id *)y;

	return a < b ? -1 : a > b;
}

static size_t collect(const struct lac_graph *g,
		      const struct lac_graph_index *ix, const struct query *q,
		      bool whole, lac_record_id *ids)
{
	const struct lac_name *v = whole ? ix->whole : ix->last;
	uint32_t all = whole ? ix->nwhole : ix->nlast;
	const char *key = whole ? q->name : lac_name_last_part(q->name);
	size_t n = 0, kept = 0;

	for (uint32_t i = lower_bound(v, all, key);
	     i < all && strcmp(v[i].name, key) == 0; i++)
		if (kind_matches(q, g->records[v[i].record].kind) &&
		    name_matches(q, &g->records[v[i].record]) &&
		    (whole || has_tail(g, v[i].record, q->name)))
			ids[n++] = v[i].record;
	if (n)
		qsort(ids, n, sizeof(*ids), compare_id);
	for (size_t i = 0; i < n; i++)
		if (!kept || ids[kept - 1] != ids[i])
			ids[kept++] = ids[i];
	return kept;
}

static void suggest(const struct lac_graph_index *ix, const char *want,
		    char *out, size_t size)
{
	struct lac_near near = { .want = want };

	for (uint32_t i = 0; i < ix->nwhole; i++)
		if (!i || strcmp(ix->whole[i - 1].name, ix->whole[i].name))
			lac_near_offer(&near, ix->whole[i].name);
	lac_near_text(&near, out, size);
}

enum lac_status lac_graph_find(const struct lac_graph *g, const char *name,
			       struct lac_arena *scratch,
			       const lac_record_id **ids, size_t *n,
			       struct lac_err *err)
{
	const struct lac_graph_index *ix;
	struct query q = parse(name);
	lac_record_id *found;
	char near[512];
	size_t count;

	LAC_TRY(lac_index_names(g, &ix, err));
	found = lac_arena_zalloc(scratch, (size_t)ix->nwhole + ix->nlast + 1,
				 sizeof(*found));
	if (!found)
		return lac_fail_memory(err);
	count = collect(g, ix, &q, true, found);
	if (!count)
		count = collect(g, ix, &q, false, found);
	if (!count) {
		suggest(ix, q.name, near, sizeof(near));
		return lac_fail(err, LAC_NOT_FOUND,
				"%s: no type named '%s'%s", g->path, name,
				*near ? near : "; `lacuna list` shows every record");
	}
	*ids = found;
	*n = count;
	return LAC_OK;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "correlate/traced.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The runtime refuses larger elements. */
enum { ELEMENT_MAX = 1 << 16 };

/* A type while it is filled. */
struct filling {
	struct lac_traced_type *t;
	const struct lac_graph *g;
	lac_record_id record; /* LAC_NONE: by offset alone */
	size_t *row;	      /* by byte: index of its member + 1, or 0 */
	size_t room, pairs_room;
};

struct reader {
	const char *name; /* the program's */
	struct lac_arena *arena;
	struct lac_err *err;
	bool one_cpu;
	bool memory; /* ran out */
};

static enum lac_status bad(const struct reader *r, const char *key)
{
	if (r->memory)
		return lac_fail_memory(r->err);
	return lac_fail(r->err, LAC_BAD_INPUT,
			"%s: its trace has no valid \"%s\": build it again "
			"with the lacuna-trace.o of this lacuna",
			r->name, key);
}

static bool get(const json_t *j, const char *key, uint64_t *ret)
{
	const json_t *v = json_object_get(j, key);

	if (!json_is_integer(v) || json_integer_value(v) < 0)
		return false;
	*ret = (uint64_t)json_integer_value(v);
	return true;
}

static bool get_counts(const struct reader *r, const json_t *j,
		       struct lac_traced_counts *c)
{
	bool ok = get(j, "accesses", &c->accesses) &&
		  get(j, "straddles", &c->straddles) &&
		  get(j, "l1_misses", &c->l1_misses) &&
		  get(j, "l2_misses", &c->l2_misses);

	if (r->one_cpu)
		return ok && get(j, "llc_misses", &c->llc_misses);
	return ok && get(j, "hitm", &c->hitm) &&
	       get(j, "true_sharing", &c->true_sharing) &&
	       get(j, "false_sharing", &c->false_sharing);
}

static void add(struct lac_traced_counts *to, const struct lac_traced_counts *c)
{
	to->accesses += c->accesses;
	to->straddles += c->straddles;
	to->l1_misses += c->l1_misses;
	to->l2_misses += c->l2_misses;
	to->llc_misses += c->llc_misses;
	to->hitm += c->hitm;
	to->true_sharing += c->true_sharing;
	to->false_sharing += c->false_sharing;
}

/* false if the parts are more than the whole. */
static bool take_away(struct lac_traced_counts *from,
		      const struct lac_traced_counts *c)
{
	struct lac_traced_counts f = *from;

	from->accesses -= c->accesses;
	from->straddles -= c->straddles;
	from->l1_misses -= c->l1_misses;
	from->l2_misses -= c->l2_misses;
	from->llc_misses -= c->llc_misses;
	from->hitm -= c->hitm;
	from->true_sharing -= c->true_sharing;
	from->false_sharing -= c->false_sharing;
	return c->accesses <= f.accesses && c->straddles <= f.straddles &&
	       c->l1_misses <= f.l1_misses && c->l2_misses <= f.l2_misses &&
	       c->llc_misses <= f.llc_misses && c->hitm <= f.hitm &&
	       c->true_sharing <= f.true_sharing &&
	       c->false_sharing <= f.false_sharing;
}

/* One more element of size bytes at *array; false when out of memory. */
static bool grow(void *array, size_t n, size_t *room, size_t size)
{
	void *old, *more;

	if (n < *room)
		return true;
	memcpy(&old, array, sizeof(old));
	more = realloc(old, (*room ? 2 * *room : 32) * size);
	if (!more)
		return false;
	*room = *room ? 2 * *room : 32;
	memcpy(array, &more, sizeof(more));
	return true;
}

/* The member at a byte of an element, a new one if need be; its index + 1. */
static size_t row_at(struct reader *r, struct filling *f, uint64_t byte)
{
	struct lac_traced_type *t = f->t;
	struct lac_traced_member m = { .offset = byte };
	bool broken = false;
	size_t i = 0;

	if (f->row[byte])
		return f->row[byte];
	if (f->record != LAC_NONE)
		m.name = lac_traced_path(f->g, f->record, byte, r->arena,
					 &m.offset, &m.size, &broken);
	/* a byte without a name has a row of its own */
	for (i = m.name ? 0 : t->nmembers; i < t->nmembers; i++)
		if (t->members[i].name && !strcmp(t->members[i].name, m.name))
			break;
	if (broken || (i == t->nmembers && !grow(&t->members, i, &f->room,
						 sizeof(m)))) {
		r->memory = true;
		return 0;
	}
	if (i == t->nmembers)
		t->members[t->nmembers++] = m;
	return f->row[byte] = i + 1;
}

static bool add_pair(struct reader *r, struct filling *f, const json_t *j)
{
	struct lac_traced_type *t = f->t;
	struct lac_traced_pair p = { 0 };
	uint64_t at, other;
	size_t a, b, i = 0;

	if (!get(j, "offset", &at) || !get(j, "other_offset", &other) ||
	    !get(j, "false_sharing", &p.false_sharing))
		return false;
	p.neighbours = at / t->size != other / t->size;
	a = row_at(r, f, at % t->size);
	b = row_at(r, f, other % t->size);
	if (!a || !b)
		return false;
	p.member = (a < b ? a : b) - 1;
	p.other = (a < b ? b : a) - 1;
	while (i < t->npairs && (t->pairs[i].member != p.member ||
				 t->pairs[i].other != p.other ||
				 t->pairs[i].neighbours != p.neighbours))
		i++;
	if (i < t->npairs) {
		t->pairs[i].false_sharing += p.false_sharing;
		return true;
	}
	if (!grow(&t->pairs, i, &f->pairs_room, sizeof(p))) {
		r->memory = true;
		return false;
	}
	t->pairs[t->npairs++] = p;
	return true;
}

static enum lac_status add_array(struct reader *r, struct filling *f,
				 const json_t *j)
{
	const json_t *rows = json_object_get(j, "by_offset");
	const json_t *pairs = json_object_get(j, "pairs"), *row;
	struct lac_traced_counts c = { 0 };
	uint64_t elements, byte;
	size_t i;

	if (!get(j, "count", &elements) || !get_counts(r, j, &c))
		return bad(r, "arrays");
	f->t->narrays++;
	f->t->elements += elements;
	add(&f->t->counts, &c);
	if (!json_is_array(rows) || !json_is_array(pairs))
		return bad(r, "by_offset");
	json_array_foreach((json_t *)(uintptr_t)rows, i, row) {
		size_t at;

		c = (struct lac_traced_counts){ 0 };
		if (!get(row, "offset", &byte) || byte >= f->t->size ||
		    !get_counts(r, row, &c))
			return bad(r, "by_offset");
		at = row_at(r, f, byte);
		if (!at)
			return bad(r, "by_offset");
		add(&f->t->members[at - 1].counts, &c);
	}
	json_array_foreach((json_t *)(uintptr_t)pairs, i, row)
		if (!add_pair(r, f, row))
			return bad(r, "pairs");
	return LAC_OK;
}

/* Which layout of that name is meant: the one of the element's size. */
static enum lac_status find_record(struct reader *r, const struct lac_graph *g,
				   struct filling *f)
{
	const lac_record_id *ids;
	uint64_t other = 0;
	size_t n, fits = 0;
	struct lac_err err;
	enum lac_status st;

	f->record = LAC_NONE;
	f->t->status = "no struct of that name in the debug information";
	st = lac_graph_find(g, f->t->name, r->arena, &ids, &n, &err);
	if (st == LAC_NOT_FOUND)
		return LAC_OK;
	if (st != LAC_OK) {
		*r->err = err;
		return st;
	}
	for (size_t i = 0; i < n; i++) {
		other = g->records[ids[i]].size;
		if (other != f->t->size)
			continue;
		f->record = ids[i];
		fits++;
	}
	f->t->status = "known";
	if (fits == 1)
		return LAC_OK;
	f->record = LAC_NONE;
	if (fits)
		f->t->status = lac_arena_printf(
			r->arena, "%zu layouts of that name and size", fits);
	else
		f->t->status = lac_arena_printf(
			r->arena,
			"%" PRIu64 " bytes in the debug information, %" PRIu64
			" in the trace",
			other, f->t->size);
	return f->t->status ? LAC_OK : lac_fail_memory(r->err);
}

static int by_counts(const struct lac_traced_counts *a,
		     const struct lac_traced_counts *b)
{
	if (a->l1_misses != b->l1_misses)
		return a->l1_misses > b->l1_misses ? -1 : 1;
	if (a->accesses != b->accesses)
		return a->accesses > b->accesses ? -1 : 1;
	return 0;
}

static int by_pair(const void *a, const void *b)
{
	const struct lac_traced_pair *x = a, *y = b;

	if (x->false_sharing != y->false_sharing)
		return x->false_sharing > y->false_sharing ? -1 : 1;
	if (x->member != y->member)
		return x->member < y->member ? -1 : 1;
	return x->other < y->other ? -1 : x->other > y->other;
}

static int by_type(const void *a, const void *b)
{
	const struct lac_traced_type *x = a, *y = b;
	int order = by_counts(&x->counts, &y->counts);

	return order ? order : strcmp(x->name, y->name);
}

static int by_member(const void *a, const void *b)
{
	const struct lac_traced_member *const *x = a, *const *y = b;
	int order = by_counts(&(*x)->counts, &(*y)->counts);

	if (order)
		return order;
	if ((*x)->offset != (*y)->offset)
		return (*x)->offset < (*y)->offset ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

/* Members stay where the pairs know them until both are in order. */
static bool sort_type(struct lac_traced_type *t, struct lac_arena *arena)
{
	size_t n = t->nmembers;
	const struct lac_traced_member **order =
		lac_arena_zalloc(arena, n, sizeof(*order));
	struct lac_traced_member *m = lac_arena_zalloc(arena, n, sizeof(*m));
	struct lac_traced_pair *p =
		lac_arena_zalloc(arena, t->npairs, sizeof(*p));
	size_t *now = lac_arena_zalloc(arena, n, sizeof(*now));

	if (!order || !m || !p || !now)
		return false;
	for (size_t i = 0; i < n; i++)
		order[i] = &t->members[i];
	if (n)
		qsort(order, n, sizeof(*order), by_member);
	for (size_t i = 0; i < n; i++) {
		m[i] = *order[i];
		now[order[i] - t->members] = i;
	}
	for (size_t i = 0; i < t->npairs; i++) {
		p[i] = t->pairs[i];
		p[i].member = now[p[i].member];
		p[i].other = now[p[i].other];
		/* as the struct has them */
		if (m[p[i].member].offset > m[p[i].other].offset) {
			size_t first = p[i].other;

			p[i].other = p[i].member;
			p[i].member = first;
		}
	}
	free(t->members);
	free(t->pairs);
	t->members = m;
	t->pairs = p;
	if (t->npairs)
		qsort(p, t->npairs, sizeof(*p), by_pair);
	return true;
}

static const char *type_name(const json_t *array)
{
	return json_string_value(json_object_get(array, "type"));
}

enum lac_status lac_traced_names(const json_t *json, const char *name,
				 struct lac_arena *arena,
				 const char *const **ret, struct lac_err *err)
{
	struct reader r = { .name = name, .err = err };
	const json_t *arrays = json_object_get(json, "arrays"), *a;
	const char *schema =
		json_string_value(json_object_get(json, "schema"));
	const char *refused =
		json_string_value(json_object_get(json, "refused"));
	const char **names;
	size_t i, n = 0;

	if (!schema || strcmp(schema, "lacuna-trace/1") != 0)
		return bad(&r, "schema");
	if (refused)
		return lac_fail(err, LAC_BAD_INPUT, "%s: %s", name, refused);
	if (!json_is_array(arrays))
		return bad(&r, "arrays");
	names = lac_arena_zalloc(arena, json_array_size(arrays) + 1,
				 sizeof(*names));
	if (!names)
		return lac_fail_memory(err);
	json_array_foreach((json_t *)(uintptr_t)arrays, i, a) {
		const char *type = type_name(a);
		size_t k = 0;

		if (!type)
			return bad(&r, "type");
		while (k < n && strcmp(names[k], type) != 0)
			k++;
		if (k < n)
			continue;
		names[n] = lac_arena_strdup(arena, type);
		if (!names[n++])
			return lac_fail_memory(err);
	}
	*ret = names;
	return LAC_OK;
}

/* The types, each with the arrays that are of it. */
static enum lac_status fill(struct reader *r, const json_t *arrays,
			    const struct lac_graph *g, struct filling *f,
			    struct lac_traced *ret)
{
	const json_t *a;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)arrays, i, a) {
		const char *name = type_name(a);
		uint64_t size;
		size_t k = 0;

		if (!name || !get(a, "stride", &size) || !size ||
		    size > ELEMENT_MAX)
			return bad(r, "stride");
		while (k < ret->ntypes && (ret->types[k].size != size ||
					   strcmp(ret->types[k].name, name)))
			k++;
		if (k == ret->ntypes) {
			f[k].t = &ret->types[k];
			f[k].g = g;
			ret->types[k].size = size;
			ret->types[k].name = lac_arena_strdup(r->arena, name);
			f[k].row = lac_arena_zalloc(r->arena, size,
						    sizeof(*f[k].row));
			if (!f[k].row || !ret->types[k].name)
				return lac_fail_memory(r->err);
			ret->ntypes++;
			LAC_TRY(find_record(r, g, &f[k]));
		}
		LAC_TRY(add_array(r, &f[k], a));
	}
	return LAC_OK;
}

static const char *geometry(const struct reader *r, const json_t *json)
{
	const char *preset =
		json_string_value(json_object_get(json, "preset"));
	const json_t *caches = json_object_get(json, "caches"), *c;
	const char *text = preset ? preset : "given";
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)caches, i, c) {
		const char *name =
			json_string_value(json_object_get(c, "name"));
		uint64_t size, ways;

		if (!name || !text || !get(c, "size", &size) ||
		    !get(c, "ways", &ways))
			return NULL;
		text = lac_arena_printf(r->arena, "%s%s%s %g%c/%" PRIu64, text,
					i ? ", " : ": ", name,
					(double)size /
						(size >> 20 ? 1 << 20 : 1024),
					size >> 20 ? 'M' : 'K', ways);
	}
	return i ? text : NULL;
}

static enum lac_status read_all(struct reader *r, const json_t *json,
				const struct lac_graph *g,
				struct lac_traced *ret)
{
	const json_t *arrays = json_object_get(json, "arrays");
	size_t n = json_array_size(arrays);
	struct filling *f = lac_arena_zalloc(r->arena, n, sizeof(*f));
	enum lac_status st;

	ret->types = lac_arena_zalloc(r->arena, n, sizeof(*ret->types));
	if (!f || !ret->types)
		return lac_fail_memory(r->err);
	if (!get(json, "cpus", &ret->cpus) || !ret->cpus)
		return bad(r, "cpus");
	if (!get(json, "line_bytes", &ret->line_bytes))
		return bad(r, "line_bytes");
	r->one_cpu = ret->cpus == 1;
	ret->geometry = geometry(r, json);
	if (!ret->geometry)
		return bad(r, "caches");
	if (!get_counts(r, json, &ret->total))
		return bad(r, "accesses");
	st = fill(r, arrays, g, f, ret);
	ret->rest = ret->total;
	for (size_t i = 0; i < ret->ntypes && st == LAC_OK; i++) {
		if (!take_away(&ret->rest, &ret->types[i].counts))
			st = bad(r, "accesses");
		else if (!sort_type(&ret->types[i], r->arena))
			st = lac_fail_memory(r->err);
		else /* its lists are the arena's now */
			f[i].t = NULL;
	}
	for (size_t i = 0; i < n; i++) {
		if (!f[i].t)
			continue;
		free(f[i].t->members);
		free(f[i].t->pairs);
	}
	if (st == LAC_OK && ret->ntypes)
		qsort(ret->types, ret->ntypes, sizeof(*ret->types), by_type);
	return st;
}

enum lac_status lac_traced_join(const json_t *json, const char *name,
				const struct lac_graph *g,
				struct lac_arena *arena,
				struct lac_traced *ret, struct lac_err *err)
{
	struct reader r = { .name = name, .arena = arena, .err = err };
	struct lac_traced t = { 0 };

	LAC_TRY(read_all(&r, json, g, &t));
	*ret = t;
	return LAC_OK;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "correlate/traffic.h"

#include <stdlib.h>
#include <string.h>

#include "correlate/descriptor.h"
#include "correlate/traced.h"

enum { MEMBERS_MAX = 512, PAIRS_MAX = 4096 };

struct reader {
	const struct lac_graph *g;
	struct lac_arena *arena;
	struct lac_traffic *t;
	const char *missing; /* a key that is not as it should be */
	bool memory, many_members, many_pairs;
};

/* One array of the simulation. */
struct array {
	const char *structure; /* "page"; what it is called where it is none */
	const char *name, *type, *view;
	uint64_t stride, period;
	struct lac_descriptor descriptor; /* of the page array */
	lac_record_id record;		  /* of the others that have a type */
};

static uint64_t number(struct reader *r, const json_t *j, const char *key)
{
	const json_t *v = json_object_get(j, key);

	if (!json_is_integer(v) || json_integer_value(v) < 0) {
		if (!r->missing)
			r->missing = key;
		return 0;
	}
	return (uint64_t)json_integer_value(v);
}

static struct lac_traffic_counts counts(struct reader *r, const json_t *j)
{
	return (struct lac_traffic_counts){
		.accesses = number(r, j, "accesses"),
		.l1_misses = number(r, j, "l1_misses"),
		.l2_misses = number(r, j, "l2_misses"),
		.hitm = number(r, j, "hitm"),
		.true_sharing = number(r, j, "true_sharing"),
		.false_sharing = number(r, j, "false_sharing"),
	};
}

static void add(struct lac_traffic_counts *to, struct lac_traffic_counts c)
{
	to->accesses += c.accesses;
	to->l1_misses += c.l1_misses;
	to->l2_misses += c.l2_misses;
	to->hitm += c.hitm;
	to->true_sharing += c.true_sharing;
	to->false_sharing += c.false_sharing;
}

/* NULL: no member lies there, or the array has none. */
static const char *member_at(struct reader *r, const struct array *a,
			     uint64_t byte)
{
	const struct lac_field *f;
	uint64_t offset, size;

	if (!a->type)
		return NULL;
	byte %= a->stride * a->period;
	if (a->record != LAC_NONE)
		return lac_traced_path(r->g, a->record, byte, r->arena, &offset,
				       &size, &r->memory);
	f = lac_descriptor_field(&a->descriptor, byte, lac_slub_members);
	return f ? f->name : NULL;
}

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static void add_member(struct reader *r, const char *structure,
		       const char *member, struct lac_traffic_counts c)
{
	struct lac_traffic *t = r->t;
	size_t i = 0;

	while (i < t->nmembers && (!same(t->members[i].member, member) ||
				   !same(t->members[i].structure, structure)))
		i++;
	if (i == MEMBERS_MAX) {
		r->many_members = true;
		return;
	}
	if (i == t->nmembers)
		t->members[t->nmembers++] = (struct lac_traffic_member){
			.structure = structure, .member = member
		};
	add(&t->members[i].counts, c);
	add(&t->total, c);
}

static void add_pair(struct reader *r, const struct array *a, const json_t *j)
{
	uint64_t at = number(r, j, "offset");
	uint64_t other = number(r, j, "other_offset");
	struct lac_traffic *t = r->t;
	struct lac_traffic_pair p = {
		.structure = a->structure,
		.member = member_at(r, a, at),
		.other = member_at(r, a, other),
		.neighbours = at / a->stride != other / a->stride,
		.false_sharing = number(r, j, "false_sharing"),
	};
	size_t i = 0;

	/* either may have asked: one order of the two */
	if (p.member && p.other && strcmp(p.member, p.other) > 0) {
		const char *first = p.other;

		p.other = p.member;
		p.member = first;
	}
	while (i < t->npairs && (!same(t->pairs[i].member, p.member) ||
				 !same(t->pairs[i].other, p.other) ||
				 !same(t->pairs[i].structure, p.structure) ||
				 t->pairs[i].neighbours != p.neighbours))
		i++;
	if (i < t->npairs)
		t->pairs[i].false_sharing += p.false_sharing;
	else if (i < PAIRS_MAX)
		t->pairs[t->npairs++] = p;
	else
		r->many_pairs = true;
}

static enum lac_status array_type(struct reader *r, struct array *a,
				  struct lac_err *err)
{
	const lac_record_id *ids;
	size_t n;

	a->record = LAC_NONE;
	if (!a->type || !a->view)
		return LAC_OK;
	if (!strcmp(a->name, "page_array"))
		return lac_descriptor_read(r->g, a->type, a->view, a->stride,
					   (unsigned)a->period, r->arena,
					   &a->descriptor, err);
	LAC_TRY(lac_graph_find(r->g, a->view, r->arena, &ids, &n, err));
	a->record = ids[0];
	return LAC_OK;
}

static enum lac_status read_array(struct reader *r, const json_t *j,
				  struct lac_err *err)
{
	const json_t *rows = json_object_get(j, "by_offset"), *row;
	struct array a = {
		.name = json_string_value(json_object_get(j, "name")),
		.type = json_string_value(json_object_get(j, "type")),
		.view = json_string_value(json_object_get(j, "view")),
		.stride = number(r, j, "stride"),
		.period = number(r, j, "period"),
	};
	size_t i;

	if (!a.name || !a.stride || !a.period) {
		r->missing = "arrays";
		return LAC_OK;
	}
	LAC_TRY(array_type(r, &a, err));
	a.structure = lac_arena_strdup(
		r->arena, a.type			    ? a.type :
			  strcmp(a.name, "bench_array") ? a.name :
							  "queues");
	if (!a.structure)
		return lac_fail_memory(err);
	json_array_foreach((json_t *)(uintptr_t)rows, i, row)
		add_member(r, a.structure,
			   member_at(r, &a, number(r, row, "offset")),
			   counts(r, row));
	rows = json_object_get(j, "pairs");
	json_array_foreach((json_t *)(uintptr_t)rows, i, row)
		add_pair(r, &a, row);
	return LAC_OK;
}

static int by_hitm(const void *a, const void *b)
{
	const struct lac_traffic_member *x = a, *y = b;
	int order;

	if (x->counts.hitm != y->counts.hitm)
		return x->counts.hitm > y->counts.hitm ? -1 : 1;
	order = strcmp(x->structure, y->structure);
	if (order || !x->member || !y->member)
		return order ? order : (x->member != NULL) - (y->member != NULL);
	return strcmp(x->member, y->member);
}

static int by_pair(const void *a, const void *b)
{
	const struct lac_traffic_pair *x = a, *y = b;

	if (x->false_sharing != y->false_sharing)
		return x->false_sharing > y->false_sharing ? -1 : 1;
	if (x->member && y->member && strcmp(x->member, y->member) != 0)
		return strcmp(x->member, y->member);
	return strcmp(x->structure, y->structure);
}

enum lac_status lac_traffic_read(const json_t *json, const struct lac_graph *g,
				 struct lac_arena *arena,
				 struct lac_traffic *ret, struct lac_err *err)
{
	const json_t *k = json_object_get(json, "coherence"), *a;
	const json_t *arrays = json_object_get(json, "arrays");
	struct lac_traffic t = { 0 };
	struct reader r = { .g = g, .arena = arena, .t = &t };
	size_t i;

	t.members = lac_arena_zalloc(arena, MEMBERS_MAX, sizeof(*t.members));
	t.pairs = lac_arena_zalloc(arena, PAIRS_MAX, sizeof(*t.pairs));
	if (!t.members || !t.pairs)
		return lac_fail_memory(err);
	t.ops = number(&r, json, "ops");
	t.cpus = number(&r, json, "cpus");
	t.tasks = number(&r, k, "tasks");
	t.lock_waits = number(&r, k, "lock_waits");
	t.task_switches = number(&r, k, "task_switches");
	json_array_foreach((json_t *)(uintptr_t)arrays, i, a)
		LAC_TRY(read_array(&r, a, err));
	if (r.memory)
		return lac_fail_memory(err);
	if (r.many_members || r.many_pairs)
		return lac_fail(err, LAC_UNSUPPORTED,
				"a simulation counted more than %d %s, which is "
				"the most that can be reported",
				r.many_members ? MEMBERS_MAX : PAIRS_MAX,
				r.many_members ? "members"
					       : "pairs of members");
	if (!t.ops || t.total.l2_misses != number(&r, json, "l2_misses"))
		r.missing = "l2_misses";
	if (r.missing)
		return lac_fail(err, LAC_BAD_INPUT,
				"a simulation printed no valid \"%s\": run "
				"`make` to bring the programs up to date",
				r.missing);
	if (t.nmembers)
		qsort(t.members, t.nmembers, sizeof(*t.members), by_hitm);
	if (t.npairs)
		qsort(t.pairs, t.npairs, sizeof(*t.pairs), by_pair);
	*ret = t;
	return LAC_OK;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_traffic.c - messages between tasks on virtual CPUs: what moved between
 * their caches, and because of which members. */
#include <inttypes.h>
#include <string.h>

#include "bench_message.h"
#include "correlate/traffic.h"

/*
 * The interleaving is exact but one of many; runs a little shorter and longer
 * show how much it matters.
 */
enum { NRUNS = 3, MESSAGES_MAX = 40000, ROWS_SHOWN = 12, PAIRS_SHOWN = 8 };

struct runs {
	uint64_t loops[NRUNS]; /* [0]: what is shown; less; more */
	struct lac_traffic t[LAC_NCELLS][NRUNS];
	bool has[LAC_NCELLS];
	const char *geometry;
};

static const struct {
	const char *key;
	size_t offset; /* of the total in lac_traffic */
} totals[] = {
#define TOTAL(key) { #key, offsetof(struct lac_traffic, total.key) }
	TOTAL(accesses), TOTAL(l1_misses),    TOTAL(l2_misses),
	TOTAL(hitm),	 TOTAL(true_sharing), TOTAL(false_sharing),
	{ "lock_waits", offsetof(struct lac_traffic, lock_waits) },
};

/* ---- running --------------------------------------------------------------- */

static bool command(struct lac_doc *d, const struct lac_bench_options *o,
		    const struct lac_traffic_options *t, const char *dir,
		    enum lac_cell v, uint64_t loops, struct lac_process *p)
{
	struct lac_job j = o->job;
	const char **extra = lac_arena_zalloc(d->arena, 7, sizeof(*extra));

	if (!extra)
		return false;
	extra[0] = "--groups";
	extra[1] = lac_arena_printf(d->arena, "%" PRIu64, t->groups);
	extra[2] = "--fds";
	extra[3] = lac_arena_printf(d->arena, "%" PRIu64, t->fds);
	extra[4] = "--loops";
	extra[5] = lac_arena_printf(d->arena, "%" PRIu64, loops);
	if (!extra[1] || !extra[3] || !extra[5])
		return false;
	j.test = "message";
	j.size = (unsigned)t->bytes;
	j.n = 1;
	j.extra = extra;
	return lac_job_sim_command(&j, dir, v, d->arena, p);
}

/* The members of one variant's simulations. */
static enum lac_status join(struct lac_doc *d, struct runs *r, enum lac_cell v,
			    const char *dir, const struct lac_process *p,
			    struct lac_err *err)
{
	LAC_CLEANUP_GRAPH struct lac_graph *g = NULL;
	struct lac_graph_options go = { .no_cache = true };

	for (int i = 0; i < NRUNS; i++) {
		struct lac_simulation s;
		enum lac_status st;

		LAC_TRY(lac_simulation_parse(&p[i], d->arena, &s, err));
		if (!g) {
			const char *const only[] = { s.page_array->type,
						     s.page_array->view,
						     "kmem_cache",
						     "kmem_cache_cpu",
						     "kmem_cache_node", NULL };
			const char *path = lac_arena_printf(
				d->arena, "%s/%s", dir, s.program);

			go.only = only;
			r->geometry = s.geometry;
			st = path ? lac_graph_read(path, &go, &g, err)
				  : lac_fail_memory(err);
			if (st != LAC_OK) {
				json_decref(s.json);
				return st;
			}
		}
		st = lac_traffic_read(s.json, g, d->arena, &r->t[v][i], err);
		json_decref(s.json);
		LAC_TRY(st);
	}
	return LAC_OK;
}

/* LAC_INTERRUPTED: those variants are there of which r says so. */
static enum lac_status run(struct lac_doc *d, const struct lac_bench_options *o,
			   const struct lac_traffic_options *t, const char *dir,
			   struct runs *r, struct lac_err *err)
{
	const struct lac_process_options two = { .parallel = 2,
						 .timeout_s = 600,
						 .stop = o->stop };

	for (int v = 0; v < LAC_NCELLS; v++) {
		struct lac_process p[NRUNS];
		enum lac_status st;

		if (!o->variants[v])
			continue;
		o->progress(o->context, "messages on virtual CPUs", v,
			    LAC_NCELLS);
		for (int i = 0; i < NRUNS; i++)
			if (!command(d, o, t, dir, (enum lac_cell)v, r->loops[i],
				     &p[i]))
				return lac_fail_memory(err);
		st = lac_process_run(p, NRUNS, &two, err);
		if (st == LAC_OK)
			st = join(d, r, (enum lac_cell)v, dir, p, err);
		lac_process_free(p, NRUNS);
		LAC_TRY(st);
		r->has[v] = true;
	}
	return LAC_OK;
}

/* Some 40,000 messages are enough for shares, and take seconds. */
static void choose_loops(const struct lac_traffic_options *t, struct runs *r)
{
	uint64_t a_loop = t->groups * t->fds * t->fds;
	uint64_t most = MESSAGES_MAX / a_loop, step;

	r->loops[0] = t->loops < most ? t->loops : most ? most : 1;
	step = r->loops[0] / 20 ? r->loops[0] / 20 : 1;
	r->loops[1] = r->loops[0] > step ? r->loops[0] - step
					 : r->loops[0] + 2 * step;
	r->loops[2] = r->loops[0] + step;
}

/* ---- data ------------------------------------------------------------------ */

static double per_message(const struct lac_traffic *t, size_t offset)
{
	uint64_t n;

	memcpy(&n, (const char *)t + offset, sizeof(n));
	return (double)n / (double)t->ops;
}

/* One that was asked for and of which there is nothing. */
static json_t *absent_json(int v)
{
	json_t *j = json_pack("{s:s, s:n, s:n, s:s}", "variant",
			      lac_variant_names[v], "messages", "task_switches",
			      "status", "interrupted");

	for (size_t k = 0; k < sizeof(totals) / sizeof(totals[0]); k++)
		json_object_set_new(j, totals[k].key,
				    lac_doc_absent("interrupted"));
	return j;
}

static json_t *variant_json(const struct runs *r, int v)
{
	const struct lac_traffic *t = r->t[v];
	json_t *j = json_pack("{s:s, s:I, s:I, s:s}", "variant",
			      lac_variant_names[v], "messages",
			      (json_int_t)t->ops, "task_switches",
			      (json_int_t)t->task_switches, "status",
			      "simulated");

	for (size_t k = 0; k < sizeof(totals) / sizeof(totals[0]); k++) {
		double low, high, value;

		low = high = value = per_message(t, totals[k].offset);
		for (int i = 1; i < NRUNS; i++) {
			double x = per_message(&t[i], totals[k].offset);

			low = x < low ? x : low;
			high = x > high ? x : high;
		}
		json_object_set_new(j, totals[k].key,
				    json_pack("{s:f, s:f, s:f, s:s}", "value",
					      value, "low", low, "high", high,
					      "status", "simulated"));
	}
	return j;
}

static json_t *counts_json(const struct lac_traffic_counts *c)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "accesses",
			 (json_int_t)c->accesses, "l1_misses",
			 (json_int_t)c->l1_misses, "l2_misses",
			 (json_int_t)c->l2_misses, "hitm", (json_int_t)c->hitm,
			 "true_sharing", (json_int_t)c->true_sharing,
			 "false_sharing", (json_int_t)c->false_sharing);
}

/* The row of the list where all the keys say the same; a new one if none does. */
static json_t *row_of(struct lac_doc *d, json_t *list, json_t *keys)
{
	const char *key;
	json_t *row, *v;
	size_t i;

	json_array_foreach(list, i, row) {
		bool equal = true;

		json_object_foreach(keys, key, v)
			equal &= json_equal(json_object_get(row, key), v) != 0;
		if (!equal)
			continue;
		json_decref(keys);
		return row;
	}
	lac_doc_append(d, list, keys);
	return json_array_get(list, json_array_size(list) - 1);
}

static void put_name(struct lac_doc *d, json_t *j, const char *key,
		     const char *name)
{
	if (name) {
		lac_doc_set(d, j, key, lac_doc_string(name));
		return;
	}
	lac_doc_set(d, j, key, json_null());
	lac_doc_set(d, j, lac_arena_printf(d->arena, "%s_status", key),
		    json_string("no member"));
}

static json_t *members_json(struct lac_doc *d, const struct runs *r)
{
	json_t *list = json_array();

	for (int v = 0; v < LAC_NCELLS; v++)
		for (size_t i = 0; r->has[v] && i < r->t[v][0].nmembers; i++) {
			const struct lac_traffic_member *m =
				&r->t[v][0].members[i];
			json_t *keys = json_object(), *row;

			put_name(d, keys, "struct", m->structure);
			put_name(d, keys, "member", m->member);
			row = row_of(d, list, keys);
			lac_doc_set(d, row, lac_variant_names[v],
				    counts_json(&m->counts));
		}
	return list;
}

static json_t *pairs_json(struct lac_doc *d, const struct runs *r)
{
	json_t *list = json_array();

	for (int v = 0; v < LAC_NCELLS; v++)
		for (size_t i = 0; r->has[v] && i < r->t[v][0].npairs; i++) {
			const struct lac_traffic_pair *p = &r->t[v][0].pairs[i];
			json_t *keys = json_object(), *row;

			put_name(d, keys, "struct", p->structure);
			put_name(d, keys, "member", p->member);
			put_name(d, keys, "other_member", p->other);
			lac_doc_set(d, keys, "elements",
				    json_string(p->neighbours ? "neighbours"
							      : "same"));
			row = row_of(d, list, keys);
			lac_doc_set(d, row, lac_variant_names[v],
				    json_integer((json_int_t)p->false_sharing));
		}
	return list;
}

/* ---- views ----------------------------------------------------------------- */

#define EACH(key, title)                                                       \
	{ key ".value", title, LAC_UNIT_NONE, 3, key ".low", key ".high" }

static const struct lac_column variant_columns[] = {
	{ "variant", "variant", LAC_UNIT_NONE, 0, NULL, NULL },
	EACH("l2_misses", "L2 misses"),
	EACH("hitm", "HITM"),
	EACH("true_sharing", "true sharing"),
	EACH("false_sharing", "false sharing"),
	EACH("lock_waits", "waits"),
};

/* struct, member and a column for each variant that was run. */
static void by_variant(struct lac_doc *d, const struct runs *r, const char *key,
		       const char *caption, const char *leaf, bool pairs,
		       size_t shown, const json_t *all)
{
	struct lac_column *c = lac_arena_zalloc(d->arena, 4 + LAC_NCELLS,
						sizeof(*c));
	json_t *rows = lac_doc_rows(d), *row;
	size_t n = 0, i;

	if (!c)
		return;
	c[n++] = (struct lac_column){ "struct", "struct", LAC_UNIT_NONE, 0,
				      NULL, NULL };
	c[n++] = (struct lac_column){ "member", "member", LAC_UNIT_NONE, 0,
				      NULL, NULL };
	if (pairs) {
		c[n++] = (struct lac_column){ "other_member", "and",
					      LAC_UNIT_NONE, 0, NULL, NULL };
		c[n++] = (struct lac_column){ "elements", "of elements",
					      LAC_UNIT_NONE, 0, NULL, NULL };
	}
	for (int v = 0; v < LAC_NCELLS; v++)
		if (r->has[v])
			c[n++] = (struct lac_column){
				lac_arena_printf(d->arena, "%s%s",
						 lac_variant_names[v], leaf),
				lac_variant_names[v], LAC_UNIT_COUNT, 0, NULL,
				NULL
			};
	json_array_foreach((json_t *)(uintptr_t)all, i, row)
		if (i < shown)
			lac_doc_append(d, rows, json_incref(row));
	lac_doc_table(d, key, caption, c, n, rows);
	lac_doc_table_full(d, all);
}

static void views(struct lac_doc *d, const struct runs *r,
		  const struct lac_traffic_options *t, const json_t *s)
{
	const struct lac_traffic *first = NULL;
	uint64_t low = r->loops[1], high = r->loops[2];

	for (int v = 0; v < LAC_NCELLS && !first; v++)
		if (r->has[v])
			first = &r->t[v][0];
	if (!first)
		return;
	/* of one loop there is none that is shorter */
	if (low > high) {
		low = r->loops[2];
		high = r->loops[1];
	}
	lac_doc_paragraph(
		d,
		"Simulated: the same traffic, %" PRIu64 " loop%s of it, as "
		"%" PRIu64 " tasks on %" PRIu64 " virtual CPUs with %s, kept "
		"coherent.%s  Counts are exact and equal on every run, but of "
		"one interleaving: the ranges are over this run and two more, "
		"of %" PRIu64 " and %" PRIu64 " loops.  A taken lock is handed "
		"over in a queue here, whether it would spin or sleep: the "
		"model does not tell the two locks apart.",
		r->loops[0], r->loops[0] == 1 ? "" : "s", first->tasks,
		first->cpus, r->geometry,
		r->loops[0] < t->loops
			? lac_arena_printf(d->arena,
					   "  Of the %" PRIu64 " loops that are "
					   "asked for no more are simulated, as "
					   "that would take long; whether more "
					   "have the same shares is not tried.",
					   t->loops)
			: "",
		low, high);
	lac_doc_table(d, "traffic",
		      "Lines that moved, a message (simulated): HITM, a line "
		      "that was fetched from another CPU's modified copy; misses "
		      "of shared lines by what was asked for; waits for locks "
		      "and queues",
		      variant_columns,
		      sizeof(variant_columns) / sizeof(variant_columns[0]),
		      json_object_get(s, "variants"));
	by_variant(d, r, "traffic-members",
		   "HITM by struct and member, in all (simulated)", ".hitm",
		   false, ROWS_SHOWN, json_object_get(s, "members"));
	if (json_array_size(json_object_get(s, "pairs")))
		by_variant(d, r, "traffic-pairs",
			   "False sharing by the two members that share a line, "
			   "in all (simulated)", "", true, PAIRS_SHOWN,
			   json_object_get(s, "pairs"));
}

enum lac_status lac_traffic_bench(struct lac_doc *d, json_t *message,
				  const struct lac_bench_options *o,
				  const struct lac_traffic_options *t,
				  const char *dir, bool *cut,
				  struct lac_err *err)
{
	struct runs *r = lac_arena_zalloc(d->arena, 1, sizeof(*r));
	json_t *s, *variants;
	enum lac_status st;
	bool any = false;

	if (!r)
		return lac_fail_memory(err);
	choose_loops(t, r);
	st = run(d, o, t, dir, r, err);
	for (int v = 0; v < LAC_NCELLS; v++)
		any |= r->has[v];
	if (st != LAC_INTERRUPTED || !any)
		LAC_TRY(st);
	*cut |= st == LAC_INTERRUPTED;
	s = json_object();
	variants = json_array();
	lac_doc_set(d, message, "simulated", s);
	lac_doc_set(d, s, "loops", json_integer((json_int_t)r->loops[0]));
	lac_doc_set(d, s, "geometry", lac_doc_string(r->geometry));
	lac_doc_set(d, s, "variants", variants);
	for (int v = 0; v < LAC_NCELLS; v++) {
		if (o->variants[v] && !r->has[v])
			lac_doc_append(d, variants, absent_json(v));
		if (!r->has[v])
			continue;
		lac_doc_set(d, s, "cpus",
			    json_integer((json_int_t)r->t[v][0].cpus));
		lac_doc_set(d, s, "tasks",
			    json_integer((json_int_t)r->t[v][0].tasks));
		lac_doc_append(d, variants, variant_json(r, v));
	}
	lac_doc_set(d, s, "members", members_json(d, r));
	lac_doc_set(d, s, "pairs", pairs_json(d, r));
	views(d, r, t, s);
	return LAC_OK;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/words.h"
#include "trace_doc.h"

#include <ctype.h>
#include <string.h>

#define COLUMNS(c) c, sizeof(c) / sizeof(c[0])

/* --- data */

static void put_count(json_t *j, const char *key, uint64_t n)
{
	json_object_set_new(j, key, json_integer((json_int_t)n));
}

static void put_absent(json_t *j, const char *key, const char *status)
{
	char name[64];

	snprintf(name, sizeof(name), "%s_status", key);
	json_object_set_new(j, key, json_null());
	json_object_set_new(j, name, json_string(status));
}

static void put_counts(json_t *j, const struct lac_traced *t,
		       const struct lac_traced_counts *c)
{
	static const char *const several[] = { "hitm", "true_sharing",
					       "false_sharing" };

	put_count(j, "accesses", c->accesses);
	put_count(j, "straddles", c->straddles);
	put_count(j, "l1_misses", c->l1_misses);
	put_count(j, "l2_misses", c->l2_misses);
	if (t->cpus == 1) {
		put_count(j, "llc_misses", c->llc_misses);
		for (size_t i = 0; i < 3; i++)
			put_absent(j, several[i], "one CPU");
		return;
	}
	put_absent(j, "llc_misses", "not simulated with several CPUs");
	put_count(j, "hitm", c->hitm);
	put_count(j, "true_sharing", c->true_sharing);
	put_count(j, "false_sharing", c->false_sharing);
}

void lac_trace_put_member(json_t *j, const char *key, const char *name,
			  const struct lac_traced_type *type)
{
	if (name)
		json_object_set_new(j, key, lac_doc_string(name));
	else
		put_absent(j, key, strcmp(type->status, "known") != 0
					   ? "unknown"
					   : "no member");
}

static json_t *members_data(const struct lac_traced *t,
			    const struct lac_traced_type *type)
{
	json_t *list = json_array();

	for (size_t i = 0; i < type->nmembers; i++) {
		const struct lac_traced_member *m = &type->members[i];
		json_t *j = json_object();

		lac_trace_put_member(j, "member", m->name, type);
		put_count(j, "offset", m->offset);
		if (m->name)
			put_count(j, "size", m->size);
		else
			put_absent(j, "size", "unknown");
		put_counts(j, t, &m->counts);
		json_array_append_new(list, j);
	}
	return list;
}

static json_t *pairs_data(const struct lac_traced_type *type)
{
	json_t *list = json_array();

	for (size_t i = 0; i < type->npairs; i++) {
		const struct lac_traced_pair *p = &type->pairs[i];
		const struct lac_traced_member *a = &type->members[p->member];
		const struct lac_traced_member *b = &type->members[p->other];
		json_t *j = json_object();

		lac_trace_put_member(j, "member", a->name, type);
		put_count(j, "offset", a->offset);
		lac_trace_put_member(j, "other_member", b->name, type);
		put_count(j, "other_offset", b->offset);
		json_object_set_new(j, "elements",
				    json_string(p->neighbours ? "neighbours"
							      : "same"));
		put_count(j, "false_sharing", p->false_sharing);
		json_array_append_new(list, j);
	}
	return list;
}

static json_t *type_data(const struct lac_traced *t,
			 const struct lac_traced_type *type)
{
	json_t *j = json_object();

	json_object_set_new(j, "type", lac_doc_string(type->name));
	json_object_set_new(j, "status", lac_doc_string(type->status));
	put_count(j, "size", type->size);
	put_count(j, "arrays", type->narrays);
	put_count(j, "elements", type->elements);
	put_counts(j, t, &type->counts);
	json_object_set_new(j, "members", members_data(t, type));
	json_object_set_new(j, "pairs", pairs_data(type));
	return j;
}

/* --- views */

#define COUNT(key, title) { key, title, LAC_UNIT_COUNT, 0, NULL, NULL }
#define NAME(key, title) { key, title, LAC_UNIT_NONE, 0, NULL, NULL }
#define ALL COUNT("accesses", "accesses"), COUNT("l1_misses", "L1 misses"),    \
	COUNT("l2_misses", "L2 misses")

static const struct lac_column type_columns[] = {
	NAME("type", "type"), COUNT("elements", "elements"), ALL,
	COUNT("llc_misses", "LLC misses"), COUNT("straddles", "straddles"),
};

static const struct lac_column type_columns_shared[] = {
	NAME("type", "type"), COUNT("elements", "elements"), ALL,
	COUNT("straddles", "straddles"),
	COUNT("true_sharing", "true sharing"),
	COUNT("false_sharing", "false sharing"),
};

static const struct lac_column member_columns[] = {
	NAME("member", "member"), COUNT("offset", "byte"), ALL,
	COUNT("llc_misses", "LLC misses"), COUNT("straddles", "straddles"),
};

static const struct lac_column member_columns_shared[] = {
	NAME("member", "member"), COUNT("offset", "byte"), ALL,
	COUNT("straddles", "straddles"),
	COUNT("true_sharing", "true sharing"),
	COUNT("false_sharing", "false sharing"),
};

static const struct lac_column pair_columns[] = {
	NAME("member", "member"), NAME("other_member", "with"),
	NAME("elements", "elements"),
	COUNT("false_sharing", "false sharing"),
};

static void say_source(struct lac_doc *d, const struct lac_traced *t)
{
	const struct lac_traced_counts *rest = &t->rest;

	lac_doc_paragraph(d,
			  "Simulated, not measured: %llu CPU%s, %s, lines of "
			  "%llu bytes%s.  %llu of %llu accesses and %llu of "
			  "%llu L1 misses were outside of registered arrays.",
			  (unsigned long long)t->cpus, lac_s(t->cpus),
			  t->geometry, (unsigned long long)t->line_bytes,
			  t->cpus == 1 ? ""
				       : "; L1 and L2 are each CPU's own, and "
					 "no LLC is simulated",
			  (unsigned long long)rest->accesses,
			  (unsigned long long)t->total.accesses,
			  (unsigned long long)rest->l1_misses,
			  (unsigned long long)t->total.l1_misses);
	if (!t->ntypes)
		lac_doc_paragraph(d, "The program registers no array: "
				     "LACUNA_ARRAY(type, pointer, count) of "
				     "lacuna-trace.h does, and the report then "
				     "tells misses by member.");
}

static enum lac_status show_type(struct lac_doc *d, const struct lac_graph *g,
				 const struct lac_traced *t,
				 const struct lac_traced_type *type,
				 const json_t *data, struct lac_err *err)
{
	const json_t *members = json_object_get(data, "members");
	const json_t *pairs = json_object_get(data, "pairs");

	lac_doc_heading(d, 2, "%s: %llu bytes", type->name,
			(unsigned long long)type->size);
	if (strcmp(type->status, "known") != 0)
		lac_doc_paragraph(d, "The members of %s are unknown: %s.  The "
				     "counts stand by byte.",
				  type->name, type->status);
	if (!type->nmembers) {
		lac_doc_paragraph(d, "Never accessed by traced code.");
		return LAC_OK;
	}
	if (t->cpus == 1)
		lac_doc_table(d, "members", "By member",
			      COLUMNS(member_columns), members);
	else
		lac_doc_table(d, "members", "By member",
			      COLUMNS(member_columns_shared), members);
	if (type->npairs)
		lac_doc_table(d, "pairs",
			      "Between which members a line moved though they "
			      "share no byte",
			      COLUMNS(pair_columns), pairs);
	return lac_trace_heat(d, g, t, type, err);
}

enum lac_status lac_trace_doc(struct lac_doc *d, const char *program,
			      const struct lac_graph *g,
			      const struct lac_traced *t, struct lac_err *err)
{
	json_t *types = json_array(), *found = lac_trace_findings(d, t);
	json_t *total = json_object(), *rest = json_object();

	put_counts(total, t, &t->total);
	put_counts(rest, t, &t->rest);
	lac_doc_set(d, d->data, "program", lac_doc_string(program));
	put_count(d->data, "cpus", t->cpus);
	put_count(d->data, "line_bytes", t->line_bytes);
	lac_doc_set(d, d->data, "geometry", lac_doc_string(t->geometry));
	lac_doc_set(d, d->data, "findings", found);
	lac_doc_set(d, d->data, "total", total);
	lac_doc_set(d, d->data, "unregistered", rest);
	for (size_t i = 0; i < t->ntypes; i++)
		lac_doc_append(d, types, type_data(t, &t->types[i]));
	lac_doc_set(d, d->data, "types", types);

	lac_doc_heading(d, 1, "What %s does to the cache", program);
	lac_trace_say_findings(d, found);
	say_source(d, t);
	if (t->cpus == 1 && t->ntypes)
		lac_doc_table(d, "types", "By type", COLUMNS(type_columns),
			      types);
	else if (t->ntypes)
		lac_doc_table(d, "types", "By type",
			      COLUMNS(type_columns_shared), types);
	for (size_t i = 0; i < t->ntypes; i++)
		LAC_TRY(show_type(d, g, t, &t->types[i],
				  json_array_get(types, i), err));
	return LAC_OK;
}

/* --- how to build */

/* As a shell takes it. */
static const char *quoted(struct lac_doc *d, const char *path)
{
	const char *s = path;

	while (*s && (isalnum((unsigned char)*s) || strchr("/._+-:,@%", *s)))
		s++;
	if (!*s)
		return path;
	s = "'";
	for (const char *p = path; *p && s; p++)
		s = *p == '\'' ? lac_arena_printf(d->arena, "%s'\\''", s)
			       : lac_arena_printf(d->arena, "%s%c", s, *p);
	s = s ? lac_arena_printf(d->arena, "%s'", s) : NULL;
	d->broken |= !s;
	return s ? s : "";
}

void lac_trace_manual(struct lac_doc *d, const char *dir, const char *object)
{
	const char *compile =
		lac_arena_printf(d->arena,
				 "cc -O2 -g -fsanitize=thread -I %s -c FILE.c",
				 quoted(d, dir));
	const char *link = lac_arena_printf(
		d->arena, "cc -o PROGRAM FILE.o %s -pthread",
		quoted(d, object));
	static const char run[] = "lacuna trace --cpus 2 ./PROGRAM";
	struct lac_listing *l;

	d->broken |= !compile || !link;
	if (d->broken)
		return;
	lac_doc_set(d, d->data, "program", json_null());
	lac_doc_set(d, d->data, "status", json_string("none given"));
	lac_doc_set(d, d->data, "compile", lac_doc_string(compile));
	lac_doc_set(d, d->data, "link", lac_doc_string(link));
	lac_doc_set(d, d->data, "run", json_string(run));
	lac_doc_heading(d, 1, "How to trace a program");
	l = lac_doc_listing(d, "");
	lac_listing_line(d, l, 0, compile, NULL);
	lac_listing_line(d, l, 0, link, NULL);
	lac_listing_line(d, l, 0, run, NULL);
	lac_doc_paragraph(d, "The flag belongs on the compile lines of the "
			     "files to be watched and not on the link line, "
			     "where it brings the compiler's own race detector "
			     "in.  No -flto: it removes the calls.");
	lac_doc_paragraph(d, "One thread is watched.  A program that starts "
			     "threads of its own (pthread_create) is refused "
			     "when one of them runs traced code: give their "
			     "work to lacuna_cpus(), and the same number to "
			     "--cpus.");
	lac_doc_paragraph(d, "In the program, with #include \"lacuna-trace.h\":");
	l = lac_doc_listing(d, "c");
	lac_listing_line(d, l, 0,
			 "n = LACUNA_ARRAY(struct node, calloc(1000, "
			 "sizeof(*n)), 1000);",
			 "misses by member");
	lac_listing_line(d, l, 0, "lacuna_cpus(2, work, arg);",
			 "void work(unsigned int cpu, void *arg), on each "
			 "virtual CPU");
}

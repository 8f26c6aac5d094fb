/* SPDX-License-Identifier: BSD-2-Clause */
#include "trace_doc.h"

#include <ctype.h>
#include <string.h>

#define COLUMNS(c) c, sizeof(c) / sizeof(c[0])

/* A finding is at least one in so many of the accesses to its type. */
enum { WORTH_SAYING = 1000 };

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

/* What a row is called where the debug information has no member. */
static void put_member(json_t *j, const char *key, const char *name,
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

		put_member(j, "member", m->name, type);
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

		put_member(j, "member", a->name, type);
		put_count(j, "offset", a->offset);
		put_member(j, "other_member", b->name, type);
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

/* --- findings */

/* "channel.produced", or a byte where there is no name. */
static const char *full_name(struct lac_doc *d,
			     const struct lac_traced_type *type, size_t i)
{
	const struct lac_traced_member *m = &type->members[i];
	const char *s = m->name ? lac_arena_printf(d->arena, "%s.%s",
						   type->name, m->name)
				: lac_arena_printf(d->arena, "%s, byte %llu",
						   type->name,
						   (unsigned long long)
							   m->offset);

	d->broken |= !s;
	return s ? s : "";
}

static void add_finding(struct lac_doc *d, json_t *list, const char *kind,
			const struct lac_traced_type *type, size_t a,
			const size_t *b, uint64_t count, const char *sentence)
{
	json_t *j = json_object();

	json_object_set_new(j, "kind", json_string(kind));
	json_object_set_new(j, "type", lac_doc_string(type->name));
	put_member(j, "member", type->members[a].name, type);
	if (b)
		put_member(j, "other_member", type->members[*b].name, type);
	put_count(j, "count", count);
	json_object_set_new(j, "sentence", lac_doc_string(sentence));
	d->broken |= !sentence;
	lac_doc_append(d, list, j);
}

/* The first pair, and those at least half as frequent. */
static void find_sharing(struct lac_doc *d, const struct lac_traced_type *t,
			 json_t *list)
{
	for (size_t i = 0; i < t->npairs; i++) {
		const struct lac_traced_pair *p = &t->pairs[i];
		bool alone = p->member == p->other;

		if (p->false_sharing * WORTH_SAYING < t->counts.accesses ||
		    p->false_sharing * 2 < t->pairs[0].false_sharing)
			break;
		add_finding(
			d, list, "false-sharing", t, p->member, &p->other,
			p->false_sharing,
			lac_arena_printf(
				d->arena,
				"%s and %s%s share a line but no byte, and it "
				"moved between CPUs for that %llu times (false "
				"sharing).",
				full_name(d, t, p->member),
				p->neighbours ? "the neighbouring element's "
					      : "",
				alone ? t->members[p->other].name
						? t->members[p->other].name
						: "the same byte"
				      : full_name(d, t, p->other),
				(unsigned long long)p->false_sharing));
	}
}

/* The member that most accesses over a line border begin in. */
static void find_straddler(struct lac_doc *d, const struct lac_traced_type *t,
			   json_t *list)
{
	const struct lac_traced_counts *c;
	size_t most = 0;

	for (size_t i = 1; i < t->nmembers; i++)
		if (t->members[i].counts.straddles >
		    t->members[most].counts.straddles)
			most = i;
	if (!t->nmembers)
		return;
	c = &t->members[most].counts;
	if (!c->straddles || c->straddles * WORTH_SAYING < t->counts.accesses)
		return;
	add_finding(d, list, "straddling", t, most, NULL, c->straddles,
		    lac_arena_printf(
			    d->arena,
			    "%s lies across a line border in %.1f %% of its "
			    "accesses (%llu of %llu).",
			    full_name(d, t, most),
			    100 * (double)c->straddles / (double)c->accesses,
			    (unsigned long long)c->straddles,
			    (unsigned long long)c->accesses));
}

static json_t *findings(struct lac_doc *d, const struct lac_traced *t)
{
	json_t *list = json_array();

	for (size_t i = 0; i < t->ntypes; i++)
		find_sharing(d, &t->types[i], list);
	for (size_t i = 0; i < t->ntypes; i++)
		find_straddler(d, &t->types[i], list);
	return list;
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

static void say_findings(struct lac_doc *d, const json_t *list)
{
	const char *text = NULL;
	const json_t *f;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)list, i, f) {
		const char *s =
			json_string_value(json_object_get(f, "sentence"));

		text = lac_arena_printf(d->arena, "%s%s%s", i ? text : "",
					i ? " " : "", s ? s : "");
		if (!text) {
			d->broken = true;
			return;
		}
	}
	lac_doc_paragraph(d, "%s",
			  text ? text
			       : "No member of a registered type is shared "
				 "falsely, and none lies across a line border, "
				 "in one access of a thousand or more.");
}

static void say_source(struct lac_doc *d, const struct lac_traced *t)
{
	const struct lac_traced_counts *rest = &t->rest;

	lac_doc_paragraph(d,
			  "Simulated, not measured: %llu CPU%s, %s, lines of "
			  "%llu bytes%s.  %llu of %llu accesses and %llu of "
			  "%llu L1 misses were outside of registered arrays.",
			  (unsigned long long)t->cpus, t->cpus == 1 ? "" : "s",
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
	json_t *types = json_array(), *found = findings(d, t);
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
	say_findings(d, found);
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
	lac_doc_paragraph(d, "In the program, with #include \"lacuna-trace.h\":");
	l = lac_doc_listing(d, "c");
	lac_listing_line(d, l, 0,
			 "n = LACUNA_ARRAY(struct node, calloc(1000, "
			 "sizeof(*n)), 1000);",
			 "misses by member");
	lac_listing_line(d, l, 0, "lacuna_cpus(2, work, arg);",
			 "work(cpu, arg) on each virtual CPU");
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* trace_findings.c - what stands out in a trace, in words. */
#include "trace_doc.h"

#include <string.h>

enum {
	/* A finding is at least one in so many of the accesses to its type, */
	WORTH_SAYING = 1000,
	/* and happened so often: what is rarer may be a start or an end. */
	NOT_NOISE = 10,
	/* Members that are named for their misses, at most, */
	MISSERS = 4,
	/* each with at least this part of the first one's. */
	MISSERS_PART = 10,
};

static bool worth_saying(uint64_t n, const struct lac_traced_type *type)
{
	return n >= NOT_NOISE && n >= type->counts.accesses / WORTH_SAYING;
}

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

/* Before those of its kind that happened less. */
static void add_finding(struct lac_doc *d, json_t *list, const char *kind,
			const struct lac_traced_type *type, size_t a,
			const size_t *b, uint64_t count, const char *sentence)
{
	json_t *j = json_object(), *other;
	size_t i, at = json_array_size(list);

	json_object_set_new(j, "kind", json_string(kind));
	json_object_set_new(j, "type", lac_doc_string(type->name));
	lac_trace_put_member(j, "member", type->members[a].name, type);
	if (b)
		lac_trace_put_member(j, "other_member",
				     type->members[*b].name, type);
	json_object_set_new(j, "count", json_integer((json_int_t)count));
	json_object_set_new(j, "sentence", lac_doc_string(sentence));
	d->broken |= !sentence;
	json_array_foreach(list, i, other) {
		const char *its =
			json_string_value(json_object_get(other, "kind"));

		if (its && !strcmp(its, kind) && i < at &&
		    (uint64_t)json_integer_value(json_object_get(
			    other, "count")) < count)
			at = i;
	}
	d->broken |= json_array_insert_new(list, at, j) != 0;
}

/* The first pair, and those at least half as frequent. */
static void find_sharing(struct lac_doc *d, const struct lac_traced_type *t,
			 json_t *list)
{
	for (size_t i = 0; i < t->npairs; i++) {
		const struct lac_traced_pair *p = &t->pairs[i];
		bool alone = p->member == p->other;

		if (!worth_saying(p->false_sharing, t) ||
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
	if (!worth_saying(c->straddles, t))
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

/* The member with most L1 misses of those that miss less than the last one. */
static bool next_misser(const struct lac_traced *t, size_t *type, size_t *member)
{
	size_t last_type = *type, last_member = *member;
	uint64_t most = 0, bound = UINT64_MAX;

	if (last_type < t->ntypes)
		bound = t->types[last_type]
				.members[last_member]
				.counts.l1_misses;
	for (size_t i = 0; i < t->ntypes; i++) {
		for (size_t k = 0; k < t->types[i].nmembers; k++) {
			uint64_t n = t->types[i].members[k].counts.l1_misses;
			/* equal ones in the order of the table */
			bool told = n > bound ||
				    (n == bound && last_type < t->ntypes &&
				     (i < last_type || (i == last_type &&
							k <= last_member)));

			if (told || n <= most)
				continue;
			most = n;
			*type = i;
			*member = k;
		}
	}
	return most > 0;
}

static void find_missers(struct lac_doc *d, const struct lac_traced *t,
			 json_t *list)
{
	size_t type = SIZE_MAX, member = 0, named = 0;
	uint64_t first = 0;

	while (named < MISSERS && next_misser(t, &type, &member)) {
		const struct lac_traced_type *its = &t->types[type];
		const struct lac_traced_counts *c =
			&its->members[member].counts;
		const char *name;

		if (first && c->l1_misses < first / MISSERS_PART)
			return;
		if (!worth_saying(c->l1_misses, its))
			continue;
		name = full_name(d, its, member);
		add_finding(d, list, "misses", its, member, NULL, c->l1_misses,
			    lac_arena_printf(
				    d->arena,
				    first ? "%s: %llu in %llu."
					  : "Most L1 misses: %s, %llu in %llu "
					    "accesses.",
				    name, (unsigned long long)c->l1_misses,
				    (unsigned long long)c->accesses));
		if (!first)
			first = c->l1_misses;
		named++;
	}
}

json_t *lac_trace_findings(struct lac_doc *d, const struct lac_traced *t)
{
	json_t *list = json_array();

	for (size_t i = 0; i < t->ntypes; i++)
		find_sharing(d, &t->types[i], list);
	for (size_t i = 0; i < t->ntypes; i++)
		find_straddler(d, &t->types[i], list);
	find_missers(d, t, list);
	return list;
}

void lac_trace_say_findings(struct lac_doc *d, const json_t *list)
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
			       : "No member of a registered type misses, is "
				 "shared falsely, or lies across a line border "
				 "in one access of a thousand or more, and "
				 "ten times or more.");
}

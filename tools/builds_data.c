/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * builds_data.c - the reasoning from counters and a diff, step by step.
 *
 * A layout acts through the lines that are touched, so only counts of the data
 * side of the caches can speak of it, and times only where nothing else
 * changed.  Two builds differ in code and in many records at once, and perf
 * stat counts a whole program: whatever is resolved is at most compatible with
 * a record, never attributed to it.
 */
#include "base/words.h"
#include "builds_cost.h"
#include "builds_data.h"
#include "builds_locks.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum lac_event_sort lac_event_sort(const char *name)
{
	static const struct {
		const char *part;
		enum lac_event_sort sort;
	} parts[] = {
		{ "icache", LAC_EVENT_OTHER },
		{ "iTLB", LAC_EVENT_OTHER },
		{ "branch", LAC_EVENT_WORK },
		{ "cache", LAC_EVENT_CACHE },
		{ "LLC", LAC_EVENT_CACHE },
		{ "dTLB", LAC_EVENT_CACHE },
		{ "node-", LAC_EVENT_CACHE },
		{ "mem-", LAC_EVENT_CACHE },
		{ "mem_", LAC_EVENT_CACHE },
		{ "l1d", LAC_EVENT_CACHE },
		{ "l2_", LAC_EVENT_CACHE },
		{ "l3_", LAC_EVENT_CACHE },
		{ "offcore", LAC_EVENT_CACHE },
		{ "context-switches", LAC_EVENT_WAITING },
		{ "migrations", LAC_EVENT_WAITING },
		{ "instructions", LAC_EVENT_WORK },
		{ "elapsed", LAC_EVENT_TIME },
		{ "clock", LAC_EVENT_TIME },
		{ "cycles", LAC_EVENT_TIME },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (strcasestr(name, parts[i].part))
			return parts[i].sort;
	return LAC_EVENT_OTHER;
}

static const char *sort_name(enum lac_event_sort s)
{
	static const char *const names[] = { "time", "data caches", "waiting",
					     "work", "other" };

	return names[s];
}

const char *lac_beside_verdict_name(enum lac_beside_verdict v)
{
	static const char *const names[] = {
		"other programs", "same layout", "not all read", "same counts",
		"not counted",	  "not shown",	 "compatible",
	};

	return names[v];
}

bool lac_beside_differs(const struct lac_record_diff *r)
{
	const struct lac_shape *a = r->old_shape, *b = r->new_shape;

	return a && b && !b->is_enum &&
	       (a->size != b->size || a->lines != b->lines ||
		a->nstraddlers != b->nstraddlers);
}

static bool same_program(const struct lac_perfstat_pair *pair)
{
	const char *a = pair->p->outputs[pair->i].title;
	const char *b = pair->q->outputs[pair->k].title;

	return !a || !b || !strcmp(a, b);
}

static struct lac_beside_count count(const struct lac_diff *d)
{
	struct lac_beside_count c = { 0 };

	for (uint32_t i = 0; i < d->nrecords; i++) {
		const struct lac_shape *x = d->records[i].old_shape;
		const struct lac_shape *y = d->records[i].new_shape;

		if (!lac_beside_differs(&d->records[i]))
			continue;
		c.records++;
		c.resized += x->size != y->size;
		c.relined += x->lines != y->lines;
		c.recrossed += x->nstraddlers != y->nstraddlers;
	}
	return c;
}

/* NULL: everything was. */
static const char *not_read(const struct lac_diff_report *r)
{
	const struct lac_diff *w = r->whole;

	return w->old_side.missing   ? w->old_side.missing
	       : w->new_side.missing ? w->new_side.missing
	       : r->skipped.n	     ? r->skipped.why[0]
				     : NULL;
}

void lac_beside_judge(const struct lac_diff_job *job,
		      const struct lac_perfstat_pair *pair,
		      struct lac_beside *ret)
{
	struct lac_beside b = {
		.all = count(job->report.whole),
		.selected = count(job->report.diff),
	};

	for (size_t i = 0; i < pair->c.nrows; i++) {
		const struct lac_perfstat_row *r = &pair->c.rows[i];
		bool resolved = r->verdict == LAC_PERFSTAT_RESOLVED;
		enum lac_event_sort s = lac_event_sort(r->name);

		b.cache_events += s == LAC_EVENT_CACHE &&
				  r->verdict != LAC_PERFSTAT_UNKNOWN;
		b.cache_resolved += s == LAC_EVENT_CACHE && resolved;
		if (s == LAC_EVENT_WAITING && resolved && !b.waiting)
			b.waiting = r;
		if (!strcmp(r->name, "elapsed time") && resolved)
			b.elapsed = r;
	}
	if (!same_program(pair))
		b.verdict = LAC_BESIDE_OTHER_PROGRAMS;
	else if (!lac_diff_job_differs_at_all(job))
		b.verdict = not_read(&job->report) ? LAC_BESIDE_NOT_ALL_READ
						   : LAC_BESIDE_SAME_LAYOUT;
	else if (!pair->c.nresolved)
		b.verdict = LAC_BESIDE_SAME_COUNTS;
	else if (!b.cache_events)
		b.verdict = LAC_BESIDE_NOT_COUNTED;
	else if (!b.cache_resolved)
		b.verdict = LAC_BESIDE_NOT_SHOWN;
	else
		b.verdict = LAC_BESIDE_COMPATIBLE;
	*ret = b;
}

/* --- sentences */

LAC_PRINTF(3, 4)
static void say(struct lac_doc *d, json_t *list, const char *fmt, ...)
{
	char text[800];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	lac_doc_append(d, list, lac_doc_string(text));
}

static void say_verdict(struct lac_doc *d, json_t *may, json_t *may_not,
			const struct lac_diff_job *job,
			const struct lac_perfstat_pair *pair,
			const struct lac_beside *b)
{
	const struct lac_diff *w = job->report.whole;

	switch (b->verdict) {
	case LAC_BESIDE_OTHER_PROGRAMS:
		say(d, may_not,
		    "Nothing about the builds: the outputs are of different "
		    "commands (%s and %s), so the ratios compare programs.",
		    pair->p->outputs[pair->i].title,
		    pair->q->outputs[pair->k].title);
		break;
	case LAC_BESIDE_SAME_LAYOUT:
		say(d, may,
		    "Whatever changed the counters is not a layout: of the "
		    "%u record%s of the builds none differs%s.",
		    w->new_side.nrecords, lac_s(w->new_side.nrecords),
		    w->old_side.tells_alignment && w->new_side.tells_alignment
			    ? ""
			    : ", as far as BTF tells, which has no declared "
			      "alignment");
		break;
	case LAC_BESIDE_NOT_ALL_READ:
		say(d, may_not,
		    "Whether a layout changed: none of the records that were "
		    "read differs, but not everything was read (%.300s).",
		    not_read(&job->report));
		break;
	case LAC_BESIDE_SAME_COUNTS:
		say(d, may,
		    "No effect of the layouts shows: no counter differs by "
		    "more than its errors explain.  The intervals say how "
		    "large one could be and not show.");
		break;
	case LAC_BESIDE_NOT_COUNTED:
		say(d, may_not,
		    "An effect of the layouts, nor that there is none: no "
		    "event counts references or misses of the data caches, "
		    "which is where a layout acts.  Count some as well, for "
		    "example L1-dcache-load-misses, LLC-loads, LLC-load-misses "
		    "and dTLB-load-misses (perf stat -e).");
		break;
	case LAC_BESIDE_NOT_SHOWN:
		say(d, may,
		    "No effect of the layouts on the data caches shows: %zu "
		    "event%s of them counted, none differs by more than its "
		    "errors explain.",
		    b->cache_events, lac_s(b->cache_events));
		break;
	case LAC_BESIDE_COMPATIBLE:
		say(d, may,
		    "The counts of the data caches differ (%zu of %zu event%s "
		    "resolved) and so %s %u record%s in size, %u in lines, %u "
		    "in members across a line: the layouts are a possible "
		    "cause.",
		    b->cache_resolved, b->cache_events, lac_s(b->cache_events),
		    lac_plural(b->all.resized, "does", "do"), b->all.resized,
		    lac_s(b->all.resized), b->all.relined, b->all.recrossed);
		break;
	}
}

#define LOCKS_NAMED 4u

/* A lock that changed its size is another lock. */
static void say_locks(struct lac_doc *d, json_t *may,
		      const struct lac_diff_job *job)
{
	char text[300] = "";
	uint32_t n = 0;
	size_t at = 0;

	for (uint32_t i = 0; i < job->whole.ncauses; i++) {
		const struct lac_cause *c = &job->whole.causes[i];

		if (strcmp(c->what, "size") ||
		    !lac_cause_is_lock(&job->whole, c) ||
		    ++n > LOCKS_NAMED || at >= sizeof(text))
			continue;
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       "%s%s %llu -> %llu bytes",
				       n > 1 ? ", " : "", c->name,
				       (unsigned long long)c->old_value,
				       (unsigned long long)c->new_value);
	}
	if (n)
		say(d, may,
		    "The builds differ in their locks, not in layout alone: "
		    "%s%s.",
		    text, n > LOCKS_NAMED ? " and more" : "");
}

static void say_waiting(struct lac_doc *d, json_t *may,
			const struct lac_beside *b)
{
	if (b->waiting && b->waiting->has_ratio && b->elapsed &&
	    b->elapsed->has_ratio)
		say(d, may,
		    "Waiting changed: %s %.4g times, elapsed time %.4g times.  "
		    "A layout changes which lines are touched; it does not by "
		    "itself make a task sleep.",
		    b->waiting->name, b->waiting->ratio, b->elapsed->ratio);
}

static void say_limits(struct lac_doc *d, json_t *may_not,
		       const struct lac_perfstat_pair *pair,
		       const struct lac_beside *b)
{
	if (b->verdict == LAC_BESIDE_OTHER_PROGRAMS)
		return;
	if (b->all.records > 1)
		say(d, may_not,
		    "Which record is behind a counter: %u differ at once, and "
		    "perf stat counts a whole program.",
		    b->all.records);
	/* where no layout differs, that was said: it is not the cause */
	if (b->verdict == LAC_BESIDE_SAME_LAYOUT)
		say(d, may_not,
		    "What changed the counters instead: code, configuration, "
		    "the machine and its load are not told apart here.");
	else
		say(d, may_not,
		    "That a layout is the cause: the builds differ in code as "
		    "well.  It takes builds that differ in the layout only, as "
		    "`lacuna bench` makes them, or one member padded back and "
		    "the same command again.");
	if (!pair->p->outputs[pair->i].title || !pair->q->outputs[pair->k].title)
		say(d, may_not,
		    "That both outputs are of one command: a header that says "
		    "so is missing.");
}

/* What the misses may explain of the cycles, where they are the layouts'. */
static void say_cost(struct lac_doc *d, json_t *j, json_t *may, json_t *may_not,
		     const struct lac_perfstat_pair *pair,
		     const struct lac_beside *b)
{
	struct lac_miss_cost m;
	const char *text;

	if (b->verdict != LAC_BESIDE_COMPATIBLE) {
		lac_doc_set(d, j, "miss_cost", json_null());
		return;
	}
	lac_miss_cost_estimate(&pair->c, &m);
	lac_doc_set(d, j, "miss_cost", lac_miss_cost_data(&m));
	text = lac_miss_cost_text(&m, d->arena);
	if (text)
		say(d, m.unknown ? may_not : may, "%s", text);
	else
		d->broken = true;
}

static json_t *event_data(struct lac_doc *d, const struct lac_perfstat_row *r)
{
	json_t *j = json_object();

	lac_doc_set(d, j, "event", lac_doc_string(r->name));
	lac_doc_set(d, j, "sort",
		    json_string(sort_name(lac_event_sort(r->name))));
	return j;
}

void lac_beside_data(struct lac_doc *d, const struct lac_diff_job *job,
		     const struct lac_perfstat_pair *pair,
		     const struct lac_beside *b)
{
	json_t *j = json_object(), *may = json_array();
	json_t *may_not = json_array(), *events = json_array();

	lac_doc_set(d, d->data, "beside", j);
	lac_doc_set(d, j, "verdict",
		    json_string(lac_beside_verdict_name(b->verdict)));
	lac_doc_set(d, j, "records", json_integer(b->all.records));
	lac_doc_set(d, j, "records_selected",
		    json_integer(b->selected.records));
	lac_doc_set(d, j, "records_resized", json_integer(b->all.resized));
	lac_doc_set(d, j, "records_with_other_lines",
		    json_integer(b->all.relined));
	lac_doc_set(d, j, "records_with_other_straddlers",
		    json_integer(b->all.recrossed));
	lac_doc_set(d, j, "data_cache_events",
		    json_integer((json_int_t)b->cache_events));
	lac_doc_set(d, j, "data_cache_events_resolved",
		    json_integer((json_int_t)b->cache_resolved));
	lac_doc_set(d, j, "events", events);
	for (size_t i = 0; i < pair->c.nrows; i++)
		lac_doc_append(d, events, event_data(d, &pair->c.rows[i]));
	lac_doc_set(d, j, "may_conclude", may);
	lac_doc_set(d, j, "may_not_conclude", may_not);
	say_verdict(d, may, may_not, job, pair, b);
	say_cost(d, j, may, may_not, pair, b);
	if (b->verdict != LAC_BESIDE_OTHER_PROGRAMS) {
		say_waiting(d, may, b);
		say_locks(d, may, job);
	}
	say_limits(d, may_not, pair, b);
}

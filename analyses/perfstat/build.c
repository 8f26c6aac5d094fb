/* SPDX-License-Identifier: BSD-2-Clause */
/* build.c - the values grow in the arena while they are read. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "perfstat/reader.h"

/* A thread has a few outputs; one of -A has a few dozen events a processor. */
#define MAX_OUTPUTS 1000
#define MAX_EVENTS 50000

/* The old copies stay in the arena: at most as much again. */
void *lac_perfstat_grow(struct lac_arena *a, void *array, size_t n,
			size_t *cap, size_t size)
{
	size_t want = *cap ? 2 * *cap : 8;
	void *grown;

	if (n < *cap)
		return array;
	grown = lac_arena_zalloc(a, want, size);
	if (!grown)
		return NULL;
	if (n)
		memcpy(grown, array, n * size);
	*cap = want;
	return grown;
}

enum lac_status lac_perfstat_begin_output(struct lac_perfstat_reader *r,
					  unsigned line,
					  struct lac_perfstat_output **ret)
{
	struct lac_perfstat *p = r->p;
	void *grown;

	if (p->noutputs == MAX_OUTPUTS)
		return lac_fail(r->err, LAC_BAD_INPUT,
				"%s:%u: more than %d outputs of perf stat: "
				"split the file",
				p->name, line, MAX_OUTPUTS);
	grown = lac_perfstat_grow(p->arena, p->outputs, p->noutputs,
				  &p->outputs_cap, sizeof(*p->outputs));
	if (!grown)
		return lac_fail_memory(r->err);
	p->outputs = grown;
	*ret = &p->outputs[p->noutputs++];
	(*ret)->first_line = (*ret)->last_line = line;
	lac_perfstat_index_clear(&r->index);
	return LAC_OK;
}

enum lac_status lac_perfstat_begin_event(struct lac_perfstat_reader *r,
					 struct lac_perfstat_output *o,
					 unsigned line, const char *where,
					 const char *name,
					 struct lac_perfstat_event **ret)
{
	struct lac_perfstat_event *e;
	void *grown;

	if (r->nevents++ == MAX_EVENTS)
		return lac_fail(r->err, LAC_BAD_INPUT,
				"%s:%u: more than %d events: split the file",
				r->p->name, line, MAX_EVENTS);
	grown = lac_perfstat_grow(r->p->arena, o->events, o->nevents,
				  &o->events_cap, sizeof(*o->events));
	if (!grown)
		return lac_fail_memory(r->err);
	o->events = grown;
	e = &o->events[o->nevents];
	e->line = o->last_line = line;
	e->where = where;
	e->name = name;
	e->unit = "";
	e->running_percent = 100;
	e->again = lac_perfstat_index_find(&r->index, where, name) != SIZE_MAX;
	if (!e->again && !lac_perfstat_index_add(&r->index, r->p->arena, where,
						 name, o->nevents))
		return lac_fail_memory(r->err);
	o->nevents++;
	*ret = e;
	return LAC_OK;
}

struct lac_perfstat_metric *lac_perfstat_add_metric(struct lac_perfstat *p,
						    struct lac_perfstat_event *e)
{
	void *grown = lac_perfstat_grow(p->arena, e->metrics, e->nmetrics,
					&e->metrics_cap, sizeof(*e->metrics));

	if (!grown)
		return NULL;
	e->metrics = grown;
	return &e->metrics[e->nmetrics++];
}

enum lac_status lac_perfstat_add_note(struct lac_perfstat_reader *r,
				      unsigned line, const char *fmt, ...)
{
	struct lac_perfstat *p = r->p;
	char text[512];
	va_list ap;
	void *grown;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	grown = lac_perfstat_grow(p->arena, p->notes, p->nnotes, &p->notes_cap,
				  sizeof(*p->notes));
	if (!grown)
		return lac_fail_memory(r->err);
	p->notes = grown;
	p->notes[p->nnotes].line = line;
	p->notes[p->nnotes].text = lac_arena_strdup(p->arena, text);
	if (!p->notes[p->nnotes].text)
		return lac_fail_memory(r->err);
	p->nnotes++;
	return LAC_OK;
}

enum lac_status lac_perfstat_see_marks(struct lac_perfstat_reader *r,
				       struct lac_perfstat_output *o,
				       unsigned line,
				       const struct lac_perfstat_scan *s)
{
	char mark = s->mark ? s->mark : o->mark;
	char group = s->group ? s->group : o->group;

	if ((o->mark && mark != o->mark) || (o->group && group != o->group) ||
	    (mark && mark == group))
		return lac_fail(r->err, LAC_BAD_INPUT,
				"%s:%u: the numbers follow two locales at once "
				"(decimal mark and grouping contradict the "
				"lines before): pass the outputs as separate "
				"files, or run perf stat again with LC_ALL=C",
				r->p->name, line);
	o->mark = mark;
	o->group = group;
	return LAC_OK;
}

enum lac_status
lac_perfstat_check_decimals(const struct lac_perfstat_reader *r,
			    const struct lac_perfstat_event *e,
			    const struct lac_perfstat_scan *value)
{
	if (!value->decimals || *e->unit || !lac_perfstat_is_plain_count(e->name))
		return LAC_OK;
	return lac_fail(r->err, LAC_BAD_INPUT,
			"%s:%u: %s with decimals: perf prints this count "
			"without; is a digit of a group of three missing? "
			"Correct the line, or leave it out",
			r->p->name, e->line, e->name);
}

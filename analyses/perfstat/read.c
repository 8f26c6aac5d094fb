/* SPDX-License-Identifier: BSD-2-Clause */
/* read.c - which form is it, and may it be read at all. */
#include <string.h>

#include "perfstat/reader.h"

static enum lac_status pick_form(struct lac_perfstat_reader *r)
{
	size_t human = lac_perfstat_count_human(r->lines);
	size_t csv = lac_perfstat_count_csv(r->lines);
	size_t json = lac_perfstat_count_json(r->lines);

	if ((human > 0) + (csv > 0) + (json > 0) > 1)
		return lac_fail(r->err, LAC_BAD_INPUT,
				"%s: more than one form of perf stat output "
				"(for people, -x, -j) in it: split the file",
				r->p->name);
	r->p->form = json  ? LAC_PERFSTAT_JSON
		     : csv ? LAC_PERFSTAT_CSV
			   : LAC_PERFSTAT_HUMAN;
	if (human || csv || json)
		return LAC_OK;
	return lac_fail(r->err, LAC_BAD_INPUT,
			"%s: nothing that perf stat prints in it.  perf stat "
			"writes to standard error: keep it with -o FILE or "
			"2>FILE; its usual form, -x and -j can be read",
			r->p->name);
}

static enum lac_status read_form(struct lac_perfstat_reader *r)
{
	switch (r->p->form) {
	case LAC_PERFSTAT_HUMAN:
		return lac_perfstat_read_human(r);
	case LAC_PERFSTAT_CSV:
		return lac_perfstat_read_csv(r);
	case LAC_PERFSTAT_JSON:
		return lac_perfstat_read_json(r);
	}
	return LAC_OK;
}

static enum lac_status check_series(struct lac_perfstat_reader *r)
{
	if (!r->p->noutputs && r->series_lines)
		return lac_fail(r->err, LAC_UNSUPPORTED,
				"%s: a series of intervals (-I) without a "
				"total: run perf stat again without -I, or "
				"with --summary",
				r->p->name);
	if (!r->p->noutputs)
		return lac_fail(r->err, LAC_BAD_INPUT,
				"%s: no event of perf stat in it", r->p->name);
	if (r->series_lines)
		return lac_perfstat_add_note(r, 0,
					     "%zu lines of intervals (-I) left "
					     "out; the total is read",
					     r->series_lines);
	return LAC_OK;
}

static enum lac_status read_all(struct lac_perfstat *p, const void *bytes,
				size_t size,
				const struct lac_perfstat_hints *hints,
				struct lac_err *err)
{
	struct lac_perfstat_lines lines;
	struct lac_perfstat_reader r = { .p = p, .lines = &lines, .err = err };

	LAC_TRY(lac_perfstat_split(p->name, bytes, size, p->arena, &lines, err));
	LAC_TRY(pick_form(&r));
	LAC_TRY(read_form(&r));
	LAC_TRY(check_series(&r));
	for (size_t i = 0; i < p->noutputs; i++)
		LAC_TRY(lac_perfstat_finish(&r, &p->outputs[i], hints));
	return LAC_OK;
}

enum lac_status lac_perfstat_read(const char *name, const void *bytes,
				  size_t size,
				  const struct lac_perfstat_hints *hints,
				  struct lac_perfstat **ret,
				  struct lac_err *err)
{
	static const struct lac_perfstat_hints none;
	struct lac_arena *a = lac_arena_create();
	struct lac_perfstat *p = a ? lac_arena_zalloc(a, 1, sizeof(*p)) : NULL;
	enum lac_status st;

	if (p)
		p->name = lac_arena_strdup(a, name);
	if (!p || !p->name) {
		lac_arena_destroy(a);
		return lac_fail_memory(err);
	}
	p->arena = a;
	st = read_all(p, bytes, size, hints ? hints : &none, err);
	if (st != LAC_OK) {
		lac_arena_destroy(a);
		return st;
	}
	*ret = p;
	return LAC_OK;
}

void lac_perfstat_destroy(struct lac_perfstat *p)
{
	if (p)
		lac_arena_destroy(p->arena);
}

bool lac_perfstat_same_command(const struct lac_perfstat_output *a,
			       const struct lac_perfstat_output *b)
{
	const char *s = a->title, *t = b->title;

	while (s && t) {
		s += strspn(s, " \t");
		t += strspn(t, " \t");
		if (*s != *t)
			return false;
		if (!*s)
			break;
		s++;
		t++;
	}
	return true;
}

size_t lac_perfstat_disagreements(const struct lac_perfstat_output *o)
{
	size_t n = 0;

	for (size_t i = 0; i < o->nevents; i++)
		for (size_t k = 0; k < o->events[i].nmetrics; k++)
			n += o->events[i].metrics[k].check ==
			     LAC_PERFSTAT_DISAGREES;
	return n;
}

const char *lac_perfstat_form_name(enum lac_perfstat_form f)
{
	static const char *const names[] = { "human", "csv", "json" };

	return names[f];
}

const char *lac_perfstat_status_name(enum lac_perfstat_status s)
{
	static const char *const names[] = { "measured", "scaled",
					     "unsupported", "not counted" };

	return names[s];
}

const char *lac_perfstat_means_name(enum lac_perfstat_means m)
{
	static const char *const names[] = { "one run", "means", "last run",
					     "undecided" };

	return names[m];
}

const char *lac_perfstat_check_name(enum lac_perfstat_check c)
{
	static const char *const names[] = { "agrees",	"disagrees",
					     "mixed",	"cut",
					     "no input", "no formula" };

	return names[c];
}

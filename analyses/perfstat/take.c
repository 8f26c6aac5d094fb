/* SPDX-License-Identifier: BSD-2-Clause */
/* take.c - a record becomes an event, unless it says two things at once. */
#include <string.h>

#include "perfstat/record.h"

/* Copied without doubled blanks, so that a wrapped name equals a whole one. */
static const char *copy(struct lac_perfstat_reader *r,
			struct lac_perfstat_part p)
{
	char *s = lac_arena_strndup(r->p->arena, p.n ? p.s : "", p.n);
	size_t to = 0;

	if (!s)
		return NULL;
	for (size_t i = 0; s[i]; i++) {
		bool blank = s[i] == ' ' || s[i] == '\t';

		if (!blank)
			s[to++] = s[i];
		else if (to && s[to - 1] != ' ')
			s[to++] = ' ';
	}
	s[to] = '\0';
	return s;
}

enum lac_status lac_perfstat_record_seen(struct lac_perfstat_reader *r,
					 const struct lac_perfstat_record *rec,
					 bool *ret)
{
	const char *where = copy(r, rec->where), *name = copy(r, rec->name);

	if (!where || !name)
		return lac_fail_memory(r->err);
	*ret = lac_perfstat_index_find(&r->index, where, name) != SIZE_MAX;
	return LAC_OK;
}

static enum lac_status take_metrics(struct lac_perfstat_reader *r,
				    struct lac_perfstat_output *o,
				    struct lac_perfstat_event *e,
				    const struct lac_perfstat_record *rec)
{
	for (size_t i = 0; i < rec->nmetrics; i++) {
		struct lac_perfstat_metric *m;
		const char *unit = copy(r, rec->metrics[i].unit);

		LAC_TRY(lac_perfstat_see_marks(r, o, e->line,
					       &rec->metrics[i].value));
		m = lac_perfstat_add_metric(r->p, e);
		if (!m || !unit)
			return lac_fail_memory(r->err);
		m->unit = unit;
		m->percent = rec->metrics[i].percent;
		m->printed = rec->metrics[i].value.number;
	}
	return LAC_OK;
}

static enum lac_status take_value(struct lac_perfstat_reader *r,
				  struct lac_perfstat_output *o,
				  struct lac_perfstat_event *e,
				  const struct lac_perfstat_record *rec)
{
	if (!strcmp(e->unit, "msec") && rec->value.group &&
	    !rec->value.decimals)
		return lac_fail(r->err, LAC_BAD_INPUT,
				"%s:%u: %s in msec with a separator but not "
				"two decimals: thousands or fractions? perf "
				"prints neither; was the line edited?",
				r->p->name, e->line, e->name);
	LAC_TRY(lac_perfstat_check_decimals(r, e, &rec->value));
	LAC_TRY(lac_perfstat_see_marks(r, o, e->line, &rec->value));
	e->count = rec->value.number;
	e->integer = !rec->value.decimals;
	if (rec->has_noise) {
		LAC_TRY(lac_perfstat_see_marks(r, o, e->line, &rec->noise));
		e->has_error = true;
		e->error_percent = rec->noise.number;
		e->error = e->error_percent.value / 100 * e->count.value;
	}
	if (rec->has_share) {
		LAC_TRY(lac_perfstat_see_marks(r, o, e->line, &rec->share));
		e->running_percent = rec->share.number.value;
		if (e->running_percent < 100)
			e->status = LAC_PERFSTAT_SCALED;
	}
	return LAC_OK;
}

enum lac_status lac_perfstat_take_record(struct lac_perfstat_reader *r,
					 struct lac_perfstat_output *o,
					 unsigned line,
					 const struct lac_perfstat_record *rec)
{
	struct lac_perfstat_event *e;
	const char *where = copy(r, rec->where), *name = copy(r, rec->name);
	const char *unit = copy(r, rec->unit);

	if (!where || !name || !unit)
		return lac_fail_memory(r->err);
	LAC_TRY(lac_perfstat_begin_event(r, o, line, where, name, &e));
	e->cpus = rec->cpus;
	e->unit = unit;
	e->status = rec->status;
	if (rec->status == LAC_PERFSTAT_MEASURED)
		LAC_TRY(take_value(r, o, e, rec));
	return take_metrics(r, o, e, rec);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* check.c - every rule on every type that it matches; the results in order. */
#include <inttypes.h>
#include <string.h>

#include "base/glob.h"
#include "diff/check.h"

const char *lac_finding_status_name(enum lac_finding_status s)
{
	static const char *const names[] = {
		[LAC_FINDING_HOLDS] = "holds",
		[LAC_FINDING_BETTER] = "better",
		[LAC_FINDING_BROKEN] = "broken",
		[LAC_FINDING_UNDECIDED] = "undecided",
		[LAC_FINDING_NO_MATCH] = "no-match",
	};

	return names[s];
}

static const char *keep(struct run *r, const char *s)
{
	return s ? lac_arena_strdup(r->c->arena, s) : NULL;
}

static enum lac_status add(struct run *r, struct lac_finding f)
{
	struct lac_check *c = r->c;
	struct lac_finding *to;

	if (c->nfindings == r->cap) {
		uint32_t cap = r->cap ? 2 * r->cap : 16;
		struct lac_finding *more =
			lac_arena_zalloc(c->arena, cap, sizeof(*more));

		if (!more)
			return lac_fail_memory(r->err);
		if (c->nfindings)
			memcpy(more, c->findings,
			       c->nfindings * sizeof(*more));
		c->findings = more;
		r->cap = cap;
	}
	to = &c->findings[c->nfindings++];
	*to = f;
	to->file = keep(r, f.file);
	to->subject = keep(r, f.subject);
	to->wanted = keep(r, f.wanted);
	to->found = keep(r, f.found);
	to->decl_file = keep(r, f.decl_file);
	if (!to->file || !to->subject || !to->wanted || !to->found ||
	    (f.decl_file && !to->decl_file))
		return lac_fail_memory(r->err);
	return LAC_OK;
}

enum lac_status lac_check_add(struct run *r, const struct lac_condition *c,
			      const char *file, const char *subject,
			      const struct lac_shape *s,
			      enum lac_finding_status status,
			      const char *found)
{
	if (!found || !subject)
		return lac_fail_memory(r->err);
	r->c->nbetter += status == LAC_FINDING_BETTER;
	r->c->nfailed += lac_finding_fails(status);
	return add(r, (struct lac_finding){
			      .status = status,
			      .file = file,
			      .line = c->line,
			      .column = c->column,
			      .subject = subject,
			      .wanted = c->text,
			      .found = found,
			      .decl_file = s ? s->decl_file : NULL,
			      .decl_line = s ? s->decl_line : 0,
		      });
}

/* Of holes, `show` counts only those between direct members. */
static const char *found_text(struct run *r, const struct lac_labelled *t,
			      enum lac_metric metric, struct range v)
{
	const char *text = lac_check_range_text(r, v);
	bool bytes = metric == LAC_METRIC_HOLE_BYTES;
	uint64_t shown = bytes ? (t->shape.hole_bits + 7) / 8 : t->shape.nholes;

	if (!text || (metric != LAC_METRIC_HOLES && !bytes) || v.low == shown)
		return text;
	return lac_arena_printf(r->scratch,
				"%s with unnamed structs and unions opened, "
				"%" PRIu64 " without, as `show` counts",
				text, shown);
}

static enum lac_status check_type(struct run *r, const struct lac_condition *c,
				  const struct lac_labelled *t)
{
	const char *file = r->o->budget->path;
	struct range v;

	switch (c->metric) {
	case LAC_METRIC_NO_NEW_HOLES:
	case LAC_METRIC_NO_GROWTH:
	case LAC_METRIC_NO_CHANGE:
	case LAC_METRIC_NO_WORSE:
		return lac_check_against(
			r, c, file, t,
			lac_baseline_find(r->o->baseline, t->label));
	default:
		v = lac_check_figure(r, t, c->metric);
		return lac_check_add(r, c, file, t->label, &t->shape,
				     lac_check_decide(v, c->compare,
						      c->wanted),
				     found_text(r, t, c->metric, v));
	}
}

static enum lac_status no_match(struct run *r, const struct lac_rule *rule)
{
	const char *found = "no such type";

	if (rule->optional)
		return LAC_OK;
	if (rule->nmembers)
		return lac_check_no_members(r, rule, NULL, found);
	for (uint32_t k = 0; k < rule->nconditions; k++)
		LAC_TRY(lac_check_add(r, &rule->conditions[k],
				      r->o->budget->path, rule->subject, NULL,
				      LAC_FINDING_NO_MATCH, found));
	return LAC_OK;
}

static bool matches(const struct lac_rule *rule, const struct lac_labelled *t)
{
	const struct lac_shape *s = &t->shape;
	const char *kind =
		s->is_enum ? "enum" : lac_record_kind_name(s->kind);

	if (rule->nmembers)
		return !s->is_enum && !strcmp(rule->pattern, s->name);
	if (rule->kind && strcmp(rule->kind, kind))
		return false;
	return lac_glob_name(rule->pattern, NULL, s->name);
}

static enum lac_status check_rule(struct run *r, const struct lac_rule *rule)
{
	bool any = false;

	for (uint32_t i = 0; i < r->ntypes; i++) {
		const struct lac_labelled *t = &r->types[i];

		if (!matches(rule, t))
			continue;
		any = true;
		if (rule->nmembers) {
			LAC_TRY(lac_check_members(r, rule, t));
			continue;
		}
		for (uint32_t k = 0; k < rule->nconditions; k++)
			LAC_TRY(check_type(r, &rule->conditions[k], t));
	}
	return any ? LAC_OK : no_match(r, rule);
}

enum lac_status lac_check_run(const struct lac_graph *g,
			      const struct lac_check_options *o,
			      struct lac_check **ret, struct lac_err *err)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	LAC_CLEANUP_ARENA struct lac_arena *scratch = lac_arena_create();
	struct run r = {.g = g,
			.o = o,
			.line_size = o->line_size
					     ? o->line_size
					     : lac_line_size_of(&g->target,
								NULL),
			.scratch = scratch,
			.err = err};

	r.c = arena && scratch ? lac_arena_zalloc(arena, 1, sizeof(*r.c))
			       : NULL;
	if (!r.c)
		return lac_fail_memory(err);
	r.c->arena = arena;
	if (o->budget && o->budget->needs_baseline && !o->baseline)
		return lac_fail(err, LAC_USAGE,
				"%s:%u:1: the rule compares with a baseline; "
				"give one with --baseline",
				o->budget->path, o->budget->baseline_line);
	if (o->baseline && o->baseline->line_size != r.line_size)
		return lac_fail(err, LAC_USAGE,
				"%s:1:1: recorded with lines of %" PRIu32
				" bytes, and these are of %" PRIu32
				"; give --line-size %" PRIu32
				", or record it anew",
				o->baseline->path, o->baseline->line_size,
				r.line_size, o->baseline->line_size);
	LAC_TRY(lac_labelled_list(g, r.line_size, scratch, &r.types, &r.ntypes,
				  err));
	r.c->types = r.ntypes;
	for (uint32_t i = 0; o->budget && i < o->budget->n; i++)
		LAC_TRY(check_rule(&r, &o->budget->rules[i]));
	if (!o->budget && o->baseline)
		LAC_TRY(lac_check_baseline(&r));
	arena = NULL; /* the result's now */
	*ret = r.c;
	return LAC_OK;
}

void lac_check_destroy(struct lac_check *c)
{
	if (c)
		lac_arena_destroy(c->arena);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * budget_eval.c - each figure as the interval that the input allows.  A
 * condition holds or is broken if it does so all over the interval; otherwise
 * it cannot be decided, which is a finding, too.
 */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diff/budget.h"

struct range {
	uint64_t low, high;
};

enum verdict { HOLDS, BROKEN, UNDECIDED };

struct run {
	const struct lac_graph *g;
	const struct lac_check_options *o;
	uint32_t line_size;
	struct lac_labelled *types;
	uint32_t ntypes;
	struct lac_check *c;
	uint32_t cap;
	struct lac_arena *scratch;
	struct lac_err *err;
};

const char *lac_finding_status_name(enum lac_finding_status s)
{
	static const char *const names[] = {
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

static struct range exactly(uint64_t v)
{
	return (struct range){v, v};
}

static struct range known_size(uint64_t v)
{
	return v == LAC_SIZE_UNKNOWN ? (struct range){0, UINT64_MAX}
				     : exactly(v);
}

/* What its members ask for at least; the size is a multiple of it. */
static struct range align_range(const struct run *r,
				const struct lac_labelled *t)
{
	enum lac_certainty source;
	struct range a = {1, UINT32_MAX};

	if (t->record == LAC_NONE)
		return a;
	if (t->shape.align)
		return exactly(t->shape.align);
	a.low = lac_type_align(r->g, r->g->records[t->record].type, &source);
	a.low = a.low ? a.low : 1;
	if (t->shape.size && t->shape.size != LAC_SIZE_UNKNOWN)
		a.high = t->shape.size & -t->shape.size;
	if (a.low > a.high)
		a.low = 1;
	return a;
}

/* Bits that may or may not be free make counts of holes a lower bound. */
static struct range at_least(const struct lac_shape *s, uint64_t v)
{
	return (struct range){
		v, s->unknown_bits || s->size == LAC_SIZE_UNKNOWN ? UINT64_MAX
								  : v};
}

static struct range figure(const struct run *r, const struct lac_labelled *t,
			   enum lac_metric metric)
{
	const struct lac_shape *s = &t->shape;
	uint64_t f[LAC_FIGURES];

	lac_figures_of(s, f);
	switch (metric) {
	case LAC_METRIC_SIZE:
		return known_size(s->size);
	case LAC_METRIC_ALIGN:
		return align_range(r, t);
	case LAC_METRIC_LINES:
		return known_size(f[LAC_FIGURE_LINES]);
	case LAC_METRIC_HOLES:
		return at_least(s, s->nholes);
	case LAC_METRIC_HOLE_BYTES:
		return at_least(s, (s->hole_bits + 7) / 8);
	case LAC_METRIC_PADDING:
		return at_least(s, (s->padding_bits + 7) / 8);
	case LAC_METRIC_STRADDLERS:
		return at_least(s, s->nstraddlers);
	default:
		return exactly(f[LAC_FIGURE_MEMBERS]);
	}
}

static enum verdict decide(struct range v, enum lac_compare c, uint64_t w)
{
	bool all, none;

	switch (c) {
	case LAC_EQ:
		all = v.low == w && v.high == w;
		none = w < v.low || w > v.high;
		break;
	case LAC_NE:
		all = w < v.low || w > v.high;
		none = v.low == w && v.high == w;
		break;
	case LAC_LT:
		all = v.high < w;
		none = v.low >= w;
		break;
	case LAC_LE:
		all = v.high <= w;
		none = v.low > w;
		break;
	case LAC_GT:
		all = v.low > w;
		none = v.high <= w;
		break;
	default:
		all = v.low >= w;
		none = v.high < w;
	}
	return all ? HOLDS : none ? BROKEN : UNDECIDED;
}

static const char *range_text(struct run *r, struct range v)
{
	if (v.low == v.high)
		return lac_arena_printf(r->scratch, "%" PRIu64, v.low);
	if (v.high >= UINT32_MAX)
		return v.low > 1 ? lac_arena_printf(r->scratch,
						    "unknown, at least "
						    "%" PRIu64, v.low)
				 : "unknown";
	return lac_arena_printf(r->scratch,
				"unknown, from %" PRIu64 " to %" PRIu64,
				v.low, v.high);
}

static enum lac_status report(struct run *r, const struct lac_condition *c,
			      const char *file, const char *subject,
			      const struct lac_shape *s, enum verdict v,
			      const char *found)
{
	if (!found)
		return lac_fail_memory(r->err);
	r->c->decided++;
	if (v == HOLDS)
		return LAC_OK;
	return add(r, (struct lac_finding){
			      .status = v == BROKEN ? LAC_FINDING_BROKEN
						    : LAC_FINDING_UNDECIDED,
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

/* "hole_bits 0 -> 64, size 56 -> 64": what is larger, or other. */
static const char *changes_text(struct run *r, const uint64_t *was,
				const uint64_t *is, const bool *look,
				bool *unknown)
{
	const char *text = "";

	for (int i = 0; i < LAC_FIGURES && text; i++) {
		const char *name = lac_figure_name((enum lac_figure_id)i);

		if (!look[i] || was[i] == is[i])
			continue;
		if (was[i] == LAC_FIGURE_UNKNOWN ||
		    is[i] == LAC_FIGURE_UNKNOWN) {
			*unknown = true;
			text = lac_arena_printf(r->scratch,
						"%s%s%s unknown", text,
						*text ? ", " : "", name);
			continue;
		}
		text = lac_arena_printf(r->scratch,
					"%s%s%s %" PRIu64 " -> %" PRIu64, text,
					*text ? ", " : "", name, was[i],
					is[i]);
	}
	return text;
}

static enum lac_status against(struct run *r, const struct lac_condition *c,
			       const char *file, const struct lac_labelled *t,
			       const struct lac_baseline_entry *e)
{
	static const uint64_t none[LAC_FIGURES];
	uint64_t is[LAC_FIGURES];
	bool look[LAC_FIGURES] = {false};
	const uint64_t *was = e ? e->figures : none;
	bool unknown = false, grew = false;
	const char *text;
	enum verdict v;

	lac_figures_of(&t->shape, is);
	switch (c->metric) {
	case LAC_METRIC_NO_NEW_HOLES:
		look[LAC_FIGURE_HOLES] = look[LAC_FIGURE_HOLE_BITS] = true;
		break;
	case LAC_METRIC_NO_GROWTH:
		look[LAC_FIGURE_SIZE] = look[LAC_FIGURE_LINES] = e != NULL;
		break;
	default:
		for (int i = 0; i < LAC_FIGURES; i++)
			look[i] = e != NULL;
	}
	for (int i = 0; i < LAC_FIGURES; i++)
		grew |= look[i] && is[i] > was[i];
	text = changes_text(r, was, is, look, &unknown);
	if (!text)
		return lac_fail_memory(r->err);
	v = !*text		? HOLDS
	    : unknown		? UNDECIDED
	    : c->metric == LAC_METRIC_NO_CHANGE || grew ? BROKEN
							: HOLDS;
	if (c->metric == LAC_METRIC_NO_NEW_HOLES && v == HOLDS &&
	    t->shape.unknown_bits) {
		v = UNDECIDED;
		text = "unknown: a member's size is not told";
	}
	if (!e && v == BROKEN)
		text = lac_arena_printf(r->scratch,
					"%s (not in the baseline)", text);
	return report(r, c, file, t->label, &t->shape, v, text);
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
		return against(r, c, file, t,
			       lac_baseline_find(r->o->baseline, t->label));
	default:
		v = figure(r, t, c->metric);
		return report(r, c, file, t->label, &t->shape,
			      decide(v, c->compare, c->wanted),
			      range_text(r, v));
	}
}

static const struct lac_field *field(const struct lac_shape *s,
				     const char *path)
{
	for (uint32_t i = 0; i < s->nfields; i++)
		if (!strcmp(s->fields[i].path, path))
			return &s->fields[i];
	return NULL;
}

static bool placed(const struct lac_field *f)
{
	return f->certainty != LAC_DYNAMIC &&
	       f->bit_offset != LAC_SIZE_UNKNOWN &&
	       f->bit_size != LAC_SIZE_UNKNOWN;
}

static uint64_t first_line(const struct run *r, const struct lac_field *f)
{
	return f->bit_offset / 8 / r->line_size;
}

static uint64_t last_line(const struct run *r, const struct lac_field *f)
{
	uint64_t last = f->bit_offset + (f->bit_size ? f->bit_size - 1 : 0);

	return last / 8 / r->line_size;
}

static const char *lines_text(struct run *r, const struct lac_rule *rule,
			      const struct lac_field *const *f)
{
	const char *text = "";

	for (uint32_t i = 0; i < rule->nmembers && text; i++) {
		uint64_t a = first_line(r, f[i]), b = last_line(r, f[i]);

		text = a == b ? lac_arena_printf(r->scratch,
						 "%s%s%s in line %" PRIu64,
						 text, i ? ", " : "",
						 rule->members[i], a)
			      : lac_arena_printf(r->scratch,
						 "%s%s%s in lines %" PRIu64
						 " to %" PRIu64,
						 text, i ? ", " : "",
						 rule->members[i], a, b);
	}
	return text;
}

static enum lac_status check_lines(struct run *r, const struct lac_rule *rule,
				   const struct lac_condition *c,
				   const struct lac_labelled *t,
				   const struct lac_field *const *f)
{
	bool ok = true;

	for (uint32_t i = 0; i < rule->nmembers; i++) {
		if (!placed(f[i]))
			return report(r, c, r->o->budget->path, rule->subject,
				      &t->shape, UNDECIDED,
				      "unknown: the place or the size of a "
				      "member is not told");
		if (c->metric != LAC_METRIC_DIFFERENT_LINES)
			ok &= first_line(r, f[i]) == last_line(r, f[i]);
		for (uint32_t k = 0; k < i; k++) {
			bool apart = first_line(r, f[i]) > last_line(r, f[k]) ||
				     first_line(r, f[k]) > last_line(r, f[i]);

			if (c->metric == LAC_METRIC_DIFFERENT_LINES)
				ok &= apart;
			else if (c->metric == LAC_METRIC_SAME_LINE)
				ok &= !apart;
		}
	}
	return report(r, c, r->o->budget->path, rule->subject, &t->shape,
		      ok ? HOLDS : BROKEN, lines_text(r, rule, f));
}

static enum lac_status check_number(struct run *r, const struct lac_rule *rule,
				    const struct lac_condition *c,
				    const struct lac_labelled *t,
				    const struct lac_field *const *f)
{
	for (uint32_t i = 0; i < rule->nmembers; i++) {
		uint64_t bits = c->metric == LAC_METRIC_OFFSET
					? f[i]->bit_offset
					: f[i]->bit_size;
		struct range v = bits == LAC_SIZE_UNKNOWN
					 ? known_size(bits)
					 : exactly((bits + 7) / 8);
		const char *subject = lac_arena_printf(
			r->scratch, "member %s.%s", rule->pattern,
			rule->members[i]);

		/* a bit-field starts within a byte, and lies in whole ones */
		if (c->metric == LAC_METRIC_OFFSET && v.low == v.high)
			v = exactly(bits / 8);
		if (!subject)
			return lac_fail_memory(r->err);
		LAC_TRY(report(r, c, r->o->budget->path, subject, &t->shape,
			       decide(v, c->compare, c->wanted),
			       range_text(r, v)));
	}
	return LAC_OK;
}

static enum lac_status no_match(struct run *r, const struct lac_rule *rule,
				const struct lac_shape *s, const char *found)
{
	if (rule->optional)
		return LAC_OK;
	if (!found)
		return lac_fail_memory(r->err);
	r->c->decided++;
	return add(r, (struct lac_finding){
			      .status = LAC_FINDING_NO_MATCH,
			      .file = r->o->budget->path,
			      .line = rule->line,
			      .column = rule->column,
			      .subject = rule->subject,
			      .wanted = rule->conditions[0].text,
			      .found = found,
			      .decl_file = s ? s->decl_file : NULL,
			      .decl_line = s ? s->decl_line : 0,
		      });
}

static enum lac_status check_members(struct run *r,
				     const struct lac_rule *rule,
				     const struct lac_labelled *t)
{
	const struct lac_field **f =
		lac_arena_zalloc(r->scratch, rule->nmembers, sizeof(*f));

	if (!f)
		return lac_fail_memory(r->err);
	for (uint32_t i = 0; i < rule->nmembers; i++) {
		f[i] = field(&t->shape, rule->members[i]);
		if (!f[i])
			return no_match(r, rule, &t->shape,
					lac_arena_printf(r->scratch,
							 "%s has no member %s",
							 t->label,
							 rule->members[i]));
	}
	for (uint32_t k = 0; k < rule->nconditions; k++) {
		const struct lac_condition *c = &rule->conditions[k];

		if (c->metric == LAC_METRIC_OFFSET ||
		    c->metric == LAC_METRIC_SIZE)
			LAC_TRY(check_number(r, rule, c, t, f));
		else
			LAC_TRY(check_lines(r, rule, c, t, f));
	}
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
	return !fnmatch(rule->pattern, s->name, 0);
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
			LAC_TRY(check_members(r, rule, t));
			continue;
		}
		for (uint32_t k = 0; k < rule->nconditions; k++)
			LAC_TRY(check_type(r, &rule->conditions[k], t));
	}
	return any ? LAC_OK : no_match(r, rule, NULL, "no type is called so");
}

static const struct lac_labelled *labelled(const struct run *r,
					   const char *label)
{
	for (uint32_t i = 0; i < r->ntypes; i++)
		if (!strcmp(r->types[i].label, label))
			return &r->types[i];
	return NULL;
}

static int label_order(const void *key, const void *entry)
{
	return strcmp(key, ((const struct lac_labelled *)entry)->label);
}

/* Without a budget: what was recorded is as it was. */
static enum lac_status check_baseline(struct run *r)
{
	const struct lac_baseline *b = r->o->baseline;

	for (uint32_t i = 0; i < b->n; i++) {
		const struct lac_baseline_entry *e = &b->entries[i];
		struct lac_condition c = {.line = e->line,
					  .column = 1,
					  .metric = LAC_METRIC_NO_CHANGE,
					  .text = "no change"};
		const struct lac_labelled *t =
			r->ntypes ? bsearch(e->label, r->types, r->ntypes,
					    sizeof(*t), label_order)
				  : NULL;

		/* "#10" sorts before "#2", so a number may be missed */
		t = t ? t : labelled(r, e->label);
		if (t) {
			LAC_TRY(against(r, &c, b->path, t, e));
			continue;
		}
		r->c->decided++;
		LAC_TRY(add(r, (struct lac_finding){
				       .status = LAC_FINDING_NO_MATCH,
				       .file = b->path,
				       .line = e->line,
				       .column = 1,
				       .subject = e->label,
				       .wanted = c.text,
				       .found = "it is gone",
			       }));
	}
	return LAC_OK;
}

enum lac_status lac_check_run(const struct lac_graph *g,
			      const struct lac_check_options *o,
			      struct lac_check **ret, struct lac_err *err)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	LAC_CLEANUP_ARENA struct lac_arena *scratch = lac_arena_create();
	struct run r = {.g = g,
			.o = o,
			.line_size = o->line_size ? o->line_size : 64,
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
	LAC_TRY(lac_labelled_list(g, r.line_size, scratch, &r.types, &r.ntypes,
				  err));
	r.c->types = r.ntypes;
	for (uint32_t i = 0; o->budget && i < o->budget->n; i++)
		LAC_TRY(check_rule(&r, &o->budget->rules[i]));
	if (!o->budget && o->baseline)
		LAC_TRY(check_baseline(&r));
	arena = NULL; /* the result's now */
	*ret = r.c;
	return LAC_OK;
}

void lac_check_destroy(struct lac_check *c)
{
	if (c)
		lac_arena_destroy(c->arena);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* check_member.c - where members of one type are, and on which lines. */
#include <inttypes.h>
#include <string.h>

#include "diff/check.h"

/*
 * As a diff lists it ("vptr", "base T" and "slot[].x" too), or as C names it.
 */
static enum lac_status find(struct run *r, const struct lac_labelled *t,
			    const char *path, struct lac_place *ret,
			    const char **why)
{
	const struct lac_shape *s = &t->shape;

	for (uint32_t i = 0; i < s->nfields; i++)
		if (!strcmp(s->fields[i].path, path)) {
			const struct lac_field *f = &s->fields[i];

			ret->known = f->certainty != LAC_DYNAMIC &&
				     f->bit_offset != LAC_SIZE_UNKNOWN;
			ret->bit_offset = f->bit_offset;
			ret->bit_size = f->bit_size;
			return LAC_OK;
		}
	return lac_check_path(r, t, path, ret, why);
}

static bool placed(const struct lac_place *p)
{
	return p->known && p->bit_size != LAC_SIZE_UNKNOWN;
}

static uint64_t first_line(const struct run *r, const struct lac_place *f)
{
	return f->bit_offset / 8 / r->line_size;
}

static uint64_t last_line(const struct run *r, const struct lac_place *f)
{
	uint64_t last = f->bit_offset + (f->bit_size ? f->bit_size - 1 : 0);

	return last / 8 / r->line_size;
}

static const char *lines_text(struct run *r, const struct lac_rule *rule,
			      const struct lac_place *f)
{
	const char *text = "";

	for (uint32_t i = 0; i < rule->nmembers && text; i++) {
		uint64_t a, b;

		if (!placed(&f[i])) {
			text = lac_arena_printf(r->scratch,
						"%s%s%s in lines that are not "
						"told", text, i ? ", " : "",
						rule->members[i]);
			continue;
		}
		a = first_line(r, &f[i]);
		b = last_line(r, &f[i]);
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
				   const struct lac_place *f)
{
	bool ok = true, told = true;

	for (uint32_t i = 0; i < rule->nmembers; i++) {
		if (!placed(&f[i])) {
			told = false;
			continue;
		}
		if (c->metric != LAC_METRIC_DIFFERENT_LINES)
			ok &= first_line(r, &f[i]) == last_line(r, &f[i]);
		for (uint32_t k = 0; k < i; k++) {
			bool apart;

			if (!placed(&f[k]))
				continue;
			apart = first_line(r, &f[i]) > last_line(r, &f[k]) ||
				first_line(r, &f[k]) > last_line(r, &f[i]);
			if (c->metric == LAC_METRIC_DIFFERENT_LINES)
				ok &= apart;
			else if (c->metric == LAC_METRIC_SAME_LINE)
				ok &= !apart;
		}
	}
	return lac_check_add(r, c, r->o->budget->path, rule->subject,
			     &t->shape,
			     !ok    ? LAC_FINDING_BROKEN
			     : told ? LAC_FINDING_HOLDS
				    : LAC_FINDING_UNDECIDED,
			     lines_text(r, rule, f));
}

/* As a result of this condition is called: of all members, or of one. */
static const char *subject_of(struct run *r, const struct lac_rule *rule,
			      const struct lac_condition *c, uint32_t member)
{
	if (c->metric != LAC_METRIC_OFFSET && c->metric != LAC_METRIC_SIZE)
		return rule->subject;
	return lac_arena_printf(r->scratch, "member %s.%s", rule->pattern,
				rule->members[member]);
}

static enum lac_status check_number(struct run *r, const struct lac_rule *rule,
				    const struct lac_condition *c,
				    const struct lac_labelled *t,
				    const struct lac_place *f)
{
	for (uint32_t i = 0; i < rule->nmembers; i++) {
		uint64_t place = f[i].known ? f[i].bit_offset
					    : LAC_SIZE_UNKNOWN;
		uint64_t bits = c->metric == LAC_METRIC_OFFSET ? place
							: f[i].bit_size;
		struct range v = bits == LAC_SIZE_UNKNOWN
					 ? lac_check_size(bits)
					 : lac_check_exactly((bits + 7) / 8);

		/* a bit-field starts within a byte, and lies in whole ones */
		if (c->metric == LAC_METRIC_OFFSET && v.low == v.high)
			v = lac_check_exactly(bits / 8);
		LAC_TRY(lac_check_add(r, c, r->o->budget->path,
				      subject_of(r, rule, c, i), &t->shape,
				      lac_check_decide(v, c->compare,
						       c->wanted),
				      lac_check_range_text(r, v)));
	}
	return LAC_OK;
}

enum lac_status lac_check_no_members(struct run *r,
				     const struct lac_rule *rule,
				     const struct lac_shape *s,
				     const char *found)
{
	for (uint32_t k = 0; k < rule->nconditions; k++) {
		const struct lac_condition *c = &rule->conditions[k];
		bool each = c->metric == LAC_METRIC_OFFSET ||
			    c->metric == LAC_METRIC_SIZE;

		for (uint32_t i = 0; i < (each ? rule->nmembers : 1); i++)
			LAC_TRY(lac_check_add(r, c, r->o->budget->path,
					      subject_of(r, rule, c, i), s,
					      LAC_FINDING_NO_MATCH, found));
	}
	return LAC_OK;
}

enum lac_status lac_check_members(struct run *r, const struct lac_rule *rule,
				  const struct lac_labelled *t)
{
	struct lac_place *f =
		lac_arena_zalloc(r->scratch, rule->nmembers, sizeof(*f));

	if (!f)
		return lac_fail_memory(r->err);
	for (uint32_t i = 0; i < rule->nmembers; i++) {
		const char *why = NULL;
		enum lac_status st =
			find(r, t, rule->members[i], &f[i], &why);

		if (st != LAC_NOT_FOUND)
			LAC_TRY(st);
		else if (rule->optional)
			return LAC_OK;
		else
			return lac_check_no_members(r, rule, &t->shape, why);
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

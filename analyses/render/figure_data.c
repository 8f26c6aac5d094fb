/* SPDX-License-Identifier: BSD-2-Clause */
#include "render/figure_data.h"

#include <float.h>
#include <math.h>
#include <string.h>

const char *lac_fig_heat(struct lac_arena *arena, double heat)
{
	bool whole = heat >= 1 && heat < 1e15 && heat == floor(heat);
	const char *s = whole ? lac_arena_printf(arena, "%.0f", heat)
			      : lac_arena_printf(arena, "%.3g", heat);

	return s ? s : "";
}

static enum lac_status bad(const struct lac_figure *f, const char *what,
			   struct lac_err *err)
{
	return lac_fail(err, LAC_BAD_INPUT, "figure %s: %s", f->key, what);
}

static const char *text(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? s : "";
}

static bool flag(const json_t *o, const char *key)
{
	return json_is_true(json_object_get(o, key));
}

/* A whole number in [min, max]; absent gives the fallback. */
static bool number(const json_t *o, const char *key, uint64_t min,
		   uint64_t max, uint64_t fallback, uint64_t *ret)
{
	const json_t *v = json_object_get(o, key);
	json_int_t n;

	if (!v) {
		*ret = fallback;
		return fallback >= min && fallback <= max;
	}
	n = json_integer_value(v);
	*ret = (uint64_t)n;
	return json_is_integer(v) && n >= 0 && *ret >= min && *ret <= max;
}

static bool line_size(const json_t *data, uint64_t *ret)
{
	return number(data, "line_size", 8, 4096, 64, ret) &&
	       !(*ret & (*ret - 1));
}

/* The array at key and room for its elements. */
static enum lac_status array(struct lac_arena *a, const struct lac_figure *f,
			     const json_t *o, const char *key, size_t size,
			     size_t *n, void *ret, struct lac_err *err)
{
	const json_t *v = json_object_get(o, key);
	void *p;

	if (!json_is_array(v))
		return lac_fail(err, LAC_BAD_INPUT, "figure %s: %s: no list",
				f->key, key);
	*n = json_array_size(v);
	p = lac_arena_zalloc(a, *n, size);
	if (!p)
		return lac_fail_memory(err);
	memcpy(ret, &p, sizeof(p));
	return LAC_OK;
}

static const json_t *element(const json_t *o, const char *key, size_t i)
{
	return json_array_get(json_object_get(o, key), i);
}

static bool read_span(const json_t *j, uint64_t at, uint64_t end,
		      struct lac_fig_span *s)
{
	static const char *const kinds[] = { "member", "hole", "padding",
					     "unknown" };
	const json_t *heat = json_object_get(j, "heat");

	for (s->kind = 0; s->kind < 4; s->kind++)
		if (!strcmp(text(j, "kind"), kinds[s->kind]))
			break;
	s->label = text(j, "label");
	s->straddles = flag(j, "straddles");
	s->changed = flag(j, "changed");
	s->has_heat = json_is_number(heat);
	s->heat = json_number_value(heat);
	return s->kind < 4 &&
	       number(j, "bit_offset", at, at, 0, &s->bit_offset) &&
	       number(j, "bit_size", 1, end - at, 0, &s->bit_size);
}

static enum lac_status read_map(struct lac_arena *a,
				const struct lac_figure *f, const json_t *j,
				struct lac_fig_line_map *all,
				struct lac_fig_map *m, struct lac_err *err)
{
	uint64_t at = 0;

	m->title = text(j, "title");
	if (!number(j, "size", 0, UINT64_MAX / 16, UINT64_MAX, &m->size) ||
	    !number(j, "first_byte", 0, all->line_size - 1, 0, &m->first_byte))
		return bad(f, "size or first_byte", err);
	LAC_TRY(array(a, f, j, "spans", sizeof(*m->spans), &m->nspans,
		      &m->spans, err));
	for (size_t i = 0; i < m->nspans; i++) {
		struct lac_fig_span *s = &m->spans[i];

		if (!read_span(element(j, "spans", i), at, m->size * 8, s))
			return bad(f, "spans do not partition the record", err);
		at += s->bit_size;
		if (s->has_heat && s->heat > all->heat_max)
			all->heat_max = s->heat;
	}
	if (at != m->size * 8)
		return bad(f, "spans do not reach the record's end", err);
	return LAC_OK;
}

enum lac_status lac_fig_read_line_map(struct lac_arena *a,
				      const struct lac_figure *f,
				      struct lac_fig_line_map *ret,
				      struct lac_err *err)
{
	struct lac_fig_line_map m = { 0 };

	if (!line_size(f->data, &m.line_size))
		return bad(f, "line_size", err);
	m.heat_title = json_string_value(
		json_object_get(f->data, "heat_title"));
	LAC_TRY(array(a, f, f->data, "maps", sizeof(*m.maps), &m.nmaps,
		      &m.maps, err));
	for (size_t i = 0; i < m.nmaps; i++)
		LAC_TRY(read_map(a, f, element(f->data, "maps", i), &m,
				 &m.maps[i], err));
	*ret = m;
	return LAC_OK;
}

/* Elements until the array meets the line's border in the same way again. */
static uint64_t period(uint64_t size, uint64_t line)
{
	uint64_t a = size, b = line;

	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return line / a;
}

static enum lac_status read_array(struct lac_arena *a,
				  const struct lac_figure *f, const json_t *j,
				  uint64_t line, struct lac_fig_array *r,
				  struct lac_err *err)
{
	r->title = text(j, "title");
	if (!number(j, "element_size", 1, 1 << 20, 0, &r->element_size) ||
	    !number(j, "first_byte", 0, line - 1, 0, &r->first_byte) ||
	    !number(j, "elements", 1, 1 << 16, period(r->element_size, line),
		    &r->elements))
		return bad(f, "element_size, first_byte or elements", err);
	if (!json_object_get(j, "marks"))
		return LAC_OK;
	LAC_TRY(array(a, f, j, "marks", sizeof(*r->marks), &r->nmarks,
		      &r->marks, err));
	for (size_t i = 0; i < r->nmarks; i++) {
		const json_t *m = element(j, "marks", i);
		struct lac_fig_mark *k = &r->marks[i];

		k->label = text(m, "label");
		if (!number(m, "byte_offset", 0, r->element_size - 1, 0,
			    &k->byte_offset) ||
		    !number(m, "byte_size", 1,
			    r->element_size - k->byte_offset, 0, &k->byte_size))
			return bad(f, "a mark lies outside the element", err);
	}
	return LAC_OK;
}

enum lac_status lac_fig_read_array_map(struct lac_arena *a,
				       const struct lac_figure *f,
				       struct lac_fig_array_map *ret,
				       struct lac_err *err)
{
	struct lac_fig_array_map m = { 0 };

	if (!line_size(f->data, &m.line_size))
		return bad(f, "line_size", err);
	LAC_TRY(array(a, f, f->data, "arrays", sizeof(*m.arrays), &m.narrays,
		      &m.arrays, err));
	for (size_t i = 0; i < m.narrays; i++)
		LAC_TRY(read_array(a, f, element(f->data, "arrays", i),
				   m.line_size, &m.arrays[i], err));
	*ret = m;
	return LAC_OK;
}

static void extend(struct lac_fig_intervals *r, double low, double high)
{
	r->min = low < r->min ? low : r->min;
	r->max = high > r->max ? high : r->max;
}

static enum lac_status read_point(const struct lac_figure *f, const json_t *j,
				  struct lac_fig_intervals *r,
				  struct lac_fig_point *p, struct lac_err *err)
{
	const json_t *low = json_object_get(j, "low");
	const json_t *high = json_object_get(j, "high");
	const json_t *value = json_object_get(j, "value");

	p->group = text(j, "group");
	p->status = *text(j, "status") ? text(j, "status") : "n/a";
	while (p->group_index < r->ngroups &&
	       strcmp(r->groups[p->group_index], p->group) != 0)
		p->group_index++;
	if (p->group_index == r->ngroups)
		r->groups[r->ngroups++] = p->group;
	r->group_used[p->group_index] = true;
	p->has_value = json_is_number(value);
	if (!p->has_value)
		return LAC_OK;
	p->value = json_number_value(value);
	p->low = json_is_number(low) ? json_number_value(low) : p->value;
	p->high = json_is_number(high) ? json_number_value(high) : p->value;
	if (p->low > p->value || p->high < p->value)
		return bad(f, "a value lies outside its interval", err);
	if (r->logarithmic && p->low <= 0)
		return bad(f, "no logarithm of 0 or less", err);
	extend(r, p->low, p->high);
	return LAC_OK;
}

static enum lac_status read_categories(struct lac_arena *a,
				       const struct lac_figure *f,
				       struct lac_fig_intervals *r,
				       struct lac_err *err)
{
	const json_t *given = json_object_get(f->data, "groups");
	size_t total = json_array_size(given);

	LAC_TRY(array(a, f, f->data, "categories", sizeof(*r->categories),
		      &r->ncategories, &r->categories, err));
	for (size_t i = 0; i < r->ncategories; i++)
		total += json_array_size(json_object_get(
			element(f->data, "categories", i), "points"));
	r->groups = lac_arena_zalloc(a, total, sizeof(*r->groups));
	r->group_used = lac_arena_zalloc(a, total, sizeof(*r->group_used));
	if (!r->groups || !r->group_used)
		return lac_fail_memory(err);
	for (size_t i = 0; i < json_array_size(given); i++) {
		const char *name = json_string_value(json_array_get(given, i));

		r->groups[r->ngroups++] = name ? name : "";
	}
	for (size_t i = 0; i < r->ncategories; i++) {
		struct lac_fig_category *c = &r->categories[i];
		const json_t *j = element(f->data, "categories", i);

		c->label = text(j, "label");
		LAC_TRY(array(a, f, j, "points", sizeof(*c->points),
			      &c->npoints, &c->points, err));
		for (size_t k = 0; k < c->npoints; k++)
			LAC_TRY(read_point(f, element(j, "points", k), r,
					   &c->points[k], err));
	}
	return LAC_OK;
}

enum lac_status lac_fig_read_intervals(struct lac_arena *a,
				       const struct lac_figure *f,
				       struct lac_fig_intervals *ret,
				       struct lac_err *err)
{
	const json_t *reference = json_object_get(f->data, "reference");
	struct lac_fig_intervals r = { .min = DBL_MAX, .max = -DBL_MAX };
	uint64_t decimals;

	r.value_title = text(f->data, "value_title");
	r.reference_title = text(f->data, "reference_title");
	r.logarithmic = flag(f->data, "logarithmic");
	r.has_reference = json_is_number(reference);
	r.reference = json_number_value(reference);
	if (!number(f->data, "decimals", 0, 9, 2, &decimals))
		return bad(f, "decimals", err);
	r.decimals = (int)decimals;
	LAC_TRY(read_categories(a, f, &r, err));
	if (r.has_reference && (!r.logarithmic || r.reference > 0))
		extend(&r, r.reference, r.reference);
	if (flag(f->data, "zero") && !r.logarithmic)
		extend(&r, 0, 0);
	if (r.min > r.max) /* no value at all */
		r.min = r.max = r.logarithmic ? 1 : 0;
	if (r.min == r.max) {
		r.max += fabs(r.max) + 1;
		if (r.min < 0 || r.min > 0)
			r.min -= r.logarithmic ? r.min / 2 : 1;
	}
	*ret = r;
	return LAC_OK;
}

enum lac_status lac_fig_read_chain(struct lac_arena *a,
				   const struct lac_figure *f,
				   struct lac_fig_chain *ret,
				   struct lac_err *err)
{
	struct lac_fig_chain c = { 0 };

	LAC_TRY(array(a, f, f->data, "steps", sizeof(*c.steps), &c.nsteps,
		      &c.steps, err));
	for (size_t i = 0; i < c.nsteps; i++) {
		const json_t *j = element(f->data, "steps", i);
		const char *state = text(j, "state");

		c.steps[i].label = text(j, "label");
		c.steps[i].detail = text(j, "detail");
		c.steps[i].state = !strcmp(state, "holds")   ? LAC_FIG_HOLDS
				   : !strcmp(state, "fails") ? LAC_FIG_FAILS
							     : LAC_FIG_NOT_KNOWN;
		if (c.steps[i].state == LAC_FIG_NOT_KNOWN &&
		    strcmp(state, "unknown") != 0)
			return bad(f, "state: holds, fails or unknown", err);
	}
	*ret = c;
	return LAC_OK;
}

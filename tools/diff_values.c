/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An enumerator; of the new build, unless it is gone. */
struct value {
	uint64_t value; /* as it is in the order of values */
	const char *name;
	const struct lac_change *change; /* NULL: it is as it was */
};

static bool is_of_new(const struct lac_change *c)
{
	return c->class == LAC_CHANGE_ENUMERATOR_ADDED ||
	       c->class == LAC_CHANGE_ENUMERATOR_VALUE;
}

static bool is_gone(const struct lac_change *c)
{
	return c->class == LAC_CHANGE_ENUMERATOR_REMOVED;
}

static int by_value(const void *pa, const void *pb)
{
	const struct value *a = pa, *b = pb;
	bool a_gone = a->change && is_gone(a->change);
	bool b_gone = b->change && is_gone(b->change);

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	if (a_gone != b_gone)
		return a_gone ? -1 : 1;
	return strcmp(a->name, b->name);
}

static int by_name(const void *pa, const void *pb)
{
	const struct lac_change *const *a = pa, *const *b = pb;

	return strcmp((*a)->member, (*b)->member);
}

/* From the least to the greatest, as unsigned numbers. */
static uint64_t ordered(uint64_t value, bool is_signed)
{
	return is_signed ? value ^ (uint64_t)1 << 63 : value;
}

/* All of the new build, and what is gone; returns how many. */
static uint32_t collect(const struct lac_record_diff *r,
			const struct lac_change **changes, struct value *v)
{
	const struct lac_shape *b = r->new_shape;
	uint32_t nchanges = 0, n = 0;

	for (uint32_t i = 0; i < r->nchanges; i++) {
		const struct lac_change *c = &r->changes[i];

		if (is_of_new(c))
			changes[nchanges++] = c;
		else if (is_gone(c))
			v[n++] = (struct value){
				ordered(c->old_value, c->is_signed), c->member,
				c};
	}
	if (nchanges)
		qsort(changes, nchanges, sizeof(*changes), by_name);
	for (uint32_t i = 0; i < b->nvalues; i++) {
		const struct lac_change key = {.member = b->values[i].name};
		const struct lac_change *one = &key, **found = NULL;

		if (nchanges)
			found = bsearch(&one, changes, nchanges,
					sizeof(*changes), by_name);
		v[n++] = (struct value){
			ordered((uint64_t)b->values[i].value, b->is_signed),
			b->values[i].name, found ? *found : NULL};
	}
	if (n)
		qsort(v, n, sizeof(*v), by_value);
	return n;
}

static void put_line(struct lac_doc *doc, struct lac_listing *to, char sign,
		     const struct lac_change *c, uint64_t v)
{
	char code[400];

	if (c->is_signed)
		snprintf(code, sizeof(code), "%c   %s = %" PRId64 ",", sign,
			 c->member, (int64_t)v);
	else
		snprintf(code, sizeof(code), "%c   %s = %" PRIu64 ",", sign,
			 c->member, v);
	lac_listing_line(doc, to, 0, code, NULL);
}

void lac_diff_values(struct lac_doc *doc, struct lac_listing *to,
		     const struct lac_record_diff *r)
{
	size_t room = (size_t)r->nchanges + r->new_shape->nvalues + 1;
	const struct lac_change **changes = calloc(room, sizeof(*changes));
	struct value *v = calloc(room, sizeof(*v));
	uint32_t n = changes && v ? collect(r, changes, v) : 0;

	doc->broken |= !changes || !v;
	for (uint32_t i = 0; i < n; i++) {
		const struct lac_change *c = v[i].change;

		if (!c && (!i || v[i - 1].change))
			lac_listing_line(doc, to, 0, "    [...]", NULL);
		if (c && c->class != LAC_CHANGE_ENUMERATOR_ADDED)
			put_line(doc, to, '-', c, c->old_value);
		if (c && !is_gone(c))
			put_line(doc, to, '+', c, c->new_value);
	}
	free(changes);
	free(v);
}

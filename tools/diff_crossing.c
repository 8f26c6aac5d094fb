/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diff_crossing.c - which members cross a line in one build and not in the
 * other: every one of them, so that what is named adds up to the change of the
 * record's count.
 */
#include <inttypes.h>
#include <string.h>

#include "base/words.h"
#include "diff_report.h"

/* How a member's crossing changed; the lists in the order they are said. */
enum sort { GAINED, LOST, ELEMENTS, NSORTS };

static enum sort sort_of(const struct lac_change *c)
{
	if (!c->old_value)
		return GAINED;
	return c->new_value ? ELEMENTS : LOST;
}

static const struct lac_field *field(const struct lac_shape *s, uint32_t i)
{
	return i == LAC_NONE ? NULL : &s->fields[i];
}

/* What only one build has. */
static const char *why(const struct lac_change *c)
{
	if (c->old_field == LAC_NONE)
		return ", new";
	return c->new_field == LAC_NONE ? ", gone" : "";
}

/* "pad", "waiters (3 elements, new)", "slots (1 -> 3 elements)". */
static const char *name(struct lac_arena *arena,
			const struct lac_record_diff *r,
			const struct lac_change *c, enum sort sort)
{
	const struct lac_field *f = sort == LOST
					    ? field(r->old_shape, c->old_field)
					    : field(r->new_shape, c->new_field);
	uint64_t n = sort == LOST ? c->old_value : c->new_value;
	const char *note = why(c);

	if (sort == ELEMENTS)
		return lac_arena_printf(arena,
					"%s (%" PRIu64 " -> %" PRIu64 ")",
					c->member, c->old_value, n);
	if (f && f->ndims)
		return lac_arena_printf(arena, "%s (%" PRIu64 " element%s%s)",
					c->member, n, lac_s(n), note);
	if (*note)
		return lac_arena_printf(arena, "%s (%s)", c->member, note + 2);
	return c->member;
}

void lac_diff_crossings(struct lac_doc *doc, const struct lac_record_diff *r)
{
	static const char *const starts[NSORTS] = {
		[GAINED] = " Now across one: ",
		[LOST] = " No longer: ",
		[ELEMENTS] = " With other numbers of elements: ",
	};
	uint32_t was = r->old_shape->nstraddlers;
	uint32_t is = r->new_shape->nstraddlers;
	const char *lists[NSORTS] = { "", "", "" };
	bool any = false;

	for (uint32_t i = 0; i < r->nchanges; i++) {
		const struct lac_change *c = &r->changes[i];
		const char **list = &lists[sort_of(c)];
		const char *one;

		if (c->class != LAC_CHANGE_LINE_CROSSING)
			continue;
		one = name(doc->arena, r, c, sort_of(c));
		*list = *list ? lac_arena_printf(doc->arena, "%s%s%s", *list,
						 **list ? ", " : "",
						 one ? one : "")
			      : NULL;
		doc->broken |= !one || !*list;
		any = true;
	}
	if (!any || doc->broken)
		return;
	for (int i = 0; i < NSORTS; i++)
		lists[i] = *lists[i] ? lac_arena_printf(doc->arena, "%s%s.",
							starts[i], lists[i])
				     : "";
	lac_doc_paragraph(doc, "Members across a line: %u -> %u.%s%s%s", was,
			  is, lists[GAINED] ? lists[GAINED] : "",
			  lists[LOST] ? lists[LOST] : "",
			  lists[ELEMENTS] ? lists[ELEMENTS] : "");
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "record_reorder.h"

#include <inttypes.h>

#include "base/words.h"

#define MOVES_TOLD 8u /* in the summary: JSON has all of them */

const char lac_reorder_caveat[] =
	"A new order saves bytes; what it does to accesses is another matter: "
	"members that are used together may come to lie on different lines, "
	"and those that are written by one processor on the line that another "
	"one reads.";

/* A member, as a sentence calls it. */
static const char *called(const struct lac_record *r, uint32_t i,
			  struct lac_arena *arena)
{
	const struct lac_member *m = &r->members[i];

	return m->name ? m->name
		       : lac_arena_printf(arena,
					  "the unnamed member at %" PRIu64,
					  m->bit_offset / 8);
}

static const char *moves_text(const struct lac_record *r,
			      const struct lac_reorder *x,
			      struct lac_arena *arena)
{
	const char *text = "moved:";

	for (uint32_t i = 0; text && i < x->nmoves && i < MOVES_TOLD; i++) {
		const struct lac_reorder_move *m = &x->moves[i];
		const char *what = called(r, m->member, arena);
		const char *where = m->behind == LAC_NONE
					    ? NULL
					    : called(r, m->behind, arena);
		const char *last =
			m->n > 1 ? called(r, m->member + m->n - 1, arena)
				 : NULL;

		text = lac_arena_printf(arena, "%s%s %s%s%s %s%s", text,
					i ? "," : "", what ? what : "",
					last ? " to " : "", last ? last : "",
					where ? "behind " : "to the front",
					where ? where : "");
	}
	if (text && x->nmoves > MOVES_TOLD)
		text = lac_arena_printf(arena, "%s, and %" PRIu32 " more", text,
					x->nmoves - MOVES_TOLD);
	return text;
}

static const char *lines_text(uint64_t before, uint64_t after,
			      struct lac_arena *arena)
{
	if (before == after)
		return lac_arena_printf(arena, "%" PRIu64 " line%s as before",
					after, lac_s(after));
	return lac_arena_printf(arena,
				"%" PRIu64 " line%s instead of %" PRIu64, after,
				lac_s(after), before);
}

static const char *summary(const struct lac_layout *l,
			   const struct lac_reordered *x,
			   struct lac_arena *arena)
{
	const struct lac_record *r = &l->graph->records[l->record];
	const char *label = lac_record_label(l->graph, l->record, arena);
	const char *lines, *moves;

	label = label ? label : "the record";
	switch (x->found.status) {
	case LAC_REORDER_LEAST:
		return lac_arena_printf(arena,
					"%s: no order is smaller than %" PRIu64
					" byte%s.",
					label, r->size, lac_s(r->size));
	case LAC_REORDER_NONE_FOUND:
		return lac_arena_printf(arena,
					"%s: no order was found that is "
					"smaller than %" PRIu64 " byte%s.",
					label, r->size, lac_s(r->size));
	case LAC_REORDER_UNSUPPORTED:
		return lac_arena_printf(arena,
					"%s: no other order was looked for: "
					"%s.",
					label, x->found.reason);
	case LAC_REORDER_SMALLER:
		break;
	}
	lines = lines_text(l->lines, x->layout.lines, arena);
	moves = moves_text(r, &x->found, arena);
	return lac_arena_printf(
		arena,
		"%s: %" PRIu64 " byte%s less: %" PRIu64 " -> %" PRIu64
		"; %s; %s.%s%s",
		label, x->found.saves, lac_s(x->found.saves), r->size,
		x->found.record.size, lines ? lines : "", moves ? moves : "",
		x->found.least ? " No order is smaller." : "",
		x->found.certainty == LAC_INFERRED
			? " Inferred in part."
			: "");
}

static json_t *moves_json(struct lac_doc *d, const struct lac_record *r,
			  const struct lac_reorder *x)
{
	json_t *a = json_array();

	for (uint32_t i = 0; i < x->nmoves; i++) {
		const struct lac_member *m = &r->members[x->moves[i].member];
		uint32_t behind = x->moves[i].behind;
		json_t *o = json_object();

		lac_doc_set(d, o, "name", lac_doc_string(m->name));
		lac_doc_set(d, o, "bit_offset", lac_json_size(m->bit_offset));
		lac_doc_set(d, o, "members",
			    lac_json_size(x->moves[i].n));
		lac_doc_set(d, o, "behind",
			    behind == LAC_NONE
				    ? json_null()
				    : lac_doc_string(r->members[behind].name));
		lac_doc_set(d, o, "behind_bit_offset",
			    behind == LAC_NONE
				    ? json_null()
				    : lac_json_size(
					      r->members[behind].bit_offset));
		lac_doc_append(d, a, o);
	}
	return a;
}

/* members is what lac_record_json() says of the new order, or NULL. */
static json_t *whole_json(struct lac_doc *d, const struct lac_layout *l,
			  const struct lac_reordered *x, json_t *members)
{
	const struct lac_record *r = &l->graph->records[l->record];
	bool smaller = x->found.status == LAC_REORDER_SMALLER;
	bool least = x->found.status == LAC_REORDER_LEAST;
	json_t *o = json_object();

	lac_doc_set(d, o, "status",
		    json_string(lac_reorder_status_name(x->found.status)));
	lac_doc_set(d, o, "reason", lac_doc_string(x->found.reason));
	lac_doc_set(d, o, "saves",
		    smaller || least ? lac_json_size(x->found.saves)
				     : json_null());
	if (!smaller)
		return o;
	lac_doc_set(d, o, "size", lac_json_size(x->found.record.size));
	lac_doc_set(d, o, "lines", lac_json_size(x->layout.lines));
	lac_doc_set(d, o, "least", json_boolean(x->found.least));
	lac_doc_set(d, o, "certainty",
		    json_string(lac_certainty_name(x->found.certainty)));
	lac_doc_set(d, o, "moves", moves_json(d, r, &x->found));
	lac_doc_set(d, o, "members", members);
	return o;
}

enum lac_status lac_record_reorder(struct lac_doc *d,
				   const struct lac_layout *l,
				   const struct lac_record_json_options *o,
				   struct lac_arena *arena,
				   struct lac_reordered *ret,
				   struct lac_err *err)
{
	struct lac_record_json_options other = *o;
	struct lac_layout_options how = { .line_size = l->line_size };
	struct lac_reordered x = { 0 };
	json_t *record, *members = NULL;

	LAC_TRY(lac_reorder(l->graph, l->record, o->rules, arena, &x.found,
			    err));
	if (x.found.status == LAC_REORDER_SMALLER) {
		LAC_TRY(lac_reorder_graph(l->graph, l->record, &x.found, arena,
					  &ret->graph, err));
		x.graph = ret->graph;
		x.rules = lac_rules_create(&ret->graph, arena);
		if (!x.rules)
			return lac_fail_memory(err);
		how.rules = other.rules = x.rules;
		LAC_TRY(lac_layout_compute(&ret->graph, l->record, &how, arena,
					   &x.layout, err));
		LAC_TRY(lac_record_json(d, &x.layout, &other, arena, &record,
					err));
		members = json_incref(json_object_get(record, "members"));
		json_decref(record);
	}
	x.summary = summary(l, &x, arena);
	x.json = whole_json(d, l, &x, members);
	if (!x.summary) {
		json_decref(x.json);
		return lac_fail_memory(err);
	}
	*ret = x;
	return LAC_OK;
}

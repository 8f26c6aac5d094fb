/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each thread lays out a stretch of the graph's records and sorts those that
 * pass; the stretches are merged then.
 */
#include "list_rows.h"

#include <string.h>
#include <utlist.h>

#include "base/glob.h"
#include "base/threads.h"
#include "layout/layout.h"
#include "record_json.h"

#define STRETCH_LEAST 1000u /* records that are worth a thread */

enum key {
	BY_NOTHING,
	BY_NAME, BY_KIND, BY_DECL, /* texts */
	BY_SIZE, BY_ALIGN, BY_MEMBERS, BY_HOLES, BY_HOLE_BITS, BY_PADDING_BITS,
	BY_WASTE, BY_NESTED_HOLE_BITS, BY_NESTED_PADDING_BITS, BY_UNKNOWN_BITS,
	BY_MEMBER_BITS, BY_LINES, BY_STRADDLERS, BY_UNITS, BY_SAVES,
	KEYS
};

static const char *const key_names[KEYS] = {
	[BY_NOTHING] = "none",
	[BY_NAME] = "name",
	[BY_KIND] = "kind",
	[BY_DECL] = "decl",
	[BY_SIZE] = "size",
	[BY_ALIGN] = "align",
	[BY_MEMBERS] = "members",
	[BY_HOLES] = "holes",
	[BY_HOLE_BITS] = "hole_bits",
	[BY_PADDING_BITS] = "padding_bits",
	[BY_WASTE] = "waste",
	[BY_NESTED_HOLE_BITS] = "nested_hole_bits",
	[BY_NESTED_PADDING_BITS] = "nested_padding_bits",
	[BY_UNKNOWN_BITS] = "unknown_bits",
	[BY_MEMBER_BITS] = "member_bits",
	[BY_LINES] = "lines",
	[BY_STRADDLERS] = "straddlers",
	[BY_UNITS] = "units",
	[BY_SAVES] = "saves",
};

/* By what a record that passed is sorted. */
struct row {
	uint64_t figure; /* of a text: its first bytes */
	const char *text; /* NULL: by the figure alone */
	uint32_t number; /* among the rows, which are in the graph's order */
	struct row *next;
};

/* What one thread does. */
struct stretch {
	const struct lac_graph *g;
	const struct lac_list_wish *wish;
	enum key key;
	lac_record_id first, end;
	struct lac_arena *arena;
	struct lac_rows rows;
	struct row *room, *sorted;
	size_t n;
	struct lac_list_found found;
	enum lac_status st;
	struct lac_err err;
};

static enum key key_of(const char *name)
{
	unsigned k = 0;

	while (k < KEYS && strcmp(key_names[k], name) != 0)
		k++;
	return (enum key)k;
}

bool lac_list_has_key(const char *key)
{
	return key_of(key) != KEYS;
}

/* What strcmp() looks at first, as one number. */
static uint64_t first_bytes(const char *s)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < 8; i++) {
		v = v << 8 | (unsigned char)*s;
		s += *s != '\0';
	}
	return v;
}

static const char *text_of(enum key key, const struct lac_record *r)
{
	const char *text = key == BY_NAME ? lac_record_name(r) :
			   key == BY_KIND ? lac_record_kind_name(r->kind) :
					    r->decl_file;

	return text ? text : "";
}

static uint64_t figure_of(enum key key, const struct lac_layout *l,
			  const struct lac_through *t)
{
	const struct lac_record *r = &l->graph->records[l->record];

	if (r->size == LAC_SIZE_UNKNOWN)
		return 0;
	switch (key) {
	case BY_SIZE: return r->size;
	case BY_ALIGN: return l->align;
	case BY_MEMBERS: return r->nmembers;
	case BY_HOLES: return l->nholes;
	case BY_HOLE_BITS: return l->hole_bits;
	case BY_PADDING_BITS: return l->padding_bits;
	case BY_WASTE: return t->hole_bits + t->padding_bits;
	case BY_NESTED_HOLE_BITS: return l->nested_hole_bits;
	case BY_NESTED_PADDING_BITS: return l->nested_padding_bits;
	case BY_UNKNOWN_BITS: return l->unknown_bits;
	case BY_MEMBER_BITS: return l->member_bits;
	case BY_LINES: return l->lines;
	case BY_STRADDLERS: return t->nstraddlers;
	case BY_UNITS: return r->nunits;
	default: return 0;
	}
}

static void take_key(enum key key, const struct lac_layout *l,
		     const struct lac_through *t, struct row *row)
{
	row->text = NULL;
	if (key >= BY_NAME && key <= BY_DECL) {
		row->text = text_of(key, &l->graph->records[l->record]);
		row->figure = first_bytes(row->text);
	} else {
		row->figure = figure_of(key, l, t);
	}
}

/* Texts from a to z, figures from the largest; what is equal as it came. */
static inline int compare_rows(const struct row *x, const struct row *y,
			       bool reverse)
{
	int c = (x->figure < y->figure) - (x->figure > y->figure);

	if (x->text)
		c = c ? -c : strcmp(x->text, y->text);
	if (reverse)
		c = -c;
	return c ? c : (x->number > y->number) - (x->number < y->number);
}

static inline int forward(const struct row *x, const struct row *y)
{
	return compare_rows(x, y, false);
}

static inline int backward(const struct row *x, const struct row *y)
{
	return compare_rows(x, y, true);
}

static bool passes_globs(struct stretch *s, const struct lac_record *r)
{
	const char **globs = s->wish->globs;
	bool any = !globs[0];

	for (size_t i = 0; globs[i]; i++)
		if (lac_glob_name(globs[i], lac_record_kind_name(r->kind),
				  lac_record_name(r)))
			any = s->found.matched[i] = true;
	return any;
}

static bool passes_names(struct stretch *s, const struct lac_record *r)
{
	if (!lac_record_name(r) && !s->wish->anonymous)
		return false;
	if (!passes_globs(s, r))
		return false;
	if (!lac_glob_any_path(s->wish->decl, r->decl_file))
		return false;
	if (!s->wish->kinds)
		return true;
	for (char **k = s->wish->kinds; *k; k++)
		if (!strcmp(*k, lac_record_kind_name(r->kind)))
			return true;
	return false;
}

static void add_up(struct lac_list_found *f, const struct lac_layout *l,
		   const struct lac_through *t)
{
	f->waste_bits += t->hole_bits + t->padding_bits;
	f->wasting += t->hole_bits || t->padding_bits;
	f->hole_bits += l->hole_bits;
	f->padding_bits += l->padding_bits;
	f->with_holes += l->nholes != 0;
}

/* The row that was taken last: what another order saves of it. */
static enum lac_status take_order(struct stretch *s, lac_record_id id,
				  struct lac_rules *rules,
				  struct lac_reorder *x, struct row *row,
				  struct lac_err *err)
{
	LAC_TRY(lac_reorder(s->g, id, rules, s->arena, x, err));
	if (s->key == BY_SAVES)
		row->figure = x->saves;
	s->found.smaller += x->status == LAC_REORDER_SMALLER;
	s->found.saves += x->saves;
	return LAC_OK;
}

static enum lac_status take(struct stretch *s, lac_record_id id,
			    const struct lac_layout_options *o,
			    struct lac_err *err)
{
	const struct lac_list_wish *w = s->wish;
	struct row *row = &s->room[s->n];
	struct lac_layout layout;
	struct lac_through through;
	struct lac_reorder order;

	LAC_TRY(lac_layout_compute(s->g, id, o, s->arena, &layout, err));
	LAC_TRY(lac_through_compute(&layout, o->rules, s->arena, &through,
				    err));
	if ((w->holes && !through.nholes) ||
	    (w->straddlers && !through.nstraddlers))
		return LAC_OK;
	take_key(s->key, &layout, &through, row);
	if (w->reorder)
		LAC_TRY(take_order(s, id, o->rules, &order, row, err));
	row->number = s->first + (uint32_t)s->n++;
	if (!lac_record_row(s->arena, &s->rows, &layout, &through,
			    w->reorder ? &order : NULL))
		return lac_fail_memory(err);
	add_up(&s->found, &layout, &through);
	return LAC_OK;
}

static enum lac_status take_all(struct stretch *s, struct lac_err *err)
{
	const struct lac_graph *g = s->g;
	struct lac_layout_options o = {
		.line_size = s->wish->line_size,
		.rules = lac_rules_create(g, s->arena),
		.figures_only = true,
	};

	if (!o.rules)
		return lac_fail_memory(err);
	for (lac_record_id id = s->first; id < s->end; id++) {
		const struct lac_record *r = &g->records[id];

		if (lac_record_left_out(g, r) || !passes_names(s, r))
			continue;
		s->found.named++;
		if (s->wish->min_size &&
		    (r->size == LAC_SIZE_UNKNOWN ||
		     r->size < s->wish->min_size))
			continue;
		LAC_TRY(take(s, id, &o, err));
	}
	for (size_t i = s->n; i--;)
		LL_PREPEND(s->sorted, &s->room[i]);
	/* by comparisons that are no calls */
	if (s->wish->reverse)
		LL_SORT(s->sorted, backward);
	else
		LL_SORT(s->sorted, forward);
	return LAC_OK;
}

static void work(void *item)
{
	struct stretch *s = item;

	s->st = take_all(s, &s->err);
}

/* The rows of all stretches in one order. */
static void merge(struct stretch *s, unsigned n, bool reverse,
		  struct lac_rows *rows)
{
	for (;;) {
		const struct row *least = NULL;
		unsigned from = 0;

		for (unsigned i = 0; i < n; i++)
			if (s[i].sorted &&
			    (!least || compare_rows(s[i].sorted, least,
						    reverse) < 0)) {
				least = s[i].sorted;
				from = i;
			}
		if (!least)
			return;
		s[from].sorted = least->next;
		rows->order[rows->n++] = least->number;
	}
}

static void sum(const struct lac_list_found *one, size_t nglobs,
		struct lac_list_found *all)
{
	all->named += one->named;
	all->hole_bits += one->hole_bits;
	all->padding_bits += one->padding_bits;
	all->with_holes += one->with_holes;
	all->waste_bits += one->waste_bits;
	all->wasting += one->wasting;
	all->smaller += one->smaller;
	all->saves += one->saves;
	for (size_t i = 0; i < nglobs; i++)
		all->matched[i] |= one->matched[i];
}

static enum lac_status open_stretch(struct stretch *s, size_t nglobs,
				    struct row *room, struct lac_err *err)
{
	s->room = room + s->first;
	s->arena = lac_arena_create();
	s->found.matched = s->arena ? lac_arena_zalloc(s->arena, nglobs + 1,
						       sizeof(bool))
				    : NULL;
	return s->found.matched ? LAC_OK : lac_fail_memory(err);
}

/* The first fault in the order of the graph, as one thread would meet it. */
static enum lac_status first_fault(const struct stretch *s, unsigned n,
				   struct lac_err *err)
{
	for (unsigned i = 0; i < n; i++)
		if (s[i].st != LAC_OK) {
			*err = s[i].err;
			return s[i].st;
		}
	return LAC_OK;
}

enum lac_status lac_list_select(const struct lac_graph *g,
				const struct lac_list_wish *wish,
				struct lac_arena *arena, struct lac_rows *rows,
				struct lac_list_found *ret, struct lac_err *err)
{
	struct stretch s[LAC_THREADS_MAX] = { 0 };
	unsigned n = lac_threads_count(wish->threads);
	struct row *room = lac_arena_zalloc(arena, g->nrecords, sizeof(*room));
	enum lac_status st = LAC_OK;
	size_t nglobs = 0;

	while (wish->globs[nglobs])
		nglobs++;
	*ret = (struct lac_list_found){
		.matched = lac_arena_zalloc(arena, nglobs + 1, sizeof(bool)),
	};
	if (!room || !ret->matched || !lac_rows_reserve(rows, g->nrecords))
		return lac_fail_memory(err);
	if (n > g->nrecords / STRETCH_LEAST)
		n = (unsigned)(g->nrecords / STRETCH_LEAST) + 1;
	for (unsigned i = 0; i < n && st == LAC_OK; i++) {
		uint64_t all = g->nrecords;

		s[i] = (struct stretch){
			.g = g, .wish = wish, .key = key_of(wish->key),
			.first = (lac_record_id)(all * i / n),
			.end = (lac_record_id)(all * (i + 1) / n),
		};
		s[i].rows = lac_rows_stretch(rows, s[i].first,
					     s[i].end - s[i].first);
		st = open_stretch(&s[i], nglobs, room, err);
	}
	if (st == LAC_OK) {
		lac_threads_run(s, n, sizeof(*s), work);
		st = first_fault(s, n, err);
	}
	if (st == LAC_OK)
		merge(s, n, wish->reverse, rows);
	for (unsigned i = 0; i < n && s[i].arena; i++) {
		if (st == LAC_OK)
			sum(&s[i].found, nglobs, ret);
		lac_arena_adopt(arena, s[i].arena);
	}
	return st;
}

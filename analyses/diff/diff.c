/* SPDX-License-Identifier: BSD-2-Clause */
/* diff.c - shapes, pairs, verdicts, causes, order: one after the other. */
#include <string.h>

#include "base/glob.h"
#include "base/threads.h"
#include "diff/filter.h"
#include "diff/internal.h"
#include "diff/kernel.h"

/* Records that are worth a thread. */
#define MANY 1000

static bool is_orphan(const struct side *s, lac_record_id id)
{
	const struct lac_record *r = &s->g->records[id];

	return !r->name && !r->typedef_name;
}

/* BTF has an enumeration without values for one that is only declared. */
static bool only_declared(const struct lac_graph *g, uint32_t enumeration)
{
	return g->format == LAC_FORMAT_BTF &&
	       !g->enumerations[enumeration].nvalues;
}

static enum lac_status make_items(struct side *s, struct lac_arena *scratch,
				  struct lac_err *err)
{
	const struct lac_graph *g = s->g;
	uint32_t n = 0;

	s->items = lac_arena_zalloc(scratch,
				    (size_t)g->nrecords + g->nenumerations +
					    g->naliases,
				    sizeof(*s->items));
	s->item_of = lac_arena_zalloc(scratch, g->nrecords, sizeof(uint32_t));
	s->enum_item_of =
		lac_arena_zalloc(scratch, g->nenumerations, sizeof(uint32_t));
	if (!s->items || !s->item_of || !s->enum_item_of)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < g->nrecords; i++) {
		struct item *it = &s->items[n];

		s->item_of[i] = LAC_NONE;
		if (lac_shaper_inlines(s->shaper, i) ||
		    lac_record_left_out(g, &g->records[i]))
			continue;
		LAC_TRY(lac_shape_record(s->shaper, i, &it->shape, err));
		it->id = i;
		it->pair = LAC_NONE;
		it->orphan = is_orphan(s, i);
		s->item_of[i] = n++;
	}
	s->nrecord_items = n;
	for (uint32_t i = 0; i < g->nenumerations; i++) {
		s->enum_item_of[i] = LAC_NONE;
		if (only_declared(g, i))
			continue;
		LAC_TRY(lac_shape_enum(s->shaper, i, &s->items[n].shape, err));
		s->items[n].id = i;
		s->items[n].pair = LAC_NONE;
		s->enum_item_of[i] = n++;
	}
	s->nitems = n;
	return LAC_OK;
}

static enum lac_status open_side(struct side *s, uint32_t line_size,
				 struct lac_err *err)
{
	LAC_TRY(lac_shaper_create(s->g, line_size, s->scratch, &s->shaper,
				  err));
	LAC_TRY(make_items(s, s->scratch, err));
	LAC_TRY(lac_side_index(s, s->scratch, err));
	return lac_side_sort(s, s->scratch, err);
}

struct opening {
	struct side *side;
	uint32_t line_size;
	enum lac_status st;
	struct lac_err err;
};

static void open_one(void *item)
{
	struct opening *o = item;

	o->st = open_side(o->side, o->line_size, &o->err);
}

/* The sides have nothing in common, so each may have a processor. */
static enum lac_status open_both(struct work *w, struct lac_err *err)
{
	struct opening o[2] = {{.side = &w->a, .line_size = w->o.line_size},
			       {.side = &w->b, .line_size = w->o.line_size}};
	bool apart = w->a.g->nrecords > MANY;

	lac_threads_run(o, apart ? 2 : 1, sizeof(*o), open_one);
	if (!apart)
		open_one(&o[1]);
	for (int i = 0; i < 2; i++)
		if (o[i].st != LAC_OK) {
			*err = o[i].err;
			return o[i].st;
		}
	return LAC_OK;
}

static enum lac_status describe(struct lac_diff_side *to, const struct side *s,
				struct lac_arena *arena, struct lac_err *err)
{
	const struct lac_graph *g = s->g;

	to->path = lac_arena_strdup(arena, g->path);
	to->version = g->version ? lac_arena_strdup(arena, g->version) : NULL;
	to->missing = g->missing ? lac_arena_strdup(arena, g->missing) : NULL;
	to->format = g->format;
	to->machine = g->target.machine;
	to->tells_alignment = g->tells_alignment;
	to->nrecords = s->nrecord_items;
	to->nenums = s->nitems - s->nrecord_items;
	if (!to->path || (g->version && !to->version) ||
	    (g->missing && !to->missing))
		return lac_fail_memory(err);
	return LAC_OK;
}

static enum lac_status judge_all(struct work *w, struct verdict *v,
				 struct lac_err *err)
{
	for (uint32_t i = 0; i < w->a.nitems; i++) {
		const struct item *x = &w->a.items[i];

		if (x->pair == LAC_NONE || x->same ||
		    (!x->guessed &&
		     lac_shapes_equal(w, &x->shape,
				      &w->b.items[x->pair].shape)))
			continue;
		LAC_TRY(lac_diff_judge(w, i, &v[i], err));
	}
	return LAC_OK;
}

/* The items are records, then enumerations, then typedefs. */
static uint32_t count_selected(const struct side *s,
			       const struct lac_diff_options *o,
			       struct lac_diff_side *to)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->nitems; i++) {
		bool selected = lac_shape_selected(o->type_globs, o->decl_globs,
						   &s->items[i].shape);

		n += selected;
		to->nselected += selected && i < to->nrecords + to->nenums;
	}
	for (uint32_t k = 0; o->type_found && o->type_globs &&
			     o->type_globs[k]; k++)
		for (uint32_t i = 0; i < s->nitems && !o->type_found[k]; i++)
			o->type_found[k] =
				lac_type_matches(o->type_globs[k],
						 &s->items[i].shape) &&
				lac_glob_any_path(o->decl_globs,
						  s->items[i].shape.decl_file);
	return n;
}

static enum lac_status mark_caches(struct work *w, struct lac_err *err)
{
	struct lac_cache_names names;

	if (!w->o.slabinfo)
		return LAC_OK;
	LAC_TRY(lac_cache_names_sort(w->o.slabinfo, w->scratch, &names, err));
	for (uint32_t i = 0; i < w->a.nitems; i++)
		lac_slabinfo_mark(&names, &w->a.items[i].shape);
	for (uint32_t i = 0; i < w->b.nitems; i++)
		lac_slabinfo_mark(&names, &w->b.items[i].shape);
	return LAC_OK;
}

static enum lac_status compute(struct work *w, const struct lac_graph *ga,
			       const struct lac_graph *gb, struct lac_err *err)
{
	struct verdict *v;

	w->mixed = ga->tells_alignment != gb->tells_alignment;
	w->a.g = ga;
	w->b.g = gb;
	if (!w->o.line_size) {
		bool fixed;

		w->o.line_size = lac_line_size_of(&ga->target, &fixed);
		w->d->line_assumed = !fixed;
	}
	w->d->line_size = w->o.line_size;
	LAC_TRY(open_both(w, err));
	LAC_TRY(describe(&w->d->old_side, &w->a, w->d->arena, err));
	LAC_TRY(describe(&w->d->new_side, &w->b, w->d->arena, err));
	LAC_TRY(lac_diff_add_aliases(w, err));
	LAC_TRY(lac_diff_pair(w, err));
	lac_diff_find_twins(w);
	LAC_TRY(lac_diff_pair_renamed(w, err));
	v = lac_arena_zalloc(w->scratch, w->a.nitems, sizeof(*v));
	if (!v)
		return lac_fail_memory(err);
	LAC_TRY(judge_all(w, v, err));
	LAC_TRY(lac_diff_explain(w, v, err));
	LAC_TRY(lac_diff_kernel(w, err));
	w->d->nselected = count_selected(&w->a, &w->o, &w->d->old_side) +
			  count_selected(&w->b, &w->o, &w->d->new_side);
	LAC_TRY(mark_caches(w, err));
	lac_diff_rank(w->d);
	return LAC_OK;
}

enum lac_status lac_diff_compute(const struct lac_graph *old_graph,
				 const struct lac_graph *new_graph,
				 const struct lac_diff_options *o,
				 struct lac_diff **ret, struct lac_err *err)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	LAC_CLEANUP_ARENA struct lac_arena *scratch = lac_arena_create();
	LAC_CLEANUP_ARENA struct lac_arena *in_a = lac_arena_create();
	LAC_CLEANUP_ARENA struct lac_arena *in_b = lac_arena_create();
	struct work w = {.o = *o, .scratch = scratch, .a.scratch = in_a,
			 .b.scratch = in_b};

	w.d = arena && scratch && in_a && in_b
		      ? lac_arena_zalloc(arena, 1, sizeof(*w.d))
		      : NULL;
	if (!w.d)
		return lac_fail_memory(err);
	w.d->arena = arena;
	if (!w.o.cpus)
		w.o.cpus = 16;
	LAC_TRY(compute(&w, old_graph, new_graph, err));
	arena = NULL; /* the result's now */
	*ret = w.d;
	return LAC_OK;
}

void lac_diff_destroy(struct lac_diff *d)
{
	if (d)
		lac_arena_destroy(d->arena);
}

const char *lac_change_class_name(enum lac_change_class c)
{
	static const char *const names[] = {
		[LAC_CHANGE_KIND] = "kind",
		[LAC_CHANGE_SIZE] = "size",
		[LAC_CHANGE_ALIGN] = "align",
		[LAC_CHANGE_PACKED] = "packed",
		[LAC_CHANGE_MEMBER_ADDED] = "member-added",
		[LAC_CHANGE_MEMBER_REMOVED] = "member-removed",
		[LAC_CHANGE_MEMBER_MOVED] = "member-moved",
		[LAC_CHANGE_MEMBER_RETYPED] = "member-retyped",
		[LAC_CHANGE_MEMBER_RESIZED] = "member-resized",
		[LAC_CHANGE_MEMBER_RENAMED] = "member-renamed",
		[LAC_CHANGE_MEMBER_ALIGNED] = "align",
		[LAC_CHANGE_BIT_WIDTH] = "bit-width",
		[LAC_CHANGE_ARRAY_LENGTH] = "array-length",
		[LAC_CHANGE_ENUMERATOR_ADDED] = "enumerator-added",
		[LAC_CHANGE_ENUMERATOR_REMOVED] = "enumerator-removed",
		[LAC_CHANGE_ENUMERATOR_VALUE] = "enumerator-value",
		[LAC_CHANGE_PADDING] = "padding",
		[LAC_CHANGE_HOLES] = "holes",
		[LAC_CHANGE_LINE_CROSSING] = "line-crossing",
	};

	return names[c];
}

const char *lac_pairing_name(enum lac_pairing p)
{
	static const char *const names[] = {
		[LAC_PAIR_ADDED] = "added",
		[LAC_PAIR_REMOVED] = "removed",
		[LAC_PAIR_CHANGED] = "changed",
		[LAC_PAIR_RENAMED] = "renamed",
	};

	return names[p];
}

const char *lac_change_unit(enum lac_change_class c)
{
	switch (c) {
	case LAC_CHANGE_SIZE:
	case LAC_CHANGE_ALIGN:
	case LAC_CHANGE_MEMBER_ALIGNED:
		return "bytes";
	case LAC_CHANGE_MEMBER_ADDED:
	case LAC_CHANGE_MEMBER_REMOVED:
	case LAC_CHANGE_MEMBER_MOVED:
	case LAC_CHANGE_MEMBER_RESIZED:
	case LAC_CHANGE_BIT_WIDTH:
	case LAC_CHANGE_PADDING:
		return "bits";
	case LAC_CHANGE_ARRAY_LENGTH:
	case LAC_CHANGE_HOLES:
	case LAC_CHANGE_LINE_CROSSING:
		return "count";
	case LAC_CHANGE_ENUMERATOR_ADDED:
	case LAC_CHANGE_ENUMERATOR_REMOVED:
	case LAC_CHANGE_ENUMERATOR_VALUE:
		return "value";
	default:
		return "text";
	}
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_path.c - "se.load.weight", "slot[2].x": a member as C code names it,
 * through named and unnamed structs and unions, arrays and base classes.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "diff/check.h"

#define MAX_DEPTH 256u

struct walk {
	struct run *r;
	const char *label;
	const char *path, *at; /* at: what is left of it */
	struct lac_place place;
	lac_type_id type;
	const char **why;
};

/* Not there; what the finding says about it. */
static enum lac_status none(struct walk *w, const char *why)
{
	*w->why = why;
	return why ? LAC_NOT_FOUND : lac_fail_memory(w->r->err);
}

static const char *so_far(const struct walk *w)
{
	return lac_arena_printf(w->r->scratch, "%.*s", (int)(w->at - w->path),
				w->path);
}

static bool is_called(const struct lac_member *m, const char *name, size_t n)
{
	return m->name && strlen(m->name) == n && !memcmp(m->name, name, n);
}

/* LAC_NOT_FOUND, without a word, if it is in none of the bases either. */
static enum lac_status find(struct walk *w, lac_record_id id,
			    uint64_t base_bits, const char *name, size_t n,
			    unsigned depth)
{
	struct lac_record r;

	LAC_TRY(lac_record_through(w->r->g, id, w->r->scratch, &r, w->r->err));
	for (uint32_t i = 0; i < r.nmembers; i++) {
		const struct lac_member *m = &r.members[i];

		if (!is_called(m, name, n))
			continue;
		w->place.bit_offset = base_bits + m->bit_offset;
		w->place.bit_size = m->bit_size;
		w->place.known &= m->certainty != LAC_DYNAMIC;
		w->type = m->type;
		return LAC_OK;
	}
	for (uint32_t i = 0; i < r.nmembers && depth < MAX_DEPTH; i++) {
		const struct lac_member *m = &r.members[i];
		lac_record_id base = LAC_NONE;
		enum lac_status st;

		if (m->role == LAC_MEMBER_BASE)
			base = lac_type_record(w->r->g, m->type, NULL);
		if (base == LAC_NONE)
			continue;
		st = find(w, base, base_bits + m->bit_offset, name, n,
			  depth + 1);
		if (st != LAC_NOT_FOUND)
			return st;
	}
	return LAC_NOT_FOUND;
}

/* "[3]", or "[]" for the first, of an array. */
static enum lac_status index_array(struct walk *w)
{
	const struct lac_graph *g = w->r->g;
	const struct lac_type *t = &g->types[lac_type_strip(g, w->type)];
	uint64_t i = 0, size, bits;
	const char *d = w->at + 1;

	if (t->kind != LAC_TYPE_ARRAY)
		return none(w, lac_arena_printf(w->r->scratch,
						"%s of %s, which is no array",
						so_far(w), w->label));
	for (; isdigit((unsigned char)*d); d++)
		if (__builtin_mul_overflow(i, 10u, &i) ||
		    __builtin_add_overflow(i, (uint64_t)(*d - '0'), &i))
			i = UINT64_MAX;
	if (*d != ']')
		return none(w, lac_arena_printf(
				       w->r->scratch,
				       "an index that is no number in '%s'",
				       w->path));
	if (i && i >= t->array.count)
		return none(w, lac_arena_printf(w->r->scratch,
						"only %" PRIu64
						" elements in %s of %s",
						t->array.count, so_far(w),
						w->label));
	size = lac_type_size(g, t->target);
	w->place.bit_size = size;
	if (size != LAC_SIZE_UNKNOWN &&
	    !__builtin_mul_overflow(size, 8u, &w->place.bit_size) &&
	    !__builtin_mul_overflow(i, w->place.bit_size, &bits))
		w->place.bit_offset += bits;
	else
		w->place.known = w->place.known && !i;
	w->type = t->target;
	w->at = d + 1;
	return LAC_OK;
}

/* What comes behind a dot is in the record, of an array in the first one. */
static enum lac_status enter(struct walk *w, lac_record_id *ret)
{
	const struct lac_graph *g = w->r->g;
	uint64_t elements;
	lac_type_id t;

	*ret = lac_type_record(g, w->type, &elements);
	if (*ret != LAC_NONE)
		return LAC_OK;
	t = lac_type_strip(g, w->type);
	return none(w, lac_arena_printf(
			       w->r->scratch, "%s of %s, which is %s", so_far(w),
			       w->label,
			       g->types[t].kind == LAC_TYPE_POINTER
				       ? "a pointer: what it points to is "
					 "elsewhere"
			       : g->types[t].kind == LAC_TYPE_RECORD
				       ? "only declared here"
				       : "no struct or union"));
}

enum lac_status lac_check_path(struct run *r, const struct lac_labelled *t,
			       const char *path, struct lac_place *ret,
			       const char **why)
{
	struct walk w = {.r = r,
			 .label = t->label,
			 .path = path,
			 .at = path,
			 .place = {.known = true},
			 .why = why};
	lac_record_id id = t->record;

	for (;;) {
		size_t n = strcspn(w.at, ".[");
		enum lac_status st = find(&w, id, w.place.bit_offset, w.at, n,
					  0);

		if (st == LAC_NOT_FOUND)
			return none(&w, lac_arena_printf(
						r->scratch,
						"no member '%.*s' in %s%s%.*s",
						(int)n, w.at, t->label,
						w.at > path ? "." : "",
						w.at > path ? (int)(w.at - path)
								- 1 : 0,
						path));
		LAC_TRY(st);
		w.at += n;
		while (*w.at == '[')
			LAC_TRY(index_array(&w));
		if (!*w.at)
			break;
		if (*w.at != '.')
			return none(&w, lac_arena_printf(
						r->scratch,
						"no path of members in '%s'",
						path));
		LAC_TRY(enter(&w, &id));
		w.at++;
	}
	*ret = w.place;
	return LAC_OK;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rename.c - records that only their structure can pair.  Two builds' records
 * are called the same under another name if every member has the same name,
 * place and type, there are enough of them to be no accident, and no third
 * record looks alike.
 */
#include <stdlib.h>
#include <string.h>

#include "diff/internal.h"

struct print {
	uint64_t hash;
	uint32_t item;
};

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 29;
}

static uint64_t mix_text(uint64_t h, const char *s)
{
	for (; *s; s++)
		h = mix(h, (unsigned char)*s);
	return mix(h, 256);
}

/* Of what cannot contain the record's own name. */
static uint64_t print_of(const struct lac_shape *s)
{
	uint64_t h = mix(s->is_enum, s->kind);

	h = mix(h, s->size);
	for (uint32_t i = 0; i < s->nfields; i++) {
		h = mix_text(h, s->fields[i].path);
		h = mix(h, s->fields[i].bit_offset);
		h = mix(h, s->fields[i].bit_size);
	}
	for (uint32_t i = 0; i < s->nvalues; i++) {
		h = mix_text(h, s->values[i].name);
		h = mix(h, (uint64_t)s->values[i].value);
	}
	return h;
}

static int print_order(const void *pa, const void *pb)
{
	const struct print *a = pa, *b = pb;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return a->item < b->item ? -1 : a->item > b->item;
}

static struct print *prints(const struct side *s, struct lac_arena *scratch,
			    uint32_t *n)
{
	struct print *p = lac_arena_zalloc(scratch, s->nitems, sizeof(*p));

	*n = 0;
	if (!p)
		return NULL;
	for (uint32_t i = 0; i < s->nitems; i++)
		if (s->items[i].pair == LAC_NONE && !s->items[i].orphan &&
		    !s->items[i].twin)
			p[(*n)++] = (struct print){
				print_of(&s->items[i].shape), i};
	qsort(p, *n, sizeof(*p), print_order);
	return p;
}

static bool enough(const struct lac_shape *a, const struct lac_shape *b)
{
	bool same_file = a->decl_file && b->decl_file &&
			 lac_decl_agreement(a->decl_file, b->decl_file) >= 1;
	uint32_t n = a->is_enum ? a->nvalues : a->nfields;

	return n >= 3 || (n == 2 && (same_file || a->is_enum));
}

static bool same_under_names(struct work *w, const struct lac_shape *a,
			     const struct lac_shape *b)
{
	struct rename r = {a->name, b->name};
	struct work with = *w;
	struct rename *more;
	bool same;

	if (!a->name || !b->name)
		return lac_shapes_equal(w, a, b);
	more = lac_arena_zalloc(w->scratch, w->nrenames + 1u, sizeof(*more));
	if (!more)
		return false;
	if (w->nrenames)
		memcpy(more, w->renames, w->nrenames * sizeof(*more));
	more[w->nrenames] = r;
	with.renames = more;
	with.nrenames = w->nrenames + 1;
	same = lac_shapes_equal(&with, a, b);
	if (same) {
		w->renames = with.renames;
		w->nrenames = with.nrenames;
	}
	return same;
}

/* One of a kind in both lists, or it is no evidence. */
static void match_prints(struct work *w, const struct print *a, uint32_t na,
			 const struct print *b, uint32_t nb)
{
	for (uint32_t i = 0, j = 0; i < na && j < nb;) {
		struct item *x = &w->a.items[a[i].item];
		struct item *y = &w->b.items[b[j].item];
		bool alone = (i + 1 == na || a[i + 1].hash != a[i].hash) &&
			     (!i || a[i - 1].hash != a[i].hash) &&
			     (j + 1 == nb || b[j + 1].hash != b[j].hash) &&
			     (!j || b[j - 1].hash != b[j].hash);

		if (a[i].hash < b[j].hash) {
			i++;
		} else if (a[i].hash > b[j].hash) {
			j++;
		} else {
			if (alone && enough(&x->shape, &y->shape) &&
			    same_under_names(w, &x->shape, &y->shape)) {
				x->pair = b[j].item;
				y->pair = a[i].item;
				x->guessed = y->guessed = true;
			}
			i++;
			j++;
		}
	}
}

/* One side's typedef that is the other side's alias. */
struct known_as {
	const char *name;
	uint32_t a, b; /* items */
};

static int known_order(const void *pa, const void *pb)
{
	const struct known_as *a = pa, *b = pb;
	int c = strcmp(a->name, b->name);

	return c ? c : a->a != b->a ? (a->a < b->a ? -1 : 1)
				    : (a->b > b->b) - (a->b < b->b);
}

static int item_name_order(const void *pa, const void *pb)
{
	const struct known_as *a = pa, *b = pb;

	return strcmp(a->name, b->name);
}

/* Unpaired records of `named` whose typedef is an alias of one of `tagged`. */
static size_t find_known(const struct side *named, const struct side *tagged,
			 bool swapped, struct known_as *scratch,
			 struct known_as *out)
{
	size_t n = 0, found = 0;

	for (uint32_t i = 0; i < named->nrecord_items; i++)
		if (named->items[i].pair == LAC_NONE &&
		    named->items[i].shape.by_typedef)
			scratch[n++] = (struct known_as){
				named->items[i].shape.name, i, 0};
	if (n)
		qsort(scratch, n, sizeof(*scratch), known_order);
	for (uint32_t k = 0; n && k < tagged->g->naliases; k++) {
		struct known_as key = {.name = tagged->g->aliases[k].name};
		uint32_t at = tagged->item_of[tagged->g->aliases[k].record];
		const struct known_as *it =
			bsearch(&key, scratch, n, sizeof(*scratch),
				item_name_order);

		if (it && at != LAC_NONE && tagged->items[at].pair == LAC_NONE)
			out[found++] = (struct known_as){
				it->name, swapped ? at : it->a,
				swapped ? it->a : at};
	}
	return found;
}

/*
 * "typedef struct {...} foo_t" that got a tag, or lost it.  Both directions go
 * into one list, so that the order of the builds does not matter.
 */
static enum lac_status pair_aliases(struct work *w, struct lac_err *err)
{
	size_t all = (size_t)w->a.g->naliases + w->b.g->naliases;
	struct known_as *list = lac_arena_zalloc(w->scratch, all,
						 sizeof(*list));
	struct known_as *scratch = lac_arena_zalloc(
		w->scratch, (size_t)w->a.nitems + w->b.nitems,
		sizeof(*scratch));
	size_t n;

	if (!list || !scratch)
		return lac_fail_memory(err);
	n = find_known(&w->a, &w->b, false, scratch, list);
	n += find_known(&w->b, &w->a, true, scratch, list + n);
	if (n)
		qsort(list, n, sizeof(*list), known_order);
	for (size_t i = 0; i < n; i++) {
		struct item *x = &w->a.items[list[i].a];
		struct item *y = &w->b.items[list[i].b];

		if (x->pair != LAC_NONE || y->pair != LAC_NONE)
			continue;
		x->pair = list[i].b;
		y->pair = list[i].a;
	}
	return LAC_OK;
}

enum lac_status lac_diff_pair_renamed(struct work *w, struct lac_err *err)
{
	LAC_TRY(pair_aliases(w, err));
	/* the second round sees the names that the first one found */
	for (int round = 0; round < 2; round++) {
		uint32_t na, nb, before = w->nrenames;
		struct print *a = prints(&w->a, w->scratch, &na);
		struct print *b = prints(&w->b, w->scratch, &nb);

		if (!a || !b)
			return lac_fail_memory(err);
		match_prints(w, a, na, b, nb);
		if (w->nrenames == before)
			break;
	}
	return LAC_OK;
}

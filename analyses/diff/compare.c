/* SPDX-License-Identifier: BSD-2-Clause */
/* compare.c - two shapes of one record: each difference by its class. */
#include <stdlib.h>
#include <string.h>

#include "diff/internal.h"

struct list {
	struct lac_change *c;
	uint32_t n, cap;
	struct lac_arena *arena;
	bool broken;		 /* out of memory */
	struct lac_change spare; /* then written to, never read */
};

static struct lac_change *push(struct list *l, enum lac_change_class class)
{
	if (l->n == l->cap) {
		uint32_t cap = l->cap ? 2 * l->cap : 8;
		struct lac_change *more =
			lac_arena_zalloc(l->arena, cap, sizeof(*more));

		if (!more) {
			l->broken = true;
			return &l->spare;
		}
		if (l->n)
			memcpy(more, l->c, l->n * sizeof(*more));
		l->c = more;
		l->cap = cap;
	}
	l->c[l->n].class = class;
	l->c[l->n].old_field = l->c[l->n].new_field = LAC_NONE;
	return &l->c[l->n++];
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool word_char(char c)
{
	return c == '_' || c == '$' || (c >= '0' && c <= '9') ||
	       (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* b is a with every whole word `from` replaced by `to`; false if not. */
static bool same_but_for(const char *a, const char *b,
			 const struct rename *r)
{
	size_t nf = strlen(r->old_name), nt = strlen(r->new_name);
	bool replaced = false;

	for (bool start = true; *a || *b; start = !word_char(a[-1])) {
		if (start && !strncmp(a, r->old_name, nf) &&
		    !word_char(a[nf])) {
			if (strncmp(b, r->new_name, nt) || word_char(b[nt]))
				return false;
			a += nf;
			b += nt;
			replaced = true;
			if (!*a && !*b)
				break;
			continue;
		}
		if (*a != *b)
			return false;
		a++;
		b++;
	}
	return replaced;
}

bool lac_types_equal(const struct work *w, const char *a, const char *b)
{
	if (same_text(a, b))
		return true;
	if (!a || !b)
		return false;
	for (uint32_t i = 0; i < w->nrenames; i++)
		if (same_but_for(a, b, &w->renames[i]))
			return true;
	return false;
}

static uint64_t elements(const struct lac_field *f)
{
	uint64_t n = 1;

	for (uint32_t i = 0; i < f->ndims; i++)
		if (__builtin_mul_overflow(n, f->dims[i], &n))
			return UINT64_MAX;
	return n;
}

/* BTF has one dimension where DWARF has several, and [0] for []. */
static bool member_types_equal(const struct work *w, const struct lac_field *f,
			       const struct lac_field *g)
{
	if (w->mixed && f->ndims && g->ndims)
		return elements(f) == elements(g) &&
		       lac_types_equal(w, f->element, g->element);
	return lac_types_equal(w, f->type, g->type);
}

static bool fields_equal(const struct work *w, const struct lac_field *f,
			 const struct lac_field *g)
{
	return f->bit_offset == g->bit_offset && f->bit_size == g->bit_size &&
	       (w->mixed || f->declared_align == g->declared_align) &&
	       f->unnamed == g->unnamed &&
	       (f->unnamed || !strcmp(f->path, g->path)) &&
	       member_types_equal(w, f, g) &&
	       lac_types_equal(w, f->resolved, g->resolved);
}

bool lac_shapes_equal(const struct work *w, const struct lac_shape *a,
		      const struct lac_shape *b)
{
	if (a->is_enum != b->is_enum || a->size != b->size ||
	    a->nfields != b->nfields || a->nvalues != b->nvalues ||
	    a->kind != b->kind)
		return false;
	/* the hash is over texts, which may mean the same in another spelling */
	if (!w->mixed && !w->nrenames && a->hash != b->hash)
		return false;
	if (!w->mixed && (!lac_aligns_equal(a->align, b->align) ||
			  a->packed != b->packed))
		return false;
	for (uint32_t i = 0; i < a->nfields; i++)
		if (!fields_equal(w, &a->fields[i], &b->fields[i]))
			return false;
	for (uint32_t i = 0; i < a->nvalues; i++)
		if (a->values[i].value != b->values[i].value ||
		    strcmp(a->values[i].name, b->values[i].name))
			return false;
	return true;
}

static void number(struct list *l, enum lac_change_class class,
		   const char *member, uint64_t was, uint64_t is)
{
	struct lac_change *c;

	if (was == is)
		return;
	c = push(l, class);
	c->member = member;
	c->old_value = was;
	c->new_value = is;
}

static void text(struct list *l, enum lac_change_class class,
		 const char *member, const char *was, const char *is)
{
	struct lac_change *c = push(l, class);

	c->member = member;
	c->old_text = was;
	c->new_text = is;
}

static void compare_record(const struct work *w, struct list *l,
			   const struct lac_shape *a, const struct lac_shape *b)
{
	if (a->kind != b->kind)
		text(l, LAC_CHANGE_KIND, NULL, lac_record_kind_name(a->kind),
		     lac_record_kind_name(b->kind));
	number(l, LAC_CHANGE_SIZE, NULL, a->size, b->size);
	if (w->mixed)
		return;
	if (!lac_aligns_equal(a->align, b->align))
		number(l, LAC_CHANGE_ALIGN, NULL, a->align, b->align);
	if (a->packed != b->packed)
		text(l, LAC_CHANGE_PACKED, NULL, lac_packed_name(a->packed),
		     lac_packed_name(b->packed));
}

static bool same_dims(const struct lac_field *f, const struct lac_field *g)
{
	return f->ndims == g->ndims &&
	       !memcmp(f->dims, g->dims, f->ndims * sizeof(*f->dims));
}

/* Both are arrays of one element type, of other lengths. */
static bool relengthened(const struct work *w, const struct lac_field *f,
			 const struct lac_field *g)
{
	if (w->mixed && elements(f) == elements(g))
		return false;
	return f->ndims && f->ndims == g->ndims && !same_dims(f, g) &&
	       lac_types_equal(w, f->element, g->element);
}

/* Is the new size what the old element gives at the new length? */
static bool length_explains(const struct lac_field *f,
			    const struct lac_field *g)
{
	uint64_t was = 1, is = 1;

	for (uint32_t i = 0; i < f->ndims; i++)
		if (__builtin_mul_overflow(was, f->dims[i], &was) ||
		    __builtin_mul_overflow(is, g->dims[i], &is))
			return false;
	if (!was || !is)
		return f->bit_size == g->bit_size; /* no element to measure */
	return f->bit_size / was == g->bit_size / is;
}

static void compare_length(struct list *l, const struct lac_field *f,
			   const struct lac_field *g)
{
	for (uint32_t i = 0; i < f->ndims; i++) {
		if (f->dims[i] == g->dims[i])
			continue;
		number(l, LAC_CHANGE_ARRAY_LENGTH, g->path, f->dims[i],
		       g->dims[i]);
		l->c[l->n - 1].old_text = f->type;
		l->c[l->n - 1].new_text = g->type;
		l->c[l->n - 1].old_bits = f->bit_size;
		l->c[l->n - 1].new_bits = g->bit_size;
		return;
	}
}

static void compare_type(const struct work *w, struct list *l,
			 const struct lac_field *f, const struct lac_field *g)
{
	bool bits = f->role == LAC_MEMBER_BITFIELD ||
		    g->role == LAC_MEMBER_BITFIELD;
	bool longer = relengthened(w, f, g);

	if (longer)
		compare_length(l, f, g);
	if ((!longer && !member_types_equal(w, f, g)) ||
	    !lac_types_equal(w, f->resolved, g->resolved)) {
		text(l, LAC_CHANGE_MEMBER_RETYPED, g->path, f->type, g->type);
		if (!l->broken) {
			l->c[l->n - 1].old_resolved = f->resolved;
			l->c[l->n - 1].new_resolved = g->resolved;
		}
	}
	if (longer && length_explains(f, g))
		return;
	number(l, bits ? LAC_CHANGE_BIT_WIDTH : LAC_CHANGE_MEMBER_RESIZED,
	       g->path, f->bit_size, g->bit_size);
}

static void compare_fields(const struct work *w, struct list *l,
			   const struct lac_shape *a, uint32_t i,
			   const struct lac_shape *b, uint32_t j, bool guessed)
{
	const struct lac_field *f = &a->fields[i], *g = &b->fields[j];
	uint32_t from = l->n;

	if (guessed) {
		text(l, LAC_CHANGE_MEMBER_RENAMED, g->path, f->path, g->path);
		l->c[l->n - 1].guess = !l->broken;
	}
	number(l, LAC_CHANGE_MEMBER_MOVED, g->path, f->bit_offset,
	       g->bit_offset);
	compare_type(w, l, f, g);
	if (!w->mixed)
		number(l, LAC_CHANGE_MEMBER_ALIGNED, g->path,
		       f->declared_align, g->declared_align);
	number(l, LAC_CHANGE_LINE_CROSSING, g->path, f->crossings,
	       g->crossings);
	if (f->inlined && g->inlined) {
		number(l, LAC_CHANGE_PADDING, g->path, f->padding_bits,
		       g->padding_bits);
		if (f->nholes != g->nholes || f->hole_bits != g->hole_bits) {
			struct lac_change *c = push(l, LAC_CHANGE_HOLES);

			c->member = g->path;
			c->old_value = f->nholes;
			c->new_value = g->nholes;
			c->old_bits = f->hole_bits;
			c->new_bits = g->hole_bits;
		}
	}
	for (; from < l->n; from++) {
		l->c[from].old_field = i;
		l->c[from].new_field = j;
		if (strcmp(f->path, g->path))
			l->c[from].old_member = f->path;
	}
}

static void one_sided(struct list *l, enum lac_change_class class,
		      const struct lac_field *f, uint32_t at)
{
	bool added = class == LAC_CHANGE_MEMBER_ADDED;
	uint32_t from = l->n;
	struct lac_change *c = push(l, class);

	c->member = f->path;
	*(added ? &c->new_value : &c->old_value) = f->bit_offset;
	*(added ? &c->new_bits : &c->old_bits) = f->bit_size;
	*(added ? &c->new_text : &c->old_text) = f->type;
	number(l, LAC_CHANGE_LINE_CROSSING, f->path,
	       added ? 0 : f->crossings, added ? f->crossings : 0);
	for (; from < l->n; from++)
		*(added ? &l->c[from].new_field : &l->c[from].old_field) = at;
}

static void compare_waste(struct list *l, const struct lac_shape *a,
			  const struct lac_shape *b)
{
	struct lac_change *c;

	number(l, LAC_CHANGE_PADDING, NULL, a->padding_bits, b->padding_bits);
	if (a->nholes == b->nholes && a->hole_bits == b->hole_bits)
		return;
	c = push(l, LAC_CHANGE_HOLES);
	c->old_value = a->nholes;
	c->new_value = b->nholes;
	c->old_bits = a->hole_bits;
	c->new_bits = b->hole_bits;
}

static int name_order(const void *pa, const void *pb)
{
	const struct lac_enumerator *a = pa, *b = pb;
	int c = strcmp(a->name, b->name);

	return c ? c : a->value < b->value ? -1 : a->value > b->value;
}

static struct lac_enumerator *by_name(struct list *l,
				      const struct lac_shape *s)
{
	struct lac_enumerator *v =
		lac_arena_zalloc(l->arena, s->nvalues, sizeof(*v));

	if (!v) {
		l->broken = true;
		return NULL;
	}
	if (s->nvalues)
		memcpy(v, s->values, s->nvalues * sizeof(*v));
	qsort(v, s->nvalues, sizeof(*v), name_order);
	return v;
}

static void enumerator(struct list *l, enum lac_change_class class,
		       const char *name, int64_t was, int64_t is,
		       bool is_signed)
{
	struct lac_change *c = push(l, class);

	c->member = name;
	c->old_value = (uint64_t)was;
	c->new_value = (uint64_t)is;
	c->is_signed = is_signed;
}

/* By the new value, or the old one of what is gone. */
static int value_order(const void *pa, const void *pb)
{
	const struct lac_change *a = pa, *b = pb;
	bool a_gone = a->class == LAC_CHANGE_ENUMERATOR_REMOVED;
	bool b_gone = b->class == LAC_CHANGE_ENUMERATOR_REMOVED;
	uint64_t x = a_gone ? a->old_value : a->new_value;
	uint64_t y = b_gone ? b->old_value : b->new_value;

	if (x != y)
		return (a->is_signed ? (int64_t)x < (int64_t)y : x < y) ? -1
									: 1;
	return a_gone != b_gone ? (a_gone ? -1 : 1)
				: strcmp(a->member, b->member);
}

static void compare_values(struct list *l, const struct lac_shape *a,
			   const struct lac_shape *b)
{
	bool is_signed = a->is_signed || b->is_signed;
	uint32_t from = l->n;
	struct lac_enumerator *x = by_name(l, a), *y = by_name(l, b);
	uint32_t i = 0, j = 0;

	while (x && y && (i < a->nvalues || j < b->nvalues)) {
		int o = i == a->nvalues	  ? 1
			: j == b->nvalues ? -1
					  : strcmp(x[i].name, y[j].name);

		if (o < 0)
			enumerator(l, LAC_CHANGE_ENUMERATOR_REMOVED, x[i].name,
				   x[i].value, 0, is_signed);
		else if (o > 0)
			enumerator(l, LAC_CHANGE_ENUMERATOR_ADDED, y[j].name,
				   0, y[j].value, is_signed);
		else if (x[i].value != y[j].value)
			enumerator(l, LAC_CHANGE_ENUMERATOR_VALUE, x[i].name,
				   x[i].value, y[j].value, is_signed);
		i += o <= 0;
		j += o >= 0;
	}
	if (l->n > from && !l->broken)
		qsort(l->c + from, l->n - from, sizeof(*l->c), value_order);
}

enum lac_status lac_shapes_compare(const struct work *w,
				   const struct lac_shape *a,
				   const struct lac_shape *b,
				   const struct field_pairs *p,
				   struct lac_arena *arena,
				   struct lac_change **ret, uint32_t *n,
				   struct lac_err *err)
{
	struct list l = {.arena = arena};

	compare_record(w, &l, a, b);
	for (uint32_t i = 0; i < a->nfields; i++)
		if (p->to_new[i] == LAC_NONE)
			one_sided(&l, LAC_CHANGE_MEMBER_REMOVED,
				  &a->fields[i], i);
	for (uint32_t j = 0; j < b->nfields; j++) {
		uint32_t i = p->to_old[j];

		if (i == LAC_NONE)
			one_sided(&l, LAC_CHANGE_MEMBER_ADDED, &b->fields[j],
				  j);
		else
			compare_fields(w, &l, a, i, b, j, p->guessed[i]);
	}
	compare_values(&l, a, b);
	compare_waste(&l, a, b);
	if (l.broken)
		return lac_fail_memory(err);
	*ret = l.c;
	*n = l.n;
	return LAC_OK;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "dbginfo/abbrev_internal.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/arena.h"
#include "dbginfo/graph.h"
#include "dbginfo/print.h"
#include "dbginfo/table.h"

#define CODES_MAX (1u << 20) /* abbreviations of one unit */
#define SPARE_MAX (1u << 20) /* see afford() */

/* By the fingerprint of its bytes and of the form of its units. */
struct declaration {
	struct lac_print print;
	struct lac_abbrev ab;
};

/* What units of that form have at that offset of their section. */
struct known_table {
	uint64_t at;
	uint32_t form;
	struct lac_abbrevs codes;
};

struct lac_abbrev_set {
	struct lac_arena *arena;
	bool all;
	struct known_table **tables;
	uint32_t ntables, tables_cap;
	struct lac_table table_table;
	struct lac_abbrevs reading; /* the table that is being read */
	uint64_t cost;		    /* of all tables: see afford() */
	struct declaration **v;
	uint32_t n, cap;
	struct lac_table table;
	struct lac_print *shapes;
	uint32_t nshapes, shapes_cap;
	struct lac_table shape_table;
	struct lac_op *ops; /* of the one that is being read */
	uint32_t ops_cap;
};

/* -- abbreviations of equal effect ---------------------------------------- */

static void mix_op(struct lac_print *h, const struct lac_op *op)
{
	if (op->slot == SLOT_SKIP && op->skip) {
		mix(h, (uint64_t)op->skip << 8 | SLOT_SKIP);
		return;
	}
	mix(h, (uint64_t)op->form << 32 | (uint64_t)op->at << 8 | op->slot);
	switch (op->slot) {
	case SLOT_SKIP:
	case SLOT_DECL_FILE:
	case SLOT_DECL_LINE:
	case SLOT_SIBLING:
		break;
	default:
		mix(h, (uint64_t)op->implicit);
	}
}

static bool find_shape(struct lac_abbrev_set *s, struct lac_abbrev *ab,
		       const struct lac_unit_form *f)
{
	struct lac_print h = { ab->tag, ab->children };
	uint32_t hash;

	/* sizes of forms hang on these, and of pointers */
	mix(&h, (uint64_t)f->version << 8 | f->address_size);
	for (uint32_t i = 0; i < ab->nops; i++)
		mix_op(&h, &ab->ops[i]);
	if (!lac_table_grow(&s->shape_table))
		return false;
	hash = lac_print_hash(&h);
	for (uint32_t at = hash;; at++) {
		struct lac_table_slot *slot =
			&s->shape_table.slots[at & (s->shape_table.cap - 1)];

		if (slot->id == LAC_NONE) {
			if (s->nshapes + 1 > UINT16_MAX)
				return true; /* without one */
			if (!lac_make_room((void **)&s->shapes, s->nshapes,
					   &s->shapes_cap, sizeof(*s->shapes)))
				return false;
			s->shapes[s->nshapes] = h;
			*slot = (struct lac_table_slot){ hash, s->nshapes++ };
			s->shape_table.n++;
		}
		if (slot->hash == hash &&
		    lac_print_same(&s->shapes[slot->id], &h)) {
			ab->shape = (uint16_t)(slot->id + 1);
			return true;
		}
	}
}

/* -- one declaration ------------------------------------------------------ */

static bool add_op(struct lac_abbrev_set *s, struct lac_abbrev *ab,
		   const struct lac_op *op)
{
	if (op->slot == SLOT_SKIP && ab->nops && op->skip) {
		struct lac_op *last = &s->ops[ab->nops - 1];

		if (last->slot == SLOT_SKIP && last->skip) {
			last->skip += op->skip; /* one step for both */
			return true;
		}
	}
	if (!lac_make_room((void **)&s->ops, ab->nops, &s->ops_cap,
			   sizeof(*s->ops)))
		return false;
	s->ops[ab->nops++] = *op;
	return true;
}

static bool read_ops(struct lac_abbrev_set *s, struct lac_abbrev *ab,
		     struct lac_cursor c, const struct lac_unit_form *f)
{
	for (;;) {
		uint64_t at = lac_take_uleb(&c), form = lac_take_uleb(&c);
		struct lac_op op = { .at = (uint16_t)at,
				     .form = (uint16_t)form };
		int size;

		if (op.form == DW_FORM_implicit_const)
			op.implicit = lac_take_sleb(&c);
		if (!at && !form)
			return true;
		op.slot = (uint8_t)(s->all ? lac_any_slot(op.at, ab->tag) :
					     lac_type_slot(op.at, ab->tag));
		if (op.slot != SLOT_SKIP && op.form == DW_FORM_indirect)
			ab->indirect = true;
		size = lac_form_size(op.form, f);
		if (op.slot == SLOT_SKIP && size == 0)
			continue; /* takes no room */
		if (op.slot == SLOT_SKIP && size > 0)
			op.skip = (uint32_t)size;
		if (!add_op(s, ab, &op))
			return false;
	}
}

/* Take one apart, whose n bytes are whole; false: out of memory. */
static bool take_apart(struct lac_abbrev_set *s, struct lac_abbrev *ab,
		       const unsigned char *p, size_t n,
		       const struct lac_unit_form *f)
{
	struct lac_cursor c = { p, p + n, false };
	struct lac_op *ops;
	uint64_t tag = lac_take_uleb(&c);

	ab->tag = tag > 0xffff ? 0xffff : (uint16_t)tag;
	ab->children = lac_take_uint(&c, 1, false) != 0;
	ab->kind = (uint8_t)lac_tag_kind(ab->tag);
	ab->known = (uint8_t)lac_tag_known(ab->tag, ab->children);
	if (!read_ops(s, ab, c, f))
		return false;
	/* never NULL, so that no operand is behind it */
	ops = lac_arena_zalloc(s->arena, ab->nops + 1, sizeof(*ops));
	if (!ops)
		return false;
	if (ab->nops)
		memcpy(ops, s->ops, ab->nops * sizeof(*ops));
	ab->ops = ops;
	ab->fixed = ab->nops == 0 ? 0 : ab->nops == 1 && ops->skip ?
			    ops->skip : LAC_NOT_FIXED;
	lac_abbrev_find_skip(ab);
	if (!find_shape(s, ab, f))
		return false;
	lac_abbrev_find_mask(ab, f);
	return true;
}

static struct declaration *add(struct lac_abbrev_set *s,
			       const struct lac_print *print,
			       const unsigned char *p, size_t n,
			       const struct lac_unit_form *f)
{
	struct declaration *ret = lac_arena_zalloc(s->arena, 1, sizeof(*ret));

	if (!ret || !lac_make_room((void **)&s->v, s->n, &s->cap, sizeof(*s->v)))
		return NULL;
	ret->print = *print;
	if (!take_apart(s, &ret->ab, p, n, f))
		return NULL;
	s->v[s->n++] = ret;
	return ret;
}

static uint32_t form_number(const struct lac_unit_form *f)
{
	return (uint32_t)f->version << 16 | (uint32_t)f->address_size << 8 |
	       (uint32_t)f->offset_size << 1 | f->big_endian;
}

/* What those bytes declare; NULL: out of memory. */
static const struct lac_abbrev *find(struct lac_abbrev_set *s,
				     const unsigned char *p, size_t n,
				     const struct lac_unit_form *f)
{
	struct lac_print h = { form_number(f), 10 };
	uint32_t hash;

	mix_bytes(&h, p, n);
	hash = lac_print_hash(&h);
	if (!lac_table_grow(&s->table))
		return NULL;
	for (uint32_t at = hash;; at++) {
		struct lac_table_slot *slot =
			&s->table.slots[at & (s->table.cap - 1)];
		struct declaration *d;

		if (slot->id == LAC_NONE) {
			d = add(s, &h, p, n, f);
			if (!d)
				return NULL;
			*slot = (struct lac_table_slot){ hash, s->n - 1 };
			s->table.n++;
			return &d->ab;
		}
		d = s->v[slot->id];
		if (slot->hash == hash && lac_print_same(&d->print, &h))
			return &d->ab;
	}
}

/* -- a unit's table ------------------------------------------------------- */

/* To the end of a declaration, from its tag on. */
static void skip_declaration(struct lac_cursor *c)
{
	uint64_t at, form;

	lac_take_uleb(c);
	lac_take_uint(c, 1, false);
	do {
		at = lac_take_uleb(c);
		form = lac_take_uleb(c);
		if (form == DW_FORM_implicit_const)
			lac_take_sleb(c);
		if (at > 0xffff || form > 0xffff)
			c->bad = true;
	} while (!c->bad && (at || form));
}

static bool code_room(struct lac_abbrevs *a, uint64_t code)
{
	uint32_t cap = a->cap ? a->cap : 256;
	void *p;

	while (cap <= code)
		cap *= 2;
	if (cap > a->cap) {
		p = reallocarray(a->v, cap, sizeof(*a->v));
		if (!p)
			return false;
		a->v = p;
		p = reallocarray(a->skip, cap, sizeof(*a->skip));
		if (!p)
			return false;
		a->skip = p;
		a->cap = cap;
	}
	while (a->n <= code) {
		a->skip[a->n] = (struct lac_skip){ 0 };
		a->v[a->n++] = NULL;
	}
	return true;
}

/*
 * Codes are numbers in a row, and a table is read once, so that all tables
 * together are no more than the section.  Tables that overlap, or leave codes
 * out, would take memory and time out of all proportion to the file: they may
 * a little.  A code that is left out costs as much as a byte.
 */
static bool afford(struct lac_abbrev_set *s, struct lac_bytes section,
		   uint64_t code, size_t nbytes)
{
	s->cost += nbytes;
	if (code > s->reading.n)
		s->cost += code - s->reading.n;
	return code <= CODES_MAX && s->cost <= SPARE_MAX + section.size;
}

static enum lac_status add_code(struct lac_abbrev_set *s, uint64_t code,
				const struct lac_abbrev *ab,
				struct lac_err *err)
{
	struct lac_abbrevs *a = &s->reading;

	if (!ab || !code_room(a, code))
		return lac_fail_memory(err);
	if (ab->indirect)
		return lac_fail(err, LAC_UNSUPPORTED,
				"values that tell their form themselves");
	/* a tag of 0 is no entry; of one code, the first declaration counts */
	if (ab->tag && !a->v[code]) {
		a->v[code] = ab;
		a->skip[code] = ab->skip;
	}
	return LAC_OK;
}

/* Into s->reading, from c on. */
static enum lac_status read_table(struct lac_abbrev_set *s, struct lac_cursor c,
				  struct lac_bytes section,
				  const struct lac_unit_form *f,
				  struct lac_err *err)
{
	s->reading.n = 0;
	if (!code_room(&s->reading, 0))
		return lac_fail_memory(err);
	for (;;) {
		const unsigned char *start = c.p;
		uint64_t code = lac_take_uleb(&c);
		const unsigned char *p = c.p;

		if (!code && !c.bad)
			return LAC_OK;
		skip_declaration(&c);
		if (c.bad)
			return lac_fail(err, LAC_BAD_INPUT,
					"a damaged table of abbreviations");
		if (!afford(s, section, code, (size_t)(c.p - start)))
			return lac_fail(err, LAC_UNSUPPORTED,
					"abbreviation code %llu",
					(unsigned long long)code);
		LAC_TRY(add_code(s, code, find(s, p, (size_t)(c.p - p), f),
				 err));
	}
}

/* What was read, in no more room than it takes; NULL: out of memory. */
static struct known_table *keep_table(struct lac_abbrev_set *s, uint64_t at,
				      uint32_t form)
{
	const struct lac_abbrevs *a = &s->reading;
	struct known_table *t = lac_arena_zalloc(s->arena, 1, sizeof(*t));

	if (!t || !lac_make_room((void **)&s->tables, s->ntables,
				 &s->tables_cap, sizeof(*s->tables)))
		return NULL;
	t->at = at;
	t->form = form;
	t->codes.n = t->codes.cap = a->n;
	t->codes.v = lac_arena_zalloc(s->arena, a->n, sizeof(*a->v));
	t->codes.skip = lac_arena_zalloc(s->arena, a->n, sizeof(*a->skip));
	if (!t->codes.v || !t->codes.skip)
		return NULL;
	memcpy(t->codes.v, a->v, a->n * sizeof(*a->v));
	memcpy(t->codes.skip, a->skip, a->n * sizeof(*a->skip));
	s->tables[s->ntables++] = t;
	return t;
}

enum lac_status lac_abbrevs_read(struct lac_abbrev_set *s,
				 struct lac_bytes section, uint64_t at,
				 const struct lac_unit_form *f,
				 const struct lac_abbrevs **ret,
				 struct lac_err *err)
{
	uint32_t form = form_number(f), hash;
	struct lac_print h = { form, 11 };
	struct lac_table_slot *slot;
	struct known_table *t;

	if (at >= section.size)
		return lac_fail(err, LAC_BAD_INPUT,
				"no table of abbreviations at 0x%llx",
				(unsigned long long)at);
	mix(&h, at);
	hash = lac_print_hash(&h);
	if (!lac_table_grow(&s->table_table))
		return lac_fail_memory(err);
	for (uint32_t i = hash;; i++) {
		slot = &s->table_table.slots[i & (s->table_table.cap - 1)];
		if (slot->id == LAC_NONE)
			break;
		t = s->tables[slot->id];
		if (t->at == at && t->form == form) {
			*ret = &t->codes;
			return LAC_OK;
		}
	}
	LAC_TRY(read_table(s, (struct lac_cursor){ section.p + at,
						   section.p + section.size,
						   false },
			   section, f, err));
	t = keep_table(s, at, form);
	if (!t)
		return lac_fail_memory(err);
	*slot = (struct lac_table_slot){ hash, s->ntables - 1 };
	s->table_table.n++;
	*ret = &t->codes;
	return LAC_OK;
}

struct lac_abbrev_set *lac_abbrev_set_create(bool all)
{
	struct lac_abbrev_set *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->all = all;
	s->arena = lac_arena_create();
	if (s->arena)
		return s;
	free(s);
	return NULL;
}

void lac_abbrev_set_destroy(struct lac_abbrev_set *s)
{
	if (!s)
		return;
	lac_arena_destroy(s->arena);
	free(s->tables);
	free(s->table_table.slots);
	free(s->reading.v);
	free(s->reading.skip);
	free(s->v);
	free(s->table.slots);
	free(s->shapes);
	free(s->shape_table.slots);
	free(s->ops);
	free(s);
}

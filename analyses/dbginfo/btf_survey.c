/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf_survey.c - one look at every type of BTF where it lies: which of them the
 * graph has, their ids there, and how much room they take.
 */
#include <stdlib.h>
#include <string.h>

#include "dbginfo/btf_reader.h"

#define KINDS 32     /* that the five bits of a type can say */
#define WANTED 0x80u /* beside a kind: some type leads to this one */
#define TAGS_MAX 32  /* in a row */

/* Sets of kinds. */
#define TAKEN                                                                  \
	(1u << BTF_KIND_INT | 1u << BTF_KIND_FLOAT | 1u << BTF_KIND_PTR |      \
	 1u << BTF_KIND_ARRAY | 1u << BTF_KIND_STRUCT | 1u << BTF_KIND_UNION | \
	 1u << BTF_KIND_ENUM | 1u << BTF_KIND_ENUM64 | 1u << BTF_KIND_FWD |    \
	 1u << BTF_KIND_TYPEDEF | 1u << BTF_KIND_CONST |                       \
	 1u << BTF_KIND_VOLATILE | 1u << BTF_KIND_RESTRICT)
#define LEADING                                                                \
	(1u << BTF_KIND_PTR | 1u << BTF_KIND_TYPEDEF | 1u << BTF_KIND_CONST |  \
	 1u << BTF_KIND_VOLATILE | 1u << BTF_KIND_RESTRICT |                   \
	 1u << BTF_KIND_TYPE_TAG)

/* One "long", and "int" and "unsigned" beside it in any order. */
static bool names_long(const char *s)
{
	unsigned longs = 0;

	while (*s) {
		size_t n = strcspn(s, " ");

		if (n == 4 && !memcmp(s, "long", n))
			longs++;
		else if (!(n == 3 && !memcmp(s, "int", n)) &&
			 !(n == 8 && !memcmp(s, "unsigned", n)))
			return false;
		s += n + (s[n] == ' ');
	}
	return longs == 1;
}

/*
 * BTF does not say how large a pointer is; a long is as large on every target
 * of Linux.  libbpf has its own idea of that, which is the same.
 */
static void note_long(struct lac_btf_reader *r, const struct btf_type *b)
{
	if (r->g->target.pointer_size || (b->size != 4 && b->size != 8))
		return;
	if (b->name_off < r->from.strings_size &&
	    names_long(r->from.strings + b->name_off))
		r->g->target.pointer_size = (uint8_t)b->size;
}

struct survey { /* by kind: types, and, in the lower bits, their parts */
	uint64_t n[KINDS];
};

#define ONE ((uint64_t)1 << 36) /* there are fewer bytes than that */

static uint32_t types_of(const struct survey *s, unsigned kind)
{
	return (uint32_t)(s->n[kind] / ONE);
}

static uint64_t parts_of(const struct survey *s, unsigned kind)
{
	return s->n[kind] % ONE;
}

static bool look(struct lac_btf_reader *r, struct survey *s)
{
	/* copies, of which the compiler knows that no store changes them */
	struct lac_btf_place from = r->from;
	unsigned char *kinds = r->kinds;
	const struct btf_type *b;

	while ((b = lac_btf_next(&from))) {
		unsigned kind = btf_kind(b);
		uint32_t to = LEADING >> kind & 1 ? b->type : 0;

		if (kind == BTF_KIND_ARRAY)
			to = btf_array(b)->type;
		if (kind == BTF_KIND_INT) {
			/* older BTF has bit-fields that way */
			if (btf_int_bits(b) != b->size * 8)
				return false;
			note_long(r, b);
		}
		if (to >= from.max)
			return false;
		kinds[to] |= WANTED;
		s->n[kind] += ONE | btf_vlen(b);
		kinds[from.n - 1] |= (unsigned char)kind;
	}
	r->from = from;
	return !from.bad;
}

/* Without branches: which kind comes next cannot be foretold. */
static void number(struct lac_btf_reader *r)
{
	uint32_t n = 1;

	r->now[0] = 0;
	for (uint32_t id = 1; id < r->from.n; id++) {
		unsigned kind = r->kinds[id] & ~WANTED;
		/* functions alone need not be there */
		uint32_t in = (TAKEN >> kind & 1) |
			      (r->kinds[id] == (BTF_KIND_FUNC_PROTO | WANTED));

		r->kinds[id] = (unsigned char)kind;
		r->now[id] = in ? n : LAC_NONE;
		n += in;
	}
	r->g->ntypes = n;
}

/* They say nothing about the layout: what is behind stands for them. */
static bool number_tags(struct lac_btf_reader *r, uint32_t n)
{
	for (uint32_t id = 1; id < r->from.n && n; id++) {
		uint32_t to = id, steps = 0;

		while (r->kinds[to] == BTF_KIND_TYPE_TAG) {
			to = lac_btf_type(&r->from, to)->type;
			if (to >= r->from.n || ++steps > TAGS_MAX)
				return false;
		}
		if (steps)
			r->now[id] = r->now[to];
	}
	return true;
}

static lac_type_id *list(uint32_t n)
{
	return malloc(((size_t)n + 1) * sizeof(lac_type_id));
}

static bool make_room(struct lac_btf_reader *r, const struct survey *s)
{
	struct lac_arena *arena = r->g->arena;
	uint32_t nrecords = types_of(s, BTF_KIND_STRUCT) +
			    types_of(s, BTF_KIND_UNION);
	uint32_t nenums = types_of(s, BTF_KIND_ENUM) +
			  types_of(s, BTF_KIND_ENUM64);

	r->members_left = parts_of(s, BTF_KIND_STRUCT) +
			  parts_of(s, BTF_KIND_UNION);
	r->values_left = parts_of(s, BTF_KIND_ENUM) +
			 parts_of(s, BTF_KIND_ENUM64);
	r->params_left = parts_of(s, BTF_KIND_FUNC_PROTO);
	r->types = lac_arena_alloc(arena, r->g->ntypes, sizeof(*r->types));
	r->records = lac_arena_alloc(arena, nrecords, sizeof(*r->records));
	r->enumerations = lac_arena_alloc(arena, nenums,
					  sizeof(*r->enumerations));
	r->members = lac_arena_alloc(arena, r->members_left,
				     sizeof(*r->members));
	r->values = lac_arena_alloc(arena, r->values_left, sizeof(*r->values));
	r->params = lac_arena_alloc(arena, r->params_left, sizeof(*r->params));
	r->typedefs = list(types_of(s, BTF_KIND_TYPEDEF));
	r->forwards = list(types_of(s, BTF_KIND_FWD));
	r->enums = list(nenums);
	r->roots = list(nrecords + types_of(s, BTF_KIND_TYPEDEF));
	r->facts = calloc((size_t)r->g->ntypes + 1, sizeof(*r->facts));
	return r->types && r->records && r->enumerations && r->members &&
	       r->values && r->params && r->typedefs &&
	       r->forwards && r->enums && r->roots && r->facts &&
	       lac_map_reserve(&r->contents, nrecords + nenums);
}

bool lac_btf_survey(struct lac_btf_reader *r)
{
	struct survey s = { 0 };

	r->kinds = calloc(r->from.max, 1);
	if (!r->kinds || !look(r, &s))
		return false;
	r->now = malloc(r->from.n * sizeof(*r->now));
	if (!r->now)
		return false;
	if (!r->g->target.pointer_size)
		r->g->target.pointer_size = 8;
	number(r);
	return number_tags(r, types_of(&s, BTF_KIND_TYPE_TAG)) &&
	       make_room(r, &s);
}

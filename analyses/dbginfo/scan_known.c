/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scan_known.c - entries that an earlier unit has had, byte for byte.
 *
 * Two thousand units of a kernel include the same headers.  What differs
 * between two copies of a type is where the types lie that it refers to, the
 * codes of its abbreviations and the numbers of its source files; everything
 * else is the same bytes.  So once an entry has been taken apart, its bytes
 * are kept under a mask, and a later copy costs a comparison and no more.
 * What it refers to is compared later, by fingerprints (scan.c).
 */
#include <dwarf.h>
#include <stdlib.h>

#include "dbginfo/graph.h"
#include "dbginfo/scan_unit.h"

#define SAME_KEY_MAX 8	      /* copies of one type that differ in form */
#define BYTES_MAX (48u << 20) /* of one thread; what is beyond is walked */

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

/* Bytes of an entry with that abbreviation before its sibling, or 0. */
static uint8_t sibling_place(const struct lac_scan_unit *u, uint64_t code)
{
	const struct lac_abbrev *ab = &u->abbrevs.v[code];
	const struct lac_op *op = &u->abbrevs.ops[ab->first];
	uint32_t at = code < 0x80 ? 1 : 2;

	for (uint32_t i = 0; i < ab->nops && at < 0x80; i++) {
		if (op[i].slot == SLOT_SIBLING)
			return op[i].form == DW_FORM_ref4 ? (uint8_t)at : 0;
		if (op[i].slot == SLOT_SKIP && op[i].skip)
			at += op[i].skip;
		else if (op[i].form == DW_FORM_ref4)
			at += 4;
		else if (op[i].form != DW_FORM_flag_present &&
			 op[i].form != DW_FORM_implicit_const)
			return 0;
	}
	return 0;
}

unsigned lac_known_sibling(struct lac_scan_unit *u, uint64_t code)
{
	uint8_t *at = &u->known.sibling[code];

	if (*at == UINT8_MAX) /* not asked for yet */
		*at = sibling_place(u, code);
	return *at;
}

static uint16_t find_shape(struct lac_scan_unit *u, uint64_t code)
{
	struct lac_known_set *k = &u->known;
	const struct lac_abbrev *ab = &u->abbrevs.v[code];
	struct lac_print h = { ab->tag, ab->children };
	uint32_t hash;

	/* sizes of forms hang on these, and of pointers */
	mix(&h, (uint64_t)u->form.version << 8 | u->form.address_size);
	for (uint32_t i = 0; i < ab->nops; i++)
		mix_op(&h, &u->abbrevs.ops[ab->first + i]);
	if (!lac_table_grow(&k->shape_table))
		return 0;
	hash = (uint32_t)(h.a ^ h.b >> 32);
	for (uint32_t at = hash;; at++) {
		struct lac_table_slot *s =
			&k->shape_table.slots[at & (k->shape_table.cap - 1)];

		if (s->id == LAC_NONE) {
			if (k->nshapes + 1 >= KNOWN_WIDE ||
			    !lac_make_room((void **)&k->shapes, k->nshapes,
					   &k->shapes_cap, sizeof(*k->shapes)))
				return 0;
			k->shapes[k->nshapes] = h;
			*s = (struct lac_table_slot){ hash, k->nshapes++ };
			k->shape_table.n++;
		}
		if (s->hash == hash && k->shapes[s->id].a == h.a &&
		    k->shapes[s->id].b == h.b)
			return k->shape[code] = (uint16_t)(s->id + 1);
	}
}

static inline uint16_t shape_of(struct lac_scan_unit *u, uint64_t code)
{
	uint16_t shape = u->known.shape[code];

	return shape ? shape : find_shape(u, code);
}

uint16_t lac_known_shape(struct lac_scan_unit *u, uint64_t code)
{
	return shape_of(u, code);
}

/* -- comparing ------------------------------------------------------------ */

static inline bool code_matches(struct lac_scan_unit *u,
				const struct lac_known_code *c,
				const unsigned char *p)
{
	uint32_t code = p[c->at];

	if (c->shape & KNOWN_WIDE) {
		if (code < 0x80 || p[c->at + 1] >= 0x80)
			return false;
		code = (code & 0x7f) | (uint32_t)p[c->at + 1] << 7;
	} else if (code >= 0x80) {
		return false;
	}
	return code < u->abbrevs.n && u->abbrevs.v[code].tag &&
	       shape_of(u, code) == (c->shape & ~KNOWN_WIDE);
}

/* The parts of a record mostly are of one abbreviation: look at it once. */
static inline bool codes_match(struct lac_scan_unit *u,
			       const struct lac_known *k,
			       const unsigned char *p)
{
	const struct lac_known_code *c = known_codes(k);
	const struct lac_known_code *end = c + k->ncodes;
	uint32_t code = 0x100, shape = KNOWN_WIDE;

	for (; c < end; c++) {
		if (p[c->at] == code && c->shape == shape)
			continue;
		if (!code_matches(u, c, p))
			return false;
		code = c->shape & KNOWN_WIDE ? 0x100 : p[c->at];
		shape = c->shape;
	}
	return true;
}

static inline bool matches(struct lac_scan_unit *u, const struct lac_known *k,
			   const unsigned char *p, const unsigned char *end)
{
	const uint64_t *want = known_words(k), *spread = u->known.spread;
	const uint8_t *mask = known_mask(k);
	uint64_t differ = 0, word;

	if ((size_t)(end - p) < (size_t)8 * k->nwords)
		return false;
	for (uint32_t i = 0; i < k->nwords; i++) {
		memcpy(&word, p + (size_t)8 * i, 8);
		differ |= (word & spread[mask[i]]) ^ want[i];
	}
	return !differ && codes_match(u, k, p);
}

/*
 * There are more of them than a cache holds, but their order is known: the next
 * one is on its way by now, and tells the one after.
 */
static inline void look_ahead(const struct lac_known *k)
{
	const struct lac_known *next = k->next[0];
	const char *soon = next ? (const char *)next->next[0] : NULL;

	for (int line = 0; soon && line < 4; line++)
		__builtin_prefetch(soon + 64 * line);
}

struct lac_known *lac_known_next(struct lac_scan_unit *u,
				 const unsigned char *p,
				 const unsigned char *end)
{
	const struct lac_known *last = u->known.last;

	for (unsigned i = 0; last && i < 2; i++)
		if (last->next[i] && matches(u, last->next[i], p, end)) {
			struct lac_known *k = last->next[i];
			look_ahead(k);
			return u->known.last = k;
		}
	return NULL;
}

static void follows(struct lac_known_set *set, struct lac_known *k)
{
	if (set->last) {
		set->last->next[1] = set->last->next[0];
		set->last->next[0] = k;
	}
	set->last = k;
}

struct lac_known *lac_known_find(struct lac_scan_unit *u, uint32_t key,
				 const unsigned char *p,
				 const unsigned char *end, bool in_order)
{
	struct lac_known_set *set = &u->known;
	unsigned same = 0;

	for (uint32_t at = key; set->table.cap && same < SAME_KEY_MAX; at++) {
		struct lac_table_slot *s =
			&set->table.slots[at & (set->table.cap - 1)];

		if (s->id == LAC_NONE)
			break;
		if (s->hash != key)
			continue;
		same++;
		if (matches(u, set->v[s->id], p, end)) {
			if (in_order)
				follows(set, set->v[s->id]);
			return set->v[s->id];
		}
	}
	return NULL;
}

/* -- keeping -------------------------------------------------------------- */

/* Taking an entry apart once more, for the places of what varies. */
struct taking {
	struct lac_scan_unit *u;
	struct lac_cursor c;
	const unsigned char *start;
	unsigned char *mask; /* a byte for each */
	struct lac_known_code *codes;
	uint16_t *refs;
	struct lac_known k;
};

static bool add_code(struct taking *t, const unsigned char *at, uint64_t code)
{
	size_t width = (size_t)(t->c.p - at);
	uint16_t shape = shape_of(t->u, code);

	if (width > 2 || !shape)
		return false;
	if (width == 2)
		shape |= KNOWN_WIDE;
	memset(t->mask + (at - t->start), 0, width);
	t->codes[t->k.ncodes++] = (struct lac_known_code){
		(uint16_t)(at - t->start), shape,
	};
	return true;
}

/* A value of an entry; head: of the type itself, not of a part of it. */
static bool take_op(struct taking *t, const struct lac_op *op, uint16_t tag,
		    bool head)
{
	const unsigned char *at = t->c.p;
	uint16_t place = (uint16_t)(at - t->start);
	struct lac_value v = { .class = VALUE_NONE };
	bool fixed;

	if (op->slot == SLOT_SKIP) {
		lac_value_skip(&t->c, op, &t->u->form);
		fixed = op->skip != 0;
	} else {
		lac_value_read(&t->c, op, &t->u->form, &v);
		fixed = v.class == VALUE_CONSTANT && op->form != DW_FORM_udata;
	}
	if (t->c.bad || op->form == DW_FORM_indirect)
		return false;
	switch (op->slot) {
	case SLOT_NAME: /* an index means something in its unit only */
		return v.class != VALUE_STRX;
	case SLOT_SPECIFICATION:
	case SLOT_IMPORT:
		return false;
	case SLOT_TYPE:
	case SLOT_SIGNATURE:
	case SLOT_CONTAINING:
		if (op->form != DW_FORM_ref4)
			return false;
		memset(t->mask + place, 0, 4);
		if (head && op->slot == SLOT_TYPE)
			t->k.type_at = place;
		else if (head)
			t->k.other_at = place;
		else if (op->slot == SLOT_TYPE && tag != DW_TAG_subrange_type)
			t->refs[t->k.nrefs++] = place;
		return true;
	case SLOT_SIBLING: /* told by what is compared */
		if (op->form == DW_FORM_ref4)
			memset(t->mask + place, 0, 4);
		return true;
	case SLOT_SKIP:
	case SLOT_DECL_FILE:
	case SLOT_DECL_LINE:
		if (fixed)
			memset(t->mask + place, 0, (size_t)(t->c.p - at));
		return true;
	default:
		return true;
	}
}

/* The walk has been here: its codes are good. */
static bool take_die(struct taking *t, bool head)
{
	const unsigned char *at = t->c.p;
	uint64_t code = lac_take_uleb(&t->c);
	const struct lac_abbrev *ab = &t->u->abbrevs.v[code];
	const struct lac_op *op = &t->u->abbrevs.ops[ab->first];

	if ((!head && (ab->children || ab->kind != ABBREV_PART)) ||
	    !add_code(t, at, code))
		return false;
	for (uint32_t i = 0; i < ab->nops; i++)
		if (!take_op(t, &op[i], ab->tag, head))
			return false;
	return true;
}

static bool take_all(struct taking *t, const unsigned char *end)
{
	if (!take_die(t, true))
		return false;
	while (t->c.p < end)
		if (*t->c.p == 0) /* the end of its parts */
			return t->c.p + 1 == end;
		else if (!take_die(t, false))
			return false;
	return t->c.p == end;
}

/* Everything in one piece. */
static struct lac_known *put(struct taking *t)
{
	struct lac_known_set *set = &t->u->known;
	const struct lac_known *k = &t->k;
	size_t n = k->nwords, seen = 2 * ((size_t)k->nrefs + 2);
	/* as known_mask() and those that follow it have it */
	size_t size = sizeof(*k) + 9 * n + 3 + seen * sizeof(uint32_t) +
		      k->ncodes * sizeof(*t->codes) +
		      k->nrefs * sizeof(*t->refs);
	struct lac_known *ret;
	uint64_t *words;
	uint8_t *mask;

	if (size > BYTES_MAX - set->bytes)
		return NULL;
	ret = lac_arena_zalloc(set->arena, size, 1);
	if (!ret)
		return NULL;
	*ret = *k;
	ret->body = lac_arena_zalloc(set->bodies, 1, sizeof(*ret->body));
	if (!ret->body)
		return NULL;
	set->bytes += size + sizeof(*ret->body);
	words = known_words(ret);
	mask = (uint8_t *)(words + n);
	memcpy(words, t->start, k->size);
	for (uint32_t i = 0; i < k->size; i++)
		mask[i / 8] |= (uint8_t)((t->mask[i] & 1) << i % 8);
	for (uint32_t i = 0; i < n; i++)
		words[i] &= set->spread[mask[i]];
	memcpy(known_codes(ret), t->codes, k->ncodes * sizeof(*t->codes));
	memcpy(known_refs(ret), t->refs, k->nrefs * sizeof(*t->refs));
	return ret;
}

/* The slot for one more of that key, or NULL. */
static struct lac_table_slot *free_slot(struct lac_known_set *set, uint32_t key)
{
	unsigned same = 0;
	uint32_t at = key;

	if (!lac_make_room((void **)&set->v, set->n, &set->cap,
			   sizeof(*set->v)) ||
	    !lac_table_grow(&set->table))
		return NULL;
	for (;; at++) {
		struct lac_table_slot *s =
			&set->table.slots[at & (set->table.cap - 1)];

		if (s->id == LAC_NONE)
			return s;
		same += s->hash == key;
		if (same == SAME_KEY_MAX)
			return NULL;
	}
}

/* What put() needs of entry id, which lies between start and end. */
static bool take_entry(struct taking *t, uint32_t id, const unsigned char *start,
		       const unsigned char *end)
{
	const struct entry *e = &t->u->entries[id];
	const struct lac_known_set *set = &t->u->known;

	t->c = (struct lac_cursor){ start, end, false };
	t->start = start;
	t->mask = set->scratch_mask;
	t->codes = set->scratch_codes;
	t->refs = set->scratch_refs;
	if (end - start > KNOWN_SIZE_MAX)
		return false;
	t->k.size = (uint16_t)(end - start);
	t->k.nwords = (uint16_t)((t->k.size + 7) / 8);
	t->k.tag = e->tag;
	t->k.flags = e->flags;
	for (int i = 0; i < 2; i++)
		t->k.named[i] = t->k.print[i] = LAC_NONE;
	memset(t->mask, 0xff, t->k.size);
	return take_all(t, end);
}

static void know(struct lac_scan_unit *u, uint32_t id, struct lac_known *k)
{
	*k->body = u->bodies[u->entries[id].body];
	k->body->first = k->body->last = NO_ENTRY;
	u->entries[id].known = k;
}

void lac_known_add(struct lac_scan_unit *u, uint32_t key, uint32_t id,
		   const unsigned char *start, const unsigned char *end)
{
	struct lac_known_set *set = &u->known;
	struct taking t = { .u = u };
	struct lac_table_slot *slot;
	struct lac_known *k;

	if (!take_entry(&t, id, start, end))
		return;
	t.k.simple = t.k.tag == DW_TAG_array_type && !t.k.nrefs;
	slot = free_slot(set, key);
	k = slot ? put(&t) : NULL;
	if (!k)
		return;
	know(u, id, k);
	set->v[set->n] = k;
	*slot = (struct lac_table_slot){ key, set->n++ };
	set->table.n++;
	if (!k->simple && k->tag != DW_TAG_subroutine_type)
		follows(set, k);
}

struct lac_known *lac_known_simple(struct lac_scan_unit *u, uint64_t code,
				   const unsigned char *p,
				   const unsigned char *end)
{
	uint16_t shape = shape_of(u, code);
	struct lac_known *k = shape < u->known.nof_shape ?
				      u->known.of_shape[shape] : NULL;

	return k && matches(u, k, p, end) ? k : NULL;
}

void lac_known_add_simple(struct lac_scan_unit *u, uint64_t code, uint32_t id,
			  const unsigned char *start, const unsigned char *end)
{
	struct lac_known_set *set = &u->known;
	struct taking t = { .u = u };
	uint16_t shape = shape_of(u, code);
	struct lac_known *k;

	while (shape >= set->nof_shape) {
		if (!lac_make_room((void **)&set->of_shape, set->nof_shape,
				   &set->of_shape_cap, sizeof(*set->of_shape)))
			return;
		set->of_shape[set->nof_shape++] = NULL;
	}
	if (!shape || !take_entry(&t, id, start, end))
		return;
	t.k.simple = true;
	k = put(&t);
	if (!k)
		return;
	know(u, id, k);
	set->of_shape[shape] = k;
}

/* -- the set -------------------------------------------------------------- */

enum lac_status lac_known_init(struct lac_known_set *k, struct lac_err *err)
{
	for (unsigned i = 0; i < 256; i++)
		for (unsigned bit = 0; bit < 8; bit++)
			if (i & 1u << bit)
				((unsigned char *)&k->spread[i])[bit] = 0xff;
	k->arena = lac_arena_create();
	k->bodies = lac_arena_create();
	k->scratch_mask = malloc(KNOWN_SIZE_MAX);
	k->scratch_codes = calloc(KNOWN_SIZE_MAX, sizeof(*k->scratch_codes));
	k->scratch_refs = calloc(KNOWN_SIZE_MAX, sizeof(*k->scratch_refs));
	return k->arena && k->bodies && k->scratch_mask && k->scratch_codes &&
			       k->scratch_refs ?
		       LAC_OK : lac_fail_memory(err);
}

enum lac_status lac_known_unit(struct lac_scan_unit *u, struct lac_err *err)
{
	struct lac_known_set *k = &u->known;

	k->last = NULL;
	if (u->abbrevs.n > k->nshape) {
		free(k->shape);
		free(k->sibling);
		k->nshape = 2 * u->abbrevs.n;
		k->shape = malloc(k->nshape * sizeof(*k->shape));
		k->sibling = malloc(k->nshape);
		if (!k->shape || !k->sibling) {
			k->nshape = 0;
			return lac_fail_memory(err);
		}
	}
	if (u->abbrevs.n) {
		memset(k->shape, 0, u->abbrevs.n * sizeof(*k->shape));
		memset(k->sibling, 0xff, u->abbrevs.n);
	}
	return LAC_OK;
}

void lac_known_free(struct lac_known_set *k)
{
	lac_arena_destroy(k->arena);
	lac_arena_destroy(k->bodies);
	free(k->v);
	free(k->shape);
	free(k->sibling);
	free(k->of_shape);
	free(k->table.slots);
	free(k->shapes);
	free(k->shape_table.slots);
	free(k->scratch_mask);
	free(k->scratch_codes);
	free(k->scratch_refs);
}

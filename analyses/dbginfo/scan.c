/* SPDX-License-Identifier: BSD-2-Clause */
#include "dbginfo/scan.h"

#include <dwarf.h>
#include <stdlib.h>

#define NO_ENTRY UINT32_MAX
#define NO_TYPE 0 /* as an offset in the unit: its header is there */
#define DEPTH_MAX 512 /* of nesting, and of a chain of types */
#define SLOTS_MAX ((uint64_t)64 << 20) /* units longer than this: slowly */

enum entry_flag {
	HAS_NAME = 1,
	DECLARED = 2,
	BUSY_VALUE = 4,
	BUSY_NAME = 8,
	PAYLOAD = 16,
	HAS_VARIANTS = 32,
};

/* An entry that is a type. */
struct entry {
	uint32_t offset; /* in the unit */
	uint16_t tag;
	uint8_t flags;
	uint32_t print[2];	/* by value, by name; LAC_NONE until known */
	struct lac_print self;	/* its own attributes and values */
	struct lac_print name;	/* name and scope */
	uint32_t type, other;	/* offsets; other: signature, containing type */
	uint32_t completes;	/* offset of the declaration, for a record */
	uint32_t first, last;	/* children, linked */
	uint32_t scope, parent; /* entries around it, or NO_ENTRY */
	uint32_t typedef_name;	/* the entry that names it */
	uint64_t decl_file, decl_line;
};

struct child { /* a member, a parameter, a dimension */
	struct lac_print self;
	uint32_t type, next;
};

struct scope {
	uint32_t parent;
	struct lac_print print;
	struct lac_value name;
};

struct lac_scan_unit {
	size_t index;
	struct lac_unit_form form;
	struct lac_abbrevs abbrevs;
	uint64_t abbrev_offset;
	struct entry *entries;
	struct child *children;
	struct scope *scopes;
	uint32_t *slots; /* offset in the unit -> entry, if that agrees */
	struct lac_value *names; /* of entries */
	uint32_t nentries, nchildren, nscopes;
	uint32_t entries_cap, children_cap, scopes_cap, names_cap;
	uint64_t nslots;
	uint64_t str_offsets_base;
	const struct lac_raw_sections *sections;
	bool scoped;
	int depth;
};

/* An index becomes the place in .debug_str that it stands for. */
static struct lac_value place_of(const struct lac_scan_unit *u,
				 const struct lac_value *v)
{
	struct lac_value place = { .class = VALUE_STRP, .u = v->u };

	if (v->class != VALUE_STRX)
		return *v;
	if (!lac_strx_offset(u->sections, &u->form, u->str_offsets_base,
			     &place.u))
		place.class = VALUE_NONE;
	return place;
}

/* -- mixing --------------------------------------------------------------- */

static inline uint64_t rotate(uint64_t x, int n)
{
	return x << n | x >> (64 - n);
}

/* Two lanes with different multipliers; odd constants of splitmix64 and xxh. */
static inline void mix(struct lac_print *h, uint64_t v)
{
	h->a = rotate((h->a ^ v) * 0xbf58476d1ce4e5b9u, 29) + h->b;
	h->b = rotate((h->b + v) * 0x9e3779b185ebca87u, 33) ^ h->a;
}

/* Lane a alone tells u, and with u known lane b tells k. */
static inline void mix_pair(struct lac_print *h, uint64_t k, uint64_t u)
{
	h->a = rotate((h->a ^ u) * 0xbf58476d1ce4e5b9u, 29) + h->b;
	h->b = rotate((h->b + u + rotate(k, 32)) * 0x9e3779b185ebca87u, 33) ^
	       h->a;
}

static inline void mix_print(struct lac_print *h, struct lac_print v)
{
	mix_pair(h, v.b, v.a);
}

static void mix_bytes(struct lac_print *h, const unsigned char *p, uint64_t n)
{
	uint64_t word;

	mix(h, n);
	for (; n >= 8; n -= 8, p += 8) {
		memcpy(&word, p, 8);
		mix(h, word);
	}
	word = 0;
	if (n) {
		memcpy(&word, p, n);
		mix(h, word);
	}
}

/* key: what the value is of */
static inline void mix_value(struct lac_print *h, uint64_t key,
			     const struct lac_value *v)
{
	mix_pair(h, key << 8 | v->class, v->u);
	if (v->class == VALUE_BLOCK || v->class == VALUE_STRING)
		mix_bytes(h, v->p, v->n);
}

/* -- entries -------------------------------------------------------------- */

static uint32_t new_entry(struct lac_scan_unit *u, uint64_t offset,
			  uint16_t tag)
{
	if (!lac_make_room((void **)&u->names, u->nentries, &u->names_cap,
			   sizeof(*u->names)) ||
	    !lac_make_room((void **)&u->entries, u->nentries, &u->entries_cap,
			   sizeof(*u->entries)))
		return NO_ENTRY;
	u->names[u->nentries].class = VALUE_NONE;
	u->entries[u->nentries] = (struct entry){
		.offset = (uint32_t)offset, .tag = tag, .type = NO_TYPE,
		.other = NO_TYPE, .first = NO_ENTRY, .last = NO_ENTRY,
		.scope = NO_ENTRY, .parent = NO_ENTRY,
		.typedef_name = NO_ENTRY, .print = { LAC_NONE, LAC_NONE },
	};
	u->slots[offset] = u->nentries;
	return u->nentries++;
}

static inline bool new_child(struct lac_scan_unit *u, uint32_t owner,
			     struct lac_print self, uint32_t type)
{
	struct entry *e = &u->entries[owner];

	if (!lac_make_room((void **)&u->children, u->nchildren,
			   &u->children_cap, sizeof(*u->children)))
		return false;
	u->children[u->nchildren] = (struct child){ self, type, NO_ENTRY };
	if (e->first == NO_ENTRY)
		e->first = u->nchildren;
	else
		u->children[e->last].next = u->nchildren;
	e->last = u->nchildren;
	u->nchildren++;
	return true;
}

/* -- the walk over one unit ----------------------------------------------- */

/* What is known of an entry around the one that is being read. */
struct level {
	uint16_t tag;
	uint32_t owner;	 /* the type whose parts come here, or NO_ENTRY */
	uint32_t scope;	 /* or NO_ENTRY */
	uint32_t record; /* the innermost around, or NO_ENTRY */
	struct lac_print variant; /* of a variant: its value */
};

/* Read from one entry.  Its name is apart, so that this stays in registers. */
struct facts {
	struct lac_print self;
	uint32_t type, other, completes;
	uint64_t decl_file, decl_line;
	uint8_t flags;
};

struct walk {
	struct lac_scan *s;
	struct lac_scan_unit *u;
	const struct lac_dwarf_unit *header;
	const unsigned char *base; /* of the section */
	struct lac_cursor c;
	bool foreign; /* a reference that only the slow way can follow */
};

static inline uint32_t reference(struct walk *w, const struct lac_value *v)
{
	if (v->class == VALUE_REF && v->u < w->u->nslots)
		return (uint32_t)v->u;
	w->foreign = true;
	return NO_TYPE;
}

/* The forms that nearly every attribute has; the rest by the book. */
static inline void read_value(struct walk *w, const struct lac_op *op,
			      struct lac_value *v)
{
	const unsigned char *p = w->c.p;
	uint32_t word;

	if ((size_t)(w->c.end - p) < 4 || w->u->form.big_endian) {
		lac_value_read(&w->c, op, &w->u->form, v);
		return;
	}
	switch (op->form) {
	case DW_FORM_strp:
		if (w->u->form.offset_size != 4)
			break;
		memcpy(&word, p, 4);
		w->c.p = p + 4;
		v->class = VALUE_STRP;
		v->u = word;
		return;
	case DW_FORM_ref4:
		memcpy(&word, p, 4);
		w->c.p = p + 4;
		v->class = VALUE_REF;
		v->u = word;
		return;
	case DW_FORM_data1:
		w->c.p = p + 1;
		v->class = VALUE_CONSTANT;
		v->u = p[0];
		return;
	case DW_FORM_data2:
		w->c.p = p + 2;
		v->class = VALUE_CONSTANT;
		v->u = p[0] | (unsigned)p[1] << 8;
		return;
	case DW_FORM_implicit_const:
		v->class = VALUE_SIGNED;
		v->u = (uint64_t)op->implicit;
		return;
	case DW_FORM_flag_present:
		v->class = VALUE_FLAG;
		v->u = 1;
		return;
	default:
		break;
	}
	lac_value_read(&w->c, op, &w->u->form, v);
}

static inline __attribute__((always_inline)) void
read_facts(struct walk *w, const struct lac_abbrev *ab, struct facts *f,
	   struct lac_value *name)
{
	const struct lac_op *op = &w->u->abbrevs.ops[ab->first];
	const struct lac_op *end = op + ab->nops;
	struct lac_print h = { ab->tag, 8 };
	struct lac_value v;
	uint64_t key;

	f->type = f->other = f->completes = NO_TYPE;
	f->decl_file = LAC_NO_FILE;
	f->decl_line = 0;
	f->flags = 0;
	for (; op < end; op++) {
		if (op->slot == SLOT_SKIP) {
			if (op->skip &&
			    (size_t)(w->c.end - w->c.p) >= op->skip)
				w->c.p += op->skip;
			else
				lac_value_skip(&w->c, op, &w->u->form);
			continue;
		}
		if (op->slot == SLOT_NAME) {
			read_value(w, op, name);
			f->flags |= HAS_NAME;
			continue;
		}
		read_value(w, op, &v);
		switch (op->slot) {
		case SLOT_TYPE:
			f->type = reference(w, &v);
			break;
		case SLOT_SIGNATURE:
		case SLOT_CONTAINING:
			f->other = reference(w, &v);
			break;
		case SLOT_SPECIFICATION:
			f->completes = reference(w, &v);
			break;
		case SLOT_IMPORT:
			w->foreign = true;
			break;
		case SLOT_DECLARATION:
			if (v.u)
				f->flags |= DECLARED;
			mix_pair(&h, op->at, v.u);
			break;
		case SLOT_DECL_FILE:
			f->decl_file = v.u;
			break;
		case SLOT_DECL_LINE:
			f->decl_line = v.u;
			break;
		case SLOT_SIBLING:
		case SLOT_LANGUAGE:
		case SLOT_STR_OFFSETS_BASE:
			break;
		default:
			/* whether a value is signed may hang on its form */
			key = op->at;
			if (v.class == VALUE_CONSTANT && v.u >> 7)
				key |= (uint64_t)op->form << 16;
			mix_value(&h, key, &v);
		}
	}
	f->self = h;
}

static inline void skip_entry(struct walk *w, const struct lac_abbrev *ab)
{
	if (ab->fixed <= (uint64_t)(w->c.end - w->c.p)) {
		w->c.p += ab->fixed;
		return;
	}
	const struct lac_op *op = &w->u->abbrevs.ops[ab->first];
	const struct lac_op *end = op + ab->nops;

	for (; op < end; op++)
		lac_value_skip(&w->c, op, &w->u->form);
}

/* Where its bytes lie, so that equal places are equal names. */
static inline void mix_name(const struct lac_scan_unit *u, struct lac_print *h,
			    const struct lac_value *name)
{
	struct lac_value v;

	if (name->class == VALUE_STRX) {
		v = place_of(u, name);
		name = &v;
	}
	mix_value(h, 1, name);
}

static struct lac_print name_print(const struct lac_scan_unit *u,
				   const struct lac_value *name)
{
	struct lac_print h = { 1, 2 };

	mix_name(u, &h, name);
	return h;
}

static uint32_t new_scope(struct lac_scan_unit *u, uint32_t parent,
			  const struct lac_value *name)
{
	struct scope *s;

	if (!lac_make_room((void **)&u->scopes, u->nscopes, &u->scopes_cap,
			   sizeof(*u->scopes)))
		return NO_ENTRY;
	s = &u->scopes[u->nscopes];
	s->parent = parent;
	s->name = *name;
	s->print = parent == NO_ENTRY ? (struct lac_print){ 3, 4 } :
					u->scopes[parent].print;
	mix_print(&s->print, name_print(u, name));
	return u->nscopes++;
}

static enum lac_status add_type(struct walk *w, uint64_t offset, uint16_t tag,
				const struct facts *f,
				const struct lac_value *name,
				const struct level *up, uint32_t *ret,
				struct lac_err *err)
{
	uint32_t id = new_entry(w->u, offset, tag);
	struct entry *e;

	if (id == NO_ENTRY)
		return lac_fail_memory(err);
	e = &w->u->entries[id];
	e->flags = f->flags;
	e->self = f->self;
	e->type = f->type;
	e->other = f->other;
	e->completes = f->completes;
	e->decl_file = f->decl_file;
	e->decl_line = f->decl_line;
	e->parent = up->record;
	e->scope = up->scope;
	e->name = (struct lac_print){ tag, 5 };
	if (up->scope != NO_ENTRY)
		mix_print(&e->name, w->u->scopes[up->scope].print);
	if (f->flags & HAS_NAME) {
		mix_print(&e->name, name_print(w->u, name));
		w->u->names[id] = *name;
	}
	*ret = id;
	return LAC_OK;
}

static inline __attribute__((always_inline)) enum lac_status
add_part(struct walk *w, uint16_t tag, const struct facts *f,
	 const struct lac_value *name, const struct level *up,
	 struct lac_err *err)
{
	struct entry *e = &w->u->entries[up->owner];
	struct lac_print self = f->self;

	if (tag == DW_TAG_variant_part)
		e->flags |= HAS_VARIANTS;
	if (f->flags & HAS_NAME)
		mix_name(w->u, &self, name);
	if (up->tag == DW_TAG_variant || up->tag == DW_TAG_variant_part) {
		mix(&self, up->tag);
		mix_print(&self, up->variant);
	}
	if (f->type == NO_TYPE || tag == DW_TAG_subrange_type) {
		mix_print(&e->self, self); /* in order with its siblings */
		return LAC_OK;
	}
	return new_child(w->u, up->owner, self, f->type) ?
		       LAC_OK : lac_fail_memory(err);
}

/* One entry that matters; *in is what its children will see as theirs. */
static inline enum lac_status take(struct walk *w, const struct lac_abbrev *ab,
			    uint64_t offset, const struct level *up,
			    struct level *in, struct lac_err *err)
{
	uint32_t id = NO_ENTRY;
	struct lac_value name;
	struct facts f;

	name.class = VALUE_NONE;
	if (ab->kind == ABBREV_PART && !ab->children) {
		read_facts(w, ab, &f, &name);
		return add_part(w, ab->tag, &f, &name, up, err);
	}
	*in = (struct level){ .tag = ab->tag, .owner = NO_ENTRY,
			      .scope = up->scope, .record = up->record };
	read_facts(w, ab, &f, &name);
	if (ab->kind == ABBREV_PART) {
		LAC_TRY(add_part(w, ab->tag, &f, &name, up, err));
		in->owner = up->owner;
		in->variant = ab->tag == DW_TAG_variant ? f.self : up->variant;
		return LAC_OK;
	}
	if (ab->kind != ABBREV_SCOPE) {
		LAC_TRY(add_type(w, offset, ab->tag, &f, &name, up, &id,
				 err));
		in->owner = id;
		if (ab->kind == ABBREV_TYPE)
			return LAC_OK;
		in->record = id;
	}
	if (w->u->scoped && ab->children &&
	    (f.flags & HAS_NAME || ab->kind == ABBREV_SCOPE)) {
		in->scope = new_scope(w->u, up->scope, &name);
		if (in->scope == NO_ENTRY)
			return lac_fail_memory(err);
	}
	return LAC_OK;
}

static bool matters(struct walk *w, const struct lac_abbrev *ab,
		    const struct level *up)
{
	switch (ab->kind) {
	case ABBREV_PART:
		return up->owner != NO_ENTRY;
	case ABBREV_IMPORT:
		w->foreign = true;
		return false;
	case ABBREV_OTHER:
	case ABBREV_FUNCTION:
		return false;
	default:
		return true;
	}
}

static enum lac_status damaged(uint64_t offset, struct lac_err *err)
{
	return lac_fail(err, LAC_BAD_INPUT, "a damaged entry at 0x%llx",
			(unsigned long long)offset);
}

static enum lac_status walk_entries(struct walk *w, struct lac_err *err)
{
	struct level levels[DEPTH_MAX + 1];
	const struct lac_abbrevs *table = &w->u->abbrevs;
	const unsigned char *start = w->base + w->header->offset;
	unsigned depth = 0;

	levels[0] = (struct level){ .owner = NO_ENTRY, .scope = NO_ENTRY,
				    .record = NO_ENTRY };
	while (w->c.p < w->c.end) {
		uint64_t offset = (uint64_t)(w->c.p - start);
		uint64_t code = lac_take_uleb(&w->c);
		const struct lac_abbrev *ab;
		const struct level *up = &levels[depth];

		if (code == 0) {
			if (depth <= 1)
				break; /* the rest is padding */
			depth--;
			continue;
		}
		if (code >= table->n || !table->v[code].tag)
			return damaged(offset, err);
		ab = &table->v[code];
		if (ab->children && depth == DEPTH_MAX)
			return lac_fail(err, LAC_BAD_INPUT,
					"entries are nested too deeply");
		if (matters(w, ab, up)) {
			struct level *in = &levels[depth + 1], unused;

			LAC_TRY(take(w, ab, offset, up,
				     ab->children ? in : &unused, err));
		} else {
			skip_entry(w, ab);
			if (ab->children)
				levels[depth + 1] = (struct level){
					.tag = ab->tag, .owner = NO_ENTRY,
					.scope = up->scope,
					.record = ab->kind == ABBREV_FUNCTION ?
							  NO_ENTRY :
							  up->record,
				};
		}
		if (w->c.bad)
			return damaged(offset, err);
		depth += ab->children;
	}
	return LAC_OK;
}

/* -- fingerprints --------------------------------------------------------- */

static bool print_equal(const struct lac_print *a, const struct lac_print *b)
{
	return a->a == b->a && a->b == b->b;
}

static bool print_room(struct lac_scan *s)
{
	return lac_make_room((void **)&s->values, s->nprints, &s->values_cap,
			     sizeof(*s->values)) &&
	       lac_make_room((void **)&s->prints, s->nprints, &s->prints_cap,
			     sizeof(*s->prints));
}

/* The index of a fingerprint; *is_new if it has not been there before. */
static uint32_t intern(struct lac_scan *s, const struct lac_print *h,
		       bool *is_new)
{
	uint32_t hash = (uint32_t)(h->a ^ h->b >> 32), at;

	if (!lac_table_grow(&s->table))
		return LAC_NONE;
	for (at = hash;; at++) {
		struct lac_table_slot *slot =
			&s->table.slots[at & (s->table.cap - 1)];

		if (slot->id == LAC_NONE) {
			if (!print_room(s))
				return LAC_NONE;
			s->values[s->nprints] = *h;
			slot->hash = hash;
			slot->id = s->nprints;
			s->table.n++;
			s->prints[s->nprints] = (struct lac_print_entry){
				.root = LAC_DIE_NONE,
				.parent = LAC_NONE,
			};
			*is_new = true;
			return s->nprints++;
		}
		if (slot->hash == hash &&
		    print_equal(&s->values[slot->id], h)) {
			*is_new = false;
			return slot->id;
		}
	}
}

static enum lac_status print_ref(struct lac_scan *s, struct lac_scan_unit *u,
				 uint32_t at, bool by_name, uint32_t *ret,
				 struct lac_err *err);

/* The global reference of an offset in the unit. */
static lac_die_ref global(const struct lac_scan *s,
			  const struct lac_scan_unit *u, uint32_t at)
{
	const struct lac_dwarf_unit *header = &s->units[u->index];

	return (header->root & ~(LAC_DIE_TYPES - 1)) | (header->offset + at);
}

static const char *name_text(const struct lac_scan_unit *u,
			     const struct lac_value *name)
{
	return lac_value_text(u->sections, &u->form, u->str_offsets_base, name);
}

static const char *scope_text(struct lac_scan *s, struct lac_scan_unit *u,
			      uint32_t scope, int depth)
{
	const struct scope *sc = &u->scopes[scope];
	const char *name = name_text(u, &sc->name), *up;

	if (!name)
		name = "(anonymous namespace)";
	if (sc->parent == NO_ENTRY || depth > DEPTH_MAX)
		return lac_arena_strdup(s->arena, name);
	up = scope_text(s, u, sc->parent, depth + 1);
	return up ? lac_arena_printf(s->arena, "%s::%s", up, name) : NULL;
}

/* Keep what lac_note_get() will be asked about a first-seen entry. */
static bool keep_note(struct lac_scan *s, struct lac_scan_unit *u,
		      const struct entry *e, struct lac_print_entry *p)
{
	if (e->typedef_name != NO_ENTRY)
		p->typedef_name = name_text(u, &u->names[e->typedef_name]);
	if (e->completes)
		p->name = name_text(u, &u->names[e - u->entries]);
	p->payload = e->flags & PAYLOAD;
	if (e->scope != NO_ENTRY) {
		p->scope = scope_text(s, u, e->scope, 0);
		return p->scope != NULL;
	}
	return true;
}

/*
 * What is done with the references of an entry: their fingerprints are mixed
 * in, or, once the entry has turned out to be new, they are kept as edges.
 */
struct sink {
	struct lac_print *h; /* NULL to keep edges */
};

static enum lac_status take_ref(struct lac_scan *s, struct lac_scan_unit *u,
				struct sink *k, uint32_t at, bool by_name,
				struct lac_err *err)
{
	uint32_t print;

	if (at == NO_TYPE) {
		if (k->h)
			mix(k->h, 0);
		return LAC_OK;
	}
	LAC_TRY(print_ref(s, u, at, by_name, &print, err));
	if (k->h) {
		mix_print(k->h, s->values[print]);
		return LAC_OK;
	}
	if (!lac_make_room((void **)&s->edges, s->nedges, &s->edges_cap,
			   sizeof(*s->edges)))
		return lac_fail_memory(err);
	s->edges[s->nedges++] = (struct lac_print_edge){
		global(s, u, at) << 1 | by_name, print,
	};
	return LAC_OK;
}

static enum lac_status take_children(struct lac_scan *s,
				     struct lac_scan_unit *u, uint32_t first,
				     bool by_name, struct sink *k,
				     struct lac_err *err)
{
	for (uint32_t i = first; i != NO_ENTRY; i = u->children[i].next) {
		if (k->h)
			mix_print(k->h, u->children[i].self);
		LAC_TRY(take_ref(s, u, k, u->children[i].type, by_name, err));
	}
	return LAC_OK;
}

/* The same cases as build_die() has. */
static enum lac_status take_entry(struct lac_scan *s, struct lac_scan_unit *u,
				  uint32_t id, bool by_name, struct sink *k,
				  struct lac_err *err)
{
	const struct entry *e = &u->entries[id];
	struct lac_print name;

	switch (e->tag) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
	case DW_TAG_ptr_to_member_type:
		if (k->h)
			mix(k->h, u->form.address_size);
		LAC_TRY(take_ref(s, u, k, e->type, true, err));
		return take_ref(s, u, k, e->other, true, err);
	case DW_TAG_subroutine_type:
		LAC_TRY(take_ref(s, u, k, e->type, true, err));
		return take_children(s, u, e->first, true, k, err);
	case DW_TAG_unspecified_type:
		if (k->h)
			mix(k->h, u->form.address_size);
		return LAC_OK;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
		if (k->h && e->typedef_name != NO_ENTRY) {
			name = name_print(u, &u->names[e->typedef_name]);
			mix_print(k->h, name);
		}
		return take_children(s, u, e->first, false, k, err);
	case DW_TAG_enumeration_type:
		return take_ref(s, u, k, e->type, false, err);
	default:
		return take_ref(s, u, k, e->type, by_name, err);
	}
}

/* Keep of a new entry what building it will need. */
static enum lac_status keep(struct lac_scan *s, struct lac_scan_unit *u,
			    uint32_t id, uint32_t print, bool by_name,
			    bool named, struct lac_err *err)
{
	struct sink k = { NULL };
	uint32_t first = s->nedges;

	s->prints[print].key = global(s, u, u->entries[id].offset) << 1 |
			       by_name;
	if (!named)
		LAC_TRY(take_entry(s, u, id, by_name, &k, err));
	s->prints[print].first_edge = first;
	s->prints[print].nedges = s->nedges - first;
	return keep_note(s, u, &u->entries[id], &s->prints[print]) ?
		       LAC_OK : lac_fail_memory(err);
}

static enum lac_status print_entry(struct lac_scan *s, struct lac_scan_unit *u,
				   uint32_t id, bool by_name, uint32_t *ret,
				   struct lac_err *err)
{
	struct entry *e = &u->entries[id]; /* no entry is added from here on */
	uint8_t busy = by_name ? BUSY_NAME : BUSY_VALUE;
	bool record = lac_is_record_tag(e->tag), is_new;
	bool declared = e->flags & DECLARED;
	/* the same decisions as build_die() takes */
	bool named = record && ((by_name && e->flags & HAS_NAME) ||
				e->flags & busy || declared);
	struct lac_print h = e->name;
	struct sink k = { &h };
	enum lac_status st;

	if (e->flags & busy && !record)
		return lac_fail(err, LAC_BAD_INPUT, "a type is made of itself");
	if (u->depth >= LAC_DIE_DEPTH_MAX)
		return lac_fail(err, LAC_BAD_INPUT,
				"types are nested too deeply");
	if (named) {
		mix(&h, declared && !by_name ? 7 : 6);
	} else {
		mix_print(&h, e->self);
		e->flags |= busy;
		u->depth++;
		st = take_entry(s, u, id, by_name, &k, err);
		u->depth--;
		e->flags &= (uint8_t)~busy;
		LAC_TRY(st);
	}
	*ret = intern(s, &h, &is_new);
	if (*ret == LAC_NONE)
		return lac_fail_memory(err);
	return is_new ? keep(s, u, id, *ret, by_name, named, err) : LAC_OK;
}

/* How it is reached makes no difference to what it is. */
static bool is_same_by_name(uint16_t tag)
{
	switch (tag) {
	case DW_TAG_base_type:
	case DW_TAG_pointer_type:
	case DW_TAG_subroutine_type:
	case DW_TAG_enumeration_type:
		return true;
	default:
		return false;
	}
}

static enum lac_status print_ref(struct lac_scan *s, struct lac_scan_unit *u,
				 uint32_t at, bool by_name, uint32_t *ret,
				 struct lac_err *err)
{
	uint32_t id = at < u->nslots ? u->slots[at] : NO_ENTRY;

	if (id >= u->nentries || u->entries[id].offset != at)
		return lac_fail(err, LAC_UNSUPPORTED,
				"a reference to what is no type");
	*ret = u->entries[id].print[by_name];
	if (*ret != LAC_NONE)
		return LAC_OK;
	LAC_TRY(print_entry(s, u, id, by_name, ret, err));
	u->entries[id].print[by_name] = *ret;
	if (is_same_by_name(u->entries[id].tag))
		u->entries[id].print[!by_name] = *ret;
	return LAC_OK;
}

/* -- a unit --------------------------------------------------------------- */

/* What completes a declaration has its name and scopes. */
static void name_completed(struct lac_scan_unit *u)
{
	for (uint32_t i = 0; i < u->nentries; i++) {
		struct entry *e = &u->entries[i];
		uint32_t id = e->completes ? u->slots[e->completes] : NO_ENTRY;

		if (id >= u->nentries || u->entries[id].offset != e->completes ||
		    e->flags & HAS_NAME || !lac_is_record_tag(e->tag) ||
		    !(u->entries[id].flags & HAS_NAME))
			continue;
		e->flags |= HAS_NAME;
		e->name = u->entries[id].name;
		e->scope = u->entries[id].scope;
		e->parent = u->entries[id].parent;
		u->names[i] = u->names[id];
	}
}

/* Records within one that has variants are what these carry. */
static void mark_payloads(struct lac_scan_unit *u)
{
	for (uint32_t i = 0; i < u->nentries; i++) {
		struct entry *e = &u->entries[i];

		if (e->parent == NO_ENTRY || !lac_is_record_tag(e->tag) ||
		    !(u->entries[e->parent].flags & HAS_VARIANTS))
			continue;
		e->flags |= PAYLOAD;
		mix(&e->self, PAYLOAD);
	}
}

static void name_anonymous(struct lac_scan_unit *u)
{
	for (uint32_t i = 0; i < u->nentries; i++) {
		const struct entry *e = &u->entries[i];
		uint32_t id;

		if (e->tag != DW_TAG_typedef || e->type == NO_TYPE ||
		    !(e->flags & HAS_NAME) || e->type >= u->nslots)
			continue;
		id = u->slots[e->type];
		if (id < u->nentries && u->entries[id].offset == e->type &&
		    lac_is_record_tag(u->entries[id].tag) &&
		    !(u->entries[id].flags & HAS_NAME) &&
		    u->entries[id].typedef_name == NO_ENTRY)
			u->entries[id].typedef_name = i;
	}
}

static enum lac_status take_root(struct lac_scan *s, struct lac_scan_unit *u,
				 uint32_t id, struct lac_err *err)
{
	uint32_t parent = u->entries[id].parent, print, up = LAC_NONE;
	bool record = lac_is_record_tag(u->entries[id].tag);
	struct lac_print_entry *p;

	print = u->entries[id].print[0];
	if (print == LAC_NONE)
		LAC_TRY(print_ref(s, u, u->entries[id].offset, false, &print,
				  err));
	if (record)
		LAC_TRY(lac_unit_list_add(&s->prints[print].units,
					  (uint32_t)u->index, err));
	if (s->prints[print].root != LAC_DIE_NONE)
		return LAC_OK;
	if (parent != NO_ENTRY)
		LAC_TRY(print_ref(s, u, u->entries[parent].offset, false, &up,
				  err));
	p = &s->prints[print];
	p->root = global(s, u, u->entries[id].offset);
	p->record = record;
	p->parent = up;
	p->decl_file = u->entries[id].decl_file;
	p->decl_line = u->entries[id].decl_line;
	return LAC_OK;
}

static enum lac_status take_roots(struct lac_scan *s, struct lac_scan_unit *u,
				  struct lac_err *err)
{
	for (uint32_t i = 0; i < u->nentries; i++) {
		uint16_t tag = u->entries[i].tag;
		bool record = lac_is_record_tag(tag) &&
			      !(u->entries[i].flags & DECLARED);

		if (record || tag == DW_TAG_typedef ||
		    tag == DW_TAG_enumeration_type)
			LAC_TRY(take_root(s, u, i, err));
	}
	return LAC_OK;
}

static void read_root(struct walk *w, struct lac_cursor c,
		      const struct lac_abbrev *ab, struct lac_line_unit *line)
{
	const struct lac_op *op = &w->u->abbrevs.ops[ab->first];
	const struct lac_op *end = op + ab->nops;
	struct lac_value comp_dir = { .class = VALUE_NONE };

	for (; op < end; op++) {
		struct lac_value v;

		if (op->slot == SLOT_SKIP) {
			lac_value_skip(&c, op, &w->u->form);
			continue;
		}
		lac_value_read(&c, op, &w->u->form, &v);
		if (op->slot == SLOT_LANGUAGE)
			w->u->scoped = lac_has_scopes((uint16_t)v.u);
		else if (op->slot == SLOT_STR_OFFSETS_BASE)
			w->u->str_offsets_base = v.u;
		else if (op->slot == SLOT_STMT_LIST)
			line->table = v.u;
		else if (op->slot == SLOT_COMP_DIR)
			comp_dir = v;
	}
	line->form = w->u->form;
	line->str_offsets_base = w->u->str_offsets_base;
	line->comp_dir = name_text(w->u, &comp_dir);
}

static enum lac_status open_unit(struct lac_scan *s, struct lac_scan_unit *u,
				 size_t index, struct walk *w,
				 struct lac_err *err)
{
	const struct lac_dwarf_unit *header = &s->units[index];
	struct lac_line_unit *line = &s->lines[index];
	struct lac_bytes section = header->types ? s->sections->types :
						   s->sections->info;
	uint64_t root = LAC_DIE_OFFSET(header->root), length;
	struct lac_cursor peek;
	uint64_t code;

	if (!section.p || header->end > section.size || root > header->end ||
	    header->offset > root)
		return lac_fail(err, LAC_BAD_INPUT, "a unit's length");
	length = header->end - header->offset;
	if (length > SLOTS_MAX)
		return lac_fail(err, LAC_UNSUPPORTED, "a very long unit");
	if (length > u->nslots) {
		free(u->slots);
		u->slots = calloc(length, sizeof(*u->slots));
		u->nslots = u->slots ? length : 0;
		if (!u->slots)
			return lac_fail_memory(err);
	}
	u->index = index;
	u->nentries = u->nchildren = u->nscopes = 0;
	u->form = (struct lac_unit_form){
		.address_size = header->address_size,
		.offset_size = header->offset_size,
		.version = header->version,
		.big_endian = s->sections->big_endian,
	};
	LAC_TRY(lac_abbrevs_read(&u->abbrevs, s->sections->abbrev,
				 header->abbrev_offset, &u->form, err));
	*w = (struct walk){ .s = s, .u = u, .header = header,
			    .base = section.p };
	w->c = (struct lac_cursor){ section.p + root, section.p + header->end,
				    false };
	peek = w->c;
	code = lac_take_uleb(&peek);
	u->scoped = false;
	u->str_offsets_base = u->form.version < 5 ? 0 :
			      u->form.offset_size == 8 ? 16 : 8;
	/* a .dwo has one table, and says so nowhere */
	line->table = s->sections->dwo ? 0 : LAC_NO_TABLE;
	if (code && code < u->abbrevs.n && u->abbrevs.v[code].tag)
		read_root(w, peek, &u->abbrevs.v[code], line);
	return LAC_OK;
}

enum lac_status lac_scan_unit(struct lac_scan *s, size_t unit,
			      struct lac_err *err)
{
	struct lac_scan_unit *u = s->current;
	struct walk w;

	LAC_TRY(open_unit(s, u, unit, &w, err));
	LAC_TRY(walk_entries(&w, err));
	if (w.foreign)
		return lac_fail(err, LAC_UNSUPPORTED, "references across units");
	name_completed(u);
	mark_payloads(u);
	name_anonymous(u);
	return take_roots(s, u, err);
}

enum lac_status lac_scan_init(struct lac_scan *s,
			      const struct lac_raw_sections *sections,
			      const struct lac_dwarf_unit *units, size_t nunits,
			      struct lac_line_unit *lines, struct lac_err *err)
{
	*s = (struct lac_scan){ .sections = sections, .units = units,
				.nunits = nunits, .lines = lines };
	s->arena = lac_arena_create();
	s->current = calloc(1, sizeof(*s->current));
	if (!s->arena || !s->current)
		return lac_fail_memory(err);
	s->current->sections = sections;
	return LAC_OK;
}

void lac_scan_deinit(struct lac_scan *s)
{
	struct lac_scan_unit *u = s->current;

	if (u) {
		lac_abbrevs_free(&u->abbrevs);
		free(u->entries);
		free(u->children);
		free(u->scopes);
		free(u->slots);
		free(u->names);
		free(u);
	}
	for (uint32_t i = 0; i < s->nprints; i++)
		free(s->prints[i].units.bytes);
	free(s->prints);
	free(s->values);
	free(s->edges);
	free(s->table.slots);
	lac_arena_destroy(s->arena);
}

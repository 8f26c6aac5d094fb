/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scan_print.c - fingerprints of types: of what an entry says itself and, of
 * what it refers to, the fingerprints.
 */
#include <dwarf.h>
#include <stdlib.h>

#include "dbginfo/build.h"
#include "dbginfo/scan.h"
#include "dbginfo/scan_unit.h"

/* Kept in the scan, so that the hot paths below return nothing but prints. */
static uint32_t give_up(struct lac_scan *s, enum lac_status st, const char *why)
{
	if (s->st == LAC_OK)
		s->st = st == LAC_NO_MEMORY ? lac_fail_memory(s->err) :
					      lac_fail(s->err, st, "%s", why);
	return LAC_NONE;
}

static uint32_t no_memory(struct lac_scan *s)
{
	return give_up(s, LAC_NO_MEMORY, NULL);
}

/* -- the known ones ------------------------------------------------------- */

static bool print_room(struct lac_scan *s)
{
	return lac_make_room((void **)&s->values, s->nprints, &s->values_cap,
			     sizeof(*s->values)) &&
	       lac_make_room((void **)&s->rooted, s->nprints, &s->rooted_cap,
			     sizeof(*s->rooted)) &&
	       lac_make_room((void **)&s->prints, s->nprints, &s->prints_cap,
			     sizeof(*s->prints));
}

/* The index of a fingerprint; *is_new if it has not been there before. */
static uint32_t intern(struct lac_scan *s, const struct lac_print *h,
		       bool *is_new)
{
	uint32_t hash = lac_print_hash(h), at;

	if (!lac_table_grow(&s->table))
		return LAC_NONE;
	for (at = hash;; at++) {
		struct lac_table_slot *slot =
			&s->table.slots[at & (s->table.cap - 1)];

		if (slot->id == LAC_NONE) {
			if (!print_room(s))
				return LAC_NONE;
			s->values[s->nprints] = *h;
			s->rooted[s->nprints] = false;
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
		    lac_print_same(&s->values[slot->id], h)) {
			*is_new = false;
			return slot->id;
		}
	}
}

/* -- what is kept of a new one -------------------------------------------- */

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

static const char *entry_name(const struct lac_scan_unit *u, uint32_t id)
{
	return name_text(u, &body_of(u, &u->entries[id])->name);
}

/* Keep what lac_note_get() will be asked about a first-seen entry. */
static bool keep_note(struct lac_scan *s, struct lac_scan_unit *u,
		      const struct entry *e, struct lac_print_entry *p)
{
	const struct body *b = body_of(u, e);

	if (e->typedef_name != NO_ENTRY)
		p->typedef_name = entry_name(u, e->typedef_name);
	if (b->completes)
		p->name = name_text(u, &b->name);
	p->payload = e->flags & PAYLOAD;
	if (b->scope != NO_ENTRY) {
		p->scope = scope_text(s, u, b->scope, 0);
		return p->scope != NULL;
	}
	return true;
}

/* -- what an entry refers to ---------------------------------------------- */

static uint32_t print_entry(struct lac_scan *s, struct lac_scan_unit *u,
			    uint32_t id, bool by_name);

/* LAC_NONE for no type as well as for a failure, which s->st tells. */
static inline uint32_t print_at(struct lac_scan *s, struct lac_scan_unit *u,
				uint32_t at, bool by_name)
{
	uint32_t id, print;

	if (at == NO_TYPE)
		return LAC_NONE;
	id = entry_at(u, at);
	if (id == NO_ENTRY)
		return give_up(s, LAC_UNSUPPORTED,
			       "a reference to what is no type");
	print = u->entries[id].print[by_name];
	return print != LAC_NONE ? print : print_entry(s, u, id, by_name);
}

struct refs {
	uint32_t own[2]; /* offsets, or NO_TYPE */
	unsigned nown;
	bool parts;   /* and those of its parts */
	bool by_name; /* how they are reached */
};

/* The same cases as build_die() has. */
static inline struct refs refs_of(const struct entry *e, bool by_name)
{
	struct refs r = { { e->type, e->other }, 1, false, by_name };

	switch (e->tag) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
	case DW_TAG_ptr_to_member_type:
		r.nown = 2;
		r.by_name = true;
		break;
	case DW_TAG_subroutine_type:
		r.parts = r.by_name = true;
		break;
	case DW_TAG_unspecified_type:
		r.nown = 0;
		break;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
		r.nown = 0;
		r.parts = true;
		r.by_name = false;
		break;
	case DW_TAG_enumeration_type:
		r.by_name = false;
		break;
	default:
		break;
	}
	return r;
}

static inline void push(struct lac_scan *s, uint32_t print)
{
	if (lac_make_room((void **)&s->stack, s->nstack, &s->stack_cap,
			  sizeof(*s->stack)))
		s->stack[s->nstack++] = print;
	else
		no_memory(s);
}

/* The print of one reference, onto the stack. */
static inline void push_ref(struct lac_scan *s, struct lac_scan_unit *u,
			    uint32_t at, bool by_name)
{
	push(s, print_at(s, u, at, by_name));
}

/* The same as an edge, once the entry has turned out to be new. */
static void add_edge(struct lac_scan *s, struct lac_scan_unit *u, uint32_t at,
		     bool by_name)
{
	uint32_t print;

	if (at == NO_TYPE)
		return;
	print = print_at(s, u, at, by_name); /* may add edges of its own */
	if (!lac_make_room((void **)&s->edges, s->nedges, &s->edges_cap,
			   sizeof(*s->edges))) {
		no_memory(s);
		return;
	}
	s->edges[s->nedges++] = (struct lac_print_edge){
		lac_scan_ref(s, u, at) << 1 | by_name, print,
	};
}

typedef void visit_fn(struct lac_scan *s, struct lac_scan_unit *u, uint32_t at,
		      bool by_name);

/* Everything that an entry refers to, in order; which visit is known inline. */
static inline __attribute__((always_inline)) void
each_ref(struct lac_scan *s, struct lac_scan_unit *u, const struct entry *e,
	 bool by_name, visit_fn *visit)
{
	struct refs r = refs_of(e, by_name);
	const uint32_t *ref, *end;

	for (unsigned i = 0; i < r.nown; i++)
		visit(s, u, r.own[i], r.by_name);
	if (!r.parts)
		return;
	if (e->known) {
		ref = u->refs + e->first;
		for (end = ref + e->known->nrefs; ref < end; ref++)
			visit(s, u, *ref, r.by_name);
		return;
	}
	for (uint32_t i = body_of(u, e)->first; i != NO_ENTRY;
	     i = u->children[i].next)
		visit(s, u, u->children[i].type, r.by_name);
}

/* -- the print of an entry ------------------------------------------------ */

/* Its number; if it is new, what building it will need is kept. */
static uint32_t put_print(struct lac_scan *s, struct lac_scan_unit *u,
			  uint32_t id, const struct lac_print *h, bool by_name,
			  bool named)
{
	const struct entry *e = &u->entries[id];
	struct lac_print_entry *p;
	bool is_new;
	uint32_t print = intern(s, h, &is_new), first = s->nedges;

	if (print == LAC_NONE)
		return no_memory(s);
	if (!is_new)
		return print;
	if (!named)
		each_ref(s, u, e, by_name, add_edge);
	p = &s->prints[print];
	p->key = lac_scan_ref(s, u, e->offset) << 1 | by_name;
	p->first_edge = first;
	p->nedges = s->nedges - first;
	return keep_note(s, u, e, p) ? print : no_memory(s);
}

/* A record or enumeration by its name, or that its name is all there is. */
static uint32_t print_named(struct lac_scan *s, struct lac_scan_unit *u,
			    uint32_t id, bool by_name)
{
	const struct entry *e = &u->entries[id];
	uint32_t *last = e->known ? &e->known->named[by_name] : NULL, print;
	struct lac_print h;

	if (last && *last != LAC_NONE)
		return *last;
	h = body_of(u, e)->print;
	mix(&h, e->flags & DECLARED && !by_name ? 7 : 6);
	print = put_print(s, u, id, &h, by_name, true);
	if (last)
		*last = print;
	return print;
}

/* What names it, if it has no name itself; zeros if nothing does. */
static struct lac_print naming_of(const struct lac_scan_unit *u,
				  const struct entry *e)
{
	return e->typedef_name == NO_ENTRY ? (struct lac_print){ 0, 0 } :
		       body_of(u, &u->entries[e->typedef_name])->print;
}

static inline bool same_naming(const struct lac_scan_unit *u,
			       const struct entry *e)
{
	const struct lac_known *k = e->known;
	struct lac_print now;

	if (e->typedef_name == NO_ENTRY)
		return !k->typedefed;
	now = naming_of(u, e);
	return k->typedefed &&
	       lac_print_same(&u->known.typedefs[k->number], &now);
}

static struct lac_print mix_whole(const struct lac_scan *s,
				  const struct lac_scan_unit *u,
				  const struct entry *e, uint32_t first)
{
	const struct body *b = body_of(u, e);
	struct lac_print h = b->print;

	mix_print(&h, b->self);
	mix_pair(&h, u->form.address_size, s->nstack - first);
	mix_print(&h, naming_of(u, e));
	for (uint32_t i = first; i < s->nstack; i++)
		if (s->stack[i] == LAC_NONE)
			mix(&h, 0);
		else
			mix_print(&h, s->values[s->stack[i]]);
	return h;
}

/* From the prints of what it refers to, on the stack from first on. */
static uint32_t print_whole(struct lac_scan *s, struct lac_scan_unit *u,
			    uint32_t id, bool by_name, uint32_t first)
{
	const struct entry *e = &u->entries[id];
	size_t size = (s->nstack - first) * sizeof(*s->stack);
	struct lac_known *k = e->known;
	struct lac_print h;
	uint32_t *seen, *print;
	bool half;

	if (!k) {
		h = mix_whole(s, u, e, first);
		return put_print(s, u, id, &h, by_name, false);
	}
	half = k->two && by_name;
	print = &k->print[half];
	seen = k->seen + (half ? k->nrefs + KNOWN_OWN_REFS : 0);
	if (*print != LAC_NONE && same_naming(u, e) &&
	    memcmp(seen, s->stack + first, size) == 0)
		return *print;
	h = mix_whole(s, u, e, first);
	memcpy(seen, s->stack + first, size);
	k->typedefed = e->typedef_name != NO_ENTRY;
	if (k->typedefed)
		u->known.typedefs[k->number] = naming_of(u, e);
	return *print = put_print(s, u, id, &h, by_name, false);
}

/*
 * Of a pointer and the like: there are many, alike but for their target.  Whose
 * print was asked for lately is remembered.
 */
static inline uint32_t print_simple(struct lac_scan *s, struct lac_scan_unit *u,
				    uint32_t id, bool by_name, uint32_t first)
{
	const struct entry *e = &u->entries[id];
	bool pointer = e->tag == DW_TAG_pointer_type;
	uint32_t target = print_at(s, u, e->type, pointer || by_name);
	uint32_t what = e->known->number << 1 | by_name;
	uint32_t hash = (target + (what << 16)) * 0x9e3779b1u;
	struct lac_print_memo *memo = &s->memo[hash >> (32 - SCAN_MEMO_BITS)];

	if (memo->what == what && memo->target == target)
		return memo->print;
	push(s, target);
	if (pointer) /* it has no containing type */
		push(s, LAC_NONE);
	if (s->st != LAC_OK)
		return LAC_NONE;
	*memo = (struct lac_print_memo){
		what, target, print_whole(s, u, id, by_name, first),
	};
	return memo->print;
}

static uint32_t print_entry(struct lac_scan *s, struct lac_scan_unit *u,
			    uint32_t id, bool by_name)
{
	struct entry *e = &u->entries[id]; /* no entry is added from here on */
	uint8_t busy = by_name ? BUSY_NAME : BUSY_VALUE;
	uint32_t first = s->nstack, print;

	/* the same decisions as build_die() takes */
	if ((e->flags & IS_RECORD && e->flags & (DECLARED | busy)) ||
	    (by_name && e->flags & HAS_NAME &&
	     (e->flags & IS_RECORD || e->tag == DW_TAG_enumeration_type))) {
		print = print_named(s, u, id, by_name);
	} else if (e->flags & busy) {
		print = give_up(s, LAC_BAD_INPUT, "a type is made of itself");
	} else if (u->depth >= LAC_DIE_DEPTH_MAX) {
		print = give_up(s, LAC_BAD_INPUT,
				"types are nested too deeply");
	} else {
		e->flags |= busy;
		u->depth++;
		if (e->known && e->known->simple) {
			print = print_simple(s, u, id, by_name, first);
		} else {
			each_ref(s, u, e, by_name, push_ref);
			print = s->st != LAC_OK ? LAC_NONE :
				print_whole(s, u, id, by_name, first);
		}
		u->depth--;
		e->flags &= (uint8_t)~busy;
		s->nstack = first;
	}
	e->print[by_name] = print;
	if (e->flags & SAME_BY_NAME)
		e->print[!by_name] = print;
	return print;
}

enum lac_status lac_scan_print(struct lac_scan *s, struct lac_scan_unit *u,
			       uint32_t id, uint32_t *ret, struct lac_err *err)
{
	*ret = u->entries[id].print[0];
	if (*ret != LAC_NONE)
		return LAC_OK;
	s->err = err;
	s->st = LAC_OK;
	*ret = print_entry(s, u, id, false);
	return s->st;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* scan.c - fingerprints of what the walk over a unit has found. */
#include "dbginfo/scan.h"

#include <dwarf.h>
#include <stdlib.h>

#include "dbginfo/scan_unit.h"

/* -- fingerprints --------------------------------------------------------- */

static bool print_equal(const struct lac_print *a, const struct lac_print *b)
{
	return a->a == b->a && a->b == b->b;
}

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

/*
 * What is done with the references of an entry: their fingerprints are put on
 * the stack, or, once the entry has turned out to be new, they are kept as
 * edges.
 */
static inline enum lac_status take_ref(struct lac_scan *s,
				       struct lac_scan_unit *u, bool edges,
				       uint32_t at, bool by_name,
				       struct lac_err *err)
{
	uint32_t print = LAC_NONE, id;

	if (at != NO_TYPE) {
		id = entry_at(u, at);
		if (id != NO_ENTRY)
			print = u->entries[id].print[by_name];
		if (print == LAC_NONE)
			LAC_TRY(print_ref(s, u, at, by_name, &print, err));
	}
	if (!edges) {
		if (!lac_make_room((void **)&s->stack, s->nstack, &s->stack_cap,
				   sizeof(*s->stack)))
			return lac_fail_memory(err);
		s->stack[s->nstack++] = print;
		return LAC_OK;
	}
	if (at == NO_TYPE)
		return LAC_OK;
	if (!lac_make_room((void **)&s->edges, s->nedges, &s->edges_cap,
			   sizeof(*s->edges)))
		return lac_fail_memory(err);
	s->edges[s->nedges++] = (struct lac_print_edge){
		global(s, u, at) << 1 | by_name, print,
	};
	return LAC_OK;
}

/* The hottest loop of all: most references are to what has its print. */
static enum lac_status stack_known(struct lac_scan *s, struct lac_scan_unit *u,
				   const struct entry *e, bool by_name,
				   struct lac_err *err)
{
	const uint32_t *ref = u->refs + e->first, *end = ref + e->known->nrefs;

	for (; ref < end; ref++) {
		uint32_t print, id;

		if (s->nstack == s->stack_cap &&
		    !lac_array_double((void **)&s->stack, &s->stack_cap,
				      sizeof(*s->stack)))
			return lac_fail_memory(err);
		id = entry_at(u, *ref);
		print = id == NO_ENTRY ? LAC_NONE :
					 u->entries[id].print[by_name];
		if (print == LAC_NONE)
			LAC_TRY(print_ref(s, u, *ref, by_name, &print, err));
		s->stack[s->nstack++] = print; /* what came above is gone */
	}
	return LAC_OK;
}

static enum lac_status edge_known(struct lac_scan *s, struct lac_scan_unit *u,
				  const struct entry *e, bool by_name,
				  struct lac_err *err)
{
	for (uint32_t i = 0; i < e->known->nrefs; i++)
		LAC_TRY(take_ref(s, u, true, u->refs[e->first + i], by_name,
				 err));
	return LAC_OK;
}

static enum lac_status take_parts(struct lac_scan *s, struct lac_scan_unit *u,
				  const struct entry *e, bool edges,
				  bool by_name, struct lac_err *err)
{
	if (e->known)
		return edges ? edge_known(s, u, e, by_name, err) :
			       stack_known(s, u, e, by_name, err);
	for (uint32_t i = body_of(u, e)->first; i != NO_ENTRY;
	     i = u->children[i].next)
		LAC_TRY(take_ref(s, u, edges, u->children[i].type, by_name,
				 err));
	return LAC_OK;
}

/* The same cases as build_die() has. */
static enum lac_status take_entry(struct lac_scan *s, struct lac_scan_unit *u,
				  const struct entry *e, bool edges,
				  bool by_name, struct lac_err *err)
{
	switch (e->tag) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
	case DW_TAG_ptr_to_member_type:
		LAC_TRY(take_ref(s, u, edges, e->type, true, err));
		return take_ref(s, u, edges, e->other, true, err);
	case DW_TAG_subroutine_type:
		LAC_TRY(take_ref(s, u, edges, e->type, true, err));
		return take_parts(s, u, e, edges, true, err);
	case DW_TAG_unspecified_type:
		return LAC_OK;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
		return take_parts(s, u, e, edges, false, err);
	case DW_TAG_enumeration_type:
		return take_ref(s, u, edges, e->type, false, err);
	default:
		return take_ref(s, u, edges, e->type, by_name, err);
	}
}

/* Keep of a new entry what building it will need. */
static enum lac_status keep(struct lac_scan *s, struct lac_scan_unit *u,
			    uint32_t id, uint32_t print, bool by_name,
			    bool named, struct lac_err *err)
{
	uint32_t first = s->nedges;

	s->prints[print].key = global(s, u, u->entries[id].offset) << 1 |
			       by_name;
	if (!named)
		LAC_TRY(take_entry(s, u, &u->entries[id], true, by_name, err));
	s->prints[print].first_edge = first;
	s->prints[print].nedges = s->nedges - first;
	return keep_note(s, u, &u->entries[id], &s->prints[print]) ?
		       LAC_OK : lac_fail_memory(err);
}

/* Its fingerprint is not among the known ones: put it there. */
static enum lac_status put_print(struct lac_scan *s, struct lac_scan_unit *u,
				 uint32_t id, const struct lac_print *h,
				 bool by_name, bool named, uint32_t *ret,
				 struct lac_err *err)
{
	bool is_new;

	*ret = intern(s, h, &is_new);
	if (*ret == LAC_NONE)
		return lac_fail_memory(err);
	return is_new ? keep(s, u, id, *ret, by_name, named, err) : LAC_OK;
}

/* A record by its name, or that its name is all there is. */
static enum lac_status print_named(struct lac_scan *s, struct lac_scan_unit *u,
				   uint32_t id, bool by_name, uint32_t *ret,
				   struct lac_err *err)
{
	const struct entry *e = &u->entries[id];
	uint32_t *last = e->known ? &e->known->named[by_name] : NULL;
	struct lac_print h;

	if (last && *last != LAC_NONE) {
		*ret = *last;
		return LAC_OK;
	}
	h = body_of(u, e)->print;
	mix(&h, e->flags & DECLARED && !by_name ? 7 : 6);
	LAC_TRY(put_print(s, u, id, &h, by_name, true, ret, err));
	if (last)
		*last = *ret;
	return LAC_OK;
}

/* From the prints of what the entry refers to, which are in refs, to its own. */
static enum lac_status print_whole(struct lac_scan *s, struct lac_scan_unit *u,
				   uint32_t id, bool by_name, uint32_t first,
				   uint32_t *ret, struct lac_err *err)
{
	const struct entry *e = &u->entries[id];
	uint32_t n = s->nstack - first;
	struct lac_known *k = e->known;
	const struct body *b;
	struct lac_print h, name = { 0, 0 };

	if (e->typedef_name != NO_ENTRY)
		name = body_of(u, &u->entries[e->typedef_name])->print;
	if (k && k->print[by_name] != LAC_NONE &&
	    k->seen_typedef[by_name].a == name.a &&
	    k->seen_typedef[by_name].b == name.b &&
	    memcmp(known_seen(k, by_name), s->stack + first,
		   n * sizeof(*s->stack)) == 0) {
		*ret = k->print[by_name];
		return LAC_OK;
	}
	b = body_of(u, e);
	h = b->print;
	mix_print(&h, b->self);
	mix_pair(&h, u->form.address_size, n);
	mix_print(&h, name);
	for (uint32_t i = 0; i < n; i++)
		if (s->stack[first + i] == LAC_NONE)
			mix(&h, 0);
		else
			mix_print(&h, s->values[s->stack[first + i]]);
	if (k) {
		memcpy(known_seen(k, by_name), s->stack + first,
		       n * sizeof(*s->stack));
		k->seen_typedef[by_name] = name;
	}
	LAC_TRY(put_print(s, u, id, &h, by_name, false, ret, err));
	if (k)
		k->print[by_name] = *ret;
	return LAC_OK;
}

/*
 * Of a pointer and the like: there are many, alike but for their target.  Whose
 * print was asked for lately is remembered.
 */
static enum lac_status print_simple(struct lac_scan *s, struct lac_scan_unit *u,
				    uint32_t id, bool by_name, uint32_t *ret,
				    struct lac_err *err)
{
	const struct entry *e = &u->entries[id];
	bool pointer = e->tag == DW_TAG_pointer_type;
	uint32_t target = LAC_NONE, first = s->nstack, what, hash;
	struct lac_print_memo *memo;
	enum lac_status st;

	if (e->type != NO_TYPE)
		LAC_TRY(print_ref(s, u, e->type, pointer || by_name, &target,
				  err));
	what = e->known->number << 1 | by_name;
	hash = (target + (what << 16)) * 0x9e3779b1u;
	memo = &s->memo[hash >> (32 - SCAN_MEMO_BITS)];
	if (memo->what == what && memo->target == target) {
		*ret = memo->print;
		return LAC_OK;
	}
	st = take_entry(s, u, e, false, by_name, err);
	if (st == LAC_OK)
		st = print_whole(s, u, id, by_name, first, ret, err);
	s->nstack = first;
	LAC_TRY(st);
	*memo = (struct lac_print_memo){ what, target, *ret };
	return LAC_OK;
}

static enum lac_status print_entry(struct lac_scan *s, struct lac_scan_unit *u,
				   uint32_t id, bool by_name, uint32_t *ret,
				   struct lac_err *err)
{
	struct entry *e = &u->entries[id]; /* no entry is added from here on */
	uint8_t busy = by_name ? BUSY_NAME : BUSY_VALUE;
	bool record = lac_is_record_tag(e->tag);
	uint32_t first = s->nstack;
	enum lac_status st;

	/* the same decisions as build_die() takes */
	if (record && ((by_name && e->flags & HAS_NAME) || e->flags & busy ||
		       e->flags & DECLARED))
		return print_named(s, u, id, by_name, ret, err);
	if (e->flags & busy)
		return lac_fail(err, LAC_BAD_INPUT, "a type is made of itself");
	if (u->depth >= LAC_DIE_DEPTH_MAX)
		return lac_fail(err, LAC_BAD_INPUT,
				"types are nested too deeply");
	e->flags |= busy;
	u->depth++;
	st = e->known && e->known->simple ?
		     print_simple(s, u, id, by_name, ret, err) :
		     take_entry(s, u, e, false, by_name, err);
	u->depth--;
	e->flags &= (uint8_t)~busy;
	if (st == LAC_OK && !(e->known && e->known->simple))
		st = print_whole(s, u, id, by_name, first, ret, err);
	s->nstack = first;
	return st;
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
	uint32_t id = entry_at(u, at);

	if (id == NO_ENTRY)
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
		struct body *b = body_of(u, e);
		const struct body *from;
		uint32_t id = b->completes ? entry_at(u, b->completes) :
					     NO_ENTRY;

		if (id == NO_ENTRY || e->flags & HAS_NAME ||
		    !lac_is_record_tag(e->tag) ||
		    !(u->entries[id].flags & HAS_NAME))
			continue;
		from = body_of(u, &u->entries[id]);
		e->flags |= HAS_NAME;
		b->print = from->print;
		b->name = from->name;
		b->scope = from->scope;
		b->parent = from->parent;
	}
}

/* Records within one that has variants are what these carry. */
static void mark_payloads(struct lac_scan_unit *u)
{
	for (uint32_t i = 0; i < u->nentries; i++) {
		struct entry *e = &u->entries[i];
		struct body *b = body_of(u, e);

		if (b->parent == NO_ENTRY || !lac_is_record_tag(e->tag) ||
		    !(u->entries[b->parent].flags & HAS_VARIANTS))
			continue;
		e->flags |= PAYLOAD;
		mix(&b->self, PAYLOAD);
	}
}

static void name_anonymous(struct lac_scan_unit *u)
{
	for (uint32_t i = 0; i < u->nentries; i++) {
		const struct entry *e = &u->entries[i];
		uint32_t id;

		if (e->tag != DW_TAG_typedef || e->type == NO_TYPE ||
		    !(e->flags & HAS_NAME))
			continue;
		id = entry_at(u, e->type);
		if (id != NO_ENTRY && lac_is_record_tag(u->entries[id].tag) &&
		    !(u->entries[id].flags & HAS_NAME) &&
		    u->entries[id].typedef_name == NO_ENTRY)
			u->entries[id].typedef_name = i;
	}
}

static enum lac_status log_add(struct lac_scan *s, uint32_t what,
			       struct lac_err *err)
{
	if (!lac_make_room((void **)&s->log, s->nlog, &s->log_cap,
			   sizeof(*s->log)))
		return lac_fail_memory(err);
	s->log[s->nlog++] = what;
	return LAC_OK;
}

static enum lac_status take_root(struct lac_scan *s, struct lac_scan_unit *u,
				 uint32_t id, struct lac_err *err)
{
	uint32_t parent, print, up = LAC_NONE;
	bool record = lac_is_record_tag(u->entries[id].tag);
	struct lac_print_entry *p;

	print = u->entries[id].print[0];
	if (print == LAC_NONE)
		LAC_TRY(print_ref(s, u, u->entries[id].offset, false, &print,
				  err));
	if (record)
		LAC_TRY(log_add(s, print, err));
	if (s->rooted[print])
		return LAC_OK;
	s->rooted[print] = true;
	parent = body_of(u, &u->entries[id])->parent;
	if (parent != NO_ENTRY)
		LAC_TRY(print_ref(s, u, u->entries[parent].offset, false, &up,
				  err));
	p = &s->prints[print];
	p->root = global(s, u, u->entries[id].offset);
	p->record = record;
	p->parent = up;
	lac_scan_place(u, id, &p->decl_file, &p->decl_line);
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

enum lac_status lac_scan_unit(struct lac_scan *s, size_t unit,
			      struct lac_err *err)
{
	struct lac_scan_unit *u = s->current;

	LAC_TRY(lac_scan_walk(u, unit, &s->units[unit], &s->kept[unit], err));
	if (u->scoped) { /* C has neither */
		name_completed(u);
		mark_payloads(u);
	}
	name_anonymous(u);
	LAC_TRY(log_add(s, LAC_SCAN_UNIT | (uint32_t)unit, err));
	return take_roots(s, u, err);
}

enum lac_status lac_scan_init(struct lac_scan *s,
			      const struct lac_raw_sections *sections,
			      const struct lac_dwarf_unit *units, size_t nunits,
			      struct lac_scanned *kept, struct lac_err *err)
{
	*s = (struct lac_scan){ .sections = sections, .units = units,
				.nunits = nunits, .kept = kept };
	s->arena = lac_arena_create();
	s->current = calloc(1, sizeof(*s->current));
	if (!s->arena || !s->current)
		return lac_fail_memory(err);
	s->current->sections = sections;
	s->current->declared = lac_abbrev_set_create();
	if (!s->current->declared)
		return lac_fail_memory(err);
	s->memo = malloc(sizeof(*s->memo) << SCAN_MEMO_BITS);
	/* never empty, so that no part of it is behind NULL */
	if (!s->memo || !lac_make_room((void **)&s->stack, 0, &s->stack_cap,
				       sizeof(*s->stack)))
		return lac_fail_memory(err);
	memset(s->memo, 0xff, sizeof(*s->memo) << SCAN_MEMO_BITS);
	LAC_TRY(lac_known_init(&s->current->known, err));
	return LAC_OK;
}

void lac_scan_deinit(struct lac_scan *s)
{
	lac_scan_unit_destroy(s->current);
	free(s->prints);
	free(s->values);
	free(s->edges);
	free(s->stack);
	free(s->rooted);
	free(s->log);
	free(s->memo);
	free(s->table.slots);
	lac_arena_destroy(s->arena);
}

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

enum lac_status lac_scan_unit(struct lac_scan *s, size_t unit,
			      struct lac_err *err)
{
	struct lac_scan_unit *u = s->current;

	LAC_TRY(lac_scan_walk(u, unit, &s->units[unit], &s->lines[unit], err));
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
	lac_scan_unit_destroy(s->current);
	for (uint32_t i = 0; i < s->nprints; i++)
		free(s->prints[i].units.bytes);
	free(s->prints);
	free(s->values);
	free(s->edges);
	free(s->table.slots);
	lac_arena_destroy(s->arena);
}

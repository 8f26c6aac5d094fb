/* SPDX-License-Identifier: BSD-2-Clause */
/* scan.c - which fingerprints the types of a unit have. */
#include "dbginfo/scan.h"

#include <dwarf.h>
#include <stdlib.h>

#include "dbginfo/scan_unit.h"

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
		if (id != NO_ENTRY && (u->entries[id].flags &
				       (IS_RECORD | HAS_NAME)) == IS_RECORD &&
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
	bool record = u->entries[id].flags & IS_RECORD;
	struct lac_print_entry *p;

	LAC_TRY(lac_scan_print(s, u, id, &print, err));
	if (record)
		LAC_TRY(log_add(s, print, err));
	if (s->rooted[print])
		return LAC_OK;
	s->rooted[print] = true;
	parent = body_of(u, &u->entries[id])->parent;
	if (parent != NO_ENTRY)
		LAC_TRY(lac_scan_print(s, u, parent, &up, err));
	p = &s->prints[print];
	p->root = lac_scan_ref(s, u, u->entries[id].offset);
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
		uint8_t flags = u->entries[i].flags;
		bool record = (flags & (IS_RECORD | DECLARED)) == IS_RECORD;

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
	s->current->declared = lac_abbrev_set_create(false);
	if (!s->current->declared)
		return lac_fail_memory(err);
	s->memo = malloc(sizeof(*s->memo) << SCAN_MEMO_BITS);
	/* never empty, so that no part of it is behind NULL */
	if (!s->memo || !lac_make_room((void **)&s->stack, 0, &s->stack_cap,
				       sizeof(*s->stack)))
		return lac_fail_memory(err);
	memset(s->memo, 0xff, sizeof(*s->memo) << SCAN_MEMO_BITS);
	if (!lac_make_room((void **)&s->current->refs, 0, &s->current->refs_cap,
			   sizeof(*s->current->refs)))
		return lac_fail_memory(err);
	return lac_known_init(&s->current->known, err);
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

/* SPDX-License-Identifier: BSD-2-Clause */
/* scan_walk.c - one pass over the bytes of a unit, to its types. */
#include <dwarf.h>
#include <stdlib.h>

#include "dbginfo/build.h"
#include "dbginfo/scan_unit.h"
#include "dbginfo/table.h"

#define SLOTS_MAX ((uint64_t)64 << 20) /* units longer than this: slowly */

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

/* -- the unit ------------------------------------------------------------- */

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

static enum lac_status open_unit(struct lac_scan_unit *u,
				 const struct lac_dwarf_unit *header,
				 struct lac_line_unit *line, struct walk *w,
				 struct lac_err *err)
{
	const struct lac_raw_sections *sections = u->sections;
	struct lac_bytes section = header->types ? sections->types :
						   sections->info;
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
	u->nentries = u->nchildren = u->nscopes = 0;
	u->form = (struct lac_unit_form){
		.address_size = header->address_size,
		.offset_size = header->offset_size,
		.version = header->version,
		.big_endian = sections->big_endian,
	};
	LAC_TRY(lac_abbrevs_read(&u->abbrevs, sections->abbrev,
				 header->abbrev_offset, &u->form, err));
	*w = (struct walk){ .u = u, .header = header, .base = section.p };
	w->c = (struct lac_cursor){ section.p + root, section.p + header->end,
				    false };
	peek = w->c;
	code = lac_take_uleb(&peek);
	u->scoped = false;
	u->str_offsets_base = u->form.version < 5 ? 0 :
			      u->form.offset_size == 8 ? 16 : 8;
	/* a .dwo has one table, and says so nowhere */
	line->table = sections->dwo ? 0 : LAC_NO_TABLE;
	if (code && code < u->abbrevs.n && u->abbrevs.v[code].tag)
		read_root(w, peek, &u->abbrevs.v[code], line);
	return LAC_OK;
}

enum lac_status lac_scan_walk(struct lac_scan_unit *u, size_t index,
			      const struct lac_dwarf_unit *header,
			      struct lac_line_unit *line, struct lac_err *err)
{
	struct walk w;

	LAC_TRY(open_unit(u, header, line, &w, err));
	u->index = index;
	LAC_TRY(walk_entries(&w, err));
	if (w.foreign)
		return lac_fail(err, LAC_UNSUPPORTED,
				"references across units");
	return LAC_OK;
}

void lac_scan_unit_destroy(struct lac_scan_unit *u)
{
	if (!u)
		return;
	lac_abbrevs_free(&u->abbrevs);
	free(u->entries);
	free(u->children);
	free(u->scopes);
	free(u->slots);
	free(u->names);
	free(u);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* scan_walk.c - one pass over the bytes of a unit, to its types. */
#include <dwarf.h>
#include <stdlib.h>

#include "dbginfo/build.h"
#include "dbginfo/scan_unit.h"
#include "dbginfo/table.h"

/* -- entries -------------------------------------------------------------- */

static struct entry *new_entry(struct lac_scan_unit *u, uint64_t offset)
{
	if (!lac_make_room((void **)&u->entries, u->nentries, &u->entries_cap,
			   sizeof(*u->entries)))
		return NULL;
	u->slots[offset >> SLOT_SHIFT] = u->nentries;
	return &u->entries[u->nentries++];
}

static struct body *new_body(struct lac_scan_unit *u)
{
	if (!lac_make_room((void **)&u->bodies, u->nbodies, &u->bodies_cap,
			   sizeof(*u->bodies)))
		return NULL;
	return &u->bodies[u->nbodies++];
}

/* A part of the body refers to a type. */
static inline bool new_child(struct lac_scan_unit *u, struct body *b,
			     uint32_t type)
{
	if (!lac_make_room((void **)&u->children, u->nchildren,
			   &u->children_cap, sizeof(*u->children)))
		return false;
	u->children[u->nchildren] = (struct child){ type, NO_ENTRY };
	if (b->first == NO_ENTRY)
		b->first = u->nchildren;
	else
		u->children[b->last].next = u->nchildren;
	b->last = u->nchildren;
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
	uint8_t flags;
};

struct walk {
	struct lac_scan_unit *u;
	struct lac_cursor c;
	/* what only the slow way can read, such as a reference elsewhere */
	bool foreign;
	/* a type with parts that is to be kept, up to its end; ab or NULL */
	struct {
		const struct lac_abbrev *ab;
		struct lac_print own;
		uint32_t first, id;
		unsigned depth;
	} pending;
};

static inline uint32_t reference(struct walk *w, const struct lac_value *v)
{
	if (v->class == VALUE_REF && v->u < w->u->length)
		return (uint32_t)v->u;
	w->foreign = true;
	return NO_TYPE;
}

/* The forms that nearly every attribute has; the rest by the book. */
static inline void read_value(struct walk *w, const struct lac_op *op,
			      struct lac_value *v)
{
	const unsigned char *p = w->c.p;

	if ((size_t)(w->c.end - p) < 4 || w->u->form.big_endian) {
		lac_value_read(&w->c, op, &w->u->form, v);
		return;
	}
	switch (op->form) {
	case DW_FORM_strp:
		if (w->u->form.offset_size != 4)
			break;
		w->c.p = p + 4;
		v->class = VALUE_STRP;
		v->u = get32(p);
		return;
	case DW_FORM_ref4:
		w->c.p = p + 4;
		v->class = VALUE_REF;
		v->u = get32(p);
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
	const struct lac_op *op = ab->ops, *end = op + ab->nops;
	struct lac_print h = { ab->tag, 8 };
	struct lac_value v;
	uint64_t key;

	f->type = f->other = f->completes = NO_TYPE;
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
		case SLOT_DECL_LINE:
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
	const struct lac_op *op = ab->ops, *end = op + ab->nops;

	if (ab->fixed <= (uint64_t)(w->c.end - w->c.p)) {
		w->c.p += ab->fixed;
		return;
	}
	for (; op < end; op++) {
		size_t left = (size_t)(w->c.end - w->c.p);

		/* where a variable lies mostly takes few bytes */
		if (op->skip && op->skip <= left)
			w->c.p += op->skip;
		else if (op->form == DW_FORM_exprloc && left > 0x80 &&
			 *w->c.p < 0x80)
			w->c.p += 1 + *w->c.p;
		else
			lac_value_skip(&w->c, op, &w->u->form);
	}
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

static uint8_t flags_of(uint16_t tag)
{
	switch (tag) {
	case DW_TAG_base_type:
	case DW_TAG_pointer_type:
	case DW_TAG_subroutine_type:
		return SAME_BY_NAME;
	default:
		return lac_is_record_tag(tag) ? IS_RECORD : 0;
	}
}

static enum lac_status add_type(struct walk *w, uint64_t offset, uint16_t tag,
				const struct facts *f,
				const struct lac_value *name,
				const struct level *up, uint32_t *ret,
				struct lac_err *err)
{
	struct entry *e = new_entry(w->u, offset);
	struct body *b = new_body(w->u);

	if (!e || !b)
		return lac_fail_memory(err);
	*e = (struct entry){
		.body = w->u->nbodies - 1, .offset = (uint32_t)offset,
		.tag = tag, .flags = f->flags | flags_of(tag), .type = f->type,
		.other = f->other, .print = { LAC_NONE, LAC_NONE },
		.typedef_name = NO_ENTRY,
	};
	*b = (struct body){
		.self = f->self, .print = { tag, 5 }, .name = *name,
		.completes = f->completes, .first = NO_ENTRY,
		.last = NO_ENTRY, .parent = up->record, .scope = up->scope,
	};
	if (up->scope != NO_ENTRY)
		mix_print(&b->print, w->u->scopes[up->scope].print);
	if (f->flags & HAS_NAME)
		mix_print(&b->print, name_print(w->u, name));
	*ret = w->u->nentries - 1;
	return LAC_OK;
}

static inline __attribute__((always_inline)) enum lac_status
add_part(struct walk *w, uint16_t tag, const struct facts *f,
	 const struct lac_value *name, const struct level *up,
	 struct lac_err *err)
{
	struct entry *e = &w->u->entries[up->owner];
	struct body *b = body_of(w->u, e);
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
		mix_print(&b->self, self);
		return LAC_OK;
	}
	mix_pair(&b->self, self.b + 1, self.a); /* it refers to something */
	return new_child(w->u, b, f->type) ?
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
	/* one dimension of it, as Pascal has them */
	if (up->tag == DW_TAG_array_type && up->owner != NO_ENTRY &&
	    ab->tag == DW_TAG_enumeration_type)
		w->foreign = true;
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

/* -- types that may be known ---------------------------------------------- */

static enum lac_status add_known(struct walk *w, struct lac_known *k,
				 const unsigned char *start, uint32_t first,
				 uint32_t type, struct lac_err *err)
{
	uint32_t offset = (uint32_t)(start - w->u->bytes);
	struct entry *e = new_entry(w->u, offset);

	if (!e)
		return lac_fail_memory(err);
	*e = (struct entry){
		.known = k, .first = first, .offset = offset, .tag = k->tag,
		.flags = k->flags, .print = { LAC_NONE, LAC_NONE },
		.type = type, .other = NO_TYPE, .typedef_name = NO_ENTRY,
	};
	w->foreign |= type >= w->u->length;
	return LAC_OK;
}

/*
 * A type in no scope and no other type, from start on; *in is for its parts.
 * *done: they have been taken as well.
 */
static enum lac_status take_free(struct walk *w, const struct lac_abbrev *ab,
				 const unsigned char *start,
				 const struct level *up, struct level *in,
				 unsigned depth, bool *done,
				 struct lac_err *err)
{
	struct lac_scan_unit *u = w->u;
	struct lac_value name = { .class = VALUE_NONE };
	uint32_t first = u->nrefs, type = NO_TYPE, id;
	struct lac_print own;
	const unsigned char *end;
	struct lac_known *known = lac_known_find(u, ab, w->c.p, w->c.end, &own,
						 &type, &end);
	struct facts f;

	*done = known || !ab->children;
	if (known) {
		w->c.p = end;
		return add_known(w, known, start, first, type, err);
	}
	read_facts(w, ab, &f, &name);
	LAC_TRY(add_type(w, (uint64_t)(start - u->bytes), ab->tag, &f, &name,
			 up, &id, err));
	*in = (struct level){ .tag = ab->tag, .owner = id, .scope = up->scope,
			      .record = ab->kind == ABBREV_RECORD ?
						id : up->record };
	if (!end)
		u->nrefs = first;
	else if (ab->children) {
		w->pending.ab = ab;
		w->pending.own = own;
		w->pending.id = id;
		w->pending.first = first;
		w->pending.depth = depth;
	} else {
		lac_known_add(u, ab, &own, id, first);
	}
	return LAC_OK;
}

/* None of its parts is a type, or it would not be pending. */
static void end_pending(struct walk *w)
{
	lac_known_add(w->u, w->pending.ab, &w->pending.own, w->pending.id,
		      w->pending.first);
	w->pending.ab = NULL;
}

/* -- all entries ---------------------------------------------------------- */

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

/*
 * In code only types matter: on to the next of these, to what is to be read by
 * the book, or to the end of the function.
 */
static void skip_code(struct walk *w, struct level *levels, unsigned *depth)
{
	unsigned top = *depth;

	w->c.p = lac_code_skip(&w->u->abbrevs, w->c.p, w->c.end, DEPTH_MAX,
			       depth);
	for (unsigned i = top + 1; i <= *depth; i++)
		levels[i] = levels[top];
}

/* An entry that says nothing, though what is in it may; see take() for *in. */
static void pass_by(struct walk *w, const struct lac_abbrev *ab,
		    const struct level *up, struct level *in)
{
	skip_entry(w, ab);
	if (!ab->children)
		return;
	in->tag = ab->tag;
	in->owner = NO_ENTRY;
	in->scope = up->scope;
	in->record = ab->kind == ABBREV_FUNCTION ? NO_ENTRY : up->record;
}

static enum lac_status damaged(const struct walk *w, uint64_t offset,
			       struct lac_err *err)
{
	return lac_fail(err, LAC_BAD_INPUT, "a damaged entry at 0x%llx",
			(unsigned long long)(w->u->header->offset + offset));
}

/*
 * Nothing but padding is behind the root's end.  Else an entry has children
 * that are none, or the other way round, and every parent after it is wrong.
 */
static enum lac_status check_end(const struct walk *w, bool ended,
				 unsigned depth, struct lac_err *err)
{
	const unsigned char *p = w->c.p;

	while (p < w->c.end && !*p)
		p++;
	if (p < w->c.end || (!ended && depth > 1))
		return lac_fail(err, LAC_BAD_INPUT,
				"the unit at 0x%llx does not end with its "
				"entries",
				(unsigned long long)w->u->header->offset);
	return ended ? LAC_OK :
		       lac_fail(err, LAC_UNSUPPORTED, "no end of a root");
}

static enum lac_status walk_entries(struct walk *w, struct lac_err *err)
{
	struct level levels[DEPTH_MAX + 1];
	const struct lac_abbrevs *table = &w->u->abbrevs;
	const unsigned char *start = w->u->bytes;
	bool knowing = !w->u->scoped && !w->u->form.big_endian &&
		       w->u->form.offset_size == 4;
	unsigned depth = 0;
	bool ended = false;

	levels[0] = (struct level){ .owner = NO_ENTRY, .scope = NO_ENTRY,
				    .record = NO_ENTRY };
	while (w->c.p < w->c.end) {
		const unsigned char *at = w->c.p;
		uint64_t offset = (uint64_t)(at - start);
		uint64_t code = lac_take_uleb(&w->c);
		const struct lac_abbrev *ab;
		const struct level *up = &levels[depth];
		struct level *in = &levels[depth + 1], unused;
		bool done = false;

		if (code == 0) {
			ended = depth <= 1;
			if (ended)
				break;
			depth--;
			if (w->pending.ab && w->pending.depth == depth)
				end_pending(w);
			continue;
		}
		ab = lac_abbrev_of(table, code);
		if (!ab)
			return damaged(w, offset, err);
		if (ab->children && depth == DEPTH_MAX)
			return lac_fail(err, LAC_BAD_INPUT,
					"entries are nested too deeply");
		if (!ab->children)
			in = &unused;
		if (ab->known && knowing && up->owner == NO_ENTRY &&
		    up->record == NO_ENTRY) {
			LAC_TRY(take_free(w, ab, at, up, in, depth, &done,
					  err));
		} else if (matters(w, ab, up)) {
			LAC_TRY(take(w, ab, offset, up, in, err));
		} else {
			pass_by(w, ab, up, in);
		}
		if (w->c.bad)
			return damaged(w, offset, err);
		depth += ab->children && !done;
		ended = !depth; /* a root alone */
		if (ended)
			break;
		if (depth > 1 && ab->kind <= ABBREV_FUNCTION &&
		    levels[depth].owner == NO_ENTRY &&
		    levels[depth].record == NO_ENTRY)
			skip_code(w, levels, &depth);
	}
	return check_end(w, ended, depth, err);
}

enum lac_status lac_scan_walk(struct lac_scan_unit *u, size_t index,
			      const struct lac_dwarf_unit *header,
			      struct lac_scanned *kept, struct lac_err *err)
{
	struct walk w = { .u = u };

	LAC_TRY(lac_scan_open(u, index, header, kept, &w.c, err));
	LAC_TRY(walk_entries(&w, err));
	if (w.foreign)
		return lac_fail(err, LAC_UNSUPPORTED,
				"references across units, or arrays whose "
				"dimensions are enumerations");
	return LAC_OK;
}

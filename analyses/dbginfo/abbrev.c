/* SPDX-License-Identifier: BSD-2-Clause */
#include "dbginfo/abbrev.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/arena.h"
#include "dbginfo/graph.h"
#include "dbginfo/print.h"
#include "dbginfo/table.h"

#define CODES_MAX (1u << 20) /* abbreviations of one unit */

/* As it was met first, in a unit of that form. */
struct declaration {
	const unsigned char *p;
	size_t n;
	uint32_t form;
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

/* -- what attributes and tags mean ---------------------------------------- */

static bool is_root_tag(uint16_t tag)
{
	return tag == DW_TAG_compile_unit || tag == DW_TAG_partial_unit ||
	       tag == DW_TAG_type_unit || tag == DW_TAG_skeleton_unit;
}

static enum lac_abbrev_kind kind_of(uint16_t tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
		return ABBREV_RECORD;
	case DW_TAG_base_type:
	case DW_TAG_unspecified_type:
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
	case DW_TAG_ptr_to_member_type:
	case DW_TAG_typedef:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
	case DW_TAG_array_type:
	case DW_TAG_subroutine_type:
	case DW_TAG_enumeration_type:
		return ABBREV_TYPE;
	case DW_TAG_member:
	case DW_TAG_inheritance:
	case DW_TAG_enumerator:
	case DW_TAG_subrange_type:
	case DW_TAG_formal_parameter:
	case DW_TAG_unspecified_parameters:
	case DW_TAG_variant_part:
	case DW_TAG_variant:
		return ABBREV_PART;
	case DW_TAG_namespace:
	case DW_TAG_module:
		return ABBREV_SCOPE;
	case DW_TAG_imported_unit:
		return ABBREV_IMPORT;
	case DW_TAG_subprogram:
		return ABBREV_FUNCTION;
	default:
		return ABBREV_OTHER;
	}
}

static enum lac_slot slot_of(uint16_t at, uint16_t tag)
{
	bool placed = kind_of(tag) == ABBREV_RECORD ||
		      tag == DW_TAG_enumeration_type;

	switch (at) {
	case DW_AT_decl_file: return placed ? SLOT_DECL_FILE : SLOT_SKIP;
	case DW_AT_decl_line: return placed ? SLOT_DECL_LINE : SLOT_SKIP;
	case DW_AT_sibling:
		return tag == DW_TAG_array_type ||
				       tag == DW_TAG_subroutine_type ?
			       SLOT_SIBLING : SLOT_SKIP;
	case DW_AT_name: return SLOT_NAME;
	case DW_AT_type: return SLOT_TYPE;
	case DW_AT_signature: return SLOT_SIGNATURE;
	case DW_AT_specification:
	case DW_AT_abstract_origin: return SLOT_SPECIFICATION;
	case DW_AT_containing_type: return SLOT_CONTAINING;
	case DW_AT_import: return SLOT_IMPORT;
	case DW_AT_declaration: return SLOT_DECLARATION;
	case DW_AT_external: return SLOT_EXTERNAL;
	case DW_AT_language: return SLOT_LANGUAGE;
	case DW_AT_stmt_list: return SLOT_STMT_LIST;
	case DW_AT_comp_dir: return SLOT_COMP_DIR;
	case DW_AT_str_offsets_base: return SLOT_STR_OFFSETS_BASE;
	case DW_AT_producer:
	case DW_AT_dwo_name:
	case DW_AT_GNU_dwo_name:
	case DW_AT_GNU_dwo_id: return is_root_tag(tag) ? SLOT_ROOT : SLOT_SKIP;
	case DW_AT_byte_size:
	case DW_AT_bit_size:
	case DW_AT_bit_offset:
	case DW_AT_data_bit_offset:
	case DW_AT_data_member_location:
	case DW_AT_alignment:
	case DW_AT_count:
	case DW_AT_upper_bound:
	case DW_AT_lower_bound:
	case DW_AT_const_value:
	case DW_AT_discr_value:
	case DW_AT_discr:
	case DW_AT_encoding:
	case DW_AT_virtuality:
	case DW_AT_artificial:
	case DW_AT_GNU_vector: return SLOT_FIGURE;
	default: return SLOT_SKIP;
	}
}

static enum lac_abbrev_known known_of(uint16_t tag, bool children)
{
	switch (tag) {
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
	case DW_TAG_typedef:
	case DW_TAG_enumeration_type:
	case DW_TAG_base_type:
		return KNOWN_IN_ORDER;
	case DW_TAG_pointer_type:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
		return children ? KNOWN_NEVER : KNOWN_SIMPLE;
	case DW_TAG_array_type:
		return children ? KNOWN_ANYWHERE : KNOWN_NEVER;
	case DW_TAG_subroutine_type:
		return KNOWN_ANYWHERE;
	default:
		return KNOWN_NEVER;
	}
}

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
	hash = (uint32_t)(h.a ^ h.b >> 32);
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
		if (slot->hash == hash && s->shapes[slot->id].a == h.a &&
		    s->shapes[slot->id].b == h.b) {
			ab->shape = (uint16_t)(slot->id + 1);
			return true;
		}
	}
}

/* -- which bytes tell ----------------------------------------------------- */

/* The next n bytes: those that tell, or not. */
static bool add_bytes(struct lac_abbrev *ab, unsigned n, bool tell)
{
	if (n > sizeof(ab->mask) - ab->size)
		return false;
	if (tell)
		memset((unsigned char *)ab->mask + ab->size, 0xff, n);
	ab->size = (uint8_t)(ab->size + n);
	return true;
}

static bool add_reference(struct lac_abbrev *ab, const struct lac_op *op)
{
	if (op->form != DW_FORM_ref4 || ab->has_ref)
		return false;
	ab->has_ref = true;
	ab->ref_at = ab->size;
	return add_bytes(ab, 4, false);
}

static bool add_name(struct lac_abbrev *ab, const struct lac_op *op, bool first,
		     bool last)
{
	switch (op->form) {
	case DW_FORM_string:
		if (ab->named) /* already */
			return false;
		ab->named = first;
		ab->named_last = last && !first;
		return first || last;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
		return add_bytes(ab, 4, true);
	default: /* an index means something in its unit only */
		return false;
	}
}

static bool add_value(struct lac_abbrev *ab, const struct lac_op *op,
		      const struct lac_unit_form *f, bool last)
{
	int size = lac_form_size(op->form, f);

	switch (op->slot) {
	case SLOT_SKIP:
		return op->skip && op->skip < sizeof(ab->mask) &&
		       add_bytes(ab, op->skip, false);
	case SLOT_TYPE:
		return add_reference(ab, op);
	case SLOT_SIBLING: /* told by what is compared */
		return op->form == DW_FORM_ref4 && add_bytes(ab, 4, false);
	case SLOT_SPECIFICATION:
	case SLOT_SIGNATURE:
	case SLOT_CONTAINING:
	case SLOT_IMPORT:
		return false;
	case SLOT_DECL_FILE:
	case SLOT_DECL_LINE:
		return size >= 0 && add_bytes(ab, (unsigned)size, false);
	default:
		if (op->form == DW_FORM_sdata || op->form == DW_FORM_udata) {
			ab->number = last;
			return last;
		}
		return size >= 0 && size <= 8 &&
		       add_bytes(ab, (unsigned)size, true);
	}
}

static void find_mask(struct lac_abbrev *ab, const struct lac_unit_form *f)
{
	ab->plain = !f->big_endian && f->offset_size == 4 && ab->shape;
	for (uint32_t i = 0; i < ab->nops && ab->plain; i++)
		ab->plain = ab->ops[i].slot == SLOT_NAME ?
				    add_name(ab, &ab->ops[i], !i,
					     i + 1 == ab->nops) :
				    add_value(ab, &ab->ops[i], f,
					      i + 1 == ab->nops);
	ab->nwords = (uint8_t)((ab->size + 7) / 8);
}

/* -- getting behind it ---------------------------------------------------- */

static void find_skip(struct lac_abbrev *ab)
{
	struct lac_skip skip = { .children = ab->children };

	if (ab->kind != ABBREV_OTHER && ab->kind != ABBREV_FUNCTION &&
	    ab->kind != ABBREV_PART)
		return;
	if (ab->fixed <= UINT16_MAX) {
		skip.fixed = (uint16_t)ab->fixed;
		skip.can = true;
		ab->skip = skip;
		return;
	}
	for (uint32_t i = 0; i < ab->nops; i++) {
		const struct lac_op *op = &ab->ops[i];

		if (op->skip && op->skip <= UINT8_MAX &&
		    !skip.before[skip.nblocks])
			skip.before[skip.nblocks] = (uint8_t)op->skip;
		else if (op->form == DW_FORM_exprloc &&
			 skip.nblocks < LAC_SKIP_BLOCKS)
			skip.nblocks++;
		else
			return;
	}
	skip.can = true;
	ab->skip = skip;
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
	bool interesting = (ab->kind != ABBREV_OTHER &&
			    ab->kind != ABBREV_FUNCTION) ||
			   is_root_tag(ab->tag);

	for (;;) {
		uint64_t at = lac_take_uleb(&c), form = lac_take_uleb(&c);
		struct lac_op op = { .at = (uint16_t)at,
				     .form = (uint16_t)form };
		int size;

		if (op.form == DW_FORM_implicit_const)
			op.implicit = lac_take_sleb(&c);
		if (!at && !form)
			return true;
		op.slot = (uint8_t)(interesting ? slot_of(op.at, ab->tag) :
						  SLOT_SKIP);
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

/* Take d apart, whose bytes are known to be whole; false: out of memory. */
static bool take_apart(struct lac_abbrev_set *s, struct declaration *d,
		       const struct lac_unit_form *f)
{
	struct lac_cursor c = { d->p, d->p + d->n, false };
	struct lac_abbrev *ab = &d->ab;
	struct lac_op *ops;
	uint64_t tag = lac_take_uleb(&c);

	ab->tag = tag > 0xffff ? 0xffff : (uint16_t)tag;
	ab->children = lac_take_uint(&c, 1, false) != 0;
	ab->kind = (uint8_t)kind_of(ab->tag);
	ab->known = (uint8_t)known_of(ab->tag, ab->children);
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
	find_skip(ab);
	if (!find_shape(s, ab, f))
		return false;
	find_mask(ab, f);
	return true;
}

static struct declaration *add(struct lac_abbrev_set *s, struct declaration d,
			       const struct lac_unit_form *f)
{
	struct declaration *ret = lac_arena_zalloc(s->arena, 1, sizeof(*ret));

	if (!ret || !lac_make_room((void **)&s->v, s->n, &s->cap, sizeof(*s->v)))
		return NULL;
	*ret = d;
	if (!take_apart(s, ret, f))
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
	uint32_t form = form_number(f);
	struct lac_print h = { form, 10 };
	uint32_t hash;

	mix_bytes(&h, p, n);
	hash = (uint32_t)(h.a ^ h.b >> 32);
	if (!lac_table_grow(&s->table))
		return NULL;
	for (uint32_t at = hash;; at++) {
		struct lac_table_slot *slot =
			&s->table.slots[at & (s->table.cap - 1)];
		struct declaration *d;

		if (slot->id == LAC_NONE) {
			d = add(s, (struct declaration){ .p = p, .n = n,
							 .form = form }, f);
			if (!d)
				return NULL;
			*slot = (struct lac_table_slot){ hash, s->n - 1 };
			s->table.n++;
			return &d->ab;
		}
		d = s->v[slot->id];
		if (slot->hash == hash && d->n == n && d->form == form &&
		    memcmp(d->p, p, n) == 0)
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
 * Codes are numbers in a row, each of some bytes of the section, and a table is
 * read once: so all tables together have fewer codes than the section has
 * bytes.  Others would take memory out of all proportion to the file.
 */
static bool afford(struct lac_abbrev_set *s, struct lac_bytes section,
		   uint64_t code)
{
	s->cost++;
	if (code >= s->reading.n)
		s->cost += code + 1 - s->reading.n;
	return code <= CODES_MAX && s->cost <= CODES_MAX + section.size;
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
	/* a tag of 0 is no entry */
	if (ab->tag) {
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
		uint64_t code = lac_take_uleb(&c);
		const unsigned char *p = c.p;

		if (!code && !c.bad)
			return LAC_OK;
		if (!afford(s, section, code))
			return lac_fail(err, LAC_UNSUPPORTED,
					"abbreviation code %llu",
					(unsigned long long)code);
		skip_declaration(&c);
		if (c.bad)
			return lac_fail(err, LAC_BAD_INPUT,
					"a damaged table of abbreviations");
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
	hash = (uint32_t)(h.a ^ h.b >> 32);
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

struct lac_abbrev_set *lac_abbrev_set_create(void)
{
	struct lac_abbrev_set *s = calloc(1, sizeof(*s));

	if (s)
		s->arena = lac_arena_create();
	if (s && !s->arena) {
		free(s);
		s = NULL;
	}
	return s;
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

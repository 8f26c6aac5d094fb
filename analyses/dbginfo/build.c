/* SPDX-License-Identifier: BSD-2-Clause */
#include "dbginfo/build.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dbginfo/basename.h"

#define BUSY LAC_NONE /* being built: a record that contains itself */

enum lac_status lac_build_init(struct lac_build *b, struct lac_dwarf *d,
			       const struct lac_raw_sections *raw,
			       struct lac_pool *p,
			       const struct lac_dwarf_unit *units,
			       size_t nunits, struct lac_err *err)
{
	*b = (struct lac_build){ .d = d, .raw = raw, .p = p, .units = units,
				 .nunits = nunits,
				 .line_root = LAC_DIE_NONE };
	b->big_endian = lac_dwarf_object(d)->big_endian;
	b->arena = lac_arena_create();
	b->noted = calloc(b->nunits + 1, sizeof(*b->noted));
	b->number = calloc(b->nunits + 1, sizeof(*b->number));
	b->shared = calloc(b->nunits + 1, sizeof(*b->shared));
	b->current_unit = LAC_NONE;
	return b->arena && b->noted && b->number && b->shared ?
		       LAC_OK : lac_fail_memory(err);
}

void lac_build_deinit(struct lac_build *b)
{
	lac_arena_destroy(b->arena);
	lac_map_free(&b->memo);
	lac_map_free(&b->notes);
	lac_map_free(&b->variants);
	lac_map_free(&b->fertile);
	free(b->note);
	free(b->noted);
	lac_lines_free(&b->lines);
	lac_lines_free(&b->alt_lines);
	free(b->number);
	free(b->shared);
	free(b->skeletons);
	lac_map_free(&b->edges);
	for (uint32_t i = 0; i < b->nlists; i++)
		free(b->lists[i].bytes);
	free(b->lists);
}

enum lac_status lac_build_name(struct lac_build *b, const struct lac_note *note,
			       const char *name, const char **ret,
			       struct lac_err *err)
{
	char *whole = NULL;
	enum lac_status st;

	if (!name || !note->scope)
		return lac_pool_string(b->p, name, ret, err);
	if (asprintf(&whole, "%s::%s", note->scope, name) < 0)
		return lac_fail_memory(err);
	st = lac_pool_string(b->p, whole, ret, err);
	free(whole);
	return st;
}

/* -- kinds of types ------------------------------------------------------- */

static enum lac_status put(struct lac_build *b, const struct lac_type *t,
			   lac_type_id *ret, struct lac_err *err)
{
	return lac_pool_type(b->p, t, false, ret, err);
}

static enum lac_encoding encoding_of(uint16_t ate)
{
	switch (ate) {
	case DW_ATE_signed: return LAC_ENC_SIGNED;
	case DW_ATE_unsigned: return LAC_ENC_UNSIGNED;
	case DW_ATE_boolean: return LAC_ENC_BOOL;
	case DW_ATE_signed_char: return LAC_ENC_SIGNED_CHAR;
	case DW_ATE_unsigned_char: return LAC_ENC_UNSIGNED_CHAR;
	case DW_ATE_float: return LAC_ENC_FLOAT;
	case DW_ATE_complex_float: return LAC_ENC_COMPLEX;
	case DW_ATE_UTF: return LAC_ENC_UTF;
	default: return LAC_ENC_OTHER;
	}
}

static uint64_t byte_size(const struct lac_die *die)
{
	return die->has & LAC_HAS_BYTE_SIZE ? die->byte_size : LAC_SIZE_UNKNOWN;
}

static enum lac_status build_base(struct lac_build *b,
				  const struct lac_die *die, lac_type_id *ret,
				  struct lac_err *err)
{
	struct lac_type t = {
		.kind = die->tag == DW_TAG_base_type ? LAC_TYPE_BASE :
						       LAC_TYPE_UNSPECIFIED,
		.size = byte_size(die), .encoding = encoding_of(die->encoding),
		.declared_align = lac_die_align(die),
	};
	char name[LAC_BASE_NAME_MAX];

	/* nullptr_t, which DWARF gives no size, is a pointer */
	if (die->tag == DW_TAG_unspecified_type && die->name &&
	    strstr(die->name, "nullptr"))
		t.size = lac_build_address_size(b, die->ref);
	if (t.size == LAC_SIZE_UNKNOWN && die->has & LAC_HAS_BIT_SIZE)
		t.size = die->bit_size / 8 + (die->bit_size % 8 != 0);
	LAC_TRY(lac_pool_string(b->p, lac_base_name(die->name, name), &t.name,
				err));
	return put(b, &t, ret, err);
}

static enum lac_status build_pointer(struct lac_build *b,
				     const struct lac_die *die,
				     lac_type_id *ret, struct lac_err *err)
{
	struct lac_type t = { .size = byte_size(die),
			      .declared_align = lac_die_align(die) };
	lac_type_id class;

	t.kind = die->tag == DW_TAG_pointer_type ? LAC_TYPE_POINTER :
		 die->tag == DW_TAG_reference_type ? LAC_TYPE_REFERENCE :
		 die->tag == DW_TAG_rvalue_reference_type ?
						     LAC_TYPE_RVALUE_REFERENCE :
						     LAC_TYPE_MEMBER_POINTER;
	LAC_TRY(lac_pool_string(b->p, die->name, &t.name, err));
	LAC_TRY(lac_build_type(b, die->type, true, &t.target, err));
	if (t.size == LAC_SIZE_UNKNOWN)
		t.size = lac_build_address_size(b, die->ref);
	if (t.kind == LAC_TYPE_MEMBER_POINTER) {
		/* Itanium C++ ABI 2.3: to a function it is two words */
		if (!(die->has & LAC_HAS_BYTE_SIZE) &&
		    b->p->types[t.target].kind == LAC_TYPE_FUNCTION)
			t.size *= 2;
		LAC_TRY(lac_build_type(b, die->containing, true, &class, err));
		t.record = LAC_NONE;
		t.name = b->p->types[class].name;
	}
	return put(b, &t, ret, err);
}

static enum lac_status build_modifier(struct lac_build *b,
				      const struct lac_die *die, bool by_name,
				      lac_type_id *ret, struct lac_err *err)
{
	struct lac_type t = { .size = LAC_SIZE_UNKNOWN,
			      .declared_align = lac_die_align(die) };
	struct lac_note note;

	switch (die->tag) {
	case DW_TAG_typedef: t.kind = LAC_TYPE_TYPEDEF; break;
	case DW_TAG_const_type: t.kind = LAC_TYPE_CONST; break;
	case DW_TAG_volatile_type: t.kind = LAC_TYPE_VOLATILE; break;
	case DW_TAG_restrict_type: t.kind = LAC_TYPE_RESTRICT; break;
	default: t.kind = LAC_TYPE_ATOMIC; break;
	}
	if (t.kind == LAC_TYPE_TYPEDEF) {
		LAC_TRY(lac_note_get(b, die->ref, &note, err));
		LAC_TRY(lac_build_name(b, &note, die->name, &t.name, err));
	}
	LAC_TRY(lac_build_type(b, die->type, by_name, &t.target, err));
	if (t.kind == LAC_TYPE_ATOMIC)
		LAC_TRY(lac_atomic_size(b, die->ref, t.target, &t.size, err));
	return put(b, &t, ret, err);
}

/* -- arrays --------------------------------------------------------------- */

#define DIMENSIONS_MAX 64

struct dimension {
	uint64_t count;
	bool flexible;
};

static struct dimension dimension_of(const struct lac_die *die)
{
	uint64_t n;

	if (die->has & LAC_HAS_COUNT)
		return (struct dimension){ die->count, false };
	if (!(die->has & LAC_HAS_UPPER_BOUND))
		return (struct dimension){ 0, true };
	/* an upper bound of -1 is how older compilers say [0] */
	n = die->upper + 1 - (uint64_t)die->lower;
	return (struct dimension){ n, false };
}

static enum lac_status read_dimensions(struct lac_build *b,
				       const struct lac_die *die,
				       struct dimension *dims, uint32_t *n,
				       struct lac_err *err)
{
	struct lac_die child = { 0 };
	enum lac_status st = lac_die_child(b->d, die, &child, err);

	while (st == LAC_OK) {
		if (child.tag == DW_TAG_subrange_type ||
		    child.tag == DW_TAG_enumeration_type) {
			if (*n == DIMENSIONS_MAX)
				st = lac_fail(err, LAC_BAD_INPUT,
					      "an array of more than %d "
					      "dimensions", DIMENSIONS_MAX);
			else
				dims[(*n)++] = dimension_of(&child);
		}
		if (st == LAC_OK)
			st = lac_die_next(b->d, &child, err);
	}
	lac_die_close(b->d, &child);
	return st == LAC_NOT_FOUND ? LAC_OK : st;
}

static enum lac_status build_array(struct lac_build *b,
				   const struct lac_die *die, bool by_name,
				   lac_type_id *ret, struct lac_err *err)
{
	struct dimension dims[DIMENSIONS_MAX];
	uint32_t n = 0;
	lac_type_id id;

	LAC_TRY(read_dimensions(b, die, dims, &n, err));
	LAC_TRY(lac_build_type(b, die->type, by_name, &id, err));
	if (!n)
		dims[n++] = (struct dimension){ 0, true };
	for (uint32_t i = n; i-- > 0;) {
		struct lac_type t = {
			.kind = die->vector ? LAC_TYPE_VECTOR : LAC_TYPE_ARRAY,
			.size = LAC_SIZE_UNKNOWN, .target = id,
			.array = { dims[i].count, dims[i].flexible },
		};

		if (i == 0) {
			t.declared_align = lac_die_align(die);
			if (die->vector)
				t.size = byte_size(die);
		}
		LAC_TRY(put(b, &t, &id, err));
	}
	*ret = id;
	return LAC_OK;
}

/* -- functions ------------------------------------------------------------ */

#define PARAMETERS_MAX 1024

static enum lac_status read_parameters(struct lac_build *b,
				       const struct lac_die *die,
				       lac_type_id *params,
				       struct lac_function_type *f,
				       struct lac_err *err)
{
	struct lac_die child = { 0 };
	enum lac_status st = lac_die_child(b->d, die, &child, err);

	while (st == LAC_OK) {
		if (child.tag == DW_TAG_unspecified_parameters)
			f->variadic = true;
		else if (child.tag == DW_TAG_formal_parameter &&
			 f->nparams < PARAMETERS_MAX)
			st = lac_build_type(b, child.type, true,
					    &params[f->nparams++], err);
		if (st == LAC_OK)
			st = lac_die_next(b->d, &child, err);
	}
	lac_die_close(b->d, &child);
	return st == LAC_NOT_FOUND ? LAC_OK : st;
}

static enum lac_status build_function(struct lac_build *b,
				      const struct lac_die *die,
				      lac_type_id *ret, struct lac_err *err)
{
	lac_type_id *params = calloc(PARAMETERS_MAX, sizeof(*params));
	struct lac_type t = { .kind = LAC_TYPE_FUNCTION,
			      .size = LAC_SIZE_UNKNOWN };
	enum lac_status st;

	if (!params)
		return lac_fail_memory(err);
	st = lac_build_type(b, die->type, true, &t.target, err);
	if (st == LAC_OK)
		st = read_parameters(b, die, params, &t.function, err);
	t.function.params = params;
	if (st == LAC_OK)
		st = put(b, &t, ret, err);
	free(params);
	return st;
}

/* -- enumerations --------------------------------------------------------- */

struct values {
	struct lac_enumerator *v;
	uint32_t n, cap;
	bool negative;
};

static enum lac_status add_value(struct lac_build *b, struct values *vs,
				 const struct lac_die *die, struct lac_err *err)
{
	struct lac_enumerator *v;

	if (vs->n == vs->cap) {
		uint32_t cap = vs->cap ? 2 * vs->cap : 16;
		void *p = reallocarray(vs->v, cap, sizeof(*vs->v));

		if (!p || cap < vs->cap)
			return lac_fail_memory(err);
		vs->v = p;
		vs->cap = cap;
	}
	v = &vs->v[vs->n++];
	v->value = (int64_t)die->value;
	if (die->has & LAC_HAS_SIGNED_VALUE && v->value < 0)
		vs->negative = true;
	return lac_pool_string(b->p, die->name, &v->name, err);
}

static enum lac_status read_values(struct lac_build *b,
				   const struct lac_die *die,
				   struct values *vs, struct lac_err *err)
{
	struct lac_die child = { 0 };
	enum lac_status st = lac_die_child(b->d, die, &child, err);

	while (st == LAC_OK) {
		if (child.tag == DW_TAG_enumerator && child.name)
			st = add_value(b, vs, &child, err);
		if (st == LAC_OK)
			st = lac_die_next(b->d, &child, err);
	}
	lac_die_close(b->d, &child);
	return st == LAC_NOT_FOUND ? LAC_OK : st;
}

/* By the underlying type, if there is one; by its values if not. */
static enum lac_status enum_sign(struct lac_build *b, const struct lac_die *die,
				 struct lac_enumeration *e, bool negative,
				 struct lac_err *err)
{
	lac_type_id id;

	e->is_signed = negative;
	if (die->type == LAC_DIE_NONE)
		return LAC_OK;
	LAC_TRY(lac_build_type(b, die->type, false, &id, err));
	while (b->p->types[id].kind != LAC_TYPE_BASE && b->p->types[id].target)
		id = b->p->types[id].target;
	if (b->p->types[id].kind != LAC_TYPE_BASE)
		return LAC_OK;
	e->is_signed = b->p->types[id].encoding == LAC_ENC_SIGNED ||
		       b->p->types[id].encoding == LAC_ENC_SIGNED_CHAR;
	if (e->size == LAC_SIZE_UNKNOWN)
		e->size = b->p->types[id].size;
	return LAC_OK;
}

/* by_name: what a pointer leads to is only named, as a record is. */
static enum lac_status build_enum(struct lac_build *b, const struct lac_die *die,
				  bool by_name, lac_type_id *ret,
				  struct lac_err *err)
{
	struct values vs = { 0 };
	struct lac_note note;
	struct lac_enumeration e = { .size = byte_size(die) };
	struct lac_type t = { .kind = LAC_TYPE_ENUM, .size = e.size,
			      .enumeration = LAC_NONE };
	enum lac_status st;

	if (by_name && die->name)
		t.size = LAC_SIZE_UNKNOWN;
	else if (die->signature != LAC_DIE_NONE)
		return lac_build_type(b, die->signature, by_name, ret, err);
	LAC_TRY(lac_note_get(b, die->ref, &note, err));
	LAC_TRY(lac_build_name(b, &note, die->name, &e.name, err));
	t.name = e.name;
	if (die->declaration || (by_name && die->name))
		return put(b, &t, ret, err);
	st = read_values(b, die, &vs, err);
	if (st == LAC_OK)
		st = enum_sign(b, die, &e, vs.negative, err);
	e.values = vs.v;
	e.nvalues = vs.n;
	if (st == LAC_OK)
		st = lac_pool_enumeration(b->p, &e, ret, err);
	free(vs.v);
	return st;
}

/* -- any type ------------------------------------------------------------- */

/* A record that is only named: declared here, pointed to, or in itself. */
static enum lac_status name_record(struct lac_build *b,
				   const struct lac_die *die, bool by_value,
				   lac_type_id *ret, struct lac_err *err)
{
	struct lac_type t = {
		.kind = LAC_TYPE_RECORD, .size = LAC_SIZE_UNKNOWN,
		.record = LAC_NONE, .record_kind = lac_record_kind_of(die->tag),
	};
	struct lac_note note;

	LAC_TRY(lac_note_get(b, die->ref, &note, err));
	LAC_TRY(lac_build_name(b, &note, die->name ? die->name : note.name,
			       &t.name, err));
	return lac_pool_type(b->p, &t, by_value, ret, err);
}

static enum lac_status build_die(struct lac_build *b, struct lac_die *die,
				 bool by_name, lac_type_id *ret,
				 struct lac_err *err)
{
	struct lac_type t = { .kind = LAC_TYPE_UNSPECIFIED,
			      .size = byte_size(die) };

	switch (die->tag) {
	case DW_TAG_base_type:
	case DW_TAG_unspecified_type:
		return build_base(b, die, ret, err);
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
	case DW_TAG_ptr_to_member_type:
		return build_pointer(b, die, ret, err);
	case DW_TAG_typedef:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		return build_modifier(b, die, by_name, ret, err);
	case DW_TAG_array_type:
		return build_array(b, die, by_name, ret, err);
	case DW_TAG_subroutine_type:
		return build_function(b, die, ret, err);
	case DW_TAG_enumeration_type:
		return build_enum(b, die, by_name, ret, err);
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
		if (by_name &&
		    (die->name || die->specification != LAC_DIE_NONE))
			return name_record(b, die, false, ret, err);
		if (die->declaration && die->signature != LAC_DIE_NONE)
			return lac_build_type(b, die->signature, by_name, ret,
					      err);
		if (die->declaration)
			return name_record(b, die, !by_name, ret, err);
		return lac_build_record(b, die, ret, err);
	default: /* a kind of type that has no meaning for layouts */
		LAC_TRY(lac_pool_string(b->p, die->name, &t.name, err));
		return put(b, &t, ret, err);
	}
}

static enum lac_status build_opened(struct lac_build *b, struct lac_die *die,
				    bool by_name, lac_type_id *ret,
				    struct lac_err *err)
{
	uint64_t key = die->ref << 1 | by_name;
	enum lac_status st;

	if (b->depth >= LAC_DIE_DEPTH_MAX)
		return lac_fail(err, LAC_BAD_INPUT,
				"types are nested too deeply");
	if (!lac_map_put(&b->memo, key, BUSY))
		return lac_fail_memory(err);
	b->depth++;
	st = build_die(b, die, by_name, ret, err);
	b->depth--;
	LAC_TRY(st);
	return lac_map_put(&b->memo, key, *ret) ? LAC_OK : lac_fail_memory(err);
}

/*
 * A unit that uses a type of a partial or type unit has that unit's types.
 * Only noted where every unit is expanded.
 */
enum lac_status lac_build_edge(struct lac_build *b, uint32_t from,
			       lac_die_ref ref, struct lac_err *err)
{
	uint32_t to = lac_build_unit_of(b, ref);

	if (from == LAC_NONE || to == LAC_NONE || from == to || !b->shared[to])
		return LAC_OK;
	return lac_map_put(&b->edges, (uint64_t)from << 32 | to, 0) ?
		       LAC_OK : lac_fail_memory(err);
}

enum lac_status lac_build_type(struct lac_build *b, lac_die_ref ref,
			       bool by_name, lac_type_id *ret,
			       struct lac_err *err)
{
	uint32_t from = b->current_unit;
	const uint32_t *known;
	struct lac_die die = { 0 };
	enum lac_status st;

	if (ref == LAC_DIE_NONE) {
		*ret = 0;
		return LAC_OK;
	}
	if (!b->canon)
		LAC_TRY(lac_build_edge(b, from, ref, err));
	if (b->canon) {
		known = lac_map_get(&b->canon->number, ref << 1 | by_name);
		if (!known)
			return lac_fail(err, LAC_UNSUPPORTED,
					"an entry at 0x%llx that was not seen "
					"when scanning",
					(unsigned long long)ref);
		by_name = b->canon->key[*known] & 1;
		ref = b->canon->key[*known] >> 1;
	}
	known = lac_map_get(&b->memo, ref << 1 | by_name);
	if (known && *known != BUSY) {
		*ret = *known;
		return LAC_OK;
	}
	LAC_TRY(lac_die_open(b->d, ref, &die, err));
	b->current_unit = lac_build_unit_of(b, ref);
	if (!known) {
		st = build_opened(b, &die, by_name, ret, err);
	} else if (lac_is_record_tag(die.tag)) {
		st = name_record(b, &die, false, ret, err);
	} else {
		st = lac_fail(err, LAC_BAD_INPUT,
			      "a type at 0x%llx is made of itself",
			      (unsigned long long)LAC_DIE_OFFSET(ref));
	}
	b->current_unit = from;
	lac_die_close(b->d, &die);
	return st;
}

/* -- a unit --------------------------------------------------------------- */

uint64_t lac_build_address_size(const struct lac_build *b, lac_die_ref ref)
{
	uint32_t unit = lac_build_unit_of(b, ref);

	return unit == LAC_NONE ? LAC_SIZE_UNKNOWN :
				  b->units[unit].address_size;
}

/* What the first entry of a unit says about its table of files. */
static enum lac_status open_lines(struct lac_build *b, lac_die_ref root,
				  uint32_t unit, struct lac_err *err)
{
	const struct lac_dwarf_unit *u = &b->units[unit];
	struct lac_line_unit *l = &b->line_unit;
	struct lac_die die = { 0 };

	LAC_TRY(lac_die_open(b->d, root, &die, err));
	*l = (struct lac_line_unit){
		.table = die.stmt_list, .comp_dir = die.comp_dir,
		.str_offsets_base = die.str_offsets_base,
		.form = { u->address_size, u->offset_size, u->version,
			  b->big_endian },
	};
	lac_die_close(b->d, &die);
	b->line_root = root;
	/* a .dwo has one table, and says so nowhere */
	if (l->table == LAC_NO_OFFSET && lac_dwarf_is_dwo(b->d))
		l->table = 0;
	return LAC_OK;
}

enum lac_status lac_build_file(struct lac_build *b, lac_die_ref root,
			       uint64_t file, const char **ret,
			       struct lac_err *err)
{
	uint32_t unit = lac_build_unit_of(b, root);
	const char *name = NULL;

	if (file != LAC_NO_FILE && unit != LAC_NONE) {
		root = b->units[unit].root;
		if (b->line_root != root)
			LAC_TRY(open_lines(b, root, unit, err));
		if (!LAC_DIE_SOURCE(root))
			name = lac_lines_file(&b->lines, b->raw, &b->line_unit,
					      file);
		else if (b->alt_raw) /* the tables here are another file's */
			name = lac_lines_file(&b->alt_lines, b->alt_raw,
					      &b->line_unit, file);
	}
	return lac_pool_string(b->p, name, ret, err);
}

static enum lac_status add_skeleton(struct lac_build *b,
				    const struct lac_unit_root *root,
				    size_t unit, struct lac_err *err)
{
	if (b->nskeletons == b->skeletons_cap) {
		size_t cap = b->skeletons_cap ? 2 * b->skeletons_cap : 16;
		void *p = reallocarray(b->skeletons, cap,
				       sizeof(*b->skeletons));

		if (!p)
			return lac_fail_memory(err);
		b->skeletons = p;
		b->skeletons_cap = cap;
	}
	b->skeletons[b->nskeletons++] = (struct lac_skeleton){
		root->dwo_name, root->comp_dir,
		root->dwo_id ? root->dwo_id : b->units[unit].signature,
	};
	return LAC_OK;
}

static enum lac_status add_unit(struct lac_build *b, size_t unit,
				const struct lac_unit_root *root,
				struct lac_err *err)
{
	if (root->dwo_name && !lac_dwarf_is_dwo(b->d))
		return add_skeleton(b, root, unit, err);
	if (root->partial) {
		b->shared[unit] = true; /* before DWARF 5 it is not in the header */
		return LAC_OK;
	}
	b->number[unit] = b->p->nunits;
	return lac_pool_unit(b->p, root->name ? root->name : "(unnamed)",
			     root->producer, err);
}

static enum lac_status read_root(struct lac_build *b, size_t unit,
				 struct lac_unit_root *ret, struct lac_err *err)
{
	struct lac_die root = { 0 };

	lac_dwarf_seek(b->d, unit);
	LAC_TRY(lac_die_open(b->d, b->units[unit].root, &root, err));
	*ret = (struct lac_unit_root){
		.name = root.name, .producer = root.producer,
		.dwo_name = root.dwo_name, .comp_dir = root.comp_dir,
		.dwo_id = root.dwo_id,
		.partial = root.tag == DW_TAG_partial_unit,
	};
	lac_die_close(b->d, &root);
	return LAC_OK;
}

enum lac_status lac_build_units(struct lac_build *b,
				const struct lac_scanned *kept,
				struct lac_err *err)
{
	enum lac_status st = LAC_OK;

	if (b->named)
		return LAC_OK;
	for (size_t i = 0; st == LAC_OK && i < b->nunits; i++) {
		struct lac_unit_root root;

		b->number[i] = LAC_NONE;
		b->shared[i] = b->units[i].kind != LAC_UNIT_COMPILE;
		if (b->shared[i])
			continue;
		if (kept)
			root = kept[i].root;
		else
			st = read_root(b, i, &root, err);
		if (st == LAC_OK)
			st = add_unit(b, i, &root, err);
	}
	lac_dwarf_rewind(b->d);
	b->named = st == LAC_OK;
	return st;
}

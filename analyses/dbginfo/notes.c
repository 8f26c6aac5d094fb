/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * notes.c - a first pass over a unit for what an entry does not say itself:
 * the typedef that names an anonymous record, and the scopes around it.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "dbginfo/build.h"
#include "dbginfo/units.h"

bool lac_is_record_tag(uint16_t tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_interface_type;
}

bool lac_is_scope_tag(uint16_t tag)
{
	switch (tag) {
	case DW_TAG_compile_unit:
	case DW_TAG_partial_unit:
	case DW_TAG_type_unit:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_variant_part:
	case DW_TAG_variant:
		return true;
	default:
		return lac_is_record_tag(tag);
	}
}

/* C has one name space for tags, wherever they are declared. */
bool lac_has_scopes(uint16_t language)
{
	switch (language) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case 0x2c: /* DW_LANG_C17 */
	case DW_LANG_Mips_Assembler:
	case 0:
		return false;
	default:
		return true;
	}
}

uint32_t lac_build_unit_of(const struct lac_build *b, lac_die_ref ref)
{
	return lac_unit_of(b->units, b->nunits, ref);
}

static enum lac_status note_at(struct lac_build *b, lac_die_ref ref,
			       struct lac_note **ret, struct lac_err *err)
{
	uint32_t *at = lac_map_get(&b->notes, ref);

	if (!at) {
		if (b->nnotes == b->notes_cap) {
			uint32_t cap = b->notes_cap ? 2 * b->notes_cap : 256;
			void *p = reallocarray(b->note, cap, sizeof(*b->note));

			if (!p || cap < b->notes_cap) {
				return lac_fail_memory(err);
			}
			b->note = p;
			b->notes_cap = cap;
		}
		b->note[b->nnotes] = (struct lac_note){
			.parent = LAC_DIE_NONE,
		};
		if (!lac_map_put(&b->notes, ref, b->nnotes++))
			return lac_fail_memory(err);
		*ret = &b->note[b->nnotes - 1];
		return LAC_OK;
	}
	*ret = &b->note[*at];
	return LAC_OK;
}

struct scope {
	const char *path;   /* NULL outside */
	lac_die_ref record; /* the innermost around */
	bool scoped;
	int depth;
	uint32_t unit;
};

static enum lac_status walk(struct lac_build *b, const struct lac_die *die,
			    const struct scope *s, struct lac_err *err);

static enum lac_status inner_scope(struct lac_build *b,
				   const struct lac_die *die,
				   const struct scope *s, struct scope *in,
				   struct lac_err *err)
{
	bool names = die->tag == DW_TAG_namespace || die->tag == DW_TAG_module ||
		     lac_is_record_tag(die->tag);
	const char *name = die->name;

	*in = *s;
	in->depth++;
	if (lac_is_record_tag(die->tag))
		in->record = die->ref;
	else if (die->tag == DW_TAG_subprogram)
		in->record = LAC_DIE_NONE;
	if (!s->scoped || !names)
		return LAC_OK;
	if (!name && die->tag == DW_TAG_namespace)
		name = "(anonymous namespace)";
	if (!name)
		return LAC_OK;
	in->path = s->path ? lac_arena_printf(b->arena, "%s::%s", s->path, name) :
			     lac_arena_strdup(b->arena, name);
	return in->path ? LAC_OK : lac_fail_memory(err);
}

static enum lac_status take_note(struct lac_build *b, const struct lac_die *die,
				 const struct scope *s, struct lac_err *err)
{
	struct lac_note *note;

	if (die->tag == DW_TAG_typedef && die->type != LAC_DIE_NONE &&
	    die->name && lac_build_unit_of(b, die->type) == s->unit) {
		LAC_TRY(note_at(b, die->type, &note, err));
		if (!note->typedef_name)
			note->typedef_name = die->name;
	}
	if ((s->path || s->record != LAC_DIE_NONE) &&
	    (lac_is_record_tag(die->tag) || die->tag == DW_TAG_typedef ||
	     die->tag == DW_TAG_enumeration_type)) {
		LAC_TRY(note_at(b, die->ref, &note, err));
		note->scope = s->path;
		note->parent = s->record;
	}
	return LAC_OK;
}

/*
 * A class that is declared in another and defined outside of it: the
 * declaration has the name, and the scopes.
 */
static enum lac_status note_completed(struct lac_build *b,
				      const struct lac_die *die,
				      struct lac_err *err)
{
	const uint32_t *known = lac_map_get(&b->notes, die->specification);
	struct lac_note of = { .parent = LAC_DIE_NONE }, *note;
	struct lac_die declaration = { 0 };

	if (known)
		of = b->note[*known];
	LAC_TRY(lac_die_open(b->d, die->specification, &declaration, err));
	of.name = declaration.name;
	of.typedef_name = NULL;
	lac_die_close(b->d, &declaration);
	LAC_TRY(note_at(b, die->ref, &note, err));
	*note = of;
	return LAC_OK;
}

static enum lac_status walk_children(struct lac_build *b,
				     const struct lac_die *die,
				     const struct scope *s,
				     struct lac_err *err)
{
	struct lac_die child = { 0 };
	enum lac_status st = lac_die_child(b->d, die, &child, err);

	while (st == LAC_OK) {
		st = walk(b, &child, s, err);
		if (st == LAC_OK)
			st = lac_die_next(b->d, &child, err);
	}
	lac_die_close(b->d, &child);
	return st == LAC_NOT_FOUND ? LAC_OK : st;
}

bool lac_is_root(const struct lac_die *die)
{
	return (lac_is_record_tag(die->tag) && !die->declaration) ||
	       die->tag == DW_TAG_typedef ||
	       die->tag == DW_TAG_enumeration_type;
}

static enum lac_status take_edges(struct lac_build *b,
				  const struct lac_die *die, uint32_t unit,
				  struct lac_err *err)
{
	const lac_die_ref to[] = { die->import, die->signature, die->type };

	for (size_t i = 0; i < sizeof(to) / sizeof(*to); i++)
		if (to[i] != LAC_DIE_NONE)
			LAC_TRY(lac_build_edge(b, unit, to[i], err));
	return LAC_OK;
}

static enum lac_status walk_inner(struct lac_build *b,
				  const struct lac_die *die,
				  const struct scope *in, struct lac_err *err)
{
	uint32_t before = b->nroots;

	LAC_TRY(walk_children(b, die, in, err));
	if (die->tag == DW_TAG_subprogram && b->nroots != before &&
	    !lac_map_put(&b->fertile, die->ref, 0))
		return lac_fail_memory(err);
	return LAC_OK;
}

static enum lac_status walk(struct lac_build *b, const struct lac_die *die,
			    const struct scope *s, struct lac_err *err)
{
	struct scope in;

	LAC_TRY(take_edges(b, die, s->unit, err));
	b->nroots += lac_is_root(die);
	LAC_TRY(take_note(b, die, s, err));
	if (die->tag == DW_TAG_variant_part && s->record != LAC_DIE_NONE &&
	    !lac_map_put(&b->variants, s->record, 0))
		return lac_fail_memory(err);
	if (lac_is_record_tag(die->tag) && !die->name &&
	    die->specification != LAC_DIE_NONE)
		LAC_TRY(note_completed(b, die, err));
	if (!lac_is_scope_tag(die->tag))
		return LAC_OK;
	if (s->depth > LAC_DIE_DEPTH_MAX)
		return lac_fail(err, LAC_BAD_INPUT,
				"entries are nested too deeply");
	LAC_TRY(inner_scope(b, die, s, &in, err));
	return walk_inner(b, die, &in, err);
}

enum lac_status lac_notes_take(struct lac_build *b, size_t unit,
			       struct lac_err *err)
{
	struct lac_die root = { 0 };
	struct scope s = { .record = LAC_DIE_NONE, .unit = (uint32_t)unit };
	enum lac_status st;

	if (b->noted[unit])
		return LAC_OK;
	b->noted[unit] = true;
	LAC_TRY(lac_die_open(b->d, b->units[unit].root, &root, err));
	s.scoped = lac_has_scopes(root.language);
	st = walk_children(b, &root, &s, err);
	lac_die_close(b->d, &root);
	return st;
}

enum lac_status lac_note_get(struct lac_build *b, lac_die_ref ref,
			     struct lac_note *ret, struct lac_err *err)
{
	uint32_t unit = lac_build_unit_of(b, ref);
	const uint32_t *at;

	*ret = (struct lac_note){ .parent = LAC_DIE_NONE };
	if (b->canon) {
		/* the same for both ways to reach the entry */
		at = lac_map_get(&b->canon->number, ref << 1);
		if (!at)
			at = lac_map_get(&b->canon->number, ref << 1 | 1);
		if (at)
			*ret = b->canon->note[*at];
		return LAC_OK;
	}
	if (unit != LAC_NONE)
		LAC_TRY(lac_notes_take(b, unit, err));
	at = lac_map_get(&b->notes, ref);
	if (at)
		*ret = b->note[*at];
	/* records within one that has variants are what these carry */
	ret->payload = ret->parent != LAC_DIE_NONE &&
		       lac_map_get(&b->variants, ret->parent);
	return LAC_OK;
}

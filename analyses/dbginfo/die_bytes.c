/* SPDX-License-Identifier: BSD-2-Clause */
#include "dbginfo/die_bytes.h"

#include <dwarf.h>
#include <stdlib.h>

#include "dbginfo/abbrev.h"
#include "dbginfo/graph.h"
#include "dbginfo/lines.h"
#include "dbginfo/units.h"

#define KEPT 256u /* tables of abbreviations: types lead from unit to unit */

/* A unit whose abbreviations are at hand. */
struct open_unit {
	uint32_t index; /* LAC_NONE: none */
	const unsigned char *start, *end; /* of the unit, from its header on */
	struct lac_unit_form form;
	struct lac_abbrevs abbrevs; /* of the reader's set */
	uint64_t str_offsets_base;
};

struct lac_bytes_reader {
	const struct lac_raw_sections *sections;
	const struct lac_dwarf_unit *units;
	size_t nunits;
	struct lac_abbrev_set *declared;
	struct open_unit kept[KEPT]; /* by index, modulo their number */
};

struct lac_bytes_reader *lac_bytes_create(const struct lac_raw_sections *s,
					  const struct lac_dwarf_unit *units,
					  size_t nunits)
{
	struct lac_bytes_reader *r = calloc(1, sizeof(*r));

	if (r)
		r->declared = lac_abbrev_set_create();
	if (!r || !r->declared) {
		free(r);
		return NULL;
	}
	r->sections = s;
	r->units = units;
	r->nunits = nunits;
	for (unsigned i = 0; i < KEPT; i++)
		r->kept[i].index = LAC_NONE;
	return r;
}

void lac_bytes_destroy(struct lac_bytes_reader *r)
{
	for (unsigned i = 0; r && i < KEPT; i++)
		lac_abbrevs_free(&r->kept[i].abbrevs);
	if (r)
		lac_abbrev_set_destroy(r->declared);
	free(r);
}

const struct lac_raw_sections *lac_bytes_of(const struct lac_bytes_reader *r)
{
	return r->sections;
}

static enum lac_status damaged(const struct lac_bytes_reader *r,
			       lac_die_ref ref, struct lac_err *err)
{
	return lac_fail(err, LAC_BAD_INPUT, "%s: a damaged entry at 0x%llx",
			r->sections->object->path,
			(unsigned long long)LAC_DIE_OFFSET(ref));
}

/* -- units ---------------------------------------------------------------- */

static const struct lac_abbrev *abbrev_at(const struct open_unit *u,
					  struct lac_cursor *c)
{
	uint64_t code = lac_take_uleb(c);

	return c->bad || !code ? NULL : lac_abbrev_of(&u->abbrevs, code);
}

/* Where DWARF 5 says itself where the unit's indices begin, and where not. */
static void find_strings(const struct lac_bytes_reader *r, struct open_unit *u)
{
	uint64_t root = LAC_DIE_OFFSET(r->units[u->index].root) -
			r->units[u->index].offset;
	struct lac_cursor c = { u->start + root, u->end, false };
	const struct lac_abbrev *ab = abbrev_at(u, &c);
	const struct lac_op *op = ab ? ab->ops : NULL;

	u->str_offsets_base = u->form.version < 5 ? 0 :
			      u->form.offset_size == 8 ? 16 : 8;
	for (uint32_t i = 0; ab && i < ab->nops; i++) {
		struct lac_value v;

		if (op[i].slot != SLOT_STR_OFFSETS_BASE) {
			lac_value_skip(&c, &op[i], &u->form);
			continue;
		}
		lac_value_read(&c, &op[i], &u->form, &v);
		u->str_offsets_base = v.u;
	}
}

static enum lac_status unit_at(struct lac_bytes_reader *r, uint32_t index,
			       struct open_unit **ret, struct lac_err *err)
{
	struct open_unit *u = &r->kept[index % KEPT];
	const struct lac_dwarf_unit *header = &r->units[index];
	struct lac_bytes section = header->types ? r->sections->types :
						   r->sections->info;

	if (u->index != index) {
		if (header->end > section.size ||
		    LAC_DIE_OFFSET(header->root) > header->end ||
		    header->offset > LAC_DIE_OFFSET(header->root))
			return damaged(r, header->root, err);
		u->index = LAC_NONE;
		u->form = (struct lac_unit_form){
			.address_size = header->address_size,
			.offset_size = header->offset_size,
			.version = header->version,
			.big_endian = r->sections->big_endian,
		};
		LAC_TRY(lac_abbrevs_read(r->declared, &u->abbrevs,
					 r->sections->abbrev,
					 header->abbrev_offset, &u->form, err));
		u->index = index;
		u->start = section.p + header->offset;
		u->end = section.p + header->end;
		find_strings(r, u);
	}
	*ret = u;
	return LAC_OK;
}

/* -- entries -------------------------------------------------------------- */

static bool is_block_form(uint16_t form)
{
	return form == DW_FORM_exprloc || form == DW_FORM_block ||
	       form == DW_FORM_block1 || form == DW_FORM_block2 ||
	       form == DW_FORM_block4;
}

/* Bytes of a constant of fixed size; 0 for any other form. */
static unsigned constant_size(uint16_t form)
{
	switch (form) {
	case DW_FORM_data1: return 1;
	case DW_FORM_data2: return 2;
	case DW_FORM_data4: return 4;
	case DW_FORM_data8: return 8;
	default: return 0;
	}
}

static void take_reference(const struct lac_bytes_reader *r,
			   const struct open_unit *u, const struct lac_value *v,
			   struct lac_die_value *ret)
{
	const struct lac_dwarf_unit *header = &r->units[u->index];

	if (v->class != VALUE_REF && v->class != VALUE_REF_ADDR)
		return;
	ret->kind = LAC_DIE_REF;
	ret->u = v->u;
	if (v->class == VALUE_REF) /* it stays in its section */
		ret->u = (header->offset + v->u) |
			 (header->types ? LAC_DIE_TYPES : 0);
}

static struct lac_die_value value_of(const struct lac_bytes_reader *r,
				     const struct open_unit *u, uint16_t form,
				     const struct lac_value *v)
{
	struct lac_die_value ret = { .kind = LAC_DIE_NOTHING, .u = v->u };

	switch (v->class) {
	case VALUE_CONSTANT:
		ret.size = constant_size(form);
		if (ret.size || form == DW_FORM_udata)
			ret.kind = LAC_DIE_UNSIGNED;
		else if (form == DW_FORM_sec_offset)
			ret.kind = LAC_DIE_SECTION;
		break;
	case VALUE_SIGNED:
		ret.kind = LAC_DIE_SIGNED;
		break;
	case VALUE_FLAG:
		ret.kind = LAC_DIE_FLAG;
		break;
	case VALUE_STRING:
	case VALUE_STRP:
	case VALUE_LINE_STRP:
	case VALUE_STRX:
		ret.kind = LAC_DIE_TEXT;
		ret.text = lac_value_text(r->sections, &u->form,
					  u->str_offsets_base, v);
		break;
	case VALUE_BLOCK:
		if (!is_block_form(form))
			break;
		ret.kind = LAC_DIE_BLOCK;
		ret.p = v->p;
		ret.u = v->n;
		break;
	case VALUE_REF:
	case VALUE_REF_ADDR:
		take_reference(r, u, v, &ret);
		break;
	case VALUE_NONE:
	case VALUE_ALT_STRP:
	case VALUE_ALT_REF:
	case VALUE_SIG8:
		break;
	}
	return ret;
}

/* The entry at p; LAC_NOT_FOUND, without a message, if it ends a level. */
static enum lac_status fill(struct lac_bytes_reader *r, struct open_unit *u,
			    const unsigned char *p, struct lac_die *ret,
			    struct lac_err *err)
{
	const struct lac_dwarf_unit *header = &r->units[u->index];
	lac_die_ref ref = (header->offset + (uint64_t)(p - u->start)) |
			  (header->types ? LAC_DIE_TYPES : 0);
	struct lac_cursor c = { p, u->end, false };
	const struct lac_abbrev *ab;
	const struct lac_op *op, *end;

	if (p == u->end || !*p)
		return LAC_NOT_FOUND;
	ab = abbrev_at(u, &c);
	if (!ab)
		return damaged(r, ref, err);
	lac_die_empty(ret, ref, ab->tag);
	op = ab->ops;
	for (end = op + ab->nops; op < end; op++) {
		struct lac_die_value value;
		struct lac_value v;

		if (op->slot == SLOT_SKIP) {
			lac_value_skip(&c, op, &u->form);
			continue;
		}
		lac_value_read(&c, op, &u->form, &v);
		value = value_of(r, u, op->form, &v);
		lac_die_take(ret, op->at, &value, u->form.big_endian);
	}
	if (c.bad)
		return damaged(r, ref, err);
	ret->unit = u->index;
	ret->parent = ab->children;
	ret->rest = c.p;
	return LAC_OK;
}

enum lac_status lac_bytes_open(struct lac_bytes_reader *r, lac_die_ref ref,
			       struct lac_die *ret, struct lac_err *err)
{
	uint32_t index = lac_unit_of(r->units, r->nunits, ref);
	struct open_unit *u;
	enum lac_status st;

	if (index == LAC_NONE)
		return damaged(r, ref, err);
	LAC_TRY(unit_at(r, index, &u, err));
	st = fill(r, u, u->start + (LAC_DIE_OFFSET(ref) - r->units[index].offset),
		  ret, err);
	return st == LAC_NOT_FOUND ? damaged(r, ref, err) : st;
}

enum lac_status lac_bytes_child(struct lac_bytes_reader *r,
				const struct lac_die *die, struct lac_die *ret,
				struct lac_err *err)
{
	struct open_unit *u;

	if (!die->parent)
		return LAC_NOT_FOUND;
	LAC_TRY(unit_at(r, die->unit, &u, err));
	return fill(r, u, die->rest, ret, err);
}

/* Behind the last of a level's entries and all that is in them, from c on. */
static bool skip_level(const struct open_unit *u, struct lac_cursor *c)
{
	for (unsigned depth = 1; depth && c->p < c->end;) {
		const struct lac_abbrev *ab;

		if (!*c->p) {
			c->p++;
			depth--;
			continue;
		}
		ab = abbrev_at(u, c);
		if (!ab)
			return false;
		for (uint32_t i = 0; i < ab->nops; i++)
			lac_value_skip(c, &ab->ops[i], &u->form);
		if (c->bad)
			return false;
		depth += ab->children;
	}
	return true;
}

enum lac_status lac_bytes_next(struct lac_bytes_reader *r, struct lac_die *die,
			       struct lac_err *err)
{
	struct lac_cursor c = { .p = die->rest };
	struct open_unit *u;

	LAC_TRY(unit_at(r, die->unit, &u, err));
	c.end = u->end;
	if (die->parent && !skip_level(u, &c))
		return damaged(r, die->ref, err);
	return fill(r, u, c.p, die, err);
}

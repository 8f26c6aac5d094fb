/* SPDX-License-Identifier: BSD-2-Clause */
#include "dbginfo/die_bytes.h"

#include <dwarf.h>
#include <endian.h>
#include <stdlib.h>

#include "dbginfo/graph.h"
#include "dbginfo/units.h"

/* The bytes of a unit, from its header on. */
struct open_unit {
	uint32_t index;
	const unsigned char *start, *end;
	const struct lac_scanned *kept;
};

static const struct lac_raw_sections *
sections_of(const struct lac_bytes_reader *r, uint32_t source)
{
	return source && r->alt ? r->alt : r->sections;
}

static enum lac_status damaged(const struct lac_bytes_reader *r,
			       lac_die_ref ref, struct lac_err *err)
{
	return lac_fail(err, LAC_BAD_INPUT, "%s: a damaged entry at 0x%llx",
			sections_of(r, LAC_DIE_SOURCE(ref))->object->path,
			(unsigned long long)LAC_DIE_OFFSET(ref));
}

/* -- units ---------------------------------------------------------------- */

static struct open_unit unit_at(const struct lac_bytes_reader *r,
				uint32_t index)
{
	const struct lac_dwarf_unit *header = &r->units[index];
	struct lac_bytes section =
		lac_unit_section(sections_of(r, header->source), header);

	return (struct open_unit){ index, section.p + header->offset,
				   section.p + header->end, &r->kept[index] };
}

/* -- entries -------------------------------------------------------------- */

/* Where offsets of the unit's section begin, as references. */
static lac_die_ref space_of(const struct lac_dwarf_unit *header)
{
	return LAC_DIE_OF(header->source) |
	       (header->types ? LAC_DIE_TYPES : 0);
}

static void take_reference(const struct lac_bytes_reader *r,
			   const struct open_unit *u, const struct lac_value *v,
			   struct lac_die_value *ret)
{
	const struct lac_dwarf_unit *header = &r->units[u->index];
	const uint32_t *unit;

	switch (v->class) {
	case VALUE_REF: /* it stays in its section */
		if (v->u >= header->end - header->offset)
			break; /* nor would libdwarf follow it */
		ret->kind = LAC_DIE_REF;
		ret->u = (header->offset + v->u) | space_of(header);
		break;
	case VALUE_REF_ADDR:
		ret->kind = LAC_DIE_REF;
		ret->u = lac_die_fit(v->u) | LAC_DIE_OF(header->source);
		break;
	case VALUE_ALT_REF:
		if (!r->alt)
			break;
		ret->kind = LAC_DIE_REF;
		ret->u = lac_die_fit(v->u) | LAC_DIE_OF(1);
		break;
	case VALUE_SIG8:
		/* the header's is eight bytes as they lie */
		unit = r->signatures ? lac_map_get(r->signatures,
						   htole64(v->u))
				     : NULL;
		if (!unit)
			break;
		ret->kind = LAC_DIE_REF;
		ret->u = r->units[*unit].type;
		break;
	default:
		break;
	}
}

static void take_text(const struct lac_bytes_reader *r,
		      const struct open_unit *u, const struct lac_value *v,
		      struct lac_die_value *ret)
{
	struct lac_value there = { VALUE_STRP, v->u, 0, NULL };

	ret->kind = LAC_DIE_TEXT;
	if (v->class != VALUE_ALT_STRP)
		ret->text = lac_value_text(
			sections_of(r, r->units[u->index].source),
			&u->kept->line.form, u->kept->line.str_offsets_base, v);
	else if (r->alt)
		ret->text = lac_value_text(r->alt, &u->kept->line.form, 0,
					   &there);
}

static struct lac_die_value value_of(const struct lac_bytes_reader *r,
				     const struct open_unit *u, uint16_t form,
				     const struct lac_value *v)
{
	struct lac_die_value ret = { .kind = LAC_DIE_NOTHING, .u = v->u };

	switch (v->class) {
	case VALUE_CONSTANT:
		ret.size = lac_form_constant(form);
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
	case VALUE_ALT_STRP:
		take_text(r, u, v, &ret);
		break;
	case VALUE_BLOCK:
		if (!lac_form_is_block(form))
			break;
		ret.kind = LAC_DIE_BLOCK;
		ret.p = v->p;
		ret.u = v->n;
		break;
	case VALUE_REF:
	case VALUE_REF_ADDR:
	case VALUE_ALT_REF:
	case VALUE_SIG8:
		take_reference(r, u, v, &ret);
		break;
	case VALUE_NONE:
		break;
	}
	return ret;
}

/* The entry at p; LAC_NOT_FOUND, without a message, if it ends a level. */
static enum lac_status fill(const struct lac_bytes_reader *r,
			    const struct open_unit *u,
			    const unsigned char *p, struct lac_die *ret,
			    struct lac_err *err)
{
	const struct lac_dwarf_unit *header = &r->units[u->index];
	lac_die_ref ref = (header->offset + (uint64_t)(p - u->start)) |
			  space_of(header);
	struct lac_cursor c = { p, u->end, false };
	const struct lac_abbrev *ab;
	const struct lac_op *op, *end;
	uint64_t code;

	if (p == u->end)
		return LAC_NOT_FOUND;
	code = lac_take_uleb(&c); /* 0 may well be of several bytes */
	if (!code && !c.bad)
		return LAC_NOT_FOUND;
	ab = c.bad ? NULL : lac_abbrev_of(u->kept->abbrevs, code);
	if (!ab)
		return damaged(r, ref, err);
	lac_die_empty(ret, ref, ab->tag);
	op = ab->ops;
	for (end = op + ab->nops; op < end; op++) {
		struct lac_die_value value;
		struct lac_value v;

		if (op->slot == SLOT_SKIP) {
			lac_value_skip(&c, op, &u->kept->line.form);
			continue;
		}
		lac_value_read(&c, op, &u->kept->line.form, &v);
		value = value_of(r, u, op->form, &v);
		lac_die_take(ret, op->at, &value,
			     u->kept->line.form.big_endian);
	}
	if (c.bad)
		return damaged(r, ref, err);
	ret->unit = u->index;
	ret->parent = ab->children;
	ret->rest = c.p;
	return LAC_OK;
}

enum lac_status lac_bytes_open(const struct lac_bytes_reader *r, lac_die_ref ref,
			       struct lac_die *ret, struct lac_err *err)
{
	uint32_t index = lac_unit_of(r->units, r->nunits, ref);
	struct open_unit u;
	enum lac_status st;

	if (index == LAC_NONE)
		return damaged(r, ref, err);
	u = unit_at(r, index);
	st = fill(r, &u, u.start + (LAC_DIE_OFFSET(ref) - r->units[index].offset),
		  ret, err);
	return st == LAC_NOT_FOUND ? damaged(r, ref, err) : st;
}

enum lac_status lac_bytes_child(const struct lac_bytes_reader *r,
				const struct lac_die *die, struct lac_die *ret,
				struct lac_err *err)
{
	struct open_unit u = unit_at(r, die->unit);

	if (!die->parent)
		return LAC_NOT_FOUND;
	return fill(r, &u, die->rest, ret, err);
}

/* Behind the last of a level's entries and all that is in them, from c on. */
static bool skip_level(const struct open_unit *u, struct lac_cursor *c)
{
	for (unsigned depth = 1; depth && c->p < c->end;) {
		uint64_t code = lac_take_uleb(c);
		const struct lac_abbrev *ab;

		if (!code && !c->bad) {
			depth--;
			continue;
		}
		ab = c->bad ? NULL : lac_abbrev_of(u->kept->abbrevs, code);
		if (!ab)
			return false;
		for (uint32_t i = 0; i < ab->nops; i++)
			lac_value_skip(c, &ab->ops[i], &u->kept->line.form);
		if (c->bad)
			return false;
		depth += ab->children;
	}
	return true;
}

enum lac_status lac_bytes_next(const struct lac_bytes_reader *r, struct lac_die *die,
			       struct lac_err *err)
{
	struct open_unit u = unit_at(r, die->unit);
	struct lac_cursor c = { die->rest, u.end, false };

	if (die->parent && !skip_level(&u, &c))
		return damaged(r, die->ref, err);
	return fill(r, &u, c.p, die, err);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * abbrev_plan.c - what can be said of entries before any is read: which of
 * their bytes tell them from others, and how to get behind them.
 */
#include "dbginfo/abbrev_internal.h"

#include <dwarf.h>

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

void lac_abbrev_find_mask(struct lac_abbrev *ab, const struct lac_unit_form *f)
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

void lac_abbrev_find_skip(struct lac_abbrev *ab)
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

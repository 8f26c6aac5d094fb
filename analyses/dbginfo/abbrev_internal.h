/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * abbrev_internal.h - one declaration taken apart.  Of no use outside of
 * abbrev*.c.
 */
#ifndef LAC_ABBREV_INTERNAL_H
#define LAC_ABBREV_INTERNAL_H

#include "dbginfo/abbrev.h"

/* -- abbrev_mean.c -------------------------------------------------------- */

/* Of a unit's first entry. */
bool lac_tag_is_root(uint16_t tag);
enum lac_abbrev_kind lac_tag_kind(uint16_t tag);
enum lac_abbrev_known lac_tag_known(uint16_t tag, bool children);
/* Of an attribute, in a set that is not of all: see lac_any_slot(). */
enum lac_slot lac_type_slot(uint16_t at, uint16_t tag);

/* -- abbrev_plan.c: from ops and what is before them in ab ----------------- */

/* plain and what goes with it, from shape as well; units are of form f. */
void lac_abbrev_find_mask(struct lac_abbrev *ab, const struct lac_unit_form *f);
/* skip, from fixed as well; it can do nothing where types are. */
void lac_abbrev_find_skip(struct lac_abbrev *ab);

#endif

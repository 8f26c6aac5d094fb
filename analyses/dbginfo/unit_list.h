/* SPDX-License-Identifier: BSD-2-Clause */
/* unit_list.h - the units that have a record: mostly one, sometimes thousands. */
#ifndef LAC_UNIT_LIST_H
#define LAC_UNIT_LIST_H

#include <stdint.h>

#include "base/err.h"

/* Units in ascending order: the first, and LEB128 differences. */
struct lac_unit_list {
	unsigned char *bytes;
	uint32_t used, cap;
	uint32_t first, last, n; /* how many */
};

/* One more; units come in ascending order, and again does not count. */
LAC_MUST_CHECK enum lac_status lac_unit_list_add(struct lac_unit_list *l,
						 uint32_t unit,
						 struct lac_err *err);

/* A walk over such a list; unit is LAC_NONE behind the last. */
struct lac_unit_walk {
	const struct lac_unit_list *list;
	uint32_t at, unit;
};

struct lac_unit_walk lac_unit_walk(const struct lac_unit_list *l);
void lac_unit_next(struct lac_unit_walk *w);

/* Two lists in one, which is left in *to; *from is empty then. */
LAC_MUST_CHECK enum lac_status lac_unit_list_join(struct lac_unit_list *to,
						  struct lac_unit_list *from,
						  struct lac_err *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* pahole_private.h - what reading pahole and comparing with it share. */
#ifndef LAC_PAHOLE_PRIVATE_H
#define LAC_PAHOLE_PRIVATE_H

#include "layout/pahole.h"

#define LAC_PAHOLE_DEPTH 64u /* records opened inside each other */

/* A list that grows; the caller's to free(). */
struct lac_pahole_members {
	struct lac_pahole_member *list;
	uint32_t n, cap;
};

LAC_MUST_CHECK enum lac_status lac_pahole_add(struct lac_pahole_members *m,
					      struct lac_pahole_member member,
					      struct lac_err *err);

/* Move the collected members into the arena, by place; the list is empty. */
LAC_MUST_CHECK enum lac_status lac_pahole_keep(struct lac_pahole_members *m,
					       struct lac_arena *arena,
					       struct lac_pahole_record *r,
					       struct lac_err *err);

/* By offset, then name: less than, equal to or greater than 0. */
int lac_pahole_order(const struct lac_pahole_member *a,
		     const struct lac_pahole_member *b);

#endif

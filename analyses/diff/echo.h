/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * echo.h - members that two arms of a union have: Linux's struct_group() is a
 * union of an unnamed struct and of a named one with the same members, so that
 * each member goes by two names.  The one of the unnamed arm is the member, the
 * other an echo of it.
 */
#ifndef LAC_DIFF_ECHO_H
#define LAC_DIFF_ECHO_H

#include "diff/diff.h"

/* Of one shape, all by field. */
struct lac_echoes {
	/* the field that this one is an echo of, or LAC_NONE */
	uint32_t *of;
	bool *arm; /* it is the named arm, all of whose members are echoes */
	/* "headers.a, ...": the other names of a field; NULL if it has none */
	const char **also;
	uint32_t *classes; /* bits: which changes the record's diff has of it */
};

struct lac_record_echoes {
	struct lac_echoes old_side, new_side;
};

/* Of a record that is in both builds; all in the arena. */
LAC_MUST_CHECK enum lac_status
lac_echoes_find(const struct lac_record_diff *r, struct lac_arena *arena,
		struct lac_record_echoes *ret, struct lac_err *err);

/* It says again what another change says of the member by its first name. */
bool lac_change_is_echo(const struct lac_record_echoes *e,
			const struct lac_change *c);

/* The other names of the member that it is about, or NULL. */
const char *lac_change_also(const struct lac_record_echoes *e,
			    const struct lac_change *c);

#endif

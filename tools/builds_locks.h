/* SPDX-License-Identifier: BSD-2-Clause */
/* builds_locks.h - which changed types of two builds are locks. */
#ifndef LAC_BUILDS_LOCKS_H
#define LAC_BUILDS_LOCKS_H

#include "diff/diff.h"

/*
 * Is the cause a lock: one of the kernel's types by its exact name, or a record
 * of the diff all of whose members are such?  That "lock" is in a name says
 * nothing: block_device, clock_identity.
 */
bool lac_cause_is_lock(const struct lac_diff *d, const struct lac_cause *c);

#endif

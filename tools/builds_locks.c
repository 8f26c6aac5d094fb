/* SPDX-License-Identifier: BSD-2-Clause */
#include "builds_locks.h"

#include <string.h>

/* include/linux and asm-generic, v3.13 to v6.12, with and without RT. */
static bool is_lock_name(const char *name)
{
	static const char *const names[] = {
		"arch_rwlock_t",
		"arch_spinlock",
		"arch_spinlock_t",
		"bpf_spin_lock",
		"ld_semaphore",
		"local_lock",
		"local_lock_t",
		"local_trylock_t",
		"mcs_spinlock",
		"mutex",
		"optimistic_spin_queue",
		"percpu_rw_semaphore",
		"qrwlock",
		"qrwlock_t",
		"qspinlock",
		"raw_spinlock",
		"raw_spinlock_t",
		"rt_mutex",
		"rt_mutex_base",
		"rw_semaphore",
		"rwbase_rt",
		"rwlock",
		"rwlock_t",
		"semaphore",
		"seqcount",
		"seqcount_latch_t",
		"seqcount_mutex",
		"seqcount_mutex_t",
		"seqcount_raw_spinlock",
		"seqcount_raw_spinlock_t",
		"seqcount_rwlock",
		"seqcount_rwlock_t",
		"seqcount_spinlock",
		"seqcount_spinlock_t",
		"seqcount_t",
		"seqcount_ww_mutex",
		"seqcount_ww_mutex_t",
		"seqlock_t",
		"spinlock",
		"spinlock_t",
		"ww_mutex",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static bool is_lock_type(const char *type)
{
	const char *blank = type ? strrchr(type, ' ') : NULL;

	if (!type)
		return false;
	if (!strncmp(type, "struct ", 7) || !strncmp(type, "union ", 6))
		return is_lock_name(blank + 1);
	return !blank && is_lock_name(type);
}

static bool made_of_locks(const struct lac_shape *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; s && i < s->nfields; i++) {
		const struct lac_field *f = &s->fields[i];

		if (f->inlined)
			continue; /* its members follow */
		if (!is_lock_type(f->element ? f->element : f->type) &&
		    !is_lock_type(f->resolved))
			return false;
		n++;
	}
	return n > 0;
}

bool lac_cause_is_lock(const struct lac_diff *d, const struct lac_cause *c)
{
	if (is_lock_name(c->name))
		return true;
	for (uint32_t i = 0; i < d->nrecords; i++) {
		const struct lac_shape *a = d->records[i].old_shape;
		const struct lac_shape *b = d->records[i].new_shape;

		if (a && b && a->name && !strcmp(a->name, c->name))
			return made_of_locks(a) && made_of_locks(b);
	}
	return false;
}

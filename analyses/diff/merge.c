/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff/merge.h"

#include <stdlib.h>
#include <string.h>

#include "diff/internal.h"

/* A record of one part, on its way into the whole. */
struct entry {
	struct lac_record_diff *r;
	const struct lac_diff *from;
	uint32_t part;
};

struct merger {
	struct lac_diff *d;
	struct entry *entries;
	uint32_t n;
	const struct lac_diff_part *parts;
	uint32_t cpus;
};

static int text_order(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static uint64_t hash_of(const struct lac_shape *s)
{
	return s ? s->hash : 0;
}

static const struct lac_shape *either(const struct lac_record_diff *r)
{
	return r->new_shape ? r->new_shape : r->old_shape;
}

/* 0: the same thing happened to the same record. */
static int same_order(const struct lac_record_diff *a,
		      const struct lac_record_diff *b)
{
	const struct lac_shape *x = either(a), *y = either(b);
	int c = text_order(x->label, y->label);

	if (!c)
		c = text_order(x->decl_file, y->decl_file);
	if (!c)
		c = (int)a->pairing - (int)b->pairing;
	if (!c && hash_of(a->old_shape) != hash_of(b->old_shape))
		c = hash_of(a->old_shape) < hash_of(b->old_shape) ? -1 : 1;
	if (!c && hash_of(a->new_shape) != hash_of(b->new_shape))
		c = hash_of(a->new_shape) < hash_of(b->new_shape) ? -1 : 1;
	if (!c && a->nchanges != b->nchanges)
		c = a->nchanges < b->nchanges ? -1 : 1;
	return c;
}

static int entry_order(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;
	int c = same_order(a->r, b->r);

	return c ? c : a->part < b->part ? -1 : a->part > b->part;
}

static bool same_cause(const struct lac_cause *a, const struct lac_cause *b)
{
	return a->old_value == b->old_value && a->new_value == b->new_value &&
	       !strcmp(a->name, b->name) && !strcmp(a->what, b->what);
}

static enum lac_status find_cause(struct merger *m,
				  const struct lac_cause *c, uint32_t *ret,
				  struct lac_err *err)
{
	struct lac_diff *d = m->d;
	struct lac_cause *more;
	uint32_t i = 0;

	while (i < d->ncauses && !same_cause(&d->causes[i], c))
		i++;
	*ret = i;
	if (i < d->ncauses)
		return LAC_OK;
	if (!(d->ncauses & (d->ncauses - 1))) {
		more = lac_arena_zalloc(d->arena, 2u * d->ncauses + 1u,
					sizeof(*more));
		if (!more)
			return lac_fail_memory(err);
		if (d->ncauses)
			memcpy(more, d->causes, d->ncauses * sizeof(*more));
		d->causes = more;
	}
	d->causes[d->ncauses] = lac_cause_uncounted(c);
	d->ncauses++;
	return LAC_OK;
}

static enum lac_status add_record(struct merger *m, uint32_t from, uint32_t n,
				  struct lac_err *err)
{
	struct lac_diff *d = m->d;
	struct lac_record_diff *r = &d->records[d->nrecords++];
	const struct entry *e = &m->entries[from];
	const char **files =
		lac_arena_zalloc(d->arena, n, sizeof(*files));

	if (!files)
		return lac_fail_memory(err);
	*r = *e->r;
	for (uint32_t i = 0; i < n; i++)
		files[i] = m->parts[e[i].part].file;
	r->files = files;
	r->nfiles = n;
	for (uint32_t k = 0; k < r->ncauses; k++) {
		uint32_t at;

		LAC_TRY(find_cause(m, &e->from->causes[r->causes[k]], &at,
				   err));
		r->causes[k] = at;
		lac_cause_count(&d->causes[at], r, m->cpus);
	}
	return LAC_OK;
}

static enum lac_status merge_records(struct merger *m, struct lac_err *err)
{
	uint32_t run;

	if (m->n)
		qsort(m->entries, m->n, sizeof(*m->entries), entry_order);
	for (uint32_t i = 0; i < m->n; i += run) {
		run = 1;
		while (i + run < m->n && !same_order(m->entries[i].r,
						     m->entries[i + run].r))
			run++;
		LAC_TRY(add_record(m, i, run, err));
	}
	return LAC_OK;
}

static enum lac_status begin(struct merger *m, uint32_t n,
			     const char *old_path, const char *new_path,
			     struct lac_err *err)
{
	struct lac_diff *d = m->d;
	uint32_t total = 0;

	for (uint32_t i = 0; i < n; i++)
		total += m->parts[i].diff->nrecords;
	m->entries = lac_arena_zalloc(d->arena, total, sizeof(*m->entries));
	d->records = lac_arena_zalloc(d->arena, total, sizeof(*d->records));
	if (!m->entries || !d->records)
		return lac_fail_memory(err);
	d->line_size = m->parts[0].diff->line_size;
	d->line_assumed = m->parts[0].diff->line_assumed;
	d->old_side = m->parts[0].diff->old_side;
	d->new_side = m->parts[0].diff->new_side;
	d->old_side.path = lac_arena_strdup(d->arena, old_path);
	d->new_side.path = lac_arena_strdup(d->arena, new_path);
	d->old_side.nrecords = d->new_side.nrecords = 0;
	d->old_side.nenums = d->new_side.nenums = 0;
	d->old_side.nselected = d->new_side.nselected = 0;
	if (!d->old_side.path || !d->new_side.path)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < n; i++) {
		struct lac_diff *p = m->parts[i].diff;

		for (uint32_t k = 0; k < p->nrecords; k++)
			m->entries[m->n++] =
				(struct entry){&p->records[k], p, i};
		d->old_side.nrecords += p->old_side.nrecords;
		d->new_side.nrecords += p->new_side.nrecords;
		d->old_side.nenums += p->old_side.nenums;
		d->new_side.nenums += p->new_side.nenums;
		d->old_side.nselected += p->old_side.nselected;
		d->new_side.nselected += p->new_side.nselected;
		d->old_unidentified += p->old_unidentified;
		d->new_unidentified += p->new_unidentified;
		d->nselected += p->nselected;
		if (p->old_side.missing && !d->old_side.missing)
			d->old_side.missing = p->old_side.missing;
		if (p->new_side.missing && !d->new_side.missing)
			d->new_side.missing = p->new_side.missing;
		if (p->old_side.machine != d->old_side.machine)
			d->old_side.machine = 0;
		if (p->new_side.machine != d->new_side.machine)
			d->new_side.machine = 0;
		d->old_side.tells_alignment &= p->old_side.tells_alignment;
		d->new_side.tells_alignment &= p->new_side.tells_alignment;
		d->has_allocator |= p->has_allocator;
		if (!d->nkernel) {
			d->kernel = p->kernel;
			d->nkernel = p->nkernel;
		}
	}
	return LAC_OK;
}

enum lac_status lac_diff_merge(const struct lac_diff_part *parts, uint32_t n,
			       const char *old_path, const char *new_path,
			       uint32_t cpus, struct lac_diff **ret,
			       struct lac_err *err)
{
	struct lac_arena *arena = lac_arena_create();
	struct merger m = {.parts = parts, .cpus = cpus ? cpus : 16};
	enum lac_status st;

	m.d = arena ? lac_arena_zalloc(arena, 1, sizeof(*m.d)) : NULL;
	if (!m.d) {
		for (uint32_t i = 0; i < n; i++)
			lac_diff_destroy(parts[i].diff);
		lac_arena_destroy(arena);
		return lac_fail_memory(err);
	}
	m.d->arena = arena;
	st = begin(&m, n, old_path, new_path, err);
	if (st == LAC_OK)
		st = merge_records(&m, err);
	for (uint32_t i = 0; i < n; i++)
		lac_arena_adopt(arena, parts[i].diff->arena);
	if (st == LAC_OK) {
		lac_diff_rank(m.d);
		*ret = m.d;
	} else {
		lac_arena_destroy(arena);
	}
	return st;
}

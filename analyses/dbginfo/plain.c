/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plain.c - every unit expanded, entry by entry: slow, and able to follow every
 * reference.  Entries come from the bytes, or through libdwarf: what fast.c and
 * the bytes are tested against.
 *
 * Types of a partial unit (dwz) or a type unit belong to the units that use
 * it, directly or through others of its kind.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "dbginfo/reader.h"
#include "dbginfo/unit_bytes.h"

struct roots {
	uint32_t unit;
	int depth;
};

static enum lac_status take_roots(struct lac_build *b,
				  const struct lac_die *die,
				  const struct roots *r, struct lac_err *err);

/* The unit, by its number in the file, has the record. */
static enum lac_status note_unit(struct lac_build *b, lac_type_id id,
				 uint32_t unit, struct lac_err *err)
{
	const struct lac_type *t = &b->p->types[id];
	uint32_t n = b->nlists ? b->nlists : 256;

	if (t->kind != LAC_TYPE_RECORD || t->record == LAC_NONE)
		return LAC_OK;
	while (n <= t->record)
		n *= 2;
	if (n > b->nlists) {
		struct lac_unit_list *p = reallocarray(b->lists, n,
						       sizeof(*p));

		if (!p)
			return lac_fail_memory(err);
		memset(p + b->nlists, 0, (n - b->nlists) * sizeof(*p));
		b->lists = p;
		b->nlists = n;
	}
	return lac_unit_list_add(&b->lists[t->record], unit, err);
}

/* A record, enumeration or alias stands for itself. */
static enum lac_status put_root(struct lac_build *b, const struct lac_die *die,
				uint32_t unit, struct lac_err *err)
{
	struct lac_pool_place place = { .line = (uint32_t)die->decl_line };
	bool record = lac_is_record_tag(die->tag);
	struct lac_note note;
	lac_type_id id;

	LAC_TRY(lac_build_type(b, die->ref, false, &id, err));
	if (die->tag != DW_TAG_typedef)
		LAC_TRY(lac_build_file(b, die->ref, die->decl_file,
				       &place.file, err));
	if (record) {
		LAC_TRY(lac_note_get(b, die->ref, &note, err));
		LAC_TRY(lac_build_type(b, note.parent, false, &place.parent,
				       err));
	}
	LAC_TRY(lac_pool_root(b->p, id, &place, err));
	return record ? note_unit(b, id, unit, err) : LAC_OK;
}

static enum lac_status take_root(struct lac_build *b, struct lac_die *die,
				 const struct roots *r, struct lac_err *err)
{
	struct roots in = { r->unit, r->depth + 1 };

	if (lac_is_root(die))
		LAC_TRY(put_root(b, die, r->unit, err));
	if (!lac_is_scope_tag(die->tag) ||
	    (die->tag == DW_TAG_subprogram &&
	     !lac_map_get(&b->fertile, die->ref)))
		return LAC_OK;
	if (r->depth > LAC_DIE_DEPTH_MAX)
		return lac_fail(err, LAC_BAD_INPUT,
				"entries are nested too deeply");
	return take_roots(b, die, &in, err);
}

static enum lac_status take_roots(struct lac_build *b,
				  const struct lac_die *die,
				  const struct roots *r, struct lac_err *err)
{
	struct lac_die child = { 0 };
	enum lac_status st = lac_die_child(b->d, die, &child, err);

	while (st == LAC_OK) {
		st = take_root(b, &child, r, err);
		if (st == LAC_OK)
			st = lac_die_next(b->d, &child, err);
	}
	lac_die_close(b->d, &child);
	return st == LAC_NOT_FOUND ? LAC_OK : st;
}

static enum lac_status expand_unit(struct lac_build *b, size_t unit,
				   struct lac_err *err)
{
	struct roots r = { .unit = (uint32_t)unit };
	struct lac_die root = { 0 };
	enum lac_status st;

	LAC_TRY(lac_notes_take(b, unit, err));
	LAC_TRY(lac_die_open(b->d, b->units[unit].root, &root, err));
	b->current_unit = (uint32_t)unit;
	st = take_roots(b, &root, &r, err);
	lac_die_close(b->d, &root);
	return st;
}

/* -- who has what --------------------------------------------------------- */

struct users {
	const struct lac_build *b;
	uint32_t *first, *next, *to; /* edges, linked by where they start */
	uint32_t *stack;
	uint32_t *seen;		     /* by unit: the last one that came by */
	struct lac_unit_list *of;    /* by unit: the pool's units that use it */
};

static enum lac_status collect_edges(struct users *u, struct lac_err *err)
{
	const struct lac_map *m = &u->b->edges;
	size_t n = u->b->nunits + 1;
	uint32_t at = 0;

	u->first = malloc(n * sizeof(*u->first));
	u->stack = calloc((size_t)m->n + 1, sizeof(*u->stack));
	u->next = calloc((size_t)m->n + 1, sizeof(*u->next));
	u->to = calloc((size_t)m->n + 1, sizeof(*u->to));
	u->seen = malloc(n * sizeof(*u->seen));
	u->of = calloc(n, sizeof(*u->of));
	if (!u->first || !u->stack || !u->next || !u->to || !u->seen || !u->of)
		return lac_fail_memory(err);
	memset(u->first, 0xff, n * sizeof(*u->first));
	memset(u->seen, 0xff, n * sizeof(*u->seen));
	for (uint32_t i = 0; i < m->cap; i++) {
		uint32_t from = (uint32_t)(m->slots[i].key >> 32);

		if (m->slots[i].key == UINT64_MAX)
			continue;
		u->to[at] = (uint32_t)m->slots[i].key;
		u->next[at] = u->first[from];
		u->first[from] = at++;
	}
	return LAC_OK;
}

/* Everything that a unit with a name leads to is used by it. */
static enum lac_status spread(struct users *u, uint32_t unit,
			      struct lac_err *err)
{
	uint32_t n = 0;

	u->seen[unit] = unit;
	for (uint32_t e = u->first[unit]; e != LAC_NONE; e = u->next[e])
		u->stack[n++] = u->to[e];
	while (n) {
		uint32_t at = u->stack[--n];

		if (u->seen[at] == unit)
			continue;
		u->seen[at] = unit;
		LAC_TRY(lac_unit_list_add(&u->of[at], u->b->number[unit], err));
		for (uint32_t e = u->first[at]; e != LAC_NONE; e = u->next[e])
			if (u->seen[u->to[e]] != unit)
				u->stack[n++] = u->to[e];
	}
	return LAC_OK;
}

static int compare_number(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return a < b ? -1 : a > b;
}

/* The pool's units that have one record. */
static enum lac_status name_units(struct users *u, uint32_t record,
				  struct lac_err *err)
{
	const struct lac_build *b = u->b;
	uint32_t *v = calloc((size_t)b->p->nunits + 1, sizeof(*v)), n = 0;
	struct lac_unit_walk w = lac_unit_walk(&b->lists[record]);
	bool *has = calloc((size_t)b->p->nunits + 1, sizeof(*has));
	enum lac_status st = LAC_OK;

	if (!v || !has)
		st = lac_fail_memory(err);
	for (; st == LAC_OK && w.unit != LAC_NONE; lac_unit_next(&w)) {
		struct lac_unit_walk all = lac_unit_walk(&u->of[w.unit]);

		if (b->number[w.unit] != LAC_NONE && !has[b->number[w.unit]]) {
			has[b->number[w.unit]] = true;
			v[n++] = b->number[w.unit];
		}
		for (; all.unit != LAC_NONE; lac_unit_next(&all))
			if (!has[all.unit]) {
				has[all.unit] = true;
				v[n++] = all.unit;
			}
	}
	if (n)
		qsort(v, n, sizeof(*v), compare_number);
	for (uint32_t i = 0; i < n && st == LAC_OK; i++)
		st = lac_unit_list_add(&b->p->seen[record].units, v[i], err);
	free(v);
	free(has);
	return st;
}

static enum lac_status distribute(struct lac_build *b, struct lac_err *err)
{
	struct users u = { .b = b };
	enum lac_status st = collect_edges(&u, err);

	for (uint32_t i = 0; i < b->nunits && st == LAC_OK; i++)
		if (b->number[i] != LAC_NONE && u.first[i] != LAC_NONE)
			st = spread(&u, i, err);
	for (uint32_t i = 0; i < b->nlists && st == LAC_OK; i++)
		if (b->lists[i].n)
			st = name_units(&u, i, err);
	for (uint32_t i = 0; u.of && i < b->nunits; i++)
		free(u.of[i].bytes);
	free(u.of);
	free(u.first);
	free(u.next);
	free(u.to);
	free(u.stack);
	free(u.seen);
	return st;
}

enum lac_status lac_read_plainly(struct lac_build *b, struct lac_err *err)
{
	LAC_TRY(lac_build_units(b, NULL, err));
	for (size_t i = 0; i < b->nunits; i++) {
		lac_dwarf_seek(b->d, i);
		LAC_TRY(expand_unit(b, i, err));
	}
	return distribute(b, err);
}

enum lac_status lac_read_by_bytes(struct lac_build *b, struct lac_err *err)
{
	struct lac_unit_bytes bytes;
	enum lac_status st = lac_unit_bytes_open(&bytes, b->raw, b->alt_raw,
						 b->units, b->nunits, err);

	if (st == LAC_OK) {
		lac_dwarf_use_bytes(b->d, &bytes.reader);
		st = lac_read_plainly(b, err);
		lac_dwarf_use_bytes(b->d, NULL);
	}
	lac_unit_bytes_close(&bytes);
	/* libdwarf has the last word, for a reader that starts anew */
	b->missed |= st != LAC_OK && st != LAC_NO_MEMORY;
	return st;
}

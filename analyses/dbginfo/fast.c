/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fast.c - many units at once: what threads have found in their bytes
 * (found.c) is expanded (die_bytes.c), each type once, again by threads.
 * Ids follow the order of the file.  So the same graph comes out whatever the
 * number of threads, and the same as if every unit were expanded.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "dbginfo/die_bytes.h"
#include "dbginfo/found.h"
#include "dbginfo/reader.h"

#define CHUNK 16 /* roots that a thread takes at once */

struct root {
	uint32_t print; /* of those that were found */
	uint32_t worker; /* which pool the ids below are of */
	lac_type_id id;
	struct lac_pool_place place;
};

struct fast {
	struct lac_found found;
	struct lac_unit_list *lists; /* by print: units, as in the pool */
	struct root *roots;
	atomic_size_t next;
	atomic_bool stop;
};

struct expander {
	struct fast *f;
	unsigned number;
	struct lac_pool *p;
	struct lac_dwarf *d;
	const struct lac_build *like;
	size_t at; /* the root of the error */
	enum lac_status st;
	struct lac_err err;
};

static enum lac_status expand(struct fast *f, struct lac_build *b,
			      struct lac_lines *lines, struct root *r,
			      struct lac_err *err)
{
	const struct lac_found_print *m = &f->found.prints[r->print];
	const struct lac_print_entry *p =
		lac_found_entry(&f->found, m->root_worker, m->root_print);
	uint64_t up;
	uint32_t unit = lac_build_unit_of(b, m->root);
	const char *file = NULL;

	lac_dwarf_seek(b->d, unit);
	LAC_TRY(lac_build_type(b, m->key >> 1, m->key & 1, &r->id, err));
	r->place.parent = 0;
	if (p->parent != LAC_NONE) {
		up = f->found.prints[f->found.ids[m->root_worker][p->parent]].key;
		LAC_TRY(lac_build_type(b, up >> 1, up & 1, &r->place.parent,
				       err));
	}
	r->place.line = (uint32_t)p->decl_line;
	if (p->decl_file != LAC_NO_FILE)
		file = lac_lines_file(lines, f->found.sections,
				      &f->found.kept[unit].line,
				      p->decl_file);
	return lac_pool_string(b->p, file, &r->place.file, err);
}

static enum lac_status expand_some(struct expander *x, struct lac_err *err)
{
	struct fast *f = x->f;
	struct lac_lines lines = { 0 };
	struct lac_build b;
	enum lac_status st = lac_build_init(&b, x->d, x->like->raw, x->p,
					    x->like->units, x->like->nunits,
					    err);

	b.canon = &f->found.canon;
	while (st == LAC_OK && !atomic_load(&f->stop)) {
		size_t i = atomic_fetch_add(&f->next, CHUNK);
		size_t end = i + CHUNK < f->found.nroots ? i + CHUNK : f->found.nroots;

		if (i >= f->found.nroots)
			break;
		for (; i < end && st == LAC_OK; i++) {
			f->roots[i].worker = x->number;
			x->at = i;
			st = expand(f, &b, &lines, &f->roots[i], err);
		}
	}
	lac_build_deinit(&b);
	lac_lines_free(&lines);
	return st;
}

/*
 * Which units have which record: what the threads wrote down, each its units in
 * ascending order, put together in that order.
 */
static enum lac_status list_units(struct fast *f, const struct lac_build *b,
				  struct lac_err *err)
{
	uint32_t at[LAC_THREADS_MAX] = { 0 };

	f->lists = calloc((size_t)f->found.nprints + 1, sizeof(*f->lists));
	if (!f->lists)
		return lac_fail_memory(err);
	for (;;) {
		const struct lac_scan *s = NULL;
		uint32_t least = LAC_NONE, from = 0;

		for (unsigned w = 0; w < f->found.nworkers; w++) {
			const struct lac_scan *one = &f->found.workers[w].scan;

			if (at[w] < one->nlog && one->log[at[w]] < least) {
				least = one->log[at[w]];
				from = w;
				s = one;
			}
		}
		if (!s)
			return LAC_OK;
		for (uint32_t i = ++at[from];
		     i < s->nlog && !(s->log[i] & LAC_SCAN_UNIT);
		     at[from] = ++i) {
			uint32_t m = f->found.ids[from][s->log[i]];

			if (i + 8 < s->nlog &&
			    !(s->log[i + 8] & LAC_SCAN_UNIT))
				__builtin_prefetch(
					&f->lists[f->found.ids[from][s->log[i + 8]]]);
			LAC_TRY(lac_unit_list_add(
				&f->lists[m],
				b->number[least & ~LAC_SCAN_UNIT], err));
		}
	}
}

static void expand_work(void *item)
{
	struct expander *x = item;

	if (x->number) { /* the first has the caller's */
		x->st = lac_pool_create(&x->p, &x->err);
		if (x->st == LAC_OK)
			x->st = lac_dwarf_open_again(x->like->d, &x->d,
						     &x->err);
	}
	if (x->st == LAC_OK && !x->number)
		x->st = list_units(x->f, x->like, &x->err);
	if (x->st == LAC_OK)
		x->st = expand_some(x, &x->err);
	if (x->number && !x->like->leave)
		lac_dwarf_close(x->d);
	if (x->st != LAC_OK)
		atomic_store(&x->f->stop, true);
}

/* In the order of the file: first come, first placed. */
static enum lac_status put_root(struct fast *f, struct lac_pool *p,
				const struct root *r, lac_type_id *const *maps,
				struct lac_err *err)
{
	const struct lac_found_print *m = &f->found.prints[r->print];
	struct lac_pool_place place = r->place;
	lac_type_id id = r->id;

	if (maps[r->worker]) {
		id = maps[r->worker][id];
		place.parent = maps[r->worker][place.parent];
		LAC_TRY(lac_pool_string(p, place.file, &place.file, err));
	}
	LAC_TRY(lac_pool_root(p, id, &place, err));
	if (!lac_found_entry(&f->found, m->root_worker, m->root_print)->record ||
	    p->types[id].kind != LAC_TYPE_RECORD ||
	    p->types[id].record == LAC_NONE)
		return LAC_OK;
	/* layouts that turned out to be equal add up */
	return lac_unit_list_join(&p->seen[p->types[id].record].units,
				  &f->lists[r->print], err);
}

static enum lac_status join(struct fast *f, struct expander *x, unsigned n,
			    const struct lac_build *b, struct lac_err *err)
{
	lac_type_id *maps[LAC_THREADS_MAX] = { NULL };
	const struct expander *bad = NULL;
	enum lac_status st = LAC_OK;

	for (unsigned i = 0; i < n; i++)
		if (x[i].st != LAC_OK && (!bad || x[i].at < bad->at))
			bad = &x[i];
	if (bad) {
		*err = bad->err;
		return bad->st;
	}
	for (unsigned i = 1; i < n && st == LAC_OK; i++)
		st = lac_pool_merge(b->p, x[i].p, NULL, &maps[i], err);
	for (size_t i = 0; i < f->found.nroots && st == LAC_OK; i++)
		st = put_root(f, b->p, &f->roots[i], maps, err);
	for (unsigned i = 1; i < n; i++)
		free(maps[i]);
	return st;
}

static enum lac_status expand_all(struct fast *f, struct lac_build *b,
				  struct lac_err *err)
{
	unsigned n = f->found.nworkers;
	struct expander *x = calloc(n, sizeof(*x));
	enum lac_status st;

	f->roots = calloc(f->found.nroots + 1, sizeof(*f->roots));
	if (!x || !f->roots) {
		free(x);
		return lac_fail_memory(err);
	}
	for (size_t i = 0; i < f->found.nroots; i++)
		f->roots[i].print = f->found.roots[i];
	for (unsigned i = 0; i < n; i++)
		x[i] = (struct expander){ .f = f, .number = i, .like = b };
	x[0].p = b->p;
	x[0].d = b->d;
	lac_threads_run(x, n, sizeof(*x), expand_work);
	st = join(f, x, n, b, err);
	for (unsigned i = 1; i < n && !b->leave; i++)
		lac_pool_destroy(x[i].p);
	free(x);
	return st;
}

/*
 * A unit without a number cannot be listed: one that is partial and says so in
 * its first entry only, as before DWARF 5, or a skeleton with types of its own.
 */
static bool can_list(const struct fast *f, const struct lac_build *b)
{
	bool all = true;

	for (size_t i = 0; i < b->nunits; i++)
		all &= b->number[i] != LAC_NONE;
	for (unsigned w = 0; !all && w < f->found.nworkers; w++) {
		const struct lac_scan *s = &f->found.workers[w].scan;

		for (uint32_t i = 1; i < s->nlog; i++)
			if (s->log[i - 1] & LAC_SCAN_UNIT &&
			    !(s->log[i] & LAC_SCAN_UNIT) &&
			    b->number[s->log[i - 1] & ~LAC_SCAN_UNIT] ==
				    LAC_NONE)
				return false;
	}
	return true;
}

enum lac_status lac_read_fast(struct lac_build *b,
			      const struct lac_raw_sections *sections,
			      unsigned threads, struct lac_err *err)
{
	struct lac_bytes_reader bytes;
	struct fast f = { 0 };
	enum lac_status st;

	for (size_t i = 0; i < b->nunits; i++)
		if (b->units[i].kind != LAC_UNIT_COMPILE || b->units[i].source)
			return lac_fail(err, LAC_UNSUPPORTED,
					"units that share types");
	st = lac_found_scan(&f.found, b, sections, threads, err);
	if (st == LAC_OK && !can_list(&f, b))
		st = lac_fail(err, LAC_UNSUPPORTED, "units that share types");
	if (st == LAC_OK) {
		bytes = (struct lac_bytes_reader){
			.sections = sections, .units = b->units,
			.nunits = b->nunits, .kept = f.found.kept,
		};
		lac_dwarf_use_bytes(b->d, &bytes);
		st = expand_all(&f, b, err);
		lac_dwarf_use_bytes(b->d, NULL);
	}
	/* too late for "no type put in the pool": whoever reads starts anew */
	if (st == LAC_UNSUPPORTED && f.roots) {
		b->missed = true;
		st = LAC_BAD_INPUT;
	}
	for (uint32_t i = 0; f.lists && i < f.found.nprints; i++)
		free(f.lists[i].bytes);
	free(f.lists);
	free(f.roots);
	lac_found_free(&f.found);
	return st;
}

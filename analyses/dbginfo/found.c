/* SPDX-License-Identifier: BSD-2-Clause */
/* found.c - threads scan the bytes of units; their fingerprints are merged. */
#include "dbginfo/found.h"

#include <stdlib.h>

#include "dbginfo/units.h"

#define BATCH 8 /* units that a thread takes at once */

static struct lac_bytes unit_bytes(const struct lac_found *f, size_t unit)
{
	const struct lac_dwarf_unit *u = &f->units[unit];
	struct lac_bytes section = lac_unit_section(f->sections, u);

	return (struct lac_bytes){ section.p + u->offset, u->end - u->offset };
}

/* The bytes of the units from first to end; none if they are not in a row. */
static struct lac_bytes batch_bytes(const struct lac_found *f, size_t first,
				    size_t end)
{
	struct lac_bytes from = unit_bytes(f, first);
	struct lac_bytes to = unit_bytes(f, end - 1);

	if (f->units[first].types != f->units[end - 1].types)
		return (struct lac_bytes){ from.p, 0 };
	from.size = (uint64_t)(to.p - from.p) + to.size;
	return from;
}

/* Not one by one: each time, the other threads are told of pages given back. */
static void scan_batch(struct lac_scan_worker *w, size_t first, size_t end)
{
	const struct lac_found *f = w->found;
	struct lac_bytes bytes = batch_bytes(f, first, end);

	lac_object_want(f->sections->object, bytes.p, bytes.size);
	for (w->at = first; w->at < end; w->at++) {
		w->st = lac_scan_unit(&w->scan, w->at, &w->err);
		if (w->st != LAC_OK)
			return;
	}
	lac_object_forget(f->sections->object, bytes.p, bytes.size);
}

static void work(void *item)
{
	struct lac_scan_worker *w = item;
	struct lac_found *f = w->found;

	w->st = lac_scan_init(&w->scan, f->sections, f->units, f->nunits,
			      f->kept, &w->err);
	while (w->st == LAC_OK && !atomic_load(&f->stop)) {
		size_t first = atomic_fetch_add(&f->next, BATCH);

		if (first >= f->nunits)
			break;
		scan_batch(w, first, first + BATCH < f->nunits ? first + BATCH :
								  f->nunits);
	}
	if (w->st != LAC_OK)
		atomic_store(&f->stop, true);
}

static void merge_one(struct lac_found *f, unsigned worker, uint32_t print)
{
	struct lac_print_entry *p = lac_found_entry(f, worker, print);
	const struct lac_print *h = &f->workers[worker].scan.values[print];
	uint32_t hash = lac_print_hash(h), at;
	struct lac_found_print *m;

	for (at = hash;; at++) {
		struct lac_table_slot *s = &f->slots[at & (f->slots_cap - 1)];
		const struct lac_print *have;

		if (s->id == LAC_NONE) {
			s->hash = hash;
			s->id = f->nprints;
			f->prints[f->nprints++] = (struct lac_found_print){
				worker, print, worker, print, p->root, p->key,
			};
			f->ids[worker][print] = s->id;
			return;
		}
		if (s->hash != hash)
			continue;
		m = &f->prints[s->id];
		have = &f->workers[m->worker].scan.values[m->print];
		if (lac_print_same(have, h))
			break;
	}
	f->ids[worker][print] = (uint32_t)(m - f->prints);
	if (p->key < m->key) {
		m->key = p->key;
		m->worker = worker;
		m->print = print;
	}
	if (p->root < m->root) { /* NONE is greatest */
		m->root = p->root;
		m->root_worker = worker;
		m->root_print = print;
	}
}

static enum lac_status merge(struct lac_found *f, struct lac_err *err)
{
	size_t total = 0;

	for (unsigned w = 0; w < f->nworkers; w++)
		total += f->workers[w].scan.nprints;
	f->slots_cap = 1024;
	while (f->slots_cap < 2 * total)
		f->slots_cap *= 2;
	f->slots = malloc(f->slots_cap * sizeof(*f->slots));
	f->prints = calloc(total + 1, sizeof(*f->prints));
	if (!f->slots || !f->prints)
		return lac_fail_memory(err);
	memset(f->slots, 0xff, f->slots_cap * sizeof(*f->slots));
	for (unsigned w = 0; w < f->nworkers; w++) {
		uint32_t n = f->workers[w].scan.nprints;

		f->ids[w] = calloc((size_t)n + 1, sizeof(**f->ids));
		if (!f->ids[w])
			return lac_fail_memory(err);
		for (uint32_t i = 0; i < n; i++)
			merge_one(f, w, i);
	}
	return LAC_OK;
}

/* Tell the builders what stands for what, and what they would have noted. */
static enum lac_status prepare(struct lac_found *f, struct lac_err *err)
{
	struct lac_canon *c = &f->canon;
	uint64_t nedges = 0;

	c->key = calloc((size_t)f->nprints + 1, sizeof(*c->key));
	c->note = calloc((size_t)f->nprints + 1, sizeof(*c->note));
	if (!c->key || !c->note)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < f->nprints; i++)
		nedges += lac_found_entry(f, f->prints[i].worker,
					  f->prints[i].print)->nedges;
	if (nedges > UINT32_MAX - f->nprints ||
	    !lac_map_reserve(&c->number, f->nprints + (uint32_t)nedges))
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < f->nprints; i++) {
		const struct lac_found_print *m = &f->prints[i];
		const struct lac_print_entry *p =
			lac_found_entry(f, m->worker, m->print);
		const struct lac_print_edge *e =
			f->workers[m->worker].scan.edges;

		c->key[i] = m->key;
		c->note[i] = (struct lac_note){ p->name, p->typedef_name,
						p->scope, LAC_DIE_NONE,
						p->payload };
		if (!lac_map_put(&c->number, m->key, i))
			return lac_fail_memory(err);
		for (uint32_t k = 0; k < p->nedges; k++)
			if (!lac_map_put(&c->number,
					 e[p->first_edge + k].key,
					 f->ids[m->worker]
					       [e[p->first_edge + k].print]))
				return lac_fail_memory(err);
	}
	return LAC_OK;
}

static int compare_root(const void *x, const void *y)
{
	const struct lac_found_print *a = *(const struct lac_found_print *const *)x;
	const struct lac_found_print *b = *(const struct lac_found_print *const *)y;

	return a->root < b->root ? -1 : a->root > b->root;
}

static enum lac_status list_roots(struct lac_found *f, struct lac_err *err)
{
	const struct lac_found_print **order =
		calloc((size_t)f->nprints + 1, sizeof(*order));

	f->roots = calloc((size_t)f->nprints + 1, sizeof(*f->roots));
	if (!f->roots || !order) {
		free(order);
		return lac_fail_memory(err);
	}
	for (uint32_t i = 0; i < f->nprints; i++)
		if (f->prints[i].root != LAC_DIE_NONE)
			order[f->nroots++] = &f->prints[i];
	if (f->nroots)
		qsort(order, f->nroots, sizeof(*order), compare_root);
	for (size_t i = 0; i < f->nroots; i++)
		f->roots[i] = (uint32_t)(order[i] - f->prints);
	free(order);
	return LAC_OK;
}

static enum lac_status scan_all(struct lac_found *f, struct lac_err *err)
{
	const struct lac_scan_worker *bad = NULL;

	for (unsigned i = 0; i < f->nworkers; i++)
		f->workers[i].found = f;
	lac_threads_run(f->workers, f->nworkers, sizeof(*f->workers), work);
	/*
	 * The first in the file, as if one thread had met it: a batch that was
	 * begun is gone through, so none before it is missed.
	 */
	for (unsigned i = 0; i < f->nworkers; i++)
		if (f->workers[i].st != LAC_OK &&
		    (!bad || f->workers[i].at < bad->at))
			bad = &f->workers[i];
	if (bad)
		*err = bad->err;
	return bad ? bad->st : LAC_OK;
}

static unsigned thread_count(unsigned asked, size_t nunits)
{
	unsigned n = lac_threads_count(asked);

	if (n > 1 && n > nunits / 8) /* not worth a thread */
		n = (unsigned)(nunits / 8);
	return n < 1 ? 1 : n;
}

enum lac_status lac_found_scan(struct lac_found *f, struct lac_build *b,
			       const struct lac_raw_sections *sections,
			       unsigned threads, struct lac_err *err)
{
	f->sections = sections;
	f->units = b->units;
	f->nunits = b->nunits;
	f->nworkers = thread_count(threads, b->nunits);
	f->workers = calloc(f->nworkers, sizeof(*f->workers));
	f->kept = calloc(b->nunits + 1, sizeof(*f->kept));
	if (!f->workers || !f->kept)
		return lac_fail_memory(err);
	LAC_TRY(scan_all(f, err));
	LAC_TRY(lac_build_units(b, f->kept, err));
	LAC_TRY(merge(f, err));
	LAC_TRY(prepare(f, err));
	return list_roots(f, err);
}

void lac_found_free(struct lac_found *f)
{
	for (unsigned i = 0; f->workers && i < f->nworkers; i++) {
		lac_scan_deinit(&f->workers[i].scan);
		free(f->ids[i]);
	}
	lac_map_free(&f->canon.number);
	free(f->canon.key);
	free(f->canon.note);
	free(f->kept);
	free(f->workers);
	free(f->prints);
	free(f->roots);
	free(f->slots);
}

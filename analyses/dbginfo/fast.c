/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fast.c - many units at once: threads scan the bytes of units, their
 * fingerprints are merged, and each that is new is expanded through libdwarf
 * once, in the order of the file.  So the same graph comes out whatever the
 * number of threads, and the same as if every unit were expanded.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "dbginfo/reader.h"
#include "dbginfo/scan.h"

#define THREADS_MAX 64

struct job {
	const struct lac_raw_sections *sections;
	const struct lac_dwarf_unit *units;
	size_t nunits;
	atomic_size_t next;
	atomic_bool stop;
};

struct worker {
	struct job *job;
	struct lac_scan scan;
	pthread_t thread;
	enum lac_status st;
	struct lac_err err;
};

static void *work(void *arg)
{
	struct worker *w = arg;
	struct job *j = w->job;

	w->st = lac_scan_init(&w->scan, j->sections, j->units, j->nunits,
			      &w->err);
	while (w->st == LAC_OK && !atomic_load(&j->stop)) {
		size_t unit = atomic_fetch_add(&j->next, 1);
		struct lac_bytes section;

		if (unit >= j->nunits)
			break;
		w->st = lac_scan_unit(&w->scan, unit, &w->err);
		section = j->units[unit].types ? j->sections->types :
						 j->sections->info;
		if (w->st == LAC_OK)
			lac_object_forget(section.p + j->units[unit].offset,
					  j->units[unit].end -
						  j->units[unit].offset);
	}
	if (w->st != LAC_OK)
		atomic_store(&j->stop, true);
	return NULL;
}

/* A fingerprint of all threads. */
struct merged {
	uint32_t worker, print; /* where it was seen first */
	uint32_t root_worker, root_print;
	lac_die_ref root;
	uint64_t key;
};

struct fast {
	struct worker *workers;
	unsigned nworkers;
	struct merged *merged;
	uint32_t nmerged;
	uint32_t *ids[THREADS_MAX]; /* of a thread's print -> merged */
	struct lac_table_slot *slots;
	uint32_t slots_cap;
};

static struct lac_print_entry *entry_of(const struct fast *f, unsigned worker,
					uint32_t print)
{
	return &f->workers[worker].scan.prints[print];
}

static void merge_one(struct fast *f, unsigned worker, uint32_t print)
{
	struct lac_print_entry *p = entry_of(f, worker, print);
	uint32_t hash = (uint32_t)(p->print.a ^ p->print.b >> 32), at;
	struct merged *m;

	for (at = hash;; at++) {
		struct lac_table_slot *s = &f->slots[at & (f->slots_cap - 1)];
		const struct lac_print *have;

		if (s->id == LAC_NONE) {
			s->hash = hash;
			s->id = f->nmerged;
			f->merged[f->nmerged++] = (struct merged){
				worker, print, worker, print, p->root, p->key,
			};
			f->ids[worker][print] = s->id;
			return;
		}
		if (s->hash != hash)
			continue;
		m = &f->merged[s->id];
		have = &entry_of(f, m->worker, m->print)->print;
		if (have->a == p->print.a && have->b == p->print.b)
			break;
	}
	f->ids[worker][print] = (uint32_t)(m - f->merged);
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

static enum lac_status merge(struct fast *f, struct lac_err *err)
{
	size_t total = 0;

	for (unsigned w = 0; w < f->nworkers; w++)
		total += f->workers[w].scan.nprints;
	f->slots_cap = 1024;
	while (f->slots_cap < 2 * total)
		f->slots_cap *= 2;
	f->slots = malloc(f->slots_cap * sizeof(*f->slots));
	f->merged = calloc(total + 1, sizeof(*f->merged));
	if (!f->slots || !f->merged)
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

/* Tell the builder what stands for what, and what it would have noted. */
static enum lac_status prepare(struct fast *f, struct lac_build *b,
			       struct lac_err *err)
{
	b->canon_key = calloc((size_t)f->nmerged + 1, sizeof(*b->canon_key));
	if (!b->canon_key)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < f->nmerged; i++) {
		const struct merged *m = &f->merged[i];
		const struct lac_print_entry *p =
			entry_of(f, m->worker, m->print);
		const struct lac_print_edge *e =
			f->workers[m->worker].scan.edges + p->first_edge;
		struct lac_note note = { p->typedef_name, p->scope,
					 LAC_DIE_NONE, p->payload };

		b->canon_key[i] = m->key;
		if (!lac_map_put(&b->canon, m->key, i))
			return lac_fail_memory(err);
		for (uint32_t k = 0; k < p->nedges; k++)
			if (!lac_map_put(&b->canon, e[k].key,
					 f->ids[m->worker][e[k].print]))
				return lac_fail_memory(err);
		if (note.typedef_name || note.scope || note.payload)
			LAC_TRY(lac_note_put(b, m->key >> 1, &note, err));
	}
	b->use_canon = true;
	return LAC_OK;
}

static int compare_root(const void *x, const void *y)
{
	const struct merged *a = x, *b = y;

	return a->root < b->root ? -1 : a->root > b->root;
}

/* The units of a record, over all threads; equal layouts add up. */
static enum lac_status add_units(struct fast *f, struct lac_unit_list *to,
				 struct lac_unit_list **lists, uint32_t n,
				 struct lac_err *err)
{
	struct lac_unit_list all = { 0 };
	enum lac_status st = LAC_OK;
	struct lac_unit_walk w[THREADS_MAX + 1];

	(void)f;
	for (uint32_t i = 0; i < n; i++)
		w[i] = lac_unit_walk(lists[i]);
	while (st == LAC_OK) {
		uint32_t least = LAC_NONE;

		for (uint32_t i = 0; i < n; i++)
			if (w[i].unit < least)
				least = w[i].unit;
		if (least == LAC_NONE)
			break;
		for (uint32_t i = 0; i < n; i++)
			if (w[i].unit == least)
				lac_unit_next(&w[i]);
		st = lac_unit_list_add(&all, least, err);
	}
	free(to->bytes);
	*to = all;
	return st;
}

static enum lac_status take_root(struct fast *f, struct lac_build *b,
				 uint32_t merged, const uint32_t *local,
				 struct lac_err *err)
{
	const struct merged *m = &f->merged[merged];
	const struct lac_print_entry *p =
		entry_of(f, m->root_worker, m->root_print);
	struct lac_unit_list *lists[THREADS_MAX + 1];
	struct lac_place place = { p->decl_file, p->decl_line };
	uint32_t n = 0, record;
	lac_die_ref parent = LAC_DIE_NONE;
	lac_type_id id;

	LAC_TRY(lac_build_type(b, m->key >> 1, m->key & 1, &id, err));
	if (p->parent != LAC_NONE)
		parent = f->merged[f->ids[m->root_worker][p->parent]].key >> 1;
	LAC_TRY(lac_build_place(b, id, m->root, &place, parent, err));
	record = b->p->types[id].record;
	if (!p->record || b->p->types[id].kind != LAC_TYPE_RECORD ||
	    record == LAC_NONE)
		return LAC_OK;
	if (b->p->records[record].units.n)
		lists[n++] = &b->p->records[record].units;
	for (unsigned w = 0; w < f->nworkers; w++)
		if (local[w] != LAC_NONE)
			lists[n++] = &entry_of(f, w, local[w])->units;
	return add_units(f, &b->p->records[record].units, lists, n, err);
}

/* Expand in the order of the file. */
static enum lac_status take_roots(struct fast *f, struct lac_build *b,
				  struct lac_err *err)
{
	uint32_t *local = malloc(((size_t)f->nmerged + 1) * f->nworkers *
				 sizeof(*local));
	struct merged *order = calloc((size_t)f->nmerged + 1, sizeof(*order));
	enum lac_status st = LAC_OK;
	uint32_t n = 0;

	if (!local || !order) {
		free(local);
		free(order);
		return lac_fail_memory(err);
	}
	memset(local, 0xff, (size_t)f->nmerged * f->nworkers * sizeof(*local));
	for (unsigned w = 0; w < f->nworkers; w++)
		for (uint32_t i = 0; i < f->workers[w].scan.nprints; i++)
			local[(size_t)f->ids[w][i] * f->nworkers + w] = i;
	for (uint32_t i = 0; i < f->nmerged; i++)
		if (f->merged[i].root != LAC_DIE_NONE) {
			order[n] = f->merged[i];
			order[n++].key = i; /* to find it again */
		}
	qsort(order, n, sizeof(*order), compare_root);
	for (uint32_t i = 0; i < n && st == LAC_OK; i++)
		st = take_root(f, b, (uint32_t)order[i].key,
			       &local[order[i].key * f->nworkers], err);
	free(local);
	free(order);
	return st;
}

static enum lac_status scan_all(struct fast *f, struct job *job,
				struct lac_err *err)
{
	unsigned started = 1;
	enum lac_status st = LAC_OK;

	for (unsigned i = 0; i < f->nworkers; i++)
		f->workers[i].job = job;
	for (; started < f->nworkers; started++)
		if (pthread_create(&f->workers[started].thread, NULL, work,
				   &f->workers[started]) != 0)
			break;
	work(&f->workers[0]);
	for (unsigned i = 1; i < started; i++)
		pthread_join(f->workers[i].thread, NULL);
	f->nworkers = started;
	/* the slow way, if any unit asks for it; else the first error */
	for (unsigned i = 0; i < f->nworkers; i++)
		if (f->workers[i].st != LAC_OK &&
		    (st == LAC_OK || f->workers[i].st == LAC_UNSUPPORTED)) {
			st = f->workers[i].st;
			*err = f->workers[i].err;
		}
	return st;
}

static unsigned thread_count(unsigned asked, size_t nunits)
{
	long n = asked ? (long)asked : sysconf(_SC_NPROCESSORS_ONLN);

	if (n > THREADS_MAX)
		n = THREADS_MAX;
	if (n > 1 && (size_t)n > nunits / 8) /* not worth a thread */
		n = (long)(nunits / 8);
	return n < 1 ? 1 : (unsigned)n;
}

enum lac_status lac_read_fast(struct lac_build *b,
			      const struct lac_raw_sections *sections,
			      unsigned threads, struct lac_err *err)
{
	struct job job = { .sections = sections, .units = b->units,
			   .nunits = b->nunits };
	struct fast f = { .nworkers = thread_count(threads, b->nunits) };
	enum lac_status st;
	unsigned n = f.nworkers;

	f.workers = calloc(n, sizeof(*f.workers));
	if (!f.workers)
		return lac_fail_memory(err);
	st = scan_all(&f, &job, err);
	if (st == LAC_OK)
		st = merge(&f, err);
	if (st == LAC_OK)
		st = prepare(&f, b, err);
	for (size_t i = 0; st == LAC_OK && i < b->nunits; i++)
		st = lac_build_add_unit(b, i, err);
	if (st == LAC_OK)
		st = take_roots(&f, b, err);
	for (unsigned i = 0; i < n; i++)
		lac_scan_deinit(&f.workers[i].scan);
	for (unsigned i = 0; i < n; i++)
		free(f.ids[i]);
	free(f.workers);
	free(f.merged);
	free(f.slots);
	return st;
}

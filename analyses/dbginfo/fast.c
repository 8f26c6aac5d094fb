/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fast.c - many units at once: threads scan the bytes of units, their
 * fingerprints are merged, and each that is new is expanded through libdwarf
 * once, again by threads.  Ids follow the order of the file.  So the same graph
 * comes out whatever the number of threads, and the same as if every unit were
 * expanded.
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
	struct lac_line_unit *lines;
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

#define BATCH 8 /* units that a thread takes at once */

static struct lac_bytes unit_bytes(const struct job *j, size_t unit)
{
	const struct lac_dwarf_unit *u = &j->units[unit];
	struct lac_bytes section = u->types ? j->sections->types :
					      j->sections->info;

	return (struct lac_bytes){ section.p + u->offset, u->end - u->offset };
}

/* The bytes of the units from first to end; none if they are not in a row. */
static struct lac_bytes batch_bytes(const struct job *j, size_t first,
				    size_t end)
{
	struct lac_bytes from = unit_bytes(j, first);
	struct lac_bytes to = unit_bytes(j, end - 1);

	if (j->units[first].types != j->units[end - 1].types)
		return (struct lac_bytes){ from.p, 0 };
	from.size = (uint64_t)(to.p - from.p) + to.size;
	return from;
}

/* Not one by one: each time, the other threads are told of pages given back. */
static void scan_batch(struct worker *w, size_t first, size_t end)
{
	const struct job *j = w->job;
	struct lac_bytes bytes = batch_bytes(j, first, end);

	lac_object_want(j->sections->object, bytes.p, bytes.size);
	for (size_t unit = first; unit < end && w->st == LAC_OK; unit++)
		w->st = lac_scan_unit(&w->scan, unit, &w->err);
	if (w->st == LAC_OK)
		lac_object_forget(j->sections->object, bytes.p, bytes.size);
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct job *j = w->job;

	w->st = lac_scan_init(&w->scan, j->sections, j->units, j->nunits,
			      j->lines, &w->err);
	while (w->st == LAC_OK && !atomic_load(&j->stop)) {
		size_t first = atomic_fetch_add(&j->next, BATCH);

		if (first >= j->nunits)
			break;
		scan_batch(w, first, first + BATCH < j->nunits ? first + BATCH :
								  j->nunits);
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
	struct job *job;
	struct worker *workers;
	unsigned nworkers;
	struct merged *merged;
	uint32_t nmerged;
	uint32_t *ids[THREADS_MAX]; /* of a thread's print -> merged */
	struct lac_table_slot *slots;
	uint32_t slots_cap;
	struct lac_unit_list *lists; /* by merged: units, as in the pool */
	struct lac_canon canon;
	struct root *roots;
	size_t nroots;
	atomic_size_t next;
	atomic_bool stop;
};

static struct lac_print_entry *entry_of(const struct fast *f, unsigned worker,
					uint32_t print)
{
	return &f->workers[worker].scan.prints[print];
}

static void merge_one(struct fast *f, unsigned worker, uint32_t print)
{
	struct lac_print_entry *p = entry_of(f, worker, print);
	const struct lac_print *h = &f->workers[worker].scan.values[print];
	uint32_t hash = (uint32_t)(h->a ^ h->b >> 32), at;
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
		have = &f->workers[m->worker].scan.values[m->print];
		if (have->a == h->a && have->b == h->b)
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

/* Tell the builders what stands for what, and what they would have noted. */
static enum lac_status prepare(struct fast *f, struct lac_err *err)
{
	struct lac_canon *c = &f->canon;

	c->key = calloc((size_t)f->nmerged + 1, sizeof(*c->key));
	c->note = calloc((size_t)f->nmerged + 1, sizeof(*c->note));
	if (!c->key || !c->note)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < f->nmerged; i++) {
		const struct merged *m = &f->merged[i];
		const struct lac_print_entry *p =
			entry_of(f, m->worker, m->print);
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

/* -- expanding ------------------------------------------------------------ */

#define CHUNK 16 /* roots that a thread takes at once */

struct root {
	uint32_t merged;
	uint32_t worker; /* which pool the ids below are of */
	lac_type_id id;
	struct lac_pool_place place;
};

struct expander {
	struct fast *f;
	unsigned number;
	struct lac_pool *p;
	struct lac_dwarf *d;
	const struct lac_build *like;
	pthread_t thread;
	enum lac_status st;
	struct lac_err err;
};

static enum lac_status expand(struct fast *f, struct lac_build *b,
			      struct lac_lines *lines, struct root *r,
			      struct lac_err *err)
{
	const struct merged *m = &f->merged[r->merged];
	const struct lac_print_entry *p =
		entry_of(f, m->root_worker, m->root_print);
	uint64_t up;
	uint32_t unit = lac_build_unit_of(b, m->root);
	const char *file = NULL;

	lac_dwarf_seek(b->d, unit);
	LAC_TRY(lac_build_type(b, m->key >> 1, m->key & 1, &r->id, err));
	r->place.parent = 0;
	if (p->parent != LAC_NONE) {
		up = f->merged[f->ids[m->root_worker][p->parent]].key;
		LAC_TRY(lac_build_type(b, up >> 1, up & 1, &r->place.parent,
				       err));
	}
	r->place.line = (uint32_t)p->decl_line;
	if (p->decl_file != LAC_NO_FILE)
		file = lac_lines_file(lines, f->job->sections,
				      &f->job->lines[unit], p->decl_file);
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

	b.canon = &f->canon;
	while (st == LAC_OK && !atomic_load(&f->stop)) {
		size_t i = atomic_fetch_add(&f->next, CHUNK);
		size_t end = i + CHUNK < f->nroots ? i + CHUNK : f->nroots;

		if (i >= f->nroots)
			break;
		for (; i < end && st == LAC_OK; i++) {
			f->roots[i].worker = x->number;
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
	uint32_t at[THREADS_MAX] = { 0 };

	f->lists = calloc((size_t)f->nmerged + 1, sizeof(*f->lists));
	if (!f->lists)
		return lac_fail_memory(err);
	for (;;) {
		const struct lac_scan *s = NULL;
		uint32_t least = LAC_NONE, from = 0;

		for (unsigned w = 0; w < f->nworkers; w++) {
			const struct lac_scan *one = &f->workers[w].scan;

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
			uint32_t m = f->ids[from][s->log[i]];

			if (i + 8 < s->nlog &&
			    !(s->log[i + 8] & LAC_SCAN_UNIT))
				__builtin_prefetch(
					&f->lists[f->ids[from][s->log[i + 8]]]);
			LAC_TRY(lac_unit_list_add(
				&f->lists[m],
				b->number[least & ~LAC_SCAN_UNIT], err));
		}
	}
}

static void *expand_work(void *arg)
{
	struct expander *x = arg;

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
	return NULL;
}

/* Two lists of units in one, which is left in *to; *from is empty then. */
static enum lac_status add_units(struct lac_unit_list *to,
				 struct lac_unit_list *from,
				 struct lac_err *err)
{
	struct lac_unit_list all = { 0 };
	struct lac_unit_walk x = lac_unit_walk(to), y = lac_unit_walk(from);
	enum lac_status st = LAC_OK;

	if (to->n) {
		while (st == LAC_OK &&
		       (x.unit != LAC_NONE || y.unit != LAC_NONE)) {
			uint32_t least = x.unit < y.unit ? x.unit : y.unit;

			st = lac_unit_list_add(&all, least, err);
			if (x.unit == least)
				lac_unit_next(&x);
			if (y.unit == least)
				lac_unit_next(&y);
		}
		free(from->bytes);
		*from = all;
	}
	free(to->bytes);
	*to = *from;
	*from = (struct lac_unit_list){ 0 };
	return st;
}

/* In the order of the file: first come, first placed. */
static enum lac_status put_root(struct fast *f, struct lac_pool *p,
				const struct root *r, lac_type_id *const *maps,
				struct lac_err *err)
{
	const struct merged *m = &f->merged[r->merged];
	struct lac_pool_place place = r->place;
	lac_type_id id = r->id;

	if (maps[r->worker]) {
		id = maps[r->worker][id];
		place.parent = maps[r->worker][place.parent];
		LAC_TRY(lac_pool_string(p, place.file, &place.file, err));
	}
	LAC_TRY(lac_pool_root(p, id, &place, err));
	if (!entry_of(f, m->root_worker, m->root_print)->record ||
	    p->types[id].kind != LAC_TYPE_RECORD ||
	    p->types[id].record == LAC_NONE)
		return LAC_OK;
	/* layouts that turned out to be equal add up */
	return add_units(&p->records[p->types[id].record].units,
			 &f->lists[r->merged], err);
}

static enum lac_status join(struct fast *f, struct expander *x, unsigned n,
			    const struct lac_build *b, struct lac_err *err)
{
	lac_type_id *maps[THREADS_MAX] = { NULL };
	enum lac_status st = LAC_OK;

	for (unsigned i = 0; i < n && st == LAC_OK; i++) {
		st = x[i].st;
		if (st != LAC_OK)
			*err = x[i].err;
		else if (i)
			st = lac_pool_merge(b->p, x[i].p, &maps[i], err);
	}
	for (size_t i = 0; i < f->nroots && st == LAC_OK; i++)
		st = put_root(f, b->p, &f->roots[i], maps, err);
	for (unsigned i = 1; i < n; i++)
		free(maps[i]);
	return st;
}

static enum lac_status expand_all(struct fast *f, struct lac_build *b,
				  struct lac_err *err)
{
	struct expander *x = calloc(f->nworkers, sizeof(*x));
	unsigned started = 1;
	enum lac_status st;

	if (!x)
		return lac_fail_memory(err);
	for (unsigned i = 0; i < f->nworkers; i++)
		x[i] = (struct expander){ .f = f, .number = i, .like = b };
	x[0].p = b->p;
	x[0].d = b->d;
	for (; started < f->nworkers; started++)
		if (pthread_create(&x[started].thread, NULL, expand_work,
				   &x[started]) != 0)
			break;
	expand_work(&x[0]);
	for (unsigned i = 1; i < started; i++)
		pthread_join(x[i].thread, NULL);
	st = join(f, x, started, b, err);
	for (unsigned i = 1; i < started && !b->leave; i++)
		lac_pool_destroy(x[i].p);
	free(x);
	return st;
}

static int compare_root(const void *x, const void *y)
{
	const struct merged *a = x, *b = y;

	return a->root < b->root ? -1 : a->root > b->root;
}

/* Roots in the order of the file. */
static enum lac_status list_roots(struct fast *f, struct lac_err *err)
{
	struct merged *order = calloc((size_t)f->nmerged + 1, sizeof(*order));

	f->roots = calloc((size_t)f->nmerged + 1, sizeof(*f->roots));
	if (!f->roots || !order) {
		free(order);
		return lac_fail_memory(err);
	}
	for (uint32_t i = 0; i < f->nmerged; i++)
		if (f->merged[i].root != LAC_DIE_NONE) {
			order[f->nroots] = f->merged[i];
			order[f->nroots++].key = i; /* to find it again */
		}
	if (f->nroots)
		qsort(order, f->nroots, sizeof(*order), compare_root);
	for (size_t i = 0; i < f->nroots; i++)
		f->roots[i].merged = (uint32_t)order[i].key;
	free(order);
	return LAC_OK;
}

/* -- scanning ------------------------------------------------------------- */

static enum lac_status scan_all(struct fast *f, struct job *job,
				struct lac_build *b, struct lac_err *err)
{
	enum lac_status st = LAC_OK, named;
	struct lac_err name_err;
	unsigned started = 1;

	for (unsigned i = 0; i < f->nworkers; i++)
		f->workers[i].job = job;
	for (; started < f->nworkers; started++)
		if (pthread_create(&f->workers[started].thread, NULL, work,
				   &f->workers[started]) != 0)
			break;
	/* takes a while: the other threads are scanning meanwhile */
	named = lac_build_units(b, &name_err);
	work(&f->workers[0]);
	for (unsigned i = 1; i < started; i++)
		pthread_join(f->workers[i].thread, NULL);
	f->nworkers = started;
	/*
	 * The slow way, if any unit asks for it; else the first error, where
	 * what the scan says is clearer than what libdwarf says.
	 */
	for (unsigned i = 0; i < f->nworkers; i++)
		if (f->workers[i].st != LAC_OK &&
		    (st == LAC_OK || f->workers[i].st == LAC_UNSUPPORTED)) {
			st = f->workers[i].st;
			*err = f->workers[i].err;
		}
	if (named != LAC_OK && (st == LAC_OK || st == LAC_UNSUPPORTED)) {
		*err = name_err;
		st = named;
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
	struct fast f = { .job = &job,
			  .nworkers = thread_count(threads, b->nunits) };
	enum lac_status st;
	unsigned n = f.nworkers;

	for (size_t i = 0; i < b->nunits; i++)
		if (b->units[i].kind != LAC_UNIT_COMPILE || b->units[i].source)
			return lac_fail(err, LAC_UNSUPPORTED,
					"units that share types");
	f.workers = calloc(n, sizeof(*f.workers));
	job.lines = calloc(b->nunits + 1, sizeof(*job.lines));
	if (!f.workers || !job.lines) {
		free(f.workers);
		free(job.lines);
		return lac_fail_memory(err);
	}
	st = scan_all(&f, &job, b, err);
	if (st == LAC_OK)
		st = merge(&f, err);
	if (st == LAC_OK)
		st = prepare(&f, err);
	if (st == LAC_OK)
		st = list_roots(&f, err);
	if (st == LAC_OK)
		st = expand_all(&f, b, err);
	/* too late for "nothing put in the pool": whoever reads starts anew */
	if (st == LAC_UNSUPPORTED) {
		b->missed = true;
		st = LAC_BAD_INPUT;
	}
	for (unsigned i = 0; i < n; i++) {
		lac_scan_deinit(&f.workers[i].scan);
		free(f.ids[i]);
	}
	lac_map_free(&f.canon.number);
	free(f.canon.key);
	free(f.canon.note);
	for (uint32_t i = 0; f.lists && i < f.nmerged; i++)
		free(f.lists[i].bytes);
	free(f.lists);
	free(f.roots);
	free(job.lines);
	free(f.workers);
	free(f.merged);
	free(f.slots);
	return st;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "correlate/predict.h"

#include <stdlib.h>
#include <string.h>

/* Slabs after which the phases of any stride and line repeat. */
enum { PHASES = 256 };

/* Members that are touched, whichever era has them. */
static const char *const head_names[] = {
	"flags", "__page_flags", "freelist", "counters", "slab_cache", "lru",
	"slab_list", "next", "prev", NULL,
};
/* What a free by the fast path reads of the head. */
static const char *const fast_names[] = { "flags", "__page_flags",
					  "slab_cache", NULL };
static const char *const tail_old[] = { "flags", "first_page", NULL };
static const char *const tail_new[] = { "compound_head", NULL };

static bool is_named(const struct lac_field *f, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(f->name, *names))
			return true;
	return false;
}

static const char *const *tail_names(const struct lac_descriptor *d)
{
	static const char *const first_page[] = { "first_page", NULL };

	for (size_t i = 0; i < d->nelement_fields; i++)
		if (is_named(&d->element_fields[i], first_page))
			return tail_old;
	return tail_new;
}

/* The lines touched so far, and those of the descriptor that is visited. */
struct lines {
	const struct lac_descriptor *d;
	unsigned line_bytes;
	unsigned char *touched;
	uint64_t distinct;
	uint64_t visited[8]; /* lines of one visit */
	unsigned nvisited;
};

static void visit_line(struct lines *l, uint64_t line)
{
	for (unsigned i = 0; i < l->nvisited; i++)
		if (l->visited[i] == line)
			return;
	if (l->nvisited < sizeof(l->visited) / sizeof(l->visited[0]))
		l->visited[l->nvisited++] = line;
	l->distinct += !l->touched[line];
	l->touched[line] = 1;
}

static void visit_bytes(struct lines *l, uint64_t from, uint64_t size)
{
	for (uint64_t i = from / l->line_bytes;
	     i <= (from + size - 1) / l->line_bytes; i++)
		visit_line(l, i);
}

/* Touch members of descriptor number i, as the view has them. */
static void visit_head(struct lines *l, uint64_t i, const char *const *names)
{
	const struct lac_descriptor *d = l->d;
	uint64_t view = i / d->period * (d->stride * d->period);

	for (size_t k = 0; k < d->nfields; k++) {
		const struct lac_field *f = &d->fields[k];

		if (f->element == i % d->period && is_named(f, names))
			visit_bytes(l, view + f->offset, f->size);
	}
}

static void visit_tail(struct lines *l, uint64_t i)
{
	const struct lac_descriptor *d = l->d;
	const char *const *names = tail_names(d);

	for (size_t k = 0; k < d->nelement_fields; k++)
		if (is_named(&d->element_fields[k], names))
			visit_bytes(l, i * d->stride +
					       d->element_fields[k].offset,
				    d->element_fields[k].size);
}

static bool one_slab(const char *test)
{
	return !strcmp(test, "pair");
}

static bool predictable(const char *test)
{
	return one_slab(test) || !strcmp(test, "bulk") ||
	       !strcmp(test, "bulk-random") || !strcmp(test, "bulk-reverse");
}

/* The footprint: every descriptor of every slab. */
static void count_round(struct lines *l, const struct lac_pattern *p,
			uint64_t nslabs, struct lac_prediction *ret)
{
	uint64_t pages = (uint64_t)1 << p->order, visits = 0, split = 0;

	for (uint64_t s = 0; s < nslabs; s++) {
		for (uint64_t i = 0; i < pages; i++) {
			if (i)
				visit_tail(l, (s << p->order) + i);
			else
				visit_head(l, s << p->order, head_names);
			split += l->nvisited > 1;
			visits++;
			l->nvisited = 0;
		}
	}
	ret->lines = (double)l->distinct / (double)p->n;
	ret->straddling = (double)split / (double)visits;
}

/* The lines of each free by itself, over slabs at every phase. */
static void count_isolated(struct lines *l, const struct lac_pattern *p,
			   uint64_t nslabs, struct lac_prediction *ret)
{
	const char *const *head = one_slab(p->test) ? fast_names : head_names;
	uint64_t lines = 0, objects = 0;

	for (uint64_t s = 0; s < nslabs; s++) {
		for (uint64_t o = 0; o < p->objects_per_slab; o++) {
			uint64_t page = o * p->class_size / p->page_bytes;

			visit_head(l, s << p->order, head);
			if (page)
				visit_tail(l, (s << p->order) + page);
			lines += l->nvisited;
			objects++;
			l->nvisited = 0;
		}
	}
	ret->lines_isolated = (double)lines / (double)objects;
}

enum lac_status lac_predict(const struct lac_descriptor *d,
			    const struct lac_pattern *p,
			    struct lac_prediction *ret, struct lac_err *err)
{
	struct lines l = { .d = d, .line_bytes = p->line_bytes };
	uint64_t nslabs, bytes;

	if (!predictable(p->test))
		return lac_fail(err, LAC_UNSUPPORTED,
				"test %s: which descriptors it touches does "
				"not follow from the loop",
				p->test);
	if (!p->n || !p->objects_per_slab || !p->line_bytes || p->order > 20)
		return lac_fail(err, LAC_BAD_INPUT, "impossible slab");
	nslabs = (p->n + p->objects_per_slab - 1) / p->objects_per_slab;
	if (one_slab(p->test))
		nslabs = 1;
	if (nslabs > ((uint64_t)1 << 40) / d->stride >> p->order)
		return lac_fail(err, LAC_USAGE, "n: more than memory holds");
	/* the isolated frees look at as many slabs as there are phases */
	bytes = ((nslabs + PHASES) << p->order) * d->stride;
	l.touched = calloc(bytes / p->line_bytes + 2, 1);
	if (!l.touched)
		return lac_fail_memory(err);
	if (one_slab(p->test)) {
		visit_head(&l, 0, fast_names);
		ret->lines = (double)l.distinct / (double)p->n;
		ret->straddling = l.distinct > 1;
		l.nvisited = 0;
	} else {
		count_round(&l, p, nslabs, ret);
	}
	count_isolated(&l, p, PHASES, ret);
	free(l.touched);
	return LAC_OK;
}

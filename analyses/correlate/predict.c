/* SPDX-License-Identifier: BSD-2-Clause */
#include "correlate/predict.h"

#include <stdlib.h>
#include <string.h>

/* Members of a head and of a tail that are touched, whichever era has them. */
static const char *const head_names[] = {
	"flags", "__page_flags", "freelist", "counters", "slab_cache", "lru",
	"slab_list", "next", "prev", NULL,
};
static const char *const tail_old[] = { "flags", "first_page", NULL };
static const char *const tail_new[] = { "compound_head", NULL };

static bool is_named(const struct lac_field *f, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(f->name, *names))
			return true;
	return false;
}

static bool has(const struct lac_descriptor *d, const char *name)
{
	const char *const names[] = { name, NULL };

	for (size_t i = 0; i < d->nfields; i++)
		if (is_named(&d->fields[i], names))
			return true;
	return false;
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

/* Touch the named members of descriptor number i. */
static void visit(struct lines *l, uint64_t i, const char *const *names)
{
	const struct lac_descriptor *d = l->d;
	uint64_t view = i / d->period * (d->stride * d->period);

	for (size_t k = 0; k < d->nfields; k++) {
		const struct lac_field *f = &d->fields[k];
		uint64_t first, last;

		if (f->element != i % d->period || !is_named(f, names))
			continue;
		first = (view + f->offset) / l->line_bytes;
		last = (view + f->offset + f->size - 1) / l->line_bytes;
		for (uint64_t line = first; line <= last; line++)
			visit_line(l, line);
	}
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

static enum lac_status count(struct lines *l, const struct lac_pattern *p,
			     uint64_t nslabs, struct lac_prediction *ret)
{
	const char *const *tail =
		has(l->d, "first_page") ? tail_old : tail_new;
	uint64_t pages = (uint64_t)1 << p->order, visits = 0, split = 0;
	uint64_t isolated = 0, objects = 0;

	for (uint64_t s = 0; s < nslabs; s++) {
		for (uint64_t i = 0; i < pages; i++) {
			visit(l, (s << p->order) + i, i ? tail : head_names);
			split += l->nvisited > 1;
			visits++;
			l->nvisited = 0;
		}
		for (uint64_t o = 0; o < p->objects_per_slab; o++) {
			uint64_t page = o * p->class_size / p->page_bytes;

			visit(l, s << p->order, head_names);
			if (page)
				visit(l, (s << p->order) + page, tail);
			isolated += l->nvisited;
			objects++;
			l->nvisited = 0;
		}
	}
	ret->lines = (double)l->distinct / (double)p->n;
	ret->lines_isolated = (double)isolated / (double)objects;
	ret->straddling = (double)split / (double)visits;
	return LAC_OK;
}

enum lac_status lac_predict(const struct lac_descriptor *d,
			    const struct lac_pattern *p,
			    struct lac_prediction *ret, struct lac_err *err)
{
	struct lines l = { .d = d, .line_bytes = p->line_bytes };
	uint64_t nslabs, bytes;
	enum lac_status st;

	if (!predictable(p->test))
		return lac_fail(err, LAC_UNSUPPORTED,
				"test %s: which descriptors it touches does "
				"not follow from the loop",
				p->test);
	if (!p->n || !p->objects_per_slab || !p->line_bytes || p->order > 20)
		return lac_fail(err, LAC_BAD_INPUT, "impossible slab");
	nslabs = one_slab(p->test) ? 1 :
				     (p->n + p->objects_per_slab - 1) /
					     p->objects_per_slab;
	if (nslabs > ((uint64_t)1 << 40) / d->stride >> p->order)
		return lac_fail(err, LAC_USAGE, "n: more than memory holds");
	bytes = ((nslabs << p->order) + d->period) * d->stride;
	l.touched = calloc(bytes / p->line_bytes + 2, 1);
	if (!l.touched)
		return lac_fail_memory(err);
	st = count(&l, p, nslabs, ret);
	free(l.touched);
	return st;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "correlate/descriptor.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const lac_slub_members[] = {
	"flags",	"__page_flags", "freelist",   "counters",
	"slab_cache",	"lru",		"slab_list",  "next",
	"prev",		"first_page",	"compound_head", "page_type",
	"__page_type", "_count",	"_refcount",  "__page_refcount",
	NULL,
};

enum { DEPTH_MAX = 16, FIELDS_MAX = 4096 };

struct walk {
	const struct lac_graph *g;
	uint64_t stride;
	struct lac_field *fields;
	size_t n;
	bool broken;
};

static void put_field(struct walk *w, const char *name, uint64_t offset,
		      uint64_t size)
{
	if (w->n == FIELDS_MAX) {
		w->broken = true;
		return;
	}
	w->fields[w->n++] = (struct lac_field){
		.name = name,
		.element = (unsigned)(offset / w->stride),
		.offset = offset,
		.size = size,
	};
}

static lac_record_id record_of(const struct lac_graph *g, lac_type_id id)
{
	const struct lac_type *t = &g->types[lac_type_strip(g, id)];

	return t->kind == LAC_TYPE_RECORD ? t->record : LAC_NONE;
}

/* Members without members: into records, not into arrays or bit-fields. */
static void walk_record(struct walk *w, lac_record_id id, uint64_t base,
			unsigned depth)
{
	const struct lac_record *r = &w->g->records[id];

	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		lac_record_id inner = record_of(w->g, m->type);
		uint64_t offset = base + m->bit_offset / 8;

		if (m->certainty == LAC_DYNAMIC ||
		    m->bit_size == LAC_SIZE_UNKNOWN || m->bit_size == 0)
			continue;
		if (inner != LAC_NONE && depth < DEPTH_MAX)
			walk_record(w, inner, offset, depth + 1);
		else if (m->role == LAC_MEMBER_BITFIELD)
			put_field(w, r->name && m->name ? m->name : "bits",
				  offset, (m->bit_offset % 8 + m->bit_size + 7) /
						  8);
		else
			put_field(w, m->name ? m->name : "",
				  offset, m->bit_size / 8);
	}
}

/* Stable for equal offsets: the fields come in the order of declaration. */
static void sort_fields(struct lac_field *f, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct lac_field moved = f[i];
		size_t k = i;

		for (; k > 0 && f[k - 1].offset > moved.offset; k--)
			f[k] = f[k - 1];
		f[k] = moved;
	}
}

static void mark_whole(struct lac_field *f, size_t n)
{
	uint64_t end = 0; /* of all fields before */

	for (size_t i = 0; i < n; i++) {
		f[i].whole = f[i].offset >= end &&
			     (i + 1 == n ||
			      f[i + 1].offset >= f[i].offset + f[i].size);
		if (f[i].offset + f[i].size > end)
			end = f[i].offset + f[i].size;
	}
}

/* The fields of a record of the given size, copied into the arena. */
static enum lac_status read_fields(const struct lac_graph *g, const char *name,
				   uint64_t stride, unsigned period,
				   struct lac_arena *arena,
				   const struct lac_field **ret, size_t *n,
				   lac_record_id *id, struct lac_err *err)
{
	struct walk w = { .g = g, .stride = stride };
	struct lac_field *fields;
	const lac_record_id *ids;
	size_t nids;

	LAC_TRY(lac_graph_find(g, name, arena, &ids, &nids, err));
	/* an overlay such as struct slab may be smaller than what it lies on */
	if (!stride || !period || g->records[ids[0]].size > stride * period ||
	    g->records[ids[0]].size <= stride * (period - 1))
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: struct %s has %" PRIu64 " bytes where "
				"%" PRIu64 " were run: run `make` to bring the "
				"programs up to date",
				g->path, name, g->records[ids[0]].size,
				stride * period);
	w.fields = calloc(FIELDS_MAX, sizeof(*w.fields));
	if (!w.fields)
		return lac_fail_memory(err);
	walk_record(&w, ids[0], 0, 0);
	sort_fields(w.fields, w.n);
	mark_whole(w.fields, w.n);
	fields = lac_arena_zalloc(arena, w.n, sizeof(*fields));
	for (size_t i = 0; fields && i < w.n; i++) {
		fields[i] = w.fields[i];
		/* the graph may go before the arena does */
		fields[i].name = lac_arena_strdup(arena, fields[i].name);
		w.broken |= !fields[i].name;
	}
	free(w.fields);
	if (!fields || w.broken)
		return lac_fail_memory(err);
	*ret = fields;
	*n = w.n;
	*id = ids[0];
	return LAC_OK;
}

enum lac_status lac_descriptor_read(const struct lac_graph *g,
				    const char *type, const char *view,
				    uint64_t stride, unsigned period,
				    struct lac_arena *arena,
				    struct lac_descriptor *ret,
				    struct lac_err *err)
{
	struct lac_descriptor d = { .stride = stride, .period = period };
	enum lac_certainty source;
	lac_record_id id;

	LAC_TRY(read_fields(g, view, stride, period, arena, &d.fields,
			    &d.nfields, &id, err));
	LAC_TRY(read_fields(g, type, stride, 1, arena, &d.element_fields,
			    &d.nelement_fields, &id, err));
	d.align = lac_type_align(g, g->records[id].type, &source);
	d.view = lac_arena_strdup(arena, view);
	if (!d.view)
		return lac_fail_memory(err);
	*ret = d;
	return LAC_OK;
}

const struct lac_field *lac_descriptor_field(const struct lac_descriptor *d,
					     uint64_t offset,
					     const char *const *preferred)
{
	const struct lac_field *first = NULL;

	for (size_t i = 0; i < d->nfields; i++) {
		const struct lac_field *f = &d->fields[i];

		if (f->offset > offset || offset >= f->offset + f->size)
			continue;
		if (!first)
			first = f;
		for (size_t k = 0; preferred[k]; k++)
			if (!strcmp(f->name, preferred[k]))
				return f;
	}
	return first;
}

static int by_misses(const void *a, const void *b)
{
	const struct lac_member_count *x = a, *y = b;

	if (x->l1_misses != y->l1_misses)
		return x->l1_misses > y->l1_misses ? -1 : 1;
	if (x->accesses != y->accesses)
		return x->accesses > y->accesses ? -1 : 1;
	return strcmp(x->name, y->name);
}

enum lac_status lac_attribute(const struct lac_descriptor *d,
			      const struct lac_array_count *a,
			      const char *const *preferred,
			      struct lac_arena *arena,
			      struct lac_member_count **rows, size_t *n,
			      struct lac_err *err)
{
	struct lac_member_count *out =
		lac_arena_zalloc(arena, a->noffsets, sizeof(*out));
	size_t nout = 0;

	if (!out)
		return lac_fail_memory(err);
	for (size_t i = 0; i < a->noffsets; i++) {
		const struct lac_offset_count *o = &a->offsets[i];
		const struct lac_field *f =
			lac_descriptor_field(d, o->offset, preferred);
		const char *name = f ? f->name : "";
		size_t k = 0;

		while (k < nout && strcmp(out[k].name, name) != 0)
			k++;
		if (k == nout)
			out[nout++].name = name;
		out[k].accesses += o->accesses;
		out[k].l1_misses += o->l1_misses;
		out[k].l2_misses += o->l2_misses;
		out[k].llc_misses += o->llc_misses;
	}
	if (nout)
		qsort(out, nout, sizeof(*out), by_misses);
	*rows = out;
	*n = nout;
	return LAC_OK;
}

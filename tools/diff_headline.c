/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_headline.c - what changed of a record, in one line of arithmetic. */
#include <elf.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "diff_report.h"
#include "layout/array.h"

/* Where it is unknown or another, so are the least bucket and those of 3/2. */
bool lac_kmalloc_known(const struct lac_diff *d)
{
	return d->old_side.machine == EM_X86_64 &&
	       d->new_side.machine == EM_X86_64;
}

/* kmalloc_index() in include/linux/slab.h, with the buckets of x86-64. */
uint64_t lac_kmalloc_bucket(uint64_t bytes)
{
	static const unsigned buckets[] = { 8,	 16,  32,   64,	  96,
					    128, 192, 256,  512,  1024,
					    2048, 4096, 8192 };

	for (size_t i = 0; i < sizeof(buckets) / sizeof(*buckets); i++)
		if (bytes <= buckets[i])
			return buckets[i];
	return 0;
}

struct text {
	char s[400];
	size_t n;
};

LAC_PRINTF(2, 3) static void add(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->s + t->n, sizeof(t->s) - t->n, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->n += (size_t)n;
	if (t->n >= sizeof(t->s))
		t->n = sizeof(t->s) - 1;
}

static void add_size(struct text *t, uint64_t was, uint64_t is)
{
	int64_t by = (int64_t)(is - was);

	if (was == LAC_SIZE_UNKNOWN || is == LAC_SIZE_UNKNOWN)
		add(t, "size unknown on one side");
	else if (was == is)
		add(t, "%" PRIu64 " byte%s as before", is, lac_s(is));
	else if (!was || is / was >= 10)
		add(t, "%" PRIu64 " -> %" PRIu64 " byte%s (%+" PRId64 ")", was,
		    is, lac_s(is), by);
	else
		add(t,
		    "%" PRIu64 " -> %" PRIu64 " byte%s (%+" PRId64
		    ", %+.1f %%)",
		    was, is, lac_s(is), by, 100.0 * (double)by / (double)was);
}

static void add_lines(struct text *t, uint64_t was, uint64_t is)
{
	if (was == LAC_SIZE_UNKNOWN || is == LAC_SIZE_UNKNOWN)
		return;
	if (was == is)
		add(t, ", %" PRIu64 " line%s either way", is, lac_s(is));
	else
		add(t, ", %" PRIu64 " -> %" PRIu64 " line%s", was, is, lac_s(is));
}

bool lac_is_page_descriptor(const struct lac_diff_report *r,
			    const struct lac_record_diff *rec)
{
	const struct lac_shape *a = rec->old_shape, *b = rec->new_shape;

	return r->diff->has_allocator && a && b && a->name && b->name &&
	       !b->is_enum && !b->by_typedef && !strcmp(a->name, "page") &&
	       !strcmp(b->name, "page") && a->size && b->size &&
	       a->size <= UINT32_MAX && b->size <= UINT32_MAX;
}

/* Its place in the array decides which lines it lies on. */
static void add_descriptor(struct text *t, uint64_t was, uint64_t is,
			   uint32_t line)
{
	struct lac_array_phases a = lac_array_phases(was, 0, was, line);
	struct lac_array_phases b = lac_array_phases(is, 0, is, line);

	add(t,
	    "; an element of an array (the memory map), no object of a slab: "
	    "in a dense run %.4g -> %.4g lines each, touched alone %.4g -> "
	    "%.4g; across a line %" PRIu64 " of %" PRIu64 " -> %" PRIu64
	    " of %" PRIu64,
	    a.lines_per_element, b.lines_per_element, a.lines_per_touch,
	    b.lines_per_touch, a.straddling, a.period, b.straddling, b.period);
}

static void add_own_cache(struct text *t, uint64_t was, uint64_t is,
			  uint32_t cpus)
{
	struct lac_slab_fit a = lac_slab_fit_for((was + 7) / 8 * 8, cpus);
	struct lac_slab_fit b = lac_slab_fit_for((is + 7) / 8 * 8, cpus);

	if (!a.objects || !b.objects)
		return;
	if (a.order != b.order)
		add(t,
		    "; in a cache of its own, slabs of order %u -> %u, %u -> "
		    "%u objects each",
		    a.order, b.order, a.objects, b.objects);
	else if (a.objects != b.objects)
		add(t,
		    "; in a cache of its own, %u -> %u objects a slab of "
		    "order %u",
		    a.objects, b.objects, a.order);
}

/* Of kmalloc-512 and kmalloc-2k, as the caches are called since v4.20. */
static void bucket_name(char *out, size_t size, uint64_t bytes)
{
	bool k = bytes >= 1024;

	snprintf(out, size, "%" PRIu64 "%s", k ? bytes / 1024 : bytes,
		 k ? "k" : "");
}

/*
 * What an object of its own would take, where that differs.  What a slabinfo
 * has a cache of does not come from kmalloc().
 */
static void add_fit(struct text *t, const struct lac_diff_report *r,
		    const struct lac_record_diff *rec)
{
	uint64_t was = rec->old_shape->size, is = rec->new_shape->size;
	uint64_t from = lac_kmalloc_bucket(was), to = lac_kmalloc_bucket(is);
	char old[24], new[24];

	add_own_cache(t, was, is, r->cpus);
	if (!lac_kmalloc_known(r->diff) || !from || !to || from == to ||
	    rec->live.cache)
		return;
	bucket_name(old, sizeof(old), from);
	bucket_name(new, sizeof(new), to);
	add(t, "; by kmalloc(), kmalloc-%s -> %s", old, new);
}

/* The first member that has a name. */
static const char *first_member(const struct lac_shape *s)
{
	for (uint32_t i = 0; i < s->nfields; i++)
		if (!s->fields[i].unnamed)
			return s->fields[i].path;
	return NULL;
}

const char *lac_diff_title(struct lac_arena *arena, const struct lac_shape *s)
{
	const char *first = s->name || s->is_enum ? NULL : first_member(s);
	const char *label = s->label, *file;

	if (s->name)
		return label;
	if (first && strstr(label, "{...}"))
		label = lac_arena_printf(arena, "%s {%s, ...}",
					 lac_record_kind_name(s->kind), first);
	if (!label || !s->decl_file)
		return label;
	file = strrchr(s->decl_file, '/');
	return lac_arena_printf(arena, "%s at %s:%u", label,
				file ? file + 1 : s->decl_file, s->decl_line);
}

static bool is_cause(const struct lac_diff *d, const char *name)
{
	for (uint32_t i = 0; name && i < d->ncauses; i++)
		if (!strcmp(d->causes[i].name, name))
			return true;
	return false;
}

/* In which others it is: the first by name, and how to see those it changed. */
static void add_holders(struct text *t, const struct lac_diff *d,
			const struct lac_record_diff *rec)
{
	uint32_t n = rec->embedded_by;

	add(t, "; in %u other record%s", n, lac_s(n));
	for (uint32_t i = 0; i < rec->nholders; i++)
		add(t, "%s%s", i ? ", " : " (", rec->holders[i]);
	if (rec->nholders)
		add(t, "%s", n > rec->nholders ? ", ...)" : ")");
	if (is_cause(d, rec->new_shape->name))
		add(t, ", see --cause %s", rec->new_shape->name);
}

const char *lac_diff_headline(struct lac_arena *arena,
			      const struct lac_diff_report *r,
			      const struct lac_record_diff *rec)
{
	const struct lac_shape *a = rec->old_shape, *b = rec->new_shape;
	struct text t = { "", 0 };
	const char *title = lac_diff_title(arena, b ? b : a);
	bool known;

	if (!a || !b) {
		add(&t, "%s: only in the %s build", title ? title : "",
		    a ? "old" : "new");
		return lac_arena_strdup(arena, t.s);
	}
	add(&t, "%s: ", title ? title : "");
	if (b->is_enum) {
		add(&t, "%u -> %u value%s", a->nvalues, b->nvalues,
		    lac_s(b->nvalues));
		return lac_arena_strdup(arena, t.s);
	}
	known = a->size != LAC_SIZE_UNKNOWN && b->size != LAC_SIZE_UNKNOWN;
	add_size(&t, a->size, b->size);
	if (lac_is_page_descriptor(r, rec)) {
		add_descriptor(&t, a->size, b->size, r->line_size);
		return lac_arena_strdup(arena, t.s);
	}
	add_lines(&t, a->lines, b->lines);
	if (rec->embedded_by && rec->embedded_by != LAC_NONE)
		add_holders(&t, r->whole ? r->whole : r->diff, rec);
	if (known && a->size != b->size && a->size && b->size &&
	    r->diff->has_allocator && lac_may_be_allocated(rec))
		add_fit(&t, r, rec);
	return lac_arena_strdup(arena, t.s);
}

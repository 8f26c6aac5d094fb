/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * align.c - sizes and alignments of types.
 *
 * The psABI supplements of each machine say how scalars align; for most it is
 * their size.  A record aligns as the strictest of its members, unless their
 * offsets or its size show that it was packed.
 */
#include <elf.h>

#include "dbginfo/index.h"
#include "dbginfo/producer.h"

#define ALIGN_BUSY UINT32_MAX /* being worked out: a cycle in bad input */
#define ALIGN_TODO (UINT32_MAX - 1)
#define DEPTH_MAX 512

/* The strictest alignment of a scalar, in bytes. */
static uint32_t scalar_limit(uint16_t machine)
{
	switch (machine) {
	case EM_386:
		return 4; /* inside records; i386 psABI, figure 2.1 */
	case EM_68K:
		return 2;
	case EM_S390:
	case EM_ARM:
		return 8;
	case EM_SH:
	case EM_ARC_COMPACT:
		return 4;
	case EM_AVR:
	case EM_CRIS:
		return 1;
	default:
		return 16;
	}
}

static uint32_t scalar_align(const struct lac_graph *g, const struct lac_type *t)
{
	uint64_t size = t->size;
	uint32_t limit = scalar_limit(g->target.machine);

	if (size == LAC_SIZE_UNKNOWN)
		return 0;
	if (size == 0) /* Rust's () */
		return 1;
	if (t->kind == LAC_TYPE_BASE && t->encoding == LAC_ENC_COMPLEX)
		size /= 2;
	/* __float128 keeps its alignment on i386 */
	if (g->target.machine == EM_386 && t->kind == LAC_TYPE_BASE &&
	    t->encoding == LAC_ENC_FLOAT && size == 16)
		limit = 16;
	/* the largest power of two in it, up to the limit */
	return size & -size & (limit - 1) ? (uint32_t)(size & -size) : limit;
}

static bool is_scalar(enum lac_type_kind kind)
{
	return kind == LAC_TYPE_BASE || kind == LAC_TYPE_POINTER ||
	       kind == LAC_TYPE_REFERENCE || kind == LAC_TYPE_ENUM ||
	       kind == LAC_TYPE_RVALUE_REFERENCE ||
	       kind == LAC_TYPE_UNSPECIFIED;
}

static uint32_t max_u32(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

struct walk {
	const struct lac_graph *g;
	struct lac_graph_index *ix;
};

static uint32_t type_align(const struct walk *w, lac_type_id id, int depth);

/* gcc and clang align an _Atomic to its size if that is 1 to 16. */
static uint32_t atomic_align(uint64_t size, uint32_t below)
{
	if (size <= 16 && size && !(size & (size - 1)))
		return max_u32(below, (uint32_t)size);
	return below;
}

/* A vector aligns as a whole: to its size, rounded up to a power of two. */
static uint32_t vector_align(uint64_t size)
{
	uint32_t align = 1;

	if (size == LAC_SIZE_UNKNOWN || size > 1u << 20)
		return 0;
	while (align < size)
		align *= 2;
	return align;
}

/*
 * A packed record, or one with packed members: what is left of its alignment
 * shows where room was left for it.  A hole in front of a member is there for
 * that member's alignment, and padding for the record's own.
 */
static uint32_t packed_align(const struct walk *w, const struct lac_record *r)
{
	uint64_t end = 0, size = r->size * 8, tail = 8;
	uint32_t align = 1;

	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		uint32_t a = w->ix->align[m->type];

		if (m->certainty == LAC_DYNAMIC)
			break;
		if (m->bit_offset >= end + 8 && m->role != LAC_MEMBER_BITFIELD &&
		    a && a < ALIGN_TODO && m->bit_offset % (8 * (uint64_t)a) == 0)
			align = max_u32(align, a);
		if (m->bit_size != LAC_SIZE_UNKNOWN &&
		    m->bit_offset + m->bit_size > end)
			end = m->bit_offset + m->bit_size;
	}
	if (r->size == LAC_SIZE_UNKNOWN || r->size > UINT64_MAX / 8 || !size)
		return align;
	end = (end + 7) / 8 * 8;
	while (tail < size && tail < 1u << 20 &&
	       (end + tail - 1) / tail * tail != size)
		tail *= 2;
	if ((end + tail - 1) / tail * tail == size && size % tail == 0)
		align = max_u32(align, (uint32_t)(tail / 8));
	return align;
}

static uint32_t record_align(const struct walk *w, const struct lac_type *t,
			     lac_type_id id, int depth)
{
	const struct lac_record *r;
	uint32_t natural = 1, declared = t->declared_align;
	bool unknown = false, packed = false;

	if (t->record == LAC_NONE)
		return 0;
	r = &w->g->records[t->record];
	if (r->declared_align &&
	    lac_record_align_told(w->g, r) == LAC_ALIGN_TOLD_EXACTLY)
		return r->declared_align;
	declared = max_u32(declared, r->declared_align);
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		uint32_t a = type_align(w, m->type, depth + 1);

		unknown |= a == 0;
		/* packed Rust structs repeat the alignment of the type there */
		if (m->declared_align &&
		    m->bit_offset % (8 * (uint64_t)m->declared_align) == 0)
			declared = max_u32(declared, m->declared_align);
		if (w->ix->align_source[m->type] != LAC_KNOWN)
			w->ix->align_source[id] = LAC_INFERRED;
		if (m->certainty != LAC_DYNAMIC && a > 1 &&
		    m->role != LAC_MEMBER_BITFIELD &&
		    m->bit_offset % (8 * (uint64_t)a) != 0)
			packed = true;
		natural = max_u32(natural, a);
	}
	if (r->size != LAC_SIZE_UNKNOWN && r->size % natural != 0)
		packed = true;
	if (packed) {
		w->ix->align_source[id] = LAC_INFERRED;
		return max_u32(declared, packed_align(w, r));
	}
	return unknown ? 0 : max_u32(declared, natural);
}

static uint32_t compute(const struct walk *w, lac_type_id id, int depth)
{
	const struct lac_type *t = &w->g->types[id];
	uint32_t below = 0;

	if (is_scalar(t->kind))
		return max_u32(scalar_align(w->g, t), t->declared_align);
	switch (t->kind) {
	case LAC_TYPE_MEMBER_POINTER: /* one or two words */
		return w->g->target.pointer_size;
	case LAC_TYPE_RECORD:
		return record_align(w, t, id, depth);
	case LAC_TYPE_VECTOR:
		return max_u32(vector_align(t->size), t->declared_align);
	case LAC_TYPE_VOID:
	case LAC_TYPE_FUNCTION:
		return 0;
	default: /* as what is below */
		below = type_align(w, t->target, depth + 1);
		w->ix->align_source[id] = w->ix->align_source[t->target];
		if (t->kind == LAC_TYPE_ATOMIC)
			below = atomic_align(t->size, below);
		return max_u32(below, t->declared_align);
	}
}

static uint32_t type_align(const struct walk *w, lac_type_id id, int depth)
{
	uint32_t *a = &w->ix->align[id];

	if (*a == ALIGN_BUSY || depth > DEPTH_MAX)
		return 0;
	if (*a == ALIGN_TODO) {
		*a = ALIGN_BUSY;
		*a = compute(w, id, depth);
	}
	return *a;
}

static void compute_all(const struct lac_graph *g, struct lac_graph_index *ix)
{
	struct walk w = { g, ix };

	for (lac_type_id i = 0; i < g->ntypes; i++) {
		ix->align[i] = ALIGN_TODO;
		ix->align_source[i] = g->tells_alignment ? LAC_KNOWN :
							   LAC_INFERRED;
	}
	for (lac_type_id i = 0; i < g->ntypes; i++)
		type_align(&w, i, 0);
}

const struct lac_graph_index *lac_index_aligned(const struct lac_graph *g)
{
	struct lac_graph_index *ix = g->index;

	if (__atomic_load_n(&ix->aligned, __ATOMIC_ACQUIRE))
		return ix;
	pthread_mutex_lock(&ix->lock);
	if (!ix->aligned) {
		compute_all(g, ix);
		__atomic_store_n(&ix->aligned, true, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&ix->lock);
	return ix;
}

uint32_t lac_type_align(const struct lac_graph *g, lac_type_id id,
			enum lac_certainty *source)
{
	const struct lac_type *t = &g->types[id];
	const struct lac_graph_index *ix;
	uint32_t align;

	if (is_scalar(t->kind)) { /* there is nothing below it to look at */
		align = max_u32(scalar_align(g, t), t->declared_align);
		*source = !align	      ? LAC_UNKNOWN :
			  g->tells_alignment ? LAC_KNOWN :
					       LAC_INFERRED;
		return align;
	}
	ix = lac_index_aligned(g);
	*source = ix->align[id] ? (enum lac_certainty)ix->align_source[id] :
				  LAC_UNKNOWN;
	return ix->align[id];
}

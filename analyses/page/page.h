/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * page.h - struct page in one build: which layout it has, where {freelist,
 * counters} lies, and what the aligned and the packed layout cost.
 *
 * The rules are the kernel's: the alignment attribute and its users of v3.1 to
 * v6.18 (include/linux/mm_types.h, mm/slub.c, mm/slab.h).
 */
#ifndef LAC_PAGE_H
#define LAC_PAGE_H

#include "layout/array.h"
#include "layout/layout.h"

enum lac_page_layout {
	LAC_PAGE_UNKNOWN, /* BTF: the size alone does not tell */
	LAC_PAGE_ALIGNED, /* to two words */
	LAC_PAGE_PACKED,  /* to one: what its members ask for */
	LAC_PAGE_LAYOUTS,
};

enum lac_page_update {
	LAC_UPDATE_UNKNOWN, /* both are possible */
	LAC_UPDATE_CAS,	    /* one compare and swap of both words */
	LAC_UPDATE_LOCK,    /* a bit spinlock in flags */
};

enum lac_answer { LAC_ANSWER_UNKNOWN, LAC_ANSWER_NO, LAC_ANSWER_YES };

/* A named member at any depth of anonymous ones. */
struct lac_page_field {
	bool found;
	uint64_t bit_offset, bit_size;
};

struct lac_page_field lac_page_field(const struct lac_graph *g,
				     lac_record_id id, const char *name);

struct lac_page_pair {
	bool found;
	const char *record; /* that holds it: "page", or "slab" since v5.17 */
	/*
	 * It has no fixed place: it takes the two words of three that begin at
	 * a multiple of their size.  freelist is then where the three words
	 * begin.
	 */
	bool floats;
	bool one_word; /* a member of both words' size lies over it (v6.5) */
	struct lac_page_field freelist, counters;
	/* On a multiple of its size, in every element of an array. */
	enum lac_answer aligned;
	double aligned_fraction; /* of the elements; if aligned is known */
};

/* The descriptor under one layout. */
struct lac_page_side {
	bool known;	/* worked out or read; the rest is empty if not */
	bool computed;	/* the same members under the other rule */
	uint64_t size;	/* bytes */
	uint32_t align; /* bytes */
	uint64_t hole_bits, padding_bits;
};

struct lac_page_build {
	const struct lac_graph *graph;
	lac_record_id page;   /* struct page */
	lac_record_id slab;   /* struct slab, or LAC_NONE */
	uint32_t definitions; /* of struct page in this input */
	const char *era;      /* "v3.13": its fields are as in that version */
	struct lac_layout layout;
	uint32_t word; /* bytes of a pointer */
	enum lac_page_layout kind;
	enum lac_page_update update;
	const char *update_reason;
	struct lac_page_pair pair;
	struct lac_page_side sides[LAC_PAGE_LAYOUTS]; /* by lac_page_layout */
	/*
	 * Both sides have the same size: the member that covers the last word
	 * whole; NULL if none does.
	 */
	bool alignment_is_free;
	const char *filled_by;
	/* struct slab does not fit into the smaller struct page */
	bool slab_too_large;
	uint64_t slab_size; /* bytes, of the smaller side; 0 without a slab */
};

/*
 * Look at the struct page of a graph.  LAC_NOT_FOUND if it has none.  *ret
 * lives in the arena and refers to the graph.
 */
LAC_MUST_CHECK enum lac_status lac_page_analyse(const struct lac_graph *g,
						struct lac_arena *arena,
						struct lac_page_build *ret,
						struct lac_err *err);

/*
 * The share of the elements of an array, begun on a multiple of align, whose
 * byte `offset` is on a multiple of align.
 */
double lac_page_aligned_share(uint64_t stride, uint64_t offset, uint32_t align);

/*
 * Where a pair that floats begins in element i of an array that starts on a
 * multiple of the pair's size, in bytes from the element.
 */
uint64_t lac_page_float_offset(const struct lac_page_build *b, uint64_t i);

/* Bytes of the memory map for ram bytes of memory in pages of page_size. */
uint64_t lac_page_memmap(uint64_t ram, uint64_t page_size, uint64_t descriptor);

/*
 * The fields that freeing an object reads of its descriptor, by era: their
 * number, at most 4, and place.  0 if the era is not known or one is missing.
 */
unsigned lac_page_kfree_fields(const struct lac_page_build *b,
			       struct lac_page_field fields[4],
			       const char *names[4]);

const char *lac_page_layout_name(enum lac_page_layout l);
const char *lac_page_update_name(enum lac_page_update u);
/* "aligned-cas" and so on; NULL if either half is unknown. */
const char *lac_page_variant_name(enum lac_page_layout l,
				  enum lac_page_update u);

#endif

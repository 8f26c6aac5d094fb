/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * layout.h - a record as bytes and cache lines.  Pure: a const graph in, new
 * values out.
 *
 * The one conservation law: the spans of a byte map partition the record, so
 * members + holes + padding + unknown = size * 8 bits, always; every total
 * printed anywhere is a sum over them.  A hole or padding inside a nested
 * record belongs to that record and is summed apart (nested_*).
 */
#ifndef LAC_LAYOUT_H
#define LAC_LAYOUT_H

#include "dbginfo/graph.h"

enum lac_span_kind {
	LAC_SPAN_MEMBER,
	LAC_SPAN_HOLE,	  /* nothing covers it, a later member follows */
	LAC_SPAN_PADDING, /* nothing covers it, nothing follows */
	LAC_SPAN_UNKNOWN, /* cannot be said: behind a member of unknown size,
			     or where a virtual base may lie */
};

struct lac_span {
	enum lac_span_kind kind;
	/*
	 * The first of those that cover it; LAC_NONE, also for the tag of its
	 * enum in a variant, which is a MEMBER but none of the record's.
	 */
	uint32_t member;
	uint64_t bit_offset, bit_size;
};

/*
 * Invariants: spans[0] starts at 0, each starts where the one before ends, the
 * last ends at size * 8; none is empty; PADDING only comes last.
 */
struct lac_byte_map {
	uint32_t nspans;
	const struct lac_span *spans;
};

/*
 * A member that crosses a line border; of an array, at least one element that
 * does (the array as a whole does not count).  A nested record counts as a
 * whole.
 */
struct lac_straddler {
	uint32_t member;
	uint64_t bit_offset, bit_size; /* of the member */
	/*
	 * For an array (all dimensions flattened): the first element that
	 * crosses and how many do, at least 1; for anything else 0 and 1.
	 */
	uint64_t first_element, elements;
};

enum lac_align_source {
	LAC_ALIGN_UNKNOWN,
	/*
	 * What its members ask for, and a hole or padding shows that they get
	 * it.  (No input tells a packed record whose unnamed bit-fields stand
	 * just where that room would be, nor a member with a packed attribute
	 * that moves nothing.)
	 */
	LAC_ALIGN_NATURAL,
	/*
	 * From offsets and size: packed, BTF, a producer that writes no
	 * alignments, nothing that tells packed from natural.
	 */
	LAC_ALIGN_INFERRED,
	LAC_ALIGN_DECLARED, /* an attribute on it or on a member */
	LAC_ALIGN_TOLD, /* by a compiler that tells it of every type: rustc */
};

enum lac_packed { LAC_PACKED_NO, LAC_PACKED_DECLARED, LAC_PACKED_INFERRED };

/*
 * What has been worked out about the records of one graph, so that a type that
 * a thousand others embed is looked at once.  Belongs to one thread.
 */
struct lac_rules;

/* Lives in the arena; NULL when out of memory. */
struct lac_rules *lac_rules_create(const struct lac_graph *g,
				   struct lac_arena *arena);

#define LAC_LINE_SIZE_MAX 65536u /* bytes */

struct lac_layout_options {
	/*
	 * bytes, a power of two up to LAC_LINE_SIZE_MAX; 0 for
	 * lac_line_size_of() of the graph's target
	 */
	uint32_t line_size;
	uint64_t first_byte; /* where in a line the record starts (its phase) */
	/* of the same graph, to be shared by many calls; NULL: made anew */
	struct lac_rules *rules;
	/* spans and straddlers are counted, and not listed */
	bool figures_only;
};

/*
 * Bytes of a cache line where every processor of the machine has the same: 64
 * for x86-64, 128 for 64-bit PowerPC, 256 for S/390 (L1_CACHE_SHIFT of
 * arch/powerpc and arch/s390 in Linux); else 64, and *fixed (may be NULL) false.
 */
uint32_t lac_line_size_of(const struct lac_target *t, bool *fixed);

struct lac_layout {
	const struct lac_graph *graph;
	lac_record_id record;
	uint32_t line_size;
	uint64_t first_byte; /* modulo line_size */
	uint32_t align;	     /* bytes; 0 if unknown */
	enum lac_align_source align_source;
	enum lac_packed packed;
	bool figures_only; /* map and straddlers are not listed */
	struct lac_byte_map map; /* empty if the record's size is unknown */
	uint32_t nholes;
	uint64_t member_bits; /* that at least one member covers */
	uint64_t hole_bits, padding_bits, unknown_bits;
	/*
	 * What the records among its members waste, at any depth, arrays
	 * multiplied out; of a union (or a Rust enum) the arm that wastes
	 * most, as an object holds one at a time.  Saturates.
	 */
	uint64_t nested_hole_bits, nested_padding_bits;
	uint64_t lines; /* that one object touches at this phase */
	uint32_t nstraddlers;
	const struct lac_straddler *straddlers;
};

/* Everything in *ret lives in the arena; untouched on failure. */
LAC_MUST_CHECK enum lac_status
lac_layout_compute(const struct lac_graph *g, lac_record_id id,
		   const struct lac_layout_options *o, struct lac_arena *arena,
		   struct lac_layout *ret, struct lac_err *err);

/*
 * A record as C code names its members: unnamed structs and unions are
 * transparent, so what they hold, at any depth, are members of the record, and
 * a bit that none of these covers is the record's own hole or padding.  A named
 * arm of a union that has an unnamed one, too (Linux's struct_group()), covers
 * what its own members do, and no hole of its own.  This is what `check` counts;
 * lac_layout has it by record, as it is declared.
 */
struct lac_through {
	/*
	 * The record with such members instead, by bit_offset.  Its kind is
	 * LAC_UNION where some overlap.  In straddlers, the index of a member
	 * is one of these; in map, one of cover, which has the members of such
	 * named arms instead of them.  Both are empty if the layout's are.
	 */
	struct lac_record record, cover;
	struct lac_byte_map map;
	uint32_t nholes, nstraddlers;
	const struct lac_straddler *straddlers;
	uint64_t hole_bits, padding_bits, unknown_bits;
	/* holes in the records that the (named) members are; saturates */
	uint64_t named_hole_bits;
};

/* In the arena; LAC_BAD_INPUT if it comes to more than any source has. */
LAC_MUST_CHECK enum lac_status
lac_record_through(const struct lac_graph *g, lac_record_id id,
		   struct lac_arena *arena, struct lac_record *ret,
		   struct lac_err *err);
LAC_MUST_CHECK enum lac_status
lac_through_compute(const struct lac_layout *l, struct lac_rules *rules,
		    struct lac_arena *arena, struct lac_through *ret,
		    struct lac_err *err);

/*
 * What lac_straddler.elements is for a member of an object that starts on a
 * line's border, 0 for one that crosses none.
 */
uint64_t lac_member_crossings(const struct lac_graph *g,
			      const struct lac_member *m, uint32_t line_size);

/*
 * The padding, in bits, of the record that member i of r is, or that each
 * element of it is: unnamed structs opened, and none of what lies deeper.  0
 * for what is no record, and where another member lies in that padding;
 * LAC_SIZE_UNKNOWN if its layout is not known.
 */
LAC_MUST_CHECK enum lac_status
lac_member_end_padding(const struct lac_graph *g, const struct lac_record *r,
		       uint32_t i, struct lac_rules *rules,
		       struct lac_arena *arena, uint64_t *ret,
		       struct lac_err *err);

/*
 * The holes, in bits, inside of the record that a member is, at any depth, and
 * of all elements: what it adds to the nested holes of a struct.  0 for what is
 * no record; LAC_SIZE_UNKNOWN if its layout or place is not known (a virtual
 * base's), or it is too much.
 */
uint64_t lac_member_inner_holes(const struct lac_graph *g,
				const struct lac_member *m,
				struct lac_rules *rules);

/* The unnamed struct or union that a member is, or LAC_NONE. */
lac_record_id lac_member_transparent(const struct lac_graph *g,
				     const struct lac_member *m);

/*
 * The line map, one piece at a time: the spans cut at the line borders.  Start
 * with a zeroed cursor; false at the end.  Nothing is stored, however many
 * lines there are.
 */
struct lac_piece {
	uint64_t line; /* 0 is the line that the first byte lies in */
	enum lac_span_kind kind;
	uint32_t member;
	uint64_t bit_offset, bit_size;
};

struct lac_piece_cursor {
	uint32_t span;
	uint64_t used_bits; /* of that span */
};

bool lac_piece_next(const struct lac_layout *l, struct lac_piece_cursor *c,
		    struct lac_piece *ret);

/*
 * How a member stands in C, so that the whole compiles to the offsets that were
 * read.
 */
struct lac_c_member {
	uint32_t align; /* aligned(N) on it, bytes; 0 for none */
	bool packed;	/* the attribute on it alone */
	/* unnamed bit-fields in front, in bits; 0 for none */
	uint64_t fill_bits;
	bool fill_to_unit; /* ":0" says the same: it closes the unit */
};

struct lac_c_form {
	/*
	 * The C text with these attributes compiles to this very layout, by
	 * the rules of the System V ABIs.  false for what C cannot say.
	 */
	bool exact;
	bool packed;	    /* the attribute on the record */
	uint32_t align;	    /* aligned(N) on the record, bytes; 0 for none */
	uint64_t fill_bits; /* unnamed bit-fields at the end */
	const struct lac_c_member *members; /* one for each of the record's */
};

/*
 * How the record is said in C.  Attributes that the input tells are used;
 * others only where the layout cannot be had without them.
 */
LAC_MUST_CHECK enum lac_status
lac_c_form_fit(const struct lac_graph *g, lac_record_id id,
	       struct lac_rules *rules, struct lac_arena *arena,
	       struct lac_c_form *ret, struct lac_err *err);

/*
 * The record that a type is, behind typedefs, qualifiers and, if count is
 * given, arrays, whose elements it then multiplies up to (saturating).
 * LAC_NONE for anything else.
 */
lac_record_id lac_type_record(const struct lac_graph *g, lac_type_id id,
			      uint64_t *count);

/*
 * The nameless record that stands in the declaration itself: no typedef is
 * between, which would be shown instead.  LAC_NONE for anything else.
 */
lac_record_id lac_type_nameless(const struct lac_graph *g, lac_type_id id);

/* Whether its last member is a flexible (or zero-length) array. */
bool lac_record_is_flexible(const struct lac_graph *g, lac_record_id id);

/* The conservation law and the invariants; aborts: a violation is our fault. */
void lac_layout_assert(const struct lac_layout *l);

const char *lac_align_source_name(enum lac_align_source s);
const char *lac_packed_name(enum lac_packed p);
const char *lac_record_kind_name(enum lac_record_kind k);
const char *lac_certainty_name(enum lac_certainty c);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shape.h - a record or an enumeration as a value: what two builds of it are
 * compared by.  Holds no reference into a graph: a shape outlives its input.
 *
 * Anonymous records have no identity of their own; their members are listed
 * as members of the record that holds them, at absolute bit offsets, as C
 * code names them.  The anonymous record itself is listed too ("inlined").
 *
 * Invariants: fields by lac_field_order(); parent < LAC_NONE is the index of
 * an inlined field; equal shapes have equal hashes.
 */
#ifndef LAC_SHAPE_H
#define LAC_SHAPE_H

#include "dbginfo/graph.h"
#include "layout/layout.h"

struct lac_field {
	/* "lru", "u.a", "slot[].x"; "union {x, ...}" for an unnamed one */
	const char *path;
	const char *type;     /* as declared, spelled one way for all readers */
	const char *resolved; /* what its typedefs lead to; NULL if the same */
	const char *element;  /* arrays: the element's type, else NULL */
	uint32_t ndims;
	const uint64_t *dims; /* arrays: elements per dimension */
	uint64_t bit_offset;  /* absolute */
	uint64_t bit_size;    /* LAC_SIZE_UNKNOWN; 0 for flexible arrays */
	uint32_t declared_align; /* bytes, 0 for none */
	enum lac_member_role role;
	enum lac_certainty certainty;
	bool inlined;	 /* an anonymous record whose members follow */
	bool unnamed;	 /* inlined, and C code does not name it */
	bool transparent; /* unnamed, and no array: its members are as direct */
	uint32_t parent; /* the inlined field that holds it, or LAC_NONE */
	uint32_t depth;
	uint32_t member; /* index of the record's direct member */
	uint32_t seq;	 /* its place in a walk in declared order */
	/*
	 * Elements that cross a line border, of what C code names as a member
	 * of the record: unnamed structs and unions are transparent, as in
	 * struct lac_through, and have 0.
	 */
	uint64_t crossings;
	/* of an inlined record: what is in itself */
	uint32_t nholes;
	uint64_t hole_bits, padding_bits;
};

struct lac_shape {
	const char *name;  /* bare: "page", "spinlock_t" */
	const char *label; /* as a person says it: "struct page" */
	bool by_typedef;   /* the name is a typedef's */
	bool is_enum;
	enum lac_record_kind kind;
	const char *decl_file; /* NULL if unknown */
	uint32_t decl_line;
	uint64_t size;	       /* bytes, or LAC_SIZE_UNKNOWN */
	uint32_t align;	       /* bytes, 0 if unknown */
	enum lac_align_source align_source;
	enum lac_packed packed;
	uint64_t lines;
	uint32_t nholes, nstraddlers;
	uint64_t hole_bits, padding_bits, unknown_bits;
	uint32_t nfields;
	struct lac_field *fields;
	bool is_signed; /* enumerations */
	uint32_t nvalues;
	const struct lac_enumerator *values;
	uint64_t hash; /* of what every format tells: no alignments */
};

/* What is built once per graph: which records are inlined, type texts. */
struct lac_shaper;

/* g and arena must outlive it; texts are kept in the arena. */
LAC_MUST_CHECK enum lac_status lac_shaper_create(const struct lac_graph *g,
						 uint32_t line_size,
						 struct lac_arena *arena,
						 struct lac_shaper **ret,
						 struct lac_err *err);

/* The shape of a record; everything in it lives in the shaper's arena. */
LAC_MUST_CHECK enum lac_status lac_shape_record(struct lac_shaper *s,
						lac_record_id id,
						struct lac_shape *ret,
						struct lac_err *err);
LAC_MUST_CHECK enum lac_status lac_shape_enum(struct lac_shaper *s,
					      uint32_t enumeration,
					      struct lac_shape *ret,
					      struct lac_err *err);

/* It is shown within the record that holds it, not on its own. */
bool lac_shaper_inlines(const struct lac_shaper *s, lac_record_id id);

/* The anonymous record that an inlined member is made of, or LAC_NONE. */
lac_record_id lac_inlined_record(const struct lac_graph *g, lac_type_id type,
				 uint64_t *elements);

/* The type as text, integer types spelled one way; NULL: out of memory. */
const char *lac_shaper_type(struct lac_shaper *s, lac_type_id id);

/* One that is not known differs from none. */
static inline bool lac_aligns_equal(uint32_t a, uint32_t b)
{
	return a == b || !a || !b;
}

/*
 * For qsort(): by bit offset, unnamed ones before what they hold, then by path.
 * What an unnamed one is called does not count, here as in equality.
 */
int lac_field_order(const void *a, const void *b);

/* It lies over the other members of what holds it directly. */
bool lac_field_in_union(const struct lac_shape *s, const struct lac_field *f);

/* Equal but for where they are declared and what they are called. */
bool lac_shape_same_layout(const struct lac_shape *a,
			   const struct lac_shape *b);
void lac_shape_rehash(struct lac_shape *s);

/*
 * "long unsigned int" -> "unsigned long", anywhere in a declaration.  May be
 * the text itself; NULL: out of memory.
 */
const char *lac_type_text_normal(const char *text, struct lac_arena *arena);

/*
 * What lac_type_declare_cut() made of a type whose parameters are too long, and
 * a digest of all of it behind: two such texts are equal if the types are.
 * memo: zeroed, one for each type of the graph; kept from call to call, so that
 * all of them together take linear time.  NULL when out of memory.
 */
const char *lac_type_text_digest(const struct lac_graph *g, lac_type_id id,
				 const char *text, uint64_t *memo,
				 struct lac_arena *arena);

#endif

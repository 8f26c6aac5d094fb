/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pool.h - types by content: what is equal is one.
 *
 * Readers put types in from the inside out and get the id of an equal one if
 * there is one, so that a layout that occurs in a thousand units is stored
 * once.  Content is layout: where something was declared is not part of it.
 *
 * What a pointer points to is named only: a RECORD type without a record, to
 * be resolved by name when the pool becomes a graph.  That breaks cycles.
 */
#ifndef LAC_POOL_H
#define LAC_POOL_H

#include "dbginfo/graph.h"
#include "dbginfo/map.h"
#include "dbginfo/table.h"
#include "dbginfo/unit_list.h"

/*
 * A type of more than so many levels is hostile: what walks over types may
 * recurse.
 */
#define LAC_TYPE_DEPTH_MAX 2048

/* What the input has said of a record so far, beside its layout. */
struct lac_pool_seen {
	struct lac_unit_list units;
	bool placed; /* where it was declared is known */
};

/* Where a root was declared, and in which record's type (0: in none). */
struct lac_pool_place {
	const char *file;
	uint32_t line;
	lac_type_id parent;
};

struct lac_pool {
	struct lac_arena *arena; /* will be the graph's */
	struct lac_type *types;
	bool *by_value; /* a declaration that a member is made of */
	uint16_t *depth; /* by type: how many are below it */
	lac_type_id *pointer; /* by type: a plain one to it, or 0 */
	struct lac_record *records; /* ids are the pool's */
	struct lac_pool_seen *seen; /* by record */
	struct lac_enumeration *enumerations;
	bool *enum_placed; /* likewise, by enumeration */
	struct lac_unit *units;
	const char **strings;
	lac_type_id *roots; /* in the order of the input: they give the ids */
	bool has_opaque; /* an enumeration that is declared, with its size */
	uint32_t nroots, roots_cap;
	uint32_t ntypes, nrecords, nenumerations, nunits, nstrings;
	uint32_t types_cap, records_cap, enumerations_cap, units_cap,
		strings_cap;
	struct lac_table string_table, type_table, record_table, enum_table;
};

LAC_MUST_CHECK enum lac_status lac_pool_create(struct lac_pool **ret,
					       struct lac_err *err);
void lac_pool_destroy(struct lac_pool *p); /* NULL is a no-op */

/* The pool's own copy; NULL stays NULL. */
LAC_MUST_CHECK enum lac_status lac_pool_string(struct lac_pool *p,
					       const char *s, const char **ret,
					       struct lac_err *err);

/*
 * Strings in t are the pool's.  Function parameters are copied.  by_value: see
 * above; false for everything else.
 */
LAC_MUST_CHECK enum lac_status lac_pool_type(struct lac_pool *p,
					     const struct lac_type *t,
					     bool by_value, lac_type_id *ret,
					     struct lac_err *err);

/*
 * A record or enumeration and the type that stands for it.  Members and values
 * are copied; where it was declared, its parent and its units are set apart.
 */
LAC_MUST_CHECK enum lac_status lac_pool_record(struct lac_pool *p,
					       const struct lac_record *r,
					       lac_type_id *ret,
					       struct lac_err *err);
LAC_MUST_CHECK enum lac_status
lac_pool_enumeration(struct lac_pool *p, const struct lac_enumeration *e,
		     lac_type_id *ret, struct lac_err *err);

/* They say the same; names are interned alike. */
bool lac_pool_same_enum(const struct lac_enumeration *a,
			const struct lac_enumeration *b);

/* Bytes, as far as the pool knows by now; LAC_SIZE_UNKNOWN. */
uint64_t lac_pool_size(const struct lac_pool *p, lac_type_id id);

/*
 * A bit-field is of an integer type.  What is given a size in bits, but has
 * another type and whole bytes, is an _Atomic that clang made larger than that.
 */
bool lac_pool_is_bitfield(const struct lac_pool *p, const struct lac_member *m);

/* Through typedefs and qualifiers: what a bit-field may be of. */
bool lac_pool_is_integer(const struct lac_pool *p, lac_type_id id);

LAC_MUST_CHECK enum lac_status lac_pool_unit(struct lac_pool *p,
					     const char *name,
					     const char *producer,
					     struct lac_err *err);

/*
 * A type that stands for itself: what no root leads to will not be in the
 * graph.  The first root of a record or an enumeration gives its place.
 */
LAC_MUST_CHECK enum lac_status lac_pool_root(struct lac_pool *p, lac_type_id id,
					     const struct lac_pool_place *place,
					     struct lac_err *err);

/* Note that a unit has the record of that type, if it is one. */
LAC_MUST_CHECK enum lac_status lac_pool_add_unit_of(struct lac_pool *p,
						    lac_type_id id,
						    uint32_t unit,
						    struct lac_err *err);

/*
 * Put every type of `from` in `to`; *map[id of from] is the id there, freed by
 * the caller.  Roots, places and units stay behind.  instead: by type of from,
 * itself or the enumeration to put in its place; NULL: each is itself.
 */
LAC_MUST_CHECK enum lac_status lac_pool_merge(struct lac_pool *to,
					      const struct lac_pool *from,
					      const lac_type_id *instead,
					      lac_type_id **map,
					      struct lac_err *err);

/*
 * Make the pool a graph: names resolved, sizes completed, index built.  A head
 * that has its types already only gets the index, and what the arena holds.
 * The pool is gone afterwards, also on failure.
 */
LAC_MUST_CHECK enum lac_status lac_pool_freeze(struct lac_pool *p,
					       const struct lac_graph *head,
					       struct lac_graph **ret,
					       struct lac_err *err);

#endif

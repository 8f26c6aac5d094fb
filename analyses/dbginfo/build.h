/* SPDX-License-Identifier: BSD-2-Clause */
/* build.h - from entries of DWARF to types of a pool. */
#ifndef LAC_BUILD_H
#define LAC_BUILD_H

#include "dbginfo/die.h"
#include "dbginfo/lines.h"
#include "dbginfo/scanned.h"
#include "dbginfo/pool.h"

/* Chains deeper than this are hostile. */
#define LAC_DIE_DEPTH_MAX 256

/* What an entry does not tell itself: it stands elsewhere in its unit. */
struct lac_note {
	const char *name; /* told by the declaration that it completes */
	const char *typedef_name; /* names an anonymous record; or NULL */
	const char *scope;	  /* "a::b", or NULL */
	lac_die_ref parent;	  /* the record it is declared in */
	bool payload;		  /* of a variant */
};

/*
 * What fast.c found out: a key (ref << 1 | by_name) -> a number, and by that
 * number the key of the entry that is expanded for it, and the note on it.
 */
struct lac_canon {
	struct lac_map number;
	uint64_t *key;
	struct lac_note *note;
};

/* A unit whose types are in another file. */
struct lac_skeleton {
	const char *name, *comp_dir; /* live in the reader */
	uint64_t id;
};

struct lac_build {
	const struct lac_raw_sections *raw;
	const struct lac_raw_sections *alt_raw; /* of dwz's common file; or NULL */
	struct lac_lines alt_lines;
	struct lac_lines lines;
	struct lac_line_unit line_unit;
	lac_die_ref line_root; /* whose line_unit is */
	struct lac_dwarf *d;
	struct lac_pool *p;
	struct lac_arena *arena; /* for notes */
	struct lac_map memo;	 /* ref, and whether by name -> type */
	struct lac_map notes;	 /* ref -> index */
	struct lac_map variants; /* records that have a variant part */
	struct lac_map fertile;	 /* functions with types of their own */
	uint32_t nroots;	 /* met so far, when taking notes */
	struct lac_note *note;
	uint32_t nnotes, notes_cap;
	const struct lac_dwarf_unit *units;
	size_t nunits;
	bool *noted; /* by unit: its notes have been taken */
	/* by unit: its number in the pool; LAC_NONE for a skeleton, or while
	   it has none (partial and type units) */
	uint32_t *number;
	bool *shared; /* by unit: its types are those of its users */
	struct lac_skeleton *skeletons;
	size_t nskeletons, skeletons_cap;
	/* plain.c: who uses the types of whom, and the units of records */
	uint32_t current_unit;
	struct lac_map edges; /* from << 32 | to */
	struct lac_unit_list *lists; /* by record of the pool */
	uint32_t nlists;
	bool named; /* the units are in the pool */
	bool leave; /* see graph.h */
	bool big_endian;
	int depth;
	const struct lac_canon *canon; /* NULL if every unit is expanded */
	/* fast.c: an expansion asked for an entry that the scan did not see */
	bool missed;
	bool unmixed; /* atomic.c: one compiler's conventions throughout */
};

LAC_MUST_CHECK enum lac_status lac_build_init(struct lac_build *b,
					      struct lac_dwarf *d,
					      const struct lac_raw_sections *raw,
					      struct lac_pool *p,
					      const struct lac_dwarf_unit *units,
					      size_t nunits,
					      struct lac_err *err);
void lac_build_deinit(struct lac_build *b);

/*
 * Add all units to the pool, once, and note which are skeletons.  kept: what is
 * known of them, by unit; NULL: read it.
 */
LAC_MUST_CHECK enum lac_status lac_build_units(struct lac_build *b,
					       const struct lac_scanned *kept,
					       struct lac_err *err);

/* The pool's copy of a file's name in the unit of that entry, or NULL. */
LAC_MUST_CHECK enum lac_status lac_build_file(struct lac_build *b,
					      lac_die_ref root, uint64_t file,
					      const char **ret,
					      struct lac_err *err);

/*
 * The type at ref.  by_name: it is what something points to, so that a record
 * with a name is only named.
 */
LAC_MUST_CHECK enum lac_status lac_build_type(struct lac_build *b,
					      lac_die_ref ref, bool by_name,
					      lac_type_id *ret,
					      struct lac_err *err);

/* The unit uses the type at ref, if that is of a partial or type unit. */
LAC_MUST_CHECK enum lac_status lac_build_edge(struct lac_build *b,
					      uint32_t from, lac_die_ref ref,
					      struct lac_err *err);

/*
 * Notes on every entry of the unit; whom it uses, and which of its functions
 * have types.  Once is enough.
 */
LAC_MUST_CHECK enum lac_status lac_notes_take(struct lac_build *b, size_t unit,
					      struct lac_err *err);

/* A record, enumeration or typedef that stands for itself. */
bool lac_is_root(const struct lac_die *die);

/* -- between build.c, record.c and notes.c -------------------------------- */

/* The note on an entry, or an empty one. */
LAC_MUST_CHECK enum lac_status lac_note_get(struct lac_build *b,
					    lac_die_ref ref,
					    struct lac_note *ret,
					    struct lac_err *err);

/* The unit that an entry lies in, or LAC_NONE. */
uint32_t lac_build_unit_of(const struct lac_build *b, lac_die_ref ref);

/* Bytes of an address in the unit that an entry lies in. */
uint64_t lac_build_address_size(const struct lac_build *b, lac_die_ref ref);

/* "scope::name"; name, if there is no scope; the pool's copy. */
LAC_MUST_CHECK enum lac_status
lac_build_name(struct lac_build *b, const struct lac_note *note,
	       const char *name, const char **ret, struct lac_err *err);

LAC_MUST_CHECK enum lac_status lac_build_record(struct lac_build *b,
						struct lac_die *die,
						lac_type_id *ret,
						struct lac_err *err);

/*
 * Bytes of the _Atomic at ref, if they are not those of its inner type;
 * LAC_SIZE_UNKNOWN otherwise.
 */
LAC_MUST_CHECK enum lac_status lac_atomic_size(struct lac_build *b,
					       lac_die_ref ref,
					       lac_type_id inner, uint64_t *ret,
					       struct lac_err *err);

bool lac_is_record_tag(uint16_t tag);
bool lac_has_scopes(uint16_t language); /* its names are qualified */
enum lac_record_kind lac_record_kind_of(uint16_t tag);

/* Entries below which types may be declared. */
bool lac_is_scope_tag(uint16_t tag);

#endif

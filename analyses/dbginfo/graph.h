/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph.h - the types of one input: what every reader fills and every analysis
 * reads.  No ELF, DWARF or BTF word appears beyond this header.
 *
 * Invariants (lac_graph_check): ids are dense, type 0 is void; every reference
 * resolves; a chain of typedefs, qualifiers, pointers and arrays ends; names
 * are interned (equal names are equal pointers within a graph); nothing changes
 * once a reader has returned the graph; the graph owns one arena.
 */
#ifndef LAC_GRAPH_H
#define LAC_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

typedef uint32_t lac_type_id;	/* index into lac_graph.types; 0 is void */
typedef uint32_t lac_record_id; /* index into lac_graph.records */

#define LAC_NONE UINT32_MAX	    /* no such record, enumeration, unit */
#define LAC_SIZE_UNKNOWN UINT64_MAX /* a size that the input does not tell */

enum lac_type_kind {
	LAC_TYPE_VOID,
	LAC_TYPE_BASE,
	LAC_TYPE_POINTER,
	LAC_TYPE_REFERENCE,	   /* C++ T& */
	LAC_TYPE_RVALUE_REFERENCE, /* C++ T&& */
	LAC_TYPE_MEMBER_POINTER,   /* C++ T C::* */
	LAC_TYPE_ARRAY,		   /* one dimension; the element is the target */
	LAC_TYPE_VECTOR,	   /* an array that aligns as a whole */
	LAC_TYPE_ENUM,
	LAC_TYPE_RECORD,
	LAC_TYPE_TYPEDEF,
	LAC_TYPE_CONST,
	LAC_TYPE_VOLATILE,
	LAC_TYPE_RESTRICT,
	LAC_TYPE_ATOMIC,
	LAC_TYPE_FUNCTION,
	LAC_TYPE_UNSPECIFIED, /* nullptr_t, and what a reader cannot name */
};

enum lac_encoding { /* of a base type */
	LAC_ENC_SIGNED,
	LAC_ENC_UNSIGNED,
	LAC_ENC_BOOL,
	LAC_ENC_SIGNED_CHAR,
	LAC_ENC_UNSIGNED_CHAR,
	LAC_ENC_FLOAT,
	LAC_ENC_COMPLEX,
	LAC_ENC_UTF,
	LAC_ENC_OTHER,
};

enum lac_record_kind {
	LAC_STRUCT,
	LAC_UNION,
	LAC_CLASS,
	LAC_VARIANT_ENUM, /* Rust: an enum whose variants carry data */
	LAC_VARIANT,	  /* Rust: the payload of one variant */
};

struct lac_array_type {
	uint64_t count; /* elements; 0 for zero-length and flexible arrays */
	bool flexible;	/* declared without a bound: T a[] */
};

struct lac_function_type {
	const lac_type_id *params; /* the result is the target */
	uint32_t nparams;
	bool variadic;
};

/* There are a hundred thousand of them: narrow on purpose, as members are. */
struct lac_type {
	const char *name;	 /* NULL if it has none */
	uint64_t size;		 /* bytes, or LAC_SIZE_UNKNOWN */
	enum lac_type_kind kind : 8;
	enum lac_encoding encoding : 8; /* BASE */
	enum lac_record_kind record_kind : 8; /* RECORD, if only declared, too */
	uint32_t declared_align; /* bytes, by an attribute; 0 if none */
	lac_type_id target; /* pointee, element, aliased, result, underlying */
	union {
		struct lac_array_type array;	   /* ARRAY, VECTOR */
		struct lac_function_type function; /* FUNCTION */
		/*
		 * RECORD: its definition, LAC_NONE if only declared.
		 * MEMBER_POINTER: the class it points into.
		 */
		lac_record_id record;
		uint32_t enumeration; /* ENUM: index, LAC_NONE if declared only */
	};
};

enum lac_certainty {
	LAC_KNOWN,    /* read from the input */
	LAC_INFERRED, /* worked out; the rule stands where it is applied */
	LAC_UNKNOWN,  /* the input does not tell: e.g. the size of a member
			 whose type is only declared */
	LAC_DYNAMIC,  /* decided at run time: the place of a virtual base */
};

enum lac_member_role {
	LAC_MEMBER_PLAIN,
	LAC_MEMBER_BITFIELD,
	LAC_MEMBER_BASE,	 /* a C++ base class */
	LAC_MEMBER_VIRTUAL_BASE, /* its certainty is LAC_DYNAMIC */
	LAC_MEMBER_VPTR,
	LAC_MEMBER_DISCRIMINANT, /* Rust: the tag of a variant enum */
	LAC_MEMBER_VARIANT,	 /* Rust: one variant; overlaps its siblings */
};

/* A direct member.  Static members are none. */
struct lac_member {
	const char *name; /* NULL if anonymous */
	lac_type_id type;
	enum lac_member_role role : 8;
	enum lac_certainty certainty : 8;
	bool has_discriminant; /* of a LAC_MEMBER_VARIANT that has a value */
	/*
	 * From the start of the record.  Bit 0 is the lowest bit of byte 0 on
	 * little-endian targets and the highest on big-endian ones.
	 * Meaningless if certainty is LAC_DYNAMIC.
	 */
	uint64_t bit_offset;
	/* 0 if it covers nothing (flexible or empty); LAC_SIZE_UNKNOWN */
	uint64_t bit_size;
	uint32_t declared_align; /* bytes, by an attribute on it; 0 if none */
	/* LAC_MEMBER_VARIANT: the tag's value; absent for the default one */
	uint64_t discriminant;
};

/*
 * One layout of a struct, union or class.  Equal layouts of several units are
 * one record; different ones of one name are different records.
 * Invariants: members by bit_offset, then as declared; LAC_DYNAMIC ones last.
 * None ends after the record.
 */
struct lac_record {
	const char *name; /* qualified, as the input spells it; NULL if none */
	/*
	 * For an anonymous record: a typedef that names it ("foo_t"), or NULL.
	 */
	const char *typedef_name;
	enum lac_record_kind kind;
	uint64_t size;		 /* bytes, or LAC_SIZE_UNKNOWN */
	uint32_t declared_align; /* bytes, by an attribute on it; 0 if none */
	lac_type_id type;	 /* the (first) type that stands for it */
	uint32_t nmembers;
	const struct lac_member *members;
	const char *decl_file; /* NULL if unknown */
	uint32_t decl_line;	   /* 0 if unknown */
	lac_record_id parent; /* it is declared inside that one, or LAC_NONE */
	uint32_t nunits;
	const uint32_t *units; /* ascending indices of the units that have it */
	/*
	 * Why it cannot be as the input has it (a member behind its end, itself
	 * among its members, one of those in a nameless member), or NULL.  Such
	 * members were cut off at the end.
	 */
	const char *damage;
};

struct lac_enumerator {
	const char *name;
	int64_t value; /* as the bits of an unsigned one if !is_signed */
};

struct lac_enumeration {
	const char *name; /* NULL if it has none */
	uint64_t size;	  /* bytes */
	bool is_signed;
	lac_type_id type;
	uint32_t nvalues;
	const struct lac_enumerator *values; /* as declared */
	const char *decl_file;
	uint32_t decl_line;
};

/* A typedef that leads to a record through typedefs and qualifiers only. */
struct lac_alias {
	const char *name;
	lac_record_id record;
};

struct lac_unit {
	const char *name;     /* as compiled: "mm/slub.c"; never NULL */
	const char *producer; /* compiler and options; NULL if unknown */
};

enum lac_format { LAC_FORMAT_AUTO, LAC_FORMAT_DWARF, LAC_FORMAT_BTF };

/* What the layout rules depend on. */
struct lac_target {
	uint16_t machine;     /* EM_* of the ELF header; 0 if unknown */
	uint8_t pointer_size; /* bytes */
	bool big_endian;
};

struct lac_graph {
	struct lac_arena *arena;
	const char *path;	 /* as the caller named it */
	const char *debug_path;	 /* the file that held the debug info */
	enum lac_format format;	 /* DWARF or BTF */
	struct lac_target target;
	/* false: the format cannot tell a declared alignment (BTF) */
	bool tells_alignment;
	/*
	 * What options.partial goes without, or NULL: debug info that was not
	 * found, records that are malformed.
	 */
	const char *missing;
	bool partial; /* as it was asked for: leave malformed records out */
	const char *version; /* "Linux version ..." of a kernel image, or NULL */
	/* made from the file at path only; no other was even looked for */
	bool alone;

	uint32_t ntypes, nrecords, nenumerations, naliases, nunits;
	const struct lac_type *types;
	const struct lac_record *records;
	const struct lac_enumeration *enumerations;
	const struct lac_alias *aliases;
	const struct lac_unit *units;
	void *index; /* names -> records and aliases; see find.c */
};

struct lac_graph_options {
	enum lac_format format;
	/* accept that part of the debug info is gone, or malformed */
	bool partial;
	bool no_cache;		 /* neither read nor write a kept graph */
	/*
	 * Where graphs are kept (store.h); NULL for nowhere.  cache_min_bytes:
	 * smaller files are always read, cache_max_bytes: of all that is kept;
	 * 0 for the defaults.  cache_only_read: another process writes.
	 */
	const char *cache_dir;
	uint64_t cache_min_bytes, cache_max_bytes;
	bool cache_only_read;
	bool *cache_damaged; /* set where a kept graph was; NULL: no matter */
	/*
	 * The debug file of a build id (in hexadecimal) that is on no disk;
	 * NULL if there is none.  NULL asks nobody.
	 */
	const char *(*find_id)(void *context, const char *build_id);
	void *find_context;
	const char *debug_dir;	 /* more places to look; NULL for none */
	const char *base_path;	 /* split BTF: the file with the base */
	const char *const *only; /* names that will be asked for, ended by NULL;
				    NULL reads every type.  A reader may read
				    less for it, never something else. */
	bool may_lack; /* one of `only` may be absent; then no near names are
			  asked for */
	unsigned threads;	 /* 0: as many as there are processors */
	/*
	 * The process ends soon: what was only needed to read a file is left
	 * for the system to take back, which does it in no time.
	 */
	bool leave;
	/*
	 * Called before the file at path is read, and not where its graph was
	 * kept: reading takes memory.  NULL calls nobody.
	 */
	void (*will_read)(const char *path);
};

/*
 * Read the types of the file at path.  On success the caller owns *ret and
 * ends it with lac_graph_destroy(); on failure *ret is untouched and err names
 * the file and the way out.
 */
LAC_MUST_CHECK enum lac_status lac_graph_read(const char *path,
					      const struct lac_graph_options *o,
					      struct lac_graph **ret,
					      struct lac_err *err);
void lac_graph_destroy(struct lac_graph *g); /* NULL is a no-op */

/* Every invariant above; LAC_BAD_INPUT and the first that does not hold. */
LAC_MUST_CHECK enum lac_status lac_graph_check(const struct lac_graph *g,
					       struct lac_err *err);

/*
 * Every record that goes by this name: "page", "struct page", a typedef's
 * name, a qualified C++ or Rust name with or without its scopes.  An exact
 * qualified match wins over a match of the last part.  ids come in ascending
 * order and live in scratch.  LAC_NOT_FOUND with near names in err otherwise.
 */
LAC_MUST_CHECK enum lac_status
lac_graph_find(const struct lac_graph *g, const char *name,
	       struct lac_arena *scratch, const lac_record_id **ids, size_t *n,
	       struct lac_err *err);

/* A malformed record that is not to be listed or compared. */
static inline bool lac_record_left_out(const struct lac_graph *g,
				       const struct lac_record *r)
{
	return g->partial && r->damage;
}

/* Typedefs and qualifiers: another name for their target. */
static inline bool lac_is_modifier(enum lac_type_kind kind)
{
	return kind == LAC_TYPE_TYPEDEF || kind == LAC_TYPE_CONST ||
	       kind == LAC_TYPE_VOLATILE || kind == LAC_TYPE_RESTRICT ||
	       kind == LAC_TYPE_ATOMIC;
}

/* Through typedefs and qualifiers (_Atomic included) to what is below. */
static inline lac_type_id lac_type_strip(const struct lac_graph *g,
					 lac_type_id id)
{
	while (lac_is_modifier(g->types[id].kind))
		id = g->types[id].target;
	return id;
}

/* Bytes, through typedefs, qualifiers and arrays; LAC_SIZE_UNKNOWN. */
static inline uint64_t lac_type_size(const struct lac_graph *g, lac_type_id id)
{
	return g->types[id].size;
}

/*
 * What the ABI aligns a type to, in bytes, with every declared alignment below
 * it; 0 if that cannot be known.  *source says how it is known: LAC_KNOWN if
 * the format tells alignments, LAC_INFERRED if not.
 */
uint32_t lac_type_align(const struct lac_graph *g, lac_type_id id,
			enum lac_certainty *source);

/* How a person calls the record: "struct page"; its typedef; "struct {...}". */
const char *lac_record_label(const struct lac_graph *g, lac_record_id id,
			     struct lac_arena *scratch);

static inline void lac_graph_cleanup(struct lac_graph **g)
{
	lac_graph_destroy(*g);
}
#define LAC_CLEANUP_GRAPH __attribute__((cleanup(lac_graph_cleanup)))

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * die.h - one entry of DWARF as values, and where it comes from.
 *
 * Everything that builds types sees entries through this header, so that only
 * one file knows libdwarf.
 */
#ifndef LAC_DIE_H
#define LAC_DIE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "object/object.h"

/*
 * An entry's place: the input it lies in (bits 44 up) and its offset in that
 * input's section.  Bit 43 tells .debug_types from .debug_info.
 */
typedef uint64_t lac_die_ref;

#define LAC_DIE_NONE UINT64_MAX
#define LAC_DIE_TYPES ((uint64_t)1 << 43)
#define LAC_DIE_OFFSET(ref) ((ref) & (LAC_DIE_TYPES - 1))
#define LAC_DIE_SOURCE(ref) ((uint32_t)((ref) >> 44))
#define LAC_DIE_OF(source) ((lac_die_ref)(source) << 44)

/* The offset that a file tells; one that no section has stays such a one. */
static inline uint64_t lac_die_fit(uint64_t offset)
{
	return offset < LAC_DIE_TYPES ? offset : LAC_DIE_TYPES - 1;
}

enum lac_die_has {
	LAC_HAS_BYTE_SIZE = 1 << 0,
	LAC_HAS_BIT_SIZE = 1 << 1,
	LAC_HAS_BIT_OFFSET = 1 << 2,	  /* DWARF 2 to 4 */
	LAC_HAS_DATA_BIT_OFFSET = 1 << 3, /* DWARF 4, 5 */
	LAC_HAS_COUNT = 1 << 4,
	LAC_HAS_UPPER_BOUND = 1 << 5,
	LAC_HAS_LOCATION = 1 << 6,	   /* of a member, in bytes */
	LAC_HAS_DYNAMIC_LOCATION = 1 << 7, /* known at run time only */
	LAC_HAS_VALUE = 1 << 8,		   /* const_value or discr_value */
	LAC_HAS_VARIABLE_BOUND = 1 << 9,   /* a bound that is no constant */
	LAC_HAS_SIGNED_VALUE = 1 << 10,	   /* the form is a signed one */
};

struct lac_die {
	void *handle; /* of libdwarf; NULL once closed */
	const unsigned char *rest; /* of the bytes: what follows its values */
	uint32_t unit;		   /* likewise: which one it is in */
	bool parent;		   /* likewise: what follows are its children */
	lac_die_ref ref;
	uint16_t tag;
	bool declaration, external, artificial, virtuality, vector;
	uint32_t has; /* enum lac_die_has: which of the figures below hold */
	const char *name; /* lives as long as the reader, or NULL */
	const char *producer, *comp_dir;
	const char *dwo_name; /* of a skeleton: where the rest is */
	uint64_t dwo_id;      /* DWARF 4; DWARF 5 has it in the header */
	uint64_t stmt_list, str_offsets_base; /* of a unit; LAC_NO_OFFSET */
	lac_die_ref type, specification, signature;
	lac_die_ref containing, discriminant, import;
	uint64_t byte_size, bit_size, align, count, upper, location;
	uint64_t data_bit_offset, value;
	int64_t bit_offset, lower;
	uint16_t encoding, language;
	uint64_t decl_file; /* a number, LAC_NO_FILE if there is none */
	uint64_t decl_line;
};

/* An attribute's value, whichever way it was read. */
struct lac_die_value {
	enum {
		LAC_DIE_NOTHING, /* it cannot be read */
		LAC_DIE_UNSIGNED,
		LAC_DIE_SIGNED, /* u, as two's complement */
		LAC_DIE_FLAG,
		LAC_DIE_TEXT,	 /* lives as long as the reader */
		LAC_DIE_REF,	 /* u */
		LAC_DIE_SECTION, /* u: an offset in a section */
		LAC_DIE_BLOCK,	 /* p, u bytes */
	} kind;
	unsigned size; /* UNSIGNED: bytes that it has by its form, or 0 */
	uint64_t u;
	const char *text;
	const void *p;
};

/* An entry of which nothing is known yet. */
void lac_die_empty(struct lac_die *die, lac_die_ref ref, uint16_t tag);
/* Put the value of an attribute into *die; one that is of no use is left out. */
void lac_die_take(struct lac_die *die, uint16_t at,
		  const struct lac_die_value *v, bool big_endian);

/* How much of an entry matters: half of all are code, of which types alone do. */
enum lac_die_says { LAC_SAYS_NOTHING, LAC_SAYS_TYPE, LAC_SAYS_ALL };

enum lac_die_says lac_tag_says(uint16_t tag);

/* Bytes; 0 if there is no attribute, or none that can be. */
static inline uint32_t lac_die_align(const struct lac_die *die)
{
	bool power = die->align && !(die->align & (die->align - 1));

	return power && die->align <= 1u << 28 ? (uint32_t)die->align : 0;
}

#define LAC_NO_FILE UINT64_MAX
#define LAC_NO_OFFSET UINT64_MAX

enum lac_unit_kind { LAC_UNIT_COMPILE, LAC_UNIT_PARTIAL, LAC_UNIT_TYPE };

/* One unit's header. */
struct lac_dwarf_unit {
	uint32_t source;
	bool types;	       /* in .debug_types */
	uint64_t offset, end; /* of the header and behind the last byte */
	lac_die_ref root;      /* its first entry */
	uint16_t version;
	uint8_t address_size, offset_size; /* bytes */
	enum lac_unit_kind kind;
	uint64_t abbrev_offset;
	uint64_t signature; /* of a type unit, or the id of split DWARF */
	lac_die_ref type;   /* LAC_UNIT_TYPE: the entry it is about */
};

/* The entries of an input and of what it refers to.  One thread at a time. */
struct lac_dwarf;

/*
 * alt is the common file of dwz, or NULL; both stay the caller's and must
 * outlive the reader.  dwo: read the sections of split DWARF.
 */
LAC_MUST_CHECK enum lac_status lac_dwarf_open(struct lac_object *o,
					      struct lac_object *alt, bool dwo,
					      struct lac_dwarf **ret,
					      struct lac_err *err);
/* Another reader of the same, for another thread; it has no units of its own. */
LAC_MUST_CHECK enum lac_status lac_dwarf_open_again(const struct lac_dwarf *like,
						    struct lac_dwarf **ret,
						    struct lac_err *err);
struct lac_object *lac_dwarf_object(const struct lac_dwarf *d);
bool lac_dwarf_is_dwo(const struct lac_dwarf *d);
void lac_dwarf_close(struct lac_dwarf *d); /* NULL is a no-op */

/*
 * Every unit's header, in the order of the file, those of alt behind; they
 * live in the reader.
 */
LAC_MUST_CHECK enum lac_status
lac_dwarf_units(struct lac_dwarf *d, const struct lac_dwarf_unit **units,
		size_t *n, struct lac_err *err);

struct lac_bytes_reader;

/*
 * From now on, entries come from the bytes of the reader's units, and not
 * through libdwarf; NULL: through libdwarf again.  What it refers to is
 * borrowed.
 */
void lac_dwarf_use_bytes(struct lac_dwarf *d, const struct lac_bytes_reader *r);

/*
 * Entries of that unit, or of a later one, will be asked for now.  A hint: the
 * reader finds a unit by going on from where it is.
 */
void lac_dwarf_seek(struct lac_dwarf *d, size_t unit);
void lac_dwarf_rewind(struct lac_dwarf *d); /* and now for early ones again */

/* The entry at ref.  Every opened entry is closed. */
LAC_MUST_CHECK enum lac_status lac_die_open(struct lac_dwarf *d,
					    lac_die_ref ref,
					    struct lac_die *ret,
					    struct lac_err *err);
/* LAC_NOT_FOUND, without a message, if there is none. */
LAC_MUST_CHECK enum lac_status lac_die_child(struct lac_dwarf *d,
					     const struct lac_die *die,
					     struct lac_die *ret,
					     struct lac_err *err);
/* Close the entry and put the next one of its level in its place. */
LAC_MUST_CHECK enum lac_status lac_die_next(struct lac_dwarf *d,
					    struct lac_die *die,
					    struct lac_err *err);
void lac_die_close(struct lac_dwarf *d, struct lac_die *die);

/*
 * What the expression adds to an object's address (on the stack when it
 * starts), if that is the same for every object; false if not.
 */
bool lac_expression_offset(const void *expr, uint64_t size, bool big_endian,
			   uint64_t *ret);

#endif

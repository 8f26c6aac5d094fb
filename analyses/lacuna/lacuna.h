/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lacuna.h - layouts of structs, from debug information: the public interface
 * of liblacuna.
 *
 *	struct lacuna_error err;
 *	struct lacuna *l;
 *
 *	if (lacuna_open("vmlinux", NULL, &l, &err))
 *		errx(1, "%s", err.message);
 *	...
 *	lacuna_close(l);
 *
 * There is no global state.  A struct lacuna never changes once it is open, so
 * any number of threads may use it at the same time; a struct lacuna_layout
 * belongs to the thread that made it, or to one at a time.
 *
 * Functions return 0, or a positive enum lacuna_status with a message that
 * names the file and the way out; what they would have filled is then
 * untouched.  Strings live as long as the object that they came from.
 *
 * The files may be malformed on purpose: reading one is safe, but it happens in
 * the calling process.  Callers with rights that an attacker wants put it into
 * a process of its own, as the lacuna program does.
 */
#ifndef LACUNA_H
#define LACUNA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum lacuna_status {
	LACUNA_OK = 0,
	LACUNA_NOT_FOUND = 1,	/* no such type, or no debug information */
	LACUNA_USAGE = 2,	/* an argument that makes no sense */
	LACUNA_OS = 3,		/* a system call failed */
	LACUNA_BAD_INPUT = 4,	/* the file is malformed */
	LACUNA_UNSUPPORTED = 5, /* this build cannot read it */
	LACUNA_NO_MEMORY = 6,
};

struct lacuna_error {
	int os_errno; /* for LACUNA_OS, else 0 */
	char message[1024];
};

/* All of them 0 or NULL: what is best for most. */
struct lacuna_options {
	const char *format;    /* "dwarf", "btf"; NULL for what there is */
	const char *debug_dir; /* also look for separate debug files here */
	const char *base_path; /* the file that split BTF is based on */
	const char *const *only; /* the types that will be asked for, ended by
				    NULL: quicker; others may be missing */
	unsigned threads; /* readers at work; 0: one a processor */
	/*
	 * A directory of the caller's to keep what was read of large files in,
	 * for the next time; it is made if it is not there.  NULL: none.
	 */
	const char *cache_dir;
};

struct lacuna;	      /* the records of one file */
struct lacuna_layout; /* one of them, worked out */

#define LACUNA_UNKNOWN UINT64_MAX /* a figure that the file does not tell */

struct lacuna_record {
	const char *name;	/* NULL if it has none */
	const char *kind;	/* "struct", "union", "class", "enum", "variant" */
	uint64_t size;		/* bytes, or LACUNA_UNKNOWN */
	uint32_t align;		/* bytes, 0 if unknown */
	const char *align_source; /* "declared", "natural", "inferred", ... */
	const char *packed;	/* "no", "declared", "inferred" */
	uint64_t hole_bits;	/* before the last member */
	uint64_t padding_bits;	/* after it */
	uint64_t unknown_bits;	/* cannot be said */
	uint64_t lines;		/* cache lines that one object touches */
	size_t members, spans, straddlers; /* how many there are */
	const char *decl_file;	/* NULL if unknown */
	uint32_t decl_line;	/* 0 if unknown */
};

struct lacuna_member {
	const char *name; /* NULL if anonymous */
	const char *type; /* as C spells it */
	/* from the start of the record; LACUNA_UNKNOWN if decided at run time */
	uint64_t bit_offset;
	uint64_t bit_size; /* or LACUNA_UNKNOWN */
	const char *certainty; /* "known", "inferred", "unknown", "dynamic" */
};

enum lacuna_span_kind {
	LACUNA_MEMBER = 0,
	LACUNA_HOLE = 1,
	LACUNA_PADDING = 2,
	LACUNA_SPAN_UNKNOWN = 3,
};

/*
 * The spans of a record partition it: each starts where the one before ended,
 * and they add up to its size.
 */
struct lacuna_span {
	enum lacuna_span_kind kind;
	/*
	 * The first that covers it, for LACUNA_MEMBER; SIZE_MAX for the tag of
	 * its enum in a Rust variant.
	 */
	size_t member;
	uint64_t bit_offset, bit_size;
};

/* "0.1.0" */
const char *lacuna_version(void);

/* options may be NULL.  *ret is ended by lacuna_close(). */
int lacuna_open(const char *path, const struct lacuna_options *options,
		struct lacuna **ret, struct lacuna_error *err);
void lacuna_close(struct lacuna *l); /* NULL is a no-op */

/* Records are numbered from 0. */
size_t lacuna_count(const struct lacuna *l);

/*
 * The records of a name: "page", "struct page", a typedef, a qualified C++ or
 * Rust name.  There are several where units differ.  The first cap numbers go
 * to ret (which may be NULL with a cap of 0), how many there are to *n.
 */
int lacuna_find(const struct lacuna *l, const char *name, size_t *ret,
		size_t cap, size_t *n, struct lacuna_error *err);

/*
 * Work out a record for cache lines of line_size bytes, a power of two; 0 for
 * 64.  *ret is ended by lacuna_layout_free(), before lacuna_close().
 */
int lacuna_layout_create(const struct lacuna *l, size_t record,
			 uint32_t line_size, struct lacuna_layout **ret,
			 struct lacuna_error *err);
void lacuna_layout_free(struct lacuna_layout *y); /* NULL is a no-op */

const struct lacuna_record *lacuna_layout_record(const struct lacuna_layout *y);
/* NULL for a number that is too large. */
const struct lacuna_member *lacuna_layout_member(const struct lacuna_layout *y,
						 size_t member);
const struct lacuna_span *lacuna_layout_span(const struct lacuna_layout *y,
					     size_t span);
/*
 * The number of the member that is the n-th to cross a line; else SIZE_MAX.  An
 * array does if one of its elements does.
 */
size_t lacuna_layout_straddler(const struct lacuna_layout *y, size_t n);

#ifdef __cplusplus
}
#endif

#endif

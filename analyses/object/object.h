/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * object.h - an ELF image: its sections as they are meant to be read, that is
 * mapped, inflated and relocated.
 *
 * Section data is the file's own mapping wherever that is possible; only what
 * had to be inflated or relocated is a copy, owned by the object.  Names are
 * those of the plain form: ".zdebug_info" is ".debug_info" here.
 */
#ifndef LAC_OBJECT_H
#define LAC_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct lac_section {
	const char *name;
	uint32_t type; /* SHT_* */
	uint64_t flags; /* SHF_* */
	uint64_t size; /* bytes, inflated; known once it is loaded */
	const unsigned char *data; /* NULL until lac_object_load() */
};

struct lac_object {
	const char *path;
	const unsigned char *image; /* the whole file */
	size_t image_size;	    /* bytes */
	uint16_t machine;	    /* EM_* */
	uint16_t type;		    /* ET_* */
	bool big_endian;
	bool is64;
	unsigned nsections;
	struct lac_section *sections; /* by ELF index; 0 is the null section */
	struct lac_object_private *priv;
};

/* A file's bytes, mapped. */
struct lac_file {
	const unsigned char *data;
	size_t size; /* bytes, more than 0 */
};

/* LAC_OS if it cannot be read, LAC_BAD_INPUT if it is no file or empty. */
LAC_MUST_CHECK enum lac_status lac_file_open(const char *path,
					     struct lac_file *ret,
					     struct lac_err *err);
void lac_file_close(struct lac_file *f);

static inline void lac_file_cleanup(struct lac_file *f)
{
	lac_file_close(f);
}
#define LAC_CLEANUP_FILE __attribute__((cleanup(lac_file_cleanup)))

/*
 * Map the file at path.  LAC_OS if it cannot be read, LAC_BAD_INPUT if it is
 * no ELF file or its section table does not lie within it.
 */
LAC_MUST_CHECK enum lac_status lac_object_open(const char *path,
					       struct lac_object **ret,
					       struct lac_err *err);

/*
 * The same over bytes of the caller's, which must outlive the object.  name
 * stands for the file in messages.
 */
LAC_MUST_CHECK enum lac_status
lac_object_open_memory(const char *name, const void *data, size_t size,
		       struct lac_object **ret, struct lac_err *err);

/* Over a mapped file, which must outlive the object. */
LAC_MUST_CHECK enum lac_status lac_object_open_file(const char *path,
						    const struct lac_file *file,
						    struct lac_object **ret,
						    struct lac_err *err);
void lac_object_destroy(struct lac_object *o); /* NULL is a no-op */

/* The first section of that name, or 0. */
unsigned lac_object_find(const struct lac_object *o, const char *name);

/*
 * Type units of a relocatable file come in sections of one name each: load
 * them and make them one, found under that name.  Not thread-safe.
 */
LAC_MUST_CHECK enum lac_status lac_object_join(struct lac_object *o,
					       const char *name,
					       struct lac_err *err);

/* Fill in data and size of a section.  May be called again; not thread-safe. */
LAC_MUST_CHECK enum lac_status lac_object_load(struct lac_object *o,
					       unsigned section,
					       struct lac_err *err);

/* A range of the file is about to be read: all its pages in one go. */
void lac_object_want(const struct lac_object *o, const void *data, size_t size);

/*
 * Pages of the file that were read and are not needed now go back to the
 * system; reading them again finds them again.  Copies are left alone.
 */
void lac_object_forget(const struct lac_object *o, const void *data,
		       size_t size);

static inline void lac_object_cleanup(struct lac_object **o)
{
	lac_object_destroy(*o);
}
#define LAC_CLEANUP_OBJECT __attribute__((cleanup(lac_object_cleanup)))

#endif

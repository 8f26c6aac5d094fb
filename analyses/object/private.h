/* SPDX-License-Identifier: BSD-2-Clause */
/* private.h - what the files of the object layer share. */
#ifndef LAC_OBJECT_PRIVATE_H
#define LAC_OBJECT_PRIVATE_H

#include <libelf.h>

#include "base/arena.h"
#include "object/object.h"

/* More than any real section inflates to; a bound for hostile headers. */
#define LAC_INFLATED_MAX ((uint64_t)16 << 30)

struct lac_object_private {
	struct lac_arena *arena;
	Elf *elf;
	struct lac_file file; /* to be unmapped, or empty */
	bool mapped;	      /* the image is a mapping of a file */
	void **copies;	 /* inflated or relocated, to be freed */
	unsigned ncopies;
	struct lac_raw_section {
		uint64_t offset, size, entsize, addralign;
		uint32_t link, info;
		bool zdebug;
	} *raw;
};

/* A buffer of the object's; NULL when out of memory. */
void *lac_object_alloc(struct lac_object *o, size_t size);

/* Inflate SHF_COMPRESSED or .zdebug contents into *data of *size bytes. */
LAC_MUST_CHECK enum lac_status
lac_section_inflate(struct lac_object *o, unsigned section,
		    const unsigned char **data, uint64_t *size,
		    struct lac_err *err);

/* Apply the relocations of an ET_REL file to a section; may copy it. */
LAC_MUST_CHECK enum lac_status
lac_section_relocate(struct lac_object *o, unsigned section,
		     const unsigned char **data, uint64_t size,
		     struct lac_err *err);

static inline uint64_t lac_get_uint(const unsigned char *p, unsigned n,
				    bool big_endian)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < n; i++)
		v |= (uint64_t)p[i] << 8 * (big_endian ? n - 1 - i : i);
	return v;
}

static inline void lac_put_uint(unsigned char *p, unsigned n, bool big_endian,
				uint64_t v)
{
	for (unsigned i = 0; i < n; i++)
		p[big_endian ? n - 1 - i : i] = (unsigned char)(v >> 8 * i);
}

#endif

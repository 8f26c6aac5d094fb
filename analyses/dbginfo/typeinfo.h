/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * typeinfo.h - BTF, the kernel's own type format: straight into a graph if it
 * is sound and nothing is odd about it, through a pool otherwise.
 */
#ifndef LAC_TYPEINFO_H
#define LAC_TYPEINFO_H

#include "dbginfo/pool.h"

struct lac_btf_input {
	const char *path; /* for messages, and the name of the one unit */
	const void *data;
	size_t size; /* bytes */
	/* split BTF: what it builds on; NULL for none */
	const char *base_path;
	const void *base;
	size_t base_size;
	unsigned threads; /* of lac_btf_graph(); 0: as many as processors */
};

/*
 * Put every type of the input in the pool.  *pointer_size is what is known of
 * its target, in bytes, or 0: what the input says of it, then, or 8.
 */
LAC_MUST_CHECK enum lac_status lac_btf_read(const struct lac_btf_input *in,
					    struct lac_pool *p,
					    uint8_t *pointer_size,
					    bool *big_endian,
					    struct lac_err *err);

/*
 * Give g, of which the path, the arena and what is known of the target are
 * there, its types, records, enumerations, aliases and one unit.  They are what
 * lac_btf_read() and the pool would make of them; types may stand in another
 * order, and more than once.  LAC_UNSUPPORTED, and nothing changed in g but its
 * arena, for what only that way can take or refuse.
 */
LAC_MUST_CHECK enum lac_status lac_btf_graph(const struct lac_btf_input *in,
					     struct lac_graph *g,
					     struct lac_err *err);

/* The bytes begin like raw BTF, of either byte order. */
bool lac_btf_is_raw(const void *data, size_t size);

#endif

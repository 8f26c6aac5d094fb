/* SPDX-License-Identifier: BSD-2-Clause */
/* reader.h - the ways to read units; the same graph comes out of each. */
#ifndef LAC_READER_H
#define LAC_READER_H

#include "dbginfo/build.h"
#include "dbginfo/raw.h"
#include "object/search.h"

/*
 * Expand what is new only.  LAC_UNSUPPORTED, with no type put in the pool, if
 * the units hold what only the plain way can read.
 */
LAC_MUST_CHECK enum lac_status
lac_read_fast(struct lac_build *b, const struct lac_raw_sections *sections,
	      unsigned threads, struct lac_err *err);

/*
 * Expand everything, from the bytes.  On failure libdwarf may still be able to,
 * but the pool is spoilt, and b->missed says so.
 */
LAC_MUST_CHECK enum lac_status lac_read_by_bytes(struct lac_build *b,
						 struct lac_err *err);

/* Expand everything, through libdwarf alone. */
LAC_MUST_CHECK enum lac_status lac_read_plainly(struct lac_build *b,
						struct lac_err *err);

/*
 * Which way units are read: by a scan of all, entry by entry from their bytes,
 * or entry by entry through libdwarf.  AUTO: the first that can.
 */
enum lac_way { LAC_WAY_AUTO, LAC_WAY_FAST, LAC_WAY_BYTES, LAC_WAY_PLAIN };

/*
 * What one call of lac_graph_read() puts together: one pool, filled from one
 * or several files.
 */
struct lac_reading {
	const char *path;
	const struct lac_graph_options *o;
	enum lac_way way;
	struct lac_pool *p;
	struct lac_graph head; /* what is known of the graph by now */
	unsigned nread;	       /* files with debug info */
	char *missing;	       /* partial: "a.dwo, b.dwo"; or NULL */
	bool missed; /* only libdwarf can read it, or say what is wrong */
};

static inline struct lac_places lac_reading_places(const struct lac_reading *r)
{
	return (struct lac_places){ r->o->debug_dir, r->o->find_id,
				    r->o->find_context };
}

/* Read the DWARF of one file, and of those that it leads to. */
LAC_MUST_CHECK enum lac_status lac_read_object(struct lac_reading *r,
					       struct lac_object *o,
					       struct lac_err *err);

/* lac_graph_read(), one way or the other: for tests. */
LAC_MUST_CHECK enum lac_status
lac_graph_read_way(const char *path, const struct lac_graph_options *o,
		   enum lac_way way, struct lac_graph **ret,
		   struct lac_err *err);

#endif

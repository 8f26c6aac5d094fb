/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * build_facts.h - what a build says about itself: the kernel, the machine, the
 * compiler and what of its options can change a layout.
 */
#ifndef LAC_BUILD_FACTS_H
#define LAC_BUILD_FACTS_H

#include "dbginfo/graph.h"
#include "report/doc.h"

/* Texts live in the arena that they were read into; NULL where unknown. */
struct lac_build_facts {
	const char *path;
	const char *version; /* "Linux version ..." */
	const char *format;  /* "dwarf", "btf" */
	const char *machine; /* "x86-64", "EM_9026" */
	unsigned pointer_bits; /* 0: unknown */
	bool big_endian;
	const char *compiler; /* of most units: "GNU C11 12.2.0" */
	const char *options;  /* those of the first such unit, all */
	const char *layout_options; /* of them, what can change a layout */
	size_t units;	       /* that name a compiler */
	size_t other_units;    /* of other compilers or languages */
};

LAC_MUST_CHECK enum lac_status
lac_build_facts_read(const struct lac_graph *g, struct lac_arena *arena,
		     struct lac_build_facts *ret, struct lac_err *err);

json_t *lac_build_facts_data(struct lac_doc *d,
			     const struct lac_build_facts *f);

/*
 * The same into the document's data at "build", and for readers elsewhere a
 * heading with the file's name and a paragraph that says it, with the size of a
 * line.
 */
LAC_MUST_CHECK enum lac_status lac_build_facts_head(struct lac_doc *d,
						    const struct lac_graph *g,
						    uint32_t line_size,
						    struct lac_err *err);

/* One paragraph; who is "Old: " or "". */
void lac_build_facts_show(struct lac_doc *d, const char *who,
			  const struct lac_build_facts *f);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* page_library.h - struct page in the four builds of the allocator library. */
#ifndef LAC_PAGE_LIBRARY_H
#define LAC_PAGE_LIBRARY_H

#include "page_doc.h"

enum { LAC_LIBRARY_VARIANTS = 4 };

struct lac_page_library {
	struct lac_graph *graphs[LAC_LIBRARY_VARIANTS];
	struct lac_page_build pages[LAC_LIBRARY_VARIANTS];
	struct lac_page_subject subjects[LAC_LIBRARY_VARIANTS];
	size_t n;
};

/*
 * Texts live in the arena.  To be ended with lac_page_library_close() also
 * after a failure.
 */
LAC_MUST_CHECK enum lac_status
lac_page_library_read(struct lac_page_library *l, struct lac_arena *arena,
		      struct lac_err *err);
void lac_page_library_close(struct lac_page_library *l);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* page_doc.h - what `page` says, also for `report`. */
#ifndef LAC_PAGE_DOC_H
#define LAC_PAGE_DOC_H

#include "page/page.h"
#include "report/doc.h"

struct lac_page_doc_options {
	/* bytes; 0: 1 GiB, 64 GiB and 1 TiB, of 32 bits 1, 4 and 64 GiB */
	uint64_t ram;
	uint64_t page_size; /* bytes */
	uint32_t line_size; /* bytes; besides 64 and 128 */
};

/* One build and how it is called: by its file, or as a variant. */
struct lac_page_subject {
	const struct lac_page_build *build;
	const char *label;
	const char *file;
	/*
	 * LAC_UPDATE_UNKNOWN, or what the name of the build says where the
	 * layout does not tell.
	 */
	enum lac_page_update named_update;
};

/*
 * Put the builds' figures into `data` (the document's, or an object in it) and
 * add the views on them.
 */
void lac_page_doc(struct lac_doc *d, json_t *data,
		  const struct lac_page_subject *subjects, size_t n,
		  const struct lac_page_doc_options *o);

/*
 * The views alone, on data that is there.  one: all subjects have the same
 * figures.
 */
void lac_page_views(struct lac_doc *d, json_t *data,
		    const struct lac_page_subject *subjects, size_t n,
		    bool one, const struct lac_page_doc_options *o);

/* "read", "computed" or "unknown". */
const char *lac_page_source_name(const struct lac_page_side *side);

#endif

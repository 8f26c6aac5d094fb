/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_report.h - a diff as a document: the data, then views on it. */
#ifndef LAC_DIFF_REPORT_H
#define LAC_DIFF_REPORT_H

#include "diff/filter.h"
#include "diff/kernel.h"
#include "diff/slabinfo.h"
#include "report/doc.h"

struct lac_diff_files { /* of a diff of two directories */
	size_t n;
	const char **names; /* relative to the directory */
	const char **why;   /* NULL, or per file: why it was skipped */
};

struct lac_diff_report {
	const struct lac_diff *diff;
	bool all;	    /* list inherited changes, too */
	uint32_t top;	    /* records shown in full; 0 for all */
	uint64_t ram_bytes; /* 0: not asked for */
	const struct lac_slabinfo *slabinfo; /* or NULL */
	struct lac_slab_weighing weighing;
	uint32_t cpus;
	uint32_t cpus_agree; /* caches of the slabinfo; 0: not asked */
	uint32_t line_size; /* bytes */
	const struct lac_ignore_list *ignore; /* or NULL */
	bool dirs;
	struct lac_diff_files only_old, only_new, skipped;
	uint32_t compared; /* files */
};

/* Everything the diff says, into doc->data. */
void lac_diff_data(struct lac_doc *doc, const struct lac_diff_report *r);
/* Headings, tables and listings; lac_diff_data() was called before. */
void lac_diff_views(struct lac_doc *doc, const struct lac_diff_report *r);

/* A record's members before and after, only what changed, "[...]" between. */
void lac_diff_listing(struct lac_doc *doc, const struct lac_record_diff *r,
		      bool all);

#endif

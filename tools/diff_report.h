/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_report.h - a diff as a document: the data, then views on it. */
#ifndef LAC_DIFF_REPORT_H
#define LAC_DIFF_REPORT_H

#include "build_facts.h"
#include "diff/filter.h"
#include "diff/kernel.h"
#include "diff/slabinfo.h"
#include "report/doc.h"

struct lac_diff_files { /* of a diff of two directories */
	size_t n;
	const char **names; /* relative to the directory */
	const char **why;   /* NULL, or per file: why it was skipped */
};

/*
 * The options that select, as they were given, those that may be given again as
 * lists that end with NULL; NULL where one was not.
 */
struct lac_diff_asked {
	char *const *type, *const *decl, *const *cause, *const *only,
		*const *ignore;
	const char *min_bytes;
	uint64_t min_bytes_value;
};

struct lac_diff_report {
	const struct lac_diff *diff;
	/*
	 * As it was before the filters: the counts, the causes, and of the
	 * records the shapes; equal to diff without filters.
	 */
	const struct lac_diff *whole;
	struct lac_diff_asked asked;
	const struct lac_build_facts *facts; /* of both; NULL: directories */
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

/*
 * "struct page: 64 -> 56 bytes (-8, -12.5 %), 1 line either way": the change
 * in one line, of a record that is in both builds; for a kernel also what an
 * object of its own would cost SLUB and kmalloc.  NULL when out of memory.
 */
const char *lac_diff_headline(struct lac_arena *arena,
			      const struct lac_diff_report *r,
			      const struct lac_record_diff *rec);
/*
 * struct page of two kernels: an element of the memory map, for which no slab,
 * nor the lines of an object that starts on one, means anything.
 */
bool lac_is_page_descriptor(const struct lac_diff_report *r,
			    const struct lac_record_diff *rec);
/* Both are builds for a machine whose buckets these are: x86-64. */
bool lac_kmalloc_known(const struct lac_diff *d);
/*
 * What it is called; what has no name, by its first member and where it is
 * declared: "struct {head, ...} at slub.c:72".  NULL when out of memory.
 */
const char *lac_diff_title(struct lac_arena *arena, const struct lac_shape *s);
/* The object that kmalloc(bytes) takes: 96, 128, ...; 0 above 8192. */
uint64_t lac_kmalloc_bucket(uint64_t bytes);

/* Any of them was given. */
bool lac_diff_asked_any(const struct lac_diff_asked *a);

/* Everything the diff says, into doc->data. */
void lac_diff_data(struct lac_doc *doc, const struct lac_diff_report *r);
/* Headings, tables and listings; lac_diff_data() was called before. */
void lac_diff_views(struct lac_doc *doc, const struct lac_diff_report *r);
/* Its two parts: what was compared and how much differs; and all of it. */
void lac_diff_head(struct lac_doc *doc, const struct lac_diff_report *r);
void lac_diff_body(struct lac_doc *doc, const struct lac_diff_report *r);

/* Which members cross a line in one of the builds only; each of them. */
void lac_diff_crossings(struct lac_doc *doc, const struct lac_record_diff *r);

/*
 * A record's members before and after, only what changed; "[...]" stands for
 * what is as it was, and says how many members an inner type made grow.
 */
void lac_diff_listing(struct lac_doc *doc, const struct lac_diff *d,
		      const struct lac_record_diff *r, bool all);

#endif

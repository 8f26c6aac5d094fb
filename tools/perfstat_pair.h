/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perfstat_pair.h - from one or two files of perf stat's output to a
 * comparison in a document: what perfstat, correlate and report share.
 */
#ifndef LAC_PERFSTAT_PAIR_H
#define LAC_PERFSTAT_PAIR_H

#include <popt.h>

#include "perfstat/perfstat.h"
#include "report/doc.h"

/* --pick, --confidence, --runs, --means: to be included in a table. */
extern const struct poptOption lac_perfstat_option_table[];

struct lac_perfstat_pair {
	struct lac_perfstat *p, *q; /* owned; the same if it was one file */
	size_t i, k;		    /* their outputs */
	struct lac_perfstat_comparison c;
};

/* Checks the options.  picked[]: from 1; 0 for what is not given. */
LAC_MUST_CHECK enum lac_status
lac_perfstat_picked(size_t picked[2], struct lac_err *err);

/* The caller ends *ret with lac_perfstat_destroy(). */
LAC_MUST_CHECK enum lac_status
lac_perfstat_load(const char *path, struct lac_arena *arena,
		  struct lac_perfstat **ret, struct lac_err *err);

/* Which output of p; LAC_USAGE where that is not clear. */
LAC_MUST_CHECK enum lac_status
lac_perfstat_choose(const struct lac_perfstat *p, size_t picked, size_t *ret,
		    struct lac_err *err);

/*
 * new_path NULL: both are in old_path, the first two unless --pick says which.
 * What *ret refers to lives in arena and in the files, which the caller ends
 * with lac_perfstat_pair_end(), also after a failure.
 */
LAC_MUST_CHECK enum lac_status
lac_perfstat_pair_read(const char *old_path, const char *new_path,
		       struct lac_arena *arena, struct lac_perfstat_pair *ret,
		       struct lac_err *err);
void lac_perfstat_pair_end(struct lac_perfstat_pair *pair);

/*
 * "outputs", "comparison" and "notes" into an object of the data; the views
 * are the caller's to add, and the notes come last.
 */
void lac_perfstat_pair_data(struct lac_doc *d, json_t *into,
			    const struct lac_perfstat_pair *pair);
void lac_perfstat_pair_sources(struct lac_doc *d,
			       const struct lac_perfstat_pair *pair);
void lac_perfstat_pair_notes(struct lac_doc *d,
			     const struct lac_perfstat_pair *pair);

#endif

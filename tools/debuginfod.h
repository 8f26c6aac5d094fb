/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debuginfod.h - debug files from the servers of DEBUGINFOD_URLS.
 *
 * The child that reads files has no network: it notes the build ids that it
 * lacks, and its parent, which reads no file, fetches them through libdebuginfod
 * and starts the work again.
 */
#ifndef LAC_DEBUGINFOD_H
#define LAC_DEBUGINFOD_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/err.h"

#define LAC_WANTED_MAX 8u
#define LAC_ID_TEXT_MAX 129u /* 64 bytes in hexadecimal, and '\0' */

/* In memory that parent and child share. */
struct lac_wanted {
	atomic_uint n; /* may exceed LAC_WANTED_MAX: so many were not kept */
	char id[LAC_WANTED_MAX][LAC_ID_TEXT_MAX];
};

/* In the child, before it reads: where to note what is lacking. */
void lac_debuginfod_note_into(struct lac_wanted *w);

/*
 * For lac_graph_options.find_id: the file, if it has been fetched; else the id
 * is noted and the answer NULL.  The context is not used.
 */
const char *lac_debuginfod_find(void *context, const char *build_id);

/*
 * In the parent: fetch what is wanted.  *more: something came that had not been
 * there, so the work can be done again.  If not, st and err are what came of the
 * work, and are so still; a message then has behind it what was asked for,
 * where, and why there is nothing.
 */
LAC_MUST_CHECK enum lac_status lac_debuginfod_fetch(const struct lac_wanted *w,
						    enum lac_status st,
						    bool *more,
						    struct lac_err *err);

#endif

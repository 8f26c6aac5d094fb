/* SPDX-License-Identifier: BSD-2-Clause */
/* record_compile.h - records as C that a compiler takes, with all they need. */
#ifndef LAC_RECORD_COMPILE_H
#define LAC_RECORD_COMPILE_H

#include "layout/layout.h"
#include "report/doc.h"

struct lac_compile;

/*
 * Start a listing of C in the document.  The graph, its rules and the arena,
 * which has what is worked out, have to stay.
 * lac_compile_destroy() ends it.
 */
LAC_MUST_CHECK enum lac_status lac_compile_create(struct lac_doc *d,
						  const struct lac_graph *g,
						  struct lac_rules *rules,
						  struct lac_arena *arena,
						  struct lac_compile **ret,
						  struct lac_err *err);
void lac_compile_destroy(struct lac_compile *c); /* NULL is a no-op */

/*
 * Add a record: the types that it holds first, then itself, then assertions
 * that its size and offsets are the ones that were read.  *source gets the text
 * that was added, in that arena.  LAC_UNSUPPORTED if C cannot say it.
 */
LAC_MUST_CHECK enum lac_status lac_compile_record(struct lac_compile *c,
						  lac_record_id id,
						  const char **source,
						  struct lac_err *err);

/* Add a comment. */
LAC_MUST_CHECK enum lac_status
lac_compile_note(struct lac_compile *c, const char *text, struct lac_err *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* trace_doc.h - what a traced program did to the cache, as data and tables. */
#ifndef LAC_TRACE_DOC_H
#define LAC_TRACE_DOC_H

#include "correlate/traced.h"
#include "report/doc.h"

/*
 * Data: "program", "cpus", "line_bytes", "geometry", "total", "unregistered",
 * "types", "findings".  The first paragraph says the findings.
 */
LAC_MUST_CHECK enum lac_status
lac_trace_doc(struct lac_doc *d, const char *program, const struct lac_graph *g,
	      const struct lac_traced *t, struct lac_err *err);

/* What stands out, ranked: a list of {kind, type, member, count, sentence}. */
json_t *lac_trace_findings(struct lac_doc *d, const struct lac_traced *t);
/* One paragraph of them, or that there are none. */
void lac_trace_say_findings(struct lac_doc *d, const json_t *list);
/* What a row is called where the debug information has no member. */
void lac_trace_put_member(json_t *j, const char *key, const char *name,
			  const struct lac_traced_type *type);

/* A line map of the type with its misses, where the graph has its layout. */
LAC_MUST_CHECK enum lac_status
lac_trace_heat(struct lac_doc *d, const struct lac_graph *g,
	       const struct lac_traced *t, const struct lac_traced_type *type,
	       struct lac_err *err);

/* How to build a program for it: the object and the header are at dir. */
void lac_trace_manual(struct lac_doc *d, const char *dir, const char *object);

#endif

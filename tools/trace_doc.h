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
void lac_trace_doc(struct lac_doc *d, const char *program,
		   const struct lac_traced *t);

/* How to build a program for it: the object and the header are at dir. */
void lac_trace_manual(struct lac_doc *d, const char *dir, const char *object);

#endif

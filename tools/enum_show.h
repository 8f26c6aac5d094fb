/* SPDX-License-Identifier: BSD-2-Clause */
/* enum_show.h - an enumeration, as C and as data. */
#ifndef LAC_ENUM_SHOW_H
#define LAC_ENUM_SHOW_H

#include "dbginfo/graph.h"
#include "report/doc.h"

/* "enum zone_*": one of enumerations, not of records. */
bool lac_is_enum_pattern(const char *name);

/*
 * Append every enumeration of that name ("zone", "enum zone", a typedef of it,
 * the last part of a qualified name) or of that pattern ("enum zone_*"; one
 * without a name of its own goes by a typedef) to the document as a listing, and to its data at "enumerations".  *n is how many;
 * none leaves the document as it was.
 */
LAC_MUST_CHECK enum lac_status
lac_enums_show(struct lac_doc *d, const struct lac_graph *g, const char *name,
	       bool hex, struct lac_arena *scratch, size_t *n,
	       struct lac_err *err);

/* Their enumerators as one table, for CSV, if any was shown. */
void lac_enums_table(struct lac_doc *d);

#endif

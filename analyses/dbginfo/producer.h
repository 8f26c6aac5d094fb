/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef LAC_PRODUCER_H
#define LAC_PRODUCER_H

#include "dbginfo/graph.h"

enum lac_align_told {
	LAC_ALIGN_TOLD_NEVER,	 /* no attribute means nothing */
	LAC_ALIGN_TOLD_AS_ASKED, /* the record's is what was asked for */
	LAC_ALIGN_TOLD_EXACTLY,	 /* the record's is what it has */
};

/* What the alignment attribute of a record, or the want of one, tells. */
enum lac_align_told lac_record_align_told(const struct lac_graph *g,
					  const struct lac_record *r);

/* It tells the alignment of every type and member: nobody need have asked. */
bool lac_record_align_always(const struct lac_graph *g,
			     const struct lac_record *r);

/* Whether an _Atomic would show: DWARF has a word for it since version 5. */
bool lac_record_atomic_told(const struct lac_graph *g,
			    const struct lac_record *r);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* brief.h - what a brief document leaves out, and that it says so. */
#ifndef LAC_BRIEF_H
#define LAC_BRIEF_H

#include "render/render.h"

/*
 * The i-th view is not shown in a brief document: it is secondary, or a heading
 * over nothing but such.  graphics: the format shows views that are graphic.
 */
bool lac_brief_hides(bool brief, bool graphics, const struct lac_doc *doc,
		     size_t i);

/* A sentence on what is left out; "" if nothing is, NULL: out of memory. */
const char *lac_brief_note(bool brief, bool graphics,
			   const struct lac_doc *doc, struct lac_arena *arena);

#endif

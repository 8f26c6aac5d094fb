/* SPDX-License-Identifier: BSD-2-Clause */
/* brief.h - what a brief document leaves out, and that it says so. */
#ifndef LAC_BRIEF_H
#define LAC_BRIEF_H

#include "render/render.h"

/* The view is not shown in a brief document. */
bool lac_brief_hides(bool brief, const struct lac_view *v);

/*
 * A sentence on what is left out; "" if that is nothing.  graphics: the format
 * shows views that are graphic.  NULL when out of memory.
 */
const char *lac_brief_note(bool brief, bool graphics,
			   const struct lac_doc *doc, struct lac_arena *arena);

#endif

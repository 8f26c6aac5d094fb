/* SPDX-License-Identifier: BSD-2-Clause */
/* render.h - a const document and a stream; nothing of structs or caches. */
#ifndef LAC_RENDER_H
#define LAC_RENDER_H

#include <stdio.h>

#include "report/doc.h"

struct lac_render_options {
	unsigned width; /* columns of the terminal; 0: do not wrap */
	bool colour;
	bool ascii; /* no character beyond ASCII */
	unsigned threads; /* for long tables; 0: as many as processors */
	bool brief; /* leave out what is secondary, and say so */
	const char *figure; /* key of the one that svg draws; NULL: first */
};

struct lac_renderer {
	const char *name; /* as after -o */
	const char *summary;
	bool data; /* it prints the data, not the views */
	enum lac_status (*render)(const struct lac_doc *doc,
				  const struct lac_render_options *o, FILE *out,
				  struct lac_err *err);
};

/* NULL if there is none of that name. */
const struct lac_renderer *lac_renderer_find(const char *name);
/* All of them, ended by NULL. */
extern const struct lac_renderer *const lac_renderers[];

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plain.h - documents as lines of characters; the text and the mail renderer
 * are two settings of it.
 */
#ifndef LAC_PLAIN_H
#define LAC_PLAIN_H

#include <stdio.h>

#include "report/doc.h"

/* Paragraphs are wrapped here where the page has no width of its own. */
#define LAC_PLAIN_PROSE 80u

struct lac_plain {
	FILE *out; /* NULL in all shares of a table but the first */
	struct lac_arena *arena; /* for what is laid out before it is printed */
	unsigned threads; /* for long tables; 0: as many as processors */
	unsigned width; /* no line is longer; 0: tables and listings may be */
	bool colour;	/* SGR codes */
	bool ascii;
	bool at_home;	/* leave out what is for readers elsewhere */
	bool brief;	/* see brief.h */
	bool tabs; /* listings are indented by tabs, 8 columns each */
};

enum lac_plain_style { LAC_STYLE_NONE, LAC_STYLE_BOLD, LAC_STYLE_DIM };

/* Every view of the document, a blank line between two. */
LAC_MUST_CHECK enum lac_status lac_plain_document(struct lac_plain *p,
						  const struct lac_doc *doc,
						  struct lac_err *err);

LAC_MUST_CHECK enum lac_status lac_plain_table(struct lac_plain *p,
					       const struct lac_table *t,
					       struct lac_err *err);
/*
 * A listing or a figure as one text, which the caller frees; where it is to go
 * does not count.
 */
LAC_MUST_CHECK enum lac_status lac_plain_drawn(const struct lac_plain *like,
					       const struct lac_view *v,
					       char **ret, struct lac_err *err);
LAC_MUST_CHECK enum lac_status lac_plain_listing(struct lac_plain *p,
						 const struct lac_listing *l,
						 struct lac_err *err);

/*
 * A text that need not be clean, broken at blanks.  The first line starts with
 * first, the others with rest, which take part in the width.
 */
LAC_MUST_CHECK enum lac_status lac_plain_wrap(struct lac_plain *p,
					      const char *text,
					      const char *first,
					      const char *rest,
					      enum lac_plain_style style,
					      struct lac_err *err);

/* Start and end of a style; nothing without colour. */
const char *lac_plain_on(const struct lac_plain *p, enum lac_plain_style s);
const char *lac_plain_off(const struct lac_plain *p, enum lac_plain_style s);

#endif

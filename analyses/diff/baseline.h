/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * baseline.h - the figures of chosen records as text: a record a line, sorted,
 * so that it can be committed and two branches' changes merge.
 *
 *     # lacuna baseline 2, lines of 64 bytes
 *     struct page size=64 align=16 lines=1 holes=0 hole_bits=0 ...
 *     # end
 *
 * The last line shows a file that was cut; a count would do so, too, but every
 * two branches that record one more would conflict in it.
 * "?" is a figure that the input did not tell.  Several layouts of one name
 * are numbered: "struct s #2".  No line numbers and no paths: what does not
 * change a layout does not change the file.
 *
 * Unnamed structs and unions are transparent: holes, padding, straddlers and
 * members are those of struct lac_through.
 */
#ifndef LAC_BASELINE_H
#define LAC_BASELINE_H

#include "diff/shape.h"

enum { LAC_FIGURES = 8 };

/* In the order of the file. */
enum lac_figure_id {
	LAC_FIGURE_SIZE,
	LAC_FIGURE_ALIGN,
	LAC_FIGURE_LINES,
	LAC_FIGURE_HOLES,
	LAC_FIGURE_HOLE_BITS,
	LAC_FIGURE_PADDING_BITS,
	LAC_FIGURE_STRADDLERS,
	LAC_FIGURE_MEMBERS,
};

#define LAC_FIGURE_UNKNOWN UINT64_MAX

struct lac_baseline_entry {
	const char *label; /* "struct page", "struct s #2" */
	unsigned line;	   /* 0 if it was not read from a file */
	uint64_t figures[LAC_FIGURES];
};

struct lac_baseline {
	const char *path;
	uint32_t line_size; /* bytes, that lines and straddlers are of */
	uint32_t n;
	struct lac_baseline_entry *entries; /* by label */
};

/* Every named record of g, or those whose name one of the globs matches. */
LAC_MUST_CHECK enum lac_status
lac_baseline_of(const struct lac_graph *g, uint32_t line_size,
		const char *const *globs, uint32_t nglobs,
		struct lac_arena *arena, struct lac_baseline *ret,
		struct lac_err *err);

/* As text; in the arena. */
LAC_MUST_CHECK enum lac_status lac_baseline_write(const struct lac_baseline *b,
						  struct lac_arena *arena,
						  const char **ret,
						  size_t *size,
						  struct lac_err *err);

/* LAC_USAGE with line and column; *ret in the arena. */
LAC_MUST_CHECK enum lac_status lac_baseline_parse(const char *path,
						  const char *text,
						  size_t size,
						  struct lac_arena *arena,
						  struct lac_baseline *ret,
						  struct lac_err *err);

/* NULL if it is not there. */
const struct lac_baseline_entry *
lac_baseline_find(const struct lac_baseline *b, const char *label);

const char *lac_figure_name(enum lac_figure_id f);
/*
 * The named records of a graph as shapes, by label, then by content; labels
 * of further layouts are numbered.  Used by the baseline and by the rules.
 */
struct lac_labelled {
	struct lac_shape shape;
	struct lac_through through; /* of a record */
	lac_record_id record; /* or LAC_NONE: an enumeration */
	const char *label;
};
LAC_MUST_CHECK enum lac_status
lac_labelled_list(const struct lac_graph *g, uint32_t line_size,
		  struct lac_arena *arena, struct lac_labelled **ret,
		  uint32_t *n, struct lac_err *err);
void lac_figures_of(const struct lac_labelled *t, uint64_t ret[LAC_FIGURES]);

#endif

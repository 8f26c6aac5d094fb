/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * figure_data.h - the data of figures, checked: from JSON of the shape that
 * figure.h states to structs that a drawing can rely on.  Texts are borrowed
 * from the JSON, arrays live in the arena.
 */
#ifndef LAC_FIGURE_DATA_H
#define LAC_FIGURE_DATA_H

#include "report/doc.h"

enum lac_fig_span_kind {
	LAC_FIG_MEMBER,
	LAC_FIG_HOLE,
	LAC_FIG_PADDING,
	LAC_FIG_UNKNOWN,
};

struct lac_fig_span {
	enum lac_fig_span_kind kind;
	const char *label; /* never NULL */
	uint64_t bit_offset, bit_size;
	bool straddles, changed, has_heat;
	double heat;
};

/* Spans follow each other from 0 to size * 8. */
struct lac_fig_map {
	const char *title;
	uint64_t size, first_byte; /* first_byte < line_size */
	size_t nspans;
	struct lac_fig_span *spans;
};

struct lac_fig_line_map {
	uint64_t line_size; /* a power of two, 8 to 4096 */
	size_t nmaps;
	struct lac_fig_map *maps;
	const char *heat_title; /* NULL: no heat; see lac_fig_heat() */
	double heat_max;
};

struct lac_fig_mark {
	const char *label;
	uint64_t byte_offset, byte_size; /* within the element */
};

struct lac_fig_array {
	const char *title;
	uint64_t element_size, first_byte, elements; /* none is huge */
	size_t nmarks;
	struct lac_fig_mark *marks;
};

struct lac_fig_array_map {
	uint64_t line_size;
	size_t narrays;
	struct lac_fig_array *arrays;
};

struct lac_fig_point {
	const char *group, *status; /* status of an absent value: never NULL */
	bool has_value;
	double value, low, high; /* low <= value <= high */
	size_t group_index;
};

struct lac_fig_category {
	const char *label;
	size_t npoints;
	struct lac_fig_point *points;
};

struct lac_fig_intervals {
	const char *value_title, *reference_title;
	int decimals;
	bool logarithmic, has_reference;
	double reference, min, max; /* of all that is drawn; min < max */
	size_t ncategories, ngroups;
	struct lac_fig_category *categories;
	const char **groups; /* as given, then in order of appearance */
	bool *group_used;
};

enum lac_fig_state { LAC_FIG_HOLDS, LAC_FIG_FAILS, LAC_FIG_NOT_KNOWN };

struct lac_fig_step {
	const char *label, *detail;
	enum lac_fig_state state;
};

struct lac_fig_chain {
	size_t nsteps;
	struct lac_fig_step *steps;
};

/* LAC_BAD_INPUT names the figure and the key that is wrong. */
LAC_MUST_CHECK enum lac_status
lac_fig_read_line_map(struct lac_arena *a, const struct lac_figure *f,
		      struct lac_fig_line_map *ret, struct lac_err *err);
LAC_MUST_CHECK enum lac_status
lac_fig_read_array_map(struct lac_arena *a, const struct lac_figure *f,
		       struct lac_fig_array_map *ret, struct lac_err *err);
LAC_MUST_CHECK enum lac_status
lac_fig_read_intervals(struct lac_arena *a, const struct lac_figure *f,
		       struct lac_fig_intervals *ret, struct lac_err *err);
LAC_MUST_CHECK enum lac_status
lac_fig_read_chain(struct lac_arena *a, const struct lac_figure *f,
		   struct lac_fig_chain *ret, struct lac_err *err);

/* A heat as text: counts in full, others to three digits. */
const char *lac_fig_heat(struct lac_arena *arena, double heat);

#endif

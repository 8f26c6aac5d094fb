/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doc.h - what a command says, with no word on how it looks.
 *
 * A document is a tree of data and a list of views on it.  The data is the JSON
 * contract: `-o json` prints it as it is.  A view is a heading, a paragraph, a
 * listing, a table or a figure; the tables and figures point into the data, so
 * that text and JSON cannot disagree.  Values in the data are typed and bare:
 * no units, no rounding, no colours.  The unit is the column's.
 *
 * A value that could not be had is null in the data, and beside it stands
 * "status" with the reason; no renderer shows it as 0.
 */
#ifndef LAC_DOC_H
#define LAC_DOC_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "report/rows.h"

enum lac_unit_kind {
	LAC_UNIT_NONE,	  /* text and plain numbers */
	LAC_UNIT_BYTES,	  /* 64 */
	LAC_UNIT_BITS,	  /* shown as bytes, or as bytes and bits: 17b3 */
	LAC_UNIT_MEMORY,  /* bytes, shown as 2.0 GiB */
	LAC_UNIT_NS,	  /* nanoseconds */
	LAC_UNIT_COUNT,	  /* 12345 */
	LAC_UNIT_PERCENT, /* of a fraction: 0.125 shows as 12.5 % */
	LAC_UNIT_CHANGE,  /* the same of a change, with its sign: +12.5 % */
	LAC_UNIT_RATIO,	  /* 0.875 */
};

struct lac_column {
	/*
	 * Where the cell is in the row's object: "name", "time_ns.value".
	 * Stable: scripts use it.
	 */
	const char *key;
	const char *title; /* for people: may be reworded */
	enum lac_unit_kind unit;
	int decimals;	 /* for real numbers */
	const char *low, *high; /* keys of an interval's ends, or NULL */
};

enum lac_view_kind {
	LAC_VIEW_HEADING,
	LAC_VIEW_PARAGRAPH,
	LAC_VIEW_LISTING,
	LAC_VIEW_TABLE,
	LAC_VIEW_FIGURE,
};

/* A line of a listing: C text at a depth, and the comment beside it. */
struct lac_line {
	unsigned depth;
	const char *code;    /* "" for a line that is all comment */
	const char *comment; /* without the comment marks; NULL for none */
};

struct lac_listing {
	const char *language; /* "c", or "" for plain text */
	size_t nlines, cap;
	struct lac_line *lines;
	/*
	 * Where the comments start, or 0: after the longest code.  Renderers
	 * with a narrow page put a comment that does not fit on its own line.
	 */
	unsigned comment_column;
};

struct lac_table {
	const char *key, *caption;
	size_t ncolumns;
	const struct lac_column *columns;
	/* borrowed: an array of objects in the data; or NULL, and values has */
	const json_t *rows;
	const struct lac_rows *values;
	const size_t *places; /* of the columns in values' fields, or nkeys */
	size_t status; /* likewise of "status", which says why one is null */
	/*
	 * Where rows are a selection for people, all of them, for the formats
	 * that programs read; else NULL.
	 */
	const json_t *full;
	bool bare; /* no KEY.status columns in CSV */
	/* and their columns there, if others; else NULL */
	const struct lac_column *full_columns;
	size_t nfull_columns;
};

enum lac_figure_kind {
	LAC_FIGURE_LINE_MAP,  /* a record over its lines */
	LAC_FIGURE_ARRAY_MAP, /* elements of one or two sizes over lines */
	LAC_FIGURE_INTERVALS, /* values with intervals, by category */
	LAC_FIGURE_CHAIN,     /* a chain of evidence */
};

struct lac_figure {
	enum lac_figure_kind kind;
	const char *key, *caption;
	const char *description; /* for readers who cannot see it */
	const json_t *data;	 /* borrowed; its shape: render/figure.h */
};

struct lac_view {
	enum lac_view_kind kind;
	unsigned level; /* HEADING: 1 to 3 */
	bool detail;	/* secondary: folded away, or left out if brief */
	bool travels;	/* not on a terminal, whose reader knows it */
	bool graphic;	/* for HTML and SVG only: other formats leave it out */
	union {
		const char *text; /* HEADING, PARAGRAPH */
		struct lac_listing listing;
		struct lac_table table;
		struct lac_figure figure;
	};
};

struct lac_doc {
	struct lac_arena *arena; /* owns the views and their texts */
	json_t *data;		 /* an object; owned */
	size_t nviews, cap;
	struct lac_view *views;
	/*
	 * A fault of memory while building is kept here and reported once, by
	 * lac_doc_finish(): the builders below need no check of their own.
	 */
	bool broken;
	/*
	 * Nothing prints the data itself: long lists in it that no view shows
	 * may be left out.
	 */
	bool views_only;
	struct lac_view spare; /* what a builder fills when memory is out */
	json_t *selections;    /* lac_doc_rows(); owned, never printed */
};

/* data starts as {"schema":"lacuna/1","command":COMMAND}. */
LAC_MUST_CHECK enum lac_status lac_doc_create(const char *command,
					      struct lac_doc **ret,
					      struct lac_err *err);
void lac_doc_destroy(struct lac_doc *d); /* NULL is a no-op */

/* Texts are copied. */
void lac_doc_heading(struct lac_doc *d, unsigned level, const char *fmt, ...)
	LAC_PRINTF(3, 4);
void lac_doc_paragraph(struct lac_doc *d, const char *fmt, ...)
	LAC_PRINTF(2, 3);
/* The listing stays valid until the next view is added. */
struct lac_listing *lac_doc_listing(struct lac_doc *d, const char *language);
void lac_listing_line(struct lac_doc *d, struct lac_listing *l, unsigned depth,
		      const char *code, const char *comment);
/*
 * columns are not copied: they are constants.  rows must be in d->data, or be
 * of lac_doc_rows().
 */
void lac_doc_table(struct lac_doc *d, const char *key, const char *caption,
		   const struct lac_column *columns, size_t ncolumns,
		   const json_t *rows);
/*
 * Rows of the document's that share these keys (constants), to be added by
 * lac_rows_add() before a table shows them; NULL when out of memory, which the
 * two below take.
 */
struct lac_rows *lac_doc_values(struct lac_doc *d, const char *const *keys,
				size_t nkeys);
/* Each of them as an object in an array at key of the data, if it is asked for. */
void lac_doc_set_values(struct lac_doc *d, const char *key,
			const struct lac_rows *values);
void lac_doc_table_values(struct lac_doc *d, const char *key,
			  const char *caption, const struct lac_column *columns,
			  size_t ncolumns, const struct lac_rows *values);
/*
 * Of the table added last, CSV has these columns alone, always: why a cell is
 * empty is said by another of them, or goes without saying.
 */
void lac_doc_table_bare(struct lac_doc *d);
/* The table added last shows the beginning of these rows. */
void lac_doc_table_full(struct lac_doc *d, const json_t *rows);
/* And it has these columns for programs, of cells that it shows merged. */
void lac_doc_table_full_columns(struct lac_doc *d,
				const struct lac_column *columns,
				size_t ncolumns);
void lac_doc_figure(struct lac_doc *d, enum lac_figure_kind kind,
		    const char *key, const char *caption,
		    const char *description, const json_t *data);
/*
 * Mark the view added last as secondary: folded away where that can be, and
 * left out of a brief document.  _since: every view from the from-th on, where
 * from is d->nviews as it was.
 */
void lac_doc_detail(struct lac_doc *d);
void lac_doc_detail_since(struct lac_doc *d, size_t from);
/*
 * Mark the view added last as one for readers elsewhere (what was read, by what
 * it was made): the text form leaves it out.
 */
void lac_doc_travels(struct lac_doc *d);
/*
 * Mark the view added last, a figure or a table, as one that only repeats what
 * others say: where characters stand, it is left out.
 */
void lac_doc_graphic(struct lac_doc *d);

/*
 * Put value (a reference that the document takes, NULL marks the document as
 * broken) at key of an object in the data.
 */
void lac_doc_set(struct lac_doc *d, json_t *object, const char *key,
		 json_t *value);
void lac_doc_append(struct lac_doc *d, json_t *array, json_t *value);

/*
 * A JSON string of any bytes: what is not UTF-8 becomes U+FFFD.  json_string()
 * refuses such bytes, and a malformed file has them.  null for NULL; NULL when
 * out of memory, as lac_doc_set() takes it.
 */
json_t *lac_doc_string(const char *s);

/*
 * An array of the document's, beside the data and not printed: for the rows
 * that a table picks out of it.  Append rows of the data, by reference
 * (lac_doc_append(d, rows, json_incref(row))).  NULL when out of memory, which
 * lac_doc_append() and lac_doc_table() take.
 */
json_t *lac_doc_rows(struct lac_doc *d);

/* null and why: {"value":null,"status":"unsupported"}. */
json_t *lac_doc_absent(const char *status);

/* LAC_NO_MEMORY if any builder failed. */
LAC_MUST_CHECK enum lac_status lac_doc_finish(const struct lac_doc *d,
					      struct lac_err *err);

/* The cell of a row: follow a dotted key; NULL if it is not there. */
const json_t *lac_row_cell(const json_t *row, const char *key);

#endif

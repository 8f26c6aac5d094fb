/* SPDX-License-Identifier: BSD-2-Clause */
/* reader.h - what the files of this folder share; not for others. */
#ifndef LAC_PERFSTAT_READER_H
#define LAC_PERFSTAT_READER_H

#include "perfstat/perfstat.h"

/* --- lines.c: bytes as they came -> lines as perf printed them */

struct lac_perfstat_line {
	unsigned number;  /* in the input, from 1 */
	const char *raw;  /* with the marks of quoting */
	const char *text; /* without, and without blanks at the end */
};

/* Lines with nothing but blanks and quoting are left out. */
struct lac_perfstat_lines {
	size_t n, cap;
	struct lac_perfstat_line *at;
};

/*
 * Undoes what mail and archives do to characters: quoted-printable, entities,
 * typographic blanks and quotes, escape sequences, marks of quoting.  A blank
 * or quote that groups digits becomes an apostrophe.
 */
LAC_MUST_CHECK enum lac_status
lac_perfstat_split(const char *name, const void *bytes, size_t size,
		   struct lac_arena *arena, struct lac_perfstat_lines *ret,
		   struct lac_err *err);

/* --- number.c */

struct lac_perfstat_scan {
	struct lac_perfstat_number number;
	unsigned decimals;
	char mark, group;
	const char *end; /* after the number */
};

/*
 * A count as perf prints it: no decimals, or two, or (perf before 4.17) six;
 * the digits before them grouped or not.  That makes the meaning of each
 * separator certain.  False if s does not start with such a number.
 */
bool lac_perfstat_scan_count(const char *s, struct lac_perfstat_scan *ret);
/* Any other figure: ungrouped, at most one separator, which is the mark. */
bool lac_perfstat_scan_plain(const char *s, struct lac_perfstat_scan *ret);

/* --- index.c */

/* Events by where and name; zeroed is empty; grows in the arena. */
struct lac_perfstat_index {
	size_t cap, used;
	struct lac_perfstat_slot {
		const char *where, *name; /* name NULL: free */
		size_t number;
	} *slots;
};
/* The number that was given to the event of this key, or SIZE_MAX. */
size_t lac_perfstat_index_find(const struct lac_perfstat_index *x,
			       const char *where, const char *name);
/* Keys are borrowed, and only once: find first.  False: no memory. */
bool lac_perfstat_index_add(struct lac_perfstat_index *x, struct lac_arena *a,
			    const char *where, const char *name,
			    size_t number);
void lac_perfstat_index_clear(struct lac_perfstat_index *x);

/* --- record.c */

/* A count that perf never prints with decimals, by its name. */
bool lac_perfstat_is_plain_count(const char *name);

/* --- the three forms; each adds outputs to p */

struct lac_perfstat_reader {
	struct lac_perfstat *p;
	const struct lac_perfstat_lines *lines;
	struct lac_err *err;
	size_t series_lines; /* of -I, left out */
	size_t nevents;	     /* of all outputs */
	struct lac_perfstat_index index; /* of the output being read */
};

LAC_MUST_CHECK enum lac_status
lac_perfstat_read_human(struct lac_perfstat_reader *r);
LAC_MUST_CHECK enum lac_status
lac_perfstat_read_csv(struct lac_perfstat_reader *r);
LAC_MUST_CHECK enum lac_status
lac_perfstat_read_json(struct lac_perfstat_reader *r);

/* How many lines speak for a form. */
size_t lac_perfstat_count_human(const struct lac_perfstat_lines *l);
size_t lac_perfstat_count_csv(const struct lac_perfstat_lines *l);
size_t lac_perfstat_count_json(const struct lac_perfstat_lines *l);

/* --- build.c: growing what is read */

/* Room for one more than n; NULL when out of memory. */
void *lac_perfstat_grow(struct lac_arena *a, void *array, size_t n,
			size_t *cap, size_t size);
/* Becomes the last output of r->p; refused if there are too many. */
LAC_MUST_CHECK enum lac_status
lac_perfstat_begin_output(struct lac_perfstat_reader *r, unsigned line,
			  struct lac_perfstat_output **ret);
/* An event of the last output; names are borrowed from the arena. */
LAC_MUST_CHECK enum lac_status
lac_perfstat_begin_event(struct lac_perfstat_reader *r,
			 struct lac_perfstat_output *o, unsigned line,
			 const char *where, const char *name,
			 struct lac_perfstat_event **ret);
struct lac_perfstat_metric *
lac_perfstat_add_metric(struct lac_perfstat *p, struct lac_perfstat_event *e);
LAC_MUST_CHECK enum lac_status
lac_perfstat_add_note(struct lac_perfstat_reader *r, unsigned line,
		      const char *fmt, ...) LAC_PRINTF(3, 4);

/* One mark and one group in an output, and not the same. */
LAC_MUST_CHECK enum lac_status
lac_perfstat_see_marks(struct lac_perfstat_reader *r,
		       struct lac_perfstat_output *o, unsigned line,
		       const struct lac_perfstat_scan *s);

/* A plain count of e that was printed with decimals has no reading. */
LAC_MUST_CHECK enum lac_status
lac_perfstat_check_decimals(const struct lac_perfstat_reader *r,
			    const struct lac_perfstat_event *e,
			    const struct lac_perfstat_scan *value);

/* --- derived.c */

/*
 * Known units of metrics, for the human form: the length of the known unit at
 * s, 0 if there is none; *partial is set if s ends inside of one.
 */
size_t lac_perfstat_metric_unit(const char *s, bool *partial);

/* --- finish.c */

/* Work out metrics, means and what follows from them. */
LAC_MUST_CHECK enum lac_status
lac_perfstat_finish(struct lac_perfstat_reader *r,
		    struct lac_perfstat_output *o,
		    const struct lac_perfstat_hints *hints);

#endif

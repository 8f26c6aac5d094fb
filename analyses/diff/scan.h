/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scan.h - words of a line-oriented text file, and faults with line and
 * column.  Columns count bytes from 1.
 */
#ifndef LAC_SCAN_H
#define LAC_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

struct lac_scan {
	const char *path; /* for messages */
	const char *text;
	size_t size;
	size_t at;	  /* of the next byte */
	size_t line_from; /* where its line starts */
	unsigned line;	  /* from 1 */
	bool in_line;	  /* it was handed out */
	/*
	 * The status of a fault: LAC_USAGE, for what the user wrote for us, or
	 * LAC_BAD_INPUT.
	 */
	enum lac_status fault;
};

/*
 * Before the first line.  A zero byte anywhere is a fault: what follows it
 * would be lost from words and numbers.
 */
LAC_MUST_CHECK enum lac_status
lac_scan_start(struct lac_scan *s, const char *path, const char *text,
	       size_t size, enum lac_status fault, struct lac_err *err);
void lac_scan_rewind(struct lac_scan *s);
/* To the next line that has a word; '#' starts a comment.  false at the end. */
bool lac_scan_line(struct lac_scan *s);
/* The rest of this line is blank, or a comment. */
bool lac_scan_line_done(struct lac_scan *s);
/* Skip blanks; the next byte of the line, '\0' at its end. */
char lac_scan_peek(struct lac_scan *s);
/* Skip blanks and take this byte if it comes next. */
bool lac_scan_take(struct lac_scan *s, char c);
unsigned lac_scan_column(const struct lac_scan *s);
/*
 * Skip blanks and take bytes up to a blank, the line's end or one of `stops`;
 * "..." is taken whole, without its quotes.  In the arena; NULL is out of
 * memory, "" if there is none.
 */
const char *lac_scan_word(struct lac_scan *s, const char *stops,
			  struct lac_arena *arena);
/* The next word, if it is this one. */
bool lac_scan_keyword(struct lac_scan *s, const char *word);
/* The rest of the line without blanks around it; in the arena. */
const char *lac_scan_rest(struct lac_scan *s, struct lac_arena *arena);
/* "PATH:LINE:COLUMN: ..." at the present place. */
enum lac_status lac_scan_fail(const struct lac_scan *s, struct lac_err *err,
			      const char *fmt, ...) LAC_PRINTF(3, 4);

#endif

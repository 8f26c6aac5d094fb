/* SPDX-License-Identifier: BSD-2-Clause */
/* options.h - the command line: what every command takes, and its help. */
#ifndef LAC_OPTIONS_H
#define LAC_OPTIONS_H

#include <stdio.h>

#include "cmd.h"
#include "render/render.h"

/* What every command takes. */
struct lac_globals {
	const struct lac_renderer *format;
	const char *output; /* NULL for standard output */
	struct lac_render_options render;
	bool help; /* the user asks for help; nothing else is to be done */
};

/*
 * argv[0] is the command's name.  Fills g and r's arguments, which live as
 * long as *context (for poptFreeContext, also after a failure; may be NULL).
 * LAC_USAGE names what is wrong.
 */
LAC_MUST_CHECK enum lac_status
lac_options_parse(const struct lac_cmd *cmd, int argc, const char **argv,
		  struct lac_globals *g, struct lac_run *r,
		  poptContext *context, struct lac_err *err);

/* Help from the option tables. */
void lac_options_help(const struct lac_cmd *cmd, FILE *out);
void lac_options_formats(FILE *out);
/*
 * The same for programs, a line an option: command, -s, --long, argument,
 * description, values, with tabs between.  The first line has the command's
 * own.
 */
void lac_options_list(const struct lac_cmd *cmd, FILE *out);

/* The words that an option takes, with blanks between; "" for any. */
const char *lac_option_values(const char *command, const char *option);

/*
 * The name in the list of n that is nearest to what was typed, or NULL if none
 * is near.
 */
const char *lac_options_nearest(const char *typed, const char *const *names,
				size_t n);

/*
 * The long name of the first option of the table, and of those it includes,
 * that was given; NULL if none was.  Options are bound to variables that are 0
 * without them.
 */
const char *lac_options_first_given(const struct poptOption *t);

/* The options of every command, for help, completion and tests. */
extern const struct poptOption lac_global_options[];

#endif

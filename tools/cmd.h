/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd.h - a subcommand: a name, an option table, a function. */
#ifndef LAC_CMD_H
#define LAC_CMD_H

#include <popt.h>
#include <stdbool.h>

#include "base/err.h"
#include "report/doc.h"

enum lac_exit {
	LAC_EXIT_OK = 0,
	LAC_EXIT_FOUND = 1, /* ran well; something was found */
	LAC_EXIT_USAGE = 2,
	LAC_EXIT_FAILED = 3, /* could not do the work */
};

/* One run of a command: what the user gave and what came of it. */
struct lac_run {
	const char **args; /* what is left after the options; ends with NULL */
	size_t nargs;
	const char *output; /* -O as it was given, or NULL */
	struct lac_doc *doc;	/* to be filled */
	/* whose names stand in the document, if not copied; ends with it */
	struct lac_graph *graph;
	enum lac_exit verdict;	/* LAC_EXIT_OK unless the command says else */
};

/*
 * Never prints and never exits: main() parses the options, calls run(), renders
 * the document and makes status and verdict the exit status.
 */
struct lac_cmd {
	const char *name;
	const char *args; /* "FILE [TYPE...]", for the usage line */
	const char *summary;
	const char *help; /* a few lines under the options; may be NULL */
	size_t min_args, max_args;
	/*
	 * So many of the first arguments are files for lac_load(): what they
	 * hold may be kept for the next run (load.h).
	 */
	size_t files;
	/*
	 * The option table, ended by POPT_TABLEEND, bound to variables of the
	 * command's file: a process runs one command.  Options are bound (val
	 * is 0), or of POPT_ARG_VAL.  Taken by every command: help -h, -o, -O,
	 * --color, --width, --figure.  May be NULL.
	 */
	const struct poptOption *options;
	/* Options end at the first argument: what follows is another's. */
	bool options_first;
	enum lac_status (*run)(struct lac_run *r, struct lac_err *err);
	/*
	 * The command reads files that may be malformed on purpose: run() and
	 * the renderer then work in a child without rights (sandbox.h), and a
	 * child that dies is an error message.  What run() leaves in variables
	 * stays in the child.
	 */
	bool untrusted;
	bool untrusted_args; /* so it is where there are arguments */
	/* run() starts other programs; they inherit the sandbox. */
	bool execs;
	/*
	 * With untrusted: called in the parent before the child is made, for
	 * what needs more rights than reading (a file to write a cache to), and
	 * after the child has ended well.  May be NULL.  What prepare() opens,
	 * the child may use.
	 */
	enum lac_status (*prepare)(struct lac_run *r, struct lac_err *err);
	enum lac_status (*settle)(struct lac_run *r, struct lac_err *err);
};

/* In an option table: the title of the options that follow, for the help. */
extern const struct poptOption lac_group_table[];
#define LAC_GROUP(title)                                                       \
	{                                                                      \
		NULL, 0, POPT_ARG_INCLUDE_TABLE,                               \
			(void *)(uintptr_t)lac_group_table, 0, title, NULL     \
	}

/* Every command, ended by NULL; one line each in commands.c. */
extern const struct lac_cmd *const lac_cmds[];

#endif

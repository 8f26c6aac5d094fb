/* SPDX-License-Identifier: BSD-2-Clause */
/* load.h - open a FILE with the options that every reading command has. */
#ifndef LAC_LOAD_H
#define LAC_LOAD_H

#include <popt.h>

#include "cmd.h"
#include "dbginfo/graph.h"
#include "report/doc.h"

/* For a command's table: LAC_LOAD_OPTIONS in front of POPT_TABLEEND. */
extern const struct poptOption lac_load_table[];
#define LAC_LOAD_OPTIONS                                                       \
	{                                                                      \
		NULL, 0, POPT_ARG_INCLUDE_TABLE,                               \
			(void *)(uintptr_t)lac_load_table, 0, "reading debug information:", NULL \
	}

/*
 * Read path as the options say.  only: the names that will be asked for, ended
 * by NULL, or NULL for every type.  The caller ends *ret with
 * lac_graph_destroy().
 */
LAC_MUST_CHECK enum lac_status lac_load(const char *path,
					const char *const *only,
					struct lac_graph **ret,
					struct lac_err *err);

/* As lac_load(), with a format of the command's choice. */
LAC_MUST_CHECK enum lac_status lac_load_format(const char *path,
					       const char *const *only,
					       enum lac_format format,
					       struct lac_graph **ret,
					       struct lac_err *err);

/* As lac_load(), for names that no user gave: any of them may be absent. */
LAC_MUST_CHECK enum lac_status lac_load_some(const char *path,
					     const char *const *some,
					     struct lac_graph **ret,
					     struct lac_err *err);

/*
 * Two files, every type of them, at the same time where there are processors
 * for it.  As lac_load(); both graphs or none.
 */
LAC_MUST_CHECK enum lac_status lac_load_pair(const char *old_path,
					     const char *new_path,
					     struct lac_graph **old_graph,
					     struct lac_graph **new_graph,
					     struct lac_err *err);

/* With --partial: what the graph goes without, as a sentence of the document. */
void lac_load_incomplete(struct lac_doc *d, const struct lac_graph *g);

/* What --format asked for. */
LAC_MUST_CHECK enum lac_status lac_load_asked(enum lac_format *ret,
					      struct lac_err *err);

/* What the options say of reading; strings live as long as the process. */
LAC_MUST_CHECK enum lac_status lac_load_options(enum lac_format format,
						struct lac_graph_options *ret,
						struct lac_err *err);

/* More files than one or two will be loaded: each is tidied up after. */
void lac_load_many(void);

/* Threads that the user wants at work, after lac_load(); 0: did not say. */
unsigned lac_load_threads(void);

/* This process came across a kept graph that was damaged. */
bool lac_load_damaged(void);

/*
 * For a command whose files may be kept, in the parent: those that are not are
 * read, each in a child of its own, and kept, so that a file can do no harm to
 * what is kept of another.  Nothing that goes wrong here matters: the command
 * then reads the file itself.
 */
void lac_load_ahead(const struct lac_cmd *cmd, const struct lac_run *r,
		    int private_fd);

/* After the command: what turned out to be damaged is no longer kept. */
void lac_load_settle(const struct lac_cmd *cmd, const struct lac_run *r,
		     bool damaged);

/*
 * --line-size: bytes, a power of two.  NULL stands for the default, which is 0
 * here and everywhere: as the machine of the build has them (layout/layout.h).
 */
LAC_MUST_CHECK enum lac_status lac_line_size_check(const char *asked,
						   uint32_t *ret,
						   struct lac_err *err);

#endif

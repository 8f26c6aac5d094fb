/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fixture.h - where the programs are that lacuna runs and reads: the builds of
 * the allocator library.
 */
#ifndef LAC_FIXTURE_H
#define LAC_FIXTURE_H

#include "base/arena.h"
#include "base/err.h"

/*
 * The directory that holds them.  $LACUNA_LIBEXEC if it is set; else the first
 * that exists of fixtures/ beside the running program (a build tree) and
 * ../libexec/lacuna from it (an installation).  *ret lives in the arena
 * or in the environment.
 * LAC_NOT_FOUND names the places that were tried.
 */
LAC_MUST_CHECK enum lac_status lac_fixture_dir(struct lac_arena *arena,
					       const char **ret,
					       struct lac_err *err);

/*
 * The path of one of them, such as "slab-sim-packed-lock": an executable file.
 * LAC_NOT_FOUND names the directory that lacks it.
 */
LAC_MUST_CHECK enum lac_status lac_fixture_find(const char *name,
						struct lac_arena *arena,
						const char **ret,
						struct lac_err *err);

/* The same of a file to read, such as "lacuna-trace.o". */
LAC_MUST_CHECK enum lac_status lac_fixture_file(const char *name,
						struct lac_arena *arena,
						const char **ret,
						struct lac_err *err);

#endif

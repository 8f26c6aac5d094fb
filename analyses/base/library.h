/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * library.h - shared libraries that few runs need are loaded by those: what is
 * linked costs every start of the program.
 */
#ifndef LAC_LIBRARY_H
#define LAC_LIBRARY_H

#include "base/err.h"

/* Of a table of functions: where one goes, and what it is called. */
struct lac_library_call {
	void *to; /* a pointer to a function pointer */
	const char *name;
};

/*
 * Load the library by its file name ("libxml2.so.2") and fill in the functions,
 * up to one without a name.  It stays loaded.  LAC_UNSUPPORTED names what is
 * not there.
 */
LAC_MUST_CHECK enum lac_status
lac_library_load(const char *file, const struct lac_library_call *calls,
		 struct lac_err *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * search.h - the file that really holds the debug info: a separate one, found
 * by build id or by .gnu_debuglink; a common one of dwz; the .dwo or .dwp of
 * split DWARF.
 */
#ifndef LAC_SEARCH_H
#define LAC_SEARCH_H

#include "object/object.h"

#define LAC_BUILD_ID_MAX 64

struct lac_build_id {
	unsigned char bytes[LAC_BUILD_ID_MAX];
	unsigned size; /* 0 if there is none */
};

/* Where to look, beside the places of the system. */
struct lac_places {
	const char *debug_dir; /* NULL for none */
	/*
	 * The file of a build id (in hexadecimal), asked for when it is nowhere
	 * else; NULL if it has none.  NULL for nobody to ask.
	 */
	const char *(*find_id)(void *context, const char *build_id);
	void *context;
};

/* Of .note.gnu.build-id; size 0 if it has none. */
void lac_object_build_id(struct lac_object *o, struct lac_build_id *ret);

/* Of a file by its program headers, before anything else of it is believed. */
void lac_file_build_id(int fd, struct lac_build_id *ret);

/* Of the program or library that this code is a part of. */
void lac_own_build_id(struct lac_build_id *ret);

/*
 * The separate file with o's debug info, opened.  LAC_NOT_FOUND with a message
 * that names what was looked for; err->msg is "" if o names no such file.
 */
LAC_MUST_CHECK enum lac_status lac_search_debug(struct lac_object *o,
						const struct lac_places *at,
						struct lac_object **ret,
						struct lac_err *err);

/* The file of .gnu_debugaltlink or .debug_sup; as above. */
LAC_MUST_CHECK enum lac_status lac_search_alt(struct lac_object *o,
					      const struct lac_places *at,
					      struct lac_object **ret,
					      struct lac_err *err);

/*
 * The .dwo of that name, as recorded by the compiler: in its directory, beside
 * `beside`, or in debug_dir.  LAC_NOT_FOUND names it.
 */
LAC_MUST_CHECK enum lac_status
lac_search_dwo(const char *name, const char *comp_dir, const char *beside,
	       const char *debug_dir, struct lac_object **ret,
	       struct lac_err *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lines.h - the names of source files in .debug_line.
 *
 * libdwarf can tell them too, but it builds them in memory that its threads
 * share, and as much as a damaged header asks for (20210528).
 */
#ifndef LAC_LINES_H
#define LAC_LINES_H

#include "dbginfo/raw.h"

/* What the first entry of a unit says about its file names. */
struct lac_line_unit {
	uint64_t table; /* offset in .debug_line, or LAC_NO_TABLE */
	const char *comp_dir;
	uint64_t str_offsets_base;
	struct lac_unit_form form;
};

#define LAC_NO_TABLE UINT64_MAX

/* The tables of the unit that was asked last; zeroed at first. */
struct lac_lines {
	bool valid;
	uint64_t table;
	uint16_t version;
	struct lac_line_name {
		const char *name;
		uint64_t dir;
	} *files;
	const char **dirs;
	uint32_t nfiles, ndirs, files_cap, dirs_cap;
	char *path; /* the last answer */
	size_t path_cap;
};

void lac_lines_free(struct lac_lines *l);

/*
 * The name of file number n as seen from the directory of compilation; NULL if
 * there is none or memory is out.  It lives until the next call.
 */
const char *lac_lines_file(struct lac_lines *l,
			   const struct lac_raw_sections *s,
			   const struct lac_line_unit *u, uint64_t n);

/* A path as seen from a directory above it, which may be NULL. */
const char *lac_path_below(const char *path, const char *dir);

/* The text that a string form stands for; NULL if it lies outside. */
const char *lac_value_text(const struct lac_raw_sections *s,
			   const struct lac_unit_form *f,
			   uint64_t str_offsets_base,
			   const struct lac_value *v);

#endif

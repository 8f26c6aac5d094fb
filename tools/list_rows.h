/* SPDX-License-Identifier: BSD-2-Clause */
/* list_rows.h - the records that `list` is to show, as rows in their order. */
#ifndef LAC_LIST_ROWS_H
#define LAC_LIST_ROWS_H

#include "dbginfo/graph.h"
#include "report/rows.h"

/* The words that --sort takes, for messages. */
#define LAC_LIST_KEYS                                                          \
	"name, kind, decl, size, align, members, holes, hole_bits, "           \
	"padding_bits, waste, nested_hole_bits, nested_padding_bits, "         \
	"unknown_bits, member_bits, lines, straddlers, units, saves, none"

/* What is asked for.  Lists end with NULL; one that is NULL takes all. */
struct lac_list_wish {
	const char *key; /* one of the above: see lac_list_has_key() */
	bool reverse;
	const char **globs; /* of names */
	char **decl, **kinds; /* globs of files; kinds as they are named */
	uint64_t min_size;    /* bytes */
	uint32_t line_size;   /* bytes; 0: the target's */
	bool holes, straddlers, anonymous;
	bool reorder; /* what another order saves: for key "saves", too */
	unsigned threads; /* 0: as many as processors */
};

struct lac_list_found {
	size_t named; /* records that have such a name, file and kind */
	bool *matched; /* by glob: some name did */
	/* of all rows */
	uint64_t hole_bits, padding_bits, with_holes, waste_bits, wasting;
	uint64_t smaller, saves; /* with reorder: records, bytes */
};

bool lac_list_has_key(const char *key);

/*
 * The rows, which are empty, are filled.  *ret and the texts are in the arena,
 * which has to live as long as the rows.
 */
LAC_MUST_CHECK enum lac_status
lac_list_select(const struct lac_graph *g, const struct lac_list_wish *wish,
		struct lac_arena *arena, struct lac_rows *rows,
		struct lac_list_found *ret, struct lac_err *err);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* record_json.h - a layout as the JSON contract has it. */
#ifndef LAC_RECORD_JSON_H
#define LAC_RECORD_JSON_H

#include "json_number.h"
#include "layout/layout.h"
#include "layout/reorder.h"
#include "report/doc.h"

struct lac_record_json_options {
	struct lac_rules *rules;  /* of the layout's graph */
	bool expand;		  /* open the records among the members, too */
	const json_t *unit_names; /* lac_unit_names(), which all share */
};

/*
 * Everything about one record, for `show`; the caller's reference.  A member
 * that the C form opens in place has its record in "record", with offsets from
 * the start of that.
 */
LAC_MUST_CHECK enum lac_status
lac_record_json(struct lac_doc *d, const struct lac_layout *l,
		const struct lac_record_json_options *o,
		struct lac_arena *scratch, json_t **ret, struct lac_err *err);

/*
 * The record that is opened in place where a member of it stands: one that has
 * no name, or with expand any; LAC_NONE for none.
 */
lac_record_id lac_record_opened(const struct lac_graph *g,
				const struct lac_member *m, bool expand,
				unsigned depth);

/* The names of a graph's units by index; the caller's reference. */
json_t *lac_unit_names(struct lac_doc *d, const struct lac_graph *g);

/*
 * "mm.h:12" in the arena, or the file itself if there is no line; NULL: no file
 * or no memory.
 */
const char *lac_decl_text(struct lac_arena *arena, const char *file,
			  uint32_t line);

/*
 * Rows of figures alone, for `list`; see lac_doc_values().  reorder: with what
 * another order of the members saves.
 */
struct lac_rows *lac_record_rows(struct lac_doc *d, bool reorder);
/*
 * One more of them, with texts in the arena; false: out of memory.  x is NULL
 * unless they are with that.
 */
bool lac_record_row(struct lac_arena *arena, struct lac_rows *rows,
		    const struct lac_layout *l, const struct lac_through *t,
		    const struct lac_reorder *x);

/* Its name, or that of a typedef for it; NULL if it has neither. */
const char *lac_record_name(const struct lac_record *r);

#endif

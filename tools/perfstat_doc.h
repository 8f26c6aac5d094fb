/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perfstat_doc.h - perf stat's figures in a document: the data that -o json
 * prints and tables that fit a mail.
 */
#ifndef LAC_PERFSTAT_DOC_H
#define LAC_PERFSTAT_DOC_H

#include "perfstat/perfstat.h"
#include "report/doc.h"

/*
 * One output: its data, which the caller puts into the document (NULL: out of
 * memory), before the tables that show it may be added.
 */
json_t *lac_perfstat_output_data(const struct lac_perfstat *p, size_t i);
/* Heading, what is known of the whole, events, derived figures. */
void lac_perfstat_show_output(struct lac_doc *d, const struct lac_perfstat *p,
			      size_t i, const json_t *data);

/* One line: "Old: FILE, lines 2 to 16: 'CMD'; 10 runs, ..." */
void lac_perfstat_show_source(struct lac_doc *d, const char *who,
			      const struct lac_perfstat *p, size_t i);

/* The lines that were left out and the defects that were found. */
json_t *lac_perfstat_notes_data(const struct lac_perfstat *p);
void lac_perfstat_show_notes(struct lac_doc *d, const struct lac_perfstat *p);

/* Two outputs, compared. */
json_t *lac_perfstat_comparison_data(
	const struct lac_perfstat_comparison *c,
	const struct lac_perfstat_output *old_output,
	const struct lac_perfstat_output *new_output);
void lac_perfstat_show_comparison(struct lac_doc *d,
				  const struct lac_perfstat_comparison *c,
				  const json_t *data);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph_text.h - what a graph says, whatever the ids and the order of its
 * types: one line for each record, enumeration and alias, sorted.  What a
 * pointer leads to goes by its name.
 */
#ifndef LAC_TEST_GRAPH_TEXT_H
#define LAC_TEST_GRAPH_TEXT_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dbginfo/graph.h"

/* A line is cut behind so many bytes: types of types can be told at length. */
#define GRAPH_LINE_MAX (1 << 20)

static inline void record_text(FILE *f, const struct lac_graph *g,
			       const struct lac_record *r);

static inline void enum_text(FILE *f, const struct lac_enumeration *e)
{
	fprintf(f, "enum %s %" PRIu64 " %d {", e->name ? e->name : "-", e->size,
		e->is_signed);
	for (uint32_t i = 0; i < e->nvalues; i++)
		fprintf(f, " %s=%" PRId64,
			e->values[i].name ? e->values[i].name : "-",
			e->values[i].value);
	fprintf(f, " }");
}

static inline void type_text(FILE *f, const struct lac_graph *g, lac_type_id id,
			     bool named)
{
	const struct lac_type *t = &g->types[id];
	bool whole = !named && !t->name;

	if (ftell(f) > GRAPH_LINE_MAX)
		return;
	fprintf(f, "%d:%d:%s:%" PRIu64 " ", t->kind, t->encoding,
		t->name ? t->name : "-",
		named && t->kind != LAC_TYPE_BASE ? 0 : t->size);
	switch (t->kind) {
	case LAC_TYPE_RECORD:
		if (whole && t->record != LAC_NONE)
			record_text(f, g, &g->records[t->record]);
		else
			fprintf(f, "%d", t->record_kind);
		return;
	case LAC_TYPE_ENUM:
		if (whole && t->enumeration != LAC_NONE)
			enum_text(f, &g->enumerations[t->enumeration]);
		return;
	case LAC_TYPE_FUNCTION:
		fprintf(f, "(%d", t->function.variadic);
		for (uint32_t i = 0; i < t->function.nparams; i++)
			type_text(f, g, t->function.params[i], true);
		fprintf(f, ")");
		type_text(f, g, t->target, true);
		return;
	case LAC_TYPE_ARRAY:
		fprintf(f, "[%" PRIu64 "]", t->array.count);
		type_text(f, g, t->target, named);
		return;
	case LAC_TYPE_VOID:
	case LAC_TYPE_BASE:
		return;
	default:
		type_text(f, g, t->target, named || t->kind == LAC_TYPE_POINTER);
	}
}

static inline void record_text(FILE *f, const struct lac_graph *g,
			       const struct lac_record *r)
{
	fprintf(f, "record %d %s %s %" PRIu64 " %u %u %s {", r->kind,
		r->name ? r->name : "-", r->typedef_name ? r->typedef_name : "-",
		r->size, r->declared_align, r->nunits,
		r->damage ? r->damage : "-");
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];

		fprintf(f, " %s@%" PRIu64 "+%" PRIu64 ",%d,%d:",
			m->name ? m->name : "-", m->bit_offset, m->bit_size,
			m->role, m->certainty);
		type_text(f, g, m->type, false);
	}
	fprintf(f, " }");
}

static inline int compare_lines(const void *x, const void *y)
{
	return strcmp(*(char *const *)x, *(char *const *)y);
}

/*
 * The caller's; NULL when out of memory.  once: without lines that are there
 * twice, which a pool does not find of nameless records that lead to each other
 * (as no compiler's do).
 */
static inline char *graph_text_of(const struct lac_graph *g, bool once)
{
	size_t n = 0, all = (size_t)g->nrecords + g->nenumerations + g->naliases;
	char **lines = calloc(all + 1, sizeof(*lines)), *text = NULL;
	size_t size = 0;
	FILE *f;

	if (!lines)
		return NULL;
	for (size_t i = 0; i < all; i++) {
		size_t k = i;

		f = open_memstream(&lines[n++], &size);
		if (k < g->nrecords) {
			record_text(f, g, &g->records[k]);
		} else if ((k -= g->nrecords) < g->nenumerations) {
			enum_text(f, &g->enumerations[k]);
		} else {
			k -= g->nenumerations;
			fprintf(f, "%s is ", g->aliases[k].name);
			record_text(f, g, &g->records[g->aliases[k].record]);
		}
		fclose(f);
	}
	qsort(lines, n, sizeof(*lines), compare_lines);
	f = open_memstream(&text, &size);
	fprintf(f, "pointers of %d\n", g->target.pointer_size);
	for (size_t i = 0; i < n; i++)
		if (!once || !i || strcmp(lines[i - 1], lines[i]) != 0)
			fprintf(f, "%s\n", lines[i]);
	for (size_t i = 0; i < n; i++)
		free(lines[i]);
	fclose(f);
	free(lines);
	return text;
}

static inline char *graph_text(const struct lac_graph *g)
{
	return graph_text_of(g, false);
}

#endif

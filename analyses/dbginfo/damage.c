/* SPDX-License-Identifier: BSD-2-Clause */
/* damage.c - records that cannot be as the input has them. */
#include "dbginfo/damage.h"

#include <stdio.h>
#include <stdlib.h>

#define NAMES_MAX 8 /* in a message */

/* A nameless record that the type is, or is an array of; or LAC_NONE. */
static lac_record_id nameless_in(const struct lac_graph *g,
				 const struct lac_record *records,
				 lac_type_id id)
{
	const struct lac_type *t = &g->types[lac_type_strip(g, id)];

	while (t->kind == LAC_TYPE_ARRAY)
		t = &g->types[lac_type_strip(g, t->target)];
	if (t->kind != LAC_TYPE_RECORD || t->record == LAC_NONE ||
	    records[t->record].name || records[t->record].typedef_name)
		return LAC_NONE;
	return t->record;
}

static bool spread_to(const struct lac_graph *g, struct lac_record *records,
		      struct lac_record *r)
{
	for (uint32_t i = 0; i < r->nmembers; i++) {
		lac_record_id in =
			nameless_in(g, records, r->members[i].type);

		if (in != LAC_NONE && records[in].damage) {
			r->damage = records[in].damage;
			return true;
		}
	}
	return false;
}

void lac_damage_spread(const struct lac_graph *g, struct lac_record *records)
{
	bool more = false;

	for (lac_record_id i = 0; i < g->nrecords && !more; i++)
		more = records[i].damage != NULL;
	while (more) {
		more = false;
		for (lac_record_id i = 0; i < g->nrecords; i++)
			if (!records[i].damage)
				more |= spread_to(g, records, &records[i]);
	}
}

static void print_names(const struct lac_graph *g, FILE *out)
{
	const char *comma = g->missing ? ", " : "";
	uint32_t n = 0;

	fputs(g->missing ? g->missing : "", out);
	for (lac_record_id i = 0; i < g->nrecords; i++) {
		const struct lac_record *r = &g->records[i];
		const char *name = r->name ? r->name : r->typedef_name;

		if (!r->damage || !name || n++ >= NAMES_MAX)
			continue;
		fprintf(out, "%s%s (malformed: %s)", comma, name, r->damage);
		comma = ", ";
	}
	if (n > NAMES_MAX)
		fprintf(out, ", and %u other malformed records", n - NAMES_MAX);
}

enum lac_status lac_damage_note(struct lac_graph *g, struct lac_err *err)
{
	const char *copy;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return lac_fail_memory(err);
	print_names(g, out);
	copy = fclose(out) ? NULL : lac_arena_strdup(g->arena, text);
	free(text);
	if (!copy)
		return lac_fail_memory(err);
	g->missing = *copy ? copy : NULL;
	return LAC_OK;
}

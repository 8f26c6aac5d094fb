/* SPDX-License-Identifier: BSD-2-Clause */
#include "enum_show.h"

#include <inttypes.h>
#include <string.h>

#include "base/glob.h"
#include "json_number.h"
#include "named.h"
#include "record_json.h"

#define NAME_COLUMNS_MAX 40
#define TAG "enum "

/* BTF has an enumeration without values for one that is only declared. */
static bool only_declared(const struct lac_graph *g,
			  const struct lac_enumeration *e)
{
	return !e->nvalues && (g->format == LAC_FORMAT_BTF || !e->size);
}

bool lac_is_enum_pattern(const char *name)
{
	return !strncmp(name, TAG, strlen(TAG)) &&
	       lac_is_pattern(name + strlen(TAG));
}

/*
 * By enumeration: the typedef that leads to it and is asked for.  By "enum" and
 * a name only, or a pattern, those go that have no other name.
 */
static void find_typedefs(const struct lac_graph *g, const char *bare,
			  bool pattern, bool tagged, const char **names)
{
	for (uint32_t i = 1; i < g->ntypes; i++) {
		const struct lac_type *t = &g->types[i], *to;

		if (t->kind != LAC_TYPE_TYPEDEF || !t->name ||
		    (pattern ? !lac_glob_name(bare, NULL, t->name)
			     : strcmp(t->name, bare) != 0))
			continue;
		to = &g->types[lac_type_strip(g, i)];
		if (to->kind != LAC_TYPE_ENUM || to->enumeration == LAC_NONE ||
		    (tagged && g->enumerations[to->enumeration].name) ||
		    names[to->enumeration])
			continue;
		names[to->enumeration] = t->name;
	}
}

static bool goes_by(const struct lac_enumeration *e, const char *name,
		    bool by_part)
{
	size_t all = e->name ? strlen(e->name) : 0, n = strlen(name);

	if (!e->name)
		return false;
	if (!by_part)
		return !strcmp(e->name, name);
	return all > n + 2 && !strcmp(e->name + all - n, name) &&
	       !strncmp(e->name + all - n - 2, "::", 2);
}

static const char *value_text(const struct lac_enumeration *e,
			      const struct lac_enumerator *v, bool hex,
			      struct lac_arena *scratch)
{
	uint64_t bits = (uint64_t)v->value;

	if (e->is_signed && v->value < 0)
		return hex ? lac_arena_printf(scratch, "-0x%" PRIx64, -bits)
			   : lac_arena_printf(scratch, "%" PRId64, v->value);
	return hex ? lac_arena_printf(scratch, "0x%" PRIx64, bits)
		   : lac_arena_printf(scratch, "%" PRIu64, bits);
}

static void put_text(struct lac_doc *d, const struct lac_enumeration *e,
		     const char *name, bool hex, struct lac_arena *scratch)
{
	const char *decl = lac_decl_text(scratch, e->decl_file, e->decl_line);
	struct lac_listing *out;
	int columns = 0;

	if (e->decl_file)
		lac_doc_paragraph(d, "%s", decl ? decl : "");
	for (uint32_t i = 0; i < e->nvalues; i++) {
		int n = (int)strnlen(e->values[i].name, NAME_COLUMNS_MAX);

		columns = n > columns ? n : columns;
	}
	out = lac_doc_listing(d, "c");
	lac_listing_line(d, out, 0,
			 e->name ? lac_arena_printf(scratch, "enum %s {", name)
				 : "typedef enum {", NULL);
	for (uint32_t i = 0; i < e->nvalues; i++)
		lac_listing_line(
			d, out, 1,
			lac_arena_printf(scratch, "%-*s = %s,", columns,
					 e->values[i].name,
					 value_text(e, &e->values[i], hex,
						    scratch)),
			NULL);
	if (e->nvalues)
		lac_listing_line(d, out, 1, "", NULL);
	lac_listing_line(d, out, 1, "",
			 lac_arena_printf(scratch,
					  "size: %" PRIu64
					  ", enumerators: %" PRIu32 ", %s",
					  e->size, e->nvalues,
					  e->is_signed ? "signed"
						       : "unsigned"));
	lac_listing_line(d, out, 0,
			 e->name ? "};"
				 : lac_arena_printf(scratch, "} %s;", name),
			 NULL);
}

static json_t *array_at(struct lac_doc *d, json_t *o, const char *key)
{
	if (!json_object_get(o, key))
		lac_doc_set(d, o, key, json_array());
	return json_object_get(o, key);
}

static void put_data(struct lac_doc *d, const struct lac_enumeration *e,
		     const char *name, struct lac_arena *scratch)
{
	json_t *o = json_object(), *values = json_array();

	lac_doc_set(d, o, "name", lac_doc_string(name));
	lac_doc_set(d, o, "kind", json_string("enum"));
	lac_doc_set(d, o, "size", lac_json_size(e->size));
	lac_doc_set(d, o, "signed", json_boolean(e->is_signed));
	for (uint32_t i = 0; i < e->nvalues; i++) {
		const struct lac_enumerator *v = &e->values[i];
		json_t *one = json_object();

		lac_doc_set(d, one, "name", lac_doc_string(v->name));
		lac_doc_set(d, one, "value",
			    lac_json_enumerator(v->value, e->is_signed));
		lac_doc_append(d, values, one);
	}
	lac_doc_set(d, o, "values", values);
	lac_doc_set(d, o, "decl",
		    lac_doc_string(lac_decl_text(scratch, e->decl_file,
						 e->decl_line)));
	lac_doc_append(d, array_at(d, d->data, "enumerations"), o);
}

enum lac_status lac_enums_show(struct lac_doc *d, const struct lac_graph *g,
			       const char *name, bool hex,
			       struct lac_arena *scratch, size_t *n,
			       struct lac_err *err)
{
	bool tagged = !strncmp(name, TAG, strlen(TAG));
	const char *bare = tagged ? name + strlen(TAG) : name;
	/* a pattern alone is one of records, of which there may be many */
	bool pattern = lac_is_enum_pattern(name);
	const char **names = lac_arena_zalloc(scratch, g->nenumerations,
					      sizeof(*names));

	*n = 0;
	if (!names)
		return lac_fail_memory(err);
	find_typedefs(g, bare, pattern, tagged, names);
	for (unsigned by_part = 0; by_part < 2 && !*n; by_part++)
		for (uint32_t i = 0; i < g->nenumerations; i++) {
			const struct lac_enumeration *e = &g->enumerations[i];
			bool asked = pattern ? lac_glob_name(bare, NULL, e->name)
					     : goes_by(e, bare, by_part);
			const char *by = e->name ? e->name : names[i];

			if (!by_part && names[i])
				asked = true;
			if (only_declared(g, e) || !asked)
				continue;
			put_text(d, e, by, hex, scratch);
			put_data(d, e, by, scratch);
			++*n;
		}
	return d->broken ? lac_fail_memory(err) : LAC_OK;
}

void lac_enums_table(struct lac_doc *d)
{
	static const struct lac_column columns[] = {
		{ .key = "enumeration", .title = "enumeration" },
		{ .key = "name", .title = "enumerator" },
		{ .key = "value", .title = "value", .unit = LAC_UNIT_NONE },
	};
	const json_t *all = json_object_get(d->data, "enumerations");
	json_t *rows;

	if (!all)
		return;
	rows = lac_doc_rows(d);
	for (size_t i = 0; i < json_array_size(all); i++) {
		const json_t *e = json_array_get(all, i);
		const json_t *values = json_object_get(e, "values");

		for (size_t k = 0; k < json_array_size(values); k++) {
			const json_t *v = json_array_get(values, k);
			json_t *row = json_object();

			lac_doc_set(d, row, "enumeration",
				    json_incref(json_object_get(e, "name")));
			lac_doc_set(d, row, "name",
				    json_incref(json_object_get(v, "name")));
			lac_doc_set(d, row, "value",
				    json_incref(json_object_get(v, "value")));
			lac_doc_append(d, rows, row);
		}
	}
	lac_doc_table(d, "enumerators", NULL, columns,
		      sizeof(columns) / sizeof(columns[0]), rows);
	lac_doc_table_bare(d);
	lac_doc_graphic(d);
}

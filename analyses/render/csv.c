/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csv.c - the tables as RFC 4180: the values of the data, bare, under their
 * keys.  The ends of an interval are columns of their own.  A null is an empty
 * field, and a column in which there is one is followed by KEY.status with the
 * reasons, unless the table is bare; an empty string is a pair of quotes.
 * Control characters are shown.
 *
 * A document of several tables has them one after another, each with its
 * header and, as its first column, the table's key; an empty line between two.
 */
#include <stdlib.h>
#include <string.h>

#include "render/cell.h"
#include "render/formats.h"
#include "render/glyph.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* Names come from files that may lie: they are shown as text shows them. */
static void put_string(FILE *out, const char *s)
{
	bool bare = *s && !strpbrk(s, ",\"") && !is_blank(s[0]) &&
		    !is_blank(s[strlen(s) - 1]);
	char clean[LAC_GLYPH_BYTES];

	if (!bare)
		fputc('"', out);
	while (*s) {
		if (*s == '"')
			fputc('"', out);
		fwrite(clean, 1, lac_glyph_next(&s, false, clean), out);
	}
	if (!bare)
		fputc('"', out);
}

static enum lac_status put_value(FILE *out, const json_t *v,
				 struct lac_err *err)
{
	char *text;

	switch (v ? json_typeof(v) : JSON_NULL) {
	case JSON_NULL:
		return LAC_OK;
	case JSON_STRING:
		put_string(out, json_string_value(v));
		return LAC_OK;
	case JSON_REAL:
	case JSON_INTEGER:
	case JSON_TRUE:
	case JSON_FALSE:
	case JSON_ARRAY:
	case JSON_OBJECT:
		break;
	}
	text = json_dumps(v, JSON_ENCODE_ANY | JSON_COMPACT |
				     JSON_REAL_PRECISION(15));
	if (!text)
		return lac_fail_memory(err);
	if (json_is_number(v) || json_is_boolean(v))
		fputs(text, out);
	else
		put_string(out, text);
	free(text);
	return LAC_OK;
}

/* The table for programs: all rows, and every column by itself. */
static struct lac_table in_full(struct lac_table t)
{
	if (t.full) {
		t.rows = t.full;
		t.values = NULL;
	}
	if (t.full_columns) {
		t.columns = t.full_columns;
		t.ncolumns = t.nfull_columns;
	}
	return t;
}

/* Does any row have null here?  Then the reasons get a column. */
static enum lac_status find_nulls(const struct lac_table *t, bool *nulls,
				  struct lac_err *err)
{
	for (size_t r = 0; r < lac_table_nrows(t) && !t->bare; r++) {
		json_t *row = lac_table_row(t, r);

		if (!row)
			return lac_fail_memory(err);
		for (size_t c = 0; c < t->ncolumns; c++)
			nulls[c] |= json_is_null(
				lac_cell_value(row, t->columns[c].key));
		json_decref(row);
	}
	return LAC_OK;
}

static bool is_column(const struct lac_table *t, const char *key)
{
	for (size_t c = 0; c < t->ncolumns; c++)
		if (!strcmp(t->columns[c].key, key))
			return true;
	return false;
}

static void put_header(FILE *out, const struct lac_table *t, const bool *nulls,
		       bool many)
{
	const char *comma = "";

	if (many) {
		fputs("table", out);
		comma = ",";
	}
	for (size_t c = 0; c < t->ncolumns; c++, comma = ",") {
		const struct lac_column *col = &t->columns[c];

		fputs(comma, out);
		put_string(out, col->key);
		if (col->low && !is_column(t, col->low)) {
			fputc(',', out);
			put_string(out, col->low);
		}
		if (col->high && !is_column(t, col->high)) {
			fputc(',', out);
			put_string(out, col->high);
		}
		if (nulls[c])
			fprintf(out, ",%s.status", col->key);
	}
	fputs("\r\n", out);
}

static enum lac_status put_cells(FILE *out, const struct lac_table *t,
				 const json_t *row, const struct lac_column *c,
				 bool nulls, struct lac_err *err)
{
	const json_t *v = lac_cell_value(row, c->key);
	const char *status;

	LAC_TRY(put_value(out, v, err));
	if (c->low && !is_column(t, c->low)) {
		fputc(',', out);
		LAC_TRY(put_value(out, lac_cell_value(row, c->low), err));
	}
	if (c->high && !is_column(t, c->high)) {
		fputc(',', out);
		LAC_TRY(put_value(out, lac_cell_value(row, c->high), err));
	}
	if (nulls) {
		fputc(',', out);
		status = v ? lac_cell_status(row, c->key) : NULL;
		if (status)
			put_string(out, status);
		else if (json_is_null(v))
			fputs("n/a", out);
	}
	return LAC_OK;
}

static enum lac_status put_row(FILE *out, const struct lac_table *t,
			       const json_t *row, const bool *nulls, bool many,
			       struct lac_err *err)
{
	if (many)
		put_string(out, t->key);
	for (size_t c = 0; c < t->ncolumns; c++) {
		if (many || c)
			fputc(',', out);
		LAC_TRY(put_cells(out, t, row, &t->columns[c], nulls[c], err));
	}
	fputs("\r\n", out);
	return LAC_OK;
}

static enum lac_status put_rows(FILE *out, const struct lac_table *t,
				const bool *nulls, bool many,
				struct lac_err *err)
{
	enum lac_status st = LAC_OK;

	put_header(out, t, nulls, many);
	for (size_t r = 0; r < lac_table_nrows(t) && st == LAC_OK; r++) {
		json_t *row = lac_table_row(t, r);

		st = row ? put_row(out, t, row, nulls, many, err) :
			   lac_fail_memory(err);
		json_decref(row);
	}
	return st;
}

static enum lac_status put_table(FILE *out, const struct lac_table *t,
				 bool many, struct lac_err *err)
{
	/* asked once a column: a kernel's list has many thousand rows */
	bool *nulls = calloc(t->ncolumns + 1, sizeof(*nulls));
	enum lac_status st;

	if (!nulls)
		return lac_fail_memory(err);
	st = find_nulls(t, nulls, err);
	if (st == LAC_OK)
		st = put_rows(out, t, nulls, many, err);
	free(nulls);
	return st;
}

static enum lac_status render_csv(const struct lac_doc *doc,
				  const struct lac_render_options *o,
				  FILE *out, struct lac_err *err)
{
	size_t n = 0, done = 0;

	(void)o;
	for (size_t i = 0; i < doc->nviews; i++)
		n += doc->views[i].kind == LAC_VIEW_TABLE;
	if (!n)
		return lac_fail(err, LAC_USAGE,
				"-o csv: there is no table in this result; "
				"-o json has its data");
	for (size_t i = 0; i < doc->nviews; i++) {
		struct lac_table t;

		if (doc->views[i].kind != LAC_VIEW_TABLE)
			continue;
		if (done++)
			fputs("\r\n", out);
		t = in_full(doc->views[i].table);
		LAC_TRY(put_table(out, &t, n > 1, err));
	}
	return LAC_OK;
}

const struct lac_renderer lac_renderer_csv = {
	.name = "csv",
	.summary = "the tables, for spreadsheets and scripts",
	.render = render_csv,
};

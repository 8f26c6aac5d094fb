/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/doc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum lac_status lac_doc_create(const char *command, struct lac_doc **ret,
			       struct lac_err *err)
{
	struct lac_doc *d = calloc(1, sizeof(*d));

	if (!d)
		return lac_fail_memory(err);
	d->arena = lac_arena_create();
	d->data = json_pack("{s:s, s:s}", "schema", "lacuna/1", "command",
			    command);
	if (!d->arena || !d->data) {
		lac_doc_destroy(d);
		return lac_fail_memory(err);
	}
	*ret = d;
	return LAC_OK;
}

void lac_doc_destroy(struct lac_doc *d)
{
	if (!d)
		return;
	json_decref(d->selections);
	json_decref(d->data);
	lac_arena_destroy(d->arena);
	free(d);
}

/* Twice the room for a growing array in the arena; the old one stays there. */
static void *doc_grow(struct lac_doc *d, void *old, size_t n, size_t *cap,
		      size_t size)
{
	size_t more = *cap ? *cap * 2 : 16;
	void *p;

	if (n < *cap)
		return old;
	p = lac_arena_zalloc(d->arena, more, size);
	if (!p) {
		d->broken = true;
		return NULL;
	}
	if (n)
		memcpy(p, old, n * size);
	*cap = more;
	return p;
}

/* On failure the spare view, so that builders always have one to fill. */
static struct lac_view *doc_view(struct lac_doc *d, enum lac_view_kind kind)
{
	struct lac_view *v = doc_grow(d, d->views, d->nviews, &d->cap,
				      sizeof(*v));

	if (v) {
		d->views = v;
		v += d->nviews++;
	} else {
		v = &d->spare;
	}
	*v = (struct lac_view){ .kind = kind };
	return v;
}

static const char *doc_strdup(struct lac_doc *d, const char *s)
{
	char *p = lac_arena_strdup(d->arena, s ? s : "");

	if (!p)
		d->broken = true;
	return p ? p : "";
}

static LAC_PRINTF(2, 0) const char *doc_vprintf(struct lac_doc *d,
						const char *fmt, va_list ap)
{
	char *s = NULL;
	const char *copy;

	if (vasprintf(&s, fmt, ap) < 0) {
		d->broken = true;
		return "";
	}
	copy = doc_strdup(d, s);
	free(s);
	return copy;
}

void lac_doc_heading(struct lac_doc *d, unsigned level, const char *fmt, ...)
{
	struct lac_view *v = doc_view(d, LAC_VIEW_HEADING);
	va_list ap;

	v->level = level < 1 ? 1 : level > 3 ? 3 : level;
	va_start(ap, fmt);
	v->text = doc_vprintf(d, fmt, ap);
	va_end(ap);
}

void lac_doc_paragraph(struct lac_doc *d, const char *fmt, ...)
{
	struct lac_view *v = doc_view(d, LAC_VIEW_PARAGRAPH);
	va_list ap;

	va_start(ap, fmt);
	v->text = doc_vprintf(d, fmt, ap);
	va_end(ap);
}

struct lac_listing *lac_doc_listing(struct lac_doc *d, const char *language)
{
	struct lac_view *v = doc_view(d, LAC_VIEW_LISTING);

	v->listing.language = doc_strdup(d, language);
	return &v->listing;
}

void lac_listing_line(struct lac_doc *d, struct lac_listing *l, unsigned depth,
		      const char *code, const char *comment)
{
	struct lac_line *line = doc_grow(d, l->lines, l->nlines, &l->cap,
					 sizeof(*line));

	if (!line)
		return;
	l->lines = line;
	line += l->nlines++;
	line->depth = depth;
	line->code = doc_strdup(d, code);
	line->comment = comment ? doc_strdup(d, comment) : NULL;
}

static void add_table(struct lac_doc *d, const char *key, const char *caption,
		      struct lac_table table)
{
	struct lac_view *v = doc_view(d, LAC_VIEW_TABLE);

	table.key = doc_strdup(d, key);
	table.caption = caption ? doc_strdup(d, caption) : NULL;
	v->table = table;
}

void lac_doc_table(struct lac_doc *d, const char *key, const char *caption,
		   const struct lac_column *columns, size_t ncolumns,
		   const json_t *rows)
{
	if (!rows) { /* json_array() failed before, or was never made */
		d->broken = true;
		return;
	}
	add_table(d, key, caption, (struct lac_table){
		.ncolumns = ncolumns, .columns = columns, .rows = rows,
	});
}

struct lac_rows *lac_doc_values(struct lac_doc *d, const char *const *keys,
				size_t nkeys)
{
	struct lac_rows *r = lac_arena_zalloc(d->arena, 1, sizeof(*r));

	if (r)
		*r = lac_rows_open(d->arena, keys, nkeys);
	d->broken |= !r;
	return r;
}

void lac_doc_set_values(struct lac_doc *d, const char *key,
			const struct lac_rows *values)
{
	json_t *all = json_array();

	lac_doc_set(d, d->data, key, all);
	for (size_t i = 0; values && !d->views_only && i < values->n; i++)
		lac_doc_append(d, all, lac_rows_object(values, i));
}

void lac_doc_table_values(struct lac_doc *d, const char *key,
			  const char *caption, const struct lac_column *columns,
			  size_t ncolumns, const struct lac_rows *values)
{
	size_t *places = lac_arena_zalloc(d->arena, ncolumns, sizeof(*places));

	if (!values || !places) {
		d->broken = true;
		return;
	}
	for (size_t c = 0; c < ncolumns; c++)
		places[c] = lac_rows_key(values, columns[c].key);
	add_table(d, key, caption, (struct lac_table){
		.ncolumns = ncolumns, .columns = columns, .values = values,
		.places = places, .status = lac_rows_key(values, "status"),
	});
}

void lac_doc_figure(struct lac_doc *d, enum lac_figure_kind kind,
		    const char *key, const char *caption,
		    const char *description, const json_t *data)
{
	struct lac_view *v;

	if (!data) {
		d->broken = true;
		return;
	}
	v = doc_view(d, LAC_VIEW_FIGURE);
	v->figure = (struct lac_figure){
		.kind = kind,
		.key = doc_strdup(d, key),
		.caption = doc_strdup(d, caption),
		.description = doc_strdup(d, description),
		.data = data,
	};
}

void lac_doc_detail(struct lac_doc *d)
{
	if (d->nviews)
		d->views[d->nviews - 1].detail = true;
}

void lac_doc_detail_since(struct lac_doc *d, size_t from)
{
	for (size_t i = from; i < d->nviews; i++)
		d->views[i].detail = true;
}

void lac_doc_table_bare(struct lac_doc *d)
{
	if (d->nviews)
		d->views[d->nviews - 1].table.bare = true;
}

void lac_doc_table_full(struct lac_doc *d, const json_t *rows)
{
	if (d->nviews && d->views[d->nviews - 1].kind == LAC_VIEW_TABLE)
		d->views[d->nviews - 1].table.full = rows;
}

void lac_doc_table_full_columns(struct lac_doc *d,
				const struct lac_column *columns,
				size_t ncolumns)
{
	struct lac_view *last = d->nviews ? &d->views[d->nviews - 1] : NULL;

	if (!last || last->kind != LAC_VIEW_TABLE)
		return;
	last->table.full_columns = columns;
	last->table.nfull_columns = ncolumns;
}

void lac_doc_travels(struct lac_doc *d)
{
	if (d->nviews)
		d->views[d->nviews - 1].travels = true;
}

void lac_doc_graphic(struct lac_doc *d)
{
	if (d->nviews)
		d->views[d->nviews - 1].graphic = true;
}

void lac_doc_set(struct lac_doc *d, json_t *object, const char *key,
		 json_t *value)
{
	if (json_object_set_new(object, key, value))
		d->broken = true;
}

void lac_doc_append(struct lac_doc *d, json_t *array, json_t *value)
{
	if (json_array_append_new(array, value))
		d->broken = true;
}

json_t *lac_doc_rows(struct lac_doc *d)
{
	json_t *rows = json_array();

	if (!d->selections)
		d->selections = json_array();
	if (rows && json_array_append_new(d->selections, rows))
		rows = NULL;
	d->broken |= !rows;
	return rows;
}

json_t *lac_doc_absent(const char *status)
{
	return json_pack("{s:n, s:s}", "value", "status", status);
}

/* Length of the UTF-8 sequence at s, or 0 if it is not one. */
static size_t utf8_length(const unsigned char *s, size_t left)
{
	size_t n = s[0] < 0x80	 ? 1
		   : s[0] < 0xc2 ? 0
		   : s[0] < 0xe0 ? 2
		   : s[0] < 0xf0 ? 3
		   : s[0] < 0xf5 ? 4
				 : 0;

	if (n > left)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/* overlong forms, surrogates, and beyond the last code point */
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

json_t *lac_doc_string(const char *s)
{
	static const char mark[] = "\xef\xbf\xbd"; /* U+FFFD */
	size_t len, out = 0;
	char *clean;
	json_t *j;

	if (!s)
		return json_null();
	for (len = 0; s[len] && (unsigned char)s[len] < 0x80; len++)
		;
	if (!s[len])
		return json_stringn_nocheck(s, len);
	len += strlen(s + len);
	clean = malloc(len * (sizeof(mark) - 1) + 1);
	if (!clean)
		return NULL;
	for (size_t i = 0, n; i < len; i += n ? n : 1) {
		n = utf8_length((const unsigned char *)s + i, len - i);
		memcpy(clean + out, n ? s + i : mark, n ? n : sizeof(mark) - 1);
		out += n ? n : sizeof(mark) - 1;
	}
	j = json_stringn(clean, out);
	free(clean);
	return j;
}

enum lac_status lac_doc_finish(const struct lac_doc *d, struct lac_err *err)
{
	return d->broken ? lac_fail_memory(err) : LAC_OK;
}

const json_t *lac_row_cell(const json_t *row, const char *key)
{
	while (row) {
		const char *dot = strchr(key, '.');

		if (!dot)
			return json_object_get(row, key);
		row = json_object_getn(row, key, (size_t)(dot - key));
		key = dot + 1;
	}
	return NULL;
}

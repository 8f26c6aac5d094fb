/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * random_doc.h - documents of every kind of view, from a seed; what renderers
 * promise for all documents is tested on these.
 */
#ifndef LAC_RANDOM_DOC_H
#define LAC_RANDOM_DOC_H

#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "render/render.h"
#include "report/doc.h"

#define RANDOM_COLUMNS 12u

/* Numbers of columns "n0".."n5" are unique and have six digits or more. */
static const struct lac_column random_columns[RANDOM_COLUMNS] = {
	{ .key = "name", .title = "name" },
	{ .key = "type", .title = "type of the member" },
	{ .key = "n0", .title = "count", .unit = LAC_UNIT_COUNT },
	{ .key = "n1", .title = "bytes of it all", .unit = LAC_UNIT_BYTES },
	{ .key = "r.value", .title = "ratio old / new",
	  .unit = LAC_UNIT_RATIO, .decimals = 2, .low = "r.low",
	  .high = "r.high" },
	{ .key = "n2", .title = "misses", .unit = LAC_UNIT_COUNT },
	{ .key = "off", .title = "offset", .unit = LAC_UNIT_BITS },
	{ .key = "mem", .title = "memory", .unit = LAC_UNIT_MEMORY },
	{ .key = "share", .title = "share", .unit = LAC_UNIT_PERCENT,
	  .decimals = 1 },
	{ .key = "n3", .title = "lines", .unit = LAC_UNIT_COUNT },
	{ .key = "list", .title = "members" },
	{ .key = "n4", .title = "a title of many words, none very long",
	  .unit = LAC_UNIT_COUNT },
};

static size_t pick(struct lac_rng *r, size_t n)
{
	return (size_t)lac_rng_below(r, n);
}

/* Words of any length, some with bytes that have no place in a text. */
static const char *random_text(struct lac_rng *r, char *buf, size_t size)
{
	static const char *const odd[] = {
		"\xc3\x97", "\xe2\x80\xa6", "\xe4\xb8\xad", "\033[31m",
		"|", "<b>", "`", "\"", ",", "&", "\n", "*/", "\\", "_",
		"a\xcc\x81", "=", "\xe2\x80\xae", "\t", "From ", "#1", "\r\n",
	};
	size_t words = 1 + pick(r, 12), n = 0;

	buf[0] = '\0';
	for (size_t w = 0; w < words; w++) {
		size_t len = pick(r, 20) ? 1 + pick(r, 12) : pick(r, 120);

		for (size_t i = 0; i < len && n + 16 < size; i++) {
			if (pick(r, 24))
				buf[n++] = (char)('a' + pick(r, 26));
			else
				n += (size_t)snprintf(
					buf + n, size - n, "%s",
					odd[pick(r, sizeof(odd) /
							     sizeof(*odd))]);
		}
		if (w + 1 < words && n + 16 < size)
			buf[n++] = ' ';
	}
	buf[n] = '\0';
	return buf;
}

static json_t *random_row(struct lac_rng *r, struct lac_doc *d)
{
	json_t *row = json_object(), *o;
	char buf[512], key[3] = "n0";

	lac_doc_set(d, row, "name", lac_doc_string(random_text(r, buf, 60)));
	if (pick(r, 4))
		lac_doc_set(d, row, "type",
			    lac_doc_string(random_text(r, buf, sizeof(buf))));
	for (; key[1] < '5'; key[1]++) {
		if (!pick(r, 6))
			continue; /* does not apply */
		if (!pick(r, 6))
			lac_doc_set(d, row, key, lac_doc_absent("unsupported"));
		else
			lac_doc_set(d, row, key,
				    json_integer((json_int_t)(
					    100000 + lac_rng_below(r, 1u << 30))));
	}
	o = json_object();
	if (pick(r, 4)) {
		double v = (double)pick(r, 1000) / 64;

		lac_doc_set(d, o, "value", json_real(v));
		lac_doc_set(d, o, "low", json_real(v - 0.25));
		lac_doc_set(d, o, "high", json_real(v + 0.5));
	} else {
		lac_doc_set(d, o, "value", json_null());
		lac_doc_set(d, o, "status", json_string("not permitted"));
	}
	lac_doc_set(d, row, "r", o);
	lac_doc_set(d, row, "off", json_integer((json_int_t)pick(r, 5000)));
	lac_doc_set(d, row, "mem",
		    json_integer((json_int_t)lac_rng_below(r, 1ull << 42)));
	lac_doc_set(d, row, "share", json_real((double)pick(r, 64) / 64));
	o = json_array();
	for (size_t i = pick(r, 4); i; i--)
		lac_doc_append(d, o, lac_doc_string(random_text(r, buf, 40)));
	lac_doc_set(d, row, "list", o);
	return row;
}

static void random_table(struct lac_rng *r, struct lac_doc *d, const char *key)
{
	size_t first = pick(r, RANDOM_COLUMNS);
	json_t *rows = json_array();
	char buf[200];

	for (size_t n = pick(r, 9); n; n--)
		lac_doc_append(d, rows, random_row(r, d));
	lac_doc_set(d, d->data, key, rows);
	lac_doc_table(d, key, pick(r, 2) ? random_text(r, buf, 150) : NULL,
		      random_columns + first,
		      1 + pick(r, RANDOM_COLUMNS - first), rows);
}

static void random_listing(struct lac_rng *r, struct lac_doc *d)
{
	struct lac_listing *l = lac_doc_listing(d, pick(r, 3) ? "c" : "");
	char code[512], comment[512];

	for (size_t n = pick(r, 20); n; n--)
		lac_listing_line(d, l, (unsigned)pick(r, pick(r, 9) ? 3 : 20),
				 pick(r, 5) ? random_text(r, code,
							  20 + pick(r, 200))
					    : "",
				 pick(r, 2) ? random_text(r, comment,
							  20 + pick(r, 200))
					    : NULL);
}

static json_t *random_line_map(struct lac_rng *r, struct lac_doc *d)
{
	static const char *const kinds[] = { "member", "hole", "unknown" };
	json_t *map = json_object(), *spans = json_array(), *all;
	json_int_t at = 0;
	char buf[200];

	for (size_t n = pick(r, 40); n; n--) {
		json_int_t size = (json_int_t)(1 + pick(r, pick(r, 3) ? 64
								      : 3000));
		json_t *s;

		if (n == 1)
			size += (8 - (at + size) % 8) % 8;
		s = json_pack("{s:s, s:o, s:I, s:I, s:b}", "kind",
			      kinds[pick(r, 3)], "label",
			      lac_doc_string(random_text(r, buf, 60)),
			      "bit_offset", at, "bit_size", size, "straddles",
			      (int)pick(r, 2));
		if (pick(r, 2))
			lac_doc_set(d, s, "heat",
				    json_real((double)pick(r, 99) / 8));
		lac_doc_append(d, spans, s);
		at += size;
	}
	lac_doc_set(d, map, "title", lac_doc_string(random_text(r, buf, 90)));
	lac_doc_set(d, map, "size", json_integer(at / 8));
	lac_doc_set(d, map, "first_byte", json_integer((json_int_t)pick(r, 32)));
	lac_doc_set(d, map, "spans", spans);
	all = json_pack("{s:i, s:[o]}", "line_size", 32 << pick(r, 4), "maps",
			map);
	if (pick(r, 2))
		lac_doc_set(d, all, "heat_title",
			    json_string("simulated misses per operation"));
	return all;
}

static json_t *random_array_map(struct lac_rng *r)
{
	return json_pack("{s:i, s:[{s:s, s:i, s:i, s:i, s:[{s:s, s:i, s:i}]}]}",
			 "line_size", 64, "arrays", "title", "packed",
			 "element_size", (int)(1 + pick(r, 300)), "elements",
			 (int)(1 + pick(r, 40)), "first_byte", (int)pick(r, 64),
			 "marks", "label", "the pair", "byte_offset", 0,
			 "byte_size", 1);
}

static json_t *random_intervals(struct lac_rng *r, struct lac_doc *d)
{
	json_t *cats = json_array(), *all;
	char buf[200];

	for (size_t n = pick(r, 5); n; n--) {
		json_t *points = json_array();

		for (size_t k = pick(r, 5); k; k--) {
			double v = 1 + (double)pick(r, 1000000) / 64;
			json_t *group = lac_doc_string(random_text(r, buf, 40));

			lac_doc_append(
				d, points,
				pick(r, 4) ? json_pack("{s:o, s:f, s:f, s:f}",
						       "group", group, "value",
						       v, "low", v / 2, "high",
						       v * 2)
					   : json_pack("{s:o, s:n, s:s}",
						       "group", group, "value",
						       "status", "unsupported"));
		}
		lac_doc_append(d, cats,
			       json_pack("{s:o, s:o}", "label",
					 lac_doc_string(random_text(r, buf, 60)),
					 "points", points));
	}
	all = json_pack("{s:s, s:b, s:o}", "value_title", "time, ns",
			"logarithmic", (int)pick(r, 2), "categories", cats);
	if (pick(r, 2))
		lac_doc_set(d, all, "reference", json_real(1));
	return all;
}

static json_t *random_chain(struct lac_rng *r, struct lac_doc *d)
{
	static const char *const states[] = { "holds", "fails", "unknown" };
	json_t *steps = json_array();
	char label[200], detail[300];

	for (size_t n = pick(r, 6); n; n--)
		lac_doc_append(
			d, steps,
			json_pack("{s:o, s:s, s:o}", "label",
				  lac_doc_string(random_text(r, label, 150)),
				  "state", states[pick(r, 3)], "detail",
				  lac_doc_string(random_text(r, detail, 290))));
	return json_pack("{s:o}", "steps", steps);
}

static void random_figure(struct lac_rng *r, struct lac_doc *d, const char *key)
{
	enum lac_figure_kind kind = (enum lac_figure_kind)pick(r, 4);
	char caption[100], description[200];
	json_t *data = NULL;

	switch (kind) {
	case LAC_FIGURE_LINE_MAP:
		data = random_line_map(r, d);
		break;
	case LAC_FIGURE_ARRAY_MAP:
		data = random_array_map(r);
		break;
	case LAC_FIGURE_INTERVALS:
		data = random_intervals(r, d);
		break;
	case LAC_FIGURE_CHAIN:
		data = random_chain(r, d);
		break;
	}
	lac_doc_set(d, d->data, key, data);
	lac_doc_figure(d, kind, key, random_text(r, caption, 90),
		       random_text(r, description, 190), data);
}

static inline struct lac_doc *random_doc(uint64_t seed)
{
	struct lac_rng r = { seed };
	struct lac_doc *d;
	struct lac_err err;
	char key[16], buf[700];

	if (lac_doc_create("test", &d, &err) != LAC_OK)
		return NULL;
	for (size_t n = 1 + pick(&r, 8), i = 0; i < n; i++) {
		snprintf(key, sizeof(key), "view%zu", i);
		switch (pick(&r, 6)) {
		case 0:
			lac_doc_heading(d, (unsigned)(1 + pick(&r, 3)), "%s",
					random_text(&r, buf, 120));
			break;
		case 1:
			lac_doc_paragraph(d, "%s", random_text(&r, buf,
							       sizeof(buf)));
			break;
		case 2:
			random_listing(&r, d);
			break;
		case 3:
			random_figure(&r, d, key);
			break;
		default:
			random_table(&r, d, key);
		}
		if (!pick(&r, 4))
			lac_doc_detail(d);
		if (!pick(&r, 8) && d->nviews &&
		    d->views[d->nviews - 1].kind == LAC_VIEW_FIGURE)
			lac_doc_graphic(d);
	}
	return d;
}

/* What a renderer makes of it; NULL with *st on failure.  Freed by the caller. */
static inline char *render_to_string(const char *name, const struct lac_doc *d,
			      const struct lac_render_options *o,
			      enum lac_status *st, struct lac_err *err)
{
	const struct lac_renderer *r = lac_renderer_find(name);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	*st = r->render(d, o, out, err);
	fclose(out);
	return text;
}

#endif

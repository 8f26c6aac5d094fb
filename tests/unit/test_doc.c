/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "render/cell.h"
#include "render/glyph.h"
#include "render/render.h"
#include "report/doc.h"

static char *cell_text(struct lac_arena *a, const char *row,
		       struct lac_column c, bool *absent)
{
	json_t *j = json_loads(row, 0, NULL);
	struct lac_cell cell;
	struct lac_err err;
	char *copy;

	assert_non_null(j);
	assert_int_equal(lac_cell_format(a, j, &c, &cell, &err), LAC_OK);
	*absent = cell.absent;
	copy = lac_arena_strdup(a, cell.text);
	json_decref(j);
	return copy;
}

static void units_decide_the_format(void **state)
{
	static const struct {
		const char *row;
		enum lac_unit_kind unit;
		int decimals;
		const char *text;
		bool absent;
	} cases[] = {
		{ "{\"v\":64}", LAC_UNIT_BYTES, 0, "64", false },
		{ "{\"v\":136}", LAC_UNIT_BITS, 0, "17", false },
		{ "{\"v\":139}", LAC_UNIT_BITS, 0, "17b3", false },
		{ "{\"v\":-3}", LAC_UNIT_BITS, 0, "-0b3", false },
		{ "{\"v\":15032385536}", LAC_UNIT_MEMORY, 0, "14 GiB", false },
		{ "{\"v\":1610612736}", LAC_UNIT_MEMORY, 0, "1.5 GiB", false },
		{ "{\"v\":385024}", LAC_UNIT_MEMORY, 0, "376 KiB", false },
		{ "{\"v\":1610612737}", LAC_UNIT_MEMORY, 0, "1610612737 B",
		  false },
		{ "{\"v\":-2147483648}", LAC_UNIT_MEMORY, 0, "-2 GiB", false },
		{ "{\"v\":0}", LAC_UNIT_MEMORY, 0, "0 B", false },
		{ "{\"v\":0.125}", LAC_UNIT_PERCENT, 1, "12.5 %", false },
		{ "{\"v\":1}", LAC_UNIT_RATIO, 2, "1.00", false },
		{ "{\"v\":-0.001}", LAC_UNIT_RATIO, 2, "0.00", false },
		{ "{\"v\":null}", LAC_UNIT_NS, 1, "n/a", true },
		{ "{\"v\":null,\"status\":\"unsupported\"}", LAC_UNIT_NS, 1,
		  "unsupported", true },
		{ "{\"v\":null,\"v_status\":\"dynamic\",\"status\":\"x\"}",
		  LAC_UNIT_NS, 1, "dynamic", true },
		{ "{\"v\":{\"value\":null,\"status\":\"not permitted\"}}",
		  LAC_UNIT_COUNT, 0, "not permitted", true },
		{ "{\"v\":{\"value\":7}}", LAC_UNIT_COUNT, 0, "7", false },
		{ "{\"w\":7}", LAC_UNIT_COUNT, 0, "", false },
		{ "{\"v\":[8,17]}", LAC_UNIT_BITS, 0, "1, 2b1", false },
		{ "{\"v\":[\"a\",null,true]}", LAC_UNIT_NONE, 0, "a, n/a, yes",
		  false },
		{ "{\"v\":false}", LAC_UNIT_NONE, 0, "no", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct lac_arena *a = lac_arena_create();
		struct lac_column c = { .key = "v",
					.unit = cases[i].unit,
					.decimals = cases[i].decimals };
		bool absent;

		assert_string_equal(cell_text(a, cases[i].row, c, &absent),
				    cases[i].text);
		assert_int_equal(absent, cases[i].absent);
		lac_arena_destroy(a);
	}
}

static void intervals_follow_the_value(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *a = lac_arena_create();
	struct lac_column c = { .key = "r.value",
				.unit = LAC_UNIT_RATIO,
				.decimals = 2,
				.low = "r.low",
				.high = "r.high" };
	bool absent;

	(void)state;
	assert_string_equal(
		cell_text(a, "{\"r\":{\"value\":1.05,\"low\":1.03,"
			     "\"high\":1.07}}", c, &absent),
		"1.05 [1.03, 1.07]");
	/* an end that could not be had: the value alone */
	assert_string_equal(
		cell_text(a, "{\"r\":{\"value\":1.05,\"low\":null}}", c,
			  &absent),
		"1.05");
	c.unit = LAC_UNIT_PERCENT;
	c.decimals = 0;
	assert_string_equal(
		cell_text(a, "{\"r\":{\"value\":0.5,\"low\":0.25,"
			     "\"high\":0.75}}", c, &absent),
		"50 [25, 75] %");
}

static void any_bytes_make_a_string(void **state)
{
	static const char *const bad[] = {
		"\xff", "a\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
		"\xe2\x82", "\x80", "\xf0\x80\x80\x80",
	};
	json_t *j;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		j = lac_doc_string(bad[i]);
		assert_non_null(j);
		assert_non_null(strstr(json_string_value(j), "\xef\xbf\xbd"));
		json_decref(j);
	}
	j = lac_doc_string("h\xc3\xa9 \xf0\x9f\x98\x80");
	assert_string_equal(json_string_value(j), "h\xc3\xa9 \xf0\x9f\x98\x80");
	json_decref(j);
	assert_true(json_is_null(lac_doc_string(NULL)));
}

/* A name in a file can hold what moves the cursor or turns the line around. */
static void clean_text_has_no_controls(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *a = lac_arena_create();

	(void)state;
	assert_string_equal(lac_glyph_clean(a, "a\033[2Jb\nc", false),
			    "a\\x1b[2Jb c");
	assert_string_equal(lac_glyph_clean(a, "\xc2\x9b", false), "\\x9b");
	assert_string_equal(lac_glyph_clean(a, "\xe2\x80\xae", false),
			    "\\u202e");
	assert_string_equal(lac_glyph_clean(a, "2\xc3\x97\x32 \xe4\xb8\xad",
					    true), "2x2 ?");
	assert_string_equal(lac_glyph_clean(a, "\xff", true), "?");
	assert_int_equal(lac_glyph_columns("a\xcc\x81\xe4\xb8\xad"), 3);
	assert_int_equal(lac_glyph_fit("\xe4\xb8\xad\xe4\xb8\xad", 3), 3);
	assert_int_equal(lac_glyph_fit("\xe4\xb8\xad", 1), 3);
}

/* Any byte at any place of a text of any length is found. */
static void plain_text_ends_at_the_first_other(void **state)
{
	char text[40] = "";

	(void)state;
	for (size_t n = 1; n + 1 < sizeof(text); n++)
		for (size_t at = 0; at < n; at++)
			for (int c = 0; c < 256; c++) {
				bool plain = c >= 0x20 && c <= 0x7e;

				memset(text, "~ "[c % 2], n);
				text[n] = '\0';
				text[at] = (char)c;
				assert_int_equal(lac_glyph_plain(text),
						 plain ? n : at);
			}
}

/* A builder that was given nothing breaks the document, once and for all. */
static void broken_documents_do_not_finish(void **state)
{
	struct lac_doc *d;
	struct lac_err err;

	(void)state;
	assert_int_equal(lac_doc_create("show", &d, &err), LAC_OK);
	assert_int_equal(lac_doc_finish(d, &err), LAC_OK);
	lac_doc_set(d, d->data, "rows", NULL);
	lac_doc_paragraph(d, "%s", "more");
	assert_int_equal(lac_doc_finish(d, &err), LAC_NO_MEMORY);
	lac_doc_destroy(d);
}

static void rows_follow_dots(void **state)
{
	json_t *row = json_loads("{\"a\":{\"b\":{\"c\":5}},\"x\":1}", 0, NULL);

	(void)state;
	assert_int_equal(json_integer_value(lac_row_cell(row, "a.b.c")), 5);
	assert_null(lac_row_cell(row, "a.q.c"));
	assert_null(lac_row_cell(row, "x.y"));
	assert_null(lac_row_cell(NULL, "x"));
	json_decref(row);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_decide_the_format),
		cmocka_unit_test(intervals_follow_the_value),
		cmocka_unit_test(any_bytes_make_a_string),
		cmocka_unit_test(clean_text_has_no_controls),
		cmocka_unit_test(plain_text_ends_at_the_first_other),
		cmocka_unit_test(broken_documents_do_not_finish),
		cmocka_unit_test(rows_follow_dots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

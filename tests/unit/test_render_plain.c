/* SPDX-License-Identifier: BSD-2-Clause */
/* What text and mail promise for every document, and how a table looks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "random_doc.h"
#include "render/glyph.h"

#define ROUNDS 400

static uint64_t base_seed(void)
{
	const char *s = getenv("LAC_SEED");

	return s ? strtoull(s, NULL, 0) : 1;
}

static char *rendered(const char *name, const struct lac_doc *d,
		      struct lac_render_options o, uint64_t seed)
{
	enum lac_status st;
	struct lac_err err = { 0 };
	char *text = render_to_string(name, d, &o, &st, &err);

	if (st != LAC_OK)
		fail_msg("seed %llu: %s", (unsigned long long)seed, err.msg);
	return text;
}

static void mail_is_ascii_within_72_columns(void **state)
{
	(void)state;
	for (uint64_t s = base_seed(), n = 0; n < ROUNDS; n++, s++) {
		struct lac_doc *d = random_doc(s);
		char *text = rendered("mail", d,
				      (struct lac_render_options){ 0 }, s);
		size_t column = 0;

		for (const char *c = text; *c; c++) {
			column = *c == '\n' ? 0 : column + 1;
			if ((*c != '\n' && (*c < ' ' || *c > '~')) ||
			    column > 72)
				fail_msg("LAC_SEED=%llu: column %zu, byte %02x",
					 (unsigned long long)s, column,
					 (unsigned char)*c);
			if (*c == '\n' && c > text && c[-1] == ' ')
				fail_msg("LAC_SEED=%llu: blanks at a line's "
					 "end", (unsigned long long)s);
		}
		free(text);
		lac_doc_destroy(d);
	}
}

/* Columns of a line with tabs of eight. */
static size_t line_columns(const char *line)
{
	size_t tabs = strspn(line, "\t");

	return tabs * 8 + lac_glyph_columns(line + tabs);
}

static void text_keeps_to_its_width(void **state)
{
	static const unsigned widths[] = { 20, 33, 72, 80, 132 };

	(void)state;
	for (uint64_t s = base_seed(), n = 0; n < ROUNDS; n++, s++) {
		struct lac_doc *d = random_doc(s);
		unsigned width = widths[n % 5];
		char *text = rendered(
			"text", d, (struct lac_render_options){ .width = width },
			s), *at = text, *line;

		while ((line = strsep(&at, "\n")))
			if (line_columns(line) > width)
				fail_msg("LAC_SEED=%llu: %zu columns of %u: %s",
					 (unsigned long long)s,
					 line_columns(line), width, line);
		free(text);
		lac_doc_destroy(d);
	}
}

static void no_control_reaches_the_terminal(void **state)
{
	(void)state;
	for (uint64_t s = base_seed(), n = 0; n < ROUNDS; n++, s++) {
		struct lac_doc *d = random_doc(s);
		char *text = rendered("text", d,
				      (struct lac_render_options){ 0 }, s);

		for (const char *c = text; *c; c++)
			if ((unsigned char)*c < ' ' && *c != '\n' && *c != '\t')
				fail_msg("LAC_SEED=%llu: byte %02x",
					 (unsigned long long)s, *c);
		free(text);
		lac_doc_destroy(d);
	}
}

/* Numbers of six digits or more that stand alone, as the generator makes. */
static size_t numbers(const char *text, char out[][16], size_t cap)
{
	size_t n = 0;

	while (*(text += strcspn(text, "0123456789")) && n < cap) {
		size_t len = strspn(text, "0123456789");

		/* neither a part of a real nor of "12345 MiB" */
		if (len >= 6 && len < 16 && text[len] != '.' && text[-1] != '.')
			snprintf(out[n++], 16, "%.*s", (int)len, text);
		text += len;
	}
	return n;
}

/* In either direction, and however narrow the page: a number is never cut. */
static void text_and_json_have_the_same_numbers(void **state)
{
	static char found[4096][16];

	(void)state;
	for (uint64_t s = base_seed(), n = 0; n < ROUNDS; n++, s++) {
		struct lac_doc *d;
		struct lac_rng r = { s };
		struct lac_err err;
		char *json, *mail;
		json_t *rows = json_array();
		size_t count;

		assert_int_equal(lac_doc_create("test", &d, &err), LAC_OK);
		for (size_t i = 0; i < 5; i++)
			lac_doc_append(d, rows, random_row(&r, d));
		for (size_t i = 0; i < 5; i++)
			json_object_del(json_array_get(rows, i), "mem");
		lac_doc_set(d, d->data, "rows", rows);
		lac_doc_table(d, "rows", NULL, random_columns, RANDOM_COLUMNS,
			      rows);
		json = rendered("json", d, (struct lac_render_options){ 0 }, s);
		mail = rendered("mail", d, (struct lac_render_options){ 0 }, s);
		count = numbers(mail, found, 4096);
		for (size_t i = 0; i < count; i++)
			if (!strstr(json, found[i]))
				fail_msg("LAC_SEED=%llu: %s is not in the JSON",
					 (unsigned long long)s, found[i]);
		count = numbers(json, found, 4096);
		assert_true(count > 0);
		for (size_t i = 0; i < count; i++)
			if (!strstr(mail, found[i]))
				fail_msg("LAC_SEED=%llu: %s is not in the mail",
					 (unsigned long long)s, found[i]);
		free(json);
		free(mail);
		lac_doc_destroy(d);
	}
}

static void json_is_the_data(void **state)
{
	(void)state;
	for (uint64_t s = base_seed(), n = 0; n < ROUNDS; n++, s++) {
		struct lac_doc *d = random_doc(s);
		char *text = rendered("json", d,
				      (struct lac_render_options){ 0 }, s);
		json_t *back = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

		/* the generator's reals are dyadic: 15 digits hold them */
		assert_true(json_equal(back, d->data));
		json_decref(back);
		free(text);
		lac_doc_destroy(d);
	}
}

/* Twice the same input, twice the same bytes. */
static void rendering_is_repeatable(void **state)
{
	(void)state;
	for (size_t i = 0; lac_renderers[i]; i++) {
		for (uint64_t s = base_seed(), n = 0; n < 20; n++, s++) {
			struct lac_render_options o = { 0 };
			const char *name = lac_renderers[i]->name;
			struct lac_doc *a = random_doc(s), *b = random_doc(s);
			enum lac_status sa, sb;
			struct lac_err err;
			char *ta = render_to_string(name, a, &o, &sa, &err);
			char *tb = render_to_string(name, b, &o, &sb, &err);

			assert_int_equal(sa, sb);
			assert_string_equal(ta, tb);
			free(ta);
			free(tb);
			lac_doc_destroy(a);
			lac_doc_destroy(b);
		}
	}
}

static void a_listing_looks_like_c(void **state)
{
	struct lac_doc *d;
	struct lac_err err;
	struct lac_listing *l;
	char *text;

	(void)state;
	assert_int_equal(lac_doc_create("test", &d, &err), LAC_OK);
	l = lac_doc_listing(d, "c");
	lac_listing_line(d, l, 0, "struct page {", NULL);
	lac_listing_line(d, l, 1, "unsigned long flags;", "    0     8");
	lac_listing_line(d, l, 1, "struct list_head lru;", "    8    16");
	lac_listing_line(d, l, 0, "", NULL);
	lac_listing_line(d, l, 1, "", "size: 24, cachelines: 1, members: 2");
	lac_listing_line(d, l, 0, "};", NULL);
	text = rendered("text", d, (struct lac_render_options){ 0 }, 0);
	assert_string_equal(text,
			    "struct page {\n"
			    "\tunsigned long flags;  /*     0     8 */\n"
			    "\tstruct list_head lru; /*     8    16 */\n"
			    "\n"
			    "\t/* size: 24, cachelines: 1, members: 2 */\n"
			    "};\n");
	free(text);
	lac_doc_destroy(d);
}

static void a_wide_table_is_split_by_its_keys(void **state)
{
	static const struct lac_column columns[] = {
		{ .key = "name", .title = "name" },
		{ .key = "a", .title = "first number", .unit = LAC_UNIT_COUNT },
		{ .key = "b", .title = "second number",
		  .unit = LAC_UNIT_COUNT },
	};
	struct lac_doc *d;
	struct lac_err err;
	json_t *rows;
	char *text;

	(void)state;
	assert_int_equal(lac_doc_create("test", &d, &err), LAC_OK);
	rows = json_loads("[{\"name\":\"one\",\"a\":1234567890123,"
			  "\"b\":null},{\"name\":\"two\",\"a\":5,\"b\":6}]",
			  0, NULL);
	lac_doc_set(d, d->data, "rows", rows);
	lac_doc_table(d, "rows", "caption", columns, 3, rows);
	text = rendered("text", d, (struct lac_render_options){ 0 }, 0);
	assert_string_equal(text, "caption\n"
				  "name   first number  second number\n"
				  "----  -------------  -------------\n"
				  "one   1234567890123            n/a\n"
				  "two               5              6\n");
	free(text);
	text = rendered("text", d, (struct lac_render_options){ .width = 20 },
			0);
	assert_string_equal(text, "caption\n"
				  "name   first number\n"
				  "----  -------------\n"
				  "one   1234567890123\n"
				  "two               5\n"
				  "\n"
				  "name  second\n"
				  "      number\n"
				  "----  ------\n"
				  "one      n/a\n"
				  "two        6\n");
	free(text);
	lac_doc_destroy(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mail_is_ascii_within_72_columns),
		cmocka_unit_test(text_keeps_to_its_width),
		cmocka_unit_test(no_control_reaches_the_terminal),
		cmocka_unit_test(text_and_json_have_the_same_numbers),
		cmocka_unit_test(json_is_the_data),
		cmocka_unit_test(rendering_is_repeatable),
		cmocka_unit_test(a_listing_looks_like_c),
		cmocka_unit_test(a_wide_table_is_split_by_its_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rows that are kept as bare values show in every format as the same rows do
 * that are kept as JSON.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_doc.h"

static const char *const keys[] = { "name", "size", "bits", "mem", "share",
				    "ratio", "status", "never" };
#define KEYS (sizeof(keys) / sizeof(keys[0]))

static const struct lac_column columns[] = {
	{ .key = "name", .title = "the name" },
	{ .key = "size", .title = "size", .unit = LAC_UNIT_BYTES },
	{ .key = "bits", .title = "in holes", .unit = LAC_UNIT_BITS },
	{ .key = "mem", .title = "memory", .unit = LAC_UNIT_MEMORY },
	{ .key = "share", .title = "share", .unit = LAC_UNIT_PERCENT,
	  .decimals = 1 },
	{ .key = "ratio", .title = "ratio", .unit = LAC_UNIT_RATIO,
	  .decimals = 2 },
	{ .key = "never", .title = "never there" },
	{ .key = "elsewhere", .title = "no such key" },
};
#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static struct lac_bare random_number(struct lac_rng *r)
{
	struct lac_bare f = { .kind = LAC_BARE_INTEGER };

	if (!pick(r, 5))
		return lac_bare_null();
	f.value.integer = (int64_t)pick(r, 1u << pick(r, 30)) - (int64_t)pick(r, 3);
	if (!pick(r, 20)) /* the widest, and past the ends of narrower types */
		f.value.integer = pick(r, 2) ? INT64_MIN + (int64_t)pick(r, 9) :
					       INT64_MAX - (int64_t)pick(r, 9);
	return f;
}

static void fill(struct lac_rng *r, struct lac_doc *d, struct lac_rows *rows,
		 size_t n)
{
	char buf[512];

	for (; n; n--) {
		struct lac_bare f[KEYS] = { 0 };

		f[0] = pick(r, 9) ? lac_bare_text(lac_arena_strdup(
					    d->arena,
					    random_text(r, buf, 80))) :
				    lac_bare_text(pick(r, 2) ? "" : NULL);
		for (size_t i = 1; i < 6; i++)
			f[i] = random_number(r);
		if (pick(r, 2))
			f[6] = lac_bare_text("unknown");
		assert_true(lac_rows_add(rows, f));
	}
}

static char *rendered(const struct lac_doc *d, const char *format,
		      unsigned width, unsigned threads)
{
	const struct lac_render_options o = {
		.width = width, .threads = threads, .colour = true,
	};
	const struct lac_renderer *by = lac_renderer_find(format);
	char *text = NULL;
	size_t size = 0;
	struct lac_err err;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_non_null(by);
	assert_int_equal(by->render(d, &o, out, &err), LAC_OK);
	fclose(out);
	return text;
}

static void same_in_every_format(void **state)
{
	static const char *const formats[] = { "text", "mail", "csv", "html",
					       "markdown", "json" };

	(void)state;
	for (unsigned seed = 1; seed <= 200; seed++) {
		struct lac_doc *bare = NULL, *json = NULL;
		struct lac_rng r = { seed };
		struct lac_rows *rows;
		struct lac_err err;
		json_t *all;

		assert_int_equal(lac_doc_create("test", &bare, &err), LAC_OK);
		assert_int_equal(lac_doc_create("test", &json, &err), LAC_OK);
		rows = lac_doc_values(bare, keys, KEYS);
		fill(&r, bare, rows, pick(&r, 20));
		lac_doc_set_values(bare, "rows", rows);
		lac_doc_table_values(bare, "rows", NULL, columns, COLUMNS,
				     rows);
		all = json_deep_copy(json_object_get(bare->data, "rows"));
		lac_doc_set(json, json->data, "rows", all);
		lac_doc_table(json, "rows", NULL, columns, COLUMNS, all);
		assert_int_equal(json_array_size(all), rows->n);
		for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
			unsigned width = seed % 3 ? 40 + seed : 0;
			char *a = rendered(bare, formats[i], width, 0);
			char *b = rendered(json, formats[i], width, 0);

			assert_string_equal(a, b);
			free(a);
			free(b);
		}
		lac_doc_destroy(bare);
		lac_doc_destroy(json);
	}
}

/* So many rows that threads share them look as if one had put them all. */
static void threads_do_not_show(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 4; seed++) {
		struct lac_doc *d = NULL;
		struct lac_rng r = { seed };
		struct lac_rows *rows;
		struct lac_err err;
		char *alone;

		assert_int_equal(lac_doc_create("test", &d, &err), LAC_OK);
		rows = lac_doc_values(d, keys, KEYS);
		fill(&r, d, rows, 5000 + pick(&r, 5000));
		for (size_t i = rows->n; i > 1; i--) { /* in any order */
			size_t k = pick(&r, i);
			uint32_t one = rows->order[k];

			rows->order[k] = rows->order[i - 1];
			rows->order[i - 1] = one;
		}
		lac_doc_table_values(d, "rows", NULL, columns, COLUMNS, rows);
		alone = rendered(d, "text", 0, 1);
		for (unsigned n = 2; n < 6; n++) {
			char *shared = rendered(d, "text", 0, n);

			assert_string_equal(shared, alone);
			free(shared);
		}
		free(alone);
		lac_doc_destroy(d);
	}
}

/* What only programs ask for is left out where no program asks. */
static void views_have_no_objects(void **state)
{
	struct lac_doc *d = NULL;
	struct lac_rows *rows;
	struct lac_err err;

	(void)state;
	assert_int_equal(lac_doc_create("test", &d, &err), LAC_OK);
	d->views_only = true;
	rows = lac_doc_values(d, keys, KEYS);
	for (unsigned i = 0; i < 1000; i++) {
		const struct lac_bare f[KEYS] = { [1] = lac_bare_size(i) };

		assert_true(lac_rows_add(rows, f));
	}
	lac_doc_set_values(d, "rows", rows);
	assert_int_equal(json_array_size(json_object_get(d->data, "rows")), 0);
	assert_int_equal(rows->n, 1000);
	for (unsigned i = 0; i < 1000; i++) {
		struct lac_row row = lac_rows_at(rows, i);

		for (size_t k = 0; k <= KEYS; k++)
			assert_int_equal(lac_row_field(row, k).kind,
					 k == 1 ? LAC_BARE_INTEGER :
						  LAC_BARE_NONE);
		assert_int_equal(lac_row_field(row, 1).value.integer, i);
	}
	assert_int_equal(lac_bare_size(UINT64_MAX).kind, LAC_BARE_NULL);
	lac_doc_destroy(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_in_every_format),
		cmocka_unit_test(threads_do_not_show),
		cmocka_unit_test(views_have_no_objects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* CSV read back by an independent reader gives the data again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "random_doc.h"
#include "render/cell.h"
#include "render/glyph.h"

#define ROUNDS 300

/*
 * One field of RFC 4180 at *s, into buf; *s is then at ',' or CRLF, or this
 * fails.  *quoted tells "" from nothing.
 */
static void read_field(const char **s, char *buf, size_t size, bool *quoted)
{
	size_t n = 0;

	*quoted = **s == '"';
	if (*quoted) {
		for (++*s; **s != '"' || (*s)[1] == '"'; ++*s) {
			*s += **s == '"';
			assert_true(**s && n + 1 < size);
			buf[n++] = **s;
		}
		++*s;
	} else {
		while (!strchr(",\r", **s)) {
			assert_true(**s != '"' && **s != '\n' && n + 1 < size);
			buf[n++] = *(*s)++;
		}
	}
	buf[n] = '\0';
	assert_true(**s == ',' || !strncmp(*s, "\r\n", 2));
}

static void end_of_line(const char **s)
{
	assert_true(!strncmp(*s, "\r\n", 2));
	*s += 2;
}

static void comma(const char **s)
{
	assert_int_equal(**s, ',');
	++*s;
}

/* The data again, but for what a terminal or an eye takes for something else. */
static void check_string(const char *field, const char *s)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();

	assert_string_equal(field, lac_glyph_clean(arena, s, false));
	assert_null(strpbrk(field, "\x1b\a\b\r\n\t\x7f"));
}

static void check_value(const char *field, bool quoted, const json_t *v)
{
	char *text;
	json_t *back;

	if (!v || json_is_null(v)) {
		assert_string_equal(field, "");
		assert_false(quoted);
	} else if (json_is_string(v)) {
		check_string(field, json_string_value(v));
		assert_true(quoted || *field);
	} else {
		back = json_loads(field, JSON_DECODE_ANY, NULL);
		text = json_dumps(v, JSON_ENCODE_ANY);
		if (!json_equal(back, v))
			fail_msg("%s became %s", text, field);
		free(text);
		json_decref(back);
	}
}

/* The columns of a table as CSV has them, intervals' ends and reasons too. */
static size_t plan(const struct lac_table *t, const char **keys,
		   const char **reasons)
{
	size_t n = 0, i;
	const json_t *row;

	for (size_t c = 0; c < t->ncolumns; c++) {
		const struct lac_column *col = &t->columns[c];

		reasons[n] = NULL;
		keys[n++] = col->key;
		if (col->low) {
			reasons[n] = reasons[n + 1] = NULL;
			keys[n++] = col->low;
			keys[n++] = col->high;
		}
		json_array_foreach(t->rows, i, row)
			if (json_is_null(lac_cell_value(row, col->key))) {
				reasons[n] = col->key;
				keys[n++] = NULL;
				break;
			}
	}
	return n;
}

static void check_table(const char **s, const struct lac_table *t, bool many)
{
	const char *keys[64], *reasons[64];
	size_t n = plan(t, keys, reasons), i;
	char field[4096], want[64];
	const json_t *row;
	bool quoted;

	for (size_t c = 0; c < n + many; c++) {
		read_field(s, field, sizeof(field), &quoted);
		if (many && !c)
			snprintf(want, sizeof(want), "table");
		else if (keys[c - many])
			snprintf(want, sizeof(want), "%s", keys[c - many]);
		else
			snprintf(want, sizeof(want), "%s.status",
				 reasons[c - many]);
		assert_string_equal(field, want);
		if (c + 1 < n + many)
			comma(s);
	}
	end_of_line(s);
	json_array_foreach(t->rows, i, row) {
		for (size_t c = 0; c < n + many; c++) {
			read_field(s, field, sizeof(field), &quoted);
			if (many && !c)
				assert_string_equal(field, t->key);
			else if (keys[c - many])
				check_value(field, quoted,
					    lac_cell_value(row,
							   keys[c - many]));
			else if (json_is_null(lac_cell_value(
					 row, reasons[c - many])))
				assert_true(*field); /* a null has a reason */
			if (c + 1 < n + many)
				comma(s);
		}
		end_of_line(s);
	}
}

static void csv_reads_back(void **state)
{
	size_t tables_seen = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		struct lac_doc *d = random_doc(seed);
		struct lac_render_options o = { 0 };
		enum lac_status st;
		struct lac_err err;
		char *text = render_to_string("csv", d, &o, &st, &err);
		const char *s = text;
		size_t tables = 0, done = 0;

		for (size_t i = 0; i < d->nviews; i++)
			tables += d->views[i].kind == LAC_VIEW_TABLE;
		assert_int_equal(st, tables ? LAC_OK : LAC_USAGE);
		for (size_t i = 0; i < d->nviews; i++) {
			if (d->views[i].kind != LAC_VIEW_TABLE)
				continue;
			if (done++)
				end_of_line(&s);
			check_table(&s, &d->views[i].table, tables > 1);
		}
		assert_string_equal(s, "");
		tables_seen += tables;
		free(text);
		lac_doc_destroy(d);
	}
	assert_true(tables_seen > ROUNDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(csv_reads_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Markdown keeps its structure whatever the texts hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "random_doc.h"

#define ROUNDS 300

/* Bars that are not escaped; 0 if the line does not begin with one. */
static size_t bars(const char *line)
{
	size_t n = 0;

	if (*line != '|')
		return 0;
	for (; *line; line++) {
		if (*line == '\\' && line[1])
			line++;
		else
			n += *line == '|';
	}
	return n;
}

static size_t backticks(const char *line)
{
	size_t n = strspn(line, "`");

	return n >= 3 ? n : 0;
}

static void structure_survives_any_text(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		struct lac_doc *d = random_doc(seed);
		struct lac_render_options o = { 0 };
		enum lac_status st;
		struct lac_err err;
		char *text = render_to_string("markdown", d, &o, &st, &err);
		char *at = text, *line;
		size_t fence = 0, depth = 0, columns = 0, rows = 0, want = 0;

		assert_int_equal(st, LAC_OK);
		while ((line = strsep(&at, "\n"))) {
			if (fence) {
				if (backticks(line) >= fence &&
				    !line[backticks(line)])
					fence = 0;
				continue;
			}
			fence = backticks(line);
			depth += !strcmp(line, "<details>");
			depth -= !strcmp(line, "</details>");
			assert_true(depth <= 1);
			/* all rows of a table have as many cells */
			if (bars(line) && columns)
				assert_int_equal(bars(line), columns);
			rows += bars(line) != 0;
			columns = bars(line);
			/* no other HTML comes through */
			for (const char *c = line; (c = strchr(c, '<')); c++)
				assert_true(c == line ||
					    !strcmp(c, "</summary>"));
		}
		assert_int_equal(fence, 0);
		assert_int_equal(depth, 0);
		for (size_t i = 0; i < d->nviews; i++)
			if (d->views[i].kind == LAC_VIEW_TABLE &&
			    json_array_size(d->views[i].table.rows))
				want += json_array_size(
						d->views[i].table.rows) + 2;
		assert_int_equal(rows, want);
		free(text);
		lac_doc_destroy(d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(structure_survives_any_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* test_quote.c - what messages quote: short, visible, whole characters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/quote.h"

static void short_as_it_is(void **state)
{
	char line[LAC_QUOTE_MAX + 1];

	(void)state;
	memset(line, 'x', LAC_QUOTE_MAX);
	line[LAC_QUOTE_MAX] = '\0';
	assert_string_equal(lac_quote("").text, "");
	assert_string_equal(lac_quote("struct a::b").text, "struct a::b");
	assert_string_equal(lac_quote(line).text, line);
}

static void long_is_cut_between_characters(void **state)
{
	char line[200];

	(void)state;
	for (size_t from = LAC_QUOTE_MAX - 2; from <= LAC_QUOTE_MAX; from++) {
		struct lac_quote q;

		memset(line, 'x', sizeof(line));
		memcpy(line + from, "\xe2\x82\xac", 3);
		line[sizeof(line) - 1] = '\0';
		q = lac_quote(line);
		assert_int_equal(strspn(q.text, "x"), from);
		assert_string_equal(q.text + from, "...");
	}
}

static void control_bytes_are_shown(void **state)
{
	char line[100];
	struct lac_quote q;

	(void)state;
	assert_string_equal(lac_quote("a\x1b[2J\n").text, "a\\x1b[2J\\x0a");
	assert_string_equal(lac_quote_bytes("a\0\x7f", 3).text,
			    "a\\x00\\x7f");
	/* the most that there can be */
	memset(line, 1, sizeof(line));
	q = lac_quote_bytes(line, sizeof(line));
	assert_int_equal(strlen(q.text), sizeof(q.text) - 1);
	/* no UTF-8 */
	memset(line, 0x80, sizeof(line));
	q = lac_quote_bytes(line, sizeof(line));
	assert_int_equal(strlen(q.text), LAC_QUOTE_MAX + 3);
}

static void a_report_is_brief(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	char line[2 * LAC_BRIEF_MAX];

	(void)state;
	assert_non_null(arena);
	memset(line, 'x', sizeof(line));
	line[LAC_BRIEF_MAX] = '\0';
	assert_ptr_equal(lac_quote_brief(line, arena), line);
	line[LAC_BRIEF_MAX] = 'x';
	line[sizeof(line) - 1] = '\0';
	assert_int_equal(strlen(lac_quote_brief(line, arena)),
			 LAC_BRIEF_MAX + 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_as_it_is),
		cmocka_unit_test(long_is_cut_between_characters),
		cmocka_unit_test(control_bytes_are_shown),
		cmocka_unit_test(a_report_is_brief),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

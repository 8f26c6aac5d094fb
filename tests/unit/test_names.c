/* SPDX-License-Identifier: BSD-2-Clause */
/* names.h against strcmp(), and what an arena owns. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/rng.h"
#include "dbginfo/names.h"

#define BYTES 20000u
#define ASKED 6000u

/* Few letters, so that equal strings and equal ends of strings abound. */
static char *random_text(struct lac_rng *rng, unsigned letters, unsigned mean)
{
	char *text = malloc(BYTES); /* no byte more: a reader may not pass it */

	assert_non_null(text);
	for (uint32_t i = 0; i < BYTES; i++)
		text[i] = (char)(lac_rng_below(rng, mean) == 0
					 ? '\0'
					 : 'a' + (int)lac_rng_below(rng,
								    letters));
	text[0] = text[BYTES - 1] = '\0';
	return text;
}

static void equal_strings_are_one(void **state)
{
	static const unsigned means[] = { 2, 5, 9, 40 };
	struct lac_rng rng = { .state = 7 };

	(void)state;
	for (size_t k = 0; k < 4; k++) {
		char *text = random_text(&rng, k % 2 ? 2 : 20, means[k]);
		const char **got = calloc(ASKED, sizeof(*got));
		struct lac_names names;
		unsigned distinct = 0;

		assert_non_null(got);
		assert_true(lac_names_init(&names, text, BYTES));
		for (unsigned i = 0; i < ASKED; i++) {
			uint32_t at = (uint32_t)lac_rng_below(&rng, BYTES);

			assert_true(lac_name_at(&names, at, &got[i]));
			if (text[at])
				assert_string_equal(got[i], text + at);
			else
				assert_null(got[i]);
		}
		for (unsigned i = 0; i < ASKED; i++) {
			bool first = got[i] != NULL;

			for (unsigned j = 0; j < i && got[i]; j++) {
				if (!got[j])
					continue;
				if ((got[i] == got[j]) !=
				    !strcmp(got[i], got[j]))
					fail_msg("%s twice", got[i]);
				first &= got[i] != got[j];
			}
			distinct += first;
		}
		assert_true(distinct > 10 && distinct < ASKED);
		assert_int_equal(names.n, distinct);
		lac_names_free(&names);
		free(got);
		free(text);
	}
}

static char ended[8];

static void note_end(void *what)
{
	strcat(ended, what);
}

static void an_arena_ends_what_it_owns(void **state)
{
	static char a[] = "a", b[] = "b", c[] = "c";
	struct lac_arena *to = lac_arena_create(), *from = lac_arena_create();

	(void)state;
	assert_true(lac_arena_own(to, a, note_end));
	assert_true(lac_arena_own(from, b, note_end));
	assert_true(lac_arena_own(from, c, note_end));
	lac_arena_adopt(to, from);
	assert_string_equal(ended, "");
	lac_arena_destroy(to);
	assert_string_equal(ended, "cba");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_strings_are_one),
		cmocka_unit_test(an_arena_ends_what_it_owns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

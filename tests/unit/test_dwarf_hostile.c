/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Debug info that no compiler writes, one defect each, as assembler text: an
 * error with a message, never a crash, a hang or a graph that does not hold.
 */
#include "compiled.h"

static const char abbrevs[] =
	".byte 1,0x11,1,0,0\n"			       /* a unit */
	".byte 2,0x16,0,3,8,0x49,0x13,0,0\n"	       /* a typedef */
	".byte 3,0x24,0,3,8,0xb,0xb,0x3e,0xb,0,0\n"    /* a base type */
	".byte 4,0x13,1,3,8,0xb,0xb,0,0\n"	       /* a struct */
	".byte 5,0xd,0,3,8,0x49,0x13,0x38,0xf,0,0\n"   /* a member */
	".byte 6,0x1,1,0x49,0x13,0,0\n"		       /* an array */
	".byte 7,0x21,0,0x37,0x7,0,0\n"		       /* a dimension */
	".byte 8,0x39,1,0,0\n"			       /* a namespace */
	".byte 9,0x2e,1,1,0x13,0,0\n"		       /* a function, its sibling */
	".byte 0\n";

/* A code so high that reading the unit is left to libdwarf. */
static const char high_code[] = ".byte 0xff,0xff,0xff,0xff,0xf,0x39,0,0,0\n";

/*
 * Entries behind the header of a DWARF 4 unit; b is where that starts.  more:
 * abbreviations in front of those above.
 */
static char *unit_of(const char *more, const char *entries)
{
	char *text = NULL;

	assert_true(asprintf(&text,
			     ".section .debug_abbrev,\"\",@progbits\n"
			     "%s%s.section .debug_info,\"\",@progbits\n"
			     "b: .long e-s\ns: .short 4\n.long 0\n.byte 8\n"
			     ".byte 1\n%s\n.byte 0\ne:\n",
			     more, abbrevs, entries) > 0);
	return text;
}

static enum lac_status read_with(const char *more, const char *entries,
				 struct lac_err *err)
{
	struct lac_graph_options o = { .no_cache = true };
	char *text = unit_of(more, entries);
	struct lac_graph *g = NULL;
	struct compiled c;
	enum lac_status st;

	compile_text(&c, "gcc", ".s", text);
	free(text);
	st = lac_graph_read(c.path, &o, &g, err);
	if (st == LAC_OK && lac_graph_check(g, err) != LAC_OK)
		fail_msg("%s", err->msg);
	lac_graph_destroy(g);
	remove_compiled(&c);
	return st;
}

static enum lac_status read_text(const char *entries, struct lac_err *err)
{
	return read_with("", entries, err);
}

static void fails_with(const char *entries, const char *words)
{
	struct lac_err err = { .msg = "" };

	if (read_text(entries, &err) != LAC_BAD_INPUT)
		fail_msg("no error: %.200s", entries);
	if (!strstr(err.msg, words) || !strstr(err.msg, ".o"))
		fail_msg("'%s' lacks '%s'", err.msg, words);
}

static void defects_are_errors(void **state)
{
	(void)state;
	fails_with("t: .byte 2\n.asciz \"t\"\n.long t-b\n", "made of itself");
	fails_with("x: .byte 2\n.asciz \"x\"\n.long y-b\n"
		   "y: .byte 2\n.asciz \"y\"\n.long x-b\n", "made of itself");
	fails_with(".byte 99\n", "damaged");
	fails_with(".byte 8\n.byte 99\n.byte 0\n.byte 0\n.byte 0\n", "damaged");
}

/*
 * Of the same file the same words: no address of the process that read it, which
 * libdwarf's message on a sibling further back has.
 */
static void messages_have_no_addresses(void **state)
{
	struct lac_err err = { .msg = "" };

	(void)state;
	assert_int_equal(read_with(high_code, ".byte 9\n.long 1\n.byte 8\n.byte 0\n.byte 0\n",
				   &err),
			 LAC_BAD_INPUT);
	assert_non_null(strstr(err.msg, "next die pointer (an address) points"));
	assert_null(strstr(err.msg, "0x"));
}

static void odd_claims_hold_no_graph_up(void **state)
{
	struct lac_err err;

	(void)state;
	/* a reference out of the unit is none */
	assert_int_equal(read_text(".byte 2\n.asciz \"t\"\n.long 0x7fffffff\n",
				   &err), LAC_OK);
	/* a struct within itself; a member behind the end; one of no type */
	assert_int_equal(
		read_text("s1: .byte 4\n.asciz \"s\"\n.byte 8\n"
			  ".byte 5\n.asciz \"m\"\n.long s1-b\n.uleb128 0\n"
			  ".byte 5\n.asciz \"n\"\n.long s1-b\n.uleb128 1<<40\n"
			  ".byte 0\n", &err), LAC_OK);
	/* an array whose size overflows */
	assert_int_equal(
		read_text("i: .byte 3\n.asciz \"int\"\n.byte 4,5\n"
			  "a: .byte 6\n.long i-b\n"
			  ".byte 7\n.quad 0x7fffffffffffffff\n"
			  ".byte 7\n.quad 0x7fffffffffffffff\n.byte 0\n"
			  ".byte 4\n.asciz \"s\"\n.byte 8\n"
			  ".byte 5\n.asciz \"m\"\n.long a-b\n.uleb128 0\n"
			  ".byte 0\n", &err), LAC_OK);
}

/* What would overflow a stack that follows it. */
static void depth_has_a_bound(void **state)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	(void)state;
	assert_non_null(f);
	fputs("t0: .byte 3\n.asciz \"int\"\n.byte 4,5\n", f);
	for (int i = 1; i < 20000; i++)
		fprintf(f, "t%d: .byte 2\n.asciz \"t\"\n.long t%d-b\n", i,
			i - 1);
	assert_int_equal(fclose(f), 0);
	fails_with(text, "too deeply");
	free(text);
	f = open_memstream(&text, &size);
	assert_non_null(f);
	for (int i = 0; i < 20000; i++)
		fputs(".byte 8\n", f);
	assert_int_equal(fclose(f), 0);
	fails_with(text, "too deeply");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defects_are_errors),
		cmocka_unit_test(messages_have_no_addresses),
		cmocka_unit_test(odd_claims_hold_no_graph_up),
		cmocka_unit_test(depth_has_a_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

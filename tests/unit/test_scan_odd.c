/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Entries that no compiler writes, but a file may have: read by their bytes,
 * they are what libdwarf reads, or an error; never another type, and never
 * memory that is not theirs.
 */
#include "same_graph.h"

#include "dbginfo/abbrev.h"

#define DECLARED ".section .debug_abbrev,\"\",@progbits\n" \
		 ".byte 1,0x11,1,0,0\n"
#define INFO ".byte 0\n.section .debug_info,\"\",@progbits\n"
#define HEADER "9: .long 8f-7f\n7: .short 4\n.long 0\n.byte 8\n.byte 1\n"
/* far enough from the end that entries are taken by several bytes at once */
#define END ".byte 0\n.fill 80,1,0\n8:\n"

static enum lac_status read_text(const char *text, enum lac_way way,
				 struct lac_graph **ret)
{
	struct lac_graph_options o = { .no_cache = true, .threads = 1 };
	enum lac_status st;
	struct compiled c;
	struct lac_err err;

	compile_text(&c, "gcc", ".s", text);
	st = lac_graph_read_way(c.path, &o, way, ret, &err);
	remove_compiled(&c);
	return st;
}

static void same_ways(const char *text, unsigned nrecords)
{
	struct lac_graph *plain = NULL, *fast = NULL, *bytes = NULL;

	assert_int_equal(read_text(text, LAC_WAY_PLAIN, &plain), LAC_OK);
	assert_int_equal(read_text(text, LAC_WAY_FAST, &fast), LAC_OK);
	assert_int_equal(read_text(text, LAC_WAY_BYTES, &bytes), LAC_OK);
	assert_int_equal(plain->nrecords, nrecords);
	same_graph(fast, plain);
	same_graph(bytes, plain);
	lac_graph_destroy(plain);
	lac_graph_destroy(bytes);
	lac_graph_destroy(fast);
}

/* The parts of a struct end with a zero of two bytes. */
static void long_zero(void **state)
{
	struct lac_graph *g = NULL;

	(void)state;
	assert_int_equal(read_text(DECLARED ".byte 2,0x13,1,3,8,0xb,0xb,0,0\n"
				   INFO HEADER
				   ".byte 2\n.asciz \"s\"\n.byte 8,0x80,0\n"
				   ".byte 2\n.asciz \"t\"\n.byte 4,0\n" END,
				   LAC_WAY_FAST, &g), LAC_OK);
	assert_int_equal(g->nrecords, 2);
	assert_int_equal(g->records[0].size, 8);
	assert_int_equal(g->records[1].size, 4);
	lac_graph_destroy(g);
}

/* Pointers whose names stand behind their sizes. */
static void named_pointers(void **state)
{
	(void)state;
	same_ways(DECLARED ".byte 2,0xf,0,0xb,0xb,3,8,0,0\n"
		  ".byte 3,0x13,1,3,8,0xb,0xb,0,0\n"
		  ".byte 4,0xd,0,3,8,0x49,0x13,0x38,0xb,0,0\n" INFO HEADER
		  "1: .byte 2,8\n.asciz \"p\"\n"
		  ".byte 2,8\n.asciz \"p\"\n"
		  "2: .byte 2,8\n.asciz \"q\"\n"
		  ".byte 3\n.asciz \"s\"\n.byte 16\n"
		  ".byte 4\n.asciz \"a\"\n.long 1b-9b\n.byte 0\n"
		  ".byte 4\n.asciz \"b\"\n.long 2b-9b\n.byte 8\n.byte 0\n" END,
		  1);
}

static void two_names(void **state)
{
	(void)state;
	same_ways(DECLARED ".byte 2,0x13,0,3,8,0xb,0xb,3,8,0,0\n" INFO HEADER
		  ".byte 2\n.asciz \"u\"\n.byte 8\n.asciz \"s\"\n"
		  ".byte 2\n.asciz \"u\"\n.byte 8\n.asciz \"s\"\n"
		  ".byte 2\n.asciz \"v\"\n.byte 16\n.asciz \"longer\"\n" END,
		  2);
}

/* DW_TAG_interface_type has a place in the source as any record has. */
static void interface(void **state)
{
	(void)state;
	same_ways(DECLARED ".byte 2,0x38,0,3,8,0xb,0xb,0x3b,0xb,0,0\n"
		  INFO HEADER ".byte 2\n.asciz \"s\"\n.byte 8,7\n" END, 1);
}

/* DW_FORM_indirect: the size's form is in the entry. */
static void indirect(void **state)
{
	static const char text[] =
		DECLARED ".byte 2,0x13,0,3,8,0xb,0x16,0,0\n" INFO HEADER
		".byte 2\n.asciz \"s\"\n.byte 0xb,8\n" END;
	struct lac_graph *g = NULL;

	(void)state;
	assert_int_equal(read_text(text, LAC_WAY_FAST, &g), LAC_UNSUPPORTED);
	assert_int_equal(read_text(text, LAC_WAY_AUTO, &g), LAC_OK);
	assert_int_equal(g->records[0].size, 8);
	lac_graph_destroy(g);
}

/* A code that is declared twice. */
static void twice(void **state)
{
	(void)state;
	same_ways(DECLARED ".byte 2,0x13,0,3,8,0xb,0xb,0,0\n"
		  ".byte 2,0x17,0,3,8,0xb,0xb,0,0\n" INFO HEADER
		  ".byte 2\n.asciz \"s\"\n.byte 8\n" END, 1);
}

/* An entry that says it is its own next: nobody goes round for ever. */
static void own_sibling(void **state)
{
	static const char text[] =
		DECLARED ".byte 2,0x13,1,1,0x13,3,8,0xb,0xb,0,0\n" INFO HEADER
		"6: .byte 2\n.long 6b-9b\n.asciz \"s\"\n.byte 8,0\n" END;
	struct lac_graph *g = NULL;

	(void)state;
	assert_int_equal(read_text(text, LAC_WAY_PLAIN, &g), LAC_BAD_INPUT);
	for (enum lac_way way = LAC_WAY_AUTO; way < LAC_WAY_PLAIN; way++) {
		assert_int_equal(read_text(text, way, &g), LAC_OK);
		assert_int_equal(g->nrecords, 1);
		lac_graph_destroy(g);
	}
}

/* The first of several places counts, even if it is a line without a file. */
static void enumeration_without_a_file(void **state)
{
	static const char text[] =
		DECLARED ".byte 2,4,1,3,8,0xb,0xb,0x3b,0xb,0,0\n"
		".byte 3,0x28,0,3,8,0x1c,0xd,0,0\n" INFO
		".macro unit line\n" HEADER
		".byte 2\n.asciz \"e\"\n.byte 4,\\line\n"
		".byte 3\n.asciz \"E\"\n.byte 1,0\n" END
		".endm\nunit 5\nunit 7\n";
	struct lac_graph *g = NULL;

	(void)state;
	same_ways(text, 0);
	assert_int_equal(read_text(text, LAC_WAY_PLAIN, &g), LAC_OK);
	assert_int_equal(g->nenumerations, 1);
	assert_null(g->enumerations[0].decl_file);
	assert_int_equal(g->enumerations[0].decl_line, 5);
	lac_graph_destroy(g);
}

/*
 * A member refers to offset 0, which is no type, where the same struct of an
 * earlier unit refers to one.
 */
static const char no_type[] =
	DECLARED ".byte 2,0xf,0,0xb,0xb,0,0\n.byte 3,0x13,1,3,8,0xb,0xb,0,0\n"
	".byte 4,0xd,0,3,8,0x49,0x13,0x38,0xb,0,0\n" INFO
	".macro unit many second\n" HEADER "1: .byte 2,8\n"
	".byte 3\n.asciz \"t\"\n.byte 8\n"
	".rept \\many\n.byte 4\n.asciz \"m\"\n.long 1b-9b\n.byte 0\n.endr\n"
	".byte 0\n"
	".byte 3\n.asciz \"s\"\n.byte 16\n"
	".byte 4\n.asciz \"a\"\n.long 1b-9b\n.byte 0\n"
	".byte 4\n.asciz \"b\"\n.long \\second\n.byte 8\n.byte 0\n" END
	".endm\nunit 0 1b-9b\nunit 255 0\n";

static void no_type_then(void **state)
{
	struct lac_graph *g = NULL;

	(void)state;
	/* neither way makes a type of it */
	assert_int_equal(read_text(no_type, LAC_WAY_FAST, &g), LAC_BAD_INPUT);
	assert_int_equal(read_text(no_type, LAC_WAY_AUTO, &g), LAC_BAD_INPUT);
	assert_null(g);
}

/* Arrays whose dimensions are enumerations, one and two of them. */
static void dimensions(void **state)
{
	static const char text[] =
		DECLARED ".byte 2,0x24,0,0xb,0xb,3,8,0,0\n"
		".byte 3,0x13,1,3,8,0xb,0xb,0,0\n"
		".byte 4,0xd,0,3,8,0x49,0x13,0x38,0xb,0,0\n"
		".byte 5,1,1,0x49,0x13,0,0\n.byte 6,4,0,3,8,0xb,0xb,0,0\n"
		INFO ".macro unit n\n" HEADER
		"1: .byte 2,4\n.asciz \"int\"\n2: .byte 5\n.long 1b-9b\n"
		".rept \\n\n.byte 6\n.asciz \"e\"\n.byte 4\n.endr\n.byte 0\n"
		".byte 3\n.asciz \"s\"\n.byte 16\n"
		".byte 4\n.asciz \"a\"\n.long 2b-9b\n.byte 0\n.byte 0\n"
		END ".endm\nunit 1\nunit 2\n";
	struct lac_graph *plain = NULL, *g = NULL;

	(void)state;
	assert_int_equal(read_text(text, LAC_WAY_PLAIN, &plain), LAC_OK);
	assert_int_equal(read_text(text, LAC_WAY_FAST, &g), LAC_UNSUPPORTED);
	assert_int_equal(read_text(text, LAC_WAY_AUTO, &g), LAC_OK);
	assert_int_equal(plain->nrecords, 2);
	same_graph(g, plain);
	lac_graph_destroy(plain);
	lac_graph_destroy(g);
}

/* A code far above all others: a table would be of a million of them. */
static void far_codes(void **state)
{
	static const unsigned char bytes[] = {
		1, 0x11, 0, 0, 0, 0xff, 0xff, 0x3f, 0x24, 0, 0, 0, 0,
	};
	const struct lac_unit_form form = { 8, 4, 4, false };
	struct lac_abbrev_set *set = lac_abbrev_set_create(false);
	struct lac_bytes section = { bytes, sizeof(bytes) };
	const struct lac_abbrevs *a = NULL, *again = NULL;
	struct lac_err err;

	(void)state;
	assert_non_null(set);
	assert_int_equal(lac_abbrevs_read(set, section, 0, &form, &a, &err),
			 LAC_OK);
	assert_int_equal(a->n, 0xfffff + 1);
	assert_non_null(lac_abbrev_of(a, 1));
	assert_null(lac_abbrev_of(a, 2));
	/* of many units as of one, and not once more from another place */
	assert_int_equal(lac_abbrevs_read(set, section, 0, &form, &again, &err),
			 LAC_OK);
	assert_ptr_equal(a, again);
	assert_int_equal(lac_abbrevs_read(set, section, 5, &form, &again, &err),
			 LAC_UNSUPPORTED);
	assert_ptr_equal(a, again);
	lac_abbrev_set_destroy(set);
}

/* The error of a text that the fast way does not read. */
static enum lac_status fast_fails(const char *text, unsigned threads,
				  struct lac_err *err)
{
	struct lac_graph_options o = { .no_cache = true, .threads = threads };
	struct lac_graph *g = NULL;
	enum lac_status st;
	struct compiled c;

	compile_text(&c, "gcc", ".s", text);
	st = lac_graph_read_way(c.path, &o, LAC_WAY_FAST, &g, err);
	for (unsigned again = 0; threads > 1 && again < 30; again++) {
		struct lac_err other;

		assert_int_equal(lac_graph_read_way(c.path, &o, LAC_WAY_FAST,
						    &g, &other), st);
		assert_string_equal(other.msg, err->msg);
	}
	assert_null(g);
	remove_compiled(&c);
	return st;
}

#define STRUCT ".byte 2,0x13,1,3,8,0xb,0xb,0,0\n"
#define ONE ".byte 2\n.asciz \"s\"\n.byte 8\n"

/* A unit's entries end where it does, or every parent may be wrong. */
static void ends(void **state)
{
	struct lac_err err;

	(void)state;
	same_ways(DECLARED STRUCT INFO HEADER ONE ".byte 0\n" END, 1);
	/* one end too many, and one that is not there */
	assert_int_equal(fast_fails(DECLARED STRUCT INFO HEADER ONE
				    ".byte 0,0\n" ONE ".byte 0\n" END, 1,
				    &err), LAC_BAD_INPUT);
	assert_non_null(strstr(err.msg, "the unit at 0x0 "));
	assert_int_equal(fast_fails(DECLARED STRUCT INFO HEADER ONE ONE
				    ".byte 0\n8:\n", 1, &err),
			 LAC_BAD_INPUT);
	/* only the root's own is missing */
	assert_int_equal(fast_fails(DECLARED STRUCT INFO HEADER ONE
				    ".byte 0\n8:\n", 1, &err),
			 LAC_UNSUPPORTED);
	/* a root alone, and what nobody can reach behind it */
	assert_int_equal(fast_fails(".section .debug_abbrev,\"\",@progbits\n"
				    ".byte 1,0x11,0,0,0\n" STRUCT INFO HEADER
				    ONE ".byte 0\n" END, 1, &err),
			 LAC_BAD_INPUT);
}

#define UNIT(type) "9: .long 8f-7f\n7: .short 4\n.long 0\n.byte 8\n.byte 1\n" \
	"1: .byte 2\n.long 1b-9b\n.byte 3\n.long " type "\n.byte 9,0\n" END

/* What was read in another unit hides nothing of this one. */
static void index_of_another_unit(void **state)
{
	struct lac_err err;

	(void)state;
	assert_int_equal(fast_fails(DECLARED ".byte 2,1,1,0x49,0x13,0,0\n"
				    ".byte 3,0x21,0,0x49,0x13,0x2f,0xb,0,0\n"
				    INFO UNIT("1b-9b") UNIT("0x5000"), 1, &err),
			 LAC_UNSUPPORTED);
}

/* Of several errors it is the first in the file, whatever thread is faster. */
static void first_error(void **state)
{
	struct lac_err err;

	(void)state;
	/* the last unit of one batch, and the first one of the next */
	assert_int_equal(fast_fails(DECLARED ".byte 2,0xf,0,0x49,0x13,0,0\n"
				    INFO ".rept 7\n" HEADER END ".endr\n"
				    HEADER ".fill 600000,1,2\n.byte 99\n" END
				    HEADER ".byte 2\n.long 0x5000\n" END
				    ".rept 23\n" HEADER END ".endr\n", 2,
				    &err), LAC_BAD_INPUT);
	assert_non_null(strstr(err.msg, "a damaged entry"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_zero),
		cmocka_unit_test(named_pointers),
		cmocka_unit_test(two_names),
		cmocka_unit_test(interface),
		cmocka_unit_test(indirect),
		cmocka_unit_test(twice),
		cmocka_unit_test(own_sibling),
		cmocka_unit_test(enumeration_without_a_file),
		cmocka_unit_test(no_type_then),
		cmocka_unit_test(dimensions),
		cmocka_unit_test(far_codes),
		cmocka_unit_test(ends),
		cmocka_unit_test(index_of_another_unit),
		cmocka_unit_test(first_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

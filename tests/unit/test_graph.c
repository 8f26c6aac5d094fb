/* SPDX-License-Identifier: BSD-2-Clause */
/* What graph.h promises, on objects that the compiler makes right now. */
#include "compiled.h"

static void members_have_the_compilers_offsets(void **state)
{
	struct lac_graph *g = graph_of(
		"gcc -g", "struct s { char a; long b; int c : 3; int d : 7;\n"
			  " struct { short e; } in; char f[]; } v;\n");
	const struct lac_record *r = record_named(g, "struct s");

	(void)state;
	assert_int_equal(r->size, 24);
	assert_int_equal(r->kind, LAC_STRUCT);
	assert_int_equal(r->nmembers, 6);
	assert_int_equal(member_named(r, "b")->bit_offset, 64);
	assert_int_equal(member_named(r, "d")->bit_offset, 131);
	assert_int_equal(member_named(r, "d")->bit_size, 7);
	assert_int_equal(member_named(r, "d")->role, LAC_MEMBER_BITFIELD);
	assert_int_equal(member_named(r, "in")->bit_offset, 144);
	assert_int_equal(member_named(r, "f")->bit_size, 0);
	assert_int_equal(r->nunits, 1);
	assert_true(r->decl_line == 1);
	lac_graph_destroy(g);
}

static void declarators_grow_from_the_inside(void **state)
{
	static const struct { const char *member, *text; } want[] = {
		{ "a", "int (*a[2])(void)" },
		{ "b", "int (*(*b)(int, ...))[3]" },
		{ "c", "const char *const c" },
		{ "d", "const int d[2][3]" },
		{ "e", "volatile struct s *(*e)(struct s *, void (*)(int))" },
		{ "f", "struct {...} f" },
		{ "g", "char *restrict g" },
	};
	struct lac_graph *g = graph_of(
		"gcc -g",
		"struct s { int (*a[2])(void); int (*(*b)(int, ...))[3];\n"
		"const char *const c; const int d[2][3];\n"
		"volatile struct s *(*e)(struct s *, void (*)(int));\n"
		"struct { int x; } f; char *restrict g; } *v;\n");
	LAC_CLEANUP_ARENA struct lac_arena *a = lac_arena_create();
	const struct lac_record *r = record_named(g, "s");

	(void)state;
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		const struct lac_member *m = member_named(r, want[i].member);

		assert_string_equal(lac_type_declare(g, m->type, m->name, a),
				    want[i].text);
	}
	lac_graph_destroy(g);
}

/* Functions that take functions: never more text than has a limit. */
static void parameters_are_cut(void **state)
{
	static char text[8192];
	struct lac_graph *g;
	LAC_CLEANUP_ARENA struct lac_arena *a = lac_arena_create();
	const struct lac_record *r;
	char *at = stpcpy(text, "extern int (*f0)(int);\n");
	size_t cut_at = 0;

	(void)state;
	for (int k = 1; k < 60; k++)
		at += sprintf(at, "extern __typeof__(f%d) (*f%d)(__typeof__(f%d));\n",
			      k - 1, k, k - 1);
	at = stpcpy(at, "struct s {");
	for (int k = 0; k < 60; k++)
		at += sprintf(at, " __typeof__(f%d) m%d;", k, k);
	strcpy(at, "} v;\n");
	g = graph_of("gcc -g", text);
	r = record_named(g, "s");
	for (uint32_t k = 0; k < r->nmembers; k++) {
		bool cut;
		const char *t = lac_type_declare_cut(g, r->members[k].type,
						     r->members[k].name, a,
						     &cut);

		assert_non_null(t);
		assert_true(strlen(t) < 2 * LAC_PARAMETERS_MAX);
		assert_int_equal(cut, strstr(t, "(/* ... */)") != NULL);
		assert_true(cut || !cut_at); /* the longer ones are cut, too */
		if (cut && !cut_at)
			cut_at = k;
	}
	assert_true(cut_at > 4);
	/* only what is inside the parentheses is cut, and no more than needed */
	assert_true(strlen(lac_type_declare(g, r->members[cut_at - 1].type, "",
					    a)) > LAC_PARAMETERS_MAX / 3);
	lac_graph_destroy(g);
}

static void alignments_are_the_abis(void **state)
{
	struct lac_graph *g = graph_of(
		"gcc -g", "typedef int v4 __attribute__((vector_size(16)));\n"
			  "struct a { char c; long double l; } a;\n"
			  "struct b { v4 v; _Complex float f; } b;\n"
			  "struct c { int x; } __attribute__((aligned(64))) c;\n"
			  "struct d { char c; int i; } "
			  "__attribute__((packed)) d;\n"
			  "struct e { _Atomic struct { char x[8]; } m; } e;\n");
	enum lac_certainty how;

	(void)state;
	assert_int_equal(lac_type_align(g, record_named(g, "a")->type, &how),
			 16);
	assert_int_equal(how, LAC_KNOWN);
	assert_int_equal(lac_type_align(g, record_named(g, "b")->type, &how),
			 16);
	assert_int_equal(lac_type_align(g, record_named(g, "c")->type, &how),
			 64);
	assert_int_equal(record_named(g, "c")->declared_align, 64);
	assert_int_equal(lac_type_align(g, record_named(g, "d")->type, &how),
			 1);
	assert_int_equal(how, LAC_INFERRED);
	assert_int_equal(lac_type_align(g, record_named(g, "e")->type, &how),
			 8);
	lac_graph_destroy(g);
}

static void names_lead_to_records(void **state)
{
	struct lac_graph *g = graph_of(
		"gcc -g", "typedef struct { int x; } foo_t; foo_t f;\n"
			  "typedef foo_t bar_t; bar_t b;\n"
			  "struct both { int i; }; typedef struct both both; "
			  "both c;\n");
	LAC_CLEANUP_ARENA struct lac_arena *a = lac_arena_create();
	const struct lac_record *r = record_named(g, "foo_t");
	const lac_record_id *ids;
	struct lac_err err;
	size_t n;

	(void)state;
	assert_null(r->name);
	assert_string_equal(r->typedef_name, "foo_t");
	assert_ptr_equal(record_named(g, "bar_t"), r);
	assert_ptr_equal(record_named(g, "both"),
			 record_named(g, "struct both"));
	assert_int_equal(lac_graph_find(g, "foo", a, &ids, &n, &err),
			 LAC_NOT_FOUND);
	assert_non_null(strstr(err.msg, "foo_t"));
	assert_int_equal(lac_graph_find(g, "union both", a, &ids, &n, &err),
			 LAC_NOT_FOUND);
	lac_graph_destroy(g);
}

static void cycles_end(void **state)
{
	struct lac_graph *g = graph_of(
		"gcc -g", "struct b; struct a { struct b *b; struct a *next; "
			  "void (*f)(struct a *); };\n"
			  "struct b { struct a a; struct b *up; } v;\n");
	const struct lac_record *a = record_named(g, "a");
	const struct lac_record *b = record_named(g, "b");

	(void)state;
	assert_int_equal(g->types[a->members[0].type].target, b->type);
	assert_int_equal(g->types[a->members[1].type].target, a->type);
	assert_int_equal(b->members[0].type, a->type);
	lac_graph_destroy(g);
}

static void refuses(const char *path, enum lac_status want, const char *words)
{
	struct lac_graph *g = (void *)1;
	struct lac_graph_options o = { .no_cache = true };
	struct lac_err err = { .msg = "" };

	assert_int_equal(lac_graph_read(path, &o, &g, &err), want);
	assert_ptr_equal(g, (void *)1);
	if (!strstr(err.msg, path) || !strstr(err.msg, words))
		fail_msg("'%s' lacks '%s'", err.msg, words);
}

static void bad_files_are_named(void **state)
{
	struct compiled c;

	(void)state;
	refuses("/nonexistent/x", LAC_OS, "No such file");
	refuses("/tmp", LAC_BAD_INPUT, "directory");
	refuses("/dev/null", LAC_BAD_INPUT, "not a regular file");
	refuses("/dev/null", LAC_BAD_INPUT, "write it to a file first");
	refuses("-", LAC_BAD_INPUT, "write it to a file first");
	refuses("tests/run.sh", LAC_BAD_INPUT, "not an ELF file");
	compile_text(&c, "gcc -g0", ".c", "struct s { int i; } v;\n");
	refuses(c.path, LAC_NOT_FOUND, "no debug info in");
	assert_int_equal(truncate(c.path, 100), 0);
	refuses(c.path, LAC_BAD_INPUT, "truncated");
	assert_int_equal(truncate(c.path, 0), 0);
	refuses(c.path, LAC_BAD_INPUT, "empty");
	remove_compiled(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_have_the_compilers_offsets),
		cmocka_unit_test(declarators_grow_from_the_inside),
		cmocka_unit_test(parameters_are_cut),
		cmocka_unit_test(alignments_are_the_abis),
		cmocka_unit_test(names_lead_to_records),
		cmocka_unit_test(cycles_end),
		cmocka_unit_test(bad_files_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

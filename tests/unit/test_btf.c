/* SPDX-License-Identifier: BSD-2-Clause */
/* BTF and DWARF of one file tell the same layouts. */
#include "compiled.h"

static struct lac_graph *read_format(const char *path, enum lac_format f)
{
	struct lac_graph_options o = { .no_cache = true, .format = f };
	struct lac_graph *g = NULL;
	struct lac_err err;

	if (lac_graph_read(path, &o, &g, &err) != LAC_OK)
		fail_msg("%s", err.msg);
	if (lac_graph_check(g, &err) != LAC_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(g->format, f);
	return g;
}

static bool same_layout(const struct lac_record *a, const struct lac_record *b)
{
	if (a->size != b->size || a->nmembers != b->nmembers ||
	    (a->kind == LAC_UNION) != (b->kind == LAC_UNION))
		return false;
	for (uint32_t i = 0; i < a->nmembers; i++) {
		const struct lac_member *x = &a->members[i];
		const struct lac_member *y = &b->members[i];

		if (x->bit_offset != y->bit_offset ||
		    x->bit_size != y->bit_size ||
		    !x->name != !y->name ||
		    (x->name && strcmp(x->name, y->name) != 0))
			return false;
	}
	return true;
}

/* Every record of BTF that DWARF has too: one of its layouts is the same. */
static unsigned compare(const struct lac_graph *dwarf,
			const struct lac_graph *btf)
{
	LAC_CLEANUP_ARENA struct lac_arena *a = lac_arena_create();
	unsigned both = 0;

	for (uint32_t i = 0; i < btf->nrecords; i++) {
		const struct lac_record *r = &btf->records[i];
		const lac_record_id *ids;
		struct lac_err err;
		bool same = false;
		char name[256];
		size_t n;

		if (!r->name)
			continue;
		snprintf(name, sizeof(name), "%s %s",
			 r->kind == LAC_UNION ? "union" : "struct", r->name);
		if (lac_graph_find(dwarf, name, a, &ids, &n, &err) != LAC_OK)
			continue;
		both++;
		for (size_t k = 0; k < n && !same; k++)
			same = same_layout(&dwarf->records[ids[k]], r);
		if (!same)
			fail_msg("%s differs", name);
	}
	return both;
}

static void both_formats_of_an_object(void **state)
{
	static const char text[] =
		"typedef struct { int x; } an_t;\n"
		"enum e { MINUS = -1, BIG = 0x7fffffff };\n"
		"union u { long l; double d; };\n"
		"struct s { char a; an_t b[2][3]; int c : 3, d : 13; enum e e;\n"
		" struct s *n; int (*f)(int, ...); union u u;\n"
		" const volatile short cv; _Bool flag : 1; char z[]; } v;\n";
	struct lac_graph *dwarf = graph_of("gcc -g", text);
	struct lac_graph *btf;
	const struct lac_record *r;
	enum lac_certainty how;
	struct compiled c;

	(void)state;
	compile_text(&c, "gcc -gbtf", ".c", text);
	btf = read_format(c.path, LAC_FORMAT_BTF);
	remove_compiled(&c);
	assert_int_equal(compare(dwarf, btf), 2);
	assert_false(btf->tells_alignment);
	r = record_named(btf, "an_t");
	assert_null(r->name);
	assert_string_equal(r->typedef_name, "an_t");
	r = record_named(btf, "struct s");
	assert_int_equal(lac_type_align(btf, r->type, &how), 8);
	assert_int_equal(how, LAC_INFERRED);
	/* whether -1 is signed, gcc's BTF of this age does not say */
	assert_int_equal(btf->enumerations[0].values[1].value, 0x7fffffff);
	lac_graph_destroy(dwarf);
	lac_graph_destroy(btf);
}

/* Only BTF there: it is taken; DWARF there as well: that is preferred. */
static void auto_prefers_dwarf(void **state)
{
	struct lac_graph *g = graph_of("gcc -gbtf", "struct s { int i; } v;\n");

	(void)state;
	assert_int_equal(g->format, LAC_FORMAT_BTF);
	lac_graph_destroy(g);
}

static void of_a_kernel(void **state)
{
	const char *path = getenv("LACUNA_VMLINUX");
	struct lac_graph *dwarf, *btf;

	(void)state;
	if (!path)
		SKIP_BECAUSE("LACUNA_VMLINUX is not set");
	dwarf = read_format(path, LAC_FORMAT_DWARF);
	btf = read_format(path, LAC_FORMAT_BTF);
	assert_true(compare(dwarf, btf) > 1000);
	lac_graph_destroy(dwarf);
	lac_graph_destroy(btf);
}

/* What pahole writes for a module: it builds on the kernel's. */
static void split_on_a_base(void **state)
{
	static const char common[] =
		"struct list { struct list *next, *prev; };\n"
		"struct shared { int a; char b; struct list l; };\n"
		"typedef struct { long x; char y; } anon_t;\n"
		"enum e { E1, E2 };\n"
		"struct shared *s; anon_t *a; enum e e;\n";
	static const char own[] =
		"struct own { char c; struct shared s; anon_t t[2];\n"
		" enum e e : 3; struct own *next; union { int i; char z[6]; };\n"
		"} m;\n";
	struct lac_graph_options o = { .no_cache = true,
				       .format = LAC_FORMAT_BTF };
	struct lac_graph *dwarf, *btf, *none;
	struct compiled base, module, other;
	char text[1024], line[512];
	struct lac_err err;

	(void)state;
	if (system("pahole --version >/dev/null 2>&1") != 0)
		SKIP_BECAUSE("no pahole");
	snprintf(text, sizeof(text), "%s%s", common, own);
	compile_text(&base, "gcc -g", ".c", common);
	compile_text(&module, "gcc -g", ".c", text);
	snprintf(line, sizeof(line),
		 "pahole -J %s && pahole --btf_base %s -J %s && "
		 "objcopy -O binary --only-section=.BTF --set-section-flags "
		 ".BTF=alloc %s %s/raw && objcopy -O binary --only-section="
		 ".BTF --set-section-flags .BTF=alloc %s %s/raw",
		 base.path, base.path, module.path, base.path, base.dir,
		 module.path, module.dir);
	assert_int_equal(system(line), 0);
	dwarf = read_format(module.path, LAC_FORMAT_DWARF);
	/* on its own it is refused, and the way out is named */
	assert_int_equal(lac_graph_read(module.path, &o, &none, &err),
			 LAC_BAD_INPUT);
	assert_non_null(strstr(err.msg, "--base"));
	o.base_path = base.path;
	for (int raw = 0; raw < 2; raw++) {
		assert_int_equal(lac_graph_read(module.path, &o, &btf, &err),
				 LAC_OK);
		assert_int_equal(lac_graph_check(btf, &err), LAC_OK);
		assert_int_equal(compare(dwarf, btf), 3);
		assert_int_equal(record_named(btf, "anon_t")->size, 16);
		assert_int_equal(member_named(record_named(btf, "own"), "e")
					 ->bit_size, 3);
		lac_graph_destroy(btf);
		/* the same as files of BTF alone */
		snprintf(base.path, sizeof(base.path), "%s/raw", base.dir);
		snprintf(module.path, sizeof(module.path), "%s/raw",
			 module.dir);
	}
	/* a base that is split itself is none */
	o.base_path = module.path;
	assert_int_equal(lac_graph_read(module.path, &o, &none, &err),
			 LAC_BAD_INPUT);
	assert_non_null(strstr(err.msg, "no base BTF"));
	/* nor is another kernel's, whose strings are not where it has them */
	snprintf(text, sizeof(text), "struct first { int of_all; } f;\n%s",
		 common);
	compile_text(&other, "gcc -g", ".c", text);
	snprintf(line, sizeof(line), "pahole -J %s", other.path);
	assert_int_equal(system(line), 0);
	o.base_path = other.path;
	assert_int_equal(lac_graph_read(module.path, &o, &none, &err),
			 LAC_BAD_INPUT);
	assert_non_null(strstr(err.msg, "not the base it was made with"));
	lac_graph_destroy(dwarf);
	remove_compiled(&other);
	remove_compiled(&base);
	remove_compiled(&module);
}

static void no_btf_is_said(void **state)
{
	struct lac_graph_options o = { .no_cache = true,
				       .format = LAC_FORMAT_BTF };
	struct lac_graph *g;
	struct lac_err err;
	struct compiled c;

	(void)state;
	compile_text(&c, "gcc -g", ".c", "struct s { int i; } v;\n");
	assert_int_equal(lac_graph_read(c.path, &o, &g, &err), LAC_BAD_INPUT);
	assert_non_null(strstr(err.msg, "no BTF in"));
	remove_compiled(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_formats_of_an_object),
		cmocka_unit_test(auto_prefers_dwarf),
		cmocka_unit_test(no_btf_is_said),
		cmocka_unit_test(split_on_a_base),
		cmocka_unit_test(of_a_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

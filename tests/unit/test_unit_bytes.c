/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Units that share types, read from their bytes, are what libdwarf reads:
 * partial units, type units of DWARF 4 and 5, the common file of dwz, C++.
 */
#include <malloc.h>

#include "same_graph.h"

static char dir[] = "/tmp/lac-shared-XXXXXX";

static bool run(const char *line)
{
	char all[2048];

	snprintf(all, sizeof(all), "cd %s && { %s; } >/dev/null 2>&1", dir,
		 line);
	return system(all) == 0;
}

static void write_file(const char *name, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static const char header[] =
	"typedef struct { int a : 3; long b; } pair_t;\n"
	"enum colour { RED = -1, BLUE = 7 };\n"
	"struct node { struct node *next; pair_t pair[2]; enum colour c;\n"
	" union { int i; char z[6]; }; int (*call)(struct node *, ...); };\n"
	"struct only_here { short s; };\n";

static const char cc_header[] =
	"namespace outer { namespace inner {\n"
	"template <class T, int N> struct box { T t[N]; struct in { char c; } i; };\n"
	"class base { public: virtual ~base(); int b; static int s; };\n"
	"class derived : public virtual base { char c; box<short, 3> x; };\n"
	"enum class kind : unsigned char { one, two };\n"
	"struct user { kind k; derived *d; int user::*m; derived e; };\n"
	"} }\n";

static const char body[] =
	"#include \"h.h\"\n"
	"struct node n_NAME; pair_t p_NAME; enum colour c_NAME;\n"
	"struct only_here *use_NAME(struct node *n)\n"
	"{ struct local_NAME { struct node in; char c; } l; l.in = *n;\n"
	" return (void *)l.in.next; }\n";

static const char cc_body[] =
	"#include \"hh.h\"\n"
	"outer::inner::user u_NAME; outer::inner::box<long, 2> b_NAME;\n"
	"int f_NAME() { struct local { outer::inner::kind k; int i; } l;\n"
	" l.i = u_NAME.k == outer::inner::kind::two; return l.i; }\n";

/* Units a, b, c... of the same text; names in capitals are theirs. */
static void make_sources(void)
{
	write_file("h.h", header);
	write_file("hh.h", cc_header);
	write_file("c.in", body);
	write_file("cc.in", cc_body);
	assert_true(run("for i in a b c d; do sed s/NAME/$i/g c.in >$i.c;"
			" sed s/NAME/$i/g cc.in >$i.cc; done"));
}

static void same_ways(const char *name, unsigned least)
{
	char path[256];
	struct lac_graph *plain, *bytes, *chosen;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	mallopt(M_PERTURB, 0x55); /* what is not set is nothing that is right */
	plain = read_way(path, LAC_WAY_PLAIN, 1);
	bytes = read_way(path, LAC_WAY_BYTES, 1);
	chosen = read_way(path, LAC_WAY_AUTO, 0);
	if (plain->nrecords < least)
		fail_msg("%s: %u records", name, plain->nrecords);
	same_graph(bytes, plain);
	same_graph(chosen, plain);
	lac_graph_destroy(plain);
	lac_graph_destroy(bytes);
	lac_graph_destroy(chosen);
}

static enum lac_status status_of(const char *name, enum lac_way way)
{
	struct lac_graph_options o = { .no_cache = true };
	struct lac_graph *g = NULL;
	struct lac_err err;
	char path[256];
	enum lac_status st;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	st = lac_graph_read_way(path, &o, way, &g, &err);
	lac_graph_destroy(g);
	return st;
}

static void linked(const char *compiler, const char *suffix, unsigned least)
{
	char line[512];

	snprintf(line, sizeof(line),
		 "%s -w -shared -fPIC -o all a.%s b.%s c.%s d.%s", compiler,
		 suffix, suffix, suffix, suffix);
	assert_true(run(line));
	same_ways("all", least);
}

static void type_units(void **state)
{
	(void)state;
	linked("gcc -gdwarf-4 -fdebug-types-section", "c", 6);
	linked("gcc -gdwarf-5 -fdebug-types-section", "c", 6);
	linked("g++ -gdwarf-4 -fdebug-types-section", "cc", 6);
	linked("g++ -gdwarf-5 -fdebug-types-section", "cc", 6);
	if (!run("clang++ --version"))
		SKIP_BECAUSE("no clang");
	linked("clang++ -gdwarf-5 -fdebug-types-section -fstandalone-debug",
	       "cc", 6);
}

/* Not shared: what the scan would read as well. */
static void of_their_own(void **state)
{
	(void)state;
	linked("gcc -gdwarf-5", "c", 6);
	linked("g++ -gdwarf-5 -O1", "cc", 6);
}

static void by_dwz(const char *compiler, const char *suffix, unsigned least)
{
	char line[512];

	linked(compiler, suffix, least);
	assert_true(run("cp all one && dwz one"));
	same_ways("one", least);
	/* what both have goes into a common file */
	snprintf(line, sizeof(line),
		 "rm -f common && %s -w -shared -fPIC -o x a.%s b.%s && "
		 "%s -w -shared -fPIC -o y c.%s d.%s && dwz -m common x y && "
		 "test -s common", compiler, suffix, suffix, compiler, suffix,
		 suffix);
	assert_true(run(line));
	same_ways("x", least / 2);
	same_ways("y", least / 2);
	same_ways("common", 1); /* nobody imports its partial units */
}

static void partial_units(void **state)
{
	(void)state;
	if (!run("dwz --version"))
		SKIP_BECAUSE("no dwz");
	by_dwz("gcc -gdwarf-4", "c", 6);
	by_dwz("gcc -gdwarf-5", "c", 6);
	by_dwz("g++ -gdwarf-4", "cc", 6);
	by_dwz("g++ -gdwarf-5", "cc", 6);
	assert_true(run("rm common"));
}

/* The unit of a skeleton has no number: a type in it is of no unit. */
static void skeleton_with_a_type(void **state)
{
	static const char skeleton[] =
		".section .debug_abbrev,\"\",@progbits\n"
		".byte 1,0x11,1,3,8\n.uleb128 0x2130\n.byte 8,0,0\n"
		".byte 2,0x13,0,3,8,0xb,0xb,0,0,0\n"
		".section .debug_info,\"\",@progbits\n"
		".long e-s\ns: .short 4\n.long 0\n.byte 8\n"
		".byte 1\n.asciz \"u\"\n.asciz \"none.dwo\"\n"
		".byte 2\n.asciz \"s\"\n.byte 4\n.byte 0\ne:\n";
	struct lac_graph_options o = { .no_cache = true, .partial = true };
	struct lac_graph *g;
	struct lac_err err;
	char path[256];

	(void)state;
	write_file("skeleton.s", skeleton);
	assert_true(run("gcc -c skeleton.s"));
	snprintf(path, sizeof(path), "%s/skeleton.o", dir);
	if (lac_graph_read(path, &o, &g, &err) != LAC_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(g->nrecords, 1);
	assert_int_equal(g->records[0].nunits, 0);
	lac_graph_destroy(g);
}

/* What a pointer leads to counts by its name, be it declared or defined. */
static void enumeration_declared_or_defined(void **state)
{
	static const char ops[] =
		"struct ops { enum e (*get)(enum e *); int x; } OPS;\n";
	char text[256], path[256];
	const struct lac_record *r;
	const struct lac_type *t;
	struct lac_graph *g;

	(void)state;
	snprintf(text, sizeof(text), "enum e;\n%s", ops);
	write_file("declared.c", text);
	snprintf(text, sizeof(text), "enum e { E = 7 } e;\n%s", ops);
	write_file("defined.c", text);
	assert_true(run("gcc -w -g -DOPS=o1 -c declared.c && "
			"gcc -w -g -DOPS=o2 -c defined.c && "
			"ld -r -o one declared.o defined.o && "
			"ld -r -o other defined.o declared.o"));
	same_ways("one", 1);
	same_ways("other", 1);
	snprintf(path, sizeof(path), "%s/one", dir);
	for (enum lac_way way = LAC_WAY_FAST; way <= LAC_WAY_PLAIN; way++) {
		g = read_way(path, way, 1);
		assert_int_equal(g->nrecords, 1);
		r = &g->records[0];
		assert_int_equal(r->nunits, 2);
		/* a pointer to a function, which returns it */
		t = &g->types[g->types[r->members[0].type].target];
		assert_int_equal(t->kind, LAC_TYPE_FUNCTION);
		assert_int_equal(g->types[t->target].enumeration, 0);
		assert_int_equal(g->types[t->target].size, 4);
		lac_graph_destroy(g);
	}
}

/*
 * An enumeration that is declared with its size is the one that another unit
 * defines with that, and what is made of it is there once.
 */
static void opaque_enumerations(const char *compiler)
{
	static const char *const orders[] = { "whole.o opaque.o other.o",
					      "opaque.o other.o whole.o" };
	char line[512], path[256];
	const struct lac_record *r;
	struct lac_graph *g;

	snprintf(line, sizeof(line),
		 "for i in whole opaque other; do %s -w -g -c $i.cc || exit 1;"
		 " done", compiler);
	assert_true(run(line));
	for (int i = 0; i < 2; i++) {
		snprintf(line, sizeof(line), "ld -r -o opaque %s", orders[i]);
		assert_true(run(line));
		same_ways("opaque", 4);
		snprintf(path, sizeof(path), "%s/opaque", dir);
		g = read_file(path);
		assert_int_equal(g->nrecords, 4);
		for (uint32_t k = 0; k < g->nrecords; k++)
			assert_int_equal(g->records[k].nunits,
					 !strcmp(g->records[k].name, "F") ? 1 :
									    2);
		r = record_named(g, "U");
		assert_string_equal(g->records[r->parent].name, "T");
		assert_int_equal(r->decl_line, 3);
		assert_int_equal(g->nenumerations, 2);
		assert_string_equal(g->enumerations[0].name, "E");
		assert_non_null(strstr(g->enumerations[0].decl_file, "whole"));
		/* no definition of its size */
		r = record_named(g, "F");
		assert_int_equal(g->types[r->members[0].type].enumeration,
				 LAC_NONE);
		assert_int_equal(r->members[0].bit_size, 16);
		lac_graph_destroy(g);
	}
}

static void enumeration_declared_with_its_size(void **state)
{
	static const char used[] =
		"struct S { E e; const E c; E a[3]; E *p; };\n"
		"struct T { struct U { S s; E (*f)(E); } u; S *p; };\n";
	char text[512];

	(void)state;
	snprintf(text, sizeof(text), "enum class E : int { X, Y };\n%sT t1 = {};\n",
		 used);
	write_file("whole.cc", text);
	snprintf(text, sizeof(text), "enum class E : int;\n%sT t2 = {};\n", used);
	write_file("opaque.cc", text);
	write_file("other.cc", "enum class E : short;\n"
			       "enum class G : short { Z };\n"
			       "struct F { E e; G g; } f;\n");
	opaque_enumerations("g++");
	if (!run("clang++ --version"))
		SKIP_BECAUSE("no clang");
	opaque_enumerations("clang++");
}

/*
 * Where sN is a signature and rN a reference: a unit with a struct s of a
 * member each, whose type that tells, and a unit of a type t of that signature.
 */
static const char told[] =
	".section .debug_abbrev,\"\",@progbits\n"
	".byte 1,0x11,1,0,0, 2,0x13,1,3,8,0xb,0xb,0,0\n"
	".byte 3,0xd,0,3,8,0x49,0x20,0x38,0xb,0,0\n" /* DW_FORM_ref_sig8 */
	".byte 4,0xd,0,3,8,0x49,0x14,0x38,0xb,0,0\n" /* DW_FORM_ref8 */
	".byte 5,0xd,0,3,8,0x49,0x10,0x38,0xb,0,0\n" /* DW_FORM_ref_addr */
	".byte 6,0x41,1,0,0, 0\n"
	".section .debug_info,\"\",@progbits\n"
	"t: .long t2-t1\nt1: .short 5\n.byte 2,8\n.long 0\n.quad %s\n"
	".long t3-t\n.byte 6\n"
	"t3: .byte 2\n.asciz \"t\"\n.byte 4,0,0\nt2:\n"
	"u: .long u2-u1\nu1: .short 5\n.byte 1,8\n.long 0\n.byte 1\n"
	".byte 2\n.asciz \"s\"\n.byte 24\n"
	".byte 3\n.asciz \"a\"\n.quad %s\n.byte 0\n"
	".byte 4\n.asciz \"b\"\n.quad %s\n.byte 8\n"
	".byte 5\n.asciz \"c\"\n.long %s\n.byte 16\n.byte 0,0\nu2:\n";

static void make_told(const char *have, const char *want, const char *ref,
		      const char *addr)
{
	char text[2048];

	snprintf(text, sizeof(text), told, have, want, ref, addr);
	write_file("told.s", text);
	assert_true(run("gcc -c told.s"));
}

static void told_by(const char *want, const char *ref)
{
	make_told("1", want, ref, "t3-t");
	same_ways("told.o", 2);
}

/* None leads to what the file does not have, nor to what a free slot has. */
static void references_that_lead_nowhere(void **state)
{
	(void)state;
	told_by("1", "12");
	told_by("2", "12");
	told_by("-1", "12");
	told_by("1", "u2-u");
	told_by("1", "-1");
	told_by("1", "0x7fffffffffffffff-(u-t)"); /* its key: all ones */
	told_by("1", "t3-u"); /* it would overflow to what is there */
	told_by("1", "0x80000000000+12"); /* as if in .debug_types */
	told_by("1", "0x100000000000+12"); /* as if in another file */
	make_told("-1", "-1", "12", "t3-t");
	assert_int_equal(status_of("told.o", LAC_WAY_BYTES), LAC_UNSUPPORTED);
	assert_int_equal(status_of("told.o", LAC_WAY_AUTO), LAC_OK);
	for (enum lac_way way = LAC_WAY_BYTES; way <= LAC_WAY_PLAIN; way++) {
		make_told("1", "1", "12", "u2-t");
		assert_int_equal(status_of("told.o", way), LAC_BAD_INPUT);
		make_told("1", "1", "12", "-1");
		assert_int_equal(status_of("told.o", way), LAC_BAD_INPUT);
	}
}

/*
 * Units whose tables of abbreviations are each the rest of one declaration: of
 * n attributes and n / 2 units, n * n / 2 attributes in all.
 */
static const char overlapping[] =
	".section .debug_abbrev,\"\",@progbits\n"
	".rept %u\n.byte 0x19,3\n.endr\n.byte 0x19,0,0,0,0,0,0\n"
	".section .debug_info,\"\",@progbits\n"
	"%s.set at,0\n.rept %u\n"
	".long 9\n.short 5\n.byte 1,8\n.long at\n.byte %u\n"
	".set at,at+2\n.endr\n";

/* Without type units the fast way is taken: to it, no entry is one, too. */
static enum lac_status overlap(unsigned n, bool typed, enum lac_way way)
{
	static const char type[] =
		".long 21\n.short 5\n.byte 2,8\n.long 0\n.quad 1\n"
		".long 24\n.byte 0x19\n";
	char text[2048];

	snprintf(text, sizeof(text), overlapping, n, typed ? type : "", n / 2,
		 typed ? 0x19 : 0);
	write_file("tables.s", text);
	assert_true(run("gcc -c tables.s"));
	return status_of("tables.o", way);
}

/* Memory is of the file's order, not of its square's. */
static void overlapping_tables_are_not_read(void **state)
{
	(void)state;
	assert_int_equal(overlap(64, true, LAC_WAY_BYTES), LAC_OK);
	assert_int_equal(overlap(64, false, LAC_WAY_FAST), LAC_OK);
	assert_int_equal(overlap(4000, true, LAC_WAY_BYTES), LAC_UNSUPPORTED);
	assert_int_equal(overlap(4000, false, LAC_WAY_FAST), LAC_UNSUPPORTED);
}

/* The way is not taken where only libdwarf can tell what is there. */
static void damage_is_told_by_libdwarf(void **state)
{
	char path[256];
	struct lac_graph_options o = { .no_cache = true };
	struct lac_graph *g = NULL;
	struct lac_err plain, chosen;

	(void)state;
	assert_true(run("gcc -gdwarf-4 -fdebug-types-section -c -o cut a.c && "
			"objcopy --dump-section .debug_abbrev=ab cut && "
			"head -c 20 ab >ab2 && "
			"objcopy --update-section .debug_abbrev=ab2 cut"));
	snprintf(path, sizeof(path), "%s/cut", dir);
	assert_int_not_equal(lac_graph_read_way(path, &o, LAC_WAY_PLAIN, &g,
						&plain), LAC_OK);
	assert_int_not_equal(lac_graph_read_way(path, &o, LAC_WAY_AUTO, &g,
						&chosen), LAC_OK);
	assert_string_equal(plain.msg, chosen.msg);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_their_own),
		cmocka_unit_test(type_units),
		cmocka_unit_test(partial_units),
		cmocka_unit_test(skeleton_with_a_type),
		cmocka_unit_test(enumeration_declared_or_defined),
		cmocka_unit_test(enumeration_declared_with_its_size),
		cmocka_unit_test(references_that_lead_nowhere),
		cmocka_unit_test(overlapping_tables_are_not_read),
		cmocka_unit_test(damage_is_told_by_libdwarf),
	};
	char line[64];
	int failed;

	if (!mkdtemp(dir))
		return 1;
	make_sources();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(line, sizeof(line), "rm -r %s", dir);
	return system(line) ? 1 : failed;
}

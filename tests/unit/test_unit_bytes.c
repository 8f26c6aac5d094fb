/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Units that share types, read from their bytes, are what libdwarf reads:
 * partial units, type units of DWARF 4 and 5, the common file of dwz, C++.
 */
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
}

static void partial_units(void **state)
{
	(void)state;
	if (!run("dwz --version"))
		SKIP_BECAUSE("no dwz");
	by_dwz("gcc -gdwarf-4", "c", 6);
	by_dwz("gcc -gdwarf-5", "c", 6);
	by_dwz("g++ -gdwarf-5", "cc", 6);
	assert_true(run("rm common"));
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
		cmocka_unit_test(enumeration_declared_or_defined),
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

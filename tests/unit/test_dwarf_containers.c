/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One program in every container that its debug info may come in: the same
 * three layouts out of each, or an error that names what is missing.
 */
#include "compiled.h"

static char dir[] = "/tmp/lac-containers-XXXXXX";

/* In the directory; a tool that is absent is no failure of ours. */
static bool run(const char *command)
{
	char line[1024];

	snprintf(line, sizeof(line), "cd %s && (%s) >/dev/null 2>&1", dir,
		 command);
	return system(line) == 0;
}

static enum lac_status read_one(const char *file,
				const struct lac_graph_options *o,
				struct lac_graph **g, struct lac_err *err)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	return lac_graph_read(path, o, g, err);
}

static void has_all(const char *file)
{
	struct lac_graph_options o = { .no_cache = true };
	const struct lac_record *r;
	struct lac_graph *g;
	struct lac_err err;

	if (read_one(file, &o, &g, &err) != LAC_OK ||
	    lac_graph_check(g, &err) != LAC_OK)
		fail_msg("%s: %s", file, err.msg);
	r = record_named(g, "struct shared");
	assert_int_equal(r->size, 24);
	assert_int_equal(r->nunits, 2);
	assert_string_equal(strrchr(g->units[r->units[1]].name, 'b'), "b.c");
	assert_int_equal(member_named(r, "c")->bit_offset, 128);
	assert_int_equal(member_named(r, "c")->bit_size, 3);
	r = record_named(g, "struct only_a");
	assert_int_equal(r->size, 32);
	assert_int_equal(r->nunits, 1);
	assert_int_equal(record_named(g, "struct only_b")->size, 24);
	assert_null(g->missing);
	lac_graph_destroy(g);
}

static void fails_with(const char *file, const char *words)
{
	struct lac_graph_options o = { .no_cache = true };
	struct lac_graph *g;
	struct lac_err err;

	assert_int_not_equal(read_one(file, &o, &g, &err), LAC_OK);
	if (!strstr(err.msg, words) || !strstr(err.msg, file))
		fail_msg("'%s' does not name %s", err.msg, words);
}

static int set_up(void **state)
{
	char line[256];

	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(line, sizeof(line),
		 "sh fixtures/cases/60_containers.sh %s >/dev/null 2>&1", dir);
	return system(line);
}

static int tear_down(void **state)
{
	char line[64];

	(void)state;
	snprintf(line, sizeof(line), "rm -r %s", dir);
	return system(line);
}

static void plain_and_linked(void **state)
{
	(void)state;
	has_all("plain");
	has_all("linked_debug");
	assert_true(run("gcc -g -gdwarf64 -o d64 a.c b.c"));
	has_all("d64");
	if (run("clang -g -o clang a.c b.c"))
		has_all("clang");
	if (run("gcc -g -flto -o lto a.c b.c"))
		has_all("lto");
}

static void type_units(void **state)
{
	(void)state;
	has_all("types5");
	assert_true(run("gcc -g -gdwarf-4 -fdebug-types-section -o types4 "
			"a.c b.c"));
	has_all("types4");
	/* each in a section of its own before they are linked */
	assert_true(run("gcc -g -gdwarf-4 -fdebug-types-section -c a.c b.c && "
			"ar rcs types.a a.o b.o"));
	has_all("types.a");
	assert_true(run("gcc -g -fdebug-types-section -c a.c b.c && "
			"ar rcs types5.a a.o b.o"));
	has_all("types5.a");
}

static void compressed_sections(void **state)
{
	(void)state;
	has_all("comp_zlib");
	if (run("objcopy --compress-debug-sections=zlib-gnu plain zgnu"))
		has_all("zgnu");
	if (run("objcopy --compress-debug-sections=zstd plain zstd"))
		has_all("zstd");
	/* compressed and relocatable at once */
	assert_true(run("gcc -g -gz=zlib -c a.c b.c && ar rcs z.a a.o b.o"));
	has_all("z.a");
}

static void split_dwarf(void **state)
{
	struct lac_graph_options partial = { .no_cache = true,
					     .partial = true };
	struct lac_graph *g;
	struct lac_err err;

	(void)state;
	has_all("split5");
	assert_true(run("mkdir v4 && cd v4 && gcc -g -gdwarf-4 -gsplit-dwarf "
			"-c ../a.c ../b.c && gcc -o split4 a.o b.o"));
	has_all("v4/split4");
	if (run("cd v4 && mkdir p && cp split4 p && dwp -o p/split4.dwp a.dwo "
		"b.dwo && rm a.dwo b.dwo"))
		has_all("v4/p/split4");
	if (run("mkdir one && cd one && clang -g -gsplit-dwarf=single -c "
		"../a.c ../b.c && clang -o single a.o b.o"))
		has_all("one/single");
	/* a .dwo of another build is not taken */
	assert_true(run("cp b.dwo keep && cp a.dwo b.dwo"));
	fails_with("split5", "b.dwo");
	assert_true(run("rm b.dwo"));
	fails_with("split5", "b.dwo");
	assert_int_equal(read_one("split5", &partial, &g, &err), LAC_OK);
	assert_string_equal(g->missing, "b.dwo");
	assert_int_equal(record_named(g, "only_a")->size, 32);
	lac_graph_destroy(g);
	assert_true(run("mv keep b.dwo"));
}

/* With DW_SECT_INFO of version 5, the one that llvm-dwp writes. */
static void packages_of_dwarf_5(void **state)
{
	static const char *const compilers[] = {
		"clang -gdwarf-5", "clang -gdwarf-5 -fdebug-types-section",
		"gcc -gdwarf-5 -fdebug-types-section",
		"clang -gdwarf-4 -fdebug-types-section",
		"gcc -gdwarf-4 -fdebug-types-section",
	};
	struct lac_graph_options o = { .no_cache = true };
	struct lac_graph *g;
	struct lac_err err;
	char line[512];

	(void)state;
	if (!run("llvm-dwp --version || llvm-dwp-14 --version"))
		SKIP_BECAUSE("no llvm-dwp");
	for (size_t i = 0; i < sizeof(compilers) / sizeof(*compilers); i++) {
		snprintf(line, sizeof(line),
			 "rm -rf p5 && mkdir p5 && cd p5 && "
			 "%s -gsplit-dwarf -c ../a.c ../b.c && gcc -o x a.o b.o",
			 compilers[i]);
		assert_true(run(line));
		has_all("p5/x");
		assert_true(run("cd p5 && PATH=$PATH:/usr/lib/llvm-14/bin "
				"timeout 60 llvm-dwp -o x.dwp a.dwo b.dwo && "
				"mkdir away && mv a.dwo b.dwo away"));
		has_all("p5/x");
		has_all("p5/x.dwp");
		/* beside the program, whose skeletons are in another file */
		assert_true(run("cd p5 && objcopy --only-keep-debug x x.debug && "
				"cp x whole && objcopy -g --add-gnu-debuglink="
				"x.debug x"));
		has_all("p5/x");
		assert_true(run("cd p5 && mv whole x"));
		/* a part of it in the package, the other part beside it */
		assert_true(run("cd p5 && PATH=$PATH:/usr/lib/llvm-14/bin "
				"timeout 60 llvm-dwp -o x.dwp away/b.dwo"));
		fails_with("p5/x", "p5/x.dwp");
		fails_with("p5/x", "a.dwo");
		assert_true(run("cd p5 && mv away/a.dwo ."));
		assert_int_equal(read_one("p5/x", &o, &g, &err), LAC_OK);
		assert_int_equal(record_named(g, "shared")->nunits, 2);
		assert_int_equal(record_named(g, "only_a")->size, 32);
		assert_int_equal(record_named(g, "only_b")->size, 24);
		lac_graph_destroy(g);
	}
}

static void dwz_files(void **state)
{
	struct lac_graph_options o = { .no_cache = true };
	struct lac_graph *g, *plain;
	struct lac_err err;

	(void)state;
	if (!run("dwz --version"))
		SKIP_BECAUSE("no dwz");
	has_all("dwz_one");
	assert_true(run("cp plain d1 && cp plain d2 && "
			"dwz -m common.dwz d1 d2"));
	has_all("d1");
	/* declared where it was, by the line table of the common file */
	assert_int_equal(read_one("plain", &o, &plain, &err), LAC_OK);
	assert_int_equal(read_one("d1", &o, &g, &err), LAC_OK);
	assert_non_null(record_named(g, "shared")->decl_file);
	assert_non_null(strstr(record_named(g, "shared")->decl_file,
			       record_named(plain, "shared")->decl_file));
	assert_int_equal(record_named(g, "shared")->decl_line,
			 record_named(plain, "shared")->decl_line);
	lac_graph_destroy(plain);
	lac_graph_destroy(g);
	assert_true(run("rm common.dwz"));
	fails_with("d1", "common.dwz");
}

static void archives(void **state)
{
	(void)state;
	assert_true(run("gcc -g -c a.c b.c && ar rcs lib.a a.o b.o && "
			"ar rcsT thin.a a.o b.o"));
	has_all("lib.a");
	has_all("thin.a");
	assert_true(run("gcc -c a.c && ar rcs none.a a.o"));
	fails_with("none.a", "no debug info");
	assert_true(run("head -c 200 lib.a > cut.a"));
	fails_with("cut.a", "truncated");
}

static void separate_files(void **state)
{
	struct lac_graph_options o = { .no_cache = true };
	struct lac_graph *g;
	char debug_dir[128];
	struct lac_err err;

	(void)state;
	fails_with("stripped", "no debug info");
	assert_true(run(
		"gcc -g -Wl,--build-id -o id a.c b.c && "
		"objcopy --only-keep-debug id id.debug && strip id && "
		"n=$(readelf -n id | sed -n 's/.*Build ID: //p') && "
		"mkdir -p dbg/.build-id/$(echo $n | cut -c1-2) && mv id.debug "
		"dbg/.build-id/$(echo $n | cut -c1-2)/"
		"$(echo $n | cut -c3-).debug"));
	fails_with("id", ".build-id/");
	snprintf(debug_dir, sizeof(debug_dir), "%s/dbg", dir);
	o.debug_dir = debug_dir;
	assert_int_equal(read_one("id", &o, &g, &err), LAC_OK);
	assert_int_equal(record_named(g, "shared")->size, 24);
	assert_non_null(strstr(g->debug_path, ".build-id/"));
	lac_graph_destroy(g);
	/* a debug file that does not match is none */
	assert_true(run("cp plain.debug keep.debug && "
			"echo >> plain.debug"));
	fails_with("linked_debug", "plain.debug");
	assert_true(run("mv keep.debug plain.debug"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_and_linked),
		cmocka_unit_test(type_units),
		cmocka_unit_test(compressed_sections),
		cmocka_unit_test(split_dwarf),
		cmocka_unit_test(packages_of_dwarf_5),
		cmocka_unit_test(dwz_files),
		cmocka_unit_test(archives),
		cmocka_unit_test(separate_files),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}

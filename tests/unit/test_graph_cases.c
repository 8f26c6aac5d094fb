/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every layout case, by each compiler and DWARF version: the graph holds what
 * the EXPECT lines say, which are the compiler's own sizeof and offsetof; and
 * the fast reader and the plain one give the same graph.
 */
#include "same_graph.h"

/* -- one record as the EXPECT lines list it ------------------------------- */

struct want {
	char name[64];
	uint64_t bit_offset, bit_size;
};

static const char *plain_name(const struct lac_graph *g,
			      const struct lac_member *m)
{
	if (m->name)
		return strncmp(m->name, "__", 2) == 0 ? m->name + 2 : m->name;
	return m->role == LAC_MEMBER_BASE ?
		       g->types[lac_type_strip(g, m->type)].name : NULL;
}

/* The member is there, at any depth of anonymous members and bases. */
static bool holds(const struct lac_graph *g, const struct lac_record *r,
		  uint64_t base, const struct want *w)
{
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		const char *name = plain_name(g, m);
		const struct lac_type *t =
			&g->types[lac_type_strip(g, m->type)];

		if (m->certainty == LAC_DYNAMIC)
			continue;
		if (((name && !strcmp(name, w->name)) ||
		     (m->role == LAC_MEMBER_VPTR &&
		      !strncmp(w->name, "_vptr", 5)) ||
		     (m->name && !strcmp(m->name, w->name))) &&
		    base + m->bit_offset == w->bit_offset &&
		    m->bit_size == w->bit_size)
			return true;
		if ((!m->name || m->role == LAC_MEMBER_BASE) &&
		    t->kind == LAC_TYPE_RECORD && t->record != LAC_NONE &&
		    holds(g, &g->records[t->record], base + m->bit_offset, w))
			return true;
	}
	return false;
}

static bool parse_want(const char *token, struct want *w)
{
	unsigned long long at, size;
	const char *dot = strchr(token, '.'), *sign = strchr(token, '@');

	if (!sign)
		return false;
	/* of a base: its name alone */
	if (dot && dot < sign && strncmp(token, "_vptr", 5) != 0)
		token = dot + 1;
	snprintf(w->name, sizeof(w->name), "%.*s", (int)(sign - token), token);
	if (strstr(w->name, "[]"))
		*strstr(w->name, "[]") = '\0';
	if (sscanf(sign, "@bit%llu:%llu", &at, &size) == 2) {
		w->bit_offset = at;
		w->bit_size = size;
		return true;
	}
	if (sscanf(sign, "@%llu+%llu", &at, &size) != 2)
		return false;
	w->bit_offset = at * 8;
	w->bit_size = size * 8;
	return true;
}

/* Typedefs that the oracle alone uses leave no trace in the object. */
static const char *name_in_object(const char *name)
{
	static const char *const names[][2] = {
		{ "AL3", "Arr<long int, 3>" },
		{ "AC5", "Arr<char, 5>" },
		{ "AI", "Arr<long int, 3>::Iter" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i][0]))
			return names[i][1];
	return name;
}

static const struct lac_record *find_record(const struct lac_graph *g,
					    const char *name, uint64_t size,
					    const char *token)
{
	LAC_CLEANUP_ARENA struct lac_arena *a = lac_arena_create();
	const lac_record_id *ids;
	struct lac_err err;
	struct want w;
	size_t n;

	if (lac_graph_find(g, name, a, &ids, &n, &err) != LAC_OK)
		fail_msg("%s", err.msg);
	/* of several the one that it must be: same name, other layout */
	for (size_t i = 0; i < n; i++)
		if (g->records[ids[i]].size == size &&
		    (!parse_want(token, &w) ||
		     holds(g, &g->records[ids[i]], 0, &w)))
			return &g->records[ids[i]];
	fail_msg("%s: no layout of %llu bytes with %s", name,
		 (unsigned long long)size, token);
	return NULL;
}

static void check_line(const struct lac_graph *g, char *line, const char *label)
{
	char *name = line, *facts = strstr(line, " | "), *members;
	unsigned long long size, align;
	const struct lac_record *r;
	enum lac_certainty how;

	assert_non_null(facts);
	*facts = '\0';
	facts += 3;
	members = strstr(facts, " |");
	assert_non_null(members);
	*members = '\0';
	members += 2;
	assert_int_equal(sscanf(facts, "size=%llu align=%llu", &size, &align),
			 2);
	r = find_record(g, name_in_object(name), size, members + strspn(members, " "));
	/* packed with natural offsets looks like a plain record in DWARF */
	if (strcmp(name, "struct nat") != 0 &&
	    lac_type_align(g, r->type, &how) != align)
		fail_msg("%s: %s: align %u, not %llu", label, name,
			 lac_type_align(g, r->type, &how), align);
	for (char *t = strtok(members, " \n"); t; t = strtok(NULL, " \n")) {
		struct want w;

		/* from here on it is where a virtual base happens to be */
		if (strncmp(t, "VB.", 3) == 0)
			break;
		if (!parse_want(t, &w))
			fail_msg("%s: %s: cannot read %s", label, name, t);
		if (!holds(g, r, 0, &w))
			fail_msg("%s: %s: no %s", label, name, t);
	}
}

/* The lines of that tag ("[clang]") instead of those without one. */
static unsigned check_file(const struct lac_graph *g, const char *path,
			   const char *tag, const char *label)
{
	char line[1024], prefix[64], tagged[4096] = "";
	FILE *f = fopen(path, "r");
	unsigned n = 0;

	assert_non_null(f);
	snprintf(prefix, sizeof(prefix), "// EXPECT%s ", tag);
	while (*tag && fgets(line, sizeof(line), f))
		if (!strncmp(line, prefix, strlen(prefix))) {
			char *name = line + strlen(prefix);

			strncat(tagged, name, (size_t)(strstr(name, " |") -
						       name) + 2);
			check_line(g, name, label);
			n++;
		}
	rewind(f);
	while (fgets(line, sizeof(line), f)) {
		char *name = line + 10, key[128];

		if (strncmp(line, "// EXPECT ", 10) || line[10] == '(')
			continue;
		snprintf(key, sizeof(key), "%.*s |",
			 (int)(strstr(name, " |") - name), name);
		if (strstr(tagged, key))
			continue;
		check_line(g, name, label);
		n++;
	}
	fclose(f);
	return n;
}

static void check_case(const char *file, const char *command, const char *tag)
{
	char path[256], line[1024], object[64] = "/tmp/lac-case-XXXXXX";
	struct lac_graph *fast, *bytes, *plain;
	int fd = mkstemp(object);

	assert_true(fd >= 0);
	close(fd);
	snprintf(path, sizeof(path), "fixtures/cases/%s", file);
	snprintf(line, sizeof(line), "%s -w -c -o %s %s 2>/dev/null", command,
		 object, path);
	if (strstr(command, "rustc"))
		snprintf(line, sizeof(line), "%s -o %s %s 2>/dev/null",
			 command, object, path);
	if (system(line) != 0)
		fail_msg("cannot be run: %s", line);
	fast = read_way(object, LAC_WAY_FAST, 1);
	plain = read_way(object, LAC_WAY_PLAIN, 1);
	same_graph(fast, plain);
	bytes = read_way(object, LAC_WAY_BYTES, 1);
	same_graph(bytes, plain);
	lac_graph_destroy(bytes);
	/* those without a tag are asked by tests/oracle/constructs.bats */
	if (tag)
		assert_true(check_file(fast, path, tag, line) > 0);
	lac_graph_destroy(fast);
	lac_graph_destroy(plain);
	unlink(object);
}

static const char *const c_cases[] = {
	"01_bitfield_data_bit_offset.c", "03_unnamed_bitfields.c",
	"05_zero_width_bitfield.c", "07_flex_array_in_tail_padding.c",
	"09_flex_array_after_bitfield.c", "10_forced_alignment.c",
	"11_packed_inference.c", "12_atomic_members.c",
	"14_typedef_anon_struct.c", "16_cv_bitfields.c", "18_huge_offsets.c",
	"19_empty_struct.c", "21_arrays.c", "22_same_name_a.c",
	"23_same_name_b.c", "25_struct_page_like.c", "27_m32_alignment.c",
	"29_incomplete_member_type.c",
};

static bool says_atomic(const char *options, const char *file)
{
	/* DWARF 4 has no word for _Atomic, nor for its alignment */
	return strcmp(file, "12_atomic_members.c") != 0 ||
	       strstr(options, "-5") || !strstr(options, "clang");
}

static void every_c_case(const char *compiler, const char *tag)
{
	static const char *const versions[] = { "-gdwarf-5", "-gdwarf-4",
						"-gdwarf-5 -gdwarf64" };
	char command[128];

	for (size_t v = 0; v < 3; v++)
		for (size_t i = 0; i < sizeof(c_cases) / sizeof(*c_cases);
		     i++) {
			snprintf(command, sizeof(command), "%s %s", compiler,
				 versions[v]);
			if (says_atomic(command, c_cases[i]))
				check_case(c_cases[i], command, tag);
		}
}

/* Those that say nothing themselves: the fast way is the plain one. */
static void both_ways(const char *const *cases, size_t n, const char *compiler)
{
	char command[128];

	for (size_t i = 0; i < n; i++)
		for (int version = 4; version <= 5; version++) {
			snprintf(command, sizeof(command), "%s -gdwarf-%d",
				 compiler, version);
			check_case(cases[i], command, NULL);
		}
}

static void every_way(void **state)
{
	static const char *const c[] = {
		"02_bitfields_of_every_type.c", "08_flexible_embedded.c",
		"13_atomic_padded.c", "15_atomic_arrays.c", "17_wide_types.c",
		"20_anonymous.c", "24_beyond_32_bits.c",
	};
	static const char *const cxx[] = {
		"31_no_unique_address.cpp", "35_member_pointers.cpp",
		"37_scopes.cpp",
	};
	bool clang = system("clang --version >/dev/null 2>&1") == 0;

	(void)state;
	both_ways(c, sizeof(c) / sizeof(*c), "gcc");
	both_ways(cxx, sizeof(cxx) / sizeof(*cxx), "g++ -std=c++20");
	if (!clang)
		SKIP_BECAUSE("no clang");
	both_ways(c, sizeof(c) / sizeof(*c), "clang");
	both_ways(cxx, sizeof(cxx) / sizeof(*cxx), "clang++ -std=c++20");
}

static void c_cases_by_gcc(void **state)
{
	(void)state;
	every_c_case("gcc", "");
	check_case(c_cases[0], "gcc -gdwarf-2 -gstrict-dwarf", "");
	check_case(c_cases[0], "gcc -gdwarf-3 -gstrict-dwarf", "");
	check_case(c_cases[9], "gcc -gdwarf-3 -gstrict-dwarf", "");
}

static void c_cases_by_clang(void **state)
{
	(void)state;
	if (system("clang --version >/dev/null 2>&1") != 0)
		SKIP_BECAUSE("no clang");
	every_c_case("clang", "[clang]");
	check_case(c_cases[0], "clang -gdwarf-2", "[clang]");
}

static void c_case_of_i386(void **state)
{
	(void)state;
	check_case("27_m32_alignment.c", "gcc -m32 -g", "[-m32]");
}

static void cxx_cases(void **state)
{
	static const char *const cases[] = {
		"30_tail_padding_reuse.cpp", "32_virtual_inheritance.cpp",
		"34_static_members.cpp", "36_templates_ns.cpp",
		"38_cxx_bitfield_base.cpp",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		check_case(cases[i], "g++ -std=c++20 -gdwarf-5", "");
		check_case(cases[i], "g++ -std=c++20 -gdwarf-4", "");
	}
}

static void rust_case(void **state)
{
	(void)state;
	if (system("rustc --version >/dev/null 2>&1") != 0)
		SKIP_BECAUSE("no rustc");
	check_case("40_reorder.rs", "rustc -A warnings -g --emit=obj", "");
	check_case("41_variants.rs", "rustc -A warnings -g --emit=obj", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(c_cases_by_gcc),
		cmocka_unit_test(c_cases_by_clang),
		cmocka_unit_test(c_case_of_i386),
		cmocka_unit_test(every_way),
		cmocka_unit_test(cxx_cases),
		cmocka_unit_test(rust_case),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Relocatable objects of other machines, either byte order, 32 and 64 bits:
 * names and places come out of relocated sections, and bit-fields count from
 * the first bit of the record wherever that is.
 */
#include "compiled.h"

static const struct {
	const char *triple;
	unsigned pointer_size; /* bytes */
	bool big_endian, eight_aligned; /* long long, within records */
} targets[] = {
	{ "x86_64-linux-gnu", 8, false, true },
	{ "i386-linux-gnu", 4, false, false },
	{ "aarch64-linux-gnu", 8, false, true },
	{ "aarch64_be-linux-gnu", 8, true, true },
	{ "arm-linux-gnueabihf", 4, false, true },
	{ "armeb-linux-gnueabihf", 4, true, true },
	{ "riscv64-linux-gnu", 8, false, true },
	{ "riscv32-linux-gnu", 4, false, true },
	{ "s390x-linux-gnu", 8, true, true },
	{ "powerpc64le-linux-gnu", 8, false, true },
	{ "powerpc64-linux-gnu", 8, true, true },
	{ "powerpc-linux-gnu", 4, true, true },
	{ "mips-linux-gnu", 4, true, true },
	{ "mipsel-linux-gnu", 4, false, true },
	{ "mips64-linux-gnuabi64", 8, true, true },
	{ "mips64el-linux-gnuabi64", 8, false, true },
};

static const char text[] =
	"struct named_thing { char a; long b; unsigned c : 3, d : 5;\n"
	" unsigned e; long long f; void *p; } v;\n";

static void check(const struct lac_graph *g, size_t i)
{
	const struct lac_record *r = record_named(g, "named_thing");
	uint64_t word = targets[i].pointer_size * 8;
	uint64_t f = 3 * word + (word == 64 ? 0 : 32);
	enum lac_certainty how;

	assert_int_equal(g->target.pointer_size, targets[i].pointer_size);
	assert_int_equal(g->target.big_endian, targets[i].big_endian);
	assert_string_equal(r->name, "named_thing");
	assert_string_equal(g->types[r->members[1].type].name, "long int");
	assert_int_equal(member_named(r, "b")->bit_offset, word);
	assert_int_equal(member_named(r, "c")->bit_offset, 2 * word);
	assert_int_equal(member_named(r, "d")->bit_offset, 2 * word + 3);
	assert_int_equal(member_named(r, "e")->bit_offset, 2 * word + 32);
	assert_int_equal(member_named(r, "f")->bit_offset, f);
	assert_int_equal(member_named(r, "p")->bit_size, word);
	assert_int_equal(lac_type_align(g, r->type, &how),
			 targets[i].eight_aligned ? 8 : 4);
	assert_int_equal(r->decl_line, 1);
	assert_non_null(r->decl_file);
}

static void every_target(void **state)
{
	/* compressed: relocated when it has been inflated */
	static const char *const ways[] = { "-gdwarf-2", "-gdwarf-4",
					    "-gdwarf-5",
					    "-gdwarf-4 -gz=zlib",
					    "-gdwarf-5 -gz=zlib" };
	char command[128];

	(void)state;
	if (system("clang --version >/dev/null 2>&1") != 0)
		SKIP_BECAUSE("no clang");
	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++)
		for (size_t k = 0; k < sizeof(ways) / sizeof(*ways); k++) {
			struct lac_graph *g;

			snprintf(command, sizeof(command),
				 "clang --target=%s %s", targets[i].triple,
				 ways[k]);
			g = graph_of(command, text);
			check(g, i);
			lac_graph_destroy(g);
		}
}

/* A packed field that leaves its storage unit: DWARF 2 says -4. */
static void straddling_fields(void **state)
{
	static const char packed[] =
		"struct s { unsigned a : 30; unsigned b : 30; unsigned c : 4;\n"
		"} __attribute__((packed)) v;\n";
	static const char *const commands[] = {
		"gcc -gdwarf-2 -gstrict-dwarf", "gcc -gdwarf-4", "gcc -g",
		"clang -gdwarf-2", "clang -g",
		"clang -gdwarf-2 --target=mips-linux-gnu",
		"clang -g --target=s390x-linux-gnu",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		struct lac_graph *g = graph_of(commands[i], packed);
		const struct lac_record *r = record_named(g, "struct s");

		assert_int_equal(r->size, 8);
		assert_int_equal(member_named(r, "a")->bit_offset, 0);
		assert_int_equal(member_named(r, "b")->bit_offset, 30);
		assert_int_equal(member_named(r, "c")->bit_offset, 60);
		lac_graph_destroy(g);
	}
}

/* A field as wide as its type: clang tells only the byte that it starts in. */
static void wide_fields(void **state)
{
	static const char packed[] =
		"struct s { unsigned a : 5; int c : 32; char d : 3;\n"
		" long long e : 60; unsigned short f : 16; char t;\n"
		"} __attribute__((packed)) v;\n";
	static const unsigned at[] = { 0, 5, 37, 40, 100, 120 };
	char command[128];

	(void)state;
	if (system("clang --version >/dev/null 2>&1") != 0)
		SKIP_BECAUSE("no clang");
	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		struct lac_graph *g;
		const struct lac_record *r;

		snprintf(command, sizeof(command), "clang --target=%s -g",
			 targets[i].triple);
		g = graph_of(command, packed);
		r = record_named(g, "struct s");
		for (uint32_t k = 0; k < r->nmembers; k++)
			assert_int_equal(r->members[k].bit_offset, at[k]);
		assert_int_equal(member_named(r, "c")->role,
				 LAC_MEMBER_BITFIELD);
		assert_int_equal(member_named(r, "c")->certainty,
				 LAC_INFERRED);
		assert_int_equal(member_named(r, "d")->certainty, LAC_KNOWN);
		lac_graph_destroy(g);
	}
}

/*
 * clang rounds an _Atomic up to what the machine can swap.  The lengths of
 * arrays are the compiler's own word for it.
 */
static void atomic_sizes(void **state)
{
	static const unsigned sizes[] = { 1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 24 };
	char command[128], name[16], *source = NULL;
	size_t length = 0;
	FILE *f = open_memstream(&source, &length);

	(void)state;
	if (system("clang --version >/dev/null 2>&1") != 0)
		SKIP_BECAUSE("no clang");
	assert_non_null(f);
	for (size_t k = 0; k < sizeof(sizes) / sizeof(*sizes); k++)
		fprintf(f, "typedef struct { char c[%u]; } t%u;\n"
			"struct got%u { _Atomic(t%u) v[3]; } g%u;\n"
			"struct told%u { char v[sizeof(g%u.v)]; } o%u;\n",
			sizes[k], sizes[k], sizes[k], sizes[k], sizes[k],
			sizes[k], sizes[k], sizes[k]);
	assert_int_equal(fclose(f), 0);
	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		struct lac_graph *g;

		snprintf(command, sizeof(command),
			 "clang --target=%s -gdwarf-5", targets[i].triple);
		g = graph_of(command, source);
		for (size_t k = 0; k < sizeof(sizes) / sizeof(*sizes); k++) {
			const struct lac_record *told;

			snprintf(name, sizeof(name), "told%u", sizes[k]);
			told = record_named(g, name);
			snprintf(name, sizeof(name), "got%u", sizes[k]);
			assert_int_equal(
				record_named(g, name)->members[0].bit_size,
				told->members[0].bit_size);
		}
		lac_graph_destroy(g);
	}
	free(source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wide_fields),
		cmocka_unit_test(atomic_sizes),
		cmocka_unit_test(every_target),
		cmocka_unit_test(straddling_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

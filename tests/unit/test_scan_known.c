/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Units that include the same headers, each its own part of them: what a scan
 * knows again by its bytes comes out as if every entry had been expanded.  The
 * plain way, through libdwarf alone, is the oracle.
 */
#include <unistd.h>

#include "same_graph.h"

#define TYPES 40
#define UNITS 24 /* enough for three threads */

struct made {
	uint64_t seed;
	uint64_t needs[TYPES]; /* bits: by value, itself included */
};

static unsigned below(struct made *m, unsigned n)
{
	m->seed = m->seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((m->seed >> 33) % n);
}

static void put_member(FILE *f, struct made *m, unsigned i, unsigned number)
{
	unsigned other = i ? below(m, i) : 0;

	switch (below(m, 8)) {
	case 0:
		fprintf(f, "	int m%u : %u;\n", number, 1 + below(m, 31));
		return;
	case 1: /* itself, one that comes later, one that never comes */
		fprintf(f, "	struct s%u *m%u;\n", below(m, TYPES + 4),
			number);
		return;
	case 2:
		fprintf(f, "	char m%u[%u];\n", number, 1 + below(m, 600));
		return;
	case 3:
		fprintf(f, "	int (*m%u)(struct s%u *, const char *, long);\n",
			number, below(m, TYPES));
		return;
	case 4:
		fprintf(f, "	union { long a%u; const void *b%u; };\n",
			number, number);
		return;
	default:
		break;
	}
	if (!i) {
		fprintf(f, "	volatile long m%u;\n", number);
		return;
	}
	fprintf(f, "	%s%u %sm%u%s;\n", below(m, 2) ? "struct s" : "t",
		other, below(m, 4) ? "" : "*", number,
		below(m, 4) ? "" : "[3]");
	m->needs[i] |= m->needs[other];
}

/* struct s0, t0, enum e0, ...: each where a unit asks for it. */
static void put_header(FILE *f, struct made *m)
{
	for (unsigned i = 0; i < TYPES; i++) {
		unsigned members = 1 + below(m, 12);

		m->needs[i] = (uint64_t)1 << i;
		fprintf(f, "#ifdef USE%u\n", i);
		fprintf(f, "enum e%u { E%u_A, E%u_B = %u };\n", i, i, i,
			below(m, 1000));
		fprintf(f, "struct s%u {\n", i);
		for (unsigned k = 0; k < members; k++)
			put_member(f, m, i, k);
		/* the same name: one member less, or of the same place */
		fprintf(f, "#ifdef OTHER%u\n	unsigned other;\n"
			   "	int at : 3, end : 29;\n#else\n"
			   "	unsigned one;\n	int at : 2, end : 30;\n"
			   "#endif\n#ifdef MORE%u\n	enum e%u more;\n"
			   "#endif\n};\n", i, i, i);
		if (below(m, 3))
			fprintf(f, "typedef struct s%u t%u;\n#endif\n", i, i);
		else
			fprintf(f, "typedef struct { union { struct { int a; } "
				   "k; char own; } u; } t%u;\n#endif\n",
				i);
	}
}

static void put_unit(FILE *f, struct made *m, unsigned number)
{
	uint64_t used = 0;
	unsigned bound;

	for (unsigned n = number % 3 ? 1 + below(m, 8) : 0; n; n--)
		used |= m->needs[below(m, TYPES)];
	if (!below(m, 4)) /* a type with a different size in this unit */
		fprintf(f, "#define MORE%u\n", below(m, TYPES));
	for (unsigned n = below(m, 6); n; n--)
		fprintf(f, "#define OTHER%u\n", below(m, TYPES));
	for (unsigned i = 0; i < TYPES; i++)
		if (used >> i & 1)
			fprintf(f, "#define USE%u\n", i);
	/* other abbreviations, so that codes and files have other numbers */
	for (unsigned n = below(m, 5); n; n--)
		fprintf(f, "struct own%u_%u { %s m; } own%u_%u;\n", number, n,
			n & 1 ? "long double" : "_Bool", number, n);
	/* all of one bound: it may go into the abbreviation */
	bound = 2 + below(m, 4);
	fprintf(f, "struct many%u { char c[%u]; short s[%u]; int i[%u]; "
		   "long l[%u]; void *p[%u]; float f[%u]; } many%u;\n",
		bound, bound, bound, bound, bound, bound, bound, number);
	fprintf(f, "#include \"all.h\"\n");
	for (unsigned i = 0; i < TYPES; i++)
		if (used >> i & 1)
			fprintf(f, "static struct s%u v%u; static t%u *w%u;\n"
				   "void *p%u_%u(int x)\n{\n"
				   "	struct in { enum e%u x; } l = { x };\n"
				   "	return l.x ? (void *)&w%u : &v%u;\n}\n",
				i, i, i, i, number, i, i, i, i);
}

static FILE *create(const char *dir, const char *name)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	assert_non_null(f);
	return f;
}

static __attribute__((format(printf, 1, 2))) void run(const char *fmt, ...)
{
	char line[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (system(line) != 0)
		fail_msg("cannot be run: %s", line);
}

/* Every third unit is compiled by the other one. */
static void as_expanded(uint64_t seed, const char *compiler, const char *other)
{
	char dir[] = "/tmp/lac-known-XXXXXX", name[64], object[64];
	struct made m = { .seed = seed };
	struct lac_graph *plain, *fast;
	FILE *f;

	assert_non_null(mkdtemp(dir));
	f = create(dir, "all.h");
	put_header(f, &m);
	assert_int_equal(fclose(f), 0);
	for (unsigned i = 0; i < UNITS; i++) {
		snprintf(name, sizeof(name), "u%u.c", i);
		f = create(dir, name);
		put_unit(f, &m, i);
		assert_int_equal(fclose(f), 0);
	}
	run("cd %s && %s -w -c u*[02-9].c && %s -w -c u*1.c && "
	    "ld -r -o all.o u*.o", dir, compiler, other ? other : compiler);
	snprintf(object, sizeof(object), "%s/all.o", dir);
	plain = read_way(object, LAC_WAY_PLAIN, 1);
	assert_true(plain->nrecords > 8 && plain->nunits == UNITS);
	for (unsigned threads = 1; threads <= 3; threads++) {
		fast = read_way(object, LAC_WAY_FAST, threads);
		same_graph(fast, plain);
		lac_graph_destroy(fast);
	}
	fast = read_way(object, LAC_WAY_BYTES, 1);
	same_graph(fast, plain);
	lac_graph_destroy(fast);
	lac_graph_destroy(plain);
	run("rm -r %s", dir);
}

static void by_gcc(void **state)
{
	(void)state;
	as_expanded(1, "gcc -gdwarf-5", NULL);
	as_expanded(2, "gcc -gdwarf-5 -O2", NULL);
	as_expanded(3, "gcc -gdwarf-4", NULL);
	as_expanded(4, "gcc -gdwarf-3 -gstrict-dwarf", NULL);
	as_expanded(5, "gcc -gdwarf-5 -gdwarf64", NULL);
}

/* What a type is hangs on more than its bytes. */
static void mixed(void **state)
{
	(void)state;
	as_expanded(8, "gcc -gdwarf-5", "gcc -gdwarf-4");
	as_expanded(9, "gcc -gdwarf-4", "gcc -gdwarf-2 -gstrict-dwarf");
	as_expanded(10, "gcc -gdwarf-5", "gcc -gdwarf-5 -gdwarf64");
}

/* Units of the same entries, with addresses of 8 and of 4 bytes. */
static const char two_sizes[] =
	".section .debug_abbrev,\"\",@progbits\n"
	".byte 1,0x11,1,0,0\n"			    /* a unit */
	".byte 2,0x13,1,3,8,0xb,0xb,0,0\n"	    /* a struct */
	".byte 3,0xd,0,3,8,0x49,0x13,0x38,0xb,0,0\n" /* a member */
	".byte 4,0xf,0,0,0\n"			    /* a pointer */
	".byte 5,0x24,0,3,8,0xb,0xb,0x3e,0xb,0,0\n" /* a base type */
	".byte 0\n"
	".macro unit size\n"
	"9: .long 8f-7f\n7: .short 4\n.long 0\n.byte \\size\n.byte 1\n"
	".byte 2\n.asciz \"s\"\n.byte 8\n"
	".byte 3\n.asciz \"p\"\n.long 6f-9b\n.byte 0\n.byte 0\n"
	"6: .byte 4\n"
	".byte 5\n.asciz \"long long int\"\n.byte 8,5\n.byte 0\n8:\n.endm\n"
	".section .debug_info,\"\",@progbits\nunit 8\nunit 4\nunit 8\n";

static void other_addresses(void **state)
{
	struct lac_graph *plain, *fast;
	struct compiled c;

	(void)state;
	compile_text(&c, "gcc", ".s", two_sizes);
	plain = read_way(c.path, LAC_WAY_PLAIN, 1);
	fast = read_way(c.path, LAC_WAY_FAST, 1);
	assert_int_equal(plain->nrecords, 2);
	same_graph(fast, plain);
	lac_graph_destroy(plain);
	lac_graph_destroy(fast);
	remove_compiled(&c);
}

static void by_clang(void **state)
{
	(void)state;
	if (system("clang --version >/dev/null 2>&1") != 0)
		SKIP_BECAUSE("no clang");
	as_expanded(6, "clang -gdwarf-5", NULL);
	as_expanded(7, "clang -gdwarf-4 -fstandalone-debug", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_gcc),
		cmocka_unit_test(by_clang),
		cmocka_unit_test(mixed),
		cmocka_unit_test(other_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

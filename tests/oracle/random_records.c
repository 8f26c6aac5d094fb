/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * random_records.c - a C program with random records that prints how its
 * compiler aligned each: "name alignment size".
 *
 * usage: random_records SEED COUNT
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"

static struct lac_rng rng;

static unsigned pick(unsigned n)
{
	return (unsigned)lac_rng_below(&rng, n);
}

static unsigned attribute_bytes(void)
{
	return 1u << pick(7);
}

static const struct {
	const char *name;
	unsigned bits;
} integers[] = {
	{ "char", 8 },	       { "short", 16 }, { "int", 32 },
	{ "unsigned int", 32 }, { "long", 64 },	 { "_Bool", 1 },
};

static const char *const others[] = { "void *", "double", "float", "__int128",
				      "long double" };

/* A member that is no bit-field, perhaps with an attribute. */
static void plain(unsigned record, unsigned i)
{
	unsigned kind = pick(10);

	if (kind < 5)
		printf("%s m%u", integers[pick(6)].name, i);
	else if (kind < 7 || !record)
		printf("%s m%u", others[pick(5)], i);
	else
		printf("struct r%u m%u", pick(record), i);
	if (!pick(5))
		printf("[%u]", 1 + pick(3));
	if (!pick(6))
		printf(" __attribute__((aligned(%u)))", attribute_bytes());
	else if (!pick(12))
		printf(" __attribute__((packed))");
	printf("; ");
}

/* Only behind bit-fields is ":0" common, and only there it is looked for. */
static void bitfield(unsigned i)
{
	unsigned t = pick(6);

	printf("%s m%u : %u; ", integers[t].name, i,
	       1 + pick(integers[t].bits));
	if (!pick(4))
		printf("int : 0; ");
}

static void record(unsigned id)
{
	unsigned n = 1 + pick(6), packed = !pick(3);

	printf("struct ");
	if (packed)
		printf("__attribute__((packed)) ");
	if (!pick(3))
		printf("__attribute__((aligned(%u))) ", attribute_bytes());
	printf("r%u { ", id);
	for (unsigned i = 0; i < n; i++)
		if (pick(4))
			plain(id, i);
		else
			bitfield(i);
	printf("};\nstruct r%u v%u;\n", id, id);
}

int main(int argc, char **argv)
{
	unsigned n;

	if (argc != 3)
		return 2;
	rng.state = strtoull(argv[1], NULL, 10);
	n = (unsigned)strtoul(argv[2], NULL, 10);
	printf("int printf(const char *, ...);\n");
	for (unsigned i = 0; i < n; i++)
		record(i);
	printf("int main(void)\n{\n");
	for (unsigned i = 0; i < n; i++)
		printf("\tprintf(\"r%u %%zu %%zu\\n\", _Alignof(struct r%u), "
		       "sizeof(struct r%u));\n",
		       i, i, i);
	printf("\treturn 0;\n}\n");
	return 0;
}

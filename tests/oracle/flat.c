/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flat.c - does what lacuna says about a type agree with the compiler?
 *
 *   flat EXPECTATION < JSON of `lacuna show`
 *
 * EXPECTATION is the text behind EXPECT in a layout case, which the compiler
 * itself has printed: see fixtures/cases/README.md.  One of the records in the
 * JSON has to say the same once it is flattened: anonymous members and bases
 * opened.  Ends with 1 and the differences otherwise.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 512 };

struct range {
	uint64_t from, to; /* bits */
};

struct flat {
	char members[MAX][128]; /* "a@0+4", "b@bit32:3" */
	int nmembers;
	struct range ranges[MAX];
	int nranges;
	char gaps[4096];
	uint64_t gap_bits, tail_bits;
};

static uint64_t number(const json_t *o, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(o, key));
}

static const char *text(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? s : "";
}

static void cover(struct flat *f, uint64_t from, uint64_t to)
{
	if (to > from && f->nranges < MAX)
		f->ranges[f->nranges++] = (struct range){ from, to };
}

static void flatten(struct flat *f, const json_t *record, uint64_t base)
{
	const json_t *m;
	size_t i;

	json_array_foreach(json_object_get(record, "members"), i, m)
	{
		uint64_t at = base + number(m, "bit_offset");
		uint64_t size = number(m, "bit_size");
		const json_t *inner = json_object_get(m, "record");
		const char *name = text(m, "name");
		char *out = f->members[f->nmembers];

		if (inner && (!*name || !strcmp(text(m, "role"), "base"))) {
			flatten(f, inner, at);
			continue;
		}
		if (f->nmembers == MAX - 1)
			return;
		if (!strcmp(text(m, "role"), "bit-field"))
			snprintf(out, 128, "%s@bit%" PRIu64 ":%" PRIu64, name,
				 at, size);
		else
			snprintf(out, 128, "%s%s@%" PRIu64 "+%" PRIu64, name,
				 size ? "" : "[]", at / 8, size / 8);
		f->nmembers++;
		cover(f, at, at + size);
	}
}

static int by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/* What nothing covers, as the oracle writes it. */
static void find_gaps(struct flat *f, uint64_t size_bits)
{
	uint64_t at = 0;
	size_t n = 0;

	qsort(f->ranges, (size_t)f->nranges, sizeof(f->ranges[0]), by_start);
	for (int i = 0; i < f->nranges; i++) {
		const struct range *r = &f->ranges[i];

		if (r->from > at) {
			n += (size_t)snprintf(f->gaps + n, sizeof(f->gaps) - n,
					      "%s%" PRIu64 "..%" PRIu64,
					      n ? "," : "", at, r->from);
			f->gap_bits += r->from - at;
		}
		at = r->to > at ? r->to : at;
	}
	f->tail_bits = size_bits - at;
}

static int check(const char *what, uint64_t ours, uint64_t theirs)
{
	if (ours == theirs)
		return 0;
	printf("%s: lacuna %" PRIu64 ", compiler %" PRIu64 "\n", what, ours,
	       theirs);
	return 1;
}

/* "a@bit32:8" as "a@4+1": clang's DWARF has no bit-field of whole bytes. */
static void as_plain(const char *m, char plain[128])
{
	unsigned long long at, size;
	const char *bit = strstr(m, "@bit");

	snprintf(plain, 128, "%s", m);
	if (bit && sscanf(bit, "@bit%llu:%llu", &at, &size) == 2 &&
	    at % 8 == 0 && size % 8 == 0)
		snprintf(plain, 128, "%.*s@%llu+%llu", (int)(bit - m), m,
			 at / 8, size / 8);
}

/*
 * Every member that the compiler was asked about.  It was not asked about every
 * one: what else there is lies over these, or the gaps would differ.
 */
static int check_members(const struct flat *f, const char *list)
{
	char copy[16384], *save = NULL;
	int bad = 0;

	snprintf(copy, sizeof(copy), "%s", list);
	for (char *m = strtok_r(copy, " \n", &save); m;
	     m = strtok_r(NULL, " \n", &save)) {
		char plain[128];
		int i = 0;

		as_plain(m, plain);
		while (i < f->nmembers && strcmp(f->members[i], m) != 0 &&
		       strcmp(f->members[i], plain) != 0)
			i++;
		if (i == f->nmembers) {
			printf("member %s: lacuna does not have it\n", m);
			bad++;
		}
	}
	return bad;
}

/* The alignment: only where lacuna claims to know it. */
static int check_align(const json_t *record, uint64_t theirs)
{
	const char *source = text(record, "align_source");

	if (!strcmp(source, "inferred") || !strcmp(source, "unknown"))
		return 0;
	return check("align", number(record, "align"), theirs);
}

static int compare(const json_t *record, const char *expectation)
{
	static struct flat f;
	const char *at = strchr(expectation, '|');
	unsigned long long size, align, lines, gap_bits, tail_bits;
	char gaps[4096];
	int bad;

	memset(&f, 0, sizeof(f));
	if (!at ||
	    sscanf(at, "| size=%llu align=%llu lines64=%llu gaps=[%4000[^]]",
		   &size, &align, &lines, gaps) < 3) {
		puts("an expectation that makes no sense");
		return 1;
	}
	if (strstr(at, "gaps=[]"))
		gaps[0] = '\0';
	at = strstr(at, "gapbits=");
	if (!at ||
	    sscanf(at, "gapbits=%llu tailbits=%llu", &gap_bits, &tail_bits) < 2)
		return 1;
	flatten(&f, record, 0);
	find_gaps(&f, number(record, "size") * 8);
	bad = check("size", number(record, "size"), size);
	bad += check_align(record, align);
	bad += check("lines", number(record, "lines"), lines);
	bad += check("bits in gaps", f.gap_bits, gap_bits);
	bad += check("bits at the end", f.tail_bits, tail_bits);
	if (strcmp(f.gaps, gaps) != 0) {
		printf("gaps: lacuna %s, compiler %s\n", f.gaps, gaps);
		bad++;
	}
	return bad + check_members(&f, strchr(at, '|') + 1);
}

int main(int argc, char **argv)
{
	json_error_t error;
	json_t *doc = json_loadf(stdin, 0, &error);
	const json_t *records = json_object_get(doc, "records"), *record;
	size_t i;
	int best = -1;

	if (argc != 2 || !json_array_size(records)) {
		puts("no record, or no expectation");
		return 2;
	}
	json_array_foreach(records, i, record)
	{
		int bad = compare(record, argv[1]);

		if (best < 0 || bad < best)
			best = bad;
	}
	json_decref(doc);
	return best != 0;
}

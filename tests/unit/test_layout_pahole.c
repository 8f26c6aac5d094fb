/* SPDX-License-Identifier: BSD-2-Clause */
/* What pahole prints, read back: every shape of line, and odd text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "layout/pahole.h"

#include "handmade.h"

static const char text[] =
	"struct s {\n"
	"\tconst char  *              name;                 /*     0     8 */\n"
	"\tint                        (*fn)(int, char *);   /*     8     8 */\n"
	"\tvoid *                     slots[2][3];          /*    16    48 */\n"
	"\t/* --- cacheline 1 boundary (64 bytes) --- */\n"
	"\tunion {\n"
	"\t\tint                a;                    /*    64     4 */\n"
	"\t\tstruct {\n"
	"\t\t\tshort int  b;                    /*    64     2 */\n"
	"\n\t\t\t/* XXX 2 bytes hole, try to pack */\n\n"
	"\t\t} __attribute__((__packed__)) in __attribute__((__aligned__(4)));"
	"   /*    64     4 */\n"
	"\t};                                               /*    64     4 */\n"
	"\tunsigned int               bit:3;                /*    68: 2  4 */\n"
	"\n\t/* Force alignment to the next boundary: */\n"
	"\tunsigned int               :0;\n\n"
	"\tenum {\n\t\tRED = 0,\n\t\tBLUE = 1,\n\t} colour:8;"
	"                /*    72: 0  4 */\n"
	"\n\t/* XXX 3 bytes hole, try to pack */\n\n"
	"\tstruct {\n\t\tint x; /* 0 4 */\n\t} * there;   /*    76     8 */\n"
	"\n\t/* size: 88, cachelines: 2, members: 8 */\n"
	"\t/* sum members: 80, holes: 1, sum holes: 3 */\n"
	"\t/* sum bitfield members: 3 bits, bit holes: 2, sum bit holes: 29 "
	"bits "
	"*/\n"
	"\t/* padding: 4 */\n\t/* bit_padding: 5 bits */\n"
	"} __attribute__((__aligned__(8)));\n"
	"typedef struct {\n\tint x; /*     0     4 */\n\n"
	"\t/* size: 4, cachelines: 1, members: 1 */\n} point;\n"
	"struct Derived : Base, virtual Other {\n"
	"\t/* struct Base                <ancestor>; */     /*     0    16 */\n"
	"\tvoid Derived(class Derived *);\n\npublic:\n"
	"\tint                        mine;                 /*    12     4 */\n"
	"\tstatic int                 count;                /*     0     0 */\n"
	"\n\t/* size: 16, cachelines: 1, members: 2 */\n};\n";

static const struct lac_pahole_member *find(const struct lac_pahole_record *r,
					    const char *name)
{
	for (uint32_t i = 0; i < r->nmembers; i++)
		if (!strcmp(r->members[i].name, name))
			return &r->members[i];
	fail_msg("no member '%s' in %s", name, r->name);
	return NULL;
}

static void check(const struct lac_pahole_record *r, const char *name,
		  uint64_t bit_offset, uint64_t bit_size)
{
	const struct lac_pahole_member *m = find(r, name);

	assert_int_equal(m->bit_offset, bit_offset);
	assert_int_equal(m->bit_size, bit_size);
}

static void test_every_shape(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct lac_pahole_text t;
	const struct lac_pahole_record *r;
	struct lac_err err;

	(void)state;
	assert_int_equal(lac_pahole_parse(text, arena, &t, &err), LAC_OK);
	assert_int_equal(t.nrecords, 3);
	r = &t.records[0];
	assert_null(r->unread);
	assert_string_equal(r->kind, "struct");
	assert_string_equal(r->name, "s");
	assert_int_equal(r->size, 88);
	assert_int_equal(r->nmembers, 10);
	check(r, "name", 0, 64);
	check(r, "fn", 64, 64);
	check(r, "slots", 128, 384);
	check(r, "a", 512, 32);
	check(r, "b", 512, 16);
	check(r, "in", 512, 32);
	check(r, "", 512, 32);
	check(r, "bit", 68 * 8 + 2, 3);
	check(r, "colour", 72 * 8, 8);
	check(r, "there", 76 * 8, 64);
	assert_int_equal(r->hole_bits, 3 * 8 + 29);
	assert_int_equal(r->padding_bits, 4 * 8 + 5);
	assert_string_equal(t.records[1].name, "point");
	r = &t.records[2];
	assert_string_equal(r->name, "Derived");
	assert_null(r->unread);
	assert_int_equal(r->nmembers, 2);
	check(r, "", 0, 128);
	check(r, "mine", 96, 32);
}

/* Any text gives an answer, and a line that is lost is never just skipped. */
static void test_mangled(void **state)
{
	struct lac_rng rng = { 23 };

	(void)state;
	for (int i = 0; i < 4000; i++) {
		LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
		char copy[sizeof(text)];
		struct lac_pahole_text t;
		struct lac_err err;

		memcpy(copy, text, sizeof(text));
		for (uint64_t n = 1 + lac_rng_below(&rng, 6); n; n--)
			copy[lac_rng_below(&rng, sizeof(text) - 1)] =
				"{};/*: \n\t9_"[lac_rng_below(&rng, 11)];
		if (lac_rng_below(&rng, 3) == 0)
			copy[lac_rng_below(&rng, sizeof(text))] = '\0';
		(void)!lac_pahole_parse(copy, arena, &t, &err);
	}
}

/* Our own record against itself, and with one thing changed. */
static void test_compare(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct handmade *h = hm_create();
	struct lac_pahole_record ours, theirs;
	struct lac_pahole_difference *list;
	struct lac_layout l;
	struct lac_err err;
	uint32_t n;

	(void)state;
	hm_record(h, LAC_STRUCT, "s", 24);
	hm_member(h, "a", HM_LONG, 0);
	hm_member(h, "b", HM_INT, 8);
	hm_field(h, "c", HM_INT, 96, 3);
	assert_int_equal(
		lac_layout_compute(hm_finish(h), 0, NULL, arena, &l, &err),
		LAC_OK);
	assert_int_equal(lac_pahole_flatten(&l, arena, &ours, &err), LAC_OK);
	assert_int_equal(
		lac_pahole_compare(&ours, &ours, arena, &list, &n, &err),
		LAC_OK);
	assert_int_equal(n, 0);
	for (uint32_t i = 0; i < ours.nmembers; i++) {
		assert_int_equal(lac_pahole_flatten(&l, arena, &theirs, &err),
				 LAC_OK);
		theirs.members[i].bit_size++;
		assert_int_equal(lac_pahole_compare(&ours, &theirs, arena,
						    &list, &n, &err),
				 LAC_OK);
		assert_int_equal(n, 1);
		assert_string_equal(list[0].member, ours.members[i].name);
		assert_null(lac_pahole_defect(&ours, &theirs, &list[0]));
	}
	theirs = ours;
	theirs.size = 32;
	theirs.padding_bits += 64;
	assert_int_equal(
		lac_pahole_compare(&ours, &theirs, arena, &list, &n, &err),
		LAC_OK);
	assert_int_equal(n, 2);
	hm_destroy(h);
}

/* An _Atomic member without bytes is proved by the bytes that turn up free. */
static void test_atomic(void **state)
{
	struct lac_pahole_member ours_m[] = {
		{ .name = "a", .bit_offset = 0, .bit_size = 64 },
		{ .name = "b", .bit_offset = 64, .bit_size = 8 },
	};
	struct lac_pahole_member theirs_m[] = { ours_m[0], ours_m[1] };
	struct lac_pahole_record ours = {
		.has_size = true,
		.size = 16,
		.padding_bits = 56,
		.nmembers = 2,
		.members = ours_m,
	};
	struct lac_pahole_record theirs = ours;
	struct lac_pahole_difference padding = { .what = "padding",
						 .ours = "56",
						 .theirs = "64" };

	(void)state;
	theirs.members = theirs_m;
	theirs_m[1].bit_size = 0;
	theirs.padding_bits = 64;
	assert_non_null(lac_pahole_defect(&ours, &theirs, &padding));
	theirs.padding_bits = 72;
	assert_null(lac_pahole_defect(&ours, &theirs, &padding));
	theirs.padding_bits = 64;
	theirs_m[1].bit_size = 8;
	assert_null(lac_pahole_defect(&ours, &theirs, &padding));
}

/* A defect of pahole is one only with the proof. */
static void test_defects(void **state)
{
	struct lac_pahole_record ours = { .has_size = true, .size = 200000 };
	struct lac_pahole_record theirs = ours;
	struct lac_pahole_difference holes = { .what = "holes",
					       .ours = "",
					       .theirs = "" };

	(void)state;
	ours.hole_bits = 131071 * 8;
	theirs.hole_bits = 65535 * 8;
	assert_non_null(lac_pahole_defect(&ours, &theirs, &holes));
	theirs.hole_bits = 65534 * 8;
	assert_null(lac_pahole_defect(&ours, &theirs, &holes));
	theirs.hole_bits = 400000 * 8;
	assert_non_null(lac_pahole_defect(&ours, &theirs, &holes));
	ours.size = 5ull << 30;
	theirs.size = 1ull << 30;
	theirs.hole_bits = 0;
	assert_non_null(lac_pahole_defect(&ours, &theirs, &holes));
	theirs.size++;
	ours.hole_bits = 8;
	assert_null(lac_pahole_defect(&ours, &theirs, &holes));
	theirs.unread = "\t<ERROR(__class__fprintf:1609): 0 not found!>";
	assert_non_null(lac_pahole_defect(&ours, &theirs, &holes));
}

/* Each of them only while everything that proves it is there. */
static void test_defects_of_members(void **state)
{
	struct lac_pahole_member mine = { "m", 64, 32, .record = true };
	struct lac_pahole_member its = { "m", 96, 32, .bitfield = true };
	struct lac_pahole_record ours = { .nmembers = 1, .members = &mine };
	struct lac_pahole_record theirs = { .nmembers = 1, .members = &its };
	struct lac_pahole_difference d = { "member", "m", "a", "b", 64, 32 };
	struct lac_pahole_difference holes = { "holes", NULL, "a", "b", 0, 0 };

	(void)state;
	assert_non_null(lac_pahole_defect(&ours, &theirs, &d));
	mine.record = false;
	assert_null(lac_pahole_defect(&ours, &theirs, &d));
	its = (struct lac_pahole_member){ "m", 64, 8, .typeless = true };
	theirs.hole_bits = 24;
	assert_non_null(lac_pahole_defect(&ours, &theirs, &d));
	assert_non_null(lac_pahole_defect(&ours, &theirs, &holes));
	theirs.hole_bits = 25;
	assert_null(lac_pahole_defect(&ours, &theirs, &holes));
	its.typeless = false;
	assert_null(lac_pahole_defect(&ours, &theirs, &d));
	ours.hole_bits = 40;
	theirs.shown_hole_bits = 40;
	assert_non_null(lac_pahole_defect(&ours, &theirs, &holes));
	theirs.shown_hole_bits = 32;
	assert_null(lac_pahole_defect(&ours, &theirs, &holes));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_shape),
		cmocka_unit_test(test_mangled),
		cmocka_unit_test(test_compare),
		cmocka_unit_test(test_atomic),
		cmocka_unit_test(test_defects),
		cmocka_unit_test(test_defects_of_members),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * struct page by era, as 64-bit kernels have it: sizes under both rules, the
 * pair, what the alignment costs.  The layouts are those of the versions named.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "layout/relayout.h"
#include "page/page.h"

#include "handmade.h"

#define TIB (1ull << 40)

/* Fields of whole bytes, one behind the other or at a given place. */
struct spec {
	const char *name;
	lac_type_id type;
	uint64_t at;
};

static lac_record_id make(struct handmade *h, const char *name, uint64_t size,
			  const struct spec *s, size_t n)
{
	lac_record_id id = hm_record(h, LAC_STRUCT, name, size);

	for (size_t i = 0; i < n; i++)
		hm_member(h, s[i].name, s[i].type, s[i].at);
	return id;
}

#define MAKE(h, name, size, spec)                                              \
	make(h, name, size, spec, sizeof(spec) / sizeof((spec)[0]))

static const struct spec v3_13[] = {
	{ "flags", HM_LONG, 0 },	  { "mapping", HM_POINTER, 8 },
	{ "freelist", HM_POINTER, 16 },	  { "counters", HM_LONG, 24 },
	{ "lru_next", HM_POINTER, 32 },	  { "_count", HM_LONG, 40 },
	{ "slab_cache", HM_POINTER, 48 },
};

static const struct spec v5_10[] = {
	{ "flags", HM_LONG, 0 },	{ "compound_head", HM_LONG, 8 },
	{ "lru_prev", HM_POINTER, 16 }, { "slab_cache", HM_POINTER, 24 },
	{ "freelist", HM_POINTER, 32 }, { "counters", HM_LONG, 40 },
	{ "_mapcount", HM_INT, 48 },	{ "_refcount", HM_INT, 52 },
	{ "memcg_data", HM_LONG, 56 }, /* left out below unless asked for */
};

static const struct spec page_v6_12[] = {
	{ "flags", HM_LONG, 0 },     { "compound_head", HM_LONG, 8 },
	{ "lru_prev", HM_LONG, 16 }, { "mapping", HM_LONG, 24 },
	{ "index", HM_LONG, 32 },    { "private", HM_LONG, 40 },
	{ "_mapcount", HM_INT, 48 }, { "_refcount", HM_INT, 52 },
};

static const struct spec slab_v6_12[] = {
	{ "__page_flags", HM_LONG, 0 }, { "slab_cache", HM_POINTER, 8 },
	{ "next", HM_POINTER, 16 },	{ "slabs", HM_INT, 24 },
	{ "freelist", HM_POINTER, 32 }, { "counters", HM_LONG, 40 },
	{ "__page_type", HM_INT, 48 },	{ "__page_refcount", HM_INT, 52 },
};

static struct lac_page_build analyse(struct handmade *h,
				     struct lac_arena *arena)
{
	struct lac_page_build b;
	struct lac_err err;

	if (lac_page_analyse(hm_finish(h), arena, &b, &err) != LAC_OK)
		fail_msg("%s", err.msg);
	return b;
}

static void check_sides(const struct lac_page_build *b, uint64_t aligned,
			uint64_t packed)
{
	assert_true(b->sides[LAC_PAGE_ALIGNED].known);
	assert_true(b->sides[LAC_PAGE_PACKED].known);
	assert_int_equal(b->sides[LAC_PAGE_ALIGNED].size, aligned);
	assert_int_equal(b->sides[LAC_PAGE_PACKED].size, packed);
	assert_int_equal(b->sides[LAC_PAGE_ALIGNED].computed,
			 b->kind != LAC_PAGE_ALIGNED);
	assert_int_equal(b->sides[LAC_PAGE_PACKED].computed,
			 b->kind != LAC_PAGE_PACKED);
}

static void test_v3_13(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct handmade *h = hm_create();
	struct lac_page_build b;
	struct lac_page_field fields[4];
	const char *names[4];

	(void)state;
	MAKE(h, "page", 64, v3_13);
	h->records[0].declared_align = 16;
	b = analyse(h, arena);
	assert_string_equal(b.era, "v3.13");
	assert_int_equal(b.kind, LAC_PAGE_ALIGNED);
	assert_int_equal(b.update, LAC_UPDATE_UNKNOWN);
	assert_int_equal(b.pair.freelist.bit_offset, 16 * 8);
	assert_int_equal(b.pair.counters.bit_offset, 24 * 8);
	assert_int_equal(b.pair.aligned, LAC_ANSWER_YES);
	assert_false(b.alignment_is_free);
	check_sides(&b, 64, 56);
	assert_int_equal(lac_page_kfree_fields(&b, fields, names), 2);
	assert_int_equal(fields[1].bit_offset, 48 * 8);
	hm_destroy(h);
}

/* The same members without the attribute: one layout is read from each. */
static void test_packed_lock(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct handmade *h = hm_create();
	struct lac_page_build b;

	(void)state;
	MAKE(h, "page", 56, v3_13);
	b = analyse(h, arena);
	assert_int_equal(b.kind, LAC_PAGE_PACKED);
	assert_int_equal(b.update, LAC_UPDATE_LOCK);
	assert_int_equal(b.pair.aligned, LAC_ANSWER_NO);
	assert_true(b.pair.aligned_fraction == 0.5);
	assert_string_equal(lac_page_variant_name(b.kind, b.update),
			    "packed-lock");
	check_sides(&b, 64, 56);
	hm_destroy(h);
}

/* Half a word of counters is never swapped together with the free list. */
static void test_short_counters(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct handmade *h = hm_create();
	struct lac_page_build b;

	(void)state;
	MAKE(h, "page", 64, v3_13);
	h->records[0].declared_align = 16;
	h->members[3].type = HM_INT;
	h->members[3].bit_size = 32;
	b = analyse(h, arena);
	assert_int_equal(b.update, LAC_UPDATE_LOCK);
	hm_destroy(h);
}

/* packed-cas: the pair takes two words of three; even elements +16, odd +8. */
static void test_floating(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct handmade *h = hm_create();
	lac_type_id words = hm_array(h, HM_LONG, 3);
	const struct spec spec[] = {
		{ "flags", HM_LONG, 0 },	  { "pair_words", words, 8 },
		{ "lru", HM_LONG, 32 },		  { "_count", HM_LONG, 40 },
		{ "slab_cache", HM_POINTER, 48 },
	};
	struct lac_page_build b;

	(void)state;
	MAKE(h, "page", 56, spec);
	b = analyse(h, arena);
	assert_true(b.pair.floats);
	assert_string_equal(lac_page_variant_name(b.kind, b.update),
			    "packed-cas");
	for (uint64_t i = 0; i < 16; i++) {
		uint64_t at = i * 56 + lac_page_float_offset(&b, i);

		assert_int_equal(lac_page_float_offset(&b, i), i % 2 ? 8 : 16);
		assert_int_equal(at % 16, 0);
	}
	hm_destroy(h);
}

/* The slack is taken: 64 bytes under either rule, and no member less helps. */
static void test_memcg(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct handmade *h = hm_create();
	struct lac_page_build b;

	(void)state;
	MAKE(h, "page", 64, v5_10);
	h->records[0].declared_align = 16;
	b = analyse(h, arena);
	assert_string_equal(b.era, "v5.10");
	assert_true(b.alignment_is_free);
	assert_string_equal(b.filled_by, "memcg_data");
	check_sides(&b, 64, 64);
	h->records[0].nmembers--; /* without the memory controller */
	b = analyse(h, arena);
	assert_false(b.alignment_is_free);
	check_sides(&b, 64, 56);
	hm_destroy(h);
}

static void test_slab(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct handmade *h = hm_create();
	struct lac_page_build b;
	lac_record_id slab;

	(void)state;
	MAKE(h, "page", 64, page_v6_12);
	h->records[0].declared_align = 16;
	slab = MAKE(h, "slab", 56, slab_v6_12);
	b = analyse(h, arena);
	assert_string_equal(b.era, "v6.12");
	assert_int_equal(b.slab, slab);
	assert_string_equal(b.pair.record, "slab");
	assert_int_equal(b.pair.freelist.bit_offset, 32 * 8);
	assert_int_equal(b.pair.aligned, LAC_ANSWER_YES);
	assert_false(b.slab_too_large);
	hm_destroy(h);
}

/* Since v6.5 a 128-bit member lies over the pair, and aligns struct slab. */
static void test_one_word(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct handmade *h = hm_create();
	lac_record_id both, overlay;
	struct lac_page_build b;

	(void)state;
	MAKE(h, "page", 64, page_v6_12);
	h->records[0].declared_align = 16;
	both = hm_record(h, LAC_STRUCT, NULL, 16);
	hm_member(h, "freelist", HM_POINTER, 0);
	hm_member(h, "counters", HM_LONG, 8);
	overlay = hm_record(h, LAC_UNION, NULL, 16);
	hm_member(h, NULL, hm_type(h, both), 0);
	hm_member(h, "freelist_counter", HM_INT128, 0);
	hm_record(h, LAC_STRUCT, "slab", 64);
	hm_member(h, "__page_flags", HM_LONG, 0);
	hm_member(h, "slab_cache", HM_POINTER, 8);
	hm_member(h, "next", HM_POINTER, 16);
	hm_member(h, NULL, hm_type(h, overlay), 32);
	hm_member(h, "__page_type", HM_INT, 48);
	hm_member(h, "__page_refcount", HM_INT, 52);
	b = analyse(h, arena);
	assert_true(b.pair.one_word);
	assert_int_equal(b.pair.counters.bit_offset, 40 * 8);
	assert_int_equal(b.slab_size, 64);
	assert_true(b.slab_too_large); /* struct page would have 56 bytes */
	hm_destroy(h);
}

/* Without alignments in the input nothing is claimed that is not certain. */
static void test_btf(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct handmade *h = hm_create();
	struct lac_page_build b;

	(void)state;
	h->graph.tells_alignment = false;
	h->graph.format = LAC_FORMAT_BTF;
	MAKE(h, "page", 64, v5_10);
	b = analyse(h, arena);
	assert_int_equal(b.kind, LAC_PAGE_UNKNOWN);
	assert_int_equal(b.layout.align, 0);
	assert_int_equal(b.pair.aligned, LAC_ANSWER_UNKNOWN);
	h->records[0].nmembers--;
	h->records[0].size = 56; /* no multiple of 16 */
	b = analyse(h, arena);
	assert_int_equal(b.kind, LAC_PAGE_PACKED);
	hm_destroy(h);
}

static void test_none(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct handmade *h = hm_create();
	struct lac_page_build b;
	struct lac_err err;

	(void)state;
	hm_record(h, LAC_STRUCT, "page", 8);
	hm_member(h, "not_flags", HM_LONG, 0);
	assert_int_equal(lac_page_analyse(hm_finish(h), arena, &b, &err),
			 LAC_NOT_FOUND);
	hm_destroy(h);
}

/* facts of 64 bits: 1 TiB in 4 KiB pages, in KiB. */
static void test_memmap(void **state)
{
	(void)state;
	assert_int_equal(lac_page_memmap(TIB, 4096, 64) / 1024, 16777216);
	assert_int_equal(lac_page_memmap(TIB, 4096, 56) / 1024, 14680064);
	assert_int_equal(lac_page_memmap(TIB, 4096, 48) / 1024, 12582912);
	assert_int_equal(lac_page_memmap(TIB, 4096, 8) / 1024, 2097152);
}

/*
 * No set of options makes 48 bytes of a 64-bit struct page: v3.13 at its
 * smallest has seven words, and each option adds some.
 */
static void test_never_48(void **state)
{
	static const struct {
		unsigned words, ints; /* beyond the base */
		uint64_t packed, aligned;
	} options[] = {
		{ 0, 0, 56, 64 }, { 1, 0, 64, 64 }, { 2, 0, 72, 80 },
		{ 0, 1, 64, 64 }, { 1, 1, 72, 80 }, { 2, 1, 80, 80 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
		struct handmade *h = hm_create();
		uint64_t at = 56;
		struct lac_page_build b;

		MAKE(h, "page", options[i].packed, v3_13);
		for (unsigned k = 0; k < options[i].words; k++, at += 8)
			hm_member(h, "more", HM_LONG, at);
		if (options[i].ints)
			hm_member(h, "_last_cpupid", HM_INT, at);
		b = analyse(h, arena);
		check_sides(&b, options[i].aligned, options[i].packed);
		assert_true(b.sides[LAC_PAGE_PACKED].size > 48);
		hm_destroy(h);
	}
}

/* Laid out again under its own rule, a record is what it was. */
static void test_relayout_identity(void **state)
{
	struct lac_rng rng = { 17 };

	(void)state;
	for (int i = 0; i < 500; i++) {
		LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
		struct handmade *h = hm_create();
		uint64_t pos = 0, align = 1;
		struct lac_relayout l;
		struct lac_err err;

		hm_record(h, LAC_STRUCT, "r", 0);
		for (uint64_t n = lac_rng_below(&rng, 9); n; n--) {
			lac_type_id type =
				(lac_type_id)(HM_CHAR + lac_rng_below(&rng, 5));
			uint64_t size = h->types[type].size;

			pos = (pos + size - 1) / size * size;
			hm_member(h, "m", type, pos);
			pos += size;
			align = size > align ? size : align;
		}
		h->records[0].size = (pos + align - 1) / align * align;
		hm_finish(h);
		assert_int_equal(
			lac_relayout(&h->graph, 0,
				     lac_rules_create(&h->graph, arena),
				     (struct lac_relayout_rule){ .align = 1 },
				     arena, &l, &err),
			LAC_OK);
		assert_int_equal(l.size, h->records[0].size);
		assert_int_equal(l.align, align);
		for (uint32_t k = 0; k < h->records[0].nmembers; k++)
			assert_int_equal(l.bit_offsets[k],
					 h->records[0].members[k].bit_offset);
		hm_destroy(h);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_v3_13),
		cmocka_unit_test(test_packed_lock),
		cmocka_unit_test(test_short_counters),
		cmocka_unit_test(test_floating),
		cmocka_unit_test(test_memcg),
		cmocka_unit_test(test_slab),
		cmocka_unit_test(test_one_word),
		cmocka_unit_test(test_btf),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_memmap),
		cmocka_unit_test(test_never_48),
		cmocka_unit_test(test_relayout_identity),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The byte map against a painter that colours bit by bit, the conservation
 * law, alignment and packing, on records made by hand and at random.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "layout/layout.h"

#include "handmade.h"

static struct lac_layout layout_of(struct handmade *h, lac_record_id id,
				   struct lac_arena *arena)
{
	struct lac_layout l;
	struct lac_err err;

	if (lac_layout_compute(hm_finish(h), id, NULL, arena, &l, &err) !=
	    LAC_OK)
		fail_msg("%s", err.msg);
	lac_layout_assert(&l);
	return l;
}

/* Bit by bit: which bits does some member cover, and where is the last end? */
static void check_against_bits(const struct handmade *h,
			       const struct lac_layout *l)
{
	const struct lac_record *r = &h->records[l->record];
	uint64_t bits = r->size * 8, last_end = 0;
	unsigned char *covered = calloc(bits + 1, 1);
	uint64_t members = 0, holes = 0, padding = 0;

	assert_non_null(covered);
	for (uint32_t i = 0; i < r->nmembers; i++) {
		uint64_t end =
			r->members[i].bit_offset + r->members[i].bit_size;

		for (uint64_t b = r->members[i].bit_offset; b < end; b++)
			covered[b] = 1;
		if (end > last_end)
			last_end = end;
	}
	for (uint64_t b = 0; b < bits; b++) {
		members += covered[b];
		holes += !covered[b] && b < last_end;
		padding += !covered[b] && b >= last_end;
	}
	assert_int_equal(l->member_bits, members);
	assert_int_equal(l->hole_bits, holes);
	assert_int_equal(l->padding_bits, padding);
	for (uint32_t i = 0; i < l->map.nspans; i++) {
		const struct lac_span *s = &l->map.spans[i];

		for (uint64_t b = s->bit_offset;
		     b < s->bit_offset + s->bit_size; b++)
			assert_int_equal(covered[b],
					 s->kind == LAC_SPAN_MEMBER);
	}
	free(covered);
}

/* The line map sums back to the byte map, for any line size and phase. */
static void check_pieces(const struct handmade *h, lac_record_id id,
			 struct lac_rng *rng, struct lac_arena *arena)
{
	struct lac_layout_options o = {
		.line_size = 1u << (3 + lac_rng_below(rng, 6)),
		.first_byte = lac_rng_below(rng, 300),
	};
	struct lac_piece_cursor c = { 0 };
	struct lac_piece p;
	uint64_t sum[4] = { 0 }, at = 0, last_line = 0;
	struct lac_layout l;
	struct lac_err err;

	assert_int_equal(lac_layout_compute(&h->graph, id, &o, arena, &l, &err),
			 LAC_OK);
	while (lac_piece_next(&l, &c, &p)) {
		uint64_t from = at / 8 + o.first_byte % o.line_size;

		assert_int_equal(p.bit_offset, at);
		assert_int_equal(p.line, from / o.line_size);
		at += p.bit_size;
		assert_true(p.bit_size > 0);
		assert_int_equal(p.line,
				 ((at - 1) / 8 + o.first_byte % o.line_size) /
					 o.line_size);
		sum[p.kind] += p.bit_size;
		last_line = p.line;
	}
	assert_int_equal(at, h->records[id].size * 8);
	assert_int_equal(sum[LAC_SPAN_MEMBER], l.member_bits);
	assert_int_equal(sum[LAC_SPAN_HOLE], l.hole_bits);
	assert_int_equal(sum[LAC_SPAN_PADDING], l.padding_bits);
	if (at)
		assert_int_equal(l.lines, last_line + 1);
}

/* Without its lists, a layout has the same figures. */
static void check_figures(const struct handmade *h, lac_record_id id,
			  struct lac_rng *rng, struct lac_arena *arena)
{
	struct lac_layout_options o = {
		.line_size = 1u << (3 + lac_rng_below(rng, 6)),
		.first_byte = lac_rng_below(rng, 300),
		.rules = lac_rules_create(&h->graph, arena),
	};
	struct lac_through t[2];
	struct lac_layout l[2];
	struct lac_err err;

	for (int i = 0; i < 2; i++, o.figures_only = true) {
		assert_int_equal(lac_layout_compute(&h->graph, id, &o, arena,
						    &l[i], &err), LAC_OK);
		assert_int_equal(lac_through_compute(&l[i], o.rules, arena,
						     &t[i], &err), LAC_OK);
	}
	assert_int_equal(l[1].map.nspans, 0);
	assert_null(l[1].straddlers);
	assert_int_equal(l[0].nstraddlers, l[1].nstraddlers);
	assert_int_equal(l[0].lines, l[1].lines);
	assert_int_equal(t[0].nstraddlers, t[1].nstraddlers);
	assert_int_equal(t[0].nholes, t[1].nholes);
	assert_int_equal(t[0].hole_bits, t[1].hole_bits);
	assert_int_equal(t[0].padding_bits, t[1].padding_bits);
	assert_int_equal(t[0].named_hole_bits, t[1].named_hole_bits);
}

static int by_offset(const void *a, const void *b)
{
	const struct lac_member *x = a, *y = b;

	return (x->bit_offset > y->bit_offset) -
	       (x->bit_offset < y->bit_offset);
}

static void random_record(struct handmade *h, struct lac_rng *rng)
{
	enum lac_record_kind kind =
		lac_rng_below(rng, 4) ? LAC_STRUCT : LAC_UNION;
	uint64_t size = lac_rng_below(rng, 200), pos = 0;
	lac_record_id id;

	hm_record(h, kind, "r", size);
	id = h->graph.nrecords - 1;
	while (lac_rng_below(rng, 12)) {
		lac_type_id type =
			(lac_type_id)(HM_CHAR + lac_rng_below(rng, 4));
		uint64_t skip =
			lac_rng_below(rng, 3) ? 0 : lac_rng_below(rng, 70);
		uint64_t width = lac_rng_below(rng, 65);

		if (kind == LAC_UNION)
			pos = 0;
		if (pos + skip + width > size * 8)
			break;
		hm_field(h, "m", type, pos + skip, width);
		pos += skip + width;
	}
	qsort((void *)(uintptr_t)h->records[id].members,
	      h->records[id].nmembers, sizeof(struct lac_member), by_offset);
}

static void test_random_records(void **state)
{
	struct lac_rng rng = { 7 };

	(void)state;
	for (int i = 0; i < 2000; i++) {
		LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
		struct handmade *h = hm_create();
		struct lac_layout l;

		random_record(h, &rng);
		l = layout_of(h, 0, arena);
		check_against_bits(h, &l);
		check_pieces(h, 0, &rng, arena);
		check_figures(h, 0, &rng, arena);
		hm_destroy(h);
	}
}

/* A record that is laid out by C's own rules fits them, and is not packed. */
static void test_random_natural(void **state)
{
	struct lac_rng rng = { 11 };

	(void)state;
	for (int i = 0; i < 1000; i++) {
		LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
		struct handmade *h = hm_create();
		uint64_t pos = 0, align = 1;
		struct lac_c_form form;
		struct lac_layout l;
		struct lac_err err;

		hm_record(h, LAC_STRUCT, "r", 0);
		for (uint64_t n = 1 + lac_rng_below(&rng, 8); n; n--) {
			lac_type_id type =
				(lac_type_id)(HM_CHAR + lac_rng_below(&rng, 5));
			uint64_t size = h->types[type].size;

			pos = (pos + size - 1) / size * size;
			hm_member(h, "m", type, pos);
			pos += size;
			align = size > align ? size : align;
		}
		h->records[0].size = (pos + align - 1) / align * align;
		l = layout_of(h, 0, arena);
		assert_int_equal(l.packed, LAC_PACKED_NO);
		assert_int_equal(l.align, align);
		assert_int_equal(l.align_source,
				 align == 1 || l.hole_bits || l.padding_bits
					 ? LAC_ALIGN_NATURAL
					 : LAC_ALIGN_INFERRED);
		assert_int_equal(
			lac_c_form_fit(&h->graph, 0,
				       lac_rules_create(&h->graph, arena),
				       arena, &form, &err),
			LAC_OK);
		assert_true(form.exact);
		assert_false(form.packed);
		assert_int_equal(form.fill_bits, 0);
		hm_destroy(h);
	}
}

/* facts/struct page: 56 and 64 bytes from the same members. */
static void test_page_like(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct handmade *h = hm_create();
	struct lac_layout l;

	(void)state;
	for (int k = 0; k < 2; k++) {
		hm_record(h, LAC_STRUCT, "page", k ? 64 : 56);
		for (uint64_t i = 0; i < 7; i++)
			hm_member(h, "word", HM_LONG, i * 8);
	}
	h->records[1].declared_align = 16;
	l = layout_of(h, 0, arena);
	assert_int_equal(l.align, 8);
	assert_int_equal(l.align_source, LAC_ALIGN_INFERRED);
	assert_int_equal(l.padding_bits, 0);
	l = layout_of(h, 1, arena);
	assert_int_equal(l.align, 16);
	assert_int_equal(l.align_source, LAC_ALIGN_DECLARED);
	assert_int_equal(l.padding_bits, 64);
	assert_int_equal(l.hole_bits, 0);
	h->graph.tells_alignment = false;
	h->records[1].declared_align = 0;
	l = layout_of(h, 1, arena);
	assert_int_equal(l.align, 0);
	assert_int_equal(l.align_source, LAC_ALIGN_UNKNOWN);
	l = layout_of(h, 0, arena); /* 56 is a multiple of 8, not of 16 */
	assert_int_equal(l.align, 8);
	assert_int_equal(l.align_source, LAC_ALIGN_INFERRED);
	hm_destroy(h);
}

/* A flexible array covers nothing: in the padding, and behind a gap. */
static void test_flexible(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct handmade *h = hm_create();
	lac_type_id flex = hm_array(h, HM_INT, 0);
	struct lac_layout l;

	(void)state;
	h->types[flex].array.flexible = true;
	hm_record(h, LAC_STRUCT, "in_padding", 24);
	hm_member(h, "n", HM_LONG, 0);
	hm_member(h, "f", HM_LONG, 8);
	hm_member(h, "len", HM_INT, 16);
	hm_member(h, "map", flex, 20);
	hm_record(h, LAC_STRUCT, "behind_gap", 16);
	hm_member(h, "ref", HM_LONG, 0);
	hm_member(h, "c", HM_CHAR, 8);
	hm_member(h, "data", flex, 16)->declared_align = 8;
	l = layout_of(h, 0, arena);
	assert_int_equal(l.nholes, 0);
	assert_int_equal(l.padding_bits, 32);
	l = layout_of(h, 1, arena);
	assert_int_equal(l.nholes, 1);
	assert_int_equal(l.hole_bits, 56);
	assert_int_equal(l.padding_bits, 0);
	hm_destroy(h);
}

/* What cannot be known is not called free. */
static void test_unknown(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct handmade *h = hm_create();
	lac_record_id declared = hm_record(h, LAC_STRUCT, "d", 0);
	struct lac_layout l;

	(void)state;
	h->types[hm_type(h, declared)].record = LAC_NONE;
	h->types[hm_type(h, declared)].size = LAC_SIZE_UNKNOWN;
	hm_record(h, LAC_STRUCT, "with", 40);
	hm_member(h, "head", hm_type(h, declared), 0)->certainty = LAC_UNKNOWN;
	hm_member(h, "key", HM_INT, 8);
	hm_member(h, "arr", hm_type(h, declared), 16)->certainty = LAC_UNKNOWN;
	hm_member(h, "tail", HM_CHAR, 32);
	l = layout_of(h, 1, arena);
	assert_int_equal(l.unknown_bits, (8 + 16) * 8);
	assert_int_equal(l.hole_bits, 32);
	assert_int_equal(l.padding_bits, 56);
	hm_record(h, LAC_CLASS, "virtual", 32);
	hm_member(h, "vptr", HM_POINTER, 0)->role = LAC_MEMBER_VPTR;
	hm_member(h, NULL, hm_type(h, 1), 0)->role = LAC_MEMBER_VIRTUAL_BASE;
	h->members[h->nmembers - 1].certainty = LAC_DYNAMIC;
	l = layout_of(h, 2, arena);
	assert_int_equal(l.member_bits, 64);
	assert_int_equal(l.unknown_bits, 24 * 8);
	assert_int_equal(l.padding_bits, 0);
	hm_destroy(h);
}

/* A derived class starts in its base's padding. */
static void test_base_padding(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct handmade *h = hm_create();
	struct lac_layout l;

	(void)state;
	hm_record(h, LAC_CLASS, "base", 16);
	hm_member(h, "l", HM_LONG, 0);
	hm_member(h, "c", HM_CHAR, 8);
	hm_record(h, LAC_CLASS, "derived", 16);
	hm_member(h, NULL, hm_type(h, 0), 0)->role = LAC_MEMBER_BASE;
	hm_member(h, "d", HM_CHAR, 9);
	l = layout_of(h, 1, arena);
	assert_int_equal(l.map.nspans, 3);
	assert_int_equal(l.map.spans[0].bit_size, 72);
	assert_int_equal(l.map.spans[1].member, 1);
	assert_int_equal(l.padding_bits, 48);
	assert_int_equal(l.nested_padding_bits, 0);
	hm_destroy(h);
}

static void check_packed(struct handmade *h, lac_record_id id, uint32_t align,
			 enum lac_align_source source)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct lac_layout l = layout_of(h, id, arena);

	assert_int_equal(l.packed, LAC_PACKED_INFERRED);
	assert_int_equal(l.align, align);
	assert_int_equal(l.align_source, source);
}

/* fixtures/cases/11: packed in every way. */
static void test_packed(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct handmade *h = hm_create();
	struct lac_rules *rules;
	struct lac_c_form form;
	struct lac_err err;

	(void)state;
	hm_record(h, LAC_STRUCT, "pa4", 8);
	hm_member(h, "a", HM_CHAR, 0);
	hm_member(h, "b", HM_INT, 1);
	hm_member(h, "c", HM_CHAR, 5);
	h->records[0].declared_align = 4;
	check_packed(h, 0, 4, LAC_ALIGN_DECLARED);
	hm_record(h, LAC_STRUCT, "pm", 16);
	hm_member(h, "a", HM_CHAR, 0);
	hm_member(h, "b", HM_INT, 1);
	hm_member(h, "c", HM_LONG, 8);
	check_packed(h, 1, 8, LAC_ALIGN_INFERRED);
	hm_record(h, LAC_STRUCT, "pragma2", 8);
	hm_member(h, "a", HM_CHAR, 0);
	hm_member(h, "b", HM_INT, 2);
	hm_member(h, "c", HM_CHAR, 6);
	check_packed(h, 2, 2, LAC_ALIGN_INFERRED);
	hm_record(h, LAC_STRUCT, "pk", 5);
	hm_member(h, "a", HM_CHAR, 0);
	hm_member(h, "b", HM_INT, 1);
	check_packed(h, 3, 1, LAC_ALIGN_INFERRED);
	hm_record(h, LAC_STRUCT, "bits", 6);
	hm_field(h, "a", HM_INT, 0, 5);
	hm_field(h, "b", HM_INT, 5, 30);
	hm_field(h, "c", HM_CHAR, 35, 8);
	check_packed(h, 4, 1, LAC_ALIGN_INFERRED);
	rules = lac_rules_create(&h->graph, arena);
	assert_int_equal(
		lac_c_form_fit(&h->graph, 1, rules, arena, &form, &err),
		LAC_OK);
	assert_true(form.exact);
	assert_false(form.packed);
	assert_true(form.members[1].packed);
	assert_int_equal(
		lac_c_form_fit(&h->graph, 3, rules, arena, &form, &err),
		LAC_OK);
	assert_true(form.exact && form.packed);
	hm_destroy(h);
}

/* fixtures/cases/03 and 05: bits that no DIE describes. */
static void test_unnamed_bits(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct handmade *h = hm_create();
	struct lac_rules *rules;
	struct lac_c_form form;
	struct lac_layout l;
	struct lac_err err;

	(void)state;
	hm_record(h, LAC_STRUCT, "unn", 32);
	hm_field(h, "a", HM_SHORT, 4, 4);
	hm_member(h, "x", HM_INT, 4);
	hm_field(h, "y", HM_INT, 74, 4);
	hm_member(h, "zz", HM_SHORT, 10);
	hm_field(h, "zzz", HM_SHORT, 96, 4);
	hm_member(h, "z", HM_LONG, 16);
	hm_record(h, LAC_STRUCT, "zw", 12);
	hm_member(h, "p", HM_INT, 0);
	hm_field(h, "a", HM_INT, 32, 1);
	hm_field(h, "b", HM_INT, 33, 3);
	hm_field(h, "c", HM_INT, 64, 1);
	hm_field(h, "d", HM_INT, 65, 5);
	hm_member(h, "e", HM_CHAR, 9);
	hm_field(h, "f", HM_CHAR, 80, 2);
	l = layout_of(h, 0, arena);
	assert_int_equal(l.hole_bits, 68);
	assert_int_equal(l.nholes, 5);
	assert_int_equal(l.padding_bits, 64);
	assert_int_equal(l.packed, LAC_PACKED_NO);
	l = layout_of(h, 1, arena);
	assert_int_equal(l.hole_bits, 30);
	assert_int_equal(l.padding_bits, 14);
	rules = lac_rules_create(&h->graph, arena);
	assert_int_equal(
		lac_c_form_fit(&h->graph, 0, rules, arena, &form, &err),
		LAC_OK);
	assert_true(form.exact);
	assert_int_equal(form.members[0].fill_bits, 4);
	assert_int_equal(form.members[2].fill_bits, 10);
	assert_int_equal(form.fill_bits, 64);
	assert_int_equal(
		lac_c_form_fit(&h->graph, 1, rules, arena, &form, &err),
		LAC_OK);
	assert_true(form.exact);
	assert_true(form.members[3].fill_to_unit);
	assert_int_equal(form.members[6].fill_bits, 0);
	hm_destroy(h);
}

/* fixtures/cases/18: nothing is counted in 16 or 32 bits, nothing loops. */
static void test_huge(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct handmade *h = hm_create();
	struct lac_layout l;

	(void)state;
	hm_record(h, LAC_STRUCT, "el", 12);
	hm_member(h, "a", HM_INT, 0);
	hm_member(h, "b", HM_CHAR, 4);
	hm_member(h, "c", HM_INT, 8);
	hm_record(h, LAC_STRUCT, "h", 8 + 12 * (5ull << 32));
	hm_member(h, "a", HM_CHAR, 0);
	hm_member(h, "big", hm_array(h, hm_type(h, 0), 5ull << 32), 4);
	h->records[1].size = 4 + 12 * (5ull << 32);
	l = layout_of(h, 1, arena);
	assert_int_equal(l.hole_bits, 24);
	assert_int_equal(l.nested_hole_bits, 24 * (5ull << 32));
	assert_int_equal(l.nstraddlers, 1);
	/* 16 elements of 12 bytes lie on 3 lines of 64: from byte 4 on, 2 cross
	 */
	assert_int_equal(l.straddlers[0].elements, (5ull << 32) / 16 * 2);
	assert_int_equal(l.straddlers[0].first_element, 10);
	hm_destroy(h);
}

/* A record that holds itself, and one nested without end. */
static void test_hostile(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct handmade *h = hm_create();
	struct lac_layout l;
	struct lac_err err;

	(void)state;
	hm_record(h, LAC_STRUCT, "self", 8);
	hm_member(h, "me", hm_type(h, 0), 0);
	layout_of(h, 0, arena);
	for (uint32_t i = 1; i < 100; i++) { /* 2^99 leaves */
		hm_record(h, LAC_STRUCT, "twice", 8);
		hm_member(h, "a", hm_type(h, i - 1), 0);
		hm_member(h, "b", hm_type(h, i - 1), 0);
	}
	layout_of(h, 99, arena);
	hm_record(h, LAC_STRUCT, "outside", 8);
	hm_member(h, "a", HM_LONG, 4);
	assert_int_equal(
		lac_layout_compute(&h->graph, 100, NULL, arena, &l, &err),
		LAC_BAD_INPUT);
	assert_int_equal(lac_layout_compute(&h->graph, 0,
					    &(struct lac_layout_options){
						    .line_size = 48 },
					    arena, &l, &err),
			 LAC_USAGE);
	hm_destroy(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_records),
		cmocka_unit_test(test_random_natural),
		cmocka_unit_test(test_page_like),
		cmocka_unit_test(test_flexible),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_base_padding),
		cmocka_unit_test(test_packed),
		cmocka_unit_test(test_unnamed_bits),
		cmocka_unit_test(test_huge),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a new order saves, against a twin that tries every order and lays each
 * out bit by bit; and what cannot be ordered anew, with the reason.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "layout/relayout.h"
#include "layout/reorder.h"

#include "compiled.h"
#include "handmade.h"

enum { MEMBERS = 7 };

/* A declaration, and the block that it belongs to. */
struct decl {
	lac_type_id type;
	uint32_t align, own; /* bytes: of the type; the attribute's */
	uint64_t unit, bits; /* unit: of a bit-field's type, in bits */
	unsigned block;
};

struct decls {
	unsigned n, nblocks;
	struct decl d[MEMBERS];
};

/* The first bit from pos on where the declaration may stand. */
static uint64_t naive_place(const struct decl *d, uint64_t pos)
{
	uint32_t align = d->own > d->align ? d->own : d->align;

	if (d->own || !d->unit)
		while (pos % ((d->unit ? d->own : align) * 8))
			pos++;
	while (d->unit && pos / d->unit != (pos + d->bits - 1) / d->unit)
		pos++;
	return pos;
}

/* Bytes in that order; offsets, in bits, by declaration. */
static uint64_t naive_size(const struct decls *s, const unsigned *order,
			   uint64_t *offsets)
{
	uint64_t pos = 0;
	uint32_t most = 1;

	for (unsigned k = 0; k < s->n; k++) {
		const struct decl *d = &s->d[order[k]];

		offsets[order[k]] = naive_place(d, pos);
		pos = offsets[order[k]] + d->bits;
		most = d->align > most ? d->align : most;
		most = d->own > most ? d->own : most;
	}
	while (pos % (most * 8))
		pos++;
	return pos / 8;
}

/* The least of all orders of the blocks that are left. */
static void naive_least(const struct decls *s, unsigned *order, unsigned n,
			unsigned used, uint64_t *least)
{
	uint64_t offsets[MEMBERS], size;

	if (n == s->n) {
		size = naive_size(s, order, offsets);
		*least = size < *least ? size : *least;
		return;
	}
	for (unsigned b = 0; b < s->nblocks; b++) {
		unsigned to = n;

		if (used >> b & 1)
			continue;
		for (unsigned i = 0; i < s->n; i++)
			if (s->d[i].block == b)
				order[to++] = i;
		naive_least(s, order, to, used | 1u << b, least);
	}
}

/* powers: sizes that are their alignment alone */
static void random_decls(struct handmade *h, struct lac_rng *rng, bool powers,
			 struct decls *s)
{
	s->n = 1 + (unsigned)lac_rng_below(rng, MEMBERS);
	for (unsigned i = 0; i < s->n; i++) {
		struct decl *d = &s->d[i];
		uint32_t size = 1u << lac_rng_below(rng, 4);
		lac_type_id base = size == 1   ? HM_CHAR :
				   size == 2   ? HM_SHORT :
				   size == 4   ? HM_INT :
						 HM_LONG;

		*d = (struct decl){ base, size, 0, 0, size * 8, 0 };
		if (powers)
			continue;
		if (!lac_rng_below(rng, 3)) {
			d->unit = size * 8;
			d->bits = 1 + lac_rng_below(rng, d->unit);
		} else if (!lac_rng_below(rng, 3)) {
			uint64_t count = 1 + lac_rng_below(rng, 5);

			d->type = hm_array(h, base, count);
			d->bits *= count;
		}
		if (!lac_rng_below(rng, 6))
			d->own = 1u << lac_rng_below(rng, 6);
	}
}

/* The record as a compiler lays it out, and which members are one block. */
static void make_record(struct handmade *h, struct decls *s)
{
	static const char *const names[] = { "a", "b", "c", "d",
					     "e", "f", "g" };
	unsigned order[MEMBERS] = { 0, 1, 2, 3, 4, 5, 6 };
	uint64_t offsets[MEMBERS];

	hm_record(h, LAC_STRUCT, "s", naive_size(s, order, offsets));
	s->nblocks = 0;
	for (unsigned i = 0; i < s->n; i++) {
		struct decl *d = &s->d[i], *before = d - 1;
		struct lac_member *m =
			d->unit ? hm_field(h, names[i], d->type, offsets[i],
					   d->bits) :
				  hm_bits(h, names[i], d->type, offsets[i],
					  d->bits);
		bool stays = false;

		m->declared_align = d->own;
		if (i && before->unit)
			stays = d->unit ||
				offsets[i] / before->unit ==
					offsets[i - 1] / before->unit;
		else if (i && d->unit)
			stays = offsets[i] / d->unit ==
				(offsets[i - 1] + before->bits - 1) / d->unit;
		d->block = i && stays ? before->block : s->nblocks++;
	}
}

/* Where each declaration has come to; the order as the twin has it. */
static void read_order(const struct lac_record *r, const struct decls *s,
		       unsigned *order)
{
	unsigned seen = 0;

	assert_int_equal(r->nmembers, s->n);
	for (unsigned k = 0; k < s->n; k++) {
		order[k] = (unsigned)(r->members[k].name[0] - 'a');
		seen |= 1u << order[k];
		if (k && s->d[order[k]].block == s->d[order[k - 1]].block)
			assert_int_equal(order[k], order[k - 1] + 1);
	}
	assert_int_equal(seen, (1u << s->n) - 1);
}

/* Those that do not move are in the order in which they were. */
static void check_moves(const struct lac_reorder *x, const struct decls *s,
			const unsigned *order)
{
	unsigned moved = 0, last = 0;

	assert_true(x->nmoves > 0);
	for (unsigned i = 0; i < x->nmoves; i++) {
		unsigned m = x->moves[i].member, k = 0;

		moved |= 1u << s->d[m].block;
		for (unsigned j = 0; j < s->n; j++)
			assert_int_equal(j >= m && j < m + x->moves[i].n,
					 s->d[j].block == s->d[m].block);
		while (order[k] != m)
			k++;
		assert_int_equal(x->moves[i].behind,
				 k ? order[k - 1] : LAC_NONE);
	}
	for (unsigned k = 0; k < s->n; k++)
		if (!(moved >> s->d[order[k]].block & 1)) {
			assert_true(order[k] >= last);
			last = order[k];
		}
}

/* Every rule of the layout says the same about it. */
static void check_layout(const struct lac_graph *g, const struct lac_reorder *x,
			 struct lac_arena *arena)
{
	struct lac_relayout same;
	struct lac_graph other;
	struct lac_layout l;
	struct lac_rules *rules;
	struct lac_err err;

	assert_int_equal(lac_reorder_graph(g, 0, x, arena, &other, &err),
			 LAC_OK);
	rules = lac_rules_create(&other, arena);
	assert_int_equal(lac_layout_compute(&other, 0, NULL, arena, &l, &err),
			 LAC_OK);
	lac_layout_assert(&l);
	assert_int_equal(lac_relayout(&other, 0, rules,
				      (struct lac_relayout_rule){ 1 }, arena,
				      &same, &err), LAC_OK);
	assert_int_equal(same.size, x->record.size);
	for (uint32_t i = 0; i < x->record.nmembers; i++)
		assert_int_equal(same.bit_offsets[i],
				 x->record.members[i].bit_offset);
}

/* What is called the least is so with every declaration on its own, too. */
static bool check_least(const struct decls *s, const struct lac_reorder *x,
			uint64_t least)
{
	bool claimed = x->status == LAC_REORDER_LEAST || x->least;
	struct decls apart = *s;
	unsigned order[MEMBERS];
	uint64_t size = UINT64_MAX;

	/* so few members are always worked out */
	if (s->nblocks == s->n)
		assert_true(claimed);
	if (!claimed || s->nblocks == s->n)
		return claimed;
	apart.nblocks = s->n;
	for (unsigned i = 0; i < s->n; i++)
		apart.d[i].block = i;
	naive_least(&apart, order, 0, 0, &size);
	assert_int_equal(size, least);
	return claimed;
}

static bool check_one(struct lac_rng *rng, bool powers)
{
	struct handmade *h = hm_create();
	struct lac_arena *arena = lac_arena_create();
	struct decls s = { 0 };
	unsigned order[MEMBERS];
	uint64_t least = UINT64_MAX, offsets[MEMBERS], size;
	struct lac_reorder x;
	struct lac_err err;
	bool claimed;

	random_decls(h, rng, powers, &s);
	make_record(h, &s);
	hm_finish(h);
	size = h->records[0].size;
	naive_least(&s, order, 0, 0, &least);
	assert_int_equal(lac_reorder(&h->graph, 0,
				     lac_rules_create(&h->graph, arena), arena,
				     &x, &err), LAC_OK);
	claimed = check_least(&s, &x, least);
	if (x.status != LAC_REORDER_SMALLER) {
		assert_true(x.status == LAC_REORDER_LEAST ||
			    x.status == LAC_REORDER_NONE_FOUND);
		assert_int_equal(size, least);
	} else {
		if (powers)
			assert_int_equal(x.certainty, LAC_KNOWN);
		assert_int_equal(x.record.size, least);
		assert_int_equal(x.saves, size - least);
		assert_true(least < size);
		read_order(&x.record, &s, order);
		assert_int_equal(naive_size(&s, order, offsets), least);
		for (unsigned k = 0; k < s.n; k++)
			assert_int_equal(x.record.members[k].bit_offset,
					 offsets[order[k]]);
		check_moves(&x, &s, order);
		check_layout(&h->graph, &x, arena);
	}
	lac_arena_destroy(arena);
	hm_destroy(h);
	return claimed;
}

static void random_structs(void **state)
{
	struct lac_rng rng = { .state = 5 };
	unsigned claims = 0;

	(void)state;
	for (unsigned i = 0; i < 6000; i++)
		claims += check_one(&rng, i % 4 == 0);
	assert_true(claims > 3000 && claims < 6000);
}

/* Structs as they are written, and what is to come of them. */
static const struct {
	const char *text; /* of struct s */
	/* the members in their new order; or part of the reason; or NULL */
	const char *order, *reason;
	uint64_t size; /* in bytes, then */
} written[] = {
	{ "{ char a; long b; char c; }", "a c b", NULL, 16 },
	{ "{ long b; char a, c; }", NULL, NULL, 0 },
	/* the tail is not worth a move of the first */
	{ "{ int a; long b; int c; long d; }", "a c b d", NULL, 24 },
	/* an array without a bound stays last, and so does one of none */
	{ "{ char a; long b; char c; char f[]; }", "a c b f", NULL, 16 },
	{ "{ char a; long b; char c; long f[0]; }", "a c b f", NULL, 16 },
	{ "{ char a; long b; char c; struct flex f; }", "a c b f", NULL, 24 },
	{ "{ char a; struct flex f; long b; char c; }", "a c f b", NULL, 24 },
	{ "{ char a; struct flex f; char b; long d; }", "f b a d", NULL, 24 },
	/* nothing passes a mark */
	{ "{ char a; long b; char m[0]; char c; }", "b a m c", NULL, 16 },
	{ "{ char a, m[0]; long b; char m2[0], c; }", NULL, NULL, 0 },
	{ "{ char a; long b; char c; char m[0]; int d; }", "b a c m d", NULL,
	  16 },
	/* attributes go along */
	{ "{ char a; long b; char c __attribute__((aligned(8))); char d; }",
	  "b c a d", NULL, 16 },
	{ "{ char a; long b; char c; } __attribute__((aligned(32)))", NULL,
	  NULL, 0 },
	/* one run of bit-fields, and what shares a unit with it */
	{ "{ char a; long b; int x:3, y:4; }", "a x y b", NULL, 16 },
	{ "{ short a; long b; int x:8; char c; short d; }", "a x c d b", NULL,
	  16 },
	/* an unnamed one between, whose type nobody knows: at its phase only */
	{ "{ int a; long b; int x:3, :17, y:12; }", "b x y a", NULL, 16 },
	/* a unit that is closed, by what nobody knows */
	{ "{ int a; long b; int x:3, :0, y:30; }", NULL, NULL, 0 },
	{ "{ int a; long b; int x:3, :0, y:30; int c; }", "a c b x y", NULL,
	  24 },
	{ "{ char a; long b; struct { char c; int d; }; char e; }", "a e b -",
	  NULL, 24 },
	{ "{ char a; int b; char c; } __attribute__((packed))", "",
	  "it is packed", 0 },
	{ "{ char a; int b __attribute__((packed)); char c; long d; }", "",
	  "is packed", 0 },
	{ "{ int a:4, b:30, c:4; }", NULL, NULL, 0 },
	{ "{ }", NULL, NULL, 0 },
};

static void join_names(const struct lac_record *r, char *text, size_t size)
{
	*text = '\0';
	for (uint32_t i = 0; i < r->nmembers; i++)
		snprintf(text + strlen(text), size - strlen(text), "%s%s",
			 i ? " " : "",
			 r->members[i].name ? r->members[i].name : "-");
}

static void check_written(size_t i, const char *compiler)
{
	struct lac_arena *arena = lac_arena_create();
	struct lac_reorder x;
	struct lac_graph *g;
	struct lac_err err;
	lac_record_id id;
	char text[512];

	snprintf(text, sizeof(text),
		 "struct flex { long n; char f[]; };\nstruct s %s;\n"
		 "struct s *p;\n", written[i].text);
	g = graph_of(compiler, text);
	id = (lac_record_id)(record_named(g, "struct s") - g->records);
	assert_int_equal(lac_reorder(g, id, lac_rules_create(g, arena),
				     arena, &x, &err), LAC_OK);
	if (written[i].reason) {
		assert_int_equal(x.status, LAC_REORDER_UNSUPPORTED);
		if (!strstr(x.reason, written[i].reason))
			fail_msg("%s: %s", written[i].text, x.reason);
	} else if (written[i].order) {
		if (x.status != LAC_REORDER_SMALLER)
			fail_msg("%s: %s, %s", written[i].text,
				 lac_reorder_status_name(x.status), x.reason);
		join_names(&x.record, text, sizeof(text));
		assert_string_equal(text, written[i].order);
		assert_int_equal(x.record.size, written[i].size);
	} else if (x.status != LAC_REORDER_LEAST &&
		   x.status != LAC_REORDER_NONE_FOUND) {
		fail_msg("%s: %s", written[i].text,
			 lac_reorder_status_name(x.status));
	}
	lac_graph_destroy(g);
	lac_arena_destroy(arena);
}

static void written_structs(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(written) / sizeof(written[0]); i++) {
		check_written(i, "gcc -g");
		if (!system("command -v clang >/dev/null"))
			check_written(i, "clang -g");
	}
}

/* More members than can be worked out: nothing is claimed to be the least. */
static void many_members(void **state)
{
	struct handmade *h = hm_create();
	struct lac_arena *arena = lac_arena_create();
	struct lac_reorder x;
	struct lac_err err;
	uint64_t at = 0;

	(void)state;
	hm_record(h, LAC_STRUCT, "s", 0);
	for (unsigned i = 0; i < 30; i++) {
		/* 1, then 34, 35, .. 62 bytes, each on a line of its own */
		lac_type_id t = hm_array(h, HM_CHAR, i ? 33 + i : 1);
		struct lac_member *m = hm_member(h, "m", t, i * 64);

		m->declared_align = i ? 64 : 0;
		at = i * 64 + lac_type_size(&h->graph, t);
	}
	h->records[0].size = (at + 63) / 64 * 64;
	hm_finish(h);
	assert_int_equal(lac_reorder(&h->graph, 0,
				     lac_rules_create(&h->graph, arena), arena,
				     &x, &err), LAC_OK);
	assert_int_equal(x.status, LAC_REORDER_SMALLER);
	assert_int_equal(x.saves, 64);
	assert_false(x.least);
	check_layout(&h->graph, &x, arena);
	lac_arena_destroy(arena);
	hm_destroy(h);
}

static void refused_kinds(void **state)
{
	struct handmade *h = hm_create();
	struct lac_arena *arena = lac_arena_create();
	static const char *const reasons[] = { "union", "Rust", "Rust",
					       "is not known", "class",
					       "base class", "malformed",
					       "size of x" };
	struct lac_rules *rules;
	struct lac_reorder x;
	struct lac_err err;

	(void)state;
	hm_record(h, LAC_UNION, "u", 1);
	hm_record(h, LAC_VARIANT_ENUM, "e", 1);
	hm_record(h, LAC_VARIANT, "v", 1);
	hm_record(h, LAC_STRUCT, "k", LAC_SIZE_UNKNOWN);
	hm_record(h, LAC_CLASS, "c", 1);
	hm_record(h, LAC_STRUCT, "b", 4);
	hm_member(h, NULL, HM_INT, 0)->role = LAC_MEMBER_BASE;
	h->records[hm_record(h, LAC_STRUCT, "d", 1)].damage = "cut off";
	hm_record(h, LAC_STRUCT, "x", 4);
	hm_member(h, "x", HM_INT, 0)->bit_size = LAC_SIZE_UNKNOWN;
	hm_finish(h);
	rules = lac_rules_create(&h->graph, arena);
	for (uint32_t i = 0; i < h->graph.nrecords; i++) {
		assert_int_equal(lac_reorder(&h->graph, i, rules, arena, &x,
					     &err), LAC_OK);
		assert_int_equal(x.status, LAC_REORDER_UNSUPPORTED);
		assert_non_null(strstr(x.reason, reasons[i]));
	}
	lac_arena_destroy(arena);
	hm_destroy(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_structs),
		cmocka_unit_test(written_structs),
		cmocka_unit_test(many_members),
		cmocka_unit_test(refused_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

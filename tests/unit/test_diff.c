/* SPDX-License-Identifier: BSD-2-Clause */
/* test_diff.c - the laws of a diff, on random builds and on small ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "diff/diff.h"
#include "diff/internal.h"
#include "compiled.h"
#include "diff_graph.h"

enum { ROUNDS = 3000 };

static struct lac_diff *diff(const struct lac_graph *a,
			     const struct lac_graph *b)
{
	struct lac_diff_options o = {0};
	struct lac_diff *d = NULL;
	struct lac_err err = {0};

	if (lac_diff_compute(a, b, &o, &d, &err) != LAC_OK)
		fail_msg("%s", err.msg);
	return d;
}

static uint64_t seed(void)
{
	const char *s = getenv("LAC_SEED");

	return s ? strtoull(s, NULL, 0) : 1;
}

static void edit_some(struct plan *p, struct lac_rng *g)
{
	uint64_t n = 1 + lac_rng_below(g, 6);

	while (n--)
		p_edit(p, g);
}

static void nothing_changed(void **state)
{
	struct lac_rng g = {seed()};

	(void)state;
	for (int i = 0; i < ROUNDS / 4; i++) {
		struct plan p;
		struct handmade *a, *b;
		struct lac_diff *d;

		p_random(&p, &g);
		edit_some(&p, &g);
		a = p_build(&p);
		b = p_build(&p);
		d = diff(&a->graph, &b->graph);
		assert_int_equal(d->nrecords, 0);
		assert_int_equal(d->ncauses, 0);
		assert_int_equal(d->old_unidentified, 0);
		lac_diff_destroy(d);
		hm_destroy(a);
		hm_destroy(b);
	}
}

/* The first place where two shapes differ, for whom it has to find. */
static void tell_apart(const struct lac_shape *a, const struct lac_shape *b)
{
	print_message("size %lu %lu, align %u %u, packed %d %d, fields %u %u\n",
		      a->size, b->size, a->align, b->align, a->packed,
		      b->packed, a->nfields, b->nfields);
	for (uint32_t i = 0; i < a->nfields && i < b->nfields; i++) {
		const struct lac_field *f = &a->fields[i], *g = &b->fields[i];

		if (f->bit_offset == g->bit_offset &&
		    f->bit_size == g->bit_size && !strcmp(f->path, g->path) &&
		    !strcmp(f->type, g->type) &&
		    f->declared_align == g->declared_align &&
		    !strcmp(f->resolved ? f->resolved : "",
			    g->resolved ? g->resolved : ""))
			continue;
		print_message("%s %s (%s) %lu %lu: %s %s (%s) %lu %lu\n",
			      f->type, f->path,
			      f->resolved ? f->resolved : "", f->bit_offset,
			      f->bit_size, g->type, g->path,
			      g->resolved ? g->resolved : "", g->bit_offset,
			      g->bit_size);
		return;
	}
}

static void check_applies(const struct lac_record_diff *r, int round)
{
	struct lac_arena *arena = lac_arena_create();
	struct lac_err err = {0};
	struct lac_shape s;

	if (!r->old_shape || !r->new_shape ||
	    r->pairing == LAC_PAIR_RENAMED) {
		lac_arena_destroy(arena);
		return;
	}
	assert_int_equal(lac_diff_apply(r, arena, &s, &err), LAC_OK);
	if (lac_shape_same_layout(&s, r->new_shape)) {
		lac_arena_destroy(arena);
		return;
	}
	tell_apart(&s, r->new_shape);
	fail_msg("round %d: %s: the changes do not give the new one", round,
		 r->old_shape->label);
}

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static enum lac_change_class mirrored(enum lac_change_class c)
{
	switch (c) {
	case LAC_CHANGE_MEMBER_ADDED:
		return LAC_CHANGE_MEMBER_REMOVED;
	case LAC_CHANGE_MEMBER_REMOVED:
		return LAC_CHANGE_MEMBER_ADDED;
	case LAC_CHANGE_ENUMERATOR_ADDED:
		return LAC_CHANGE_ENUMERATOR_REMOVED;
	case LAC_CHANGE_ENUMERATOR_REMOVED:
		return LAC_CHANGE_ENUMERATOR_ADDED;
	default:
		return c;
	}
}

static const char *old_path(const struct lac_change *c)
{
	return c->old_member ? c->old_member : c->member;
}

static bool mirrors(const struct lac_change *c, const struct lac_change *m)
{
	return m->class == mirrored(c->class) && m->guess == c->guess &&
	       m->old_value == c->new_value && m->new_value == c->old_value &&
	       m->old_bits == c->new_bits && m->new_bits == c->old_bits &&
	       same(m->old_text, c->new_text) &&
	       same(m->new_text, c->old_text) &&
	       same(old_path(m), c->member) && same(m->member, old_path(c));
}

static const struct lac_record_diff *
find_mirror(const struct lac_diff *d, const struct lac_record_diff *r)
{
	static const enum lac_pairing other[] = {
		[LAC_PAIR_ADDED] = LAC_PAIR_REMOVED,
		[LAC_PAIR_REMOVED] = LAC_PAIR_ADDED,
		[LAC_PAIR_CHANGED] = LAC_PAIR_CHANGED,
		[LAC_PAIR_RENAMED] = LAC_PAIR_RENAMED,
	};

	for (uint32_t i = 0; i < d->nrecords; i++) {
		const struct lac_record_diff *m = &d->records[i];

		if (m->pairing == other[r->pairing] &&
		    same(m->old_shape ? m->old_shape->label : NULL,
			 r->new_shape ? r->new_shape->label : NULL) &&
		    same(m->new_shape ? m->new_shape->label : NULL,
			 r->old_shape ? r->old_shape->label : NULL))
			return m;
	}
	return NULL;
}

static void check_mirror(const struct lac_diff *d, const struct lac_diff *m,
			 int round)
{
	assert_int_equal(d->nrecords, m->nrecords);
	for (uint32_t i = 0; i < d->nrecords; i++) {
		const struct lac_record_diff *r = &d->records[i];
		const struct lac_record_diff *o = find_mirror(m, r);

		if (!o)
			fail_msg("round %d: record %u has no mirror", round,
				 i);
		if (r->nchanges != o->nchanges)
			fail_msg("round %d: %u changes, mirror %u", round,
				 r->nchanges, o->nchanges);
		for (uint32_t k = 0; k < r->nchanges; k++) {
			uint32_t j = 0;

			while (j < o->nchanges &&
			       !mirrors(&r->changes[k], &o->changes[j]))
				j++;
			if (j == o->nchanges)
				fail_msg("round %d: %s of %s has no mirror",
					 round,
					 lac_change_class_name(
						 r->changes[k].class),
					 r->old_shape->label);
		}
	}
}

/*
 * A record whose own plan did not change has no change of its own.  Not where
 * something is packed: a packed record with natural offsets looks like one
 * that is not, so what it asks of its holders cannot be told.
 */
static void check_own(const struct plan *p, const struct plan *q,
		      const struct lac_diff *d, int round)
{
	for (unsigned k = 0; k < P_RECORDS; k++)
		if (p->r[k].packed || q->r[k].packed)
			return;
	for (uint32_t i = 0; i < d->nrecords; i++) {
		const struct lac_record_diff *r = &d->records[i];

		if (r->pairing != LAC_PAIR_CHANGED || r->old_shape->is_enum)
			continue;
		for (unsigned k = 0; k < P_RECORDS; k++) {
			char name[32];

			snprintf(name, sizeof(name), "r%u", p->r[k].name);
			if (strcmp(name, r->old_shape->name))
				continue;
			if (!memcmp(&p->r[k], &q->r[k], sizeof(p->r[k])) &&
			    !r->explained)
				fail_msg("round %d: %s was not touched, but "
					 "has changes of its own",
					 round, name);
			if (r->explained)
				assert_true(r->ncauses > 0);
		}
	}
}

static void random_builds(void **state)
{
	struct lac_rng g = {seed()};

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct plan p, q;
		struct handmade *a, *b;
		struct lac_diff *d, *m;

		p_random(&p, &g);
		q = p;
		edit_some(&q, &g);
		a = p_build(&p);
		b = p_build(&q);
		d = diff(&a->graph, &b->graph);
		m = diff(&b->graph, &a->graph);
		for (uint32_t k = 0; k < d->nrecords; k++)
			check_applies(&d->records[k], i);
		check_mirror(d, m, i);
		check_own(&p, &q, d, i);
		lac_diff_destroy(d);
		lac_diff_destroy(m);
		hm_destroy(a);
		hm_destroy(b);
	}
}

/* The diff of two unrelated builds still obeys the laws. */
static void unrelated_builds(void **state)
{
	struct lac_rng g = {seed() + 1};

	(void)state;
	for (int i = 0; i < ROUNDS / 4; i++) {
		struct plan p, q;
		struct handmade *a, *b;
		struct lac_diff *d, *m;

		p_random(&p, &g);
		p_random(&q, &g);
		a = p_build(&p);
		b = p_build(&q);
		d = diff(&a->graph, &b->graph);
		m = diff(&b->graph, &a->graph);
		for (uint32_t k = 0; k < d->nrecords; k++)
			check_applies(&d->records[k], i);
		check_mirror(d, m, i);
		lac_diff_destroy(d);
		lac_diff_destroy(m);
		hm_destroy(a);
		hm_destroy(b);
	}
}

static char *text_of(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = calloc(1, 1 << 16);

	assert_non_null(f);
	assert_non_null(text);
	assert_true(fread(text, 1, (1 << 16) - 1, f) > 0);
	assert_int_equal(fclose(f), 0);
	return text;
}

static void check_laws(const struct lac_graph *a, const struct lac_graph *b,
		       bool distinct)
{
	struct lac_diff *d = diff(a, b), *m = diff(b, a);

	assert_true(d->nrecords > 0);
	for (uint32_t k = 0; k < d->nrecords; k++)
		check_applies(&d->records[k], 0);
	for (uint32_t k = 0; k < m->nrecords; k++)
		check_applies(&m->records[k], 0);
	assert_int_equal(d->nrecords, m->nrecords);
	if (distinct) /* no two records of one name */
		check_mirror(d, m, 0);
	lac_diff_destroy(d);
	lac_diff_destroy(m);
}

/* Every two of them: unrelated files, and one that is the other's version. */
static void compiled_files_obey_the_laws(void **state)
{
	static const char *const files[] = {
		"fixtures/cases/50_diff_v1.c",
		"fixtures/cases/51_diff_v2.c",
		"fixtures/cases/02_bitfields_of_every_type.c",
		"fixtures/cases/11_packed_inference.c",
		"fixtures/cases/20_anonymous.c",
		"fixtures/cases/25_struct_page_like.c",
	};
	enum { N = sizeof(files) / sizeof(*files) };
	struct compiled c[N];
	struct lac_graph *g[N];

	(void)state;
	if (access(files[0], R_OK))
		SKIP_BECAUSE("not run from the project's directory");
	for (int i = 0; i < N; i++) {
		char *text = text_of(files[i]);

		compile_text(&c[i], "gcc -g -Ifixtures/cases", ".c", text);
		g[i] = read_file(c[i].path);
		free(text);
	}
	for (int i = 0; i < N; i++)
		for (int k = 0; k < i; k++)
			check_laws(g[i], g[k], true);
	for (int i = 0; i < N; i++) {
		lac_graph_destroy(g[i]);
		remove_compiled(&c[i]);
	}
}

static void kernels_obey_the_laws(void **state)
{
	const char *old_path = getenv("LACUNA_VMLINUX");
	const char *new_path = getenv("LACUNA_VMLINUX2");
	struct lac_graph *a, *b;

	(void)state;
	if (!old_path || !new_path || access(old_path, R_OK) ||
	    access(new_path, R_OK))
		SKIP_BECAUSE("no LACUNA_VMLINUX and LACUNA_VMLINUX2");
	a = read_file(old_path);
	b = read_file(new_path);
	check_laws(a, b, false);
	lac_graph_destroy(a);
	lac_graph_destroy(b);
}

static const char *normal(const char *text, struct lac_arena *arena)
{
	return lac_type_text_normal(text, arena);
}

static void integer_types_have_one_spelling(void **state)
{
	struct lac_arena *arena = lac_arena_create();
	static const char *const pairs[][2] = {
		{"long unsigned int", "unsigned long"},
		{"long int *", "long *"},
		{"long long unsigned int [4]", "unsigned long long [4]"},
		{"short int", "short"},
		{"short unsigned int", "unsigned short"},
		{"unsigned int", "unsigned int"},
		{"unsigned", "unsigned int"},
		{"signed char", "signed char"},
		{"unsigned char", "unsigned char"},
		{"long double", "long double"},
		{"unsigned __int128", "unsigned __int128"},
		{"__int128 unsigned *", "unsigned __int128 *"},
		{"void (*)(long unsigned int, char)",
		 "void (*)(unsigned long, char)"},
		{"struct longest", "struct longest"},
		{"Box<long int>", "Box<long>"},
		{"const long int", "const long"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		assert_string_equal(normal(pairs[i][0], arena), pairs[i][1]);
	lac_arena_destroy(arena);
}

/* Computed with calculate_order() by hand and seen on running kernels. */
static void slabs_are_cut_as_slub_does(void **state)
{
	static const struct {
		uint64_t size;
		uint32_t cpus, objects, order;
	} cases[] = {
		{8, 1, 512, 0},	    {96, 1, 42, 0},    {96, 1024, 85, 1},
		{192, 8, 21, 0},    {192, 16, 42, 1},  {192, 1024, 85, 2},
		{256, 4, 16, 0},    {256, 8, 32, 1},   {256, 128, 64, 2},
		{512, 1, 8, 0},	    {512, 4, 16, 1},   {512, 128, 64, 3},
		{1024, 1, 8, 1},    {2048, 4, 16, 3},  {4096, 16, 8, 3},
		{8192, 16, 4, 3},   {128, 1, 32, 0},   {136, 4, 30, 0},
		{120, 16, 34, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct lac_slab_fit f =
			lac_slab_fit_for(cases[i].size, cases[i].cpus);

		assert_int_equal(f.objects, cases[i].objects);
		assert_int_equal(f.order, cases[i].order);
	}
	assert_int_equal(lac_slab_fit_for(0, 4).objects, 0);
	assert_int_equal(lac_slab_fit_for(UINT64_MAX, 4).objects, 0);
	assert_int_equal(lac_slab_fit_for(4097, 4).order, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_changed),
		cmocka_unit_test(random_builds),
		cmocka_unit_test(unrelated_builds),
		cmocka_unit_test(compiled_files_obey_the_laws),
		cmocka_unit_test(kernels_obey_the_laws),
		cmocka_unit_test(integer_types_have_one_spelling),
		cmocka_unit_test(slabs_are_cut_as_slub_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Explanations of made-up cells whose truth is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "correlate/evidence.h"

enum { OPS = 20000 };

/* One cell of a table that was run, per operation. */
struct made {
	struct lac_bench_result result;
	struct lac_bench bench;
	struct lac_array_count page[LAC_NCELLS];
	json_t *statistics;
};

static void set_ratio(struct lac_comparison *c, double ratio, double half,
		      const struct lac_times *t)
{
	for (int k = 0; k < LAC_NTIMES; k++)
		c->ratio[k] = (struct lac_interval){ ratio, ratio - half,
						     ratio + half, 8, 8 };
	c->verdict = lac_resolve(c->ratio, t->null, LAC_NTIMES);
}

/* Times of 20 ns with the given effects, resolved beyond 2 %. */
static void set_times(struct made *m, double size, double update)
{
	struct lac_times *t = &m->result.times;

	m->result.has_times = true;
	t->rounds = 8;
	t->has_effects = true;
	for (int k = 0; k < LAC_NTIMES; k++)
		t->null[k] = (struct lac_interval){ 1, 0.99, 1.01, 2, 2 };
	for (int v = 0; v < LAC_NCELLS; v++)
		for (int k = 0; k < LAC_NTIMES; k++)
			t->ns[v][k] = (struct lac_interval){ 20, 19, 21, 8, 8 };
	set_ratio(&t->size, size, 0.01, t);
	set_ratio(&t->update, update, 0.01, t);
	set_ratio(&t->interaction, 1, 0.01, t);
}

static void set_misses(struct made *m, double aligned_l1, double packed_l1,
		       double packed_llc)
{
	for (int v = 0; v < LAC_NCELLS; v++) {
		struct lac_simulation *s = &m->result.simulation[v];
		bool packed = v == LAC_PACKED_LOCK || v == LAC_PACKED_CAS;
		double page = packed ? packed_l1 : aligned_l1;

		m->page[v].l1_misses = (uint64_t)(page * OPS + 0.5);
		m->page[v].lines_touched = packed ? 7 * OPS / 128 : OPS / 16;
		*s = (struct lac_simulation){
			.ops = OPS,
			.n = OPS,
			.accesses = 27 * OPS,
			.l1_misses = 2 * OPS + m->page[v].l1_misses,
			.llc_misses =
				packed ? (uint64_t)(packed_llc * OPS) : 0,
			.page_array = &m->page[v],
		};
		m->result.has_simulation[v] = true;
		m->result.statistics[v] = m->statistics;
	}
}

static void begin(struct made *m, const char *test, double slow_share)
{
	memset(m, 0, sizeof(*m));
	m->result.cell = (struct lac_bench_cell){ test, 256, OPS, true, true, 0 };
	m->bench.nresults = 1;
	m->bench.results = &m->result;
	m->statistics = json_pack(
		"{s:i, s:i, s:i, s:i}", "alloc_fastpath", OPS, "free_fastpath",
		(int)(OPS * (1 - slow_share)), "alloc_slowpath", 0,
		"free_slowpath", (int)(OPS * slow_share));
	set_misses(m, 0.1, 0.0875, 0);
}

static struct lac_evidence judge(struct made *m, struct lac_arena *a,
				 const struct lac_other_run *others, size_t n)
{
	struct lac_library none = { 0 };
	struct lac_findings f;
	struct lac_err err;

	assert_int_equal(lac_correlate(&m->bench, &none, others, n, 1, a, &f,
				       &err),
			 LAC_OK);
	assert_int_equal(f.n, 1);
	return f.rows[0];
}

static void expect(struct made *m, enum lac_explanation want, const char *said)
{
	LAC_CLEANUP_ARENA struct lac_arena *a = lac_arena_create();
	struct lac_evidence e = judge(m, a, NULL, 0);

	if (e.explanation != want)
		fail_msg("%s: %s", lac_explanation_name(e.explanation),
			 e.sentence);
	if (!strstr(e.sentence, said))
		fail_msg("'%s' lacks '%s'", e.sentence, said);
	json_decref(m->statistics);
}

static void test_explanations(void **state)
{
	struct made m;

	(void)state;
	begin(&m, "bulk", 1);
	expect(&m, LAC_NOT_TIMED, "Not timed");

	begin(&m, "bulk", 1);
	set_times(&m, 1.01, 0.995);
	expect(&m, LAC_NOTHING_TO_EXPLAIN, "No difference");

	/* the lock, on a path that is taken once an operation */
	begin(&m, "bulk", 1);
	set_times(&m, 1, 1.4);
	expect(&m, LAC_BY_UPDATE, "explained by the update");

	/* the same where the path is not taken */
	begin(&m, "pair", 0);
	set_times(&m, 1, 1.4);
	expect(&m, LAC_NOT_EXPLAINED, "not explained");

	/* packing is faster, and misses less: 0.4 ns may be 0.0125 * 5 + ... */
	begin(&m, "bulk", 1);
	set_misses(&m, 0.5, 0.2, 0);
	set_times(&m, 0.95, 1);
	expect(&m, LAC_BY_LAYOUT, "explained by the layout, whose misses");

	/* packing is faster although it misses more */
	begin(&m, "bulk", 1);
	set_misses(&m, 0.2, 0.5, 0);
	set_times(&m, 0.95, 1);
	expect(&m, LAC_NOT_EXPLAINED, "not explained");

	/* slower by more than its misses can cost */
	begin(&m, "bulk", 1);
	set_misses(&m, 0.2, 0.5, 0);
	set_times(&m, 2, 1);
	expect(&m, LAC_NOT_EXPLAINED, "not explained");
	/* unless they reach memory */
	begin(&m, "bulk", 1);
	set_misses(&m, 0.2, 0.5, 0.2);
	set_times(&m, 2, 1);
	expect(&m, LAC_BY_LAYOUT, "explained by the layout");

	begin(&m, "bulk", 1);
	set_misses(&m, 0.5, 0.2, 0);
	set_times(&m, 0.95, 1.3);
	expect(&m, LAC_BY_BOTH, "explained by both");
}

/* The gap of 2013: a third of the time, and nothing counted differs. */
static void test_published_gap(void **state)
{
	struct made m;

	(void)state;
	begin(&m, "pair", 0);
	set_misses(&m, 0, 0, 0);
	set_times(&m, 0.73, 1);
	expect(&m, LAC_NOT_EXPLAINED, "No variant misses the page array");
}

/* Three per cent slower without a miss: instructions, not footprint. */
static void test_arithmetic(void **state)
{
	struct made m;

	(void)state;
	begin(&m, "pair", 0);
	set_misses(&m, 0, 0, 0);
	set_times(&m, 1.04, 1);
	expect(&m, LAC_BY_LAYOUT, "though not by its footprint");
}

static void test_interaction_alone(void **state)
{
	struct made m;

	(void)state;
	begin(&m, "bulk", 1);
	set_times(&m, 1, 1);
	set_ratio(&m.result.times.interaction, 1.3, 0.01, &m.result.times);
	expect(&m, LAC_NOT_EXPLAINED, "Only the interaction");
}

/* A sign that flips at another n is seen; nearby runs widen the range. */
static void test_elsewhere(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *a = lac_arena_create();
	struct made m, same, flipped, close;
	struct lac_other_run others[] = {
		{ &same.bench, "n = 5000", false },
		{ &flipped.bench, "zen3-milan", false },
		{ &close.bench, "n = 21000", true },
	};
	struct lac_evidence e;

	(void)state;
	begin(&m, "bulk", 1);
	begin(&same, "bulk", 1);
	begin(&flipped, "bulk", 1);
	begin(&close, "bulk", 1);
	set_misses(&same, 0.1, 0.08, 0);
	set_misses(&flipped, 0.1, 0.14, 0);
	set_misses(&close, 0.1, 0.09, 0);
	e = judge(&m, a, others, 3);
	assert_int_equal(e.nelsewhere, 2);
	assert_int_equal(e.agreeing, 1);
	assert_int_equal(e.elsewhere[1].direction, LAC_MORE);
	assert_true(fabs(e.page_l1.size_share + 0.125) < 1e-9);
	assert_true(fabs(e.page_l1.low + 0.125) < 1e-9);
	assert_true(fabs(e.page_l1.high + 0.1) < 1e-9);
	json_decref(m.statistics);
	json_decref(same.statistics);
	json_decref(flipped.statistics);
	json_decref(close.statistics);
}

static void test_paths(void **state)
{
	LAC_CLEANUP_ARENA struct lac_arena *a = lac_arena_create();
	struct made m;
	struct lac_evidence e;

	(void)state;
	begin(&m, "bulk", 0.25);
	e = judge(&m, a, NULL, 0);
	assert_true(fabs(e.updates - 0.25) < 1e-9);
	assert_true(fabs(e.fastpath - 0.875) < 1e-9);
	assert_non_null(e.published);
	assert_true(fabs(e.published->pair_aligned_cas_ns - 57.4) < 1e-9);
	json_decref(m.statistics);
}

static void test_reference(void **state)
{
	double product = 1;

	(void)state;
	/* its own summary: the geometric mean of test 2 is 0.648 */
	for (size_t i = 0; i < lac_nreference_2013; i++)
		product *= lac_reference_2013[i].pair_packed_lock_ns /
			   lac_reference_2013[i].pair_aligned_cas_ns;
	assert_true(fabs(pow(product, 1.0 / 7) - 0.648) < 0.0005);
	product = 1;
	for (size_t i = 0; i < lac_nreference_2013; i++)
		product *= lac_reference_2013[i].bulk_packed_lock_ns /
			   lac_reference_2013[i].bulk_aligned_cas_ns;
	assert_true(fabs(pow(product, 1.0 / 7) - 1.016) < 0.0005);
	assert_null(lac_reference_find(7));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_explanations),
		cmocka_unit_test(test_published_gap),
		cmocka_unit_test(test_arithmetic),
		cmocka_unit_test(test_interaction_alone),
		cmocka_unit_test(test_elsewhere),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_reference),
	};

	return cmocka_run_group_tests_name("correlate_verdict", tests, NULL,
					   NULL);
}

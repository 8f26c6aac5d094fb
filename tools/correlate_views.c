/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <string.h>

#include "base/words.h"
#include "bench_era.h"
#include "bench_figures.h"
#include "bench_rests.h"
#include "correlate_doc.h"
#include "heat_map.h"
#include "layout/array.h"

#define COLUMNS(c) c, sizeof(c) / sizeof(c[0])

#define EFFECT(key, title)                                                     \
	{ "time." key ".value", title, LAC_UNIT_RATIO, 2, "time." key ".low",  \
	  "time." key ".high" }

static const struct lac_column effect_columns[] = {
	{ "size", "size", LAC_UNIT_BYTES, 0, NULL, NULL },
	EFFECT("size", "packing"),
	EFFECT("update", "lock"),
	EFFECT("interaction", "interaction"),
};

static const struct lac_column chain_columns[] = {
	{ "size", "size", LAC_UNIT_BYTES, 0, NULL, NULL },
	{ "lines_predicted.size_share", "lines predicted", LAC_UNIT_CHANGE, 1,
	  NULL, NULL },
	{ "lines_touched.size_share", "lines touched", LAC_UNIT_CHANGE, 1,
	  NULL, NULL },
	{ "page_array_l1_misses.size_share", "L1 misses there",
	  LAC_UNIT_CHANGE, 1, "page_array_l1_misses.size_share_low",
	  "page_array_l1_misses.size_share_high" },
	{ "l1_misses.size_share", "all L1 misses", LAC_UNIT_CHANGE, 1, NULL,
	  NULL },
	{ "explained_how", "time explained by", LAC_UNIT_NONE, 0, NULL, NULL },
};

static const struct lac_column published_columns[] = {
	{ "size", "size", LAC_UNIT_BYTES, 0, NULL, NULL },
	{ "published_2013.aligned_cas_ns", "mail: aligned-cas, ns", LAC_UNIT_NS, 1,
	  NULL, NULL },
	{ "published_2013.packed_lock_ns", "mail: packed-lock, ns", LAC_UNIT_NS, 1,
	  NULL, NULL },
	{ "published_2013.ratio", "mail: ratio", LAC_UNIT_RATIO, 2, NULL,
	  NULL },
	{ "packed_lock_to_aligned_cas.value", "here: ratio", LAC_UNIT_RATIO, 2,
	  "packed_lock_to_aligned_cas.low", "packed_lock_to_aligned_cas.high" },
	{ "packed_lock_to_aligned_cas.verdict", "verdict", LAC_UNIT_NONE, 0, NULL,
	  NULL },
};

static const struct lac_column rank_columns[] = {
	{ "what", "over all cells", LAC_UNIT_NONE, 0, NULL, NULL },
	{ "sizes", "sizes", LAC_UNIT_COUNT, 0, NULL, NULL },
	{ "value", "rank correlation", LAC_UNIT_RATIO, 2, "low", "high" },
};

static bool timed(const json_t *rows)
{
	return json_object_get(json_array_get(rows, 0), "time") != NULL;
}

static const char *key(struct lac_doc *d, const json_t *test, const char *what)
{
	const char *name = json_string_value(json_object_get(test, "test"));
	const char *k = lac_arena_printf(d->arena, "%s-%s", name, what);

	return k ? k : what;
}

static void robust_view(struct lac_doc *d, const struct lac_experiment *r,
			const struct lac_findings *f, const json_t *test,
			const json_t *rows)
{
	struct lac_column *c = lac_arena_zalloc(d->arena, 8, sizeof(*c));
	size_t n = 0, k = 0;

	if (!c || !f->n || !f->rows[0].nelsewhere)
		return;
	c[n++] = (struct lac_column){ "size", "size", LAC_UNIT_BYTES, 0, NULL,
				      NULL };
	c[n++] = (struct lac_column){ "page_array_l1_misses.size_share", "here",
				      LAC_UNIT_CHANGE, 1, NULL, NULL };
	for (size_t i = 0; i < r->nothers && n < 7; i++) {
		const char *where = r->others[i].where;

		if (r->others[i].nearby)
			continue;
		c[n++] = (struct lac_column){
			lac_arena_printf(d->arena, "other%zu", k++), where,
			LAC_UNIT_CHANGE, 1, NULL, NULL
		};
	}
	c[n++] = (struct lac_column){ "same_direction", "same direction",
				      LAC_UNIT_NONE, 0, NULL, NULL };
	lac_doc_table(d, key(d, test, "robust"),
		      "Does it hold elsewhere?  Change of the page array's L1 "
		      "misses by packing (simulated)",
		      c, n, rows);
	lac_doc_detail(d);
}

/* Whether there is a change of misses that could hold elsewhere. */
static bool any_misses(const json_t *rows)
{
	const json_t *row;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)rows, i, row)
		if (json_is_number(lac_row_cell(
			    row, "page_array_l1_misses.size_share")))
			return true;
	return false;
}

static const char *said(struct lac_doc *d, const struct lac_times *t,
			const struct lac_comparison *c)
{
	const struct lac_interval *i = &c->ratio[LAC_CPU_MEDIAN];
	bool why = lac_times_deceives(t, c);
	const char *s = lac_arena_printf(
		d->arena, "%.3f [%.3f, %.3f] (%s%s%s)", i->value, i->low,
		i->high, lac_resolution_name(c->verdict), why ? ", by the " : "",
		why ? lac_times_why(t, c, d->arena) : "");

	return s ? s : "";
}

/* Where one size says too little. */
static void pooled_view(struct lac_doc *d, const struct lac_experiment *r,
			const json_t *test)
{
	const char *name = json_string_value(json_object_get(test, "test"));

	for (size_t i = 0; i < r->bench->npooled; i++) {
		const struct lac_pooled *p = &r->bench->pooled[i];

		if (strcmp(p->test, name) != 0 || !p->times.has_effects ||
		    isnan(p->times.size.ratio[LAC_CPU_MEDIAN].low))
			continue;
		lac_doc_paragraph(
			d,
			"All %u sizes together, in %u rounds: packing %s, the "
			"lock %s; the controls span %.3f to %.3f.%s",
			p->sizes, p->times.rounds,
			said(d, &p->times, &p->times.size),
			said(d, &p->times, &p->times.update),
			p->times.null[LAC_CPU_MEDIAN].low,
			p->times.null[LAC_CPU_MEDIAN].high,
			p->times.size.verdict == LAC_SLOWER &&
					!any_misses(json_object_get(test,
								    "rows")) ?
				" No variant misses the page array, so this is "
				"the layout by its indexing, not by its "
				"footprint: the code takes more instructions to "
				"index by 56 bytes than by 64." :
				"");
	}
}

/* "256, 512 bytes: Not timed. ...": too long for the cell of a table. */
static void in_words(struct lac_doc *d, const json_t *sentences)
{
	for (size_t i = 0; i < json_array_size(sentences); i++) {
		const json_t *one = json_array_get(sentences, i);
		const json_t *sizes = json_object_get(one, "sizes");
		const char *text = "";

		for (size_t k = 0; k < json_array_size(sizes) && text; k++)
			text = lac_arena_printf(
				d->arena, "%s%s%" JSON_INTEGER_FORMAT, text,
				k ? ", " : "",
				json_integer_value(json_array_get(sizes, k)));
		d->broken |= !text;
		lac_doc_paragraph(d, "%s bytes: %s", text ? text : "",
				  json_string_value(json_object_get(
					  one, "sentence")));
		lac_doc_detail(d);
	}
}

static void test_views(struct lac_doc *d, const struct lac_experiment *r,
		       const struct lac_findings *f, const json_t *test,
		       unsigned level)
{
	const json_t *rows = json_object_get(test, "rows");

	lac_doc_heading(d, level, "%s",
			json_string_value(json_object_get(test, "title")));
	if (timed(rows))
		lac_doc_table(d, key(d, test, "effects"),
			      "Time: what packing does (mean over both "
			      "updates), what the lock does (mean over both "
			      "sizes), and what both together do beyond that "
			      "(interaction); ratios with 95 % intervals",
			      COLUMNS(effect_columns), rows);
	if (timed(rows)) {
		lac_correlate_figure(d, f,
				     json_string_value(json_object_get(
					     test, "test")));
		pooled_view(d, r, test);
		lac_rests_table(d, key(d, test, "rests"),
				json_object_get(test, "rests_on"));
	}
	lac_doc_table(d, key(d, test, "chain"),
		      "What packing changes: lines of the page array as the "
		      "layout predicts, lines and misses simulated (range over "
		      "n from -5 % to +5 %), and whether that explains the "
		      "time",
		      COLUMNS(chain_columns), rows);
	/* the summary has said that nothing is missed and nothing timed */
	if (!timed(rows) && !any_misses(rows))
		lac_doc_detail(d);
	in_words(d, json_object_get(test, "sentences"));
	lac_evidence_figure(d, test);
	if (any_misses(rows))
		robust_view(d, r, f, test, rows);
	if (!json_object_get(json_array_get(rows, 0), "published_2013"))
		return;
	lac_doc_table(d, key(d, test, "published"),
		      "Beside the table of the 2013 mail (to linux-mm, 18 "
		      "December 2013, in the thread on shrinking struct page "
		      "from 64 bytes to 56): aligned-cas has 64 "
		      "bytes, packed-lock 56; ratios of packed-lock to "
		      "aligned-cas",
		      COLUMNS(published_columns), rows);
	if (!timed(rows)) /* there is nothing here to compare */
		lac_doc_detail(d);
}

/* The rows of the pair loop, or of one size of another test. */
static const struct lac_evidence *find(const struct lac_findings *f,
				       const char *test, unsigned size)
{
	for (size_t i = 0; i < f->n; i++)
		if (!strcmp(f->rows[i].cell->cell.test, test) &&
		    (!size || f->rows[i].cell->cell.size == size))
			return &f->rows[i];
	return NULL;
}

/* The largest of a figure over the variants of all rows of a test. */
static double largest(const struct lac_findings *f, const char *test,
		      double (*of)(const struct lac_evidence *e, int v))
{
	double most = 0;

	for (size_t i = 0; i < f->n; i++)
		for (int v = 0; v < LAC_NCELLS; v++)
			if (!strcmp(f->rows[i].cell->cell.test, test))
				most = fmax(most, of(&f->rows[i], v));
	return most;
}

static double page_l1(const struct lac_evidence *e, int v)
{
	return e->page_l1.x[v];
}

static double round_lines(const struct lac_evidence *e, int v)
{
	return e->lines.x[v] * (double)e->cell->simulation[v].n;
}

static double updates(const struct lac_evidence *e, int v)
{
	(void)v;
	return e->updates;
}

static void pair_sign(struct lac_doc *d, const struct lac_findings *f,
		      const struct lac_evidence *e, double cycles)
{
	struct lac_pair_argument a = {
		.needed = cycles / 10,
		.lines_isolated_aligned =
			e->prediction[LAC_ALIGNED_CAS].lines_isolated,
		.lines_isolated_packed =
			e->prediction[LAC_PACKED_LOCK].lines_isolated,
		.lines_of_round = largest(f, "pair", round_lines),
		.page_l1 = largest(f, "pair", page_l1),
		.updates = largest(f, "pair", updates),
		.n = e->cell->cell.n,
		.l1_lines = e->cell->simulation[0].l1_bytes /
			    e->cell->simulation[0].line_bytes,
	};

	lac_doc_paragraph(
		d,
		"And the sign is wrong: from the layout, a free that finds its "
		"descriptor cold touches %.2f lines with packed and %.2f with "
		"aligned descriptors, never fewer. A model that reproduces "
		"this gap from the footprint is wrong; its cause lies "
		"elsewhere, and one run a kernel cannot tell it from placement "
		"or from the modes of a machine.",
		a.lines_isolated_packed, a.lines_isolated_aligned);
	lac_correlate_chain(d, &a);
	lac_doc_detail(d);
}

/*
 * The published gap of test 2 and why the page array cannot be its cause: each
 * step from the numbers of this run.
 */
static void pair_views(struct lac_doc *d, const struct lac_findings *f,
		       unsigned level)
{
	const struct lac_evidence *e = find(f, "pair", 256);
	const struct lac_reference *p = lac_reference_find(256);
	double gap, cycles;

	if (!e)
		e = find(f, "pair", 0);
	if (!e || !p)
		return;
	gap = p->pair_aligned_cas_ns - p->pair_packed_lock_ns;
	cycles = gap * LAC_REFERENCE_GHZ;
	lac_doc_heading(d, level,
			"Why the gap of pair in the mail of December 2013 "
			"cannot come from the footprint");
	lac_doc_paragraph(
		d,
		"The mail has %.1f ns with aligned-cas (64 bytes) and %.1f ns "
		"with packed-lock (56 bytes) for objects of 256 bytes: %.1f "
		"ns, %.0f cycles of that machine, in every operation. At 10 "
		"cycles for an L1 miss that L2 serves, the larger descriptors "
		"would have to miss about %.0f times more in each.",
		p->pair_aligned_cas_ns, p->pair_packed_lock_ns, gap, cycles,
		cycles / 10);
	lac_doc_paragraph(
		d,
		"They do not. The loop gets the same object back each time and "
		"touches the same lines: a whole round of %llu operations "
		"touches %.0f line%s of the page array, and misses it "
		"%.5f times an operation: the most of all sizes and variants "
		"(simulated).",
		(unsigned long long)e->cell->cell.n,
		largest(f, "pair", round_lines),
		largest(f, "pair", round_lines) > 1.5 ? "s" : "",
		largest(f, "pair", page_l1));
	lac_doc_paragraph(
		d,
		"Nor can it be the update. The allocator's own statistics say "
		"that %.4f %% of the allocations and frees take the fast path, "
		"which updates a per-CPU list and neither {freelist, counters} "
		"of a page nor its lock: at most %.5f such updates are made an "
		"operation.",
		100 * e->fastpath, largest(f, "pair", updates));
	if (e->predicted)
		pair_sign(d, f, e, cycles);
}

static const struct lac_column member_columns[] = {
	{ "member", "member", LAC_UNIT_NONE, 0, NULL, NULL },
	{ "accesses", "accesses", LAC_UNIT_RATIO, 3, NULL, NULL },
	{ "l1_misses", "L1 misses", LAC_UNIT_RATIO, 4, NULL, NULL },
	{ "llc_misses", "last-level misses", LAC_UNIT_RATIO, 4, NULL, NULL },
};

/* Beside a real kernel, and the library with the fields of its era. */
static void kernel_view(struct lac_doc *d, const struct lac_evidence *e)
{
	const struct lac_reference_kernel *k = &lac_reference_kernel_random;

	for (size_t i = 0; i < e->nelsewhere; i++) {
		const struct lac_elsewhere *w = &e->elsewhere[i];

		if (strcmp(w->where, "era v6.1") != 0)
			continue;
		lac_doc_paragraph(
			d,
			"How much depends on which members a free reads, and "
			"so on the era: with those of v6.1 the library says "
			"%+.1f %% in L1 misses of the page array, and a real "
			"kernel that was counted, Linux %s, %+.1f %% (%s).",
			100 * w->page_l1_share, k->version,
			100 * (k->packed_lock_page_l1 /
				       k->aligned_cas_page_l1 -
			       1),
			k->how);
	}
}

/* "1.75 with 56 bytes (6 of 8 lie on two lines of 64 bytes)" */
static const char *cold_lines(struct lac_doc *d, const struct lac_experiment *r,
			      const struct lac_evidence *e, enum lac_cell v)
{
	uint64_t stride = r->layouts.page[v].stride;
	unsigned line = e->cell->simulation[v].line_bytes;
	struct lac_array_phases a = lac_array_phases(stride, 0, stride, line);

	return lac_arena_printf(
		d->arena, "%.2f with %llu bytes (%s)",
		e->prediction[v].lines_isolated, (unsigned long long)stride,
		a.straddling ?
			lac_arena_printf(d->arena,
					 "%llu of %llu lie on two lines of %u "
					 "bytes",
					 (unsigned long long)a.straddling,
					 (unsigned long long)a.period, line) :
			"each lies on one");
}

static void random_views(struct lac_doc *d, const struct lac_experiment *r,
			 const struct lac_findings *f, unsigned level)
{
	const struct lac_evidence *e = find(f, "bulk-random", 256);
	const struct lac_evidence *in_order = find(f, "bulk", 256);
	static const char *const shown[] = { "aligned-cas", "packed-lock" };

	if (!e || !e->predicted)
		return;
	lac_doc_heading(d, level,
			"Fewer lines and yet more misses: random frees at 256 "
			"bytes");
	lac_doc_paragraph(
		d,
		"Freed in random order, %llu objects of 256 bytes: packing "
		"cuts the lines of the page array by %.1f %% (the layout says "
		"%.1f %%) and yet changes its L1 misses by %+.1f %%, all L1 "
		"misses by %+.1f %%. %s",
		(unsigned long long)e->cell->cell.n,
		-100 * e->lines.size_share,
		-100 * e->lines_predicted.size_share,
		100 * e->page_l1.size_share, 100 * e->l1.size_share,
		in_order ? lac_arena_printf(
				   d->arena,
				   "Freed in the order of allocation it is "
				   "%+.1f %%.",
				   100 * in_order->page_l1.size_share) :
			   "");
	lac_doc_paragraph(
		d,
		"Why: in address order the next descriptor's line is already "
		"there, and fewer lines are fewer misses. In random order each "
		"free finds its descriptor cold and pays for every line that "
		"it lies on: %s, %s. What fits into the cache is saved by "
		"packing, what does not is paid for line by line.",
		cold_lines(d, r, e, LAC_PACKED_LOCK),
		cold_lines(d, r, e, LAC_ALIGNED_CAS));
	kernel_view(d, e);
	lac_heat_of_page(d, &r->layouts, "bulk-random", 256,
			 e->cell->simulation[LAC_ALIGNED_CAS].line_bytes);
	for (size_t i = 0; i < 2; i++) {
		const json_t *c = lac_bench_cell_data(d, "bulk-random", 256,
						      shown[i]);
		const json_t *m = lac_row_cell(c, "page_array.members");

		if (!m)
			continue;
		lac_doc_table(d,
			      lac_arena_printf(d->arena, "random-%s", shown[i]),
			      lac_arena_printf(d->arena,
					       "%s, by member of struct page, "
					       "per operation (simulated)",
					       shown[i]),
			      COLUMNS(member_columns), m);
		lac_doc_detail(d);
	}
}

void lac_correlate_views(struct lac_doc *d, const struct lac_experiment *r,
			 const struct lac_findings *f, unsigned level)
{
	const json_t *tests = json_object_get(d->data, "findings"), *test;
	unsigned resolved = 0;
	size_t i, from;

	for (i = 0; i < f->n; i++) {
		const struct lac_times *t = &f->rows[i].cell->times;

		resolved += t->size.verdict != LAC_NOT_RESOLVED;
		resolved += t->update.verdict != LAC_NOT_RESOLVED;
		resolved += t->interaction.verdict != LAC_NOT_RESOLVED;
	}
	if (f->comparisons)
		lac_doc_paragraph(
			d,
			"Of %u effects in time that were tested %u %s resolved. "
			"A difference is resolved if its 95 %% interval lies "
			"outside of what the controls span, by the lower and "
			"the middle CPU time and the wall time. Explained by "
			"something means that what was counted of it could cost "
			"as much as the times differ, in that direction; it is "
			"no proof that it does.",
			f->comparisons, resolved, lac_plural(resolved, "is", "are"));
	lac_bench_show_era_note(d);
	json_array_foreach((json_t *)(uintptr_t)tests, i, test)
		test_views(d, r, f, test, level);
	pair_views(d, f, level);
	random_views(d, r, f, level);
	from = d->nviews;
	lac_doc_heading(d, level, "Do the layout and the counters agree?");
	lac_doc_table(d, "correlations",
		      "Spearman's rank correlation, with 95 % intervals by "
		      "resampling object sizes",
		      COLUMNS(rank_columns),
		      json_object_get(d->data, "correlations"));
	lac_doc_detail_since(d, from);
}

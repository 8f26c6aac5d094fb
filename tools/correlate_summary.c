/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "correlate_doc.h"

/* The rows of one test, as far as a summary needs them. */
struct of_test {
	unsigned rows, timed, by[LAC_NOT_TIMED + 1], by_indexing;
	double size_low, size_high;     /* ratios in time over the sizes */
	double update_low, update_high; /* NAN if not timed */
	double lines_low, lines_high, misses_low, misses_high; /* shares */
};

static void span(double *low, double *high, double x)
{
	*low = fmin(*low, x);
	*high = fmax(*high, x);
}

static struct of_test collect(const struct lac_findings *f, const char *test)
{
	struct of_test t = { 0 };

	t.size_low = t.size_high = t.update_low = t.update_high = NAN;
	t.lines_low = t.lines_high = t.misses_low = t.misses_high = NAN;
	for (size_t i = 0; i < f->n; i++) {
		const struct lac_evidence *e = &f->rows[i];
		const struct lac_times *x = &e->cell->times;

		if (strcmp(e->cell->cell.test, test) != 0)
			continue;
		t.rows++;
		t.by[e->explanation]++;
		t.by_indexing += (e->explanation == LAC_BY_LAYOUT ||
				  e->explanation == LAC_BY_BOTH) &&
				 e->arithmetic;
		span(&t.lines_low, &t.lines_high, e->lines.size_share);
		span(&t.misses_low, &t.misses_high, e->page_l1.size_share);
		if (e->explanation == LAC_NOT_TIMED)
			continue;
		t.timed++;
		span(&t.size_low, &t.size_high,
		     x->size.ratio[LAC_CPU_MEDIAN].value);
		span(&t.update_low, &t.update_high,
		     x->update.ratio[LAC_CPU_MEDIAN].value);
	}
	return t;
}

static void share_text(char *out, size_t size, double percent)
{
	/* no sign on what shows as nothing */
	if (percent > -0.05 && percent < 0.05)
		percent = 0;
	snprintf(out, size, percent != 0 ? "%+.1f" : "%.1f", percent);
}

/* "1.05 to 1.47", or one number where they do not differ. */
static const char *range(struct lac_doc *d, double low, double high,
			 bool share)
{
	char a[32], b[32];
	const char *s;

	if (share) {
		share_text(a, sizeof(a), low);
		share_text(b, sizeof(b), high);
	} else {
		snprintf(a, sizeof(a), "%.2f", low);
		snprintf(b, sizeof(b), "%.2f", high);
	}
	s = strcmp(a, b) ? lac_arena_printf(d->arena, "%s to %s", a, b) :
			   lac_arena_strdup(d->arena, a);
	return s ? s : "";
}

/* " (footprint in 1, indexing by 56 or 64 bytes in 2)" */
static const char *how_of_layout(struct lac_doc *d, unsigned all,
				 unsigned indexing)
{
	const char *s;

	if (!all)
		return "";
	s = lac_arena_printf(d->arena,
			     " (its footprint in %u, its indexing by 56 or 64 "
			     "bytes in %u)", all - indexing, indexing);
	return s ? s : "";
}

static void say_test(struct lac_doc *d, const struct lac_findings *f,
		     const char *test)
{
	struct of_test t = collect(f, test);
	unsigned by_layout = t.by[LAC_BY_LAYOUT] + t.by[LAC_BY_BOTH];
	unsigned by_update = t.by[LAC_BY_UPDATE] + t.by[LAC_BY_BOTH];
	const char *lines = range(d, 100 * t.lines_low, 100 * t.lines_high,
				  true);
	const char *time = "Not timed.", *misses = "no variant misses it";

	if (!isnan(t.misses_low))
		misses = lac_arena_printf(
			d->arena, "L1 misses there %s %%",
			range(d, 100 * t.misses_low, 100 * t.misses_high,
			      true));
	if (t.timed)
		time = lac_arena_printf(
			d->arena,
			"Times: the lock %s of cas, packed %s of aligned. Of "
			"%u size%s, a difference is explained by the update "
			"in %u, by the layout in %u%s, not explained in %u; in "
			"%u none is resolved.",
			range(d, t.update_low, t.update_high, false),
			range(d, t.size_low, t.size_high, false), t.timed,
			lac_s(t.timed), by_update, by_layout,
			how_of_layout(d, by_layout, t.by_indexing),
			t.by[LAC_NOT_EXPLAINED], t.by[LAC_NOTHING_TO_EXPLAIN]);
	lac_doc_paragraph(d,
			  "%s. Packing changes the lines of the page array by "
			  "%s %%; %s. %s",
			  lac_bench_test_title(test), lines,
			  misses ? misses : "", time ? time : "");
}

void lac_correlate_summary(struct lac_doc *d, const struct lac_findings *f)
{
	double worst = 0;
	unsigned predicted = 0;
	const char *last = "";

	for (size_t i = 0; i < f->n; i++) {
		const struct lac_evidence *e = &f->rows[i];

		if (strcmp(last, e->cell->cell.test) != 0)
			say_test(d, f, e->cell->cell.test);
		last = e->cell->cell.test;
		if (!e->predicted)
			continue;
		predicted++;
		worst = fmax(worst, e->prediction_error);
	}
	if (predicted)
		lac_doc_paragraph(
			d,
			"The layout alone predicts the lines of the page array "
			"that the simulation touches, in %u of %zu cells, "
			"within %.1f %%.",
			predicted, f->n, 100 * worst);
}

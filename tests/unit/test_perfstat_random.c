/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Properties of the reader on outputs whose runs are known: what was printed
 * is what is read, in every locale and form and after what mails do to it; the
 * defect of printing the last run is told from means; differences that are
 * none are called resolved as seldom as promised.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fake_perf.h"
#include "perfstat/perfstat.h"

static const struct {
	const char *mark, *group;
} locales[] = {
	{ ".", "" },		 /* C */
	{ ".", "," },		 /* en_US */
	{ ",", "." },		 /* de_DE */
	{ ",", "\xe2\x80\xaf" }, /* fr_FR, glibc 2.36 */
	{ ",", "\xc2\xa0" },	 /* fr_FR, older */
	{ ".", "\xe2\x80\x99" }, /* de_CH */
	{ ",", " " },		 /* fr_FR, made ASCII */
};

static uint64_t seed(void)
{
	const char *s = getenv("LAC_SEED");

	return s ? strtoull(s, NULL, 10) : 20131217;
}

static struct lac_perfstat *read_text(const char *s, size_t n)
{
	struct lac_perfstat *p;
	struct lac_err err;

	if (lac_perfstat_read("fake", s, n, NULL, &p, &err) != LAC_OK)
		fail_msg("%s\n%s", err.msg, s);
	return p;
}

static void near(double got, double want, double off)
{
	if (!(fabs(got - want) <= off))
		fail_msg("got %.17g, want %.17g +- %g", got, want, off);
}

/* Everything printed of f in that style, found again. */
static void check_events(const struct lac_perfstat_output *o,
			 const struct fake *f, const struct fake_style *s)
{
	assert_int_equal(o->nevents, FAKE_EVENTS);
	for (int e = 0; e < FAKE_EVENTS; e++) {
		const struct lac_perfstat_event *v = &o->events[e];
		double want = fake_printed(f, e, s->last_run);
		double sem = fake_error(f->count[e], f->runs);

		assert_string_equal(v->name, fake_names[e]);
		assert_string_equal(v->unit, e ? "" : "msec");
		near(v->count.value, want, e ? 0.5 : 0.005001);
		assert_int_equal(v->has_error, f->runs > 1);
		if (f->runs > 1)
			near(v->error, sem,
			     0.00501 / 100 * want + 0.01 * sem);
		assert_int_equal(v->nmetrics, 1);
	}
}

static struct fake_style random_style(struct lac_rng *r)
{
	size_t l = lac_rng_below(r, sizeof(locales) / sizeof(*locales));

	return (struct fake_style){
		.last_run = lac_rng_below(r, 2),
		.old_rates = lac_rng_below(r, 2),
		.mark = locales[l].mark,
		.group = locales[l].group,
		.name_width = lac_rng_below(r, 2) ? 25 : 32,
	};
}

static unsigned random_runs(struct lac_rng *r)
{
	return 1 + (unsigned)lac_rng_below(r, FAKE_MAX_RUNS);
}

static void test_every_locale_and_form_reads_back(void **state)
{
	static const char *const separators[] = { ",", ";", "\t", "|", "::",
						  ":", " ", "#", "~~" };
	static struct fake_text t;
	struct lac_rng r = { seed() };

	(void)state;
	for (int i = 0; i < 1500; i++) {
		struct fake_style s = random_style(&r);
		const char *sep = separators[lac_rng_below(
			&r, sizeof(separators) / sizeof(*separators))];
		enum lac_perfstat_form form =
			(enum lac_perfstat_form)lac_rng_below(&r, 3);
		struct fake f;

		fake_runs(&f, &r, random_runs(&r), 0.05);
		if (form == LAC_PERFSTAT_HUMAN)
			fake_human(&t, &f, &s);
		else if (form == LAC_PERFSTAT_CSV)
			fake_csv(&t, &f, &s, sep);
		else
			fake_json(&t, &f, &s);
		LAC_CLEANUP_PERFSTAT struct lac_perfstat *p =
			read_text(t.s, t.n);

		assert_int_equal(p->form, form);
		assert_int_equal(p->noutputs, 1);
		if (form == LAC_PERFSTAT_CSV)
			assert_string_equal(p->separator, sep);
		if (form == LAC_PERFSTAT_HUMAN)
			assert_int_equal(p->outputs[0].runs, f.runs);
		check_events(&p->outputs[0], &f, &s);
	}
}

static void test_last_run_is_told_from_means(void **state)
{
	static struct fake_text t;
	struct lac_rng r = { seed() + 1 };
	unsigned decided = 0, n = 0;

	(void)state;
	for (int i = 0; i < 1500; i++) {
		struct fake_style s = random_style(&r);
		struct fake f;
		double mean;

		fake_runs(&f, &r, 2 + (unsigned)lac_rng_below(&r, 9), 0.03);
		if (lac_rng_below(&r, 2))
			fake_human(&t, &f, &s);
		else
			fake_json(&t, &f, &s);
		mean = fake_mean(f.count[0], f.runs);
		LAC_CLEANUP_PERFSTAT struct lac_perfstat *p =
			read_text(t.s, t.n);
		const struct lac_perfstat_output *o = &p->outputs[0];

		n++;
		if (o->means == LAC_PERFSTAT_UNDECIDED)
			continue; /* the last run is the mean, nearly */
		decided++;
		if (!s.last_run) {
			assert_int_equal(o->means, LAC_PERFSTAT_MEANS);
			continue;
		}
		/* an agreement by accident is rare, and its odds are said */
		if (o->means == LAC_PERFSTAT_MEANS) {
			assert_true(o->means_chance > 0);
			near(o->events[0].count.value / mean, 1, 1e-3);
			continue;
		}
		assert_int_equal(o->means, LAC_PERFSTAT_LAST_RUN);
		assert_true(o->events[0].has_mean);
		near(o->events[0].mean.value, mean,
		     o->events[0].mean.rounding * 1.01 + 1e-9 * mean);
	}
	assert_true(decided > n * 9 / 10);
}

static void test_derived_figures_of_means_agree(void **state)
{
	static struct fake_text t;
	struct lac_rng r = { seed() + 2 };

	(void)state;
	for (int i = 0; i < 500; i++) {
		struct fake_style s = random_style(&r);
		struct fake f;

		s.last_run = false;
		fake_runs(&f, &r, random_runs(&r), 0.05);
		fake_human(&t, &f, &s);
		LAC_CLEANUP_PERFSTAT struct lac_perfstat *p =
			read_text(t.s, t.n);

		for (int e = 0; e < FAKE_EVENTS; e++)
			assert_int_equal(
				p->outputs[0].events[e].metrics[0].check,
				LAC_PERFSTAT_AGREES);
		assert_int_equal(p->nnotes, 0);
	}
}

/* --- what mails and archives do */

struct mangled {
	char s[65536];
	size_t n;
};

static void put(struct mangled *m, const char *s, size_t n)
{
	assert_true(m->n + n < sizeof(m->s));
	memcpy(m->s + m->n, s, n);
	m->n += n;
}

/* Break lines at blanks so that they fit, as mail clients do. */
static void wrap(const char *s, size_t n, size_t width, struct mangled *m)
{
	m->n = 0;
	for (size_t i = 0; i < n;) {
		const char *nl = memchr(s + i, '\n', n - i);
		size_t len = nl ? (size_t)(nl - s) - i : n - i, cut = len;

		if (len > width) {
			cut = width;
			while (cut && s[i + cut] != ' ')
				cut--;
			while (cut && s[i + cut - 1] == ' ')
				cut--;
		}
		if (!cut)
			cut = len;
		put(m, s + i, cut);
		put(m, "\n", 1);
		i += cut;
		if (cut < len)
			i += strspn(s + i, " ");
		if (i < n && s[i] == '\n')
			i++;
	}
}

static void collapse(const char *s, size_t n, struct mangled *m)
{
	m->n = 0;
	for (size_t i = 0; i < n; i++)
		if (s[i] != ' ' || !i || (s[i - 1] != ' '))
			put(m, s + i, 1);
}

static void prefix(const char *s, size_t n, const char *mark, const char *end,
		   struct mangled *m)
{
	m->n = 0;
	for (size_t i = 0; i < n;) {
		const char *nl = memchr(s + i, '\n', n - i);
		size_t len = nl ? (size_t)(nl - s) - i : n - i;

		put(m, mark, strlen(mark));
		put(m, s + i, len);
		put(m, end, strlen(end));
		i += len + 1;
	}
}

static void mangle(struct lac_rng *r, const struct fake_text *t,
		   struct mangled *a, struct mangled *b, size_t least_width)
{
	static const char *const marks[] = { "> ", ">", "| ", "> > ", ">> ",
					     "AB> ", "    ", "&gt; " };

	a->n = 0;
	put(a, t->s, t->n);
	for (int step = 0; step < 4; step++) {
		struct mangled *c = a;

		switch (lac_rng_below(r, 5)) {
		case 0:
			wrap(a->s, a->n, least_width + lac_rng_below(r, 60), b);
			break;
		case 1:
			collapse(a->s, a->n, b);
			break;
		case 2:
			prefix(a->s, a->n,
			       marks[lac_rng_below(r, sizeof(marks) /
							      sizeof(*marks))],
			       "\n", b);
			break;
		case 3:
			prefix(a->s, a->n, "", "\r\n", b);
			break;
		default:
			prefix(a->s, a->n, "", "  \n\n", b);
			break;
		}
		a = b;
		b = c;
	}
	/* an even number of steps: the result is where it began */
}

static void test_mangling_changes_nothing(void **state)
{
	static struct fake_text t;
	static struct mangled a, b;
	struct lac_rng r = { seed() + 3 };

	(void)state;
	for (int i = 0; i < 2000; i++) {
		struct fake_style s = random_style(&r);
		struct fake f;

		fake_runs(&f, &r, random_runs(&r), 0.05);
		fake_human(&t, &f, &s);
		mangle(&r, &t, &a, &b, 50);
		LAC_CLEANUP_PERFSTAT struct lac_perfstat *p =
			read_text(a.s, a.n);

		assert_int_equal(p->noutputs, 1);
		assert_int_equal(p->outputs[0].runs, f.runs);
		check_events(&p->outputs[0], &f, &s);
		near(p->outputs[0].elapsed.s.value,
		     fake_mean(f.elapsed_s, f.runs),
		     p->outputs[0].elapsed.s.rounding * 1.01);
	}
}

/* Any cut of an output is read in part or refused, never read otherwise. */
static void test_a_part_is_never_another_number(void **state)
{
	static struct fake_text t;
	struct lac_rng r = { seed() + 4 };

	(void)state;
	for (int i = 0; i < 3000; i++) {
		struct fake_style s = random_style(&r);
		struct fake f;
		size_t from, n;
		struct lac_perfstat *p;
		struct lac_err err;

		fake_runs(&f, &r, random_runs(&r), 0.05);
		fake_human(&t, &f, &s);
		/* whole lines from some line on, up to anywhere */
		from = lac_rng_below(&r, t.n / 2);
		while (t.s[from] != '\n')
			from++;
		n = lac_rng_below(&r, t.n - from);
		if (lac_perfstat_read("part", t.s + from, n, NULL, &p, &err) !=
		    LAC_OK)
			continue;
		for (size_t k = 0; k < p->outputs[0].nevents; k++) {
			const struct lac_perfstat_event *v =
				&p->outputs[0].events[k];
			int e = 0;

			while (e < FAKE_EVENTS &&
			       strncmp(v->name, fake_names[e],
				       strlen(v->name)) != 0)
				e++;
			assert_true(e < FAKE_EVENTS);
			near(v->count.value, fake_printed(&f, e, s.last_run),
			     e ? 0.5 : 0.005001);
		}
		lac_perfstat_destroy(p);
	}
}

/* --- the promise of an interval */

static double false_alarms(bool last_run, uint64_t from)
{
	static struct fake_text t;
	struct lac_rng r = { from };
	unsigned wrong = 0, n = 0;

	for (int i = 0; i < 1500; i++) {
		struct fake_style s = { .last_run = last_run,
					.mark = ".",
					.group = "",
					.name_width = 32 };
		struct fake f, g;
		struct lac_perfstat_comparison c;
		struct lac_err err;

		fake_runs(&f, &r, 5, 0.02);
		g = f;
		for (int e = 0; e < FAKE_EVENTS; e++) {
			double at = f.count[e][0];

			/* the same law for both sides */
			for (unsigned k = 0; k < 5; k++) {
				f.count[e][k] =
					rint(at * (1 + 0.02 * fake_normal(&r)));
				g.count[e][k] =
					rint(at * (1 + 0.02 * fake_normal(&r)));
			}
		}
		fake_human(&t, &f, &s);
		LAC_CLEANUP_PERFSTAT struct lac_perfstat *p =
			read_text(t.s, t.n);
		fake_human(&t, &g, &s);
		LAC_CLEANUP_PERFSTAT struct lac_perfstat *q =
			read_text(t.s, t.n);

		assert_int_equal(lac_perfstat_compare(&p->outputs[0],
						      &q->outputs[0], 0.95,
						      p->arena, &c, &err),
				 LAC_OK);
		for (size_t k = 1; k < c.nrows; k++) {
			n += c.rows[k].verdict != LAC_PERFSTAT_UNKNOWN;
			wrong += c.rows[k].verdict == LAC_PERFSTAT_RESOLVED;
		}
	}
	assert_true(n > 5000);
	return (double)wrong / n;
}

/*
 * 7500 lines: the standard error of a share of 5 % is 0.25 %.  A last run is
 * part of what its own error comes from, so that outliers excuse themselves.
 */
static void test_false_alarms_are_as_rare_as_promised(void **state)
{
	(void)state;
	near(false_alarms(false, seed() + 5), 0.05, 0.01);
	assert_true(false_alarms(true, seed() + 6) < 0.055);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_locale_and_form_reads_back),
		cmocka_unit_test(test_last_run_is_told_from_means),
		cmocka_unit_test(test_derived_figures_of_means_agree),
		cmocka_unit_test(test_mangling_changes_nothing),
		cmocka_unit_test(test_a_part_is_never_another_number),
		cmocka_unit_test(test_false_alarms_are_as_rare_as_promised),
	};

	return cmocka_run_group_tests_name("perfstat_random", tests, NULL,
					   NULL);
}

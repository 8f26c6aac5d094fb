/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fake_perf.h - prints runs whose counts are known the way perf stat does, of
 * any version, locale and form, so that the reader can be asked what it read.
 */
#ifndef FAKE_PERF_H
#define FAKE_PERF_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"

enum { FAKE_EVENTS = 5, FAKE_MAX_RUNS = 12 };

static const char *const fake_names[FAKE_EVENTS] = {
	"task-clock", "context-switches", "page-faults", "cycles",
	"instructions"
};

struct fake {
	unsigned runs;
	double count[FAKE_EVENTS][FAKE_MAX_RUNS]; /* task-clock in msec */
	double elapsed_s[FAKE_MAX_RUNS];
};

struct fake_style {
	bool last_run;	   /* the defect */
	bool old_rates;	   /* M/sec always, as 5.10 */
	const char *mark;  /* of decimals */
	const char *group; /* of thousands; "" for none */
	int name_width;
};

struct fake_text {
	char s[16384];
	size_t n;
};

static inline void fake_put(struct fake_text *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
static inline void fake_put(struct fake_text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	t->n += (size_t)vsnprintf(t->s + t->n, sizeof(t->s) - t->n, fmt, ap);
	va_end(ap);
}

static inline double fake_mean(const double *x, unsigned n)
{
	double sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += x[i];
	return sum / n;
}

/* The standard error of the mean. */
static inline double fake_error(const double *x, unsigned n)
{
	double m = fake_mean(x, n), sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += (x[i] - m) * (x[i] - m);
	return n > 1 ? sqrt(sum / (n - 1) / n) : 0;
}

static inline double fake_normal(struct lac_rng *r)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += lac_rng_unit(r);
	return sum;
}

/* Runs that scatter by the given share around means of their own. */
static inline void fake_runs(struct fake *f, struct lac_rng *r, unsigned runs,
			     double scatter)
{
	static const double least[FAKE_EVENTS] = { 50, 2000, 40000, 3e9, 5e9 };

	f->runs = runs;
	for (int e = 0; e < FAKE_EVENTS; e++) {
		double base = least[e] * (1 + 9 * lac_rng_unit(r));

		for (unsigned i = 0; i < runs; i++) {
			double v = base * (1 + scatter * fake_normal(r));

			f->count[e][i] = e ? rint(v) : rint(v * 1e6) / 1e6;
		}
	}
	for (unsigned i = 0; i < runs; i++)
		f->elapsed_s[i] = f->count[0][i] / 1e3 *
				  (0.5 + 0.1 * lac_rng_unit(r));
}

static inline double fake_printed(const struct fake *f, int e, bool last_run)
{
	return last_run ? f->count[e][f->runs - 1]
			: fake_mean(f->count[e], f->runs);
}

/* "%*.Nf" with the style's separators, in the given width of characters. */
static inline void fake_number(struct fake_text *t, const struct fake_style *s,
			       int width, int decimals, double v, bool grouped)
{
	char plain[64];
	int digits, shown;
	size_t n = 0;

	snprintf(plain, sizeof(plain), "%.*f", decimals, v);
	digits = (int)strcspn(plain, ".");
	shown = (int)strlen(plain);
	if (grouped && *s->group)
		shown += (digits - 1) / 3;
	fake_put(t, "%*s", width > shown ? width - shown : 0, "");
	for (n = 0; plain[n]; n++) {
		int left = digits - (int)n;

		if (plain[n] == '.')
			fake_put(t, "%s", s->mark);
		else
			fake_put(t, "%c", plain[n]);
		if (grouped && left > 1 && left % 3 == 1)
			fake_put(t, "%s", s->group);
	}
}

static inline double fake_rate(const struct fake_style *s, double per_sec,
			       const char **unit)
{
	double scale = 1;

	*unit = "/sec";
	if (s->old_rates) {
		*unit = per_sec / 1e6 < 0.001 ? "K/sec" : "M/sec";
		scale = per_sec / 1e6 < 0.001 ? 1e3 : 1e6;
	} else if (per_sec > 1e9) {
		*unit = "G/sec", scale = 1e9;
	} else if (per_sec > 1e6) {
		*unit = "M/sec", scale = 1e6;
	} else if (per_sec > 1e3) {
		*unit = "K/sec", scale = 1e3;
	}
	return per_sec / scale;
}

/* The figure beside an event: its value, unit and decimals. */
static inline double fake_metric(const struct fake *f,
				 const struct fake_style *s, int e,
				 const char **unit, int *decimals)
{
	double printed = fake_printed(f, e, s->last_run);
	double clock_ms = fake_mean(f->count[0], f->runs);

	*decimals = 3;
	if (e == 0) {
		*unit = "CPUs utilized";
		return printed / 1e3 / fake_mean(f->elapsed_s, f->runs);
	}
	if (e == 3) {
		*unit = "GHz";
		return printed / (clock_ms * 1e6);
	}
	if (e == 4) {
		*unit = "insn per cycle";
		*decimals = 2;
		return printed / fake_mean(f->count[3], f->runs);
	}
	return fake_rate(s, printed / (clock_ms / 1e3), unit);
}

static inline void fake_noise(struct fake_text *t, const struct fake_style *s,
			      double percent)
{
	if (percent == 0)
		return;
	fake_put(t, "  ( +-");
	fake_number(t, s, 6, 2, percent, false);
	fake_put(t, "%% )");
}

static inline void fake_human(struct fake_text *t, const struct fake *f,
			      const struct fake_style *s)
{
	double sem = fake_error(f->elapsed_s, f->runs);
	int places = sem > 0 ? (int)fmax(0, ceil(-log10(sem))) + 2 : 9;

	t->n = 0;
	fake_put(t, "\n Performance counter stats for './bench -n 1'");
	if (f->runs > 1)
		fake_put(t, " (%u runs)", f->runs);
	fake_put(t, ":\n\n");
	for (int e = 0; e < FAKE_EVENTS; e++) {
		double v = fake_printed(f, e, s->last_run);
		const char *unit;
		int decimals;
		double m = fake_metric(f, s, e, &unit, &decimals);

		fake_number(t, s, 18, e ? 0 : 2, v, true);
		fake_put(t, " %-4s %-*s # ", e ? "" : "msec", s->name_width,
			 fake_names[e]);
		fake_number(t, s, e == 4 ? 7 : 8, decimals, m, false);
		fake_put(t, "%s %-25s", e == 4 ? " " : "", unit);
		if (f->runs > 1)
			fake_noise(t, s,
				   100 * fake_error(f->count[e], f->runs) / v);
		fake_put(t, "\n");
	}
	fake_put(t, "\n");
	fake_number(t, s, 17, places, fake_mean(f->elapsed_s, f->runs), false);
	if (f->runs > 1) {
		fake_put(t, " +- ");
		fake_number(t, s, 0, places, sem, false);
	}
	fake_put(t, " seconds time elapsed");
	if (f->runs > 1)
		fake_noise(t, s,
			   100 * sem / fake_mean(f->elapsed_s, f->runs));
	fake_put(t, "\n\n");
}

/* As perf does, the metric is cut at the first character that is no digit. */
static inline void fake_csv(struct fake_text *t, const struct fake *f,
			    const struct fake_style *s, const char *sep)
{
	t->n = 0;
	for (int e = 0; e < FAKE_EVENTS; e++) {
		double v = fake_printed(f, e, s->last_run);
		const char *unit;
		int decimals;
		double m = fake_metric(f, s, e, &unit, &decimals);
		char whole[64];

		fake_number(t, s, 0, e ? 0 : 2, v, false);
		fake_put(t, "%s%s%s%s%s", sep, e ? "" : "msec", sep,
			 fake_names[e], sep);
		if (f->runs > 1) {
			fake_number(t, s, 0, 2,
				    100 * fake_error(f->count[e], f->runs) / v,
				    false);
			fake_put(t, "%%%s", sep);
		}
		fake_put(t, "%.0f%s", f->count[0][f->runs - 1] * 1e6, sep);
		fake_number(t, s, 0, 2, 100, false);
		snprintf(whole, sizeof(whole), "%.*f", decimals, m);
		if (*s->mark == ',')
			whole[strcspn(whole, ".")] = '\0';
		fake_put(t, "%s%s%s%s\n", sep, whole, sep, unit);
	}
}

static inline void fake_json(struct fake_text *t, const struct fake *f,
			     const struct fake_style *s)
{
	t->n = 0;
	for (int e = 0; e < FAKE_EVENTS; e++) {
		double v = fake_printed(f, e, s->last_run);
		const char *unit;
		int decimals;
		double m = fake_metric(f, s, e, &unit, &decimals);

		fake_put(t, "{\"counter-value\" : \"");
		fake_number(t, s, 0, 6, v, false);
		fake_put(t, "\", \"unit\" : \"%s\", \"event\" : \"%s\", ",
			 e ? "" : "msec", fake_names[e]);
		if (f->runs > 1) {
			fake_put(t, "\"variance\" : ");
			fake_number(t, s, 0, 2,
				    100 * fake_error(f->count[e], f->runs) / v,
				    false);
			fake_put(t, ", ");
		}
		fake_put(t, "\"event-runtime\" : %.0f, \"pcnt-running\" : ",
			 f->count[0][f->runs - 1] * 1e6);
		fake_number(t, s, 0, 2, 100, false);
		fake_put(t, ", \"metric-value\" : ");
		fake_number(t, s, 0, 6, m, false);
		fake_put(t, ", \"metric-unit\" : \"%s\"}\n", unit);
	}
}

#endif

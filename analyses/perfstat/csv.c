/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csv.c - the form of -x, with any separator.
 *
 * As printed: [time] [where [CPUs]] value, unit, event, [error%], run time,
 * percent running, metric, its unit.  Nothing is quoted, so separators inside
 * of event names are told by what must follow the name: an integer run time
 * and a percentage of two decimals.  The same makes the decimal mark certain,
 * and with -x, in a comma locale, which commas are decimal ones.
 */
#include "perfstat/csv.h"

#include <stdlib.h>
#include <string.h>

#include "base/digits.h"

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* --- fields */

struct field {
	const char *s;
	size_t n;
};

enum { MAX_FIELDS = 48 };

struct fields {
	size_t n;
	struct field at[MAX_FIELDS];
};

static bool split(const char *s, const char *sep, struct fields *ret)
{
	size_t len = strlen(sep);

	ret->n = 0;
	for (;;) {
		const char *next = strstr(s, sep);
		size_t n = next ? (size_t)(next - s) : strlen(s);

		if (ret->n == MAX_FIELDS)
			return false;
		ret->at[ret->n++] = (struct field){ s, n };
		if (!next)
			return true;
		s = next + len;
	}
}

static bool all_digits(struct field f)
{
	size_t i = 0;

	while (i < f.n && is_digit(f.s[i]))
		i++;
	return f.n && i == f.n && f.n <= 20;
}

static bool is_text(struct field f, const char *s)
{
	return f.n == strlen(s) && !memcmp(f.s, s, f.n);
}

/* From a to the end of b. */
static struct field span(struct field a, struct field b)
{
	return (struct field){ a.s, (size_t)(b.s + b.n - a.s) };
}

/*
 * A number with exactly this many decimals (and, if asked, a '%' at its end) at
 * field i: how many fields it takes, 0 if it is none.  In a comma locale with
 * commas between the fields it takes two.
 */
static size_t scan_decimal(const struct fields *f, size_t i, char mark,
			   bool collides, unsigned decimals, bool percent,
			   struct lac_perfstat_scan *ret)
{
	struct field whole;
	char buf[64];
	size_t takes = collides ? 2 : 1;

	if (i + takes > f->n)
		return 0;
	whole = span(f->at[i], f->at[i + takes - 1]);
	if (whole.n >= sizeof(buf) || (collides && !all_digits(f->at[i])))
		return 0;
	memcpy(buf, whole.s, whole.n);
	buf[whole.n] = '\0';
	if (!lac_perfstat_scan_plain(buf, ret) || ret->mark != mark ||
	    ret->decimals != decimals ||
	    strcmp(ret->end, percent ? "%" : "") != 0)
		return 0;
	ret->end = NULL;
	/* "%.2f" has no leading zero but the one before the mark */
	return whole.s[0] == '0' && whole.s[1] != mark ? 0 : takes;
}

/* --- a line */

static bool is_series_time(struct field f)
{
	size_t i = 0, dot;

	while (i < f.n && f.s[i] == ' ')
		i++;
	dot = i;
	while (dot < f.n && is_digit(f.s[dot]))
		dot++;
	if (dot == i || dot == f.n || f.s[dot] != '.' || f.n - dot != 10)
		return false;
	for (i = dot + 1; i < f.n; i++)
		if (!is_digit(f.s[i]))
			return false;
	return true;
}

/* What stands before the value; the number of the value's field. */
static size_t scan_prefix(const struct fields *f, struct lac_perfstat_csv *r)
{
	size_t i = 0;
	struct field w;

	if (is_series_time(f->at[0])) {
		r->series = true;
		i++;
	} else if (f->at[0].n >= 7 &&
		   is_text((struct field){ f->at[0].s + f->at[0].n - 7, 7 },
			   "summary")) {
		i++;
	}
	if (i >= f->n || !f->at[i].n || !is_letter(f->at[i].s[0]))
		return i;
	w = f->at[i++];
	r->where = (struct lac_perfstat_span){ w.s, w.n };
	if (w.n > 3 && !memcmp(w.s, "CPU", 3)) {
		r->cpus = 1;
	} else if (w.n > 1 && strchr("SND", w.s[0]) && is_digit(w.s[1]) &&
		   i < f->n && all_digits(f->at[i]) && f->at[i].n < 7) {
		r->cpus = (unsigned)strtoul(f->at[i].s, NULL, 10);
		i++;
	}
	return i;
}

static size_t scan_value(const struct fields *f, size_t i, char mark,
			 bool collides, struct lac_perfstat_csv *r)
{
	size_t n;

	r->status = LAC_PERFSTAT_MEASURED;
	if (is_text(f->at[i], "<not supported>")) {
		r->status = LAC_PERFSTAT_UNSUPPORTED;
		return 1;
	}
	if (is_text(f->at[i], "<not counted>")) {
		r->status = LAC_PERFSTAT_NOT_COUNTED;
		return 1;
	}
	n = scan_decimal(f, i, mark, collides, 2, false, &r->value);
	if (!n && all_digits(f->at[i])) {
		char buf[32];

		memcpy(buf, f->at[i].s, f->at[i].n);
		buf[f->at[i].n] = '\0';
		n = lac_perfstat_scan_plain(buf, &r->value);
	}
	return n;
}

/*
 * Run time and percentage from field i on, name and error before: how many
 * ways there are to read them, the last one in *r.
 */
static unsigned scan_anchor(const struct fields *f, size_t name, char mark,
			    bool collides, struct lac_perfstat_csv *r,
			    size_t *rest)
{
	unsigned ways = 0;

	for (size_t i = name + 1; i + 1 < f->n; i++) {
		struct lac_perfstat_scan share, noise;
		size_t n, m, last;
		uint64_t run_time;
		const char *end;

		if (!all_digits(f->at[i]) ||
		    !lac_digits_scan(f->at[i].s, 10, UINT64_MAX, &run_time,
				     &end))
			continue;
		n = scan_decimal(f, i + 1, mark, collides, 2, false, &share);
		if (!n || share.number.value > 100)
			continue;
		m = collides ? 2 : 1;
		if (i < name + 1 + m ||
		    !scan_decimal(f, i - m, mark, collides, 2, true, &noise))
			m = 0;
		last = i - m - 1;
		if (last < name || !f->at[name].n)
			continue;
		/* the metric and its unit, or neither */
		if (i + 1 + n + 1 == f->n)
			continue;
		r->name = (struct lac_perfstat_span){
			f->at[name].s, span(f->at[name], f->at[last]).n
		};
		r->has_noise = m != 0;
		r->noise = noise;
		r->run_time_ns = run_time;
		r->share = share;
		*rest = i + 1 + n;
		ways++;
	}
	return ways;
}

/* perf cuts a metric at the first character that is no digit and no '.'. */
static bool scan_metric(const struct fields *f, size_t i, char mark,
			struct lac_perfstat_csv *r)
{
	struct lac_perfstat_scan n;
	struct field v;
	char buf[64];

	if (i + 1 >= f->n)
		return true;
	v = f->at[i];
	while (v.n && (*v.s == ' '))
		v.s++, v.n--;
	if (!v.n || f->at[f->n - 1].n == 0)
		return true;
	if (v.n >= sizeof(buf))
		return false;
	memcpy(buf, v.s, v.n);
	buf[v.n] = '\0';
	r->metric_unit = (struct lac_perfstat_span){
		f->at[i + 1].s, span(f->at[i + 1], f->at[f->n - 1]).n
	};
	if (!lac_perfstat_scan_plain(buf, &n) || *n.end)
		return buf[0] == 'n' || buf[0] == '-' || buf[0] == 'i';
	r->has_metric = true;
	r->metric = n.number;
	r->metric_cut = mark == ',';
	return !n.mark || n.mark == '.';
}

bool lac_perfstat_csv_parse(const char *s, const char *sep, char mark,
			    struct lac_perfstat_csv *ret)
{
	struct lac_perfstat_csv r = { 0 };
	struct fields f;
	bool collides = sep[0] == mark && !sep[1];
	size_t i, n, rest;

	if (!split(s, sep, &f))
		return false;
	i = scan_prefix(&f, &r);
	if (i + 4 > f.n)
		return false;
	if (!f.at[i].n) { /* a second metric: the last two fields */
		r.continues = true;
		for (n = i; n < f.n - 2; n++)
			if (f.at[n].n)
				return false;
		if (!scan_metric(&f, f.n - 2, mark, &r) || !r.metric_unit.n)
			return false;
		*ret = r;
		return true;
	}
	n = scan_value(&f, i, mark, collides, &r);
	if (!n || i + n + 2 > f.n)
		return false;
	i += n;
	r.unit = (struct lac_perfstat_span){ f.at[i].s, f.at[i].n };
	if (r.unit.n && is_digit(*r.unit.s) && all_digits(f.at[i]))
		return false;
	if (scan_anchor(&f, i + 1, mark, collides, &r, &rest) != 1)
		return false;
	if (is_digit(*r.name.s) || *r.name.s == ' ' ||
	    !scan_metric(&f, rest, mark, &r))
		return false;
	*ret = r;
	return true;
}

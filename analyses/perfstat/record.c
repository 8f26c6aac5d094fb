/* SPDX-License-Identifier: BSD-2-Clause */
/* record.c - the grammar of an event line, blanks anywhere in any number. */
#include "perfstat/record.h"

#include <string.h>

static const char *blanks(const char *s)
{
	return s + strspn(s, " \t");
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_end(int c)
{
	return c == ' ' || c == '\t' || c == '\0';
}

/* --- the pieces */

/* "<not supported>", with any blanks inside. */
static bool scan_absent(const char *s, enum lac_perfstat_status *status,
			const char **end)
{
	static const struct {
		const char *word;
		enum lac_perfstat_status status;
	} words[] = { { "supported>", LAC_PERFSTAT_UNSUPPORTED },
		      { "counted>", LAC_PERFSTAT_NOT_COUNTED } };

	if (strncmp(s, "<not", 4))
		return false;
	s = blanks(s + 4);
	for (size_t i = 0; i < 2; i++) {
		size_t n = strlen(words[i].word);

		if (!strncmp(s, words[i].word, n)) {
			*status = words[i].status;
			*end = s + n;
			return true;
		}
	}
	return false;
}

static bool scan_value(const char *s, struct lac_perfstat_record *r,
		       const char **end)
{
	if (scan_absent(s, &r->status, end))
		return true;
	if (!lac_perfstat_scan_count(s, &r->value) || !is_end(*r->value.end))
		return false;
	r->status = LAC_PERFSTAT_MEASURED;
	*end = r->value.end;
	return true;
}

/* The time of -I: "%lu.%09lu" in every locale. */
static const char *after_series_time(const char *s)
{
	size_t n = strspn(s, "0123456789");

	if (!n || s[n] != '.' ||
	    strspn(s + n + 1, "0123456789") != 9 || !is_end(s[n + 10]))
		return s;
	return blanks(s + n + 10);
}

/* "CPU0", or "S0-D0-C1  2" and the like, which count their CPUs. */
static const char *after_where(const char *s, bool headed,
			       struct lac_perfstat_record *r)
{
	size_t n = strcspn(s, " \t");
	const char *p = blanks(s + n), *dash;
	struct lac_perfstat_record probe;
	struct lac_perfstat_scan count;
	const char *end;

	if (!n || !is_letter(*s))
		return s;
	if (!strncmp(s, "CPU", 3) && is_digit(s[3]) &&
	    n == 3 + strspn(s + 3, "0123456789") && scan_value(p, &probe, &end)) {
		r->where = (struct lac_perfstat_part){ s, n };
		r->cpus = 1;
		return p;
	}
	if (strchr("SND", *s) && is_digit(s[1]) &&
	    lac_perfstat_scan_plain(p, &count) && !count.decimals &&
	    is_end(*count.end) && count.number.value < 1e6 &&
	    scan_value(blanks(count.end), &probe, &end)) {
		r->where = (struct lac_perfstat_part){ s, n };
		r->cpus = (unsigned)count.number.value;
		return blanks(count.end);
	}
	for (dash = s + n; dash > s && is_digit(dash[-1]); dash--)
		;
	if (headed && dash > s + 1 && dash < s + n && dash[-1] == '-' &&
	    scan_value(p, &probe, &end)) {
		r->where = (struct lac_perfstat_part){ s, n };
		return p;
	}
	return s;
}

/* "( +- 0.16% )" */
static bool scan_noise(const char *s, struct lac_perfstat_scan *ret,
		       const char **end)
{
	if (*s != '(')
		return false;
	s = blanks(s + 1);
	if (!strncmp(s, "+-", 2))
		s += 2;
	else if (!strncmp(s, "+/-", 3))
		s += 3;
	else
		return false;
	s = blanks(s);
	if (!lac_perfstat_scan_plain(s, ret))
		return false;
	s = blanks(ret->end);
	if (*s != '%')
		return false;
	s = blanks(s + 1);
	if (*s != ')')
		return false;
	*end = s + 1;
	return true;
}

/* "(83.33%)"; perf of 2013: "[83.33%]". */
static bool scan_share(const char *s, struct lac_perfstat_scan *ret,
		       const char **end)
{
	char close = *s == '(' ? ')' : ']';

	if (*s != '(' && *s != '[')
		return false;
	if (!lac_perfstat_scan_plain(blanks(s + 1), ret))
		return false;
	s = blanks(ret->end);
	if (*s != '%')
		return false;
	s = blanks(s + 1);
	if (*s != close)
		return false;
	*end = s + 1;
	return true;
}

bool lac_perfstat_is_noise_or_share(const char *s, const char **end)
{
	struct lac_perfstat_scan n;
	const char *after, *p = blanks(s + 1);

	/* a line may break inside of it: its beginning is enough */
	if (*s == '(' && !end && (!strncmp(p, "+-", 2) || !strncmp(p, "+/-", 3)))
		return true;
	if (!scan_noise(s, &n, &after) && !scan_share(s, &n, &after))
		return false;
	if (end)
		*end = after;
	return true;
}

/* --- the record */

static bool ends_words(const char *s, bool any)
{
	const char *end;
	enum lac_perfstat_status st;
	struct lac_perfstat_scan n;

	if (*s == '#' || lac_perfstat_is_noise_or_share(s, &end))
		return true;
	/* another record on the same line */
	return any && (scan_absent(s, &st, &end) ||
		       (lac_perfstat_scan_count(s, &n) && is_end(*n.end)));
}

/* Words up to a metric, noise, another record or the end. */
static struct lac_perfstat_part scan_words(const char *s, size_t *words)
{
	struct lac_perfstat_part r = { s, 0 };

	*words = 0;
	while (*s && !ends_words(s, *words > 0)) {
		s += strcspn(s, " \t");
		r.n = (size_t)(s - r.s);
		++*words;
		s = blanks(s);
	}
	return r;
}

/* The units of perf's own events and of the usual PMUs. */
static bool is_unit(const char *s, size_t n)
{
	static const char *const units[] = {
		"msec", "ns", "Joules", "Bytes", "KiB", "MiB", "GiB", "B",
		"KB", "MB", "GB", "W", "Watts", "C", "%", "Ticks",
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (strlen(units[i]) == n && !memcmp(units[i], s, n))
			return true;
	return false;
}

/* Known without a header, a metric or an error beside it. */
static bool is_known_event(const char *s, size_t n)
{
	static const char *const events[] = {
		"task-clock", "cpu-clock", "context-switches", "cs",
		"cpu-migrations", "migrations", "page-faults", "faults",
		"minor-faults", "major-faults", "cycles", "cpu-cycles",
		"instructions", "branches", "branch-instructions",
		"branch-misses", "cache-references", "cache-misses",
		"bus-cycles", "ref-cycles", "stalled-cycles-frontend",
		"stalled-cycles-backend", "alignment-faults",
		"emulation-faults", "duration_time", "user_time",
		"system_time",
	};
	static const char *const families[] = { "L1-dcache-", "L1-icache-",
						"LLC-",	      "dTLB-",
						"iTLB-",      "node-",
						"branch-" };
	const char *colon = memchr(s, ':', n);

	if (colon && colon > s && (size_t)(colon - s) + 1 < n)
		n = (size_t)(colon - s); /* a modifier */
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		if (strlen(events[i]) == n && !memcmp(events[i], s, n))
			return true;
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		if (n > strlen(families[i]) &&
		    !memcmp(families[i], s, strlen(families[i])))
			return true;
	return false;
}

bool lac_perfstat_is_plain_count(const char *name)
{
	static const char *const others[] = { "task-clock", "cpu-clock",
					      "duration_time", "user_time",
					      "system_time" };
	size_t n = strlen(name);

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (!strncmp(name, others[i], strlen(others[i])))
			return false;
	return is_known_event(name, n);
}

/*
 * "msec task-clock", "context-switches", and as perf before 4.17 has it
 * "task-clock (msec)".
 */
static bool split_words(struct lac_perfstat_part w, size_t words,
			struct lac_perfstat_record *r)
{
	size_t first = strcspn(w.s, " \t");

	if (first > w.n)
		first = w.n;
	r->name = w;
	r->unit = (struct lac_perfstat_part){ "", 0 };
	if (words == 2 && w.n >= 6 && !memcmp(w.s + w.n - 6, "(msec)", 6)) {
		r->name.n = first;
		r->unit = (struct lac_perfstat_part){ w.s + w.n - 5, 4 };
	} else if (words > 1 &&
		   (is_unit(w.s, first) ||
		    (r->status == LAC_PERFSTAT_MEASURED &&
		     r->value.decimals == 2))) {
		r->unit = (struct lac_perfstat_part){ w.s, first };
		r->name.s = blanks(w.s + first);
		r->name.n = w.n - (size_t)(r->name.s - w.s);
	} else if (words == 1 && is_unit(w.s, w.n)) {
		return false;
	}
	return is_letter(*r->name.s) || *r->name.s == '_' ||
	       *r->name.s == '/' || *r->name.s == '{';
}

/* "# 27.220 CPUs utilized"; a '#' without a figure is passed over. */
static bool scan_metric(const char *s, struct lac_perfstat_record *r,
			const char **end)
{
	struct lac_perfstat_scan v;
	const char *unit;
	bool partial, percent;
	size_t n, words;

	s = blanks(s + 1);
	if (!lac_perfstat_scan_plain(s, &v)) {
		size_t len = strcspn(s, " \t");

		/* perf prints a division by nothing as it comes */
		if ((len == 3 && (!memcmp(s, "nan", 3) || !memcmp(s, "inf", 3))) ||
		    (len == 4 && (!memcmp(s, "-nan", 4) || !memcmp(s, "-inf", 4))))
			s = blanks(s + len);
		if (*s == '%')
			s = blanks(s + 1);
		s += lac_perfstat_metric_unit(s, &partial);
		*end = s;
		return true;
	}
	unit = blanks(v.end);
	percent = *unit == '%';
	if (percent)
		unit = blanks(unit + 1);
	n = lac_perfstat_metric_unit(unit, &partial);
	if (!n)
		n = scan_words(unit, &words).n;
	*end = unit + n;
	if (r->nmetrics == LAC_PERFSTAT_MAX_METRICS)
		return false;
	r->metrics[r->nmetrics].unit = (struct lac_perfstat_part){ unit, n };
	r->metrics[r->nmetrics].percent = percent;
	r->metrics[r->nmetrics].value = v;
	r->nmetrics++;
	return true;
}

static bool scan_tail(const char *s, struct lac_perfstat_record *r)
{
	const char *end;

	for (;;) {
		s = blanks(s);
		if (*s == '#') {
			if (!scan_metric(s, r, &end))
				return false;
		} else if (!r->has_noise && scan_noise(s, &r->noise, &end)) {
			r->has_noise = true;
		} else if (!r->has_share && scan_share(s, &r->share, &end)) {
			r->has_share = true;
		} else {
			r->end = s;
			return true;
		}
		s = end;
	}
}

bool lac_perfstat_record_parse(const char *s, bool headed,
			       struct lac_perfstat_record *ret)
{
	struct lac_perfstat_record r = { 0 };
	struct lac_perfstat_part w;
	const char *p;
	size_t words;

	s = blanks(s);
	p = after_series_time(s);
	r.series = p != s;
	p = after_where(p, headed || r.series, &r);
	if (!scan_value(p, &r, &p))
		return false;
	w = scan_words(blanks(p), &words);
	if (!words || !split_words(w, words, &r) ||
	    !scan_tail(w.s + w.n, &r))
		return false;
	/* without a header, nothing but an absent count and one word */
	if (!headed && !r.series && r.status != LAC_PERFSTAT_MEASURED &&
	    (*r.end || memchr(r.name.s, ' ', r.name.n) ||
	     memchr(r.name.s, '\t', r.name.n)))
		return false;
	if (!r.nmetrics && !r.has_noise && r.status == LAC_PERFSTAT_MEASURED) {
		/* nothing but a number and words: prose looks like that too */
		if (memchr(r.name.s, ' ', r.name.n))
			return false;
		if (!headed && !r.series &&
		    (!is_known_event(r.name.s, r.name.n) || *r.end))
			return false;
	}
	*ret = r;
	return true;
}

bool lac_perfstat_record_start(const char *s, bool headed)
{
	struct lac_perfstat_record r = { 0 };
	const char *p;

	p = after_series_time(blanks(s));
	p = after_where(p, headed, &r);
	return scan_value(p, &r, &p) || *p == '<' || is_digit(*p);
}

bool lac_perfstat_is_nameless(const char *s)
{
	struct lac_perfstat_record r = { 0 };
	const char *p;
	size_t n;

	p = after_series_time(blanks(s));
	p = after_where(p, true, &r);
	if (!scan_value(p, &r, &p))
		return false;
	p = blanks(p);
	n = strcspn(p, " \t");
	return !*p || (is_unit(p, n) && !*blanks(p + n));
}

/* "# 27.220 CPUs utilized" */
static bool is_metric(const char *s)
{
	struct lac_perfstat_scan n;
	const char *p = blanks(s + 1);
	bool partial;

	if (*s != '#' || !lac_perfstat_scan_plain(p, &n))
		return false;
	p = blanks(n.end);
	return lac_perfstat_metric_unit(*p == '%' ? blanks(p + 1) : p, &partial);
}

bool lac_perfstat_looks_like_event(const char *s)
{
	struct lac_perfstat_record rec;
	const char *end;

	for (s = blanks(s); *s; s = blanks(s + strcspn(s, " \t"))) {
		if (is_metric(s) || lac_perfstat_record_parse(s, false, &rec))
			return true;
		if (*s == '(' && strchr(s, '+') &&
		    lac_perfstat_is_noise_or_share(s, &end))
			return true;
	}
	return false;
}

/* --- times */

bool lac_perfstat_footer_parse(const char *s, struct lac_perfstat_footer *ret)
{
	static const char *const kinds[] = { "time elapsed", "user", "sys" };
	struct lac_perfstat_footer f = { 0 };
	size_t kind = 0;

	s = blanks(s);
	if (!lac_perfstat_scan_plain(s, &f.s))
		return false;
	s = blanks(f.s.end);
	if (!strncmp(s, "+-", 2) || !strncmp(s, "+/-", 3)) {
		s = blanks(s + (s[1] == '-' ? 2 : 3));
		f.has_error = lac_perfstat_scan_plain(s, &f.error);
		if (!f.has_error)
			return false;
		s = blanks(f.error.end);
	}
	if (strncmp(s, "seconds", 7))
		return false;
	s = blanks(s + 7);
	if (!strncmp(s, "time", 4) && !strncmp(blanks(s + 4), "elapsed", 7)) {
		s = blanks(s + 4) + 7;
	} else {
		for (kind = 1; kind < 3; kind++)
			if (!strncmp(s, kinds[kind], strlen(kinds[kind])))
				break;
		if (kind == 3)
			return false;
		s += strlen(kinds[kind]);
	}
	f.kind = (enum lac_perfstat_footer_kind)kind;
	if (!is_end(*s))
		return false;
	s = blanks(s);
	f.has_noise = scan_noise(s, &f.noise, &s);
	if (*blanks(s))
		return false;
	*ret = f;
	return true;
}

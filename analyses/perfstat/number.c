/* SPDX-License-Identifier: BSD-2-Clause */
/* number.c - numbers of any locale, by their structure alone. */
#include <string.h>

#include "perfstat/reader.h"

/* perf's counters have 64 bits, 20 digits; its JSON adds six decimals. */
#define MAX_DIGITS 30

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static size_t digits_at(const char *s)
{
	size_t n = 0;

	while (is_digit(s[n]))
		n++;
	return n;
}

/* The digits in [s, end), other characters skipped, over 10^decimals. */
static bool to_number(const char *s, const char *end, unsigned decimals,
		      struct lac_perfstat_number *ret)
{
	long double all = 0, scale = 1;
	unsigned n = 0;

	for (; s < end; s++)
		if (is_digit(*s)) {
			all = all * 10 + (*s - '0');
			n++;
		}
	for (unsigned i = 0; i < decimals; i++)
		scale *= 10;
	ret->value = (double)(all / scale);
	ret->rounding = (double)(0.5L / scale);
	return n <= MAX_DIGITS;
}

bool lac_perfstat_scan_plain(const char *s, struct lac_perfstat_scan *ret)
{
	struct lac_perfstat_scan r = { 0 };
	size_t n = digits_at(s), more;

	if (!n || n > MAX_DIGITS)
		return false;
	r.end = s + n;
	if ((*r.end == '.' || *r.end == ',') && is_digit(r.end[1])) {
		more = digits_at(r.end + 1);
		if (more > MAX_DIGITS)
			return false;
		r.mark = *r.end;
		r.decimals = (unsigned)more;
		r.end += 1 + more;
		/* a second separator: grouped, or not a number at all */
		if ((*r.end == '.' || *r.end == ',') && is_digit(r.end[1]))
			return false;
	}
	if (!to_number(s, r.end, r.decimals, &r.number))
		return false;
	*ret = r;
	return true;
}

static bool is_separator(int c)
{
	return c == '.' || c == ',' || c == '\'';
}

/* "1 289": a blank that was once a narrow one.  Three digits, then an end. */
static bool blank_groups(const char *s)
{
	return *s == ' ' && digits_at(s + 1) == 3;
}

/* Groups are of three digits, or, in India, of two with three at the end. */
static bool group_fits(size_t len, bool first, bool last)
{
	if (last)
		return len == 3;
	return first ? len >= 1 && len <= 3 : len == 2 || len == 3;
}

/*
 * Lengths of the runs of digits and the separators between them decide: a last
 * run of three is a group, one of two is decimals, one of six (alone) too.
 */
bool lac_perfstat_scan_count(const char *s, struct lac_perfstat_scan *ret)
{
	enum { MAX_RUNS = 12 };
	size_t len[MAX_RUNS], n = 0, groups;
	char sep[MAX_RUNS] = { 0 };
	const char *p = s;
	struct lac_perfstat_scan r = { 0 };

	for (;;) {
		len[n] = digits_at(p);
		if (!len[n] || len[n] > MAX_DIGITS)
			return false;
		p += len[n++];
		bool blank = blank_groups(p) &&
			     (n == 1 ? len[0] <= 3 : sep[1] == ' ');

		if (!blank && !(is_separator(*p) && is_digit(p[1])))
			break;
		if (n == MAX_RUNS)
			return false;
		sep[n] = *p++;
	}
	groups = n;
	if (n > 1 && (len[n - 1] == 2 || (n == 2 && len[1] == 6))) {
		r.decimals = (unsigned)len[n - 1];
		r.mark = sep[n - 1];
		groups = n - 1;
		if (r.mark != '.' && r.mark != ',')
			return false;
	}
	if (groups > 1) {
		r.group = sep[1];
		if (r.group == r.mark || *s == '0')
			return false;
		for (size_t i = 0; i < groups; i++)
			if (!group_fits(len[i], i == 0, i == groups - 1) ||
			    (i && sep[i] != r.group))
				return false;
	}
	r.end = p;
	if (!to_number(s, p, r.decimals, &r.number))
		return false;
	*ret = r;
	return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/near.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

const char *lac_name_last_part(const char *name)
{
	const char *last = name;
	int depth = 0;

	for (const char *p = name; *p; p++) {
		if (strchr("<({[", *p))
			depth++;
		else if (strchr(">)}]", *p) && depth)
			depth--;
		else if (!depth && p[0] == ':' && p[1] == ':')
			last = p + 2;
	}
	return last;
}

/* Levenshtein distance, case apart; anything above limit is limit + 1. */
static unsigned distance(const char *a, const char *b, unsigned limit)
{
	size_t na = strlen(a), nb = strlen(b);
	unsigned row[64];

	if (nb >= 64 || na >= 64 || (na > nb ? na - nb : nb - na) > limit)
		return limit + 1;
	for (size_t k = 0; k <= nb; k++)
		row[k] = (unsigned)k;
	for (size_t i = 1; i <= na; i++) {
		unsigned diagonal = row[0], best;

		best = row[0] = (unsigned)i;
		for (size_t k = 1; k <= nb; k++) {
			bool same = tolower((unsigned char)a[i - 1]) ==
				    tolower((unsigned char)b[k - 1]);
			unsigned d = diagonal + !same;

			diagonal = row[k];
			if (row[k] + 1 < d)
				d = row[k] + 1;
			if (row[k - 1] + 1 < d)
				d = row[k - 1] + 1;
			row[k] = d;
			if (d < best)
				best = d;
		}
		if (best > limit)
			return limit + 1;
	}
	return row[nb];
}

/* 0 is nearest. */
static unsigned score(const char *have, const char *want)
{
	size_t n = strlen(want);
	unsigned limit = n < 4 ? 1 : 2, d;
	const char *last = lac_name_last_part(have);

	d = distance(last, lac_name_last_part(want), limit);
	if (d <= limit)
		return d;
	if (n >= 3 && strncmp(last, want, n) == 0)
		return 3;
	if (n >= 3 && strstr(have, want))
		return 4;
	return UINT32_MAX;
}

void lac_near_offer(struct lac_near *near, const char *name)
{
	unsigned s = score(name, near->want), k;

	for (k = near->n; k && near->scores[k - 1] > s; k--)
		;
	if (s == UINT32_MAX || k == LAC_NEAR_MAX)
		return;
	for (unsigned i = 0; i < near->n; i++)
		if (!strcmp(near->names[i], name))
			return;
	near->n += near->n < LAC_NEAR_MAX;
	memmove(&near->names[k + 1], &near->names[k],
		(near->n - 1 - k) * sizeof(*near->names));
	memmove(&near->scores[k + 1], &near->scores[k],
		(near->n - 1 - k) * sizeof(*near->scores));
	near->names[k] = name;
	near->scores[k] = s;
}

void lac_near_text(const struct lac_near *near, char *out, size_t size)
{
	size_t at = 0;

	out[0] = '\0';
	for (unsigned i = 0; i < near->n && at < size; i++)
		at += (size_t)snprintf(out + at, size - at, "%s%s",
				       i ? ", " : "; did you mean ",
				       near->names[i]);
	if (near->n && at < size)
		snprintf(out + at, size - at, "?");
}

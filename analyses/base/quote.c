/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/quote.h"

#include <stdio.h>
#include <string.h>

/* At most max bytes, between characters of UTF-8, if that is what it is. */
static size_t cut(const char *s, size_t n, size_t max)
{
	size_t shown = max;

	if (n <= max)
		return n;
	while (shown && ((unsigned char)s[shown] & 0xc0) == 0x80)
		shown--;
	return shown ? shown : max;
}

struct lac_quote lac_quote_bytes(const char *s, size_t n)
{
	struct lac_quote q;
	size_t shown = cut(s, n, LAC_QUOTE_MAX), at = 0;

	for (size_t i = 0; i < shown; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c < 0x20 || c == 0x7f)
			at += (size_t)snprintf(q.text + at,
					       sizeof(q.text) - at, "\\x%02x",
					       c);
		else
			q.text[at++] = (char)c;
	}
	memcpy(q.text + at, shown < n ? "..." : "", shown < n ? 4 : 1);
	return q;
}

struct lac_quote lac_quote(const char *s)
{
	return lac_quote_bytes(s, strlen(s));
}

const char *lac_quote_brief(const char *s, struct lac_arena *arena)
{
	size_t n = strlen(s), shown = cut(s, n, LAC_BRIEF_MAX);

	return shown == n ? s
			  : lac_arena_printf(arena, "%.*s...", (int)shown, s);
}

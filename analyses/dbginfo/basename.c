/* SPDX-License-Identifier: BSD-2-Clause */
#include "dbginfo/basename.h"

#include <stdio.h>
#include <string.h>

struct words {
	int longs, shorts, ints, chars, i128, is_signed, is_unsigned;
};

static int count_word(struct words *w, const char *s, size_t n)
{
	static const char *const names[] = { "long", "short",	 "int", "char",
					     "__int128", "signed", "unsigned" };
	int *const counts[] = { &w->longs, &w->shorts, &w->ints,
				&w->chars, &w->i128,   &w->is_signed,
				&w->is_unsigned };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strlen(names[i]) == n && strncmp(names[i], s, n) == 0)
			return ++*counts[i];
	return 0;
}

const char *lac_base_name(const char *name, char buf[LAC_BASE_NAME_MAX])
{
	struct words w = { 0 };
	const char *sign;

	if (!name)
		return NULL;
	for (const char *p = name; *p;) {
		size_t n = strcspn(p, " ");

		if (!count_word(&w, p, n))
			return name;
		p += n;
		p += strspn(p, " ");
	}
	sign = w.is_unsigned ? "unsigned " : "";
	if (w.i128)
		snprintf(buf, LAC_BASE_NAME_MAX, "__int128%s",
			 w.is_unsigned ? " unsigned" : "");
	else if (w.chars)
		snprintf(buf, LAC_BASE_NAME_MAX, "%schar",
			 w.is_signed ? "signed " : sign);
	else if (w.longs)
		snprintf(buf, LAC_BASE_NAME_MAX, "long %s%sint",
			 w.longs > 1 ? "long " : "", sign);
	else
		snprintf(buf, LAC_BASE_NAME_MAX, "%s%sint",
			 w.shorts ? "short " : "", sign);
	return buf;
}

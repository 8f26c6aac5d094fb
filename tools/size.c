/* SPDX-License-Identifier: BSD-2-Clause */
#include "size.h"

#include <ctype.h>
#include <string.h>

#include "base/digits.h"

enum lac_status lac_size_parse(const char *what, const char *text,
			       uint64_t *ret, struct lac_err *err)
{
	static const char units[] = "KMGT";
	const char *unit = NULL;
	const char *end = text;
	unsigned shift = 0;
	uint64_t n = 0;

	if (!lac_digits_scan(text, 10, INT64_MAX, &n, &end))
		n = 0;
	if (n && *end)
		unit = strchr(units, toupper((unsigned char)*end));
	if (unit) {
		shift = 10 * (unsigned)(unit - units + 1);
		end++;
		if (!strcmp(end, "iB") || !strcmp(end, "B"))
			end += strlen(end);
	}
	if (!n || *end || n > (uint64_t)INT64_MAX >> shift)
		return lac_fail(err, LAC_USAGE,
				"%s '%s': a size such as 4096, 64K, 512M, 64G "
				"or 1T, from 1 to below 8388608T",
				what, text);
	*ret = n << shift;
	return LAC_OK;
}

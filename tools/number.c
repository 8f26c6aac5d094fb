/* SPDX-License-Identifier: BSD-2-Clause */
#include "number.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"

static bool whole(const char *text, uint64_t *ret)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *end;
	uint64_t v;

	if (!lac_digits_scan(text + (hex ? 2 : 0), hex ? 16 : 10, UINT64_MAX,
			     &v, &end) ||
	    *end)
		return false;
	*ret = v;
	return true;
}

static bool within(const char *text, uint64_t low, uint64_t high, uint64_t *v)
{
	return whole(text, v) && *v >= low && *v <= high;
}

enum lac_status lac_number_parse(const char *option, const char *text,
				 uint64_t low, uint64_t high, uint64_t *ret,
				 struct lac_err *err)
{
	uint64_t v;

	if (!text)
		return LAC_OK;
	if (!within(text, low, high, &v))
		return lac_fail(err, LAC_USAGE,
				"%s '%s': a whole number from %" PRIu64
				" to %" PRIu64,
				option, text, low, high);
	*ret = v;
	return LAC_OK;
}

enum lac_status lac_number_power(const char *option, const char *text,
				 uint64_t low, uint64_t high, uint64_t *ret,
				 struct lac_err *err)
{
	uint64_t v;

	if (!text)
		return LAC_OK;
	if (!within(text, low, high, &v) || (v & (v - 1)))
		return lac_fail(err, LAC_USAGE,
				"%s '%s': a power of two from %" PRIu64
				" to %" PRIu64,
				option, text, low, high);
	*ret = v;
	return LAC_OK;
}

enum lac_status lac_number_real(const char *option, const char *text,
				double low, double high, const char *unit,
				double *ret, struct lac_err *err)
{
	char *end;
	double v;

	if (!text)
		return LAC_OK;
	v = strtod(text, &end);
	/* the set: strtod() also takes signs, "inf", "nan" and hexadecimal */
	if ((!isdigit((unsigned char)*text) && *text != '.') ||
	    text[strspn(text, "0123456789.eE+-")] || *end ||
	    !(v >= low && v <= high))
		return lac_fail(err, LAC_USAGE, "%s '%s': %s, from %g to %g",
				option, text, unit, low, high);
	*ret = v;
	return LAC_OK;
}

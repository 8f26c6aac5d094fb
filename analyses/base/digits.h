/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * digits.h - the digits of a whole number, read and written.  strtoull() and
 * sscanf() also take blanks, signs and, for narrow types, what is out of range
 * as something else; printf() takes its time.
 */
#ifndef LAC_DIGITS_H
#define LAC_DIGITS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The number of base 10 or 16 that text begins with, without prefix, blank or
 * sign.  *end: behind its last digit.  false, and nothing is touched: no digit,
 * or more than high.
 */
static inline bool lac_digits_scan(const char *text, unsigned int base,
				   uint64_t high, uint64_t *ret,
				   const char **end)
{
	const char *s = text;
	uint64_t v = 0;

	for (;; s++) {
		unsigned int c = (unsigned char)*s, digit;

		digit = c >= '0' && c <= '9' ? c - '0' :
			(c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 :
							     base;
		if (digit >= base)
			break;
		if (digit > high || v > (high - digit) / base)
			return false;
		v = v * base + digit;
	}
	if (s == text)
		return false;
	*ret = v;
	*end = s;
	return true;
}

#define LAC_DIGITS_MAX 20u /* of any uint64_t, in base 10 */

/* They end where end is: so many bytes before it are free.  The first. */
static inline char *lac_digits_put(char *end, uint64_t v)
{
	do
		*--end = (char)('0' + v % 10);
	while (v /= 10);
	return end;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * number.h - the numbers of the command line.  Options with a number are
 * bound to strings, as an empty value and one that is out of range are no
 * defaults: they are LAC_USAGE, with the option, what was given and the valid
 * range.
 */
#ifndef LAC_NUMBER_H
#define LAC_NUMBER_H

#include <stdint.h>

#include "base/err.h"

/*
 * A whole number, decimal or with 0x, from low to high.  text NULL is an
 * option that was not given, and leaves *ret as it is.
 */
LAC_MUST_CHECK enum lac_status lac_number_parse(const char *option,
						const char *text, uint64_t low,
						uint64_t high, uint64_t *ret,
						struct lac_err *err);
/* The same, and a power of two. */
LAC_MUST_CHECK enum lac_status lac_number_power(const char *option,
						const char *text, uint64_t low,
						uint64_t high, uint64_t *ret,
						struct lac_err *err);
/*
 * A decimal number from low to high, both allowed; unit for the message
 * ("seconds").  Neither infinite nor NaN.
 */
LAC_MUST_CHECK enum lac_status lac_number_real(const char *option,
					       const char *text, double low,
					       double high, const char *unit,
					       double *ret,
					       struct lac_err *err);

#endif

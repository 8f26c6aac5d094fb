/* SPDX-License-Identifier: BSD-2-Clause */
#include "json_number.h"

#include <math.h>

json_t *lac_json_size(uint64_t v)
{
	return v > INT64_MAX ? json_null() : json_integer((json_int_t)v);
}

json_t *lac_json_real(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

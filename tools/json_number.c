/* SPDX-License-Identifier: BSD-2-Clause */
#include "json_number.h"

#include <inttypes.h>
#include <math.h>

json_t *lac_json_size(uint64_t v)
{
	return v > INT64_MAX ? json_null() : json_integer((json_int_t)v);
}

json_t *lac_json_real(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

json_t *lac_json_enumerator(int64_t value, bool is_signed)
{
	if (is_signed || value >= 0)
		return json_integer(value);
	return json_sprintf("%" PRIu64, (uint64_t)value);
}

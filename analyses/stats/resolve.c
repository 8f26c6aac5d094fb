/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>

#include "stats/stats.h"

const char *lac_resolution_name(enum lac_resolution r)
{
	switch (r) {
	case LAC_FASTER:
		return "faster";
	case LAC_SLOWER:
		return "slower";
	default:
		return "not resolved";
	}
}

struct lac_interval lac_null_range(const struct lac_interval *controls,
				   size_t n, double null)
{
	struct lac_interval r = { null, null, null, n, n };

	for (size_t i = 0; i < n; i++) {
		if (isnan(controls[i].low) || isnan(controls[i].high)) {
			r.low = -INFINITY;
			r.high = INFINITY;
			break;
		}
		r.low = fmin(r.low, controls[i].low);
		r.high = fmax(r.high, controls[i].high);
	}
	return r;
}

/* Comparisons with NAN are false, so a missing interval resolves nothing. */
enum lac_resolution lac_resolve(const struct lac_interval *statistics,
				const struct lac_interval *null_ranges,
				size_t n)
{
	size_t below = 0, above = 0;

	for (size_t i = 0; i < n; i++) {
		below += statistics[i].high < null_ranges[i].low;
		above += statistics[i].low > null_ranges[i].high;
	}
	if (n > 0 && below == n)
		return LAC_FASTER;
	if (n > 0 && above == n)
		return LAC_SLOWER;
	return LAC_NOT_RESOLVED;
}

struct lac_effects lac_effects_2x2(const double x[LAC_NCELLS])
{
	double ac = x[LAC_ALIGNED_CAS], al = x[LAC_ALIGNED_LOCK];
	double pl = x[LAC_PACKED_LOCK], pc = x[LAC_PACKED_CAS];

	return (struct lac_effects){
		.size = (pl + pc) / 2 - (al + ac) / 2,
		.update = (al + pl) / 2 - (ac + pc) / 2,
		.interaction = (pl - pc) - (al - ac),
	};
}

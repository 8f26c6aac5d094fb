/* SPDX-License-Identifier: BSD-2-Clause */
/* csv.h - one line of -x. */
#ifndef LAC_PERFSTAT_CSV_H
#define LAC_PERFSTAT_CSV_H

#include "perfstat/reader.h"

struct lac_perfstat_span {
	const char *s;
	size_t n;
};

struct lac_perfstat_csv {
	bool series;	/* begins with the time of -I */
	bool continues; /* only a second metric of the event before */
	struct lac_perfstat_span where, unit, name, metric_unit;
	unsigned cpus;
	enum lac_perfstat_status status;
	struct lac_perfstat_scan value, noise, share;
	bool has_noise, has_metric, metric_cut;
	uint64_t run_time_ns;
	struct lac_perfstat_number metric;
};

/* False if this is no such line, or one with more than one reading. */
bool lac_perfstat_csv_parse(const char *s, const char *sep, char mark,
			    struct lac_perfstat_csv *ret);

#endif

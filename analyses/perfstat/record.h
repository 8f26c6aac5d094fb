/* SPDX-License-Identifier: BSD-2-Clause */
/* record.h - one event, or one line of times, of the form for people. */
#ifndef LAC_PERFSTAT_RECORD_H
#define LAC_PERFSTAT_RECORD_H

#include "perfstat/reader.h"

/* A part of the text. */
struct lac_perfstat_part {
	const char *s;
	size_t n;
};

#define LAC_PERFSTAT_MAX_METRICS 8

struct lac_perfstat_record {
	bool series; /* begins with the time of -I */
	struct lac_perfstat_part where, name, unit;
	unsigned cpus;
	enum lac_perfstat_status status;
	struct lac_perfstat_scan value; /* if MEASURED */
	bool has_noise, has_share;
	struct lac_perfstat_scan noise, share; /* percent */
	size_t nmetrics;
	struct {
		struct lac_perfstat_part unit;
		bool percent;
		struct lac_perfstat_scan value;
	} metrics[LAC_PERFSTAT_MAX_METRICS];
	const char *end;
};

/*
 * In an output that began with its header less is needed to tell an event from
 * prose: headed.
 */
bool lac_perfstat_record_parse(const char *s, bool headed,
			       struct lac_perfstat_record *ret);
/* Has it the name, the figures or the error of an event, wherever? */
bool lac_perfstat_looks_like_event(const char *s);
/* Does s begin as a record or a line of times does? */
bool lac_perfstat_record_start(const char *s, bool headed);
/* A value, or a value and its unit, and nothing else. */
bool lac_perfstat_is_nameless(const char *s);
/* "( +- 0.16% )" or "(83.33%)" or "[83.33%]"; what is after it. */
bool lac_perfstat_is_noise_or_share(const char *s, const char **end);

enum lac_perfstat_footer_kind {
	LAC_PERFSTAT_ELAPSED,
	LAC_PERFSTAT_USER,
	LAC_PERFSTAT_SYS,
};

struct lac_perfstat_footer {
	enum lac_perfstat_footer_kind kind;
	struct lac_perfstat_scan s, error, noise; /* noise: percent */
	bool has_error, has_noise;
};

bool lac_perfstat_footer_parse(const char *s, struct lac_perfstat_footer *ret);

/* Put it into the output; errors name the line. */
LAC_MUST_CHECK enum lac_status
lac_perfstat_take_record(struct lac_perfstat_reader *r,
			 struct lac_perfstat_output *o, unsigned line,
			 const struct lac_perfstat_record *rec);
/* Is the record's event in the output that is being read? */
LAC_MUST_CHECK enum lac_status
lac_perfstat_record_seen(struct lac_perfstat_reader *r,
			 const struct lac_perfstat_record *rec, bool *ret);

#endif

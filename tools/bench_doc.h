/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_doc.h - what a run has to say, as data and as tables. */
#ifndef LAC_BENCH_DOC_H
#define LAC_BENCH_DOC_H

#include "bench_options.h"
#include "json_number.h"
#include "report/doc.h"

/*
 * Data: "machine", "settings", "cells" (one a test, size and variant: the
 * contract), "tests" (one a test, with a row a size: what the tables show).
 */
LAC_MUST_CHECK enum lac_status lac_bench_data(struct lac_doc *d,
					      const struct lac_experiment *r,
					      struct lac_err *err);

/* Views on that data: how it was measured, and the tables of each test. */
void lac_bench_views(struct lac_doc *d, const struct lac_experiment *r,
		     unsigned level);

/* What is said of a test in a heading. */
const char *lac_bench_test_title(const char *test);

/* {"value","low","high","status"}; no value without the status measured. */
json_t *lac_interval_json(const struct lac_interval *i);

#endif

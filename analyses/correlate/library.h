/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * library.h - the layouts of the allocator library, read from the debug
 * information of the very programs that were run.
 */
#ifndef LAC_LIBRARY_H
#define LAC_LIBRARY_H

#include "bench/bench.h"
#include "correlate/descriptor.h"
#include "correlate/predict.h"

struct lac_library {
	bool has[LAC_NCELLS];
	struct lac_descriptor page[LAC_NCELLS]; /* elements of the page array */
	const char *producer; /* the compiler, as it names itself; or NULL */
};

/*
 * For every variant that the run simulated.  dir is where its programs are;
 * everything lives in the arena.
 */
LAC_MUST_CHECK enum lac_status lac_library_read(const struct lac_bench *b,
						const char *dir,
						struct lac_arena *arena,
						struct lac_library *ret,
						struct lac_err *err);

/*
 * What the layout alone predicts for a cell of the table and a variant that was
 * simulated; LAC_UNSUPPORTED where it can not.
 */
LAC_MUST_CHECK enum lac_status
lac_library_predict(const struct lac_library *l,
		    const struct lac_bench_result *r, enum lac_cell variant,
		    struct lac_prediction *ret, struct lac_err *err);

#endif

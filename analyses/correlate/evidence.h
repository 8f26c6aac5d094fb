/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * evidence.h - one cell of the table: layout figures, simulated counts, paths
 * and times side by side, and what follows from them.
 */
#ifndef LAC_EVIDENCE_H
#define LAC_EVIDENCE_H

#include "bench/bench.h"
#include "correlate/library.h"
#include "correlate/reference_2013.h"

/*
 * What a miss costs at most, ns: on the generous side for machines from 2010 to
 * today.  An L1 miss that L2 serves; and how much more one does that the last
 * level serves, and one that memory serves.
 */
#define LAC_MISS_L2_NS 5.0
#define LAC_MISS_L3_NS 20.0
#define LAC_MISS_MEMORY_NS 150.0

/* A figure of all four variants, per operation, and its 2 x 2 effects. */
struct lac_figure_2x2 {
	double x[LAC_NCELLS];
	struct lac_effects effect; /* differences, per operation */
	/*
	 * The size effect as a fraction of the aligned mean; NAN where that is
	 * 0.  low and high: the range over the runs at n close by.
	 */
	double size_share, low, high;
};

enum lac_explanation {
	LAC_NOTHING_TO_EXPLAIN, /* no difference in time is resolved */
	LAC_BY_LAYOUT,
	LAC_BY_UPDATE,
	LAC_BY_BOTH,
	LAC_NOT_EXPLAINED,
	LAC_NOT_TIMED,
};
const char *lac_explanation_name(enum lac_explanation e);

/* Which claim about the page array's misses a run supports. */
enum lac_direction { LAC_SAME = 0, LAC_FEWER = -1, LAC_MORE = 1 };
/* The size effect in the page array's L1 misses: same if below 1 %. */
enum lac_direction lac_direction_of(double size_share);
const char *lac_direction_name(enum lac_direction d); /* "fewer" */

/* The same cell simulated elsewhere: another n, another cache. */
struct lac_elsewhere {
	const char *where; /* "n = 5000", "zen3-milan" */
	double lines_share, page_l1_share, l1_share; /* size effect, fraction */
	enum lac_direction direction;
};

struct lac_evidence {
	const struct lac_bench_result *cell;
	bool predicted;
	struct lac_prediction prediction[LAC_NCELLS];
	struct lac_figure_2x2 lines_predicted, lines; /* page array */
	struct lac_figure_2x2 page_l1, page_llc;      /* misses there */
	struct lac_figure_2x2 l1, l2, llc, accesses;  /* all together */
	/*
	 * The largest difference between lines predicted and touched over the
	 * variants, in points of a fraction of the lines touched.
	 */
	double prediction_error;
	/* Of an operation: how often a path was taken that updates the pair. */
	double updates; /* NAN if the statistics are missing */
	double fastpath; /* of allocations and frees: 1 if all */
	/*
	 * The most that the misses counted, or the updates made, may cost: the
	 * bounds that an explanation must respect; ns per operation.
	 */
	double layout_bound_ns, update_bound_ns;
	double size_ns, update_ns; /* the effects in time; NAN if not timed */
	enum lac_explanation explanation;
	bool arithmetic; /* by layout: by its arithmetic, not its footprint */
	const char *sentence;
	const struct lac_reference *published; /* bulk and pair only, or NULL */
	size_t nelsewhere;
	struct lac_elsewhere *elsewhere;
	unsigned agreeing; /* of elsewhere: those with the same direction */
};

/* A further run of the same cells, simulated only. */
struct lac_other_run {
	const struct lac_bench *bench;
	const char *where; /* as for lac_elsewhere */
	/* n is close by: it adds to the range, not to elsewhere. */
	bool nearby;
};

struct lac_correlation {
	const char *what; /* "lines predicted, lines touched" */
	const char *why;  /* there is no value, if rho has no interval */
	size_t nsizes;
	struct lac_interval rho;
};

struct lac_findings {
	size_t n;
	struct lac_evidence *rows; /* cells that have all four simulations */
	size_t ncorrelations;
	struct lac_correlation *correlations;
	unsigned comparisons; /* effects in time that were tested */
};

/* Everything lives in the arena or in what is passed. */
LAC_MUST_CHECK enum lac_status
lac_correlate(const struct lac_bench *b, const struct lac_library *l,
	      const struct lac_other_run *others, size_t nothers,
	      uint64_t seed, struct lac_arena *arena, struct lac_findings *ret,
	      struct lac_err *err);

/* explain.c: fills the bounds, the explanation and the sentence. */
LAC_MUST_CHECK enum lac_status lac_explain(struct lac_evidence *e,
					   struct lac_arena *arena,
					   struct lac_err *err);

/* rank.c: how strongly figures move together over all cells. */
LAC_MUST_CHECK enum lac_status lac_rank(struct lac_findings *f, uint64_t seed,
					struct lac_arena *arena,
					struct lac_err *err);

#endif

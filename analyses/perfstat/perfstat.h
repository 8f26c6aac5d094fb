/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perfstat.h - what `perf stat` printed, as numbers.
 *
 * Bytes in, values out.  The three forms of perf stat are read: the one for
 * people (also quoted, wrapped or mangled on its way through a mail), CSV (-x)
 * and JSON lines (-j), in locales with a decimal point or a decimal comma.
 * What cannot be proved to have one reading is refused with the way out.
 */
#ifndef LAC_PERFSTAT_H
#define LAC_PERFSTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

/* More than this is not the output of perf stat. */
#define LAC_PERFSTAT_MAX_BYTES ((size_t)16 * 1024 * 1024)

enum lac_perfstat_form {
	LAC_PERFSTAT_HUMAN,
	LAC_PERFSTAT_CSV,
	LAC_PERFSTAT_JSON,
};

enum lac_perfstat_status {
	LAC_PERFSTAT_MEASURED,
	LAC_PERFSTAT_SCALED,	  /* multiplexed: an estimate */
	LAC_PERFSTAT_UNSUPPORTED, /* <not supported>: no value */
	LAC_PERFSTAT_NOT_COUNTED, /* <not counted>: no value */
};

/*
 * What the counts under -r are.  Some versions of perf (seen in 5.15, 5.17 and
 * 6.1; not in 5.10, nor in 6.12) print the count of the last run, with the
 * standard error of the mean of all runs beside it; the rates they print are
 * the last count over the mean time.
 */
enum lac_perfstat_means {
	LAC_PERFSTAT_ONE_RUN,	/* nothing to average */
	LAC_PERFSTAT_MEANS,	/* shown by the rates, or said by the caller */
	LAC_PERFSTAT_LAST_RUN,	/* shown by the rates */
	LAC_PERFSTAT_UNDECIDED, /* nothing in the output tells */
};

/* A printed number and half a unit of its last place. */
struct lac_perfstat_number {
	double value, rounding;
};

enum lac_perfstat_check {
	LAC_PERFSTAT_AGREES,
	LAC_PERFSTAT_DISAGREES,
	LAC_PERFSTAT_MIXED,	/* last run over a mean: cannot agree */
	LAC_PERFSTAT_CUT,	/* perf cut the printed figure at its comma */
	LAC_PERFSTAT_NO_INPUT,	/* something it is made of is not there */
	LAC_PERFSTAT_NO_FORMULA, /* a unit that this reader does not know */
};

/* A figure that perf derived from counts, and the same worked out again. */
struct lac_perfstat_metric {
	const char *unit; /* "CPUs utilized"; without a '%' */
	bool percent;	  /* the printed value is one */
	struct lac_perfstat_number printed; /* not if CUT */
	double computed;		    /* if AGREES, DISAGREES or MIXED,
					     * and may be there if CUT */
	bool has_computed;
	/*
	 * If has_computed: the same of what lac_perfstat_compare() compares,
	 * which is a mean by the rates where the count is that of the last run.
	 */
	double compared;
	bool by_means; /* that differs from computed */
	enum lac_perfstat_check check;
};

struct lac_perfstat_event {
	unsigned line;
	const char *where; /* "" or as printed: "CPU0", "S0-D0-C1", "bash-77" */
	unsigned cpus;	   /* that `where` stands for; 0: not printed */
	const char *name;
	bool again; /* the same event stands further up in the output */
	const char *unit; /* "" for a plain count */
	enum lac_perfstat_status status;
	struct lac_perfstat_number count; /* in `unit`; if MEASURED or SCALED */
	bool integer;			  /* printed without decimals */
	/*
	 * The standard error of the mean: percent of the printed count as
	 * perf says it, and in `unit`.  Right in every version, also where
	 * the count itself is that of the last run.
	 */
	bool has_error;
	struct lac_perfstat_number error_percent;
	double error;
	/* Share of the time that it was counted, percent; 100 if not said. */
	double running_percent;
	bool has_run_time;
	uint64_t run_time_ns;
	/* The mean where the count is that of the last run but it shows. */
	bool has_mean;
	struct lac_perfstat_number mean;
	size_t nmetrics, metrics_cap;
	struct lac_perfstat_metric *metrics;
};

struct lac_perfstat_time {
	bool known;
	bool inferred; /* worked out from "CPUs utilized"; no error then */
	struct lac_perfstat_number s;
	bool has_error;
	struct lac_perfstat_number error_s; /* of the mean */
};

/* One run of perf stat, whatever its -r. */
struct lac_perfstat_output {
	unsigned first_line, last_line;
	const char *title; /* what was counted, as perf quotes it; or NULL */
	unsigned runs;	   /* 0: more than one, or not known at all */
	enum lac_perfstat_means means;
	double means_chance; /* MEANS: of such agreement by accident */
	struct lac_perfstat_time elapsed, user, sys;
	size_t nruns_s, runs_s_cap; /* --table */
	struct lac_perfstat_number *runs_s;
	size_t nevents, events_cap;
	struct lac_perfstat_event *events;
	char mark, group; /* seen in the numbers; 0: none */
	bool damaged;	  /* lines in it were not understood */
};

/* Something the reader wants to be known: a line it left out, a defect. */
struct lac_perfstat_note {
	unsigned line; /* 0: of the whole input */
	const char *text;
};

/* Immutable once read; everything is owned by the arena. */
struct lac_perfstat {
	struct lac_arena *arena;
	const char *name;
	enum lac_perfstat_form form;
	const char *separator; /* CSV, else NULL */
	size_t noutputs, outputs_cap; /* at least one, each with an event or
				       * an elapsed time */
	struct lac_perfstat_output *outputs;
	size_t nnotes, notes_cap;
	struct lac_perfstat_note *notes;
};

/* What the input does not say and the caller knows.  Zero: nothing. */
struct lac_perfstat_hints {
	unsigned runs; /* the N of -r N: CSV and JSON do not have it */
	bool means;    /* made by a perf that prints means */
};

/*
 * name is for messages.  LAC_BAD_INPUT: not perf stat's, contradictory, or
 * with more than one reading; LAC_UNSUPPORTED: a series (-I) without a summary
 * or metrics without counts (--metric-only); the message says what to do.
 */
LAC_MUST_CHECK enum lac_status
lac_perfstat_read(const char *name, const void *bytes, size_t size,
		  const struct lac_perfstat_hints *hints,
		  struct lac_perfstat **ret, struct lac_err *err);
void lac_perfstat_destroy(struct lac_perfstat *p); /* NULL is a no-op */

static inline void lac_perfstat_cleanup(struct lac_perfstat **p)
{
	lac_perfstat_destroy(*p);
}
#define LAC_CLEANUP_PERFSTAT __attribute__((cleanup(lac_perfstat_cleanup)))

/*
 * Do both titles name the same command, but for blanks, which a mail may have
 * changed?  True if one has none.
 */
bool lac_perfstat_same_command(const struct lac_perfstat_output *a,
			       const struct lac_perfstat_output *b);

/* Figures that perf printed and the counts beside them contradict. */
size_t lac_perfstat_disagreements(const struct lac_perfstat_output *o);

/* Is a metric of this unit a percentage, printed so or not? */
bool lac_perfstat_is_percent(const struct lac_perfstat_metric *m);

/* "measured", "last-run", "agrees" and so on: the words of the JSON. */
const char *lac_perfstat_form_name(enum lac_perfstat_form f);
const char *lac_perfstat_status_name(enum lac_perfstat_status s);
const char *lac_perfstat_means_name(enum lac_perfstat_means m);
const char *lac_perfstat_check_name(enum lac_perfstat_check c);

/* How an interval came about. */
enum lac_perfstat_basis {
	LAC_PERFSTAT_NO_INTERVAL,
	LAC_PERFSTAT_WELCH,	 /* log ratio, Student's t */
	LAC_PERFSTAT_NORMAL,	 /* log ratio, normal: too narrow if few runs */
	LAC_PERFSTAT_DIFFERENCE, /* a zero: no ratio, the difference tested */
};

enum lac_perfstat_verdict {
	LAC_PERFSTAT_RESOLVED,
	LAC_PERFSTAT_UNRESOLVED,
	LAC_PERFSTAT_UNKNOWN, /* why says why */
};

/* The status of a mean that stands where the last run was printed. */
#define LAC_PERFSTAT_BY_THE_RATES "mean by the rates"

/* One side of a row: the value that was compared. */
struct lac_perfstat_side {
	const struct lac_perfstat_event *event; /* NULL: elapsed, or absent */
	bool has_value;
	double value;
	const char *status; /* of the value: never NULL */
	/*
	 * Its standard error; of a last run, that of a single run, which is
	 * sqrt(runs) times the error of the mean.
	 */
	bool has_error;
	double error;
	double freedom; /* runs - 1; 0: not known */
};

struct lac_perfstat_row {
	const char *name, *where, *unit;
	struct lac_perfstat_side old_side, new_side;
	bool has_ratio;
	double ratio; /* new / old */
	enum lac_perfstat_basis basis;
	double low, high; /* of the ratio; 0 and INFINITY are possible */
	enum lac_perfstat_verdict verdict;
	const char *why; /* if UNKNOWN, else NULL */
};

struct lac_perfstat_comparison {
	double confidence;
	size_t nrows, nresolved;
	/* Elapsed time first, then the old order, then what is only new. */
	struct lac_perfstat_row *rows;
};

/*
 * Ratio and interval of every event of the two.  The interval is
 * exp(ln r +- q s), s^2 = (e_old / v_old)^2 + (e_new / v_new)^2 (the delta
 * method on the log ratio), q the quantile of Student's t with the freedom of
 * Welch (Biometrika 34, 1947) and Satterthwaite (Biometrics Bulletin 2, 1946)
 * taken on the relative errors, or of the normal distribution if the number of
 * runs is not known.  Errors are taken at the upper end of their rounding.
 * Resolved: the interval excludes 1.  Where a value is 0 the difference is
 * tested against the root of the summed squares of the errors instead.
 * The rows live in arena and borrow from both outputs.
 */
LAC_MUST_CHECK enum lac_status
lac_perfstat_compare(const struct lac_perfstat_output *old_output,
		     const struct lac_perfstat_output *new_output,
		     double confidence, struct lac_arena *arena,
		     struct lac_perfstat_comparison *ret, struct lac_err *err);

/*
 * x with P(T <= x) = p for Student's t with the given freedom > 0, or for the
 * normal distribution if freedom is INFINITY.  0 < p < 1.
 */
double lac_perfstat_quantile(double p, double freedom);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rank.c - do the figures of the layout and the counters move together?  Each
 * pair of columns over all cells, and once as the size effects of the cells:
 * levels agree mostly because larger objects touch more of everything; effects
 * only agree if the layout is what changes the counts.  Sizes are the clusters
 * that are resampled.
 */
#include <math.h>
#include <stdlib.h>

#include "correlate/evidence.h"

struct series {
	size_t n;
	double *x, *y;
	uint32_t *cluster;
};

static uint32_t cluster_of(const struct lac_findings *f, size_t row)
{
	uint32_t c = 0;

	/* the number of different sizes before the first of this size */
	for (size_t i = 0; i < f->n; i++) {
		bool first = true;

		if (f->rows[i].cell->cell.size == f->rows[row].cell->cell.size)
			break;
		for (size_t k = 0; k < i; k++)
			first &= f->rows[k].cell->cell.size !=
				 f->rows[i].cell->cell.size;
		c += first;
	}
	return c;
}

static void put(struct series *s, double x, double y, uint32_t cluster)
{
	if (!isfinite(x) || !isfinite(y))
		return;
	s->x[s->n] = x;
	s->y[s->n] = y;
	s->cluster[s->n++] = cluster;
}

/* Which two figures of a row: levels give four points, effects one. */
enum pair {
	PREDICTED_TOUCHED,
	TOUCHED_MISSED,
	MISSED_TIME,
	EFFECT_LINES_MISSES,
	EFFECT_MISSES_TIME,
	NPAIRS,
};

static const char *const pair_names[NPAIRS] = {
	[PREDICTED_TOUCHED] = "page-array lines predicted and touched",
	[TOUCHED_MISSED] = "page-array lines predicted and L1 misses there",
	[MISSED_TIME] = "all L1 misses and time",
	[EFFECT_LINES_MISSES] =
		"size effect in predicted lines and in L1 misses there",
	[EFFECT_MISSES_TIME] = "size effect in all L1 misses and in time",
};

static double time_of(const struct lac_evidence *e, int v)
{
	return e->cell->has_times ?
		       e->cell->times.ns[v][LAC_CPU_MEDIAN].value :
		       NAN;
}

static void put_row(struct series *s, const struct lac_evidence *e,
		    enum pair pair, uint32_t cluster)
{
	if (pair == EFFECT_LINES_MISSES && e->predicted)
		put(s, e->lines_predicted.size_share, e->page_l1.size_share,
		    cluster);
	if (pair == EFFECT_MISSES_TIME)
		put(s, e->l1.effect.size, e->size_ns, cluster);
	for (int v = 0; v < LAC_NCELLS && pair < EFFECT_LINES_MISSES; v++) {
		if (pair == PREDICTED_TOUCHED && e->predicted)
			put(s, e->prediction[v].lines, e->lines.x[v], cluster);
		if (pair == TOUCHED_MISSED && e->predicted)
			put(s, e->prediction[v].lines, e->page_l1.x[v],
			    cluster);
		if (pair == MISSED_TIME)
			put(s, e->l1.x[v], time_of(e, v), cluster);
	}
}

static size_t sizes_of(const struct series *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		size_t k = 0;

		while (k < i && s->cluster[k] != s->cluster[i])
			k++;
		n += k == i;
	}
	return n;
}

static enum lac_status rank_pair(const struct lac_findings *f, enum pair pair,
				 uint64_t seed, struct series *s,
				 struct lac_correlation *ret,
				 struct lac_err *err)
{
	struct lac_bootstrap o = { .seed = seed };

	s->n = 0;
	for (size_t i = 0; i < f->n; i++)
		put_row(s, &f->rows[i], pair, cluster_of(f, i));
	ret->what = pair_names[pair];
	ret->nsizes = sizes_of(s);
	ret->why = s->n == 0 ? "nothing that could be compared" :
		   ret->nsizes < LAC_CLUSTERS_MIN ?
			   "fewer than 6 object sizes: no value" :
			   "one of the two does not vary";
	return lac_spearman_bootstrap(s->x, s->y, s->cluster, s->n, &o,
				      &ret->rho, err);
}

enum lac_status lac_rank(struct lac_findings *f, uint64_t seed,
			 struct lac_arena *arena, struct lac_err *err)
{
	size_t most = f->n * LAC_NCELLS;
	struct series s = {
		.x = lac_arena_zalloc(arena, most, sizeof(*s.x)),
		.y = lac_arena_zalloc(arena, most, sizeof(*s.y)),
		.cluster = lac_arena_zalloc(arena, most, sizeof(*s.cluster)),
	};

	f->correlations =
		lac_arena_zalloc(arena, NPAIRS, sizeof(*f->correlations));
	if (!s.x || !s.y || !s.cluster || !f->correlations)
		return lac_fail_memory(err);
	for (int p = 0; p < NPAIRS; p++)
		LAC_TRY(rank_pair(f, (enum pair)p, seed, &s,
				  &f->correlations[p], err));
	f->ncorrelations = NPAIRS;
	return LAC_OK;
}

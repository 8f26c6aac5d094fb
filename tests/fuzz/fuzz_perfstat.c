/* SPDX-License-Identifier: BSD-2-Clause */
/* Any bytes: read or refused, and what is read can be compared. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "perfstat/perfstat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int holds)
{
	if (!holds)
		abort();
}

static void check_event(const struct lac_perfstat_event *e)
{
	must(*e->name != '\0');
	must(isfinite(e->count.value) && e->count.value >= 0);
	must(e->count.rounding >= 0);
	must(isfinite(e->error) && e->error >= 0);
	must(!e->has_mean || isfinite(e->mean.value));
	for (size_t i = 0; i < e->nmetrics; i++)
		must(!e->metrics[i].has_computed ||
		     isfinite(e->metrics[i].computed));
}

static void check_rows(const struct lac_perfstat_comparison *c)
{
	size_t resolved = 0;

	for (size_t i = 0; i < c->nrows; i++) {
		const struct lac_perfstat_row *r = &c->rows[i];

		must((r->verdict == LAC_PERFSTAT_UNKNOWN) == (r->why != NULL));
		must(!r->has_ratio || isfinite(r->ratio));
		if (r->basis == LAC_PERFSTAT_WELCH ||
		    r->basis == LAC_PERFSTAT_NORMAL)
			must(r->low <= r->ratio && r->ratio <= r->high);
		resolved += r->verdict == LAC_PERFSTAT_RESOLVED;
	}
	must(resolved == c->nresolved);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lac_perfstat *p;
	struct lac_perfstat_comparison c;
	struct lac_err err;
	size_t last;

	if (lac_perfstat_read("fuzz", data, size, NULL, &p, &err) != LAC_OK) {
		must(!strncmp(err.msg, "fuzz:", 5));
		return 0;
	}
	must(p->noutputs > 0);
	for (size_t i = 0; i < p->noutputs; i++) {
		must(p->outputs[i].nevents || p->outputs[i].elapsed.known);
		for (size_t k = 0; k < p->outputs[i].nevents; k++)
			check_event(&p->outputs[i].events[k]);
	}
	last = p->noutputs - 1;
	must(lac_perfstat_compare(&p->outputs[0], &p->outputs[last], 0.95,
				  p->arena, &c, &err) == LAC_OK);
	check_rows(&c);
	must(lac_perfstat_compare(&p->outputs[last], &p->outputs[last], 0.95,
				  p->arena, &c, &err) == LAC_OK);
	must(c.nresolved == 0);
	check_rows(&c);
	lac_perfstat_destroy(p);
	return 0;
}

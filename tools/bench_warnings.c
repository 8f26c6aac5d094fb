/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench_warnings.h"

#include <math.h>
#include <unistd.h>

void lac_bench_warn_of_load(struct lac_doc *d, double load)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (cpus > 0 && load > (double)cpus)
		lac_doc_paragraph(d, "Warning: the load average of %.1f exceeds "
				     "the %ld processor%s: times from this run "
				     "are worth little.  Simulated counts do not "
				     "depend on the load.",
				  load, cpus, cpus > 1 ? "s" : "");
}

/* Two of our processes run at most; the rest is somebody else's work. */
void lac_bench_warn_of_busy_run(struct lac_doc *d,
				const struct lac_experiment *r)
{
	if (r->bench->nprocesses)
		lac_bench_warn_of_load(d, fmax(r->bench->load_before,
					       r->bench->load_after));
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* machine.h - on what it was measured, for the header of a report. */
#ifndef LAC_MACHINE_H
#define LAC_MACHINE_H

#include "bench_options.h"

/*
 * {"lacuna","cpu","cpus","kernel","compiler","load_before","load_after",
 *  "counters"}: null where unknown.  No name of the machine.
 */
json_t *lac_machine_json(const struct lac_experiment *r);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pfm.c - event names, as libpfm4 knows them.  Its perf_event.h stands in for
 * the kernel's and cannot be included beside it.
 */
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfctr/perfctr.h"

enum lac_status lac_counter_event_find(const char *name,
				       struct lac_counter_event *ret,
				       struct lac_err *err)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };
	struct lac_counter_event e = { .group = 8 };
	pfm_err_t r = pfm_initialize();

	if (r != PFM_SUCCESS)
		return lac_fail(err, LAC_UNSUPPORTED, "libpfm4: %s",
				pfm_strerror(r));
	if (strlen(name) >= sizeof(e.name))
		return lac_fail(err, LAC_USAGE,
				"event '%.40s...': a name is at most %zu "
				"characters long",
				name, sizeof(e.name) - 1);
	r = pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT,
				      &arg);
	if (r != PFM_SUCCESS)
		return lac_fail(err, LAC_USAGE,
				"event '%s': libpfm4 says: %s; on this machine "
				"it knows, for example, PERF_COUNT_SW_PAGE_FAULTS"
				" and what its showevtinfo lists",
				name, pfm_strerror(r));
	snprintf(e.name, sizeof(e.name), "%s", name);
	e.type = attr.type;
	e.config = attr.config;
	e.config1 = attr.config1;
	e.config2 = attr.config2;
	e.kernel_side = attr.type == PERF_TYPE_SOFTWARE &&
			attr.config != PERF_COUNT_SW_TASK_CLOCK &&
			attr.config != PERF_COUNT_SW_CPU_CLOCK &&
			attr.config != PERF_COUNT_SW_PAGE_FAULTS &&
			attr.config != PERF_COUNT_SW_PAGE_FAULTS_MIN &&
			attr.config != PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	*ret = e;
	return LAC_OK;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pfm.c - event names, as libpfm4 knows them.  Its perf_event.h stands in for
 * the kernel's and cannot be included beside it.
 */
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/library.h"
#include "perfctr/perfctr.h"

struct calls { /* of libpfm4, whose tables of events take long to load */
	__typeof__(pfm_initialize) *initialize;
	__typeof__(pfm_strerror) *message;
	__typeof__(pfm_get_os_event_encoding) *encode;
};

static enum lac_status load(struct calls *c, struct lac_err *err)
{
	const struct lac_library_call calls[] = {
		{ &c->initialize, "pfm_initialize" },
		{ &c->message, "pfm_strerror" },
		{ &c->encode, "pfm_get_os_event_encoding" },
		{ NULL, NULL },
	};

	return lac_library_load("libpfm.so.4", calls, err);
}

enum lac_status lac_counter_event_find(const char *name,
				       struct lac_counter_event *ret,
				       struct lac_err *err)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };
	struct lac_counter_event e = { .group = 8 };
	struct calls pfm;
	pfm_err_t r;

	LAC_TRY(load(&pfm, err));
	r = pfm.initialize();
	if (r != PFM_SUCCESS)
		return lac_fail(err, LAC_UNSUPPORTED, "libpfm4: %s",
				pfm.message(r));
	if (strlen(name) >= sizeof(e.name))
		return lac_fail(err, LAC_USAGE,
				"event '%.40s...': a name is at most %zu "
				"characters long",
				name, sizeof(e.name) - 1);
	r = pfm.encode(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &arg);
	if (r != PFM_SUCCESS)
		return lac_fail(err, LAC_USAGE,
				"event '%s': libpfm4 says: %s; on this machine "
				"it knows, for example, PERF_COUNT_SW_PAGE_FAULTS"
				" and what its showevtinfo lists",
				name, pfm.message(r));
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

/* SPDX-License-Identifier: BSD-2-Clause */
/* event.c - the events that are counted by default, and how they travel. */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "perfctr/perfctr.h"

#define CACHE(level, op, result)                                               \
	(PERF_COUNT_HW_CACHE_##level | PERF_COUNT_HW_CACHE_OP_##op << 8 |      \
	 PERF_COUNT_HW_CACHE_RESULT_##result << 16)

/* Two groups that fit the four counters that every PMU has. */
const struct lac_counter_event lac_counter_hardware[] = {
	{ .name = "cycles",
	  .type = PERF_TYPE_HARDWARE,
	  .config = PERF_COUNT_HW_CPU_CYCLES },
	{ .name = "instructions",
	  .type = PERF_TYPE_HARDWARE,
	  .config = PERF_COUNT_HW_INSTRUCTIONS },
	{ .name = "branch_misses",
	  .type = PERF_TYPE_HARDWARE,
	  .config = PERF_COUNT_HW_BRANCH_MISSES },
	{ .name = "l1d_misses",
	  .type = PERF_TYPE_HW_CACHE,
	  .config = CACHE(L1D, READ, MISS),
	  .group = 1 },
	{ .name = "llc_misses",
	  .type = PERF_TYPE_HARDWARE,
	  .config = PERF_COUNT_HW_CACHE_MISSES,
	  .group = 1 },
};
const size_t lac_counter_nhardware =
	sizeof(lac_counter_hardware) / sizeof(lac_counter_hardware[0]);

const struct lac_counter_event lac_counter_software[] = {
	{ .name = "task_clock_ns",
	  .type = PERF_TYPE_SOFTWARE,
	  .config = PERF_COUNT_SW_TASK_CLOCK,
	  .group = 2 },
	{ .name = "page_faults",
	  .type = PERF_TYPE_SOFTWARE,
	  .config = PERF_COUNT_SW_PAGE_FAULTS,
	  .group = 3 },
	{ .name = "context_switches",
	  .type = PERF_TYPE_SOFTWARE,
	  .config = PERF_COUNT_SW_CONTEXT_SWITCHES,
	  .group = 4,
	  .kernel_side = true },
	{ .name = "migrations",
	  .type = PERF_TYPE_SOFTWARE,
	  .config = PERF_COUNT_SW_CPU_MIGRATIONS,
	  .group = 5,
	  .kernel_side = true },
};
const size_t lac_counter_nsoftware =
	sizeof(lac_counter_software) / sizeof(lac_counter_software[0]);

static const char *const status_names[] = {
	[LAC_COUNTER_MEASURED] = "measured",
	[LAC_COUNTER_SCALED] = "scaled",
	[LAC_COUNTER_UNSUPPORTED] = "unsupported",
	[LAC_COUNTER_NOT_PERMITTED] = "not permitted",
	[LAC_COUNTER_NOT_COUNTED] = "not counted",
};
enum { NSTATUS = sizeof(status_names) / sizeof(status_names[0]) };

const char *lac_counter_status_name(enum lac_counter_status s)
{
	return status_names[s];
}

bool lac_counter_status_parse(const char *name, enum lac_counter_status *ret)
{
	for (int i = 0; i < NSTATUS; i++) {
		if (strcmp(name, status_names[i]))
			continue;
		*ret = (enum lac_counter_status)i;
		return true;
	}
	return false;
}

void lac_counter_event_format(const struct lac_counter_event *e,
			      char text[LAC_EVENT_TEXT])
{
	snprintf(text, LAC_EVENT_TEXT,
		 "%s=%" PRIx32 ":%" PRIx64 ":%" PRIx64 ":%" PRIx64 ":%x:%x",
		 e->name, e->type, e->config, e->config1, e->config2, e->group,
		 e->kernel_side);
}

enum lac_status lac_counter_event_parse(const char *text,
					struct lac_counter_event *ret,
					struct lac_err *err)
{
	static const uint64_t most[] = { UINT32_MAX, UINT64_MAX, UINT64_MAX,
					 UINT64_MAX, UINT32_MAX, UINT32_MAX };
	enum { FIELDS = sizeof(most) / sizeof(most[0]) };
	const char *eq = strrchr(text, '='), *at = eq;
	struct lac_counter_event e = { 0 };
	uint64_t field[FIELDS] = { 0 };
	bool good = eq && eq != text && (size_t)(eq - text) < sizeof(e.name);

	for (int i = 0; good && i < FIELDS; i++)
		good = lac_digits_scan(at + 1, 16, most[i], &field[i], &at) &&
		       *at == (i + 1 < FIELDS ? ':' : '\0');
	if (!good)
		return lac_fail(err, LAC_USAGE,
				"event '%s': not NAME=TYPE:CONFIG:CONFIG1:"
				"CONFIG2:GROUP:KERNEL in hexadecimal",
				text);
	memcpy(e.name, text, (size_t)(eq - text));
	e.type = (uint32_t)field[0];
	e.config = field[1];
	e.config1 = field[2];
	e.config2 = field[3];
	e.group = (unsigned)field[4];
	e.kernel_side = field[5] != 0;
	*ret = e;
	return LAC_OK;
}

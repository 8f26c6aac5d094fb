/* SPDX-License-Identifier: BSD-2-Clause */
/* fuzz_budget.c - the rules of lacuna check. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "diff/budget.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lac_arena *arena = lac_arena_create();
	struct lac_err err = {0};
	struct lac_budget parsed;

	if (!arena)
		abort();
	if (lac_budget_parse("f", (const char *)data, size, arena,
		&parsed, &err) == LAC_OK) {
		for (uint32_t i = 0; i < parsed.n; i++)
			if (!parsed.rules[i].nconditions ||
			    !parsed.rules[i].pattern)
				abort();
	} else if (!strstr(err.msg, "f:")) {
		abort(); /* an error names the file */
	}
	lac_arena_destroy(arena);
	return 0;
}

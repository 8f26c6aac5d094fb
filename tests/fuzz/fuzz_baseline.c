/* SPDX-License-Identifier: BSD-2-Clause */
/* fuzz_baseline.c - recorded figures; what was read is written as it was. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "diff/baseline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Written and read again it has the same records. */
static void check_text(const struct lac_baseline *b, struct lac_arena *arena)
{
	struct lac_baseline again;
	struct lac_err err;
	const char *text;
	size_t size;

	if (lac_baseline_write(b, arena, &text, &size, &err) != LAC_OK ||
	    lac_baseline_parse("again", text, size, arena, &again, &err) !=
		    LAC_OK ||
	    again.n != b->n)
		abort();
	for (uint32_t i = 0; i < b->n; i++)
		if (strcmp(again.entries[i].label, b->entries[i].label) ||
		    memcmp(again.entries[i].figures, b->entries[i].figures,
			   sizeof(b->entries[i].figures)))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lac_arena *arena = lac_arena_create();
	struct lac_err err = {0};
	struct lac_baseline parsed;

	if (!arena)
		abort();
	if (lac_baseline_parse("f", (const char *)data, size, arena,
		&parsed, &err) == LAC_OK) {
		check_text(&parsed, arena);
	} else if (!strstr(err.msg, "f:")) {
		abort(); /* an error names the file */
	}
	lac_arena_destroy(arena);
	return 0;
}

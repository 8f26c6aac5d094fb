/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_dwarf.c - any bytes as an object with DWARF: the graph that comes out
 * holds its invariants, or there is an error.
 */
#include <stdlib.h>
#include <unistd.h>

#include "dbginfo/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* libdwarf 20210528 forgets an entry when its abbreviation is damaged. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:_dwarf_get_alloc";
}

static void read_one_way(const uint8_t *data, size_t size, enum lac_way way)
{
	struct lac_graph_options o = { .no_cache = true, .threads = 1 };
	struct lac_reading r = { .path = "fuzz", .o = &o, .way = way };
	struct lac_object *object = NULL;
	struct lac_graph *g = NULL;
	struct lac_err err;

	if (lac_object_open_memory("fuzz", data, size, &object, &err) != LAC_OK)
		return;
	if (lac_pool_create(&r.p, &err) != LAC_OK)
		abort();
	r.head.path = r.head.debug_path = "fuzz";
	r.head.tells_alignment = true;
	if ((!lac_object_find(object, ".debug_info") &&
	     !lac_object_find(object, ".debug_info.dwo")) ||
	    lac_read_object(&r, object, &err) != LAC_OK) {
		lac_pool_destroy(r.p);
	} else if (lac_pool_freeze(r.p, &r.head, &g, &err) == LAC_OK) {
		if (lac_graph_check(g, &err) != LAC_OK)
			abort();
		lac_graph_destroy(g);
	}
	free(r.missing);
	lac_object_destroy(object);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum lac_way ways[] = { LAC_WAY_FAST, LAC_WAY_BYTES,
					     LAC_WAY_PLAIN };

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		read_one_way(data, size, ways[i]);
	return 0;
}

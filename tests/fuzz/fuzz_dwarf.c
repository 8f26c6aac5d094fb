/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_dwarf.c - any bytes as an object with DWARF: the graph that comes out
 * holds its invariants, or there is an error; and what users get, who have no
 * way to choose, is what one of the ways says.  (Of what is malformed they need
 * not say the same.)
 */
#include "../unit/graph_text.h"
#include "dbginfo/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* libdwarf 20210528 forgets an entry when its abbreviation is damaged. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:_dwarf_get_alloc";
}

/* The graph; NULL if there is an error, *missed if that is for libdwarf. */
static struct lac_graph *read_once(const uint8_t *data, size_t size,
				   enum lac_way way, bool *missed)
{
	struct lac_graph_options o = { .no_cache = true, .threads = 1 };
	struct lac_reading r = { .path = "fuzz", .o = &o, .way = way };
	struct lac_object *object = NULL;
	struct lac_graph *g = NULL;
	struct lac_err err;

	if (lac_object_open_memory("fuzz", data, size, &object, &err) != LAC_OK)
		return NULL;
	if (lac_pool_create(&r.p, &err) != LAC_OK)
		abort();
	r.head.path = r.head.debug_path = "fuzz";
	r.head.tells_alignment = true;
	if ((!lac_object_find(object, ".debug_info") &&
	     !lac_object_find(object, ".debug_info.dwo")) ||
	    lac_read_object(&r, object, &err) != LAC_OK)
		lac_pool_destroy(r.p);
	else if (lac_pool_freeze(r.p, &r.head, &g, &err) == LAC_OK &&
		 lac_graph_check(g, &err) != LAC_OK)
		abort();
	*missed = r.missed;
	free(r.missing);
	lac_object_destroy(object);
	return g;
}

/* What it says, the caller's; NULL if there is an error. */
static char *read_way(const uint8_t *data, size_t size, enum lac_way way)
{
	bool missed = false;
	struct lac_graph *g = read_once(data, size, way, &missed);
	char *text;

	if (!g && missed && way == LAC_WAY_AUTO) /* as lac_graph_read() */
		g = read_once(data, size, LAC_WAY_PLAIN, &missed);
	text = g ? graph_text(g) : NULL;
	lac_graph_destroy(g);
	return text;
}

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum lac_way ways[] = { LAC_WAY_FAST, LAC_WAY_BYTES,
					     LAC_WAY_PLAIN };
	char *chosen = read_way(data, size, LAC_WAY_AUTO);
	bool found = false;

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		char *text = read_way(data, size, ways[i]);

		found |= same(text, chosen);
		free(text);
	}
	free(chosen);
	if (!found)
		abort();
	return 0;
}

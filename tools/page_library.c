/* SPDX-License-Identifier: BSD-2-Clause */
#include "page_library.h"

#include <string.h>

#include "fixture.h"
#include "load.h"

static enum lac_status read_one(struct lac_page_library *l, const char *path,
				struct lac_arena *arena, struct lac_err *err)
{
	static const char *const names[] = { "page", "slab", "page_couple",
					     NULL };

	LAC_TRY(lac_load_some(path, names, &l->graphs[l->n], err));
	LAC_TRY(lac_page_analyse(l->graphs[l->n], arena, &l->pages[l->n], err));
	l->subjects[l->n].build = &l->pages[l->n];
	l->n++;
	return LAC_OK;
}

enum lac_status lac_page_library_read(struct lac_page_library *l,
				      struct lac_arena *arena,
				      struct lac_err *err)
{
	static const struct {
		const char *variant, *program;
		enum lac_page_update update;
	} variants[LAC_LIBRARY_VARIANTS] = {
		{ "aligned-cas", "slab-time-aligned-cas.0", LAC_UPDATE_CAS },
		{ "aligned-lock", "slab-time-aligned-lock.0",
		  LAC_UPDATE_LOCK },
		{ "packed-lock", "slab-time-packed-lock.0", LAC_UPDATE_LOCK },
		{ "packed-cas", "slab-time-packed-cas.0", LAC_UPDATE_CAS },
	};

	memset(l, 0, sizeof(*l));
	for (size_t i = 0; i < LAC_LIBRARY_VARIANTS; i++) {
		const char *path;

		LAC_TRY(lac_fixture_find(variants[i].program, arena, &path,
					 err));
		LAC_TRY(read_one(l, path, arena, err));
		l->subjects[i].label = variants[i].variant;
		l->subjects[i].file = variants[i].program;
		l->subjects[i].named_update = variants[i].update;
	}
	return LAC_OK;
}

void lac_page_library_close(struct lac_page_library *l)
{
	for (size_t i = 0; i < LAC_LIBRARY_VARIANTS; i++) {
		lac_graph_destroy(l->graphs[i]);
		l->graphs[i] = NULL;
	}
}

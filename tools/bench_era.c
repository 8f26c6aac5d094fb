/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench_era.h"

#include <inttypes.h>
#include <string.h>

/* Since the memory controller has a word of struct page, what fills it. */
static const char *controller_member(const char *era)
{
	static const char *const members[][2] = {
		{ "v5.10", "mem_cgroup" },
		{ "v6.1", "memcg_data" },
		{ "v6.12", "memcg_data" },
	};

	for (size_t i = 0; era && i < sizeof(members) / sizeof(*members); i++)
		if (!strcmp(era, members[i][0]))
			return members[i][1];
	return NULL;
}

/* The stride of the page array in either of the variants; 0: in neither. */
static uint64_t stride(const struct lac_experiment *r, enum lac_cell a,
		       enum lac_cell b)
{
	return r->layouts.has[a]   ? r->layouts.page[a].stride
	       : r->layouts.has[b] ? r->layouts.page[b].stride
				   : 0;
}

json_t *lac_bench_era_note(struct lac_doc *d, const struct lac_experiment *r)
{
	const char *era = r->options.job.era, *member = controller_member(era);
	uint64_t aligned = stride(r, LAC_ALIGNED_CAS, LAC_ALIGNED_LOCK);
	uint64_t packed = stride(r, LAC_PACKED_LOCK, LAC_PACKED_CAS);
	const char *s;

	for (size_t i = 0; !member && i < r->nothers; i++) {
		const char *where = r->others[i].where;

		if (strncmp(where, "era ", 4))
			continue;
		era = where + 4;
		member = controller_member(era);
	}
	if (!member || !packed || aligned <= packed)
		return json_null();
	s = lac_arena_printf(
		d->arena,
		"%sThe struct page of era %s is built here without %s "
		"(CONFIG_MEMCG off): %" PRIu64 " bytes aligned, %" PRIu64
		" packed.  In a kernel with MEMCG, as distributions build it, "
		"%s fills these %" PRIu64 " bytes: struct page has %" PRIu64
		" either way, alignment costs nothing, and what packing does "
		"here is not to be had there (lacuna page VMLINUX says which "
		"it is).",
		era != r->options.job.era
			? "The same is counted in other eras, too, to see "
			  "whether it holds there.  "
			: "",
		era, member, aligned, packed, member, aligned - packed,
		aligned);
	return s ? json_string(s) : NULL;
}

void lac_bench_show_era_note(struct lac_doc *d)
{
	const char *note = json_string_value(json_object_get(
		json_object_get(d->data, "settings"), "era_note"));

	if (note)
		lac_doc_paragraph(d, "%s", note);
}

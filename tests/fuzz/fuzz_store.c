/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_store.c - any bytes as what was kept of a graph.  The checksums are put
 * right first, as whoever writes an entry can do that: what then comes out
 * holds its invariants and can be asked, or there is an error.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dbginfo/store_format.h"
#include "layout/reorder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Make the sums of an entry fit its bytes; false if it is far from one. */
static bool put_right(unsigned char *bytes, size_t size,
		      struct lac_store_key *key)
{
	struct lac_image_head h;
	uint64_t head_bytes;

	if (size < sizeof(h))
		return false;
	memcpy(&h, bytes, sizeof(h));
	h.magic = LAC_IMAGE_MAGIC;
	h.format = LAC_IMAGE_FORMAT;
	h.nblocks = (uint32_t)(size / LAC_IMAGE_BLOCK - 1);
	head_bytes = lac_image_head_bytes(h.nblocks);
	if (size / LAC_IMAGE_BLOCK < 2 ||
	    head_bytes + (uint64_t)h.nblocks * LAC_IMAGE_BLOCK != size)
		return false;
	for (uint32_t b = 0; b < h.nblocks; b++) {
		uint64_t sum = lac_image_sum(bytes + head_bytes +
						     (size_t)b * LAC_IMAGE_BLOCK,
					     LAC_IMAGE_BLOCK, (uint64_t)b + 1);

		memcpy(bytes + sizeof(h) + b * sizeof(sum), &sum, sizeof(sum));
	}
	h.sum = 0;
	memcpy(bytes, &h, sizeof(h));
	h.sum = lac_image_sum(bytes, head_bytes, 0);
	memcpy(bytes, &h, sizeof(h));
	*key = h.key;
	return true;
}

/* A new order, if there is one, is laid out like any other record. */
static void ask_order(const struct lac_graph *g, lac_record_id id,
		      struct lac_arena *arena)
{
	struct lac_rules *rules = lac_rules_create(g, arena);
	struct lac_graph other;
	struct lac_reorder x;
	struct lac_layout l;
	struct lac_err err;

	if (!rules || lac_reorder(g, id, rules, arena, &x, &err) != LAC_OK)
		abort();
	if (x.status != LAC_REORDER_SMALLER)
		return;
	if (x.record.size >= g->records[id].size ||
	    lac_reorder_graph(g, id, &x, arena, &other, &err) != LAC_OK ||
	    lac_layout_compute(&other, id, NULL, arena, &l, &err) != LAC_OK)
		abort();
	lac_layout_assert(&l);
}

static void ask(const struct lac_graph *g)
{
	struct lac_arena *arena = lac_arena_create();
	struct lac_layout_options o = { .line_size = 64 };
	struct lac_layout l;
	const lac_record_id *ids;
	struct lac_err err;
	size_t n;

	if (!arena || lac_graph_check(g, &err) != LAC_OK)
		abort();
	for (lac_record_id i = 0; i < g->nrecords && i < 32; i++) {
		const char *name = g->records[i].name;

		if (lac_layout_compute(g, i, &o, arena, &l, &err) != LAC_OK)
			continue;
		if (name && lac_graph_find(g, name, arena, &ids, &n, &err) !=
				    LAC_OK)
			continue; /* an index that lies */
		ask_order(g, i, arena);
		lac_record_label(g, i, arena);
	}
	lac_arena_destroy(arena);
}

static void take(int fd, const struct lac_store_key *key,
		 const struct lac_graph_options *o)
{
	struct lac_graph *g = NULL;
	struct lac_err err;

	if (lac_store_read(fd, "fuzz", key, o, &g, &err) != LAC_OK)
		return;
	ask(g);
	lac_graph_destroy(g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const only[] = { "page", "n::v<int>", NULL };
	const struct lac_graph_options all = { .only = NULL };
	const struct lac_graph_options some = { .only = only, .may_lack = true };
	struct lac_store_key key;
	unsigned char *bytes = malloc(size + 1);
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (!bytes || fd < 0)
		abort();
	memcpy(bytes, data, size);
	if (put_right(bytes, size, &key) &&
	    write(fd, bytes, size) == (ssize_t)size) {
		take(fd, &key, &all);
		take(fd, &key, &some);
	}
	close(fd);
	free(bytes);
	return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* read.c - from a path to a graph. */
#include <elf.h>
#include <string.h>

#include "dbginfo/build.h"

static struct lac_target target_of(const struct lac_object *o)
{
	return (struct lac_target){
		.machine = o->machine,
		.pointer_size = o->is64 ? 8 : 4,
		.big_endian = o->big_endian,
	};
}

static enum lac_status no_debug_info(const char *path, struct lac_err *err)
{
	return lac_fail(err, LAC_BAD_INPUT,
			"no debug info in %s: build with -g, or give the "
			"separate debug file", path);
}

static enum lac_status build_all(struct lac_dwarf *d, struct lac_pool *p,
				 struct lac_err *err)
{
	struct lac_build b;
	enum lac_status st = lac_build_init(&b, d, p, err);

	for (size_t i = 0; st == LAC_OK && i < b.nunits; i++)
		st = lac_build_unit(&b, i, err);
	lac_build_deinit(&b);
	return st;
}

static enum lac_status read_dwarf(struct lac_object *o, const char *path,
				  struct lac_graph **ret, struct lac_err *err)
{
	struct lac_graph head = { .format = LAC_FORMAT_DWARF,
				  .target = target_of(o),
				  .tells_alignment = true };
	struct lac_dwarf *d = NULL;
	struct lac_pool *p = NULL;
	enum lac_status st;

	LAC_TRY(lac_pool_create(&p, err));
	st = lac_pool_string(p, path, &head.path, err);
	if (st == LAC_OK)
		st = lac_pool_string(p, o->path, &head.debug_path, err);
	if (st == LAC_OK)
		st = lac_dwarf_open(o, &d, err);
	if (st == LAC_OK)
		st = build_all(d, p, err);
	lac_dwarf_close(d);
	if (st != LAC_OK) {
		lac_pool_destroy(p);
		return st;
	}
	return lac_pool_freeze(p, &head, ret, err);
}

enum lac_status lac_graph_read(const char *path,
			       const struct lac_graph_options *options,
			       struct lac_graph **ret, struct lac_err *err)
{
	LAC_CLEANUP_OBJECT struct lac_object *o = NULL;

	(void)options;
	LAC_TRY(lac_object_open(path, &o, err));
	if (!lac_object_find(o, ".debug_info"))
		return no_debug_info(path, err);
	return read_dwarf(o, path, ret, err);
}

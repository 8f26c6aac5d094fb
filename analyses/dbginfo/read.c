/* SPDX-License-Identifier: BSD-2-Clause */
/* read.c - from a path to a graph. */
#include <elf.h>
#include <string.h>

#include "dbginfo/reader.h"

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

enum lac_status lac_read_plainly(struct lac_build *b, struct lac_err *err)
{
	for (size_t i = 0; i < b->nunits; i++)
		LAC_TRY(lac_build_unit(b, i, err));
	return LAC_OK;
}

static struct lac_bytes section(const struct lac_object *o, const char *name)
{
	unsigned i = lac_object_find(o, name);

	/* those that matter are loaded, since libdwarf has them */
	if (!i || !o->sections[i].data)
		return (struct lac_bytes){ NULL, 0 };
	return (struct lac_bytes){ o->sections[i].data, o->sections[i].size };
}

struct job {
	const struct lac_graph_options *o;
	enum lac_way way;
	struct lac_object *object;
};

static enum lac_status build_all(const struct job *job, struct lac_dwarf *d,
				 struct lac_pool *p, struct lac_err *err)
{
	const struct lac_object *o = job->object;
	struct lac_raw_sections raw = {
		.object = o,
		.info = section(o, ".debug_info"),
		.types = section(o, ".debug_types"),
		.abbrev = section(o, ".debug_abbrev"),
		.str = section(o, ".debug_str"),
		.line = section(o, ".debug_line"),
		.line_str = section(o, ".debug_line_str"),
		.str_offsets = section(o, ".debug_str_offsets"),
		.big_endian = o->big_endian,
	};
	const struct lac_dwarf_unit *units;
	struct lac_build b;
	enum lac_status st;
	size_t n;

	LAC_TRY(lac_dwarf_units(d, &units, &n, err));
	st = lac_build_init(&b, d, p, units, n, err);

	if (st == LAC_OK && job->way != LAC_WAY_PLAIN)
		st = lac_read_fast(&b, &raw, job->o->threads, err);
	if ((st == LAC_OK && job->way == LAC_WAY_PLAIN) ||
	    (st == LAC_UNSUPPORTED && job->way == LAC_WAY_AUTO))
		st = lac_read_plainly(&b, err);
	lac_build_deinit(&b);
	return st;
}

static enum lac_status read_dwarf(const struct job *job, const char *path,
				  struct lac_graph **ret, struct lac_err *err)
{
	struct lac_graph head = { .format = LAC_FORMAT_DWARF,
				  .target = target_of(job->object),
				  .tells_alignment = true };
	struct lac_dwarf *d = NULL;
	struct lac_pool *p = NULL;
	enum lac_status st;

	LAC_TRY(lac_pool_create(&p, err));
	st = lac_pool_string(p, path, &head.path, err);
	if (st == LAC_OK)
		st = lac_pool_string(p, job->object->path, &head.debug_path,
				     err);
	if (st == LAC_OK)
		st = lac_dwarf_open(job->object, &d, err);
	if (st == LAC_OK) {
		st = build_all(job, d, p, err);
		if (st != LAC_OK && !strstr(err->msg, path))
			lac_err_context(err, st, "%s", path);
	}
	lac_dwarf_close(d);
	if (st != LAC_OK) {
		lac_pool_destroy(p);
		return st;
	}
	return lac_pool_freeze(p, &head, ret, err);
}

enum lac_status lac_graph_read_way(const char *path,
				   const struct lac_graph_options *o,
				   enum lac_way way, struct lac_graph **ret,
				   struct lac_err *err)
{
	LAC_CLEANUP_OBJECT struct lac_object *object = NULL;
	struct job job = { o, way, NULL };

	LAC_TRY(lac_object_open(path, &object, err));
	job.object = object;
	if (!lac_object_find(object, ".debug_info"))
		return no_debug_info(path, err);
	return read_dwarf(&job, path, ret, err);
}

enum lac_status lac_graph_read(const char *path,
			       const struct lac_graph_options *o,
			       struct lac_graph **ret, struct lac_err *err)
{
	return lac_graph_read_way(path, o, LAC_WAY_AUTO, ret, err);
}

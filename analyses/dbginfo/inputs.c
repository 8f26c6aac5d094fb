/* SPDX-License-Identifier: BSD-2-Clause */
/* inputs.c - the DWARF of a file, wherever it lies. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dbginfo/reader.h"
#include "object/search.h"

static struct lac_bytes section(struct lac_object *o, const char *name,
				bool dwo)
{
	char full[64];
	unsigned i;

	snprintf(full, sizeof(full), "%s%s", name, dwo ? ".dwo" : "");
	i = lac_object_find(o, full);
	/* those that matter are loaded, since libdwarf has them */
	if (!i || !o->sections[i].data)
		return (struct lac_bytes){ NULL, 0 };
	return (struct lac_bytes){ o->sections[i].data, o->sections[i].size };
}

static struct lac_raw_sections raw_sections(struct lac_object *o, bool dwo)
{
	return (struct lac_raw_sections){
		.object = o,
		.info = section(o, ".debug_info", dwo),
		.types = section(o, ".debug_types", dwo),
		.abbrev = section(o, ".debug_abbrev", dwo),
		.str = section(o, ".debug_str", dwo),
		.line = section(o, ".debug_line", dwo),
		.line_str = section(o, ".debug_line_str", dwo),
		.str_offsets = section(o, ".debug_str_offsets", dwo),
		.big_endian = o->big_endian,
		.dwo = dwo,
	};
}

/* A part that is gone: an error, or a note if that is accepted. */
static enum lac_status gone(struct lac_reading *r, const char *name,
			    enum lac_status st, struct lac_err *err)
{
	char *all = NULL;

	if (st != LAC_NOT_FOUND || !r->o->partial)
		return st;
	if (r->missing && strstr(r->missing, name))
		return LAC_OK;
	if (asprintf(&all, "%s%s%s", r->missing ? r->missing : "",
		     r->missing ? ", " : "", name) < 0)
		return lac_fail_memory(err);
	free(r->missing);
	r->missing = all;
	return LAC_OK;
}

static enum lac_status read_units(struct lac_reading *r, struct lac_build *b,
				  struct lac_object *o, bool dwo,
				  struct lac_err *err)
{
	enum lac_status st = LAC_UNSUPPORTED;
	bool package = lac_object_find(o, ".debug_cu_index") ||
		       lac_object_find(o, ".debug_tu_index");

	/* a package's units have their tables at places of their own */
	if (r->way == LAC_WAY_PLAIN || (dwo && package))
		return lac_read_plainly(b, err);
	if (r->way != LAC_WAY_BYTES)
		st = lac_read_fast(b, b->raw, r->o->threads, err);
	if (st == LAC_UNSUPPORTED && r->way != LAC_WAY_FAST)
		st = lac_read_by_bytes(b, err);
	r->missed |= b->missed;
	return st;
}

/* -- split DWARF ---------------------------------------------------------- */

struct wanted_id { /* of split DWARF: a stale file has another one */
	const char *name; /* of the .dwo, for messages */
	uint64_t id;
};

/* In its header since DWARF 5, in its first entry before; 0 if it has none. */
static enum lac_status unit_id(struct lac_dwarf *d,
			       const struct lac_dwarf_unit *unit, uint64_t *ret,
			       struct lac_err *err)
{
	struct lac_die root = { 0 };

	*ret = unit->signature;
	if (*ret)
		return LAC_OK;
	LAC_TRY(lac_die_open(d, unit->root, &root, err));
	*ret = root.dwo_id;
	lac_die_close(d, &root);
	return LAC_OK;
}

static enum lac_status check_id(struct lac_dwarf *d, struct lac_object *o,
				const struct wanted_id *want,
				struct lac_err *err)
{
	const struct lac_dwarf_unit *units;
	size_t n;

	LAC_TRY(lac_dwarf_units(d, &units, &n, err));
	for (size_t i = 0; i < n; i++) {
		uint64_t id;

		if (units[i].kind != LAC_UNIT_COMPILE)
			continue;
		LAC_TRY(unit_id(d, &units[i], &id, err));
		if (!want->id || id == want->id)
			return LAC_OK;
	}
	return lac_fail(err, LAC_NOT_FOUND,
			"%s: is of another build than %s; build again, or give "
			"--partial to go without", o->path, want->name);
}

static enum lac_status read_dwo(struct lac_reading *r, struct lac_object *o,
				const struct wanted_id *want,
				struct lac_err *err)
{
	const struct lac_dwarf_unit *units;
	struct lac_raw_sections raw;
	struct lac_dwarf *d = NULL;
	struct lac_build b;
	enum lac_status st;
	size_t n;

	LAC_TRY(lac_dwarf_open(o, NULL, true, &d, err));
	st = want ? check_id(d, o, want, err) : LAC_OK;
	if (st == LAC_OK)
		st = lac_dwarf_units(d, &units, &n, err);
	if (st == LAC_OK) {
		raw = raw_sections(o, true);
		st = lac_build_init(&b, d, &raw, r->p, units, n, err);
		if (st == LAC_OK)
			st = read_units(r, &b, o, true, err);
		lac_build_deinit(&b);
	}
	lac_dwarf_close(d);
	return st;
}

/*
 * The package that holds the .dwo files: beside the file with the debug info,
 * or beside the one that led to it.
 */
static struct lac_object *open_package(const struct lac_reading *r,
				       const char *beside)
{
	const char *const names[] = { beside, r->path };
	struct lac_object *o = NULL;
	struct lac_err ignored;
	char path[4200];

	for (int i = 0; i < 4 && !o; i++) {
		const char *name = names[i / 2], *slash = strrchr(name, '/');

		if (i % 2 && !r->o->debug_dir)
			continue;
		if (i % 2)
			snprintf(path, sizeof(path), "%s/%s.dwp",
				 r->o->debug_dir, slash ? slash + 1 : name);
		else
			snprintf(path, sizeof(path), "%s.dwp", name);
		if (access(path, R_OK) != 0 ||
		    lac_object_open(path, &o, &ignored) != LAC_OK)
			o = NULL;
	}
	return o;
}

static enum lac_status collect_ids(struct lac_dwarf *d, struct lac_map *ids,
				   struct lac_err *err)
{
	const struct lac_dwarf_unit *units;
	size_t n;

	LAC_TRY(lac_dwarf_units(d, &units, &n, err));
	for (size_t i = 0; i < n; i++) {
		uint64_t id;

		if (units[i].kind != LAC_UNIT_COMPILE)
			continue;
		LAC_TRY(unit_id(d, &units[i], &id, err));
		if (id != UINT64_MAX && !lac_map_put(ids, id, 0))
			return lac_fail_memory(err);
	}
	return LAC_OK;
}

/* How many of the skeletons it has, which are marked; damaged, it has none. */
static size_t mark_packed(struct lac_object *package, const struct lac_build *b,
			  bool *packed)
{
	struct lac_map ids = { 0 };
	struct lac_dwarf *d = NULL;
	struct lac_err ignored;
	enum lac_status st = lac_dwarf_open(package, NULL, true, &d, &ignored);
	size_t n = 0;

	if (st == LAC_OK)
		st = collect_ids(d, &ids, &ignored);
	for (size_t i = 0; st == LAC_OK && i < b->nskeletons; i++) {
		uint64_t id = b->skeletons[i].id;

		packed[i] = id ? id != UINT64_MAX && lac_map_get(&ids, id) :
				 ids.n != 0;
		n += packed[i];
	}
	lac_map_free(&ids);
	lac_dwarf_close(d);
	return n;
}

static enum lac_status read_apart(struct lac_reading *r,
				  const struct lac_skeleton *s,
				  const char *beside,
				  const struct lac_object *package,
				  struct lac_err *err)
{
	LAC_CLEANUP_OBJECT struct lac_object *dwo = NULL;
	struct wanted_id want = { s->name, s->id };
	enum lac_status st = lac_search_dwo(s->name, s->comp_dir, beside,
					    r->o->debug_dir, &dwo, err);

	if (st == LAC_OK)
		return read_dwo(r, dwo, &want, err);
	return package ? lac_err_context(err, st, "not in %s", package->path) :
			 st;
}

static enum lac_status read_skeletons(struct lac_reading *r,
				      struct lac_object *o,
				      const struct lac_build *b,
				      struct lac_err *err)
{
	LAC_CLEANUP_OBJECT struct lac_object *package =
		open_package(r, o->path);
	bool *packed = calloc(b->nskeletons + 1, sizeof(*packed));
	enum lac_status st = packed ? LAC_OK : lac_fail_memory(err);
	size_t n = 0;

	r->head.alone = false;
	if (st == LAC_OK && package)
		n = mark_packed(package, b, packed);
	if (n) {
		st = read_dwo(r, package, NULL, err);
	} else if (st == LAC_OK && lac_object_find(o, ".debug_info.dwo")) {
		/* -gsplit-dwarf=single: it is in the file itself */
		n = b->nskeletons;
		st = read_dwo(r, o, NULL, err);
	}
	for (size_t i = 0; n < b->nskeletons && st == LAC_OK &&
			   i < b->nskeletons; i++) {
		const struct lac_skeleton *s = &b->skeletons[i];

		if (packed[i])
			continue;
		st = read_apart(r, s, o->path, package, err);
		st = gone(r, s->name, st, err);
	}
	free(packed);
	return st;
}

/* -- one file ------------------------------------------------------------- */

static enum lac_status read_whole(struct lac_reading *r, struct lac_object *o,
				  struct lac_object *alt, struct lac_err *err)
{
	const struct lac_dwarf_unit *units;
	struct lac_raw_sections raw, alt_raw;
	struct lac_dwarf *d = NULL;
	struct lac_build b;
	enum lac_status st;
	size_t n;

	LAC_TRY(lac_dwarf_open(o, alt, false, &d, err));
	st = lac_dwarf_units(d, &units, &n, err);
	if (st == LAC_OK) {
		raw = raw_sections(o, false);
		st = lac_build_init(&b, d, &raw, r->p, units, n, err);
		b.leave = r->o->leave;
		if (alt) {
			alt_raw = raw_sections(alt, false);
			b.alt_raw = &alt_raw;
		}
		if (st == LAC_OK)
			st = read_units(r, &b, o, false, err);
		if (st == LAC_OK && b.nskeletons)
			st = read_skeletons(r, o, &b, err);
		lac_build_deinit(&b);
	}
	if (!r->o->leave)
		lac_dwarf_close(d);
	return st;
}

static void note_target(struct lac_reading *r, const struct lac_object *o)
{
	if (r->nread++)
		return;
	r->head.target = (struct lac_target){
		.machine = o->machine,
		.pointer_size = o->is64 ? 8 : 4,
		.big_endian = o->big_endian,
	};
}

enum lac_status lac_read_object(struct lac_reading *r, struct lac_object *o,
				struct lac_err *err)
{
	LAC_CLEANUP_OBJECT struct lac_object *alt = NULL;
	struct lac_places at;
	enum lac_status st;

	note_target(r, o);
	if (!lac_object_find(o, ".debug_info"))
		return read_dwo(r, o, NULL, err);
	at = lac_reading_places(r);
	st = lac_search_alt(o, &at, &alt, err);
	if (st == LAC_NOT_FOUND && !err->msg[0])
		st = LAC_OK; /* it has none */
	else
		r->head.alone = false;
	if (st == LAC_NOT_FOUND)
		st = gone(r, "the file of .gnu_debugaltlink", st, err);
	LAC_TRY(st);
	return read_whole(r, o, alt, err);
}

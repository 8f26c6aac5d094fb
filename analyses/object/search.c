/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/search.h"

#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "object/private.h"

#define NT_BUILD_ID 3
static const char system_dir[] = "/usr/lib/debug";

/* A section's bytes, or NULL: here what cannot be read is not there. */
static const unsigned char *section_bytes(struct lac_object *o,
					  const char *name, uint64_t *size)
{
	unsigned i = lac_object_find(o, name);
	struct lac_err ignored;

	if (!i || lac_object_load(o, i, &ignored) != LAC_OK)
		return NULL;
	*size = o->sections[i].size;
	return o->sections[i].data;
}

void lac_object_build_id(struct lac_object *o, struct lac_build_id *ret)
{
	uint64_t size = 0, names, descs, at;
	const unsigned char *p = section_bytes(o, ".note.gnu.build-id", &size);

	*ret = (struct lac_build_id){ .size = 0 };
	if (!p || size < 12)
		return;
	names = lac_get_uint(p, 4, o->big_endian);
	descs = lac_get_uint(p + 4, 4, o->big_endian);
	at = 12 + (names + 3) / 4 * 4;
	if (lac_get_uint(p + 8, 4, o->big_endian) != NT_BUILD_ID ||
	    at > size || descs > size - at || descs > LAC_BUILD_ID_MAX)
		return;
	memcpy(ret->bytes, p + at, descs);
	ret->size = (unsigned)descs;
}

static bool same_id(const struct lac_build_id *a, const struct lac_build_id *b)
{
	return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static bool has_debug_info(const struct lac_object *o)
{
	return lac_object_find(o, ".debug_info") ||
	       lac_object_find(o, ".debug_info.dwo");
}

/* ".build-id/ab/cdef.debug" */
static void id_path(const struct lac_build_id *id, char *out, size_t size)
{
	size_t n = (size_t)snprintf(out, size, ".build-id/%02x/",
				    id->bytes[0]);

	for (unsigned i = 1; i < id->size && n + 3 < size; i++)
		n += (size_t)snprintf(out + n, size - n, "%02x", id->bytes[i]);
	snprintf(out + n, size - n, ".debug");
}

/* In hexadecimal, as servers and people know it. */
static void id_text(const struct lac_build_id *id,
		    char out[2 * LAC_BUILD_ID_MAX + 1])
{
	out[0] = '\0';
	for (unsigned i = 0; i < id->size; i++)
		snprintf(out + 2 * i, 3, "%02x", id->bytes[i]);
}

/*
 * Open the file if it is there and has that id (any, if id is NULL).
 * LAC_NOT_FOUND with the reason, which follows the file's name.
 */
static enum lac_status open_id(const char *path, const struct lac_build_id *id,
			       bool alt, struct lac_object **ret,
			       struct lac_err *why)
{
	LAC_CLEANUP_OBJECT struct lac_object *o = NULL;
	char text[2 * LAC_BUILD_ID_MAX + 1];
	struct lac_build_id have;
	struct lac_err reason;

	if (access(path, R_OK) != 0)
		return lac_fail_os(why, "it cannot be read");
	if (lac_object_open(path, &o, &reason) != LAC_OK)
		return lac_fail(why, LAC_NOT_FOUND, "it is no ELF file that "
				"can be read");
	lac_object_build_id(o, &have);
	id_text(&have, text);
	if (id && id->size && !same_id(&have, id) && (!alt || have.size))
		return lac_fail(why, LAC_NOT_FOUND, "its build id is %s",
				have.size ? text : "missing");
	if (!has_debug_info(o))
		return lac_fail(why, LAC_NOT_FOUND, "it has no debug info");
	*ret = o;
	o = NULL;
	return LAC_OK;
}

static struct lac_object *try_id(const char *path,
				 const struct lac_build_id *id, bool alt)
{
	struct lac_object *o = NULL;
	struct lac_err ignored;

	return open_id(path, id, alt, &o, &ignored) == LAC_OK ? o : NULL;
}

static bool crc_matches(const char *path, uint32_t want)
{
	FILE *f = fopen(path, "rb");
	unsigned char buf[65536];
	uLong crc = crc32(0, NULL, 0);
	size_t n;

	if (!f)
		return false;
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		crc = crc32(crc, buf, (uInt)n);
	fclose(f);
	return (uint32_t)crc == want;
}

/* The directory of a path, with links resolved, without a trailing slash. */
static void directory_of(const char *path, char *out)
{
	char real[PATH_MAX];
	char *slash;

	snprintf(out, PATH_MAX, "%s",
		 realpath(path, real) ? real : path);
	slash = strrchr(out, '/');
	if (slash)
		*slash = '\0';
	else
		snprintf(out, PATH_MAX, ".");
}

static struct lac_object *search_id(const struct lac_build_id *id,
				    const struct lac_places *at, bool alt)
{
	const char *const roots[] = { at->debug_dir, system_dir };
	char rel[3 * LAC_BUILD_ID_MAX], path[PATH_MAX + 256];
	struct lac_object *o;

	if (!id->size)
		return NULL;
	id_path(id, rel, sizeof(rel));
	for (size_t i = 0; i < 2; i++) {
		if (!roots[i])
			continue;
		snprintf(path, sizeof(path), "%s/%s", roots[i], rel);
		o = try_id(path, id, alt);
		if (o)
			return o;
	}
	return NULL;
}

/* NULL, and in *refused what came and was not taken, if anything came. */
static struct lac_object *ask_for_id(const struct lac_build_id *id,
				     const struct lac_places *at, bool alt,
				     struct lac_err *refused)
{
	char text[2 * LAC_BUILD_ID_MAX + 1];
	struct lac_object *o = NULL;
	struct lac_err why;
	const char *path;

	if (!id->size || !at->find_id)
		return NULL;
	id_text(id, text);
	path = at->find_id(at->context, text);
	if (path && open_id(path, id, alt, &o, &why) != LAC_OK)
		lac_fail(refused, LAC_NOT_FOUND,
			 "; debuginfod: what was fetched for build id %s was "
			 "not taken: %.*s; remove it to ask again: %s",
			 text, 200, why.msg, path);
	return o;
}

/* The places where gdb looks too, in that order. */
static struct lac_object *search_link(struct lac_object *o, const char *name,
				      uint32_t crc, const char *debug_dir)
{
	char dir[PATH_MAX], path[4 * PATH_MAX];

	directory_of(o->path, dir);
	for (int i = 0; i < 5; i++) {
		struct lac_object *found;

		switch (i) {
		case 0:
			snprintf(path, sizeof(path), "%s/%s", dir, name);
			break;
		case 1:
			snprintf(path, sizeof(path), "%s/.debug/%s", dir, name);
			break;
		case 2:
		case 3:
			if (!debug_dir)
				continue;
			snprintf(path, sizeof(path), "%s%s/%s", debug_dir,
				 i == 2 ? dir : "", name);
			break;
		default:
			snprintf(path, sizeof(path), "%s%s/%s", system_dir, dir,
				 name);
		}
		if (access(path, R_OK) != 0 || !crc_matches(path, crc))
			continue;
		found = try_id(path, NULL, false);
		if (found)
			return found;
	}
	return NULL;
}

enum lac_status lac_search_debug(struct lac_object *o,
				 const struct lac_places *at,
				 struct lac_object **ret, struct lac_err *err)
{
	struct lac_build_id id;
	uint64_t size = 0, n;
	const unsigned char *link;
	struct lac_object *found;
	char rel[3 * LAC_BUILD_ID_MAX];
	struct lac_err refused = { .msg = "" };

	err->msg[0] = '\0';
	lac_object_build_id(o, &id);
	found = search_id(&id, at, false);
	link = section_bytes(o, ".gnu_debuglink", &size);
	n = link && memchr(link, 0, size) ? strlen((const char *)link) : 0;
	if (!found && n && (n + 4) / 4 * 4 + 4 <= size)
		found = search_link(
			o, (const char *)link,
			(uint32_t)lac_get_uint(link + (n + 4) / 4 * 4, 4,
					       o->big_endian),
			at->debug_dir);
	if (!found)
		found = ask_for_id(&id, at, false, &refused);
	if (found) {
		*ret = found;
		return LAC_OK;
	}
	if (n)
		lac_fail(err, LAC_NOT_FOUND,
			 "%s: its debug info is in %s, which was not found, or "
			 "not in the right version; put it beside the file or "
			 "give --debug-dir%s", o->path, (const char *)link,
			 refused.msg);
	else if (id.size) {
		id_path(&id, rel, sizeof(rel));
		lac_fail(err, LAC_NOT_FOUND,
			 "no debug info in %s, and no %s/%s; build with -g, "
			 "install the debug package, or give --debug-dir%s",
			 o->path, at->debug_dir ? at->debug_dir : system_dir,
			 rel, refused.msg);
	}
	return LAC_NOT_FOUND;
}

/* Name and id of the common file: .gnu_debugaltlink, or .debug_sup. */
static const char *alt_name(struct lac_object *o, struct lac_build_id *id)
{
	uint64_t size = 0, n, at = 0;
	const unsigned char *p = section_bytes(o, ".gnu_debugaltlink", &size);

	*id = (struct lac_build_id){ .size = 0 };
	if (!p) { /* version, is_supplementary, name, length, id */
		p = section_bytes(o, ".debug_sup", &size);
		if (!p || size < 4 || p[2])
			return NULL;
		at = 3;
	}
	if (!memchr(p + at, 0, size - at))
		return NULL;
	n = strlen((const char *)p + at);
	if (!n)
		return NULL;
	/* a length of up to 64 is one byte of LEB128 */
	size -= at + n + 1 + (at ? size > at + n + 1 : 0);
	if (size <= LAC_BUILD_ID_MAX) {
		memcpy(id->bytes, p + at + n + 1 + (at ? 1 : 0), size);
		id->size = (unsigned)size;
	}
	return (const char *)p + at;
}

enum lac_status lac_search_alt(struct lac_object *o, const struct lac_places *at,
			       struct lac_object **ret, struct lac_err *err)
{
	char dir[PATH_MAX], path[3 * PATH_MAX];
	struct lac_build_id id;
	const char *name = alt_name(o, &id);
	struct lac_err refused = { .msg = "" };
	struct lac_object *found;
	const char *base;

	err->msg[0] = '\0';
	if (!name)
		return LAC_NOT_FOUND;
	directory_of(o->path, dir);
	snprintf(path, sizeof(path), "%s%s%s", name[0] == '/' ? "" : dir,
		 name[0] == '/' ? "" : "/", name);
	found = try_id(path, &id, true);
	base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
	if (!found && at->debug_dir) {
		snprintf(path, sizeof(path), "%s/%s", at->debug_dir, base);
		found = try_id(path, &id, true);
	}
	if (!found) {
		snprintf(path, sizeof(path), "%s/.dwz/%s", system_dir, base);
		found = try_id(path, &id, true);
	}
	if (!found)
		found = search_id(&id, at, true);
	if (!found)
		found = ask_for_id(&id, at, true, &refused);
	if (!found)
		return lac_fail(err, LAC_NOT_FOUND,
				"%s: part of its debug info is in %s, which "
				"was not found, or is another version; give "
				"--debug-dir, or --partial to go without%s",
				o->path, name, refused.msg);
	*ret = found;
	return LAC_OK;
}

enum lac_status lac_search_dwo(const char *name, const char *comp_dir,
			       const char *beside, const char *debug_dir,
			       struct lac_object **ret, struct lac_err *err)
{
	const char *base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
	char dir[PATH_MAX], path[3 * PATH_MAX];

	directory_of(beside, dir);
	for (int i = 0; i < 5; i++) {
		switch (i) {
		case 0:
			if (name[0] != '/' && !comp_dir)
				continue;
			snprintf(path, sizeof(path), "%s%s%s",
				 name[0] == '/' ? "" : comp_dir,
				 name[0] == '/' ? "" : "/", name);
			break;
		case 1:
			snprintf(path, sizeof(path), "%s/%s", dir, name);
			break;
		case 2:
			snprintf(path, sizeof(path), "%s/%s", dir, base);
			break;
		default:
			if (!debug_dir)
				continue;
			snprintf(path, sizeof(path), "%s/%s", debug_dir,
				 i == 3 ? name : base);
		}
		if (access(path, R_OK) != 0)
			continue;
		return lac_object_open(path, ret, err);
	}
	return lac_fail(err, LAC_NOT_FOUND,
			"%s: part of its debug info is in %s, which was not "
			"found; give --debug-dir, or --partial to go without",
			beside, name);
}

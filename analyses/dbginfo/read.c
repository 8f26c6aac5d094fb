/* SPDX-License-Identifier: BSD-2-Clause */
/* read.c - from a path to a graph: what kind of file it is, and what to read. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dbginfo/damage.h"
#include "dbginfo/reader.h"
#include "dbginfo/store.h"
#include "dbginfo/typeinfo.h"
#include "object/archive.h"
#include "object/search.h"

static enum lac_status no_debug_info(const char *path, struct lac_err *err)
{
	return lac_fail(err, LAC_NOT_FOUND,
			"no debug info in %s: build with -g, or give the "
			"separate debug file", path);
}

/* -flto leaves the compiler's own form of the code, and no DWARF, in it. */
static bool is_lto(const struct lac_object *o)
{
	for (unsigned i = 0; i < o->nsections; i++) {
		const char *name = o->sections[i].name;

		if (name && (!strncmp(name, ".gnu.lto_", 9) ||
			     !strncmp(name, ".gnu.debuglto_", 14) ||
			     !strcmp(name, ".llvmbc")))
			return true;
	}
	return false;
}

static enum lac_status lto_only(const char *path, struct lac_err *err)
{
	return lac_fail(err, LAC_NOT_FOUND,
			"%s is for link-time optimization: its debug info is "
			"made when it is linked; give what was linked of it, "
			"or compile with -ffat-lto-objects or without -flto",
			path);
}

static bool has_dwarf(const struct lac_object *o)
{
	return lac_object_find(o, ".debug_info") ||
	       lac_object_find(o, ".debug_info.dwo");
}

/* -- BTF ------------------------------------------------------------------ */

/* A file's BTF: the file itself, or its section; *o owns it. */
static enum lac_status open_btf(const char *path, struct lac_object **o,
				struct lac_file *file, const void **data,
				size_t *size, struct lac_err *err)
{
	unsigned i;

	LAC_TRY(lac_file_open(path, file, err));
	if (lac_btf_is_raw(file->data, file->size)) {
		*data = file->data;
		*size = file->size;
		return LAC_OK;
	}
	LAC_TRY(lac_object_open_memory(path, file->data, file->size, o, err));
	i = lac_object_find(*o, ".BTF");
	if (!i)
		return lac_fail(err, LAC_BAD_INPUT, "no BTF in %s", path);
	LAC_TRY(lac_object_load(*o, i, err));
	*data = (*o)->sections[i].data;
	*size = (*o)->sections[i].size;
	return LAC_OK;
}

static enum lac_status read_btf(struct lac_reading *r, const void *data,
				size_t size, struct lac_err *err)
{
	LAC_CLEANUP_OBJECT struct lac_object *base = NULL;
	LAC_CLEANUP_FILE struct lac_file file = { 0 };
	static const char sys[] = "/sys/kernel/btf/";
	struct lac_btf_input in = { .path = r->path, .data = data,
				    .size = size, .threads = r->o->threads };
	enum lac_status st;
	const char *base_path = r->o->base_path;

	/* what the kernel shows of its modules builds on its own */
	if (!base_path && strncmp(r->path, sys, strlen(sys)) == 0 &&
	    strcmp(r->path + strlen(sys), "vmlinux") != 0)
		base_path = "/sys/kernel/btf/vmlinux";
	if (base_path) {
		r->head.alone = false;
		in.base_path = base_path;
		LAC_TRY(open_btf(base_path, &base, &file, &in.base,
				 &in.base_size, err));
	}
	r->head.format = LAC_FORMAT_BTF;
	r->head.tells_alignment = false;
	r->nread++;
	if (r->way == LAC_WAY_PLAIN || base_path)
		return lac_btf_read(&in, r->p, &r->head.target.pointer_size,
				    &r->head.target.big_endian, err);
	r->head.arena = r->p->arena;
	st = lac_btf_graph(&in, &r->head, err);
	r->missed |= st == LAC_UNSUPPORTED;
	return st;
}

static enum lac_status read_btf_section(struct lac_reading *r,
					struct lac_object *o, unsigned section,
					struct lac_err *err)
{
	r->head.target.machine = o->machine;
	r->head.target.pointer_size = o->is64 ? 8 : 4;
	LAC_TRY(lac_object_load(o, section, err));
	return read_btf(r, o->sections[section].data,
			o->sections[section].size, err);
}

/* -- one ELF file --------------------------------------------------------- */

/*
 * The banner names who built the kernel and where, "(user@host) ": nothing that
 * a layout depends on, and not for a report that is mailed around.
 */
static void forget_builder(char *line)
{
	char *open = strchr(line, '('), *at = strchr(line, '@');
	char *close = at ? strchr(at, ')') : NULL;

	if (!open || !close || at < open || memchr(open, ' ',
						    (size_t)(close - open)))
		return;
	close += close[1] == ' ' ? 2 : 1;
	memmove(open, close, strlen(close) + 1);
}

/* "Linux version 6.1.0 ..." as the kernel prints it when it starts. */
static enum lac_status note_version(struct lac_reading *r, struct lac_object *o,
				    struct lac_err *err)
{
	static const char words[] = "Linux version ";
	unsigned i = lac_object_find(o, ".rodata");
	const struct lac_section *s = &o->sections[i];
	const char *at;
	char *line;
	size_t n;

	if (!i || !lac_object_find(o, "__ksymtab") || s->type != SHT_PROGBITS)
		return LAC_OK;
	LAC_TRY(lac_object_load(o, i, err));
	at = memmem(s->data, s->size, words, strlen(words));
	/* the format string comes first in some: "Linux version %s" */
	while (at && at[strlen(words)] == '%')
		at = memmem(at + 1, s->size - (size_t)(at + 1 - (char *)s->data),
			    words, strlen(words));
	if (!at)
		return LAC_OK;
	n = strnlen(at, s->size - (size_t)(at - (const char *)s->data));
	while (n && at[n - 1] == '\n')
		n--;
	line = strndup(at, n);
	if (!line)
		return lac_fail_memory(err);
	forget_builder(line);
	enum lac_status st = lac_pool_string(r->p, line, &r->head.version, err);

	free(line);
	lac_object_forget(o, s->data, s->size);
	return st;
}

static enum lac_status read_separate(struct lac_reading *r,
				     struct lac_object *o, struct lac_err *err)
{
	LAC_CLEANUP_OBJECT struct lac_object *found = NULL;
	unsigned btf = lac_object_find(o, ".BTF");
	bool instead = btf && r->o->format == LAC_FORMAT_AUTO;
	struct lac_places at = lac_reading_places(r);
	enum lac_status st;

	r->head.alone = false;
	if (instead) /* good enough not to trouble a server */
		at.find_id = NULL;
	st = lac_search_debug(o, &at, &found, err);

	if (st == LAC_OK) {
		LAC_TRY(lac_pool_string(r->p, found->path, &r->head.debug_path,
					err));
		return lac_read_object(r, found, err);
	}
	if (st != LAC_NOT_FOUND)
		return st;
	if (instead)
		return read_btf_section(r, o, btf, err);
	if (!err->msg[0] && is_lto(o))
		return lto_only(o->path, err);
	return err->msg[0] ? st : no_debug_info(o->path, err);
}

static enum lac_status read_elf(struct lac_reading *r, struct lac_object *o,
				struct lac_err *err)
{
	unsigned btf = lac_object_find(o, ".BTF");

	if (!r->head.version)
		LAC_TRY(note_version(r, o, err));
	LAC_TRY(lac_pool_string(r->p, o->path, &r->head.debug_path, err));
	if (r->o->format == LAC_FORMAT_BTF) {
		if (!btf)
			return lac_fail(err, LAC_BAD_INPUT, "no BTF in %s",
					o->path);
		return read_btf_section(r, o, btf, err);
	}
	return has_dwarf(o) ? lac_read_object(r, o, err) :
			      read_separate(r, o, err);
}

static enum lac_status read_archive(struct lac_reading *r,
				    const struct lac_file *file,
				    struct lac_err *err)
{
	struct lac_archive a;
	bool lto = false;

	lac_archive_init(&a, r->path, file->data, file->size);
	for (;;) {
		LAC_CLEANUP_OBJECT struct lac_object *o = NULL;

		LAC_TRY(lac_archive_next(&a, &o, err));
		if (!o)
			break;
		/* members in assembly may well have none */
		if (has_dwarf(o))
			LAC_TRY(lac_read_object(r, o, err));
		lto |= is_lto(o);
	}
	r->head.debug_path = r->head.path;
	if (!r->nread && lto)
		return lto_only(r->path, err);
	return r->nread ? LAC_OK : no_debug_info(r->path, err);
}

static enum lac_status read_file(struct lac_reading *r,
				 const struct lac_file *file,
				 struct lac_err *err)
{
	LAC_CLEANUP_OBJECT struct lac_object *o = NULL;

	if (lac_archive_is(file->data, file->size))
		return read_archive(r, file, err);
	if (lac_btf_is_raw(file->data, file->size)) {
		if (r->o->format == LAC_FORMAT_DWARF)
			return lac_fail(err, LAC_BAD_INPUT,
					"%s: is BTF, no DWARF", r->path);
		r->head.debug_path = r->head.path;
		return read_btf(r, file->data, file->size, err);
	}
	LAC_TRY(lac_object_open_file(r->path, file, &o, err));
	return read_elf(r, o, err);
}

/* -- the whole ------------------------------------------------------------ */

static enum lac_status fill(struct lac_reading *r, struct lac_err *err)
{
	LAC_CLEANUP_FILE struct lac_file file = { 0 };
	enum lac_status st;

	LAC_TRY(lac_file_open(r->path, &file, err));
	LAC_TRY(lac_pool_string(r->p, r->path, &r->head.path, err));
	st = read_file(r, &file, err);
	if (st == LAC_OK)
		return lac_pool_string(r->p, r->missing, &r->head.missing, err);
	/* who has set a limit says so */
	if (st == LAC_NO_MEMORY || strstr(err->msg, r->path))
		return st;
	return lac_err_context(err, st, "%s", r->path);
}

enum lac_status lac_graph_read_way(const char *path,
				   const struct lac_graph_options *o,
				   enum lac_way way, struct lac_graph **ret,
				   struct lac_err *err)
{
	struct lac_reading r = { .path = path, .o = o, .way = way };
	enum lac_status st;

	r.head.format = LAC_FORMAT_DWARF;
	r.head.tells_alignment = true;
	r.head.partial = o->partial;
	r.head.alone = true;
	LAC_TRY(lac_pool_create(&r.p, err));
	st = fill(&r, err);
	free(r.missing);
	if (st != LAC_OK) {
		lac_pool_destroy(r.p);
		return way == LAC_WAY_AUTO && r.missed ?
			       lac_graph_read_way(path, o, LAC_WAY_PLAIN, ret,
						  err) : st;
	}
	return lac_pool_freeze(r.p, &r.head, ret, err);
}

/* The graph as it was kept; LAC_NOT_FOUND if it has to be read. */
static enum lac_status find_kept(const char *path,
				 const struct lac_graph_options *o,
				 const struct lac_store_key *key,
				 struct lac_graph **ret)
{
	struct lac_err ignored;
	enum lac_status st;
	int fd;

	if (lac_store_open(o->cache_dir, key, &fd, &ignored) != LAC_OK)
		return LAC_NOT_FOUND;
	st = lac_store_read(fd, path, key, o, ret, &ignored);
	if (st == LAC_OK && !o->cache_only_read)
		lac_store_touch(fd);
	if (st == LAC_BAD_INPUT && o->cache_damaged)
		__atomic_store_n(o->cache_damaged, true, __ATOMIC_RELAXED);
	close(fd);
	return st;
}

/* For the next one; that it cannot be kept is no matter. */
static void keep(const struct lac_graph *g, const struct lac_graph_options *o,
		 const struct lac_store_key *before)
{
	struct lac_store_entry e;
	struct lac_store_key key;
	struct lac_err ignored;

	/* the file may have changed while it was read */
	if (!g->alone || lac_store_too_new(before) ||
	    lac_store_key(g->path, o, &key, &ignored) != LAC_OK ||
	    !lac_store_same(&key, before) ||
	    lac_store_create(o->cache_dir, &key, o->cache_max_bytes, &e,
			     &ignored) != LAC_OK)
		return;
	if (lac_store_write(g, &key, e.file.fd, &ignored) != LAC_OK ||
	    lac_store_commit(&e, &ignored) != LAC_OK)
		lac_store_abandon(&e);
}

enum lac_status lac_graph_read(const char *path,
			       const struct lac_graph_options *o,
			       struct lac_graph **ret, struct lac_err *err)
{
	struct lac_store_key key;
	struct lac_err ignored;
	bool may = o->cache_dir && !o->no_cache &&
		   lac_store_key(path, o, &key, &ignored) == LAC_OK;

	struct lac_graph *g = NULL;
	enum lac_status st;

	if (may && find_kept(path, o, &key, &g) == LAC_OK) {
		g->partial = o->partial;
		st = o->partial ? lac_damage_note(g, err) : LAC_OK;
	} else {
		if (o->will_read)
			o->will_read(path);
		st = lac_graph_read_way(path, o, LAC_WAY_AUTO, &g, err);
		if (st == LAC_OK && may && !o->cache_only_read)
			keep(g, o, &key);
	}
	if (st == LAC_OK)
		*ret = g;
	else
		lac_graph_destroy(g);
	return st;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/object.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "object/private.h"

void *lac_object_alloc(struct lac_object *o, size_t size)
{
	struct lac_object_private *p = o->priv;
	void **copies = realloc(p->copies, (p->ncopies + 1) * sizeof(*copies));
	void *mem;

	if (!copies)
		return NULL;
	p->copies = copies;
	mem = malloc(size ? size : 1);
	if (mem)
		copies[p->ncopies++] = mem;
	return mem;
}

void lac_object_destroy(struct lac_object *o)
{
	if (!o)
		return;
	struct lac_object_private *p = o->priv;

	if (p->elf)
		elf_end(p->elf);
	lac_file_close(&p->file);
	for (unsigned i = 0; i < p->ncopies; i++)
		free(p->copies[i]);
	free(p->copies);
	lac_arena_destroy(p->arena);
}

/* An object over nothing yet; all of it lives in its arena. */
static struct lac_object *object_create(const char *path)
{
	struct lac_arena *a = lac_arena_create();
	struct lac_object *o;

	if (!a)
		return NULL;
	o = lac_arena_zalloc(a, 1, sizeof(*o));
	if (o)
		o->priv = lac_arena_zalloc(a, 1, sizeof(*o->priv));
	if (o)
		o->path = lac_arena_strdup(a, path);
	if (!o || !o->priv || !o->path) {
		lac_arena_destroy(a);
		return NULL;
	}
	o->priv->arena = a;
	return o;
}

/* Bare, or in its wrapper. */
static bool is_bitcode(const struct lac_object *o)
{
	return o->image_size >= 4 && (!memcmp(o->image, "BC\xC0\xDE", 4) ||
				      !memcmp(o->image, "\xDE\xC0\x17\x0B", 4));
}

static enum lac_status read_header(struct lac_object *o, struct lac_err *err)
{
	GElf_Ehdr eh;

	if (is_bitcode(o))
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: LLVM bitcode, as clang -flto writes it, "
				"whose debug info is made when it is linked: "
				"give what was linked of it, or compile "
				"without -flto", o->path);
	if (o->image_size < EI_NIDENT || memcmp(o->image, ELFMAG, SELFMAG) != 0)
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: not an ELF file; give an object, a "
				"library, a vmlinux or a file of debug info",
				o->path);
	if (elf_version(EV_CURRENT) == EV_NONE)
		return lac_fail(err, LAC_UNSUPPORTED, "libelf is too old");
	/* libelf takes a char *, but does not write through it when reading */
	o->priv->elf = elf_memory((char *)(uintptr_t)o->image, o->image_size);
	if (!o->priv->elf || !gelf_getehdr(o->priv->elf, &eh))
		return lac_fail(err, LAC_BAD_INPUT, "%s: %s", o->path,
				elf_errmsg(-1));
	o->machine = eh.e_machine;
	o->type = eh.e_type;
	o->big_endian = eh.e_ident[EI_DATA] == ELFDATA2MSB;
	o->is64 = eh.e_ident[EI_CLASS] == ELFCLASS64;
	return LAC_OK;
}

/* A name that ends within the string table, or "". */
static const char *section_name(struct lac_object *o, size_t shstrndx,
				size_t offset)
{
	const struct lac_raw_section *s = &o->priv->raw[shstrndx];
	const char *p;

	if (shstrndx >= o->nsections || !s->size || offset >= s->size)
		return "";
	p = (const char *)o->image + s->offset + offset;
	return memchr(p, 0, s->size - offset) ? p : "";
}

static enum lac_status read_sections(struct lac_object *o, struct lac_err *err)
{
	struct lac_object_private *p = o->priv;
	size_t n, shstrndx, *names;
	GElf_Ehdr eh;

	if (!gelf_getehdr(p->elf, &eh) || eh.e_shoff >= o->image_size ||
	    (eh.e_shoff && (uint64_t)eh.e_shnum * eh.e_shentsize >
				   o->image_size - eh.e_shoff) ||
	    elf_getshdrnum(p->elf, &n) != 0 ||
	    elf_getshdrstrndx(p->elf, &shstrndx) != 0 ||
	    n > o->image_size / (o->is64 ? sizeof(Elf64_Shdr) :
					   sizeof(Elf32_Shdr)))
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: the section table does not lie within "
				"the file; is it truncated?", o->path);
	o->sections = lac_arena_zalloc(p->arena, n + 1, sizeof(*o->sections));
	p->raw = lac_arena_zalloc(p->arena, n + 1, sizeof(*p->raw));
	names = lac_arena_zalloc(p->arena, n + 1, sizeof(*names));
	if (!o->sections || !p->raw || !names)
		return lac_fail_memory(err);
	o->nsections = (unsigned)n;
	for (unsigned i = 0; i < n; i++) {
		Elf_Scn *scn = elf_getscn(p->elf, i);
		GElf_Shdr sh;

		if (!scn || !gelf_getshdr(scn, &sh))
			return lac_fail(err, LAC_BAD_INPUT,
					"%s: section %u: %s", o->path, i,
					elf_errmsg(-1));
		names[i] = sh.sh_name;
		o->sections[i].type = sh.sh_type;
		o->sections[i].flags = sh.sh_flags;
		o->sections[i].size = sh.sh_size;
		p->raw[i] = (struct lac_raw_section){
			.offset = sh.sh_offset, .size = sh.sh_size,
			.entsize = sh.sh_entsize, .link = sh.sh_link,
			.info = sh.sh_info, .addralign = sh.sh_addralign,
		};
		if (sh.sh_type == SHT_NOBITS || sh.sh_type == SHT_NULL)
			p->raw[i].offset = p->raw[i].size = 0;
		else if (sh.sh_offset > o->image_size ||
			 sh.sh_size > o->image_size - sh.sh_offset)
			return lac_fail(err, LAC_BAD_INPUT,
					"%s: section %u lies beyond the end "
					"of the file; is it truncated?",
					o->path, i);
	}
	for (unsigned i = 0; i < n; i++) {
		const char *name = section_name(o, shstrndx, names[i]);

		if (strncmp(name, ".zdebug_", 8) == 0) {
			p->raw[i].zdebug = true;
			name = lac_arena_printf(p->arena, ".debug_%s",
						name + 8);
			if (!name)
				return lac_fail_memory(err);
		}
		o->sections[i].name = name;
	}
	return LAC_OK;
}

static enum lac_status object_fill(struct lac_object *o, struct lac_err *err)
{
	LAC_TRY(read_header(o, err));
	return read_sections(o, err);
}

enum lac_status lac_object_open_memory(const char *name, const void *data,
				       size_t size, struct lac_object **ret,
				       struct lac_err *err)
{
	LAC_CLEANUP_OBJECT struct lac_object *o = object_create(name);

	if (!o)
		return lac_fail_memory(err);
	o->image = data;
	o->image_size = size;
	LAC_TRY(object_fill(o, err));
	*ret = o;
	o = NULL;
	return LAC_OK;
}

/* Files of /sys cannot be mapped: their bytes are read. */
static enum lac_status read_file(const char *path, int fd, size_t size,
				 struct lac_file *ret, struct lac_err *err)
{
	unsigned char *data = mmap(NULL, size, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t at = 0;

	if (data == MAP_FAILED)
		return lac_fail_memory(err);
	while (at < size) {
		ssize_t got = read(fd, data + at, size - at);

		if (got <= 0) {
			enum lac_status st = lac_fail_os(err, "%s", path);

			munmap(data, size);
			return st;
		}
		at += (size_t)got;
	}
	*ret = (struct lac_file){ data, size };
	return LAC_OK;
}

static enum lac_status map_file(const char *path, int fd, struct lac_file *ret,
				struct lac_err *err)
{
	struct stat st;
	void *map;

	if (fstat(fd, &st) != 0)
		return lac_fail_os(err, "%s", path);
	if (S_ISDIR(st.st_mode))
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: is a directory; give a file with debug "
				"info", path);
	if (!S_ISREG(st.st_mode))
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: not a regular file; debug info is read "
				"at random, so write it to a file first",
				path);
	if (st.st_size == 0)
		return lac_fail(err, LAC_BAD_INPUT, "%s: the file is empty",
				path);
	/*
	 * Private and writable, so that a library that swaps bytes in place
	 * cannot fault; nothing is copied until something is written.
	 */
	map = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_NORESERVE, fd, 0);
	if (map == MAP_FAILED)
		return read_file(path, fd, (size_t)st.st_size, ret, err);
	*ret = (struct lac_file){ map, (size_t)st.st_size };
	return LAC_OK;
}

enum lac_status lac_file_open(const char *path, struct lac_file *ret,
			      struct lac_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	enum lac_status st;

	if (fd < 0 && errno == ENOENT && !strcmp(path, "-"))
		return lac_fail(err, LAC_BAD_INPUT,
				"-: there is no such file; debug info is read "
				"at random, not from standard input, so write "
				"it to a file first");
	if (fd < 0)
		return lac_fail_os(err, "%s", path);
	st = map_file(path, fd, ret, err);
	close(fd);
	return st;
}

void lac_file_close(struct lac_file *f)
{
	if (f->data)
		munmap((void *)(uintptr_t)f->data, f->size);
	*f = (struct lac_file){ NULL, 0 };
}

enum lac_status lac_object_open_file(const char *path,
				     const struct lac_file *file,
				     struct lac_object **ret,
				     struct lac_err *err)
{
	LAC_TRY(lac_object_open_memory(path, file->data, file->size, ret, err));
	(*ret)->priv->mapped = true;
	return LAC_OK;
}

enum lac_status lac_object_open(const char *path, struct lac_object **ret,
				struct lac_err *err)
{
	struct lac_file file = { NULL, 0 };
	enum lac_status st;

	LAC_TRY(lac_file_open(path, &file, err));
	st = lac_object_open_file(path, &file, ret, err);
	if (st == LAC_OK)
		(*ret)->priv->file = file;
	else
		lac_file_close(&file);
	return st;
}

unsigned lac_object_find(const struct lac_object *o, const char *name)
{
	for (unsigned i = 1; i < o->nsections; i++)
		if (strcmp(o->sections[i].name, name) == 0)
			return i;
	return 0;
}

enum lac_status lac_object_load(struct lac_object *o, unsigned section,
				struct lac_err *err)
{
	struct lac_section *s = &o->sections[section];
	const struct lac_raw_section *raw = &o->priv->raw[section];
	const unsigned char *data;
	uint64_t size;

	if (section == 0 || section >= o->nsections)
		return lac_fail(err, LAC_BAD_INPUT, "%s: no section %u",
				o->path, section);
	if (s->data)
		return LAC_OK;
	data = o->image + raw->offset;
	size = raw->size;
	if (s->flags & SHF_COMPRESSED || raw->zdebug)
		LAC_TRY(lac_section_inflate(o, section, &data, &size, err));
	/* only there: in a linked file they have been applied already */
	if (o->type == ET_REL)
		LAC_TRY(lac_section_relocate(o, section, &data, size, err));
	s->data = data;
	s->size = size;
	return LAC_OK;
}

enum lac_status lac_object_join(struct lac_object *o, const char *name,
				struct lac_err *err)
{
	unsigned first = lac_object_find(o, name);
	uint64_t size = 0, at = 0;
	unsigned char *whole;
	unsigned n = 0;

	for (unsigned i = first; first && i < o->nsections; i++) {
		if (strcmp(o->sections[i].name, name) != 0)
			continue;
		LAC_TRY(lac_object_load(o, i, err));
		size += o->sections[i].size;
		n++;
	}
	if (n < 2)
		return LAC_OK;
	whole = lac_object_alloc(o, size);
	if (!whole)
		return lac_fail_memory(err);
	for (unsigned i = first; i < o->nsections; i++) {
		struct lac_section *s = &o->sections[i];

		if (strcmp(s->name, name) != 0)
			continue;
		memcpy(whole + at, s->data, s->size);
		at += s->size;
		if (i != first)
			s->name = "";
	}
	o->sections[first].data = whole;
	o->sections[first].size = size;
	return LAC_OK;
}

/* The whole pages of a range of the mapped file; false if there are none. */
static bool pages_of(const struct lac_object *o, const void *data, size_t size,
		     uintptr_t *from, uintptr_t *to)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	*from = ((uintptr_t)data + page - 1) & ~(page - 1);
	*to = ((uintptr_t)data + size) & ~(page - 1);
	return o->priv->mapped && (uintptr_t)data >= (uintptr_t)o->image &&
	       (uintptr_t)data + size <= (uintptr_t)o->image + o->image_size &&
	       *from < *to;
}

void lac_object_want(const struct lac_object *o, const void *data, size_t size)
{
#ifdef MADV_POPULATE_READ /* Linux 5.14; an older one faults them in */
	uintptr_t from, to;

	if (pages_of(o, data, size, &from, &to))
		madvise((void *)from, to - from, MADV_POPULATE_READ);
#else
	(void)o, (void)data, (void)size;
#endif
}

void lac_object_forget(const struct lac_object *o, const void *data,
		       size_t size)
{
	uintptr_t from, to;

	if (pages_of(o, data, size, &from, &to))
		madvise((void *)from, to - from, MADV_DONTNEED);
}

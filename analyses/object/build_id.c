/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * build_id.c - who a file says it is, at the price of a few reads: no ELF
 * library, no mapping, and bounds on everything that the file claims.
 */
#include <elf.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "object/private.h"
#include "object/search.h"

#define SEGMENTS_MAX 256u    /* program headers that are looked at */
#define NOTES_MAX (64u << 10) /* bytes of one segment of notes */

/* The build id among notes of n bytes; whether there is one. */
static bool find_id(const unsigned char *p, uint64_t n, bool big_endian,
		    struct lac_build_id *ret)
{
	while (n >= 12) {
		uint64_t names = lac_get_uint(p, 4, big_endian);
		uint64_t descs = lac_get_uint(p + 4, 4, big_endian);
		uint64_t at = 12 + (names + 3) / 4 * 4;
		uint64_t next = at + (descs + 3) / 4 * 4;

		if (at > n || descs > n - at)
			return false;
		if (lac_get_uint(p + 8, 4, big_endian) == NT_GNU_BUILD_ID &&
		    names == 4 && !memcmp(p + 12, "GNU", 4) && descs &&
		    descs <= LAC_BUILD_ID_MAX) {
			memcpy(ret->bytes, p + at, descs);
			ret->size = (unsigned)descs;
			return true;
		}
		if (next > n)
			return false;
		p += next;
		n -= next;
	}
	return false;
}

struct layout { /* of an ELF header and its program headers */
	bool is64, big_endian;
	uint64_t at; /* of the program headers in the file */
	unsigned n, size;
};

static bool read_layout(int fd, struct layout *l)
{
	unsigned char h[64];
	unsigned word;

	if (pread(fd, h, sizeof(h), 0) != sizeof(h) ||
	    memcmp(h, ELFMAG, SELFMAG) != 0)
		return false;
	l->is64 = h[EI_CLASS] == ELFCLASS64;
	l->big_endian = h[EI_DATA] == ELFDATA2MSB;
	word = l->is64 ? 8 : 4;
	l->at = lac_get_uint(h + (l->is64 ? 32 : 28), word, l->big_endian);
	l->size = (unsigned)lac_get_uint(h + (l->is64 ? 54 : 42), 2,
					 l->big_endian);
	l->n = (unsigned)lac_get_uint(h + (l->is64 ? 56 : 44), 2,
				      l->big_endian);
	return l->size == (l->is64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr));
}

void lac_file_build_id(int fd, struct lac_build_id *ret)
{
	struct layout l = { 0 };

	*ret = (struct lac_build_id){ .size = 0 };
	if (!read_layout(fd, &l) || l.at > INT64_MAX / 2)
		return;
	for (unsigned i = 0; i < l.n && i < SEGMENTS_MAX; i++) {
		unsigned char ph[sizeof(Elf64_Phdr)], notes[NOTES_MAX];
		unsigned word = l.is64 ? 8 : 4;
		uint64_t at, size;
		ssize_t got;

		if (pread(fd, ph, l.size, (off_t)(l.at + (uint64_t)i * l.size)) !=
		    (ssize_t)l.size)
			return;
		if (lac_get_uint(ph, 4, l.big_endian) != PT_NOTE)
			continue;
		at = lac_get_uint(ph + (l.is64 ? 8 : 4), word, l.big_endian);
		size = lac_get_uint(ph + (l.is64 ? 32 : 16), word,
				    l.big_endian);
		if (at > INT64_MAX / 2)
			continue;
		got = pread(fd, notes, size < NOTES_MAX ? size : NOTES_MAX,
			    (off_t)at);
		if (got > 0 &&
		    find_id(notes, (uint64_t)got, l.big_endian, ret))
			return;
	}
}

static int look_at(struct dl_phdr_info *info, size_t size, void *data)
{
	uintptr_t here = (uintptr_t)look_at;
	bool ours = false;

	(void)size;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t from = info->dlpi_addr + p->p_vaddr;

		ours |= p->p_type == PT_LOAD && here >= from &&
			here - from < p->p_memsz;
	}
	if (!ours)
		return 0;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t from = info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_NOTE &&
		    find_id((const unsigned char *)from, p->p_memsz,
			    __BYTE_ORDER == __BIG_ENDIAN, data))
			break;
	}
	return 1;
}

void lac_own_build_id(struct lac_build_id *ret)
{
	*ret = (struct lac_build_id){ .size = 0 };
	dl_iterate_phdr(look_at, ret);
}

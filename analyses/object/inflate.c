/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inflate.c - compressed sections: SHF_COMPRESSED with zlib or zstd, and the
 * older .zdebug_ form.  zstd is asked directly, since the libelf of Debian 12
 * does not know it.
 */
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "object/private.h"

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

/* deflate makes at most 1032 bytes out of one. */
#define ZLIB_RATIO_MAX 1032
#define ZSTD_RATIO_MAX 100000

struct packed {
	uint32_t method;
	uint64_t size; /* bytes, inflated */
	const unsigned char *data;
	uint64_t data_size;
};

static enum lac_status bad(const struct lac_object *o, unsigned section,
			   const char *what, struct lac_err *err)
{
	return lac_fail(err, LAC_BAD_INPUT, "%s: section %s: %s", o->path,
			o->sections[section].name, what);
}

static enum lac_status read_chdr(const struct lac_object *o, unsigned section,
				 struct packed *p, struct lac_err *err)
{
	const struct lac_raw_section *raw = &o->priv->raw[section];
	const unsigned char *d = o->image + raw->offset;
	uint64_t head = 12;

	if (raw->zdebug) {
		if (raw->size < head || memcmp(d, "ZLIB", 4) != 0)
			return bad(o, section, "no ZLIB header", err);
		p->method = ELFCOMPRESS_ZLIB;
		p->size = lac_get_uint(d + 4, 8, true);
	} else {
		head = o->is64 ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);
		if (raw->size < head)
			return bad(o, section, "no compression header", err);
		p->method = (uint32_t)lac_get_uint(d, 4, o->big_endian);
		p->size = o->is64 ? lac_get_uint(d + 8, 8, o->big_endian) :
				    lac_get_uint(d + 4, 4, o->big_endian);
	}
	p->data = d + head;
	p->data_size = raw->size - head;
	return LAC_OK;
}

static bool inflate_zlib(unsigned char *out, const struct packed *p)
{
	z_stream z = { .next_in = (unsigned char *)(uintptr_t)p->data };
	uint64_t in = p->data_size, left = p->size;
	int ret = Z_OK;

	if (inflateInit(&z) != Z_OK)
		return false;
	z.next_out = out;
	while (ret == Z_OK) {
		/* zlib counts in 32 bits */
		uInt ni = in > 1u << 30 ? 1u << 30 : (uInt)in;
		uInt no = left > 1u << 30 ? 1u << 30 : (uInt)left;

		z.avail_in = ni;
		z.avail_out = no;
		ret = inflate(&z, Z_NO_FLUSH);
		in -= ni - z.avail_in;
		left -= no - z.avail_out;
		if (ni == z.avail_in && no == z.avail_out)
			break;
	}
	inflateEnd(&z);
	return ret == Z_STREAM_END && left == 0;
}

enum lac_status lac_section_inflate(struct lac_object *o, unsigned section,
				    const unsigned char **data, uint64_t *size,
				    struct lac_err *err)
{
	struct packed p = { 0 };
	unsigned char *out;
	bool ok;

	LAC_TRY(read_chdr(o, section, &p, err));
	if (p.method != ELFCOMPRESS_ZLIB && p.method != ELFCOMPRESS_ZSTD)
		return lac_fail(err, LAC_UNSUPPORTED,
				"%s: section %s: compressed with method %u, "
				"which is neither zlib nor zstd; objcopy "
				"--decompress-debug-sections may know it",
				o->path, o->sections[section].name, p.method);
	if (p.size > LAC_INFLATED_MAX ||
	    p.size / (p.method == ELFCOMPRESS_ZLIB ? ZLIB_RATIO_MAX :
						     ZSTD_RATIO_MAX) >
		    p.data_size)
		return bad(o, section, "the header claims an impossible size",
			   err);
	out = lac_object_alloc(o, p.size);
	if (!out)
		return lac_fail_memory(err);
	if (p.method == ELFCOMPRESS_ZLIB)
		ok = inflate_zlib(out, &p);
	else
		ok = ZSTD_decompress(out, p.size, p.data, p.data_size) ==
		     p.size;
	if (!ok)
		return bad(o, section, "the compressed data is damaged", err);
	*data = out;
	*size = p.size;
	return LAC_OK;
}

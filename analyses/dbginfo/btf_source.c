/* SPDX-License-Identifier: BSD-2-Clause */
#include "dbginfo/btf_source.h"

#include <bpf/libbpf.h>
#include <byteswap.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* -- in place ------------------------------------------------------------- */

static bool take_part(const void *data, size_t size, struct lac_btf_part *ret)
{
	const unsigned char *p = data;
	struct btf_header h;
	uint64_t left;

	if (size < sizeof(h) || size > UINT32_MAX / 2)
		return false;
	memcpy(&h, data, sizeof(h));
	if (h.magic != BTF_MAGIC || h.version != BTF_VERSION || h.flags ||
	    h.hdr_len < sizeof(h) || h.hdr_len > size)
		return false;
	p += h.hdr_len;
	left = size - h.hdr_len;
	/* what is unusual, such as a hole between the two, is not for here */
	if ((uint64_t)h.type_off + h.type_len != h.str_off ||
	    (uint64_t)h.str_off + h.str_len != left ||
	    (uintptr_t)(p + h.type_off) % _Alignof(struct btf_type) ||
	    !h.str_len || p[left - 1])
		return false;
	*ret = (struct lac_btf_part){
		.types = p + h.type_off, .types_size = h.type_len,
		.strings = (const char *)p + h.str_off,
		.strings_size = h.str_len,
	};
	return true;
}

bool lac_btf_open_in_place(struct lac_btf_source *s,
			   const struct lac_btf_input *in)
{
	struct lac_btf_source own = {
		.in = in, .n = 1,
		.big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
	};
	uint32_t least = sizeof(struct btf_type);

	if (in->base && !take_part(in->base, in->base_size, &own.part[0]))
		return false;
	if (!take_part(in->data, in->size, &own.part[1]))
		return false;
	/* only the base's begin with the empty string */
	if (*own.part[in->base ? 0 : 1].strings)
		return false;
	own.max = own.part[0].types_size / least +
		  own.part[1].types_size / least + 1;
	own.offsets = malloc(own.max * sizeof(*own.offsets));
	if (!own.offsets)
		return false;
	*s = own;
	return true;
}

/* -- libbpf --------------------------------------------------------------- */

static int quiet(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	(void)level;
	(void)fmt;
	(void)ap;
	return 0;
}

/* libbpf takes split BTF from files only: give it one that is in memory. */
static struct btf *open_split(const struct lac_btf_input *in, struct btf *base)
{
	int fd = memfd_create("lacuna-btf", MFD_CLOEXEC);
	const unsigned char *p = in->data;
	size_t left = in->size;
	struct btf *btf = NULL;
	char path[64];

	if (fd < 0)
		return NULL;
	while (left) {
		ssize_t n = write(fd, p, left);

		if (n <= 0)
			break;
		p += n;
		left -= (size_t)n;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!left)
		btf = btf__parse_raw_split(path, base);
	close(fd);
	return btf;
}

enum lac_status lac_btf_open_libbpf(struct lac_btf_source *s,
				    const struct lac_btf_input *in,
				    struct lac_err *err)
{
	*s = (struct lac_btf_source){ .in = in, .n = 1 };
	libbpf_set_print(quiet);
	if (in->size > UINT32_MAX || in->base_size > UINT32_MAX)
		return lac_fail(err, LAC_BAD_INPUT, "%s: BTF of over 4 GiB",
				in->path);
	if (in->base) {
		s->base = btf__new(in->base, (uint32_t)in->base_size);
		if (!s->base)
			return lac_fail(err, LAC_BAD_INPUT,
					"%s: no base BTF: %s", in->base_path,
					strerror(errno));
		s->btf = open_split(in, s->base);
	} else {
		s->btf = btf__new(in->data, (uint32_t)in->size);
	}
	if (!s->btf)
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: damaged BTF%s: %s", in->path,
				in->base ? ", or split BTF of another base" :
					   ", or a module's split BTF: give "
					   "the file with its base, the "
					   "kernel, as --base",
				strerror(errno));
	s->max = btf__type_cnt(s->btf);
	s->first = s->base ? btf__type_cnt(s->base) : 1;
	s->big_endian = btf__endianness(s->btf) == BTF_BIG_ENDIAN;
	return LAC_OK;
}

void lac_btf_close(struct lac_btf_source *s)
{
	btf__free(s->btf);
	btf__free(s->base);
	free(s->offsets);
	*s = (struct lac_btf_source){ 0 };
}

/* -- strings -------------------------------------------------------------- */

/* What libbpf took has a header that it agreed with. */
static uint32_t bytes_of_strings(const void *data)
{
	struct btf_header h;

	memcpy(&h, data, sizeof(h));
	return h.magic == BTF_MAGIC ? h.str_len : bswap_32(h.str_len);
}

/* Of the base's, those of split BTF go on where these end; of its own. */
static void sizes(const struct lac_btf_source *s, uint32_t *base, uint32_t *own)
{
	*base = s->part[0].strings_size;
	*own = s->part[1].strings_size;
	if (s->btf) {
		*base = s->base ? bytes_of_strings(s->in->base) : 0;
		*own = bytes_of_strings(s->in->data);
	}
}

bool lac_btf_strings_size(const struct lac_btf_source *s, uint32_t *ret)
{
	uint32_t base, own;

	sizes(s, &base, &own);
	return !__builtin_add_overflow(base, own, ret) && *ret;
}

void lac_btf_strings_copy(const struct lac_btf_source *s, char *to)
{
	uint32_t base, own;

	sizes(s, &base, &own);
	if (base)
		memcpy(to, s->btf ? btf__str_by_offset(s->base, 0)
				  : s->part[0].strings, base);
	if (own)
		memcpy(to + base, s->btf ? btf__str_by_offset(s->btf, base)
					 : s->part[1].strings, own);
}

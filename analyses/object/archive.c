/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/archive.h"

#include <ar.h>
#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char thin_magic[] = "!<thin>\n";

bool lac_archive_is(const void *data, size_t size)
{
	return size >= SARMAG && (memcmp(data, ARMAG, SARMAG) == 0 ||
				  memcmp(data, thin_magic, SARMAG) == 0);
}

void lac_archive_init(struct lac_archive *a, const char *path, const void *data,
		      size_t size)
{
	*a = (struct lac_archive){
		.path = path, .data = data, .size = size, .at = SARMAG,
		.thin = memcmp(data, thin_magic, SARMAG) == 0,
	};
}

static enum lac_status bad(const struct lac_archive *a, struct lac_err *err)
{
	return lac_fail(err, LAC_BAD_INPUT,
			"%s: a member's header at byte %zu is damaged; is the "
			"archive truncated?", a->path, a->at);
}

/* The member's name: in the header ("x.o/"), or an offset into the names. */
static void member_name(const struct lac_archive *a, const struct ar_hdr *h,
			char *out, size_t size)
{
	const char *from = h->ar_name, *end;
	size_t n = sizeof(h->ar_name);

	if (h->ar_name[0] == '/' && h->ar_name[1] >= '0' &&
	    h->ar_name[1] <= '9') {
		size_t at = strtoul(h->ar_name + 1, NULL, 10);

		if (!a->names || at >= a->names_size) {
			snprintf(out, size, "?");
			return;
		}
		from = (const char *)a->names + at;
		n = a->names_size - at;
		end = memchr(from, '\n', n);
		n = end ? (size_t)(end - from) : n;
	}
	while (n && (from[n - 1] == ' ' || from[n - 1] == '/'))
		n--;
	snprintf(out, size, "%.*s", (int)(n < 4096 ? n : 4096), from);
}

static enum lac_status open_member(const struct lac_archive *a,
				   const char *name, const unsigned char *data,
				   size_t size, struct lac_object **ret,
				   struct lac_err *err)
{
	const char *slash = strrchr(a->path, '/');
	char label[2 * PATH_MAX];

	if (a->thin) { /* the member lies beside the archive */
		snprintf(label, sizeof(label), "%.*s%s",
			 slash && name[0] != '/' ? (int)(slash + 1 - a->path) :
						   0,
			 a->path, name);
		return lac_object_open(label, ret, err);
	}
	if (size < SELFMAG || memcmp(data, ELFMAG, SELFMAG) != 0)
		return LAC_OK; /* something else: not ours to read */
	snprintf(label, sizeof(label), "%s(%s)", a->path, name);
	return lac_object_open_memory(label, data, size, ret, err);
}

enum lac_status lac_archive_next(struct lac_archive *a, struct lac_object **ret,
				 struct lac_err *err)
{
	struct lac_object *found = NULL;

	while (!found && a->at < a->size) {
		const unsigned char *data = a->data + a->at;
		struct ar_hdr h;
		char name[4200], digits[sizeof(h.ar_size) + 1] = "", *end;
		bool special;
		size_t size;

		if (a->size - a->at < sizeof(h))
			return bad(a, err);
		memcpy(&h, data, sizeof(h));
		memcpy(digits, h.ar_size, sizeof(h.ar_size));
		size = strtoul(digits, &end, 10);
		if (memcmp(h.ar_fmag, ARFMAG, 2) != 0 || end == digits)
			return bad(a, err);
		special = h.ar_name[0] == '/' &&
			  (h.ar_name[1] == ' ' || h.ar_name[1] == '/' ||
			   memcmp(h.ar_name, "/SYM64/", 7) == 0);
		data += sizeof(h);
		if ((!a->thin || special) &&
		    size > a->size - a->at - sizeof(h))
			return bad(a, err);
		if (h.ar_name[0] == '/' && h.ar_name[1] == '/') {
			a->names = data;
			a->names_size = size;
		} else if (!special) {
			member_name(a, &h, name, sizeof(name));
			LAC_TRY(open_member(a, name, data, size, &found, err));
		}
		a->at += sizeof(h);
		if (!a->thin || special)
			a->at += size + (size & 1 && size < a->size - a->at);
	}
	*ret = found;
	return LAC_OK;
}
